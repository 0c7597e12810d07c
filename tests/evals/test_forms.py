"""In which form a member is to be asked: the items of the forms, their reading, and what is recommended (I9, 4.3)."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from moot.core.calls import Failure, Prose, Request
from moot.core.errors import UsageError
from moot.evals.arms.forms import reading
from moot.evals.figures.forms import (
    FORMS_BESIDE,
    Formed,
    FormRow,
    form_items,
    formed,
    forms_for,
    recommended_form,
    ways_agree,
)
from moot.evals.figures.goals import ScreenCost
from moot.evals.figures.metrics import proportion
from moot.evals.figures.recommendation import needed_right, recommendation
from moot.evals.figures.screen import screen_items, screened
from moot.evals.items.grading import grade
from moot.evals.report.folder import screen_cost
from moot.evals.runs.budget import RunLimits
from moot.evals.runs.harness import Access
from moot.evals.runs.screening import Done, screen
from moot.protocols.interrogation.graph.schemas import Argument
from moot.testing import Scripted, scripted
from tests.evals.test_screen import ITEMS as SCREEN_ITEMS

ITEMS = {item.id: item for item in form_items()}
SILENT = "The documents do not say."
REASONS = {
    "form-alma": "The ferry Alma made 4 crossings on Monday. 4 + 7 = 11. 11 * 12 = 132.",
    "form-teskow": "Oda Brandt directed the film The Long Tide. The Long Tide was shot in Teskow.",
    "form-pears": "The orchard was planted with 18 rows of pear trees. 18 * 15 = 270. 270 - 25 = 245.",
    "form-holt": "Server x9 stands in rack 7 and runs Linux. Mira Holt looks after rack 7.",
    "form-mill": "The mill at Lode stands on the left bank.",
    "form-tarn": "Tarn bridge was opened in 1911. Quell bridge was opened in 1934.",
    "form-sund": "The library is open for 6 hours on each of the 5 weekdays. 6 * 5 = 30. 30 + 4 = 34.",
}
PROGRAMS = {
    "form-alma": "crossings = 4 + 7\nanswer = crossings * 12",
    "form-pears": "planted = 18 * 15\nanswer = planted - 25",
    "form-sund": "answer = 6 * 5 + 4",
}


def answer_of(name: str) -> str:
    return ITEMS[name].answer or SILENT


def plain_reply(name: str) -> str:
    return f"{REASONS[name]}\nAnswer: {answer_of(name)}"


def graph_reply(name: str) -> dict[str, Any]:
    said = REASONS[name].split(". ")[0].rstrip(".") + "."
    conclusion = {"claim": f"The answer is {answer_of(name)}.", "because": [] if ITEMS[name].abstain else ["s1"]}
    return {
        "reasoning": REASONS[name],
        "assumptions": [],
        "steps": [{"id": "s1", "claim": said, "because": [1]}],
        "objections": [],
        "conclusion": conclusion,
        "answer": answer_of(name),
    }


def item_of(request: Request) -> str:
    asked = "\n".join(message.content for message in request.messages)
    return next((item.id for item in ITEMS.values() if item.question in asked), "")


def form_of(request: Request) -> str:
    if request.schema is not None:
        return "graph"
    how = request.messages[-1].content
    return "program" if item_of(request) in PROGRAMS and '"Answer:"' not in how else "prose"


def able(request: Request) -> str | Mapping[str, Any]:
    """A member that answers everything rightly, in every form."""
    name = item_of(request)
    if not name:
        asked = request.messages[-1].content
        item = next(one for one in SCREEN_ITEMS if f"Question: {one.question}" in asked)
        return item.grounded.example if item.grounded else item.abstained.example
    return {"graph": graph_reply(name), "program": PROGRAMS.get(name, ""), "prose": plain_reply(name)}[form_of(request)]


def proser(request: Request) -> str | Mapping[str, Any]:
    """A member that answers rightly and never in the shape of a graph."""
    return plain_reply(item_of(request)) if form_of(request) == "graph" else able(request)


def put(folder: Path, models: dict[str, Scripted], *, limit: int | None = 7, limits: RunLimits | None = None) -> Done:
    reach = Access({"MOOT_HOME": str(folder / "home")}, models=models)
    return asyncio.run(
        screen(list(models), folder / "rows.jsonl", reach=reach, limit=limit, limits=limits or RunLimits())
    )


def row(item: str = "form-alma", **changed: Any) -> FormRow:
    whole = FormRow(
        member="a",
        form="plain",
        item=item,
        right=True,
        at_once=True,
        claims=2,
        covered=2,
        answer=answer_of(item),
        calls=1,
        tokens_in=100,
        tokens_out=20,
        usd=0.0,
        seconds=1.0,
        deliberation="d1",
    )
    return replace(whole, **changed)


def way(name: Any, right: int, at_once: int, covered: int = 10, of: int = 7) -> Formed:
    return Formed(name, proportion(right, of), proportion(at_once, of), proportion(covered, 10))


@pytest.mark.clause("ruling:V1")
@pytest.mark.parametrize("item", ITEMS.values(), ids=lambda item: item.id)
def test_the_documents_of_an_item_hold_its_answer_or_what_it_is_computed_from(item) -> None:
    text = " ".join(document.text for document in item.documents)

    if item.kind == "number":
        numbers = set(re.findall(r"\d+", PROGRAMS[item.id]))
        assert numbers <= set(re.findall(r"\d+", text)) and item.answer not in text
    else:
        assert item.abstain or item.answer in text
    assert grade(item, answer_of(item.id)).correct


@pytest.mark.clause("ruling:I9")
def test_there_are_seven_items_each_asked_plainly_in_its_second_way_and_as_a_graph() -> None:
    assert len(ITEMS) == 7
    assert {forms_for(item) for item in ITEMS.values() if item.kind == "number"} == {("plain", "program", "graph")}
    assert {forms_for(item) for item in ITEMS.values() if item.kind != "number"} == {("plain", "numbered", "graph")}


# What is read of a reply


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize("name", ITEMS)
def test_a_good_reply_in_each_form_is_read_and_its_claims_are_covered(name: str) -> None:
    question = ITEMS[name].asked()
    plain = reading("plain", Prose(text=plain_reply(name)), question)
    graph = reading("graph", Argument.model_validate(graph_reply(name)), question)

    assert (plain.answer, plain.problem) == (answer_of(name), "")
    assert plain.claims and plain.covered == plain.claims
    assert (graph.answer, graph.claims, graph.covered) == (answer_of(name), 1, 1)
    if name in PROGRAMS:
        program = reading("program", Prose(text=PROGRAMS[name]), question)
        assert (program.answer, program.covered) == (answer_of(name), program.claims)


@pytest.mark.clause("ruling:I9")
def test_what_no_sentence_covers_and_what_computes_wrongly_is_a_claim_that_is_not_covered() -> None:
    question = ITEMS["form-alma"].asked()
    invented = f"{REASONS['form-alma']} The captain is called Per Nygaard.\nAnswer: 132"
    wrong = "The ferry Alma made 4 crossings on Monday. 4 + 7 = 12.\nAnswer: 144"

    read = [reading("plain", Prose(text=text), question) for text in (invented, wrong)]

    assert [(item.claims, item.covered) for item in read] == [(4, 3), (2, 1)]


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("form", "text"), [("plain", "It is hard to say much."), ("program", "Let me think."), ("numbered", "")]
)
def test_a_reply_that_states_no_answer_is_not_read(form: Any, text: str) -> None:
    read = reading(form, Prose(text=text), ITEMS["form-alma"].asked())

    assert read.answer == "" and read.problem


# A screen with forms


@pytest.mark.clause("ruling:I9")
def test_a_screen_asks_each_item_in_three_forms_and_recommends_one(tmp_path: Path) -> None:
    member = scripted(able)

    done = put(tmp_path, {"scripted:a": member}, limit=None)

    assert len(done.forms) == 21 and done.unasked == 0
    assert len(member.requests) == 50 + 21
    assert all(request.temperature == 0 for request in member.requests)
    graphs = [request.messages[-1].content for request in member.requests if request.schema is not None]
    assert len(graphs) == 7 and all('"steps"' in how and '"because"' in how for how in graphs)
    (told,) = formed(done.forms).values()
    assert [(item.way, item.right.right, item.at_once.right) for item in told.ways] == [
        ("plain", 7, 7),
        ("second", 7, 7),
        ("graph", 7, 7),
    ]
    assert told.agree.right == told.agree.of == 7
    assert told.recommended == "both"


@pytest.mark.clause("ruling:I9", "interrogation:4.3")
def test_a_reply_that_had_to_be_asked_for_again_was_not_read_at_once(tmp_path: Path) -> None:
    seen: set[str] = set()

    def stumbling(request: Request) -> str | Mapping[str, Any]:
        if form_of(request) == "graph" and item_of(request) not in seen:
            seen.add(item_of(request))
            return "I would rather talk."
        return able(request)

    (told,) = formed(put(tmp_path, {"scripted:a": scripted(stumbling)}).forms).values()

    graph = told.ways[-1]
    assert (graph.right.right, graph.at_once.right, graph.passes) == (7, 0, False)


@pytest.mark.clause("ruling:I9")
def test_a_reply_that_cannot_be_read_is_wrong_and_agrees_with_nothing(tmp_path: Path) -> None:
    (told,) = formed(put(tmp_path, {"scripted:a": scripted(lambda request: "Hm.")}).forms).values()

    assert [item.right.right for item in told.ways] == [0, 0, 0]
    assert [item.at_once.right for item in told.ways] == [0, 0, 0]
    assert (told.agree.right, told.agree.of) == (0, 7)
    assert told.recommended is None and "75 % read at once and 50 % right" in told.why


@pytest.mark.clause("ruling:V3")
def test_forms_that_stopped_go_on_and_ask_nothing_twice(tmp_path: Path) -> None:
    first = put(tmp_path, {"scripted:a": scripted(able)}, limits=RunLimits(calls=30))
    member = scripted(able)

    done = put(tmp_path, {"scripted:a": member})

    assert 0 < len(first.forms) < 21 and first.unasked == 21 - len(first.forms) == len(member.requests)
    file = tmp_path / f"rows.jsonl{FORMS_BESIDE}"
    assert len(file.read_text(encoding="utf-8").splitlines()) == 21
    assert len(done.forms) == 21 and done.unasked == 0


def test_the_forms_lie_beside_the_screen_and_count_in_what_it_cost(tmp_path: Path) -> None:
    put(tmp_path, {"scripted:a": scripted(able)}, limit=1)
    file = tmp_path / f"rows.jsonl{FORMS_BESIDE}"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]

    assert [line["form"] for line in lines] == ["plain", "program", "graph"]
    file.write_text("".join(json.dumps({**line, "usd": 0.5}) + "\n" for line in lines))
    assert screen_cost(str(tmp_path / "rows.jsonl")) == ScreenCost(members=1, usd=1.5, asked=1, whole=50)


def test_a_file_of_forms_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"rows.jsonl{FORMS_BESIDE}").write_text('{"name": "not a row"}\n')

    with pytest.raises(UsageError, match="no file of forms"):
        put(tmp_path, {"scripted:a": scripted(able)})


# What is recommended


@pytest.mark.clause("ruling:I9", "interrogation:4.3")
@pytest.mark.parametrize(
    ("ways", "form"),
    [
        ([way("plain", 6, 7), way("second", 5, 6), way("graph", 5, 7)], "both"),
        ([way("plain", 6, 7), way("second", 3, 7), way("graph", 5, 7)], "plain"),
        ([way("plain", 6, 7), way("second", 7, 5), way("graph", 5, 7)], "plain"),
        ([way("plain", 3, 7), way("second", 4, 7), way("graph", 3, 7)], "numbered"),
        ([way("plain", 5, 7), way("second", 5, 7), way("graph", 6, 6)], "graph"),
        ([way("plain", 5, 7), way("second", 5, 7), way("graph", 7, 5)], "both"),
        ([way("plain", 5, 6), way("second", 3, 6), way("graph", 5, 7)], "graph"),
        ([way("plain", 5, 7, covered=4), way("second", 3, 6), way("graph", 5, 7, covered=5)], "graph"),
        ([way("plain", 3, 7), way("second", 3, 7), way("graph", 7, 5)], None),
        ([], None),
    ],
)
def test_the_form_that_is_right_most_often_is_recommended_if_it_reaches_the_floor(
    ways: list[Formed], form: str | None
) -> None:
    assert recommended_form(ways)[0] == form


@pytest.mark.clause("ruling:I9", "ruling:G12")
@pytest.mark.parametrize(
    ("plain", "second", "same"),
    [("132", "132 cars", True), ("132", "131", False), (None, None, False), ("132", None, False)],
)
def test_two_ways_agree_only_on_what_both_say(plain: str | None, second: str | None, same: bool) -> None:
    rows = [row(answer=plain), row(form="program", answer=second)]

    assert ways_agree(rows) == proportion(int(same), 1)


@pytest.mark.clause("interrogation:4.3", "evals:2")
def test_of_two_members_that_are_right_as_often_the_one_that_keeps_to_a_form_is_recommended(tmp_path: Path) -> None:
    def careless(request: Request) -> str | Mapping[str, Any]:
        name = item_of(request)
        return "It depends." if name == "form-holt" else able(request)

    done = put(tmp_path, {"scripted:careless": scripted(careless), "scripted:able": scripted(able)})

    quicker = [replace(one, seconds=float(one.member == "scripted:able")) for one in screened(done.rows)]
    best = recommendation(quicker, formed(done.forms))

    assert best.member == "scripted:able"
    assert "7 of 7 replies in shape at once, as many right as scripted:careless" in best.why


@pytest.mark.clause("evals:2", "interrogation:4.3")
def test_nobody_is_recommended_below_the_floor(tmp_path: Path) -> None:
    abstaining = put(tmp_path / "a", {"scripted:a": scripted(lambda _: SILENT)}, limit=6)
    unreadable = put(
        tmp_path / "b", {"scripted:b": scripted(lambda request: "Hm." if item_of(request) else able(request))}
    )

    few = recommendation(screened(abstaining.rows), formed(abstaining.forms))
    none = recommendation(screened(unreadable.rows), formed(unreadable.forms))

    assert few.member is None and few.why.endswith("has 2 of 6 right; at least 5 are needed")
    assert none.member is None and "7 of 7 right, but no form reaches the floor" in none.why


@pytest.mark.clause("interrogation:4.3", "evals:2")
def test_one_that_is_right_more_often_and_keeps_to_no_form_is_named_with_what_it_lacks(tmp_path: Path) -> None:
    def shapeless(request: Request) -> str | Mapping[str, Any]:
        return "Hm." if item_of(request) else able(request)

    done = put(tmp_path, {"scripted:able": scripted(able), "scripted:shapeless": scripted(shapeless)}, limit=4)
    one, other = screened(done.rows)
    worse = replace(one, right=proportion(3, 4))

    best = recommendation([worse, other], formed(done.forms))

    assert best.member == "scripted:able"
    assert "scripted:shapeless has 4 right, but no form reaches the floor" in best.why


@pytest.mark.clause("evals:2")
@pytest.mark.parametrize(
    ("items", "unsettled", "needed"), [(50, 14, 25), (6, 2, 5), (3, 1, 3), (1, 1, None), (4, 0, 2)]
)
def test_the_floor_is_half_of_the_items_and_above_whoever_always_abstains(
    items: int, unsettled: int, needed: int | None
) -> None:
    assert needed_right(items, unsettled) == needed


@pytest.mark.clause("evals:2")
def test_one_that_is_right_in_half_reaches_the_floor(tmp_path: Path) -> None:
    def half(request: Request) -> str | Mapping[str, Any]:
        item = next(one for one in screen_items() if one.question in request.messages[-1].content)
        return able(request) if item.kind == "invented" else item.memorized.example

    reach = Access(
        {"MOOT_HOME": str(tmp_path / "home")},
        models={"scripted:half": scripted(half), "scripted:hm": scripted(lambda _: "Hm.")},
    )
    done = asyncio.run(screen(list(reach.models or {}), tmp_path / "rows", reach=reach, limit=2, forms=False))

    best = recommendation(screened(done.rows))

    assert best.member == "scripted:half" and "1 of 2 right" in best.why


def test_a_member_that_cannot_be_reached_has_rows_with_the_problem(tmp_path: Path) -> None:
    done = put(tmp_path, {"scripted:a": scripted(lambda _: Failure("timeout", "late"))}, limit=1)

    assert len(done.forms) == 3
    assert all(row.problem and not row.right and not row.at_once for row in done.forms)
