"""`coherence` whole, with scripted members: prompt, columns and scores, paths, a response, its verification."""

from dataclasses import replace
from typing import Any

import pytest

from moot.core.calls import Failure
from moot.core.errors import DataChanged
from moot.core.question import Document, Question
from moot.core.verdict import Status
from moot.protocols.coherence.graph_files import shipped_texts
from tests.protocols.coherence_kit import ASKED, COLUMNS, FAIR, GOOD, IDS, UNFAIR, UNREACHABLE, demanding, run, unfolded

PATHS = {
    "Cost of delay": [
        {"graph": "knowledge", "path": ["K1", "M2", "K2"]},
        {"graph": "ethics", "path": ["E1"]},
    ],
    "Trust in the team": [{"graph": "knowledge", "path": ["K10", "M1", "K3"]}],
}


@pytest.mark.clause("coherence:7", "coherence:3.2", "coherence:4.2", "coherence:5.2")
def test_a_prompt_becomes_columns_and_scores_then_paths_then_a_response() -> None:
    done = run()

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.answer == GOOD
    assert done.verdict.detail["columns"] == COLUMNS
    assert done.verdict.detail["paths"] == PATHS
    assert done.verdict.confidence.value is None
    assert done.steps == ["unfold", "response/1", "judge/1"]
    assert "K1: A report depends on what its author could see.\n  convergence -> K2:" in done.prompt("response/1")


@pytest.mark.clause("ruling:K5")
def test_a_large_graph_is_scored_in_batches_and_the_first_call_fixes_the_columns() -> None:
    replies = [unfolded(only=IDS[:2]), unfolded(["other", "names"], only=IDS[2:4]), unfolded(only=IDS[4:])]

    done = run(replies, batch=2)

    assert done.steps[:3] == ["unfold", "scores/2", "scores/3"]
    assert "already fixed" in done.prompt("scores/3")
    assert '["Cost of delay","Trust in the team"]' in done.prompt("scores/3")
    assert done.verdict.detail["columns"] == COLUMNS
    assert done.verdict.detail["paths"] == PATHS


@pytest.mark.clause("ruling:K4")
def test_repeated_columns_are_asked_for_again_once() -> None:
    done = run([unfolded(["Cost", "cost"]), unfolded()])

    assert done.steps[:2] == ["unfold", "unfold/again"]
    assert "the column 'cost' is there twice" in done.prompt("unfold/again")
    assert done.verdict.detail["paths"] == PATHS


def test_columns_named_by_relations_are_asked_for_again() -> None:
    done = run([unfolded(["Cost", "K2"]), unfolded()])

    assert "'K2' is a graph or the id of a relation" in done.prompt("unfold/again")
    assert done.verdict.detail["columns"] == COLUMNS


def test_columns_repeated_twice_are_dropped_and_noted() -> None:
    done = run([unfolded(["Cost", "cost"]), unfolded(["Cost", "cost"])])

    assert done.verdict.detail["columns"] == ["Cost"]
    assert done.notes("columns dropped") == [{"sent": ["Cost", "cost"], "kept": ["Cost"]}]
    assert done.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:K4")
def test_a_row_of_the_wrong_length_is_asked_for_again_once_and_alone() -> None:
    done = run([unfolded(K1=[8]), unfolded(only=[("knowledge", "K1")])])

    assert done.steps[:2] == ["unfold", "again/1"]
    assert "in this order, and no others: knowledge K1\n" in done.prompt("again/1")
    assert "1 value for 2 columns" in done.prompt("again/1")
    assert done.verdict.detail["paths"] == PATHS
    assert done.verdict.caveats == ()


@pytest.mark.clause("ruling:K4")
def test_a_relation_still_without_scores_counts_as_nought_and_is_noted() -> None:
    done = run([unfolded(K1=None), unfolded(only=[])])

    assert done.notes("counted as 0") == [{"relations": ["knowledge K1"]}]
    assert done.verdict.detail["paths"]["Cost of delay"][0] == {"graph": "knowledge", "path": ["K2"]}
    assert done.verdict.caveats == ("1 relation got no scores and counted as 0",)


@pytest.mark.clause("ruling:K4")
def test_with_over_half_missing_the_run_fails_without_a_response() -> None:
    few = unfolded(only=IDS[:2])

    done = run([few, unfolded(only=[])])

    assert done.verdict.status is Status.FAILED
    assert done.verdict.stop_reason == "4 of 6 relations got no scores"
    assert done.verdict.answer is None
    assert not any(step.startswith("response") for step in done.steps)


@pytest.mark.clause("ruling:K4")
def test_half_missing_is_not_over_half() -> None:
    assert run([unfolded(only=IDS[:3]), unfolded(only=[])]).verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:G9")
def test_without_columns_the_run_fails_and_says_why_first() -> None:
    done = run(UNREACHABLE)

    assert done.verdict.status is Status.FAILED
    assert done.verdict.stop_reason == "unreachable: nobody there; the first member gave no usable columns"
    assert done.verdict.missing[0].step == "unfold"


