"""What each member is shown and asked, and the four conditions that are verified (coherence 3, 5, K8 to K10)."""

import re
from typing import Any

import pytest

from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.core.verdict import Status
from moot.protocols.coherence.graph_files import graphs_from, shipped_texts
from moot.protocols.coherence.in_words import graphs_in_words, parts_of, relations_of
from moot.protocols.coherence.protocol import expected
from moot.protocols.coherence.schemas import CoherenceSettings
from tests.protocols.coherence_kit import ASKED, FAIR, GOOD, IDS, demanding, run, unfolded

SHIPPED = graphs_from(shipped_texts())
EMBEDDED_CONTEXT = 8192


@pytest.mark.clause("coherence:3.1", "ruling:K10")
def test_the_first_member_gets_the_prompt_and_the_graphs_relations_and_adjacencies() -> None:
    prompt = run().prompt("unfold")

    assert ASKED in prompt
    assert (
        "knowledge:\n"
        "K1: A report depends on what its author could see. [M2 K2]\n"
        "K2: Several reports may go back to one source. [M3 K3]\n"
        "K3: A method that failed once may fail again. [M1 K10]\n"
        "K10: A figure means little without its base.\n"
        "ethics:\n"
        "E1: A promise binds the one who gave it. [M1 E2]\n"
        "E2: Who bears the cost should have a say."
    ) in prompt
    assert "M1 divergence; M2 convergence; M3 distribution" in prompt


@pytest.mark.clause("coherence:3.1")
def test_the_first_member_gets_the_form_and_the_documents_of_the_prompt() -> None:
    asked = Question(text=ASKED, form="two lines", documents=(Document(name="log.txt", text="It failed twice."),))

    prompt = run(question=asked).prompt("unfold")

    assert "The form asked for: two lines" in prompt
    assert "It failed twice." in prompt


@pytest.mark.clause("coherence:3.3")
@pytest.mark.parametrize(
    "duty",
    [
        "unfold the prompt into its dimensions",
        "as many as\nthis case needs and no more",
        "score observed relations, in every column",
        "a number from 0 to 10",
        "Score every relation of the graphs",
    ],
)
def test_the_first_member_is_told_to_unfold_and_to_score(duty: str) -> None:
    assert duty in run().prompt("unfold")


@pytest.mark.clause("ruling:K10", "ruling:K5")
def test_every_call_of_the_first_member_begins_with_all_of_the_graphs_and_the_prompt() -> None:
    done = run([unfolded(only=IDS[:2]), unfolded(only=IDS[2:4]), unfolded(only=IDS[4:])], batch=2)

    systems = {done.request(step).messages[0].content for step in ("unfold", "scores/2", "scores/3")}
    assert len(systems) == 1
    assert "E2: Who bears the cost should have a say." in systems.pop()
    assert "Score these relations, in this order, and no others: ethics E1 E2" in done.prompt("scores/3")
    assert len({done.request(step).messages[1].content.split(">>>")[0] for step in done.steps[:3]}) == 1


@pytest.mark.clause("ruling:K10")
def test_graphs_that_do_not_fit_are_shown_in_parts_and_the_result_says_so() -> None:
    def reply(only: int) -> dict[str, Any]:
        return unfolded(only=IDS[only : only + 5])

    done = run([reply(0), reply(5)], graph_tokens=100)

    assert done.notes("graphs in parts") == [{"shown": 5}]
    assert "E2: Who bears the cost" not in done.prompt("unfold")
    assert "E2: Who bears the cost should have a say. [M1 E1]" in done.prompt("scores/2")
    assert done.verdict.caveats == ("the columns were fixed by a call that saw 5 of 6 relations",)
    assert run().notes("graphs in parts") == []


