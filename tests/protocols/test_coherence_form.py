"""The form that a prompt demands, and whether a response has it (coherence 5.3, ruling K6)."""

import pytest

from moot.protocols.coherence.form import Form, demanded_form, form_failures


@pytest.mark.parametrize(
    ("prompt", "form"),
    [
        ("Should we move? Answer in three numbered parts.", Form(count=3, unit="numbered")),
        ("Give me 4 steps for moving house.", Form(count=4, unit="numbered")),
        ("List exactly five points in favour.", Form(count=5, unit="listed")),
        ("Explain rust in two short paragraphs.", Form(count=2, unit="paragraph")),
        ("Compare the two offers in a table.", Form(table=True)),
        ("Return a markdown table of risks.", Form(table=True)),
        ("Write a short letter to the landlord.", Form(letter=True)),
        ("Reply as JSON.", Form(json=True)),
        ("Explain it in at most 50 words.", Form(words=50)),
        ("Say it in 20 words or less.", Form(words=20)),
        (
            "Use these sections: Causes, Effects and Remedies. Be brief.",
            Form(parts=("Causes", "Effects", "Remedies")),
        ),
        (
            "Organise it in three parts:\n1. What happened\n2. Why\n3. What now\n\nThanks.",
            Form(parts=("What happened", "Why", "What now"), count=3, unit="numbered"),
        ),
        ("Answer under the headings: (a) Facts (b) Values", Form(parts=("Facts", "Values"))),
    ],
)
@pytest.mark.clause("coherence:5.3.form")
def test_a_demand_for_a_form_is_read(prompt: str, form: Form) -> None:
    assert demanded_form(prompt) == form


@pytest.mark.parametrize(
    "prompt",
    [
        "Is it right to lie to a friend?",
        "The company has three parts and I work in two of them. Should I leave?",
        "We sat at the table and he showed me a letter. Was he fair?",
        "What does the periodic table tell us?",
        "How should a city plan its parks? Note: parks are small.",
    ],
)
def test_a_prompt_that_demands_no_form_leaves_the_organisation_open(prompt: str) -> None:
    assert demanded_form(prompt).is_open


def test_a_word_limit_alone_leaves_the_organisation_open() -> None:
    assert Form(words=50).is_open


THREE = "1. First, wait.\n\n2. Then ask.\n   More on this.\n\n3. Decide."
LETTER = "Dear Ms Low,\n\nthe roof leaks.\n\nKind regards,\nAda"
TABLE = "| offer | price |\n|---|---|\n| A | 3 |"


@pytest.mark.parametrize(
    ("form", "good", "bad", "said"),
    [
        (
            Form(count=3, unit="numbered"),
            THREE,
            "1. Wait.\n2. Ask.",
            "asks for 3 numbered parts and the response has 2",
        ),
        (Form(count=3, unit="numbered"), "## Part 1: a\nx\n## Part 2: b\n## Part 3: c", "First, wait.", "has 0"),
        (Form(count=2, unit="listed"), "- one\n- two", "one and two", "2 listed points"),
        (Form(count=2, unit="paragraph"), "One.\n\nTwo.", "One.\n\nTwo.\n\nThree.", "2 paragraphs"),
        (Form(table=True), TABLE, "offer A costs 3", "a table"),
        (Form(letter=True), LETTER, "The roof leaks.\n\nKind regards,\nAda", "greets nobody"),
        (Form(letter=True), LETTER, "Dear Ms Low,\n\nthe roof leaks.", "no closing"),
        (Form(json=True), '```json\n{"a": 1}\n```', "a is 1", "JSON"),
        (Form(words=3), "one two three", "one two three four", "allows 3 words"),
        (Form(parts=("Causes", "Effects")), "## Causes\nx\n**Effects**\ny", "## Effects\ny\n## Causes\nx", "order"),
        (Form(parts=("Causes", "Effects")), "1. Causes: x\n2. Effects: y", "Causes: x", "'Effects'"),
    ],
)
@pytest.mark.clause("ruling:K6")
def test_a_response_without_the_form_fails_with_what_it_lacks(form: Form, good: str, bad: str, said: str) -> None:
    assert list(form_failures(form, good)) == []
    assert said in " ".join(form_failures(form, bad))