def test_scores_that_are_no_json_are_retried_by_the_parsing_policy() -> None:
    done = run(["I would rather not.", unfolded()])

    assert done.steps[:2] == ["unfold", "unfold"]
    assert done.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:K6")
def test_a_failure_is_named_to_the_writer_who_revises() -> None:
    done = run(responses=["As K10 shows, wait.", GOOD])

    assert done.steps[1:] == ["response/1", "judge/1", "response/2", "judge/2"]
    assert "it names K10, which is the id of a relation" in done.prompt("response/2")
    assert "As K10 shows, wait." in done.prompt("response/2")
    assert done.verdict.answer == GOOD
    assert done.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:K6")
def test_after_two_revisions_the_response_ships_as_partial_with_the_failed_checks_named() -> None:
    done = run(responses=["As K10 shows, M1 and K3.", "See K3.", "See K1 and K2."], judges=[UNFAIR])

    assert done.steps.count("response/3") == 1
    assert "response/4" not in done.steps
    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.answer == "See K3."
    assert done.verdict.caveats == (
        "no internal processing (program): it names K3, which is the id of a relation",
        "no internal processing (judge): It talks of its columns.",
    )
    assert done.verdict.stop_reason == "verification ended with 2 faults"


@pytest.mark.clause("ruling:K6")
def test_what_only_a_judge_can_see_is_revised_too() -> None:
    done = run(responses=["My first column says wait.", GOOD], judges=[UNFAIR, FAIR])

    assert "It talks of its columns." in done.prompt("response/2")
    assert done.verdict.answer == GOOD


@pytest.mark.parametrize("silent", [UNREACHABLE, Failure("refused", "I will not judge."), "I will not judge."])
def test_without_a_judge_nothing_is_called_verified(silent: Failure | str) -> None:
    done = run(judges=[silent])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.answer == GOOD
    assert "no judge has read" in done.verdict.caveats[0]


def test_without_a_response_the_run_has_failed_and_keeps_its_traces() -> None:
    done = run(responses=[UNREACHABLE])

    assert done.verdict.status is Status.FAILED
    assert done.verdict.detail["paths"] == PATHS


NO_FORM_ASKED = {
    "How are dates represented in JSON?": "As text, most often in the form of ISO 8601.",
    "How do I make a table from oak?": "Plane four legs and a top, and join them.",
    "Our company is split into 3 parts. Should we merge them?": "Merge two of them first.",
    "We sat at the table and he showed me a letter. Was he fair?": "He was.",
}


@pytest.mark.clause("coherence:5.3.form", "ruling:K9")
@pytest.mark.parametrize("prompt", NO_FORM_ASKED)
def test_a_prompt_that_asks_for_no_form_brings_no_fault_of_form(prompt: str) -> None:
    done = run(demanding(), responses=[NO_FORM_ASKED[prompt]], question=prompt)

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.detail["demanded_form"] == []
    assert "No words of the prompt were found that demand a form." in done.prompt("judge/1")


FORM_ASKED = {
    "Structure your answer as follows: background; analysis; recommendation.": "background; analysis; recommendation",
    "First the risks, then the benefits of waiting.": "First the risks, then the benefits",
    "Antworte in drei nummerierten Teilen: Sollen wir warten?": "in drei nummerierten Teilen",
    "请用表格回答这个问题。": "用表格回答",
}


@pytest.mark.clause("coherence:5.3.form", "ruling:K9")
@pytest.mark.parametrize("prompt", FORM_ASKED)
@pytest.mark.parametrize("leak", ["## Cost of delay\nIt grows.", "**Trust in the team**: low", "By K1 M2 K2."])
def test_a_demanded_form_is_judged_and_no_column_may_stand_in_its_place(prompt: str, leak: str) -> None:
    formless = {**FAIR, "reasoning": "It lacks the form.", "follows_required_format": False}
    first = demanding(("the form", FORM_ASKED[prompt]))

    done = run(first, ["Wait.", leak, GOOD], [formless, FAIR, FAIR], question=prompt)

    assert done.verdict.answer == GOOD
    assert done.steps.count("response/3") == 1
    assert f"- the form [{FORM_ASKED[prompt]}]" in done.prompt("judge/1")
    assert done.verdict.detail["demanded_form"] == [{"demand": "the form", "words": FORM_ASKED[prompt]}]
    assert [failures[0]["by"] for failures in (note["failures"] for note in done.notes("verified")) if failures] == [
        "judge",
        "program",
    ]


BY_COLUMNS = "## Cost of delay\nIt grows.\n\n## Trust in the team\nIt is low."


@pytest.mark.clause("coherence:5.3.open", "coherence:5.3.sections", "ruling:K9")
@pytest.mark.parametrize(
    "first", [unfolded(), demanding(), demanding(open_words=""), demanding(open_words="however you like")]
)
def test_columns_as_sections_fail_where_no_words_of_the_prompt_leave_the_organisation_open(
    first: dict[str, Any],
) -> None:
    done = run(first, responses=[BY_COLUMNS])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.detail["open_organisation"] == ""
    assert [failure["check"] for failure in done.verdict.detail["failures"]] == ["no section made of a column"] * 2


