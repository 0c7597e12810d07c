"""What a program can see of a response that betrays its scaffolding (coherence 5.3, ruling K6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.coherence.form import Demand, Form
from moot.protocols.coherence.schemas import JudgeReply
from moot.protocols.coherence.verification import FailedCheck, headings, judge_failures, program_failures
from tests.protocols.test_coherence_engine import graph_from

GRAPH = graph_from("K1 M1 K2", "K2 M3 K12", name="knowledge")
COLUMNS = ("Cost of delay", "Trust in the team")
PLAIN = "Should we rewrite the service?"
NO_FORM = Form()
OPEN = Form(open_words="in any order you like")


def failures(response: str, prompt: str = PLAIN, form: Form = NO_FORM) -> list[str]:
    found = program_failures(response, prompt=prompt, form=form, columns=COLUMNS, graphs=[GRAPH])
    return [failure.detail for failure in found]


@pytest.mark.clause("coherence:5.3.hidden", "ruling:K6")
@pytest.mark.parametrize(
    ("response", "said"),
    [
        ("As K12 shows, wait.", "K12"),
        ("Wait (K1).", "K1"),
        ("From here M3 leads on.", "M3"),
        ("An observed relation holds.", "observed relation"),
        ("All Observed  Relations hold.", "observed relation"),
        ("The answer\n<<<abcdefgh\nwait\nabcdefgh>>>", "repeats the prompt"),
        ("  \n", "empty"),
    ],
)
def test_ids_codes_and_observed_relations_fail_outright(response: str, said: str) -> None:
    assert any(said in detail for detail in failures(response))


@pytest.mark.clause("ruling:K6")
@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (PLAIN, "A career path may be long; the score was even; draw a graph of it, column by column."),
        ("What is a planar graph?", "A graph is planar if it can be drawn without crossings."),
        ("How high is K2, and is an M3 screw enough?", "K2 is 8,611 m high, and an M3 screw is enough."),
        (PLAIN, "K123 and AK1 and K1a are names of something else."),
    ],
)
def test_ordinary_words_and_the_prompts_own_are_left_to_the_judge(prompt: str, response: str) -> None:
    assert failures(response, prompt) == []


@pytest.mark.clause("coherence:5.3.sections", "ruling:K6")
@pytest.mark.parametrize(
    "leak",
    [
        "## Cost of delay",
        "**Cost of delay**",
        "1. **Cost of delay**: it grows",
        "Cost of delay:",
        "2) Costs of delay",
        "Cost of delay\n-------------",
        "| Cost of delay | Trust |\n|---|---|",
        "### 2. THE COST OF DELAY",
    ],
)
def test_a_heading_that_is_a_column_fails_unless_words_of_the_prompt_leave_the_organisation_open(leak: str) -> None:
    response = f"Wait.\n\n{leak}\n\nIt grows."

    assert any("is the column 'Cost of delay'" in detail for detail in failures(response))
    assert failures(response, form=OPEN) == []


@pytest.mark.clause("coherence:5.3.sections")
@pytest.mark.parametrize("heading", ["Costs that delay", "Cost", "Delay", "Trust", "Team", "Remedies"])
def test_another_heading_is_left_to_the_judge(heading: str) -> None:
    assert failures(f"## {heading}\nIt grows.") == []


@pytest.mark.clause("coherence:5.3.sections", "ruling:K9")
def test_a_heading_that_the_prompt_asks_for_is_no_leak_and_another_column_is() -> None:
    form = Form((Demand("a section", "Use these sections: Cost of delay, Remedies"),))

    assert failures("## Cost of delay\nIt grows.\n## Remedies\nAct.", form=form) == []
    assert failures("## Cost of delay\nIt grows.\n## Trust in the team\nLow.", form=form) == [
        "the heading 'Trust in the team' is the column 'Trust in the team'"
    ]


@pytest.mark.clause("coherence:5.3.open", "ruling:K9")
def test_a_prompt_of_which_no_form_was_read_is_not_open() -> None:
    assert failures("## Cost of delay\nIt grows.") == ["the heading 'Cost of delay' is the column 'Cost of delay'"]


@pytest.mark.parametrize("column", ["Tax", "CO2", "5G"])
def test_a_short_column_is_found_as_a_heading_and_not_in_a_word_like_it(column: str) -> None:
    def found(response: str) -> int:
        return len(program_failures(response, prompt=PLAIN, form=NO_FORM, columns=[column], graphs=[GRAPH]))

    assert found(f"## {column}\nIt grows.\n\n### 2. **{column}**:\n") == 1
    assert found(f"## Text\n{column} grows.\n## Taxis\n## COP\n## 5 goals") == 0


def test_a_columns_words_inside_a_sentence_are_no_heading() -> None:
    assert failures("Wait.\nThe cost of delay grows with every month.") == []


@pytest.mark.clause("coherence:5.3.cumulative")
def test_each_condition_that_the_judge_finds_broken_is_a_failure_of_its_own() -> None:
    good = JudgeReply(
        mentions_internal_processing=False,
        follows_required_format=True,
        traces_only_within_it=True,
        trace_became_a_section=False,
    )
    bad = JudgeReply(
        reasoning="all wrong",
        mentions_internal_processing=True,
        follows_required_format=False,
        traces_only_within_it=False,
        trace_became_a_section=True,
    )

    assert judge_failures(good) == []
    assert [failure.by for failure in judge_failures(bad)] == ["judge"] * 4
    assert judge_failures(bad)[0] == FailedCheck("no internal processing", "judge", "all wrong")


@given(st.text())
def test_any_text_can_be_verified(text: str) -> None:
    list(headings(text))
    program_failures(text, prompt=PLAIN, form=NO_FORM, columns=COLUMNS, graphs=[GRAPH])
