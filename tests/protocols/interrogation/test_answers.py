"""Which answer wins, by votes and by structure, and that there may be none (rulings I1, I6, I8, I16, I20; G8, G12)."""

import pytest

from moot.core.budget import Budget
from moot.core.question import Document
from moot.core.verdict import Status
from moot.protocols.interrogation.report import markdown_report
from tests.protocols.interrogation.kit import (
    CRATES,
    IS_KESTREL,
    KESTREL,
    LEFT,
    NOT_STATED,
    OSPREY,
    TOLD_KESTREL,
    UNKNOWN,
    argument,
    interrogated,
    states,
    step,
)

RACK = (Document(name="survey.md", text="Server x9 stands in rack 7. Server x9 runs Linux. Server x8 runs BSD."),)
NARROW = argument("Kestrel", IS_KESTREL, step("a", LEFT))


# By votes, then by structure (ruling I16)


@pytest.mark.clause("ruling:I16", "interrogation:4.1.3")
def test_most_runs_win_however_wide_the_other_is() -> None:
    scene = interrogated(OSPREY, OSPREY, KESTREL)

    assert scene.verdict.answer == "Osprey"
    assert scene.candidates("answer", "votes", "width") == [("Osprey", 2, 1), ("Kestrel", 1, 2)]
    assert scene.detail["rank_by"] == "votes"


@pytest.mark.clause("ruling:I16")
def test_of_as_many_votes_the_more_resilient_answer_wins_and_the_stop_reason_says_so() -> None:
    scene = interrogated(OSPREY, KESTREL)

    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.COMPLETE)
    assert "a tie of votes between 2 answers, parted by what holds them up" in scene.verdict.stop_reason


@pytest.mark.clause("ruling:I16", "ruling:G2")
def test_a_tie_that_nothing_parts_is_partial_with_both_answers_and_no_dissent() -> None:
    scene = interrogated(NARROW, OSPREY, seats=2)

    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel or Osprey", Status.PARTIAL)
    assert scene.verdict.stop_reason.endswith("a tie of votes between 2 answers, and structure does not part them")
    assert (scene.detail["tied"], scene.verdict.dissent) == (["Kestrel", "Osprey"], ())


@pytest.mark.clause("ruling:I1")
@pytest.mark.parametrize("rank_by", ["votes", "width"])
def test_a_refuted_conclusion_is_never_the_answer_however_wide(rank_by: str) -> None:
    scene = interrogated(
        KESTREL, OSPREY, verdicts={IS_KESTREL: "refuted"}, k=1, rank_by=rank_by, budget=Budget(calls=60)
    )

    assert scene.verdict.answer == "Osprey"
    [other] = scene.verdict.dissent
    assert (other.answer, other.detail["refuted"]) == ("Kestrel", True)


@pytest.mark.clause("ruling:I1", "ruling:G2", "ruling:G9")
def test_with_every_candidate_refuted_there_is_no_answer_and_the_run_has_failed() -> None:
    scene = interrogated(KESTREL, verdicts={IS_KESTREL: "refuted"})

    assert (scene.verdict.answer, scene.verdict.status) == (None, Status.FAILED)
    assert "every candidate was refuted" in scene.verdict.stop_reason
    assert scene.verdict.confidence.value is None
    assert "No conclusion stands" in markdown_report(scene.record)


@pytest.mark.clause("ruling:I1")
def test_a_conclusion_that_a_standing_claim_defeats_is_never_the_answer() -> None:
    against = {"id": "o1", "claim": CRATES, "because": [5], "against": "c"}
    attacked = argument("Kestrel", IS_KESTREL, step("a", LEFT), objections=[against])

    scene = interrogated(attacked, attacked, OSPREY)

    assert scene.verdict.answer == "Osprey"
    assert ("Kestrel", True) in scene.candidates("answer", "refuted")


# The same answer (rulings I6 and G12)


@pytest.mark.clause("ruling:I6", "ruling:G12")
@pytest.mark.parametrize("form", ["graph", "plain"])
def test_four_spellings_of_one_answer_are_one_candidate(form: str) -> None:
    spellings = ("x9", "server x9", "Server x9 (rack 7)", "It is x9.")
    claim = "Server x9 runs Linux."
    graphs = [argument(answer, claim, step("s1", claim, 2)) for answer in spellings]
    told = [states(answer, claim) for answer in spellings]

    scene = interrogated(
        *(graphs if form == "graph" else told), form=form, documents=RACK, question="Which server runs Linux?"
    )

    [(answer, votes, runs)] = scene.candidates("answer", "votes", "runs")
    assert (votes, runs) == (4, ("r1", "r2", "r3", "r4"))
    assert "x9" in answer
    assert (scene.verdict.dissent, scene.detail["support_width"]) == ((), 1)


