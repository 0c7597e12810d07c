"""Answers that differ and contradict nothing: the structure plays once, and a draft is accepted or not (S10)."""

import pytest

from moot.core.verdict import Status
from moot.protocols.spiral.record.report import markdown_report
from tests.protocols.spiral.kit import (
    ACCEPTS,
    EQUIVALENT,
    NEUTRAL,
    OPPOSED,
    UNREACHABLE,
    Member,
    panel_of,
    position,
    spiralled,
)

SLOGAN = "Write a slogan for a bakery."
FIRST, SECOND, THIRD = "Warm bread at dawn.", "The oven never sleeps.", "Flour, water, love."
BETTER, BEST = "Warm bread, made with love.", "Warm bread at dawn, made with love."


def bakers(*accepting: str, last: str = BEST) -> list[Member]:
    """The soloist keeps its slogan, the second betters it, the third betters that; then some accept."""
    said = {"m1": (FIRST, {}), "m2": (SECOND, {"revise/1": position(BETTER)})}
    said["m3"] = (THIRD, {"revise/1": position(last)})
    return [
        Member(position(answer), later, accepts=ACCEPTS[seat in accepting]) for seat, (answer, later) in said.items()
    ]


@pytest.mark.clause("ruling:S10")
def test_a_slogan_is_drafted_refined_and_accepted() -> None:
    done = spiralled(panel_of(*bakers("m1", "m2")), question=SLOGAN)

    kinds = [step for step in done.steps if step.split("/")[0] in ("solo", "revise", "accept")]
    assert kinds == ["solo/1/m1", "revise/1/m2", "revise/1/m3", "accept/1/m1", "accept/1/m2"]
    assert done.verdict.answer == BEST
    assert done.verdict.status is Status.COMPLETE
    assert done.detail["structure"] == "concert"
    assert done.detail["draft"] == {"loop": 1, "by": "m3", "answer": BEST, "claims": []}
    assert FIRST in done.prompt("revise/1/m2")
    assert BETTER in done.prompt("revise/1/m3")
    assert BEST in done.prompt("accept/1/m1")


@pytest.mark.clause("ruling:S10")
@pytest.mark.parametrize(
    ("accepts", "status", "reason"),
    [
        (("m1", "m2"), Status.COMPLETE, "consensus after loop 1"),
        (("m1",), Status.COMPLETE, "2 of 3 seats accept the draft of loop 1"),
        ((), Status.FORCED, "1 of 3 seats accepts the draft of loop 1, fewer than two thirds"),
    ],
)
def test_a_draft_is_complete_where_two_thirds_accept_it(accepts, status: Status, reason: str) -> None:
    done = spiralled(panel_of(*bakers(*accepts)), question=SLOGAN)

    assert done.verdict.status is status
    assert done.verdict.stop_reason.startswith(reason)
    assert "seven loops" not in done.verdict.stop_reason


@pytest.mark.clause("ruling:S10")
def test_the_share_is_of_the_seats_asked_and_not_of_those_who_answered() -> None:
    silent = [Member(UNREACHABLE), Member(UNREACHABLE)]

    done = spiralled(panel_of(*bakers("m1"), *silent), question=SLOGAN, seats=5)

    assert done.verdict.status is Status.FORCED
    assert done.verdict.stop_reason.startswith("2 of 5 seats accept the draft of loop 1, fewer than two thirds")
    assert "3 of 5 members" in done.verdict.confidence.reason


@pytest.mark.clause("ruling:S10")
def test_who_does_not_answer_has_not_accepted() -> None:
    members = bakers("m2")
    silent = Member(members[0].first, members[0].later, accepts=UNREACHABLE)

    done = spiralled(panel_of(silent, *members[1:]), question=SLOGAN)

    assert done.detail["accepted_by"] == ("m2", "m3")
    assert done.verdict.dissent[0].answer == FIRST


@pytest.mark.clause("ruling:S10")
def test_a_majority_that_was_there_before_the_draft_is_only_a_vote() -> None:
    members = [Member(position(answer)) for answer in (FIRST, SECOND, SECOND)]

    done = spiralled(panel_of(*members), question=SLOGAN, structure="fugue")

    assert done.detail["accepted_by"] == ("m2", "m3")
    assert done.verdict.status is Status.FORCED
    assert "2 of 3 seats accept the draft of loop 1, all of whom held it before it was drafted" in (
        done.verdict.stop_reason
    )


@pytest.mark.clause("ruling:S10")
def test_an_accepted_draft_is_not_complete_where_nobody_judged_whether_it_is_contradicted() -> None:
    done = spiralled(panel_of(*bakers("m1"), judge=lambda _: UNREACHABLE), question=SLOGAN)

    assert done.verdict.status is Status.FORCED
    assert "2 of 3 seats accept the draft of loop 1" in done.verdict.stop_reason
    assert "not every pair was judged" in done.verdict.stop_reason
    assert "nothing is contradicted" not in done.verdict.stop_reason


@pytest.mark.clause("ruling:S10")
def test_who_keeps_its_own_keeps_its_own_words() -> None:
    done = spiralled(panel_of(*bakers("m1")), question=SLOGAN)

    held = {item["seat"]: item["answer"] for item in done.detail["positions"]}
    assert held == {"m1": BEST, "m2": BETTER, "m3": BEST}
    assert done.verdict.answer == BEST
    assert done.verdict.dissent[0].held_by == ("m2",)


