"""`coherence` whole, with scripted members: prompt, columns and scores, paths, a response, its verification."""

from dataclasses import replace

import pytest

from moot.core.errors import DataChanged
from moot.core.verdict import Status
from moot.protocols.coherence.graph_files import shipped_texts
from tests.protocols.coherence_kit import ASKED, COLUMNS, FAIR, GOOD, IDS, UNFAIR, UNREACHABLE, run, unfolded

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


@pytest.mark.clause("coherence:3.1", "coherence:3.3")
def test_the_first_member_gets_the_prompt_and_every_relation_and_no_adjacency() -> None:
    prompt = run().prompt("unfold")

    assert ASKED in prompt
    assert "knowledge K10: A figure means little without its base." in prompt
    assert "ethics E2:" in prompt
    assert "M2" not in prompt
    for words in ("dimensions", "0 to 10", "as many as"):
        assert words in prompt


@pytest.mark.clause("coherence:5.1", "ruling:K8")
def test_the_second_member_gets_prompt_columns_scores_paths_and_the_text_of_active_relations_alone() -> None:
    prompt = run().prompt("response/1")

    assert ASKED in prompt
    assert "knowledge: K1 (8) -convergence-> K2 (7)" in prompt
    assert "knowledge: K10 (9) -divergence-> K3 (6)" in prompt
    assert "ethics E1: A promise binds the one who gave it." in prompt
    assert "Who bears the cost should have a say." not in prompt


@pytest.mark.clause("coherence:5.3")
@pytest.mark.parametrize(
    "duty",
    [
        "which content you choose",
        "what comes first in your analysis",
        "argument has to\nbe dense",
        "no\ntemplate",
        "main section",
        "leaves the overall organisation open",
        "structure before anything else",
        "tensions may not be left out",
        "more caution or more room",
        "Never mention columns, scores, paths, graphs",
        "Before you finish",
    ],
)
def test_the_second_member_is_told_every_duty(duty: str) -> None:
    assert duty in run().prompt("response/1")


def test_the_judge_is_not_the_writer_where_there_are_two_and_sees_no_scores() -> None:
    done = run()

    assert done.request("judge/1").seat != done.request("response/1").seat
    assert "K1" not in done.prompt("judge/1")
    assert "Cost of delay" in done.prompt("judge/1")


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
    assert "knowledge K1:" in done.prompt("again/1")
    assert "knowledge K2:" not in done.prompt("again/1")
    assert "1 values for 2 columns" in done.prompt("again/1")
    assert done.verdict.detail["paths"] == PATHS
    assert done.verdict.caveats == ()


@pytest.mark.clause("ruling:K4")
def test_a_relation_still_without_scores_counts_as_nought_and_is_noted() -> None:
    done = run([unfolded(K1=None), unfolded(only=[])])

    assert done.notes("counted as 0") == [{"relations": ["knowledge K1"]}]
    assert done.verdict.detail["paths"]["Cost of delay"][0] == {"graph": "knowledge", "path": ["K2"]}
    assert done.verdict.caveats == ("1 relations got no scores and counted as 0",)


@pytest.mark.clause("ruling:K4")
def test_with_over_half_missing_the_run_ends_partial_without_a_response() -> None:
    few = unfolded(only=IDS[:2])

    done = run([few, unfolded(only=[])])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "4 of 6 relations got no scores"
    assert done.verdict.answer is None
    assert not any(step.startswith("response") for step in done.steps)


def test_half_missing_is_not_over_half() -> None:
    assert run([unfolded(only=IDS[:3]), unfolded(only=[])]).verdict.status is Status.COMPLETE


def test_without_columns_the_run_ends_partial() -> None:
    done = run(UNREACHABLE)

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "the first member gave no usable columns"
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


def test_without_a_judge_nothing_is_called_verified() -> None:
    done = run(judges=[UNREACHABLE])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.answer == GOOD
    assert "no judge has read" in done.verdict.caveats[0]


def test_without_a_response_the_run_has_failed_and_keeps_its_traces() -> None:
    done = run(responses=[UNREACHABLE])

    assert done.verdict.status is Status.FAILED
    assert done.verdict.detail["paths"] == PATHS


FORMS = {
    "Answer in three numbered parts. Should we wait?": "1. Yes.\n2. Because of the team.\n3. Then act.",
    "Should we wait? Give the answer in a table.": "| question | answer |\n|---|---|\n| wait? | yes |",
    "Write a letter to the team: should we wait?": "Dear team,\n\nwe wait.\n\nKind regards,\nAda",
}


@pytest.mark.clause("coherence:5.3.form")
@pytest.mark.parametrize("prompt", FORMS)
@pytest.mark.parametrize("leak", ["## Cost of delay\nIt grows.", "**Trust in the team**: low", "By K1 M2 K2."])
def test_a_demanded_form_is_kept_though_a_member_leaks_or_organises_by_columns(prompt: str, leak: str) -> None:
    done = run(responses=[leak, f"{FORMS[prompt]}\n\n{leak}", FORMS[prompt]], question=prompt)

    assert done.verdict.answer == FORMS[prompt]
    assert done.verdict.status is Status.COMPLETE
    assert done.steps.count("response/3") == 1


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
    assert done.record.verdict.answer == GOOD
    assert done.course.replayed().events == len(done.course.disk.texts)


def test_a_graph_file_that_is_another_today_refuses_replay_by_name() -> None:
    done = run()
    done.course.header = replace(done.course.header, data={**done.course.header.data, "ethics.txt": "0" * 64})

    with pytest.raises(DataChanged, match=r"ethics\.txt"):
        done.course.replayed()


def test_without_graphs_of_ones_own_the_papers_three_are_read() -> None:
    done = run(UNREACHABLE, graphs=None)

    assert set(done.record.header.data) == set(shipped_texts())
    assert "knowledge K1:" in done.prompt("unfold")
