"""`vote`: runs in free text and as programs, counted until it is decided."""

from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.calls import Failure
from moot.core.confidence import Basis
from moot.core.question import Document, Question
from moot.core.verdict import Status
from moot.methods.runs import run_messages, wave_forms
from moot.methods.search import narrowed
from moot.protocols.vote.protocol import expected
from moot.protocols.vote.report import markdown_report
from moot.protocols.vote.schemas import VoteSettings
from tests.protocols.ended import Ended
from tests.protocols.vote_kit import EGGS, SERVER, computes, course_of, states, voting

RIGHT, WRONG = states("x9"), states("x8")
PROGRAM = computes("sold = 16 - 3 - 4", "answer = sold * 2")
DOWN = Failure("unreachable", "nobody there")

ALL = narrowed("", SERVER.documents, None)


@pytest.mark.clause("ruling:I17")
def test_four_runs_that_agree_end_the_vote() -> None:
    done = voting([RIGHT])

    assert (done.verdict.answer, done.verdict.status) == ("x9", Status.COMPLETE)
    assert done.verdict.stop_reason == "stopped after 4 of at most 8: 4 to 0"
    assert done.steps == ["run/r1", "run/r1#2", "run/r1#3", "run/r1#4"]


@pytest.mark.clause("ruling:I17")
def test_runs_that_differ_bring_a_second_wave_and_no_third() -> None:
    done = voting([RIGHT, RIGHT, RIGHT, WRONG])

    assert len(done.requests) == 8
    assert done.verdict.stop_reason == "all 8 asked: 6 to 2"
    assert [note["asked"] for note in done.notes("counted")] == [4, 8]


@pytest.mark.clause("ruling:I17")
@pytest.mark.parametrize(("chosen", "runs"), [({"n": 5}, 5), ({"stop": "all"}, 8), ({"stop": "sure", "most": 12}, 8)])
def test_a_fixed_size_is_asked_whatever_the_votes_say(chosen: dict[str, Any], runs: int) -> None:
    assert len(voting([RIGHT], **chosen).requests) == runs


@pytest.mark.clause("ruling:I17")
def test_the_budget_ends_the_drawing_and_the_vote_is_exhausted() -> None:
    done = voting([RIGHT, RIGHT, RIGHT, WRONG], budget=Budget(calls=6))

    assert (len(done.requests), done.verdict.status, done.verdict.answer) == (6, Status.EXHAUSTED, "x9")
    assert done.verdict.stop_reason == "the budget of calls ended it after 6 of at most 8: 5 to 1"


@pytest.mark.clause("ruling:I19", "ruling:G1")
def test_confidence_is_the_share_of_the_runs_asked_with_the_basis_votes() -> None:
    sure, unsure = voting([RIGHT]).verdict.confidence, voting([RIGHT, RIGHT, DOWN, WRONG]).verdict.confidence

    assert (sure.basis, sure.value) == (Basis.VOTES, 0.8333)
    assert (unsure.value, unsure.reason) == (0.5, "4 of 8 runs, as (4 + 1) / (8 + 2)")


@pytest.mark.clause("ruling:I19")
def test_beside_it_stands_how_many_models_voted_and_that_one_model_agrees_with_itself() -> None:
    one, two = voting([RIGHT]), voting([RIGHT], seats=2)

    assert "agree more often than they are right" in one.verdict.caveats[0]
    assert (one.detail["models"], two.detail["models"], two.verdict.caveats) == (1, 2, ())
    assert [request.seat for request in two.requests] == ["m1", "m2", "m1", "m2"]
    assert voting([RIGHT], seats=9).detail["models"] == 4


@pytest.mark.clause("ruling:I9")
def test_where_a_number_is_asked_for_half_of_the_runs_are_programs_and_the_record_says_why() -> None:
    done = voting([states("$18"), states("18"), PROGRAM, PROGRAM], EGGS)

    assert (done.verdict.answer, done.verdict.status) == ("18", Status.COMPLETE)
    assert [vote["form"] for vote in done.detail["votes"]] == ["plain", "plain", "program", "program"]
    (note,) = done.notes("forms")
    assert (note["is_number"], note["by"]) == (True, "the question's words “How much”")


@pytest.mark.clause("ruling:I9")
def test_where_no_number_is_asked_for_all_runs_are_free_text() -> None:
    assert {vote["form"] for vote in voting([RIGHT]).detail["votes"]} == {"plain"}


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("form", "forms"), [("plain", {"plain"}), ("program", {"program"}), ("both", {"plain", "program"})]
)
def test_the_forms_can_be_chosen(form: str, forms: set[str]) -> None:
    assert {vote["form"] for vote in voting([PROGRAM], EGGS, form=form).detail["votes"]} == forms


