"""The face: the names that are promised are there, typed, documented and sorted, and take what people pass."""

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import moot
import moot.protocol
import moot.provider
from moot import Budget, Document, Event, MootError, Result, Status, ask, ask_sync, stream
from moot.core.errors import BadSetting, UsageError
from moot.testing import scripted

ANSWER = {"reasoning": "r", "answer": "42", "confidence": 0.9}
DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    return {
        "protocol": "single",
        "members": "scripted:a",
        "models": {"scripted:a": scripted(lambda _: ANSWER)},
        "environ": {"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"},
    }


@pytest.mark.parametrize("module", [moot, moot.protocol, moot.provider], ids=lambda module: module.__name__)
def test_the_promised_names_are_sorted_there_and_documented(module: Any) -> None:
    values = {name: getattr(module, name) for name in module.__all__}
    words = [name for name, value in values.items() if inspect.isclass(value) or inspect.isfunction(value)]

    assert list(module.__all__) == sorted(module.__all__, key=lambda name: (not name.isupper(), name))
    assert not [name for name in module.__all__ if name not in dir(module)]
    assert not [name for name in words if not inspect.getdoc(getattr(module, name))]


def test_every_promised_name_stands_on_the_page_of_promises() -> None:
    page = (DOCS / "promises.md").read_text(encoding="utf-8")
    names = [*moot.__all__, *moot.protocol.__all__, *moot.provider.__all__]

    assert not [name for name in names if f"`{name}`" not in page]


def test_every_function_of_the_face_has_typed_parameters_and_results() -> None:
    functions = [getattr(moot, name) for name in moot.__all__ if inspect.isfunction(getattr(moot, name))]

    assert len(functions) >= 10
    for function in functions:
        hints = get_type_hints(inspect.unwrap(function))
        assert set(inspect.signature(function).parameters) | {"return"} <= set(hints)


def test_a_checker_knows_the_face(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from moot import Budget, Result, ask_sync\n"
        "result: Result = ask_sync('x', members='embedded', budget={'calls': 20}, documents='survey.md')\n"
        "text: str | None = result.answer\n"
        "ask_sync('x', nonsense=3)\n"
        "ask_sync('x', budget='cheap')\n"
        "number: int = result.answer\n",
        encoding="utf-8",
    )
    checker = Path(sys.executable).with_name("ty")

    told = subprocess.run(
        [checker, "check", "--python", sys.prefix, "--output-format", "concise", program],
        capture_output=True,
        text=True,
        check=False,
    ).stdout

    assert [line.split(":")[1] for line in told.splitlines() if "error[" in line] == ["4", "5", "6"], told


def test_importing_moot_loads_nothing_and_naming_an_unknown_name_tells_those_there_are() -> None:
    with pytest.raises(AttributeError, match="it has Budget, Document"):
        _ = moot.nonsense


def test_a_result_has_what_is_promised(options: dict[str, Any]) -> None:
    result = ask_sync("What is it?", **options)

    assert (result.answer, result.status, result.stop_reason) == ("42", Status.COMPLETE, "answered")
    assert (result.confidence.value, result.confidence.basis) == (0.9, "stated")
    assert (result.dissent, result.missing, result.graph) == ((), (), None)
    assert result.caveats == ("This is one model's word: nothing in it was checked.",)
    assert (result.cost.calls, result.cost.usd) == (1, 0.0)
    assert result.detail == {"reasoning": "r"}


@pytest.mark.parametrize(
    "documents",
    [
        "{folder}/survey.md",
        ["{folder}/survey.md"],
        {"survey.md": "x9 is on"},
        Document(name="survey.md", text="x9 is on"),
    ],
    ids=["a path", "paths", "texts by name", "a document"],
)
def test_documents_are_taken_as_people_pass_them(documents: Any, options: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "survey.md").write_text("x9 is on", encoding="utf-8")
    given = [item.format(folder=tmp_path) for item in documents] if isinstance(documents, list) else documents
    given = given.format(folder=tmp_path) if isinstance(given, str) else given

    result = ask_sync("What is on?", documents=given, **options)

    assert [(doc.name, doc.text) for doc in result.record.header.question.documents] == [("survey.md", "x9 is on")]


