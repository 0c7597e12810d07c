"""The control loop of the paper in its own form, with scripted members (interrogation 4.1; form `graph`)."""

import pytest

from moot.core.budget import Budget
from moot.core.events import Unanswered
from moot.core.verdict import Status
from moot.protocols.interrogation.protocol import INTERROGATION
from moot.protocols.interrogation.report import markdown_report
from moot.protocols.interrogation.schemas import InterrogationSettings
from tests.protocols.interrogation.kit import (
    ASKED,
    CONTRADICTED,
    CONTRADICTING,
    CRATES,
    INVENTED,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    LOUD,
    OSPREY,
    PILOT,
    SEEN,
    SENTENCES,
    SILENT,
    TALK,
    Interrogated,
    argument,
    claim_of,
    interrogated,
    step,
)


def m4() -> Interrogated:
    """The acceptance scene: a malformed run, and a contradiction that does not survive re-interrogation."""
    return interrogated(CONTRADICTED, TALK, CONTRADICTING, CONTRADICTED, verdicts={LOUD: "refuted"})


@pytest.mark.clause("interrogation:M4")
def test_the_mocked_loop_drops_a_malformed_run_re_interrogates_a_contradiction_and_reports() -> None:
    scene = m4()

    report = markdown_report(scene.record)

    assert scene.ended(Unanswered) == ["run/r1#2"]
    assert scene.verified[:2] == [SILENT, LOUD]
    assert [item["claim"] for item in scene.detail["killed"]] == [LOUD]
    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.COMPLETE)
    assert "2 lines of support" in report
    assert f"{LOUD} (refuted, says the log)" in report


@pytest.mark.clause("interrogation:4")
def test_the_defaults_are_those_of_the_paper_but_for_the_number_of_runs() -> None:
    chosen = InterrogationSettings()

    assert (chosen.n, chosen.most, chosen.k, chosen.temperature) == (None, 8, 2, 0.8)
    assert (chosen.verifications, chosen.claims_a_round) == (3, 3)
    assert INTERROGATION.budget == Budget(calls=20)


# Step 1: fan out


@pytest.mark.clause("interrogation:4.1.1")
def test_every_run_is_a_fresh_context_with_documents_and_question_at_the_temperature() -> None:
    scene = interrogated(KESTREL, KESTREL, KESTREL, temperature=0.3)

    assert sorted(request.step for request in scene.runs) == ["run/r1", "run/r1#2", "run/r1#3"]
    assert {request.temperature for request in scene.runs} == {0.3}
    assert len({request.messages for request in scene.runs}) == 1
    assert len({request.seed for request in scene.runs}) == 3
    assert all(ASKED in request.messages[-1].content for request in scene.runs)
    assert all(one in scene.runs[0].messages[0].content for one in SENTENCES)


@pytest.mark.clause("interrogation:4.1.1")
def test_the_runs_of_a_wave_and_the_checks_of_a_round_are_in_flight_together() -> None:
    scene = interrogated(CONTRADICTED, OSPREY, CONTRADICTING, OSPREY, seats=4)

    sent = [(one.kind, one.step.split("/")[0]) for one in scene.course.heard if one.kind in ("asking", "answered")]
    assert sent == [
        *[("asking", "run")] * 4,
        *[("answered", "run")] * 4,
        *[("asking", "verify")] * 9,
        *[("answered", "verify")] * 9,
    ]


@pytest.mark.clause("interrogation:4.1.1")
def test_the_documents_are_the_shared_prefix_of_the_runs_and_of_the_verifications() -> None:
    scene = m4()

    assert len({request.messages[0] for request in scene.runs}) == 1
    assert len({request.messages[0] for request in scene.verifications}) == 1


@pytest.mark.clause("interrogation:4.1.1")
def test_claims_carry_their_run_and_runs_go_round_the_panel() -> None:
    scene = interrogated(KESTREL, KESTREL, OSPREY, seats=2)

    asserted = scene.detail["graph"]["asserted"]["nodes"]
    assert {"r1:c", "r1:a", "r1:[1]", "r2:c", "r2:a", "r2:[1]", "r3:c", "r3:[5]"} <= {node["id"] for node in asserted}
    assert all(node["run_ids"][0] == node["id"].split(":")[0] for node in asserted)
    assert {request.step: request.model for request in scene.runs} == {
        "run/r1": "script:0",
        "run/r1#2": "script:0",
        "run/r2": "script:1",
    }


# Step 2: merge


@pytest.mark.clause("interrogation:4.1.2")
def test_claims_that_say_the_same_become_one_with_the_runs_of_both() -> None:
    scene = interrogated(KESTREL, KESTREL)

    assert len(scene.detail["graph"]["nodes"]) == 3
    assert all(node["run_ids"] == ["r1", "r2"] for node in scene.detail["graph"]["nodes"])
    assert scene.notes("merged")[0]["contradictions"] == []


@pytest.mark.clause("interrogation:4.1.2", "ruling:G11")
def test_the_record_says_which_claims_were_merged_and_by_what() -> None:
    [note] = interrogated(KESTREL, argument("Kestrel", IS_KESTREL, step("a", "On Monday Kestrel left.", 1))).notes(
        "merged"
    )

    assert {item["by"] for item in note["merges"]} <= {"equal", "jaccard", "ratio", "merged"}
    assert note["merges"]