def test_every_second_wave_begins_with_the_other_form_so_that_no_seat_has_one_form_alone() -> None:
    forms = ("plain", "program")

    assert wave_forms(forms, 4, 1) == ("plain", "plain", "program", "program")
    assert wave_forms(forms, 4, 2) == ("program", "program", "plain", "plain")
    assert wave_forms(forms, 3, 1) == ("plain", "plain", "program")
    assert wave_forms(("plain",), 3, 2) == ("plain",) * 3


@pytest.mark.clause("ruling:I19")
def test_ways_of_asking_that_differ_are_a_caveat() -> None:
    done = voting([states(17), states(17), PROGRAM, PROGRAM, PROGRAM, PROGRAM, PROGRAM, states(17)], EGGS)

    assert done.verdict.answer == "18"
    assert done.detail["ways"] == {"leaders": {"plain": "17", "program": "18"}, "agree": False}
    assert "The two ways of asking differ: free text 17, programs 18." in done.verdict.caveats


@pytest.mark.clause("ruling:I19")
def test_ways_of_asking_agree_only_where_both_come_to_the_same_answer() -> None:
    same = voting([states(18), states(18), PROGRAM, PROGRAM], EGGS)
    nothing = voting(["No idea."], EGGS, n=4)
    one = voting([states(18), states(18), "No idea.", "No idea."], EGGS, n=4)

    assert [done.detail["ways"]["agree"] for done in (same, nothing, one)] == [True, None, False]
    assert "The two ways of asking differ: free text 18, programs nothing." in one.verdict.caveats


@pytest.mark.clause("ruling:I18")
def test_a_false_equation_is_a_caveat_that_names_the_run_and_its_vote_stays() -> None:
    done = voting([RIGHT, states("x9", "16 - 3 = 12"), RIGHT, RIGHT])

    (caveat,) = [text for text in done.verdict.caveats if "r2" in text]
    assert caveat.startswith("r2 computes wrongly: 16 - 3 = 12 (read as 16 - 3 = 12;") and "13" in caveat
    assert done.detail["candidates"] == [{"answer": "x9", "votes": 4, "runs": ["r1", "r2", "r3", "r4"]}]


@pytest.mark.clause("ruling:I18")
def test_each_assignment_is_a_step_and_numbers_that_nobody_gave_are_assumed() -> None:
    assuming = computes("sold = 16 - 3 - 4", "week = sold * 7", "answer = week * 2")

    vote = voting([states(126), states(126), assuming, assuming], EGGS).detail["votes"][2]

    steps = {step["name"]: step["value"] for step in vote["steps"]}
    assert steps == {"sold": "9", "week": "63", "answer": "126"}
    assert vote["assumed"] == ["7"]


def test_a_document_with_a_number_of_thousands_of_digits_gives_that_number_and_no_error() -> None:
    document = Document(name="pi", text=f"It is 3.{'1' * 5_000}. It has {'7' * 5_000} parts, and 1,250 more.")
    question = Question(text="How many parts are there?", documents=(document,))

    vote = voting(["answer = 1250 * 8"], question, form="program", n=1).detail["votes"][0]

    assert (vote["answer"], vote["assumed"]) == ("10000", ["8"])


@pytest.mark.clause("ruling:I18", "ruling:G8")
@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("for i in range(9):\n    answer = i", "a loop is no assignment"),
        ("import os\nanswer = 1", "an import is no assignment"),
        ("answer = 10 ** 400", "a value has more than 200 digits"),
        ("answer = 1 / 0", "it divides by zero"),
    ],
)
def test_a_program_that_cannot_be_worked_out_is_missing_with_the_reason(program: str, why: str) -> None:
    done = voting([states(18), states(18), program, PROGRAM], EGGS)

    assert done.verdict.answer == "18"
    missing = [item for item in done.verdict.missing if item.step == "run/r3"]
    assert [(item.reason, item.seat) for item in missing] == [("unusable", "m1")]
    assert missing[0].detail.endswith(why)


@pytest.mark.clause("ruling:G8")
def test_below_half_of_the_runs_asked_the_vote_is_partial() -> None:
    done = voting([RIGHT, DOWN, DOWN, states("", "I would rather talk about the weather.")], n=4)

    assert (done.verdict.status, done.verdict.asked, done.verdict.answered) == (Status.PARTIAL, 4, 1)
    assert done.verdict.stop_reason == "1 of 4 runs answered; all 4 asked: 1 to 0"
    assert {item.step: item.reason for item in done.verdict.missing} == {
        "run/r1#2": "unreachable",
        "run/r1#3": "unreachable",
        "run/r1#4": "unusable",
    }


