"""Positions that deny what they rest on: another member says so and names the axiom (spiral 5.1 step 3, ruling S14)."""

import re
from typing import Any

import pytest

from moot.core.verdict import Status
from moot.protocols.spiral.record.report import markdown_report
from tests.protocols.ended import Ended
from tests.protocols.spiral.kit import (
    NOTHING_DENIED,
    OPPOSED,
    UNREACHABLE,
    Member,
    panel_of,
    position,
    spiralled,
)

DENYING = position("No statement of a language model is ever true.")
OTHERS = position("Some statements of a language model are true.")
ABOUT_MODELS = "Is any statement of a language model true?"
ABOUT_A_MILL = "What shall be done with the old mill?"


def denied(prompt: str, *, level: str = "linguistic") -> dict[str, Any]:
    """Name the first axiom of the level that was shown, where the position is the denying one."""
    if DENYING["answer"] not in prompt.split("The position")[1]:
        return NOTHING_DENIED
    axiom = re.search(rf"([A-Z]+\d+) \({level}\)", prompt)
    assert axiom
    return {"why": "It says itself what it calls false.", "denies": True, "axiom": axiom[1]}


def examined(*members: Member, examiner=denied, question: str = ABOUT_MODELS, **options) -> Ended:
    panel = panel_of(*members, judge=lambda _: OPPOSED, examiner=examiner)
    return spiralled(panel, question=question, seats=len(members), **options)


def examinations(done: Ended) -> list[str]:
    return [step for step in done.steps if step.startswith("self/")]


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_a_position_that_denies_what_it_rests_on_is_marked_by_another_member() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING))

    mark = done.notes("loop")[4]["self_reference"][0]
    assert (mark["seat"], mark["by"]) == ("m3", "m1")
    assert mark["axiom"].startswith("LI")
    assert any("m1 says that the position of m3 denies what it rests on" in caveat for caveat in done.verdict.caveats)
    assert f"m1 says that m3 denies what it rests on ({mark['axiom']})" in markdown_report(done.record)


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_nobody_examines_its_own_position() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING))

    asked = {request.step: request.seat for request in done.requests if request.step.startswith("self/5/")}
    assert asked == {"self/5/m1": "m2", "self/5/m2": "m3", "self/5/m3": "m1"}


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_a_marked_position_is_not_the_answer_though_most_hold_it() -> None:
    done = examined(Member(DENYING), Member(DENYING), Member(OTHERS))

    assert done.verdict.answer == OTHERS["answer"]
    assert {item.held_by for item in done.verdict.dissent} == {("m1", "m2")}


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_without_a_mark_most_would_have_given_the_answer() -> None:
    done = examined(Member(DENYING), Member(DENYING), Member(OTHERS), examiner=lambda _: NOTHING_DENIED)

    assert done.verdict.answer == DENYING["answer"]


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_the_holder_is_shown_the_mark_and_may_change() -> None:
    changed = position("Hardly any statement of a language model is true.")

    done = examined(Member(DENYING, {"revise/5": changed}), Member(DENYING, {"revise/5": changed}), Member(OTHERS))

    told = done.prompt("revise/5/m1")
    assert "Your position is said to deny LI" in told
    assert "Your position is said to deny" not in done.prompt("revise/5/m3")
    assert "said to deny" not in done.prompt("stretto/5/m1")
    assert done.verdict.answer == changed["answer"]
    assert not any("denies what it rests on" in caveat for caveat in done.verdict.caveats)


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_a_mark_that_stands_is_shown_again_in_stretto() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING))

    assert "Your position is said to deny" in done.prompt("stretto/7/m3")
    assert "A position is said to deny" in done.prompt("stretto/7/m1")


@pytest.mark.clause("ruling:S14")
@pytest.mark.parametrize("named", ["", "XX1", "MA1", "the linguistic one"])
def test_a_mark_without_an_axiom_that_was_shown_is_dropped_and_noted(named: str) -> None:
    done = examined(
        Member(OTHERS), Member(OTHERS), Member(DENYING), examiner=lambda _: {"denies": True, "axiom": named}
    )

    assert not [mark for note in done.notes("loop") for mark in note["self_reference"]]
    dropped = done.notes("denial dropped: no axiom that was shown is named")
    assert {item["axiom"] for item in dropped} == {named}
    assert len(dropped) == len(examinations(done))


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_the_axioms_shown_are_of_the_levels_5_to_7_and_few() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING))

    shown = re.findall(r"^[A-Z]+\d+ \((\w+)\)", done.prompt("self/5/m3"), re.MULTILINE)
    assert shown == ["architectural"] * 3 + ["protocol"] * 3 + ["linguistic"] * 3


@pytest.mark.clause("ruling:S14")
def test_a_position_is_examined_again_only_where_it_has_changed() -> None:
    changed = position("Hardly any statement of a language model is true.")

    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING, {"stretto/6": changed}))

    assert examinations(done) == ["self/5/m1", "self/5/m2", "self/5/m3", "self/7/m3"]


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14", "spiral:5.1.0")
def test_positions_on_other_matters_are_not_examined() -> None:
    keep, pull_down = position("It shall be kept."), position("It shall be pulled down.")
    members = Member(keep), Member(keep), Member(pull_down)

    assert not examinations(examined(*members, question=ABOUT_A_MILL))
    assert len(examinations(examined(*members, question=ABOUT_A_MILL, self_reference="yes"))) == 3


@pytest.mark.clause("ruling:S14")
def test_a_position_that_speaks_of_models_is_examined_whatever_the_question() -> None:
    keep = position("It shall be kept.")

    done = examined(Member(keep), Member(keep), Member(DENYING), question=ABOUT_A_MILL)

    assert examinations(done) == ["self/5/m3"]


@pytest.mark.clause("spiral:5.1.3.self", "ruling:S14")
def test_nothing_is_examined_before_level_5_or_without_a_contradiction() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING))
    agreed = spiralled(panel_of(Member(DENYING), Member(DENYING), Member(DENYING)), question=ABOUT_MODELS)

    assert {step.split("/")[1] for step in examinations(done)} == {"5"}
    assert not examinations(agreed)


@pytest.mark.clause("ruling:S14")
def test_an_examiner_that_does_not_answer_marks_nothing() -> None:
    done = examined(Member(OTHERS), Member(OTHERS), Member(DENYING), examiner=lambda _: UNREACHABLE)

    assert not [mark for note in done.notes("loop") for mark in note["self_reference"]]
    assert {item.step for item in done.verdict.missing} == set(examinations(done))


@pytest.mark.clause("ruling:S14")
def test_where_every_position_is_marked_the_result_has_no_full_authority() -> None:
    same = position("No statement of a language model is ever true, say the models.")

    def both(prompt: str) -> dict[str, Any]:
        axiom = re.search(r"([A-Z]+\d+) \(linguistic\)", prompt)
        return {"why": "It does.", "denies": True, "axiom": axiom[1] if axiom else ""}

    done = examined(Member(DENYING), Member(same), examiner=both)

    assert done.verdict.status is not Status.COMPLETE
    assert sum("denies what it rests on" in caveat for caveat in done.verdict.caveats) == 2