@pytest.mark.clause("ruling:I6")
def test_equal_answers_on_conclusions_that_are_worded_differently_come_to_one_candidate() -> None:
    other = argument("the  Kestrel.", "It was Kestrel that put out to open water.", step("p", "Kestrel left.", 1))

    scene = interrogated(KESTREL, other)

    assert scene.candidates("answer", "votes", "runs") == [("Kestrel", 2, ("r1", "r2"))]
    assert scene.verdict.dissent == ()


@pytest.mark.clause("ruling:I6")
def test_different_answers_never_merge_however_alike_their_sentences_are() -> None:
    long = "The ship that went out to the open sea on that Monday was called {}, as the papers say."
    ada, eva = (argument(name, long.format(name), step("a", LEFT)) for name in ("Kestrel", "Kestrol"))
    same_words = [argument(name, "The log names the ship.", step("a", LEFT)) for name in ("Kestrel", "Osprey")]

    for runs in ([ada, eva], [ada, eva, ada, eva], same_words, [same_words[0], same_words[1], same_words[0]]):
        scene = interrogated(*runs)

        assert {item["answer"] for item in scene.detail["candidates"]} == {runs[0]["answer"], runs[1]["answer"]}


@pytest.mark.parametrize("answer", [12, "12"])
def test_the_answer_of_a_run_may_be_a_number(answer) -> None:
    scene = interrogated(argument("12", "Osprey carried 12 crates.", step("a", CRATES)) | {"answer": answer})

    assert scene.verdict.answer == "12"
    assert len(scene.runs) == 1


# That there is no answer (rulings I8, I13, G8)


@pytest.mark.clause("ruling:I8", "ruling:I13", "ruling:G8")
def test_that_the_documents_do_not_say_is_the_verdict_if_more_than_half_of_the_runs_asked_find_so() -> None:
    scene = interrogated(UNKNOWN, KESTREL, UNKNOWN)

    assert (scene.verdict.answer, scene.verdict.status) == (NOT_STATED, Status.COMPLETE)
    assert scene.verdict.stop_reason == "all 3 asked: 2 to 1"
    assert (scene.verdict.confidence.value, scene.verifications) == (0.6, [])
    assert [(other.answer, other.held_by) for other in scene.verdict.dissent] == [("Kestrel", ("r2",))]


@pytest.mark.clause("ruling:I8", "ruling:G8")
def test_half_is_not_most_and_an_answer_with_no_more_votes_is_partial() -> None:
    scene = interrogated(UNKNOWN, KESTREL)

    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.PARTIAL)
    assert "1 of 2 runs say that there is no answer, which is not more than half" in scene.verdict.stop_reason
    assert [(other.answer, other.held_by) for other in scene.verdict.dissent] == [(NOT_STATED, ("r1",))]


@pytest.mark.clause("ruling:I8")
def test_who_abstains_without_documents_does_not_know() -> None:
    question = "Kestrel left the harbour on Monday. Which ship left, and why?"
    told = [states("Kestrel", LEFT), states("Kestrel", LEFT), states("unknown", "It is not told.")]

    some = interrogated(*told, form="plain", documents=(), question=question)
    all_ = interrogated(told[-1], form="plain", documents=(), question=question)

    assert [(other.answer, other.held_by) for other in some.verdict.dissent] == [("It is not known.", ("r3",))]
    assert (all_.verdict.answer, all_.verdict.status) == ("It is not known.", Status.COMPLETE)


@pytest.mark.clause("ruling:I8")
def test_the_question_has_no_place_for_an_expected_answer() -> None:
    scene = interrogated(KESTREL, OSPREY)

    assert "expected" not in str(scene.record.header.question)
    assert all("expected" not in str(request.messages) for request in scene.requests)


# What was shown (ruling I20)

