"""Who decides how two positions stand: letters, a judge who is no party, or nobody; and the record says so (G11)."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.calls import Request
from moot.core.verdict import Status
from moot.protocols.spiral.agreement.judging import judges_of
from moot.protocols.spiral.record.report import markdown_report
from tests.protocols.ended import Ended
from tests.protocols.spiral.kit import (
    EQUIVALENT,
    NEUTRAL,
    UNREACHABLE,
    Member,
    Said,
    panel_of,
    position,
    spiralled,
)

USED = "Is the drug used?"
SAFE, UNSAFE = "The drug is safe for children.", "The drug is unsafe for children."
HELPS, HARMS = "The drug helps children.", "The drug harms children."
ALICE, BOB = "Alice owes Bob money.", "Bob owes Alice money."
CITY = "Which city?"
PARIS, CAPITAL, LYON = position("Paris"), position("the city of light"), position("Lyon")

CONTRARY = {**EQUIVALENT, "contradicting": [[1, 1]]}


def dissenting(prompt: str) -> Mapping[str, Any]:
    """Judge that what helps does not harm."""
    return CONTRARY if HELPS in prompt and HARMS in prompt else {**EQUIVALENT, "same": [[1, 1]]}


def judged_by(done: Ended) -> dict[str, str]:
    return {request.step: request.seat for request in done.requests if request.step.startswith("judge/")}


def failing(panel: Callable[[Request], Said], *seats: str) -> Callable[[Request], Said]:
    """Return the panel with judges that bring nothing."""
    return lambda request: (
        UNREACHABLE if request.step.startswith("judge/") and request.seat in seats else panel(request)
    )


@pytest.mark.clause("ruling:S1", "ruling:S8")
def test_what_is_merely_similar_goes_to_the_judge_and_is_not_complete_while_disputed() -> None:
    members = [Member(position("Yes.", claim)) for claim in (HELPS, HARMS, HARMS)]

    done = spiralled(panel_of(*members, judge=dissenting), question=USED)

    assert judged_by(done) == {"judge/0/m1-m2": "m3", "judge/0/m1-m3": "m2"}
    assert done.verdict.status is not Status.COMPLETE
    assert {held["claim"]: held["held_by"] for held in done.detail["caveats"]} == {HELPS: ["m1"], HARMS: ["m2", "m3"]}


@pytest.mark.clause("ruling:S1", "ruling:S8")
@pytest.mark.parametrize("claims", [(SAFE, UNSAFE, UNSAFE), (HELPS, HARMS, HARMS), (ALICE, BOB, BOB)])
@pytest.mark.parametrize(
    "judge", [EQUIVALENT, NEUTRAL, CONTRARY, UNREACHABLE], ids=["alike", "open", "contrary", "none"]
)
def test_one_against_two_is_never_held_by_all_unless_a_judge_says_the_same(claims, judge: Said) -> None:
    members = [Member(position("Yes.", claim)) for claim in claims]

    done = spiralled(panel_of(*members, judge=lambda _: judge), question=USED)

    assert done.verdict.status is not Status.COMPLETE
    assert [held["claim"] for held in done.detail["common"]] == ["Yes."]
    assert {"judge/0/m1-m2", "judge/0/m1-m3"} <= set(done.steps)


@pytest.mark.clause("ruling:S1")
@pytest.mark.parametrize(
    ("first", "second"), [("x = y", "x != y"), ("C", "C#"), ("3*4", "3/4"), ("O(n*m)", "O(n/m)"), ("5!", "5")]
)
def test_answers_that_differ_in_a_sign_are_no_consensus(first: str, second: str) -> None:
    members = [Member(position(answer)) for answer in (first, second, second)]

    done = spiralled(panel_of(*members), question="What holds?")

    assert judged_by(done).keys() >= {"judge/0/m1-m2", "judge/0/m1-m3"} or done.detail["caveats"]
    assert done.verdict.status is not Status.COMPLETE
    assert done.verdict.confidence.value is not None
    assert done.verdict.confidence.value < 0.9


@pytest.mark.clause("ruling:S1")
def test_a_judges_contrary_word_wins_over_its_own_word_that_two_claims_are_the_same() -> None:
    both = {**EQUIVALENT, "same": [[1, 1]], "contradicting": [[1, 1]]}
    members = [Member(position("Yes.", claim)) for claim in (HELPS, HARMS, HARMS)]

    done = spiralled(panel_of(*members, judge=lambda _: both), question=USED)

    assert {held["claim"] for held in done.detail["caveats"]} == {HELPS, HARMS}


@pytest.mark.clause("ruling:S1")
def test_a_judge_who_contradicts_itself_has_found_a_contradiction() -> None:
    twisted = {**EQUIVALENT, "b_to_a": "contradicts"}

    done = spiralled(panel_of(Member(PARIS), Member(PARIS), Member(LYON), judge=lambda _: twisted), question=CITY)

    assert done.verdict.status is Status.FORCED
    assert {held["claim"] for held in done.detail["caveats"]} == {"Paris", "Lyon"}


def test_numbers_of_claims_that_there_are_not_are_passed_over() -> None:
    beyond = {**EQUIVALENT, "same": [[7, 1], [1, 9], [0, 1]], "contradicting": [[2, 2], [20, 20]]}
    members = [Member(position("Yes.", claim)) for claim in (HELPS, HARMS, HARMS)]

    done = spiralled(panel_of(*members, judge=lambda _: beyond), question=USED)

    assert not done.detail["caveats"]
    assert {held["claim"] for held in done.detail["nuances"]} == {HELPS, HARMS}


@pytest.mark.clause("ruling:S1")
def test_no_party_judges_while_there_is_a_third_seat_even_one_that_did_not_answer() -> None:
    done = spiralled(panel_of(Member(PARIS), Member(CAPITAL), Member(UNREACHABLE)), question=CITY)

    assert judged_by(done)["judge/0/m1-m2"] == "m3"
    assert judges_of(("m1", "m2"), ["m1", "m2", "m3", "m4"]) == ["m3", "m4"]
    assert judges_of(("m2", "m3"), ["m1", "m2", "m3", "m4"]) == ["m1", "m4"]
    assert not any("is one of them" in caveat for caveat in done.verdict.caveats)


@pytest.mark.clause("ruling:S1")
def test_with_two_members_the_judge_is_a_party_and_a_caveat_says_so() -> None:
    done = spiralled(panel_of(Member(PARIS), Member(CAPITAL), judge=lambda _: EQUIVALENT), question=CITY, seats=2)

    assert judged_by(done) == {"judge/0/m1-m2": "m1"}
    told = "m1 judged how m1 and m2 stand to each other and is one of them: there is no third seat"
    assert told in done.verdict.caveats
    equal = spiralled(panel_of(Member(PARIS), Member(PARIS)), question=CITY, seats=2)
    assert not any("is one of them" in caveat for caveat in equal.verdict.caveats)


@pytest.mark.clause("ruling:S1")
def test_a_judge_that_brings_nothing_is_replaced_once_by_the_next_who_is_no_party() -> None:
    members = [Member(PARIS), Member(CAPITAL), Member(PARIS), Member(PARIS)]

    done = spiralled(failing(panel_of(*members, judge=lambda _: EQUIVALENT), "m1"), question=CITY, seats=4)

    assert judged_by(done) == {
        "judge/0/m1-m2": "m3",
        "judge/0/m2-m3": "m1",
        "judge/0/m2-m4": "m1",
        "judge/0/m2-m3/again": "m4",
        "judge/0/m2-m4/again": "m3",
    }
    assert done.verdict.status is Status.COMPLETE
    assert {tuple(item["pair"]): item["judge"] for item in done.detail["decided"] if item["judge"]} == {
        ("m1", "m2"): "m3",
        ("m2", "m3"): "m4",
        ("m2", "m4"): "m3",
    }


@pytest.mark.clause("ruling:S1")
def test_where_no_other_judge_is_left_nobody_decides_and_the_weight_is_spread() -> None:
    done = spiralled(failing(panel_of(Member(PARIS), Member(CAPITAL), Member(PARIS)), "m1", "m3"), question=CITY)

    assert not [step for step in judged_by(done) if step.endswith("/again")]
    assert [item["judge"] for item in done.detail["decided"]] == ["nobody", "", "nobody"]
    pair = done.detail["pairs"][0]
    assert pair["entailment"] is None
    assert pair["agreement"] == pytest.approx(pair["similarity"])
    assert "nobody judged the entailment of 2 pairs; its weight was spread over the other parts" in done.verdict.caveats


@pytest.mark.clause("ruling:S1")
def test_claims_that_nobody_compared_stay_apart_and_a_caveat_says_so() -> None:
    members = [Member(position("Yes.", claim)) for claim in (HELPS, HARMS, HARMS)]

    done = spiralled(panel_of(*members, judge=lambda _: UNREACHABLE), question=USED)

    told = "nobody compared the claims of 2 pairs; what is merely similar in them counts as apart"
    assert told in done.verdict.caveats
    assert "not every pair was judged" in done.verdict.stop_reason
    assert {held["claim"]: held["held_by"] for held in done.detail["nuances"]} == {HELPS: ["m1"], HARMS: ["m2", "m3"]}
    assert done.verdict.status is not Status.COMPLETE


@pytest.mark.clause("ruling:S1")
def test_answers_that_are_merely_alike_agree_with_nothing_where_nobody_judged_them() -> None:
    members = [Member(position(answer)) for answer in (ALICE, BOB, BOB)]

    done = spiralled(panel_of(*members, judge=lambda _: UNREACHABLE), question="Who owes whom?")

    assert done.detail["pairs"][0]["similarity"] == 1.0
    assert done.verdict.status is Status.FORCED
    assert "consensus" not in done.verdict.stop_reason
    assert done.detail["agreed_since"] is None


@pytest.mark.clause("ruling:S1")
def test_agreement_is_not_complete_where_nobody_compared_the_rest_of_the_claims() -> None:
    shared = ("It is cheap.", "It is old.", "It is sold in May.", "Doctors know it.", "It is bitter.")
    members = [Member(position("Yes.", *shared, claim)) for claim in (HELPS, HARMS, HARMS)]

    done = spiralled(panel_of(*members, judge=lambda _: UNREACHABLE), question=USED)

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "consensus at once, though nobody compared the claims of 2 pairs"


@pytest.mark.clause("ruling:S1")
def test_a_refusal_in_prose_counts_as_no_judgement() -> None:
    members = [Member(PARIS), Member(CAPITAL), Member(PARIS)]

    done = spiralled(panel_of(*members, judge=lambda _: "I would rather not judge."), question=CITY)

    assert {item["judge"] for item in done.detail["decided"]} == {"nobody", ""}
    assert {item.step for item in done.verdict.missing} >= {"judge/0/m1-m2", "judge/0/m2-m3"}


def test_a_budget_that_has_run_out_is_not_asked_of_a_second_judge() -> None:
    members = [Member(PARIS), Member(CAPITAL), Member(PARIS), Member(PARIS)]

    done = spiralled(panel_of(*members), question=CITY, seats=4, budget=Budget(calls=4))

    assert done.verdict.status is Status.EXHAUSTED
    assert not [item for item in done.verdict.missing if item.step.endswith("/again")]


@pytest.mark.clause("ruling:S8")
def test_the_record_says_who_decided_of_every_answer_and_every_two_claims() -> None:
    high, low = "The dam is 60 metres high.", "The dam is 40 metres high."
    one = position("It floods.", "The river rises in May.", high, "Snow melts late.")
    other = position("It floods", "the river rises in May", low, "The snow thaws late.")
    judge = {"judge": lambda _: {**EQUIVALENT, "same": [[3, 3]]}}

    done = spiralled(panel_of(Member(one), Member(other), Member(one), **judge), question="Does it flood?")

    first = done.notes("measured")[0]["decided"][0]
    assert first["pair"] == ["m1", "m2"]
    assert first["judge"] == "m3"
    assert first["answers"] == {"forward": "entails", "backward": "entails", "by": "equal"}
    assert {tuple(item["claims"]): (item["are"], item["by"]) for item in first["claims"]} == {
        ("The river rises in May.", "the river rises in May"): ("the same", "equal"),
        (high, low): ("contradicting", "guard"),
        ("Snow melts late.", "The snow thaws late."): ("the same", "judge m3"),
    }
    assert done.detail["decided"][0]["judge"] == "m3"
    assert "Judged m1 and m2 by m3; m1 and m3 by letters alone; m2 and m3 by m1." in markdown_report(done.record)


def test_in_python_a_tenth_and_two_tenths_are_never_refuted() -> None:
    said = "In Python, 0.1 + 0.2 != 0.3."
    members = [Member(position("No.", said)), Member(position("No.", said)), Member(position("Yes."))]

    done = spiralled(panel_of(*members), question="In Python, is 0.1 + 0.2 equal to 0.3?")

    assert done.verdict.answer == "No."
    assert not any("refute" in caveat for caveat in done.verdict.caveats)
    assert not [
        item for note in done.notes("loop") for item in note["oracles"] if item["finding"]["verdict"] == "false"
    ]


@pytest.mark.clause("ruling:S1")
@pytest.mark.parametrize(
    ("answers", "opposed"),
    [
        (("El agua es segura para niños.", "El agua no es segura para niños."), True),
        (("🍞🍞🍞 pan", "🍞🍞 pan"), False),
        (("a", "b"), False),
        (("x" * 20_000, "x" * 19_999 + "y"), False),
    ],
)
def test_odd_answers_have_a_stated_outcome(answers: tuple[str, str], opposed: bool) -> None:
    members = [Member(position(answers[0])), Member(position(answers[1])), Member(position(answers[0]))]

    done = spiralled(panel_of(*members, judge=lambda _: NEUTRAL), question="¿Qué?")

    assert done.verdict.status is Status.FORCED or not opposed
    assert done.verdict.answer in answers
    assert done.detail["decided"][0]["answers"]["by"] in ("guard", "judge m3")
