"""Which sentences of a reply only plan, and so are no reason that an answer could fall with (ruling I12)."""

import pytest

from moot.core.question import Document, Question
from moot.methods.citing import cited
from moot.methods.citing.plans import is_plan

PLANS = (
    "Identify the servers that run Linux.",
    "Look for the server in rack 7.",
    "Determine which of them is on at night.",
    "Compare both with the handbook.",
    "Read through the survey.",
    "We need to identify servers that run Linux.",
    "We then need to filter these servers.",
    "We will check rack 7 first.",
    "I have to find the year.",
    "Let's look at rack 7.",
    "Let us first compare the two.",
    "To answer the question, we need to find the year.",
    "To determine which server can take the job, we must check the conditions.",
)
REASONS = (
    "Look Homeward, Angel is a novel by Wolfe.",
    "Read Street runs north.",
    "List prices rose by 5%.",
    "Find My Friends is an app.",
    "The server must run Linux.",
    "We find that x9 runs Linux.",
    "We must find that x9 runs Linux.",
    "You can see the tower from Varde.",
    "Checks are made every night.",
    "Identified servers are switched on.",
    "Machines need to check the clock.",
    "To compare them, x9 runs Linux and x8 does not.",
)

SURVEY = Document(name="survey.md", text="Server x9 runs Linux. Server x8 runs BSD.")
ASKED = Question(text="Which server runs Linux?", documents=(SURVEY,))


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("text", PLANS)
def test_a_sentence_that_says_what_is_to_be_done_is_a_plan(text: str) -> None:
    assert is_plan(text)


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("text", REASONS)
def test_a_sentence_that_says_something_of_the_matter_is_none(text: str) -> None:
    assert not is_plan(text)


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("plan", PLANS)
def test_no_answer_falls_with_a_plan(plan: str) -> None:
    bare = cited("r1", "Server x9 runs Linux.\nAnswer: x9", "x9", ASKED, ASKED.documents)

    planned = cited("r1", f"Server x9 runs Linux.\n{plan}\nAnswer: x9", "x9", ASKED, ASKED.documents)

    assert (planned.nodes, planned.edges) == (bare.nodes, bare.edges)


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "reply",
    [
        "From the survey.md, it states that server x9 runs Linux.",
        "According to survey.md, server x9 runs Linux.",
        "survey.md states that server x9 runs Linux.",
        "It also states that server x9 runs Linux.",
        "Based on these conditions, we can see that server x9 runs Linux.",
        "However, it is clear that server x9 runs Linux.",
        "1. [1] Server x9 runs Linux.",
    ],
)
def test_where_a_run_has_something_from_and_what_leads_to_it_are_no_part_of_what_it_says(reply: str) -> None:
    run = cited("r1", f"{reply}\nAnswer: x9", "x9", ASKED, ASKED.documents)

    assert [edge["src"] for edge in run.edges if edge["dst"] == "r1:s1"] == ["r1:d1"]


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "reply", ["From the survey.md, it states that server x8 runs Linux.", "We can see that server x9 runs Windows."]
)
def test_what_is_said_behind_a_lead_is_held_against_the_documents_all_the_same(reply: str) -> None:
    run = cited("r1", f"{reply}\nAnswer: x9", "x9", ASKED, ASKED.documents)

    assert "r1:s1" in run.ungrounded