# Step 3: assess


@pytest.mark.clause("interrogation:4.1.3", "ruling:I1")
def test_by_the_papers_letter_candidates_are_ranked_by_width_and_the_losers_stay_as_dissent() -> None:
    scene = interrogated(OSPREY, OSPREY, KESTREL, rank_by="width")

    assert scene.verdict.answer == "Kestrel"
    assert scene.candidates("answer", "width") == [("Kestrel", 2), ("Osprey", 1)]
    [other] = scene.verdict.dissent
    assert (other.answer, other.held_by, other.detail["width"]) == ("Osprey", ("r1", "r2"), 1)


@pytest.mark.clause("interrogation:4.1.3", "ruling:I15")
def test_check_structure_is_part_of_every_assessment() -> None:
    scene = m4()

    assert len(scene.notes("assessed")) == 2
    for note in scene.notes("assessed"):
        assert {"orphans", "cycles", "refuted_but_feeding", "unreachable_conclusion"} <= note["structure"].keys()
    assert scene.detail["structure"]["unreachable_conclusion"] is False


@pytest.mark.clause("interrogation:4.1.3")
def test_a_verification_of_a_losing_candidate_does_not_hold_it() -> None:
    scene = m4()

    assert IS_OSPREY in scene.verified
    assert [other.held_by for other in scene.verdict.dissent] == [("r3",)]
    assert ("Osprey", ("r3",)) in scene.candidates("answer", "runs")


# Step 4: re-interrogate


@pytest.mark.clause("interrogation:4.1.4")
def test_contradictions_are_re_interrogated_before_isolated_claims_and_three_claims_a_round_at_most() -> None:
    alone = argument("Kestrel", IS_KESTREL, step("s", SILENT), step("x", "Kestrel left.", 1))
    scene = interrogated(alone, CONTRADICTING, k=9, budget=Budget(calls=100))

    rounds: dict[str, list[str]] = {}
    for request in scene.verifications:
        rounds.setdefault(request.step.split("/")[1], []).append(claim_of(request))
    first = list(dict.fromkeys(rounds["1"]))
    assert first[0] == SILENT
    assert scene.verified.index(LOUD) < scene.verified.index(IS_OSPREY)
    assert all(len(set(claims)) <= 3 and len(claims) == 3 * len(set(claims)) for claims in rounds.values())
    assert len(rounds) == 2


@pytest.mark.clause("interrogation:4.1.4")
def test_an_isolated_claim_that_is_confirmed_is_isolated_no_longer() -> None:
    scene = interrogated(KESTREL)

    assert scene.node(IS_KESTREL)["run_ids"] == ["r1", "v1"]
    assert scene.node(IS_KESTREL)["confidence"] == 0.9
    assert scene.detail["disputed"] == []


@pytest.mark.clause("interrogation:4.1.4", "ruling:I5")
def test_what_no_sentence_covers_is_disputed_before_contradictions_are() -> None:
    run = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("s", SILENT), step("z", INVENTED, 4))

    scene = interrogated(run, CONTRADICTED, CONTRADICTING, default="not_determinable")

    assert scene.verified[:3] == [INVENTED, SILENT, LOUD]


# Step 5: stop


@pytest.mark.clause("interrogation:4.1.5", "ruling:I7")
@pytest.mark.parametrize(
    ("scene", "reason", "status"),
    [
        (lambda: interrogated(KESTREL, KESTREL), "nothing is disputed", Status.COMPLETE),
        (
            lambda: interrogated(CONTRADICTED, CONTRADICTED, CONTRADICTING, default="not_determinable"),
            "the candidates are stable and the first has 2 lines of support",
            Status.COMPLETE,
        ),
        (lambda: interrogated(KESTREL, budget=Budget(calls=3)), "the budget of calls is used up", Status.EXHAUSTED),
        (
            lambda: interrogated(KESTREL, default="not_determinable", k=3),
            "nothing is left to ask",
            Status.COMPLETE,
        ),
    ],
    ids=["a", "b", "c", "d"],
)
def test_every_stop_reason_is_reached_and_said(scene, reason, status) -> None:
    verdict = scene().verdict

    assert reason in verdict.stop_reason
    assert verdict.status is status


@pytest.mark.clause("ruling:I7")
def test_candidates_whose_order_changes_are_not_stable_though_the_first_is_wide_enough() -> None:
    wide = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("b", SEEN), step("p", PILOT))
    rival = argument("Osprey", IS_OSPREY, step("x", CRATES), step("y", SILENT))

    def rounds(verdict: str) -> set[str]:
        scene = interrogated(wide, rival, verdicts={IS_KESTREL: verdict}, claims_a_round=1, budget=Budget(calls=200))
        return {request.step.split("/")[1] for request in scene.verifications}

    assert (rounds("not_determinable"), rounds("refuted")) == ({"1"}, {"1", "2"})


@pytest.mark.clause("ruling:I7")
def test_disputes_are_the_union_over_the_candidates() -> None:
    scene = interrogated(KESTREL, OSPREY, k=9, budget=Budget(calls=200))

    assert {IS_KESTREL, IS_OSPREY} == set(scene.verified)