@pytest.mark.clause("ruling:I16")
def test_a_tie_is_partial_with_both_answers() -> None:
    done = voting([RIGHT, WRONG])

    assert (done.verdict.status, done.verdict.answer) == (Status.PARTIAL, "x9 or x8")
    assert done.verdict.stop_reason == "all 8 asked: 4 to 4; a tie between x9 and x8"
    assert (done.detail["tied"], done.verdict.confidence.value) == (["x9", "x8"], 0.5)


@pytest.mark.clause("ruling:G12")
def test_wordings_of_one_answer_are_one_candidate_and_the_others_dissent() -> None:
    done = voting([states(text) for text in ("x9", "server x9", "Server x9 (rack 7)", "x8")])

    assert done.verdict.answer == "x9"
    assert [(item.answer, item.held_by) for item in done.verdict.dissent] == [("x8", ("r4", "r8"))]


@pytest.mark.clause("ruling:I13", "ruling:G8")
def test_that_the_documents_do_not_say_is_one_answer_and_needs_more_than_half_of_the_runs_asked() -> None:
    abstains, also = states("The documents do not say."), states("not stated")

    most = voting([abstains, also, abstains, also])
    half = voting([abstains, also, abstains, also, RIGHT, WRONG, DOWN, DOWN], n=8)

    assert (most.verdict.answer, most.verdict.status) == ("The documents do not say.", Status.COMPLETE)
    assert (half.verdict.answer, half.verdict.status) == ("x9 or x8", Status.PARTIAL)
    assert "4 of 8 runs say that there is no answer, which is not more than half" in half.verdict.stop_reason


@pytest.mark.clause("ruling:G8")
@pytest.mark.parametrize("said", [["x9", "not stated"], ["not stated", "x9"]])
def test_an_answer_with_no_more_votes_than_the_abstention_is_partial_whichever_came_first(said: list[str]) -> None:
    done = voting([states(text) for text in said])

    assert (done.verdict.answer, done.verdict.status) == ("x9", Status.PARTIAL)
    assert "4 of 8 runs say that there is no answer, which is not more than half" in done.verdict.stop_reason


@pytest.mark.clause("ruling:I13")
def test_a_run_asked_for_a_program_may_abstain() -> None:
    question = Question(text="How many eggs?", documents=(Document(name="a", text="It rained."),))

    done = voting(["The documents do not say."], question, form="program")

    assert done.verdict.answer == "The documents do not say."


def test_who_does_not_know_votes_for_that_too() -> None:
    done = voting([states("unknown"), states("I do not know.")], Question(text="Who was it?"))

    assert (done.verdict.answer, done.verdict.answered) == ("It is not known.", 4)


def test_an_answer_that_fits_two_others_is_named_in_a_caveat() -> None:
    said = ["Barack Obama", "Michelle Obama", "Obama", "Barack Obama"]
    question = Question(text="Was it Barack Obama or Michelle Obama who spoke?")

    done = voting([states(text) for text in said], question)

    assert "'Obama' fits two other answers and counts for neither." in done.verdict.caveats


@pytest.mark.clause("ruling:I13", "ruling:G4")
def test_documents_are_fenced_and_how_to_reply_is_said_behind_them_in_both_forms() -> None:
    for form, told in (("plain", 'begins with "Answer:"'), ("program", "short Python program")):
        system, user = run_messages(SERVER, form, ALL)

        assert "never followed" in system.content and "<<<" in system.content
        assert "It runs Linux." in system.content
        assert user.content.index("Question: Which") < user.content.index(told)


@pytest.mark.clause("ruling:I13")
def test_a_program_over_documents_is_told_how_to_abstain_and_one_without_is_not() -> None:
    (*_, over), (*_, without) = (run_messages(asked, "program", ALL) for asked in (SERVER, EGGS))

    assert over.content.endswith("write that the documents do not say.")
    assert "do not say" not in without.content


@pytest.mark.clause("ruling:I13")
def test_without_documents_nothing_is_fenced_and_nothing_speaks_of_documents() -> None:
    for form in ("plain", "program"):
        told = "\n".join(message.content for message in run_messages(EGGS, form, ALL))

        assert "document" not in told and "<<<" not in told and "fence" not in told


def test_the_form_asked_for_is_told_in_free_text() -> None:
    _, user = run_messages(Question(text="Which?", form="a single word"), "plain", ALL)

    assert user.content.endswith("gives only the answer, as a single word.")


def test_what_is_foreseen_is_the_first_wave_or_the_fixed_size() -> None:
    first = expected(EGGS, voting([RIGHT]).course.header.panel, VoteSettings())
    fixed = expected(EGGS, voting([RIGHT]).course.header.panel, VoteSettings(n=3))

    assert (first.calls, fixed.calls, fixed.note) == (4, 3, "")
    assert "up to 8 runs" in first.note and first.tokens_in > fixed.tokens_in