def test_documents_keep_the_order_in_which_they_are_given(options: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("b", encoding="utf-8")
    given = [Document(name="a", text="a"), tmp_path / "b.md", Document(name="c", text="c")]

    result = ask_sync("?", documents=given, **options)

    assert [document.text for document in result.record.header.question.documents] == ["a", "b", "c"]


@pytest.mark.parametrize("budget", [{"calls": 4}, Budget(calls=4)], ids=["by name", "a budget"])
def test_a_budget_is_taken_by_name_or_as_a_value(budget: Any, options: dict[str, Any]) -> None:
    assert ask_sync("?", budget=budget, **options).record.header.budget.calls == 4


def test_a_limit_that_there_is_not_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="there are calls, tokens, usd, seconds"):
        ask_sync("?", budget={"dollars": 4}, **options)


def test_where_an_event_loop_runs_ask_sync_says_what_to_write(options: dict[str, Any]) -> None:
    async def cell() -> None:
        ask_sync("?", **options)

    with pytest.raises(UsageError, match=r"write `await ask\(\.\.\.\)`"):
        asyncio.run(cell())


def test_a_callback_hears_what_happens(options: dict[str, Any]) -> None:
    heard: list[tuple[str, str]] = []

    ask_sync("?", progress=lambda event: heard.append((event.kind, event.seat)), **options)

    assert ("asking", "m1") in heard
    assert ("answered", "m1") in heard


def test_a_stream_yields_what_happens_and_at_last_the_result(options: dict[str, Any]) -> None:
    async def follow() -> list[Event | Result]:
        return [event async for event in stream("?", **options)]

    *events, result = asyncio.run(follow())

    assert isinstance(result, Result)
    assert result.answer == "42"
    begun, asking, *_ = [event for event in events if isinstance(event, Event)]
    assert begun.begun and begun.begun.question == "?" and begun.begun.expected.calls >= 1
    assert (asking.kind, asking.seat) == ("asking", "m1") and "/" not in asking.phase
    assert [event.said for event in events if isinstance(event, Event) and event.kind == "answered"] == ["42 (0.9)"]


def test_leaving_a_stream_stops_the_run_and_it_can_be_gone_on_with(options: dict[str, Any]) -> None:
    async def leave() -> str:
        async for _ in (events := stream("?", **options)):
            break
        await events.aclose()
        left = await moot.list_deliberations(environ=options["environ"])
        return left[0].id

    left = asyncio.run(leave())

    done = asyncio.run(moot.resume(left, models=options["models"], environ=options["environ"]))
    assert done.answer == "42"


def test_a_stream_raises_what_the_run_raises(options: dict[str, Any]) -> None:
    async def follow() -> None:
        async for _ in stream("", **options):
            pass

    with pytest.raises(MootError, match="question is empty"):
        asyncio.run(follow())


def test_what_is_stored_is_listed_shown_replayed_forked_and_exported(options: dict[str, Any]) -> None:
    environ = {"environ": options["environ"]}

    async def course() -> list[Any]:
        first = await ask("What is it?", **options)
        listed = await moot.list_deliberations(**environ)
        again = await moot.replay(first.id, **environ)
        shown = await moot.show(first.id[:6], **environ)
        other = await moot.fork(first.id, "answer", seed=7, models=options["models"], **environ)
        texts = await moot.export(first.id, "md", **environ)
        return [first, listed, again, shown, other, texts]

    first, listed, again, shown, other, texts = asyncio.run(course())

    assert [row.id for row in listed] == [first.id]
    assert again.events == len(first.record.events)
    assert shown == first
    assert other.record.header.parent.id == first.id
    assert "42" in texts[f"{first.id}.md"]