@pytest.mark.clause("ruling:S10", "ruling:S6")
@pytest.mark.parametrize(
    ("structure", "spoken"),
    [
        ("fugue", ["revise/1/m1", "revise/1/m2", "revise/1/m3"]),
        ("sonata", ["revise/1/m1", "revise/1/m3", "revise/1/m2", "synthesis/1/m1"]),
        ("concert", ["solo/1/m1", "revise/1/m2", "revise/1/m3"]),
    ],
)
def test_every_structure_plays_once_on_an_open_question(structure: str, spoken: list[str]) -> None:
    answers = [position("A quiet house."), position("Work that matters."), position("Good friends.")]

    done = spiralled(panel_of(*map(Member, answers)), question="What makes a life good?", structure=structure)

    after = [step for step in done.steps if not step.startswith(("exposition", "judge", "accept"))]
    assert {step.split("/")[0] for step in after} == {step.split("/")[0] for step in spoken}
    assert len(after) == len(spoken)
    assert sum(step.startswith("accept/1/") for step in done.steps) == 2
    assert {held["claim"] for held in done.detail["nuances"]} == {item["answer"] for item in answers}


@pytest.mark.clause("ruling:S5", "ruling:S10")
def test_loops_after_the_turn_call_nobody_and_say_so() -> None:
    done = spiralled(panel_of(*bakers()), question=SLOGAN)

    assert not [step for step in done.steps if not step.startswith(("exposition", "judge")) and "/1/" not in step]
    quiet = done.notes("loop")
    assert [note["loop"] for note in quiet] == [2, 3, 4, 5, 6, 7]
    assert {note["no_call"] for note in quiet} == {"nothing is contradicted"}


@pytest.mark.clause("ruling:S10")
def test_one_answer_for_different_reasons_is_no_open_point_and_asks_nobody() -> None:
    members = [Member(position("Yes.", claim)) for claim in ("Rents fall.", "Buses run.", "Shops return.")]

    done = spiralled(panel_of(*members), question="Will the town grow again?")

    assert not [step for step in done.steps if not step.startswith(("exposition", "judge"))]
    assert done.verdict.status is Status.FORCED
    assert done.verdict.stop_reason.startswith("all give one answer and their reasons are not the same")


@pytest.mark.clause("ruling:S10")
def test_where_something_is_contradicted_the_axioms_come_first_and_no_draft() -> None:
    judge = {"judge": lambda prompt: OPPOSED if FIRST in prompt and SECOND in prompt else NEUTRAL}

    done = spiralled(panel_of(*bakers("m1", "m2"), **judge), question=SLOGAN)

    assert "accept/1/m1" not in done.steps
    assert "stretto/5/m1" in done.steps


@pytest.mark.clause("ruling:S10")
def test_the_loop_of_agreement_and_the_loop_of_the_schedule_are_named_apart() -> None:
    done = spiralled(panel_of(*bakers("m1", "m2")), question=SLOGAN)

    ended = done.detail["loops"]
    assert ended > 1
    assert done.verdict.stop_reason == f"consensus after loop 1; the schedule let it end after loop {ended}"
    assert done.detail["agreed_since"] == 1


@pytest.mark.clause("ruling:S10", "spiral:5.1.2")
def test_members_who_agreed_at_once_are_not_said_to_have_agreed_after_a_loop() -> None:
    # Five of one mind, and one whose answer follows from theirs, though not the other way.
    members = [Member(position(answer)) for answer in (*["Paris"] * 5, "Paris and its suburbs")]
    one_way = {**EQUIVALENT, "b_to_a": "neutral"}

    done = spiralled(panel_of(*members, judge=lambda _: one_way), seats=6, question="Where?")

    assert done.detail["loops"] > 0
    assert done.verdict.stop_reason == f"consensus at once; the schedule let it end after loop {done.detail['loops']}"
    assert not [step for step in done.steps if not step.startswith(("exposition", "judge"))]


@pytest.mark.clause("ruling:S10")
def test_a_draft_that_nobody_could_write_leaves_the_answers_as_they_are() -> None:
    members = [
        Member(position(answer), {"solo/1": UNREACHABLE, "revise/1": UNREACHABLE}) for answer in (FIRST, SECOND, THIRD)
    ]

    done = spiralled(panel_of(*members), question=SLOGAN)

    assert done.verdict.status is Status.FORCED
    assert done.verdict.stop_reason.startswith("nothing is contradicted, and the answers are not the same")
    assert done.detail["draft"] is None
    assert "nobody drafted" in markdown_report(done.record)


@pytest.mark.clause("ruling:S10", "ruling:S7")
def test_an_accepted_draft_that_a_computation_refutes_is_not_complete() -> None:
    done = spiralled(panel_of(*bakers("m1", "m2", last="17 * 23 = 401.")), question=SLOGAN)

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason.endswith("on something that a computation refutes")


@pytest.mark.clause("ruling:S10")
def test_the_report_tells_of_the_draft_and_who_holds_it() -> None:
    report = markdown_report(spiralled(panel_of(*bakers("m1")), question=SLOGAN).record)

    assert "**Loop 1, concert**" in report
    assert f"- draft by m3: {BEST}" in report
    assert "- held as it stands by m1, m3" in report
