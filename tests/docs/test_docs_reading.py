"""What the docs say of results: every status with a scene that ends so, every basis, every reason and its message."""

import ast
import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import moot
from moot.core import calls, errors
from moot.core.budget import Budget, Expectation
from moot.core.calls import Failure
from moot.core.confidence import Basis, no_confidence
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.verdict import Status, Verdict
from moot.service.board import Board
from moot.service.opening import open_service
from moot.service.results import Result
from moot.testing import scripted
from tests.docs.kit import DOCS, RESPONSE, SCRIPT
from tests.protocols.prism.kit import output

READING = (DOCS / "reading-a-result.md").read_text(encoding="utf-8")
TROUBLE = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
UNSURE = {"L1.*/consensus/*": output(1, confidence=0.1), **SCRIPT}
SOLO = {"table": "prism-v1-solo"}
NUMBER = "How much is 6 times 7?"


def section(page: str, heading: str) -> str:
    return page.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


Scene = Callable[[dict[str, str]], Result]


def asking(question: str, replies: Any, protocol: Any, seats: int = 1, **options: Any) -> Scene:
    """Return the scene in which members who follow a script are asked."""
    models = {"scripted:a": scripted(replies)}

    def play(environ: dict[str, str]) -> Result:
        members = ["scripted:a"] * seats
        return moot.ask_sync(question, protocol=protocol, members=members, models=models, environ=environ, **options)

    return play


def votes(*answers: str, **options: Any) -> Scene:
    script = {"run/*": [f"It is so.\nAnswer: {answer}" for answer in answers]}
    return asking(NUMBER, script, "vote", settings={"n": 4, "form": "plain", **options.pop("settings", {})}, **options)


def debating() -> Scene:
    def reply(request: calls.Request) -> Any:
        answer = {"m1": "yes, move it", "m2": "no, not yet"}[request.seat]
        return {**RESPONSE, "position": f"I say {answer}.", "answer": answer, "vote": "BLOCKER", "concern": "No."}

    settings = {"rounds": 1, "revise": False, "lookups": 0}
    return asking("Should it move?", reply, "debate", seats=2, settings=settings)


def closing(environ: dict[str, str]) -> Result:
    """A reviewer ends a claim that waits for one."""

    models = {"scripted:a": scripted(UNSURE)}

    async def review() -> Result:
        order: dict[str, Any] = {"protocol": "prism", "settings": SOLO, "members": "scripted:a", "models": models}
        waits = await moot.ask("Crows remember faces.", environ=environ, **order)
        async with open_service(environ, models=models) as service:
            await Board(service).clear(waits.id, "Dan", "close", "Nobody needs it.")
            return await service.show(waits.id)

    return asyncio.run(review())


async def call_off(question: Any, deliberation: Any, settings: Any) -> Verdict:
    return Verdict(None, Status.CANCELLED, "it was called off", no_confidence("nobody was asked"))


CALLED_OFF = ProtocolSpec(
    "called-off", 1, "", call_off, Settings, 1, 1, Budget(calls=1), expected=lambda *_: Expectation(0, 0, 0)
)


def leaving(environ: dict[str, str]) -> Result:
    """A program that has seen enough."""

    async def leave() -> Result:
        models = {"scripted:a": scripted(SCRIPT)}
        events = moot.stream("Why?", protocol="single", members="scripted:a", models=models, environ=environ)
        async for _ in events:
            break
        await events.aclose()
        (left,) = await moot.list_deliberations(environ=environ)
        return await moot.show(left.id, environ=environ)

    return asyncio.run(leave())


SCENES: dict[Status, tuple[str, Scene]] = {
    Status.COMPLETE: ("four runs of a vote say 42", votes("42", "42", "42", "42")),
    Status.PARTIAL: ("two runs of a vote say 42 and two say 41", votes("42", "42", "41", "41")),
    Status.FORCED: ("two agents debate for one round, and neither accepts the other's proposal", debating()),
    Status.FLAGGED: (
        "a layer of prism does not pass, and with `on_flag=end` nobody is waited for",
        asking("Crows remember faces.", UNSURE, "prism", settings={**SOLO, "on_flag": "end"}),
    ),
    Status.EXHAUSTED: (
        "a vote of eight runs may make three calls",
        votes(*["42"] * 8, settings={"n": 8}, budget={"calls": 3}),
    ),
    Status.FAILED: (
        "the only member cannot be reached",
        asking("Why?", {"*": Failure("unreachable", "nobody there")}, "single"),
    ),
    Status.CLOSED: ("a layer of prism does not pass, and a reviewer closes the claim", closing),
    Status.CANCELLED: ("a protocol of your own returns this status", asking("Why?", SCRIPT, CALLED_OFF)),
    Status.PAUSED: (
        "a layer of prism does not pass, and waits for a reviewer",
        asking("Crows remember faces.", UNSURE, "prism", settings=SOLO),
    ),
    Status.RUNNING: ("a program leaves the stream of a run before its end", leaving),
}


@pytest.mark.parametrize("status", Status)
def test_the_scene_of_a_status_ends_so_and_stands_on_the_page(status: Status, tmp_path: Path) -> None:
    words, play = SCENES[status]

    result = play({"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"})

    assert result.status is status, result.stop_reason
    assert f"| `{status}` | {words} |" in section(READING, "A scene for each status")


def test_every_status_and_every_basis_is_explained_once() -> None:
    assert sorted(first_cells(section(READING, "Each status"))) == sorted(Status)
    assert first_cells(section(READING, "Each basis of a confidence")) == list(Basis)


def test_every_reason_for_which_somebody_is_missing_is_explained() -> None:
    reasons = get_args(calls.Missing.__annotations__["reason"])

    assert sorted(first_cells(section(TROUBLE, "By what you see"))) == sorted(reasons)


def test_what_a_server_says_of_a_run_that_it_leaves_has_codes_of_errors() -> None:
    codes = {error.code for error in vars(errors).values() if isinstance(error, type) and hasattr(error, "code")}

    assert set(first_cells(section(TROUBLE, "By message"))) <= codes


def messages() -> list[str]:
    """Return the texts of all errors, with `…` for what is filled in."""
    tree = ast.parse(Path(errors.__file__).read_text(encoding="utf-8"))
    return [_told(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]


def _told(node: ast.JoinedStr) -> str:
    quote = ord("r")
    parts = (
        str(part.value) if isinstance(part, ast.Constant) else "'…'" if part.conversion == quote else "…"
        for part in node.values
        if isinstance(part, ast.Constant | ast.FormattedValue)
    )
    return "".join(parts)


def test_every_message_that_the_page_explains_is_one_of_moot() -> None:
    explained = re.findall(r"^### (`.+`)$", section(TROUBLE, "By message"), re.MULTILINE)
    quoted = [
        message for line in explained for message in line.strip("`").split("` and `") if message != "… moot.toml …"
    ]

    assert len(quoted) > 12
    assert [message for message in quoted if not any(message in told for told in messages())] == []