@pytest.mark.clause("ruling:K10")
def test_the_shipped_graphs_fit_into_one_call_of_a_small_model_with_every_adjacency_once() -> None:
    settings, relations = CoherenceSettings(), relations_of(SHIPPED)
    brackets = re.findall(r"\[([^]]*)\]$", graphs_in_words(relations), re.MULTILINE)

    assert len(parts_of(relations, settings.graph_tokens)) == 1
    assert len(re.findall(r"\b[KEI]\d+", " ".join(brackets))) == sum(len(graph.labels) // 2 for graph in SHIPPED)
    assert expected(Question(text=ASKED), seated(["embedded"]), settings).longest < EMBEDDED_CONTEXT


@pytest.mark.clause("ruling:K10")
def test_a_member_with_half_of_that_context_can_be_given_the_graphs_in_parts() -> None:
    settings = CoherenceSettings(graph_tokens=1500, batch=15, max_tokens=600)
    parts = parts_of(relations_of(SHIPPED), settings.graph_tokens)

    assert len(parts) > 1
    assert [relation for part in parts for relation in part] == relations_of(SHIPPED)
    assert expected(Question(text=ASKED), seated(["embedded"]), settings).longest < EMBEDDED_CONTEXT / 2


def test_a_relation_longer_than_a_part_is_a_part_of_its_own() -> None:
    relations = relations_of(SHIPPED)[:3]

    assert parts_of(relations, 1) == [[relation] for relation in relations]


@pytest.mark.clause("coherence:5.1", "ruling:K10")
@pytest.mark.parametrize("step", ["response/1", "judge/1"])
def test_writer_and_judge_get_prompt_columns_all_scores_and_the_paths_in_words(step: str) -> None:
    prompt = run().prompt(step)

    assert ASKED in prompt
    assert 'Columns: ["Cost of delay","Trust in the team"]' in prompt
    assert "knowledge:\nK1 8 1\nK2 7 2\nK3 3 6\nK10 0 9\nethics:\nE1 6 0\nE2 5 0\n" in prompt
    assert (
        "Cost of delay:\n"
        "- knowledge K1: A report depends on what its author could see.\n"
        "  convergence -> K2: Several reports may go back to one source.\n"
        "- ethics E1: A promise binds the one who gave it.\n"
        "Trust in the team:\n"
        "- knowledge K10: A figure means little without its base.\n"
        "  divergence -> K3: A method that failed once may fail again.\n"
    ) in prompt


@pytest.mark.clause("coherence:5.1")
def test_a_relation_without_any_score_is_left_out_of_the_table_which_says_so() -> None:
    prompt = run(unfolded(K1=[0, 0], K2=[0, 0.5])).prompt("response/1")

    assert "a relation that is not listed has 0 in all of them:\nknowledge:\nK2 0 0.5\nK3" in prompt


@pytest.mark.clause("ruling:K8")
def test_the_writer_gets_the_text_of_active_relations_and_of_no_others() -> None:
    prompt = run().prompt("response/1")

    assert all(id_ in prompt for id_ in ("K1: A", "K2: S", "K3: A", "K10: A", "E1: A"))
    assert "Who bears the cost should have a say." not in prompt
    assert "[M1 E2]" not in prompt


@pytest.mark.clause("ruling:K8")
def test_what_a_relation_says_stands_where_it_first_comes_and_then_its_id() -> None:
    prompt = run(unfolded(K1=[8, 8])).prompt("response/1")

    assert prompt.count("A report depends on what its author could see.") == 1
    assert "- knowledge K1\n" in prompt


@pytest.mark.clause("coherence:5.3")
@pytest.mark.parametrize(
    "duty",
    [
        "which content you choose",
        "what comes first in your analysis",
        "argument has to\nbe dense",
        "how one thought follows another inside a part",
        "no\ntemplate",
        "instruments of your own deliberation",
        "Never turn a trace into a main section, a block of its own, the overall order, or any visible structure",
        "unless the prompt leaves the overall organisation open",
        "has that\n  structure before anything else",
        "how each part is developed, which connections are made\n  explicit",
        "tensions may not be left out",
        "more caution or more room",
        "Never mention columns, scores, paths, graphs",
        "Before you finish, make sure that all of this holds together",
        "traces show only in what is said where, inside that\nstructure",
    ],
)
def test_the_second_member_is_told_every_duty(duty: str) -> None:
    assert duty in run().prompt("response/1")


CONDITIONS = [
    pytest.param(
        "mentions_internal_processing",
        True,
        "no internal processing",
        "true if the answer mentions the notes themselves",
        marks=pytest.mark.clause("coherence:5.3.hidden"),
    ),
    pytest.param(
        "follows_required_format",
        False,
        "the form of the prompt",
        "true if the overall structure is the one that the prompt asks for",
        marks=pytest.mark.clause("coherence:5.3.form"),
    ),
    pytest.param(
        "traces_only_within_it",
        False,
        "traces only within that form",
        "true if the notes show only in what is said where, inside that structure",
        marks=pytest.mark.clause("coherence:5.3.within"),
    ),
    pytest.param(
        "trace_became_a_section",
        True,
        "no section made of a trace",
        "true if a column, a path or something derived from them was made into a main section",
        marks=pytest.mark.clause("coherence:5.3.sections"),
    ),
]


@pytest.mark.clause("coherence:5.3.cumulative", "ruling:K6")
@pytest.mark.parametrize(("field", "broken", "check", "asked"), CONDITIONS)
def test_the_judge_is_asked_each_condition_and_one_that_is_broken_is_revised(
    field: str, broken: bool, check: str, asked: str
) -> None:
    judged = {**FAIR, "reasoning": "This alone is wrong.", field: broken}

    mended = run(responses=["Wait.", GOOD], judges=[judged, FAIR])
    never = run(judges=[judged])

    assert f'"{field}": {asked}' in mended.prompt("judge/1")
    schema = mended.request("judge/1").schema
    assert schema and field in schema["required"]
    assert "This alone is wrong." in mended.prompt("response/2")
    assert mended.verdict.status is Status.COMPLETE
    assert never.verdict.status is Status.PARTIAL
    assert never.verdict.caveats == (f"{check} (judge): This alone is wrong.",)
    assert never.verdict.stop_reason == "verification ended with 1 fault"


@pytest.mark.clause("coherence:5.3.cumulative")
def test_the_judge_is_asked_though_the_program_has_found_a_fault() -> None:
    done = run(responses=["As K10 shows, wait."], judges=[{**FAIR, "traces_only_within_it": False}], revisions=0)

    assert done.steps[-1] == "judge/1"
    assert {failure["by"] for failure in done.verdict.detail["failures"]} == {"program", "judge"}


@pytest.mark.clause("coherence:5.3.cumulative")
def test_a_fault_of_the_program_stands_though_the_judge_finds_none() -> None:
    done = run(responses=["As K10 shows, wait."])

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.caveats == ("no internal processing (program): it names K10, which is the id of a relation",)


@pytest.mark.clause("coherence:5.3.within", "ruling:K10")
def test_the_judge_sees_the_notes_whose_influence_it_is_asked_about() -> None:
    done = run()

    notes = done.request("response/1").messages[1].content.split("The prompt:")[0]
    assert done.request("judge/1").messages[1].content.startswith(notes)
    assert GOOD in done.prompt("judge/1")


@pytest.mark.clause("coherence:5.3.form", "ruling:K9")
def test_the_judge_sees_the_demanded_form_with_its_words_and_that_nothing_is_open() -> None:
    asked = Question(text="Wait? Answer in two parts.", form="one line each")

    prompt = run(demanding(("two parts", "in two parts"), ("verse", "in verse")), question=asked).prompt("judge/1")

    assert "- one line each [one line each]\n- two parts [in two parts]\n" in prompt
    assert "verse" not in prompt
    assert "No words of the prompt were found that leave the overall organisation open." in prompt


@pytest.mark.clause("coherence:5.3.open", "ruling:K9")
def test_the_judge_is_told_by_which_words_the_organisation_is_open() -> None:
    opened = run(demanding(open_words="as you like"), question="Wait? Organise it as you like.").prompt("judge/1")
    closed = run().prompt("judge/1")

    assert "are said to leave the overall organisation open\n<<<" in opened
    assert "as you like\n" in opened.split("are said to leave")[1]
    assert "No words of the prompt were found that demand a form." in opened
    assert "are said to leave the overall organisation open" not in closed


def test_the_judge_is_not_the_writer_where_there_are_two() -> None:
    done = run()

    assert done.request("judge/1").seat != done.request("response/1").seat