@pytest.mark.clause("coherence:5.3.open")
def test_columns_may_be_sections_where_words_of_the_prompt_leave_the_organisation_open() -> None:
    done = run(demanding(open_words="in whatever order"), responses=[BY_COLUMNS], question="Wait? In whatever order.")

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.detail["open_organisation"] == "in whatever order"


@pytest.mark.clause("coherence:5.3.open")
def test_a_judge_may_still_find_that_the_prompt_is_not_open() -> None:
    strict = {**FAIR, "reasoning": "These words leave nothing open.", "trace_became_a_section": True}

    done = run(demanding(open_words="Should we"), responses=[BY_COLUMNS], judges=[strict])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.caveats == ("no section made of a trace (judge): These words leave nothing open.",)


@pytest.mark.clause("coherence:5.3.sections", "ruling:K9")
def test_a_part_that_the_prompt_names_may_be_a_heading_though_it_is_a_column() -> None:
    prompt = "Should we wait? Use these parts: cost of delay, trust in the team."

    done = run(demanding(("parts", "cost of delay, trust in the team")), responses=[BY_COLUMNS], question=prompt)

    assert done.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:K9")
def test_words_that_a_first_member_invents_are_dropped_and_noted() -> None:
    done = run(demanding(("a table", "in a table"), open_words="as you like"))

    assert done.notes("form") == [
        {
            "demanded": [],
            "open_organisation": "",
            "dropped": [
                "'a table': the prompt does not say 'in a table'",
                "open organisation: the prompt does not say 'as you like'",
            ],
        }
    ]
    assert done.verdict.detail["demanded_form"] == []
    assert done.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:K9")
def test_the_form_is_read_by_the_first_call_alone() -> None:
    replies = [demanding(only=IDS[:4]), demanding(("parts", "rewrite"), only=IDS[4:])]

    done = run(replies, batch=4)

    assert "asks of the form of its answer, if anything" in done.prompt("unfold")
    assert "asks of the form of its answer, if anything" not in done.prompt("scores/2")
    schema = done.request("scores/2").schema
    assert schema and "demanded_form" not in schema["properties"]
    assert done.notes("form") == [{"demanded": [], "open_organisation": "", "dropped": []}]


@pytest.mark.clause("ruling:K9")
def test_the_form_of_columns_that_were_asked_for_again_is_that_of_the_reply_which_is_used() -> None:
    again = demanding(("rewriting", "rewrite the billing service"), columns=["Cost", "cost"])

    salvaged = run([demanding(("x", "Should"), columns=["Cost", "cost"]), again])
    mended = run([again, demanding(("x", "Should"))])

    assert [demand["demand"] for demand in salvaged.verdict.detail["demanded_form"]] == ["rewriting"]
    assert [demand["demand"] for demand in mended.verdict.detail["demanded_form"]] == ["x"]


@pytest.mark.clause("coherence:5.3.hidden")
def test_what_a_document_says_may_be_said_though_it_looks_like_an_id() -> None:
    asked = Question(text="Which peak is it?", documents=(Document(name="peaks.txt", text="K2 is second."),))

    assert run(responses=["It is K2."], question=asked).verdict.status is Status.COMPLETE
    assert run(responses=["It is K2."]).verdict.status is Status.PARTIAL


@pytest.mark.clause("ruling:K6")
@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("What is a bipartite graph?", "A graph whose nodes fall into two sets; every path changes sides."),
        ("Should I leave my job?", "Your career path matters more than this year's score."),
    ],
)
def test_a_prompt_about_graphs_may_say_graph_and_an_answer_may_speak_of_a_career_path(prompt: str, answer: str) -> None:
    done = run(responses=[answer], question=prompt)

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.answer == answer


@pytest.mark.clause("coherence:6", "ruling:K7")
def test_the_record_preserves_prompt_columns_scores_paths_and_response_and_replays() -> None:
    done = run(responses=["As K10 shows, wait.", GOOD])

    kept = done.notes("traces")[0]
    assert kept["columns"] == COLUMNS
    assert kept["paths"] == PATHS
    assert len(kept["scores"]) == len(IDS)
    assert done.record.header.question.text == ASKED
    assert done.record.verdict and done.record.verdict.answer == GOOD
    assert done.course.replayed().events == len(done.course.disk.texts)


def test_a_graph_file_that_is_another_today_refuses_replay_by_name() -> None:
    done = run()
    done.course.header = replace(done.course.header, data={**done.course.header.data, "ethics.txt": "0" * 64})

    with pytest.raises(DataChanged, match=r"ethics\.txt"):
        done.course.replayed()


def test_without_graphs_of_ones_own_the_papers_three_are_read() -> None:
    done = run(UNREACHABLE, graphs=None)

    assert set(done.record.header.data) == set(shipped_texts())
    assert "knowledge:\nK1: " in done.prompt("unfold")
