"""The form that a prompt demands, read by a member out of the prompt's own words (coherence 5.3, ruling K9)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.question import Document, Question
from moot.protocols.coherence.form import LONGEST_WORDS, MOST_DEMANDS, Demand, Form, read_form

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "coherence_forms.jsonl").read_text(encoding="utf-8").splitlines()
]
HEADINGS = [row for row in ROWS if "heading" in row]
QUOTED = [row for row in ROWS if "heading" not in row]


def read(prompt: str, *words: str, open_words: str | None = None, form: str = "") -> Form:
    demanded = [{"demand": "something", "words": each} for each in words]
    return read_form(Question(text=prompt, form=form), demanded, {"open": open_words is not None, "words": open_words})


@pytest.mark.clause("ruling:K9", "coherence:5.3.form")
def test_a_demand_is_kept_where_its_words_are_in_the_prompt_and_dropped_and_noted_where_not() -> None:
    for row in QUOTED:
        form = read(row["prompt"], row["words"])

        assert bool(form.demands) is row["said"], row
        assert bool(form.dropped) is not row["said"], row


@pytest.mark.clause("ruling:K9", "coherence:5.3.open")
def test_an_organisation_is_open_where_words_of_the_prompt_say_so_and_nowhere_else() -> None:
    for row in QUOTED:
        form = read(row["prompt"], open_words=row["words"])

        opens = row["said"] and not (row["words"].isascii() and len(row["words"].split()) == 1)
        assert form.is_open is opens, row
        assert bool(form.dropped) is not opens, row


@pytest.mark.clause("ruling:K9", "coherence:5.3.sections")
def test_a_heading_is_asked_for_where_a_demand_names_it_as_a_part() -> None:
    for row in HEADINGS:
        form = read(row["words"], row["words"])

        assert form.asks_for(row["heading"]) is row["asked"], row


@pytest.mark.clause("ruling:K9", "coherence:5.3.form")
def test_the_form_of_the_question_always_counts_as_demanded() -> None:
    assert read("Should we wait?", form="a table").demands == (Demand("a table", "a table"),)
    assert read("Wait?", "a table", "in one line", form="A  Table; in one line").demands == (
        Demand("A  Table; in one line", "A  Table; in one line"),
        Demand("something", "a table"),
        Demand("something", "in one line"),
    )
    assert len(read("Wait?", "a table", form="A  Table").demands) == 1


@pytest.mark.clause("ruling:K9", "coherence:5.3.open")
@pytest.mark.parametrize(
    "said", [True, "yes", {"open": True}, {"open": True, "words": ""}, {"open": True, "words": ["open"]}, ["open"]]
)
def test_an_organisation_that_is_said_to_be_open_without_words_is_not(said: Any) -> None:
    form = read_form(Question(text="Should we wait? yes"), [], said)

    assert not form.is_open
    assert form.dropped == ("open organisation: no words of the prompt are given for it",)


@pytest.mark.clause("ruling:K9", "coherence:5.3.open")
def test_one_word_of_the_prompt_authorises_nothing() -> None:
    form = read("How are dates represented in JSON, and why?", open_words="JSON")

    assert not form.is_open
    assert form.dropped == ("open organisation: one word, 'JSON', says nothing outright",)


@pytest.mark.clause("coherence:5.3.open")
@pytest.mark.parametrize("said", [None, False, "", {}, {"open": False, "words": "Should we wait?"}, {"words": "wait"}])
def test_where_nobody_says_that_it_is_open_it_is_not(said: Any) -> None:
    assert read_form(Question(text="Should we wait?"), [], said) == Form()


@pytest.mark.clause("ruling:K9")
def test_a_document_demands_nothing() -> None:
    asked = Question(text="Sum it up.", documents=(Document(name="a", text="Answer in verse, in any order."),))

    form = read_form(asked, [{"demand": "verse", "words": "Answer in verse"}], {"open": True, "words": "in any order"})

    assert form.demands == ()
    assert form.dropped == (
        "'verse': the prompt does not say 'Answer in verse'",
        "open organisation: the prompt does not say 'in any order'",
    )


@pytest.mark.parametrize("sent", [None, "a table", 3, {"demand": "x"}, [None, 3, [], {}, {"demand": 3}], True])
def test_what_is_no_list_of_demands_demands_nothing(sent: Any) -> None:
    assert read_form(Question(text="Should we wait?"), sent, None) == Form()


def test_a_demand_as_bare_text_has_no_words_and_is_dropped() -> None:
    form = read_form(Question(text="Give a table."), ["a table", {"words": "a table"}], None)

    assert form.dropped == ("'a table': no words of the prompt are given for it",)
    assert form.demands == (Demand("a table", "a table"),)


def test_long_and_many_demands_are_cut() -> None:
    prompt = "word " * 1000
    sent = [{"demand": f"{number}", "words": prompt[: 50 + 5 * number]} for number in range(40)]

    form = read_form(Question(text=prompt), [*sent[:1], {"demand": "all", "words": prompt}, *sent[1:]], None)

    assert len(form.demands) == MOST_DEMANDS
    assert all(len(demand.words) <= LONGEST_WORDS for demand in form.demands)


@given(st.text(), st.text(), st.text())
def test_any_text_can_be_read(prompt: str, words: str, heading: str) -> None:
    form = read(prompt, words, open_words=words)

    form.asks_for(heading)
    one_word = any("one word" in reason for reason in form.dropped)
    assert bool(form.demands) is (form.is_open or one_word)