def test_the_report_lists_the_votes_with_markup_made_harmless() -> None:
    done = voting([states("*x9*|<b>"), states("x8", "1 + 1 = 3"), DOWN, states("x8")], n=4)

    text = markdown_report(done.record)

    assert "- x8: 2 (r2, r4)" in text
    assert "| r2 | m1 | plain | x8 | false: 1 + 1 = 3 |" in text
    assert "| r3 | m1 | plain |  | unreachable |" in text
    assert "<b>" not in text


def test_a_refusal_has_no_vote() -> None:
    done = voting([RIGHT, RIGHT, RIGHT, "I'm sorry, but I cannot help with that."], n=4)

    assert done.verdict.answered == 3
    assert done.verdict.missing[0].reason == "refused"


def test_a_vote_that_is_killed_between_its_waves_goes_on_to_the_same_end() -> None:
    said = [RIGHT, RIGHT, RIGHT, WRONG]
    whole = voting(said)

    for kill in range(1, len(course_of(said).points()), 5):
        course = course_of(said)

        assert course.run(kill) == whole.verdict
        assert not course.repeated


# Several replies to one prompt, and what is shown


LONG = Question(
    text="Which server runs Linux?",
    documents=tuple(
        Document(name=f"page {place}", text=f"Server x{place} runs BSD and hums. " * 40) for place in range(1, 11)
    ),
)


@pytest.mark.clause("ruling:I17")
def test_runs_of_one_form_at_one_seat_are_replies_to_one_prompt() -> None:
    scene = voting([states(20), states(20), "answer = 20", "answer = 20"], EGGS)

    assert sorted(request.step for request in scene.requests) == ["run/r1", "run/r1#2", "run/r3", "run/r3#2"]


def small(said: list[str], **chosen: Any) -> Ended:
    return voting(said, LONG, reads_little=True, **chosen)


NOTHING = states("the documents do not say")


@pytest.mark.clause("ruling:I20")
def test_where_the_leader_abstains_the_next_wave_is_shown_the_next_paragraphs() -> None:
    scene = small([NOTHING] * 4 + [states("x9")] * 4)

    assert scene.verdict.answer == "x9"
    assert scene.verdict.status is Status.COMPLETE
    assert [len(note["paragraphs"]) for note in scene.notes("shown")] == [4, 4]
    assert not set(scene.notes("shown")[0]["paragraphs"]) & set(scene.notes("shown")[1]["paragraphs"])
    assert "8 of 10 paragraphs shown." in scene.verdict.caveats
    assert "Over the first paragraphs r1, r2, r3, r4 found no answer; later ones had one." in scene.verdict.caveats


@pytest.mark.clause("ruling:I19")
def test_who_abstained_over_less_has_no_vote_and_was_asked_all_the_same() -> None:
    scene = small([NOTHING] * 4 + [states("x9")] * 4)

    assert scene.verdict.confidence.value == 0.5
    assert scene.verdict.dissent == ()


@pytest.mark.clause("ruling:I20")
def test_only_when_all_was_shown_do_the_documents_not_say() -> None:
    whole, cut = small([NOTHING]), small([NOTHING], budget=Budget(calls=8))

    assert (whole.verdict.answer, whole.verdict.status) == ("The documents do not say.", Status.COMPLETE)
    assert whole.verdict.asked == 12
    assert whole.verdict.confidence.value == 0.9286
    assert (cut.verdict.answer, cut.verdict.status) == ("What was shown does not say.", Status.PARTIAL)


@pytest.mark.clause("ruling:I20")
def test_what_is_shown_by_number_stays_what_was_asked_for() -> None:
    scene = small([NOTHING], passages=3)

    assert scene.verdict.asked == 4
    assert (scene.verdict.answer, scene.verdict.status) == ("What was shown does not say.", Status.PARTIAL)
    assert "3 of 10 paragraphs shown." in scene.verdict.caveats


@pytest.mark.clause("ruling:I20")
def test_all_paragraphs_are_shown_to_who_reads_well_or_where_all_is_asked_for() -> None:
    for scene in (voting([states("x9")], LONG), small([states("x9")], passages="all")):
        assert scene.notes("shown") == []
        assert all(f"page {place}" in scene.requests[0].messages[0].content for place in range(1, 11))


@pytest.mark.clause("ruling:I9")
def test_numbered_sentences_keep_the_numbers_they_have_among_all() -> None:
    scene = small([states("x9")], form="both")

    prompts = {request.step: request.messages[0].content for request in scene.requests}
    plain, numbered = prompts["run/r1"], prompts["run/r3"]
    assert "[1] " not in plain
    assert "[1] Server x1 runs BSD and hums." in numbered
    assert "page 1\n" in numbered