PAGES = tuple(
    Document(name=f"page {place}", text=f"Server x{place} runs BSD and hums. " * 40) for place in range(1, 11)
)
LINUX = Document(name="page 9", text="Server x9 runs Linux. " * 40)
NOTHING = states(NOT_STATED, "Nothing here.")
FOUND = states("x9", "Server x9 runs Linux.")


def small(*runs: str, pages=PAGES, **options):
    return interrogated(
        *runs, stop="lead", kind="embedded", form="plain", documents=pages, question="Which one is it?", **options
    )


@pytest.mark.clause("ruling:I20")
def test_where_the_leader_abstains_the_next_wave_is_shown_the_next_paragraphs() -> None:
    scene = small(*[NOTHING] * 4, *[FOUND] * 4, pages=(*PAGES[:8], LINUX, PAGES[9]))

    assert scene.verdict.answer == "x9"
    assert [len(note["paragraphs"]) for note in scene.notes("shown")] == [4, 4]
    assert not set(scene.notes("shown")[0]["paragraphs"]) & set(scene.notes("shown")[1]["paragraphs"])
    assert "8 of 10 paragraphs shown." in scene.verdict.caveats
    assert (scene.detail["support_width"], scene.verdict.status) == (1, Status.COMPLETE)


@pytest.mark.clause("ruling:I20")
def test_only_when_all_was_shown_do_the_documents_not_say() -> None:
    whole, cut = small(NOTHING), small(NOTHING, budget=Budget(calls=8))

    assert (whole.verdict.answer, whole.verdict.status) == (NOT_STATED, Status.COMPLETE)
    assert whole.verdict.asked == 12
    assert (cut.verdict.answer, cut.verdict.status) == ("What was shown does not say.", Status.PARTIAL)


@pytest.mark.clause("ruling:I20", "ruling:I12")
def test_what_was_not_shown_can_cover_a_claim_all_the_same() -> None:
    scene = small(FOUND, pages=(*PAGES[:8], LINUX, PAGES[9]), passages=1)

    assert scene.notes("shown")[0]["of"] == 10
    assert all("Linux" not in request.messages[0].content for request in scene.requests)
    assert scene.detail["support_width"] == 1


@pytest.mark.clause("ruling:G7", "ruling:I20")
def test_with_passages_only_the_chosen_ones_are_read_and_the_record_names_them() -> None:
    about = "Which ship did the harbour master see go?"

    scene = interrogated(KESTREL, question=about, passages=1)

    assert scene.notes("shown") == [{"paragraphs": ["port.txt, passage 1"], "of": 2}]
    assert all(LEFT not in request.messages[0].content for request in scene.runs)
    assert scene.detail["ungrounded"] == []


# Confidence (rulings G1 and I19)


@pytest.mark.clause("ruling:G1", "ruling:I19")
@pytest.mark.parametrize(
    ("runs", "value", "reason"),
    [
        ((TOLD_KESTREL,) * 4, 0.8333, "4 of 4 runs, as (4 + 1) / (4 + 2)"),
        ((TOLD_KESTREL, "talk"), 0.5, "1 of 2 runs, as (1 + 1) / (2 + 2)"),
    ],
)
def test_confidence_is_the_share_of_the_runs_asked_and_says_so(runs, value, reason) -> None:
    confidence = interrogated(*runs, form="plain").verdict.confidence

    assert (confidence.basis, confidence.value, confidence.reason) == ("votes", value, reason)


@pytest.mark.clause("ruling:I19")
def test_runs_of_one_model_are_said_to_agree_more_often_than_they_are_right() -> None:
    alone, mixed = interrogated(KESTREL, KESTREL), interrogated(KESTREL, KESTREL, seats=2)

    assert "samples of one model" in alone.verdict.caveats[0]
    assert (mixed.verdict.caveats, mixed.detail["models"]) == ((), 2)


@pytest.mark.clause("ruling:I19")
def test_width_and_what_must_be_wrong_stand_beside_the_confidence_and_not_in_it() -> None:
    wide, narrow = interrogated(KESTREL, KESTREL), interrogated(NARROW, NARROW)
    invented = argument("Kestrel", IS_KESTREL, step("z", "It slept.", 2))
    groundless = interrogated(invented, invented, default="not_determinable")

    assert {scene.verdict.confidence.value for scene in (wide, narrow, groundless)} == {0.75}
    assert [scene.detail["resilience"] for scene in (wide, narrow, groundless)] == [2, 1, 0]
