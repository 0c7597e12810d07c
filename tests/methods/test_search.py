"""Plain text search over documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.methods.search import LONGEST_PASSAGE, best_passages, first_shown, passages_of, showing

pytestmark = [pytest.mark.clause("ruling:G7"), pytest.mark.clause("ruling:I20")]

DOCUMENTS = (
    Document(name="hall", text="The hall is cold.\n\nServer x9 runs Linux.\n\nThe door is red."),
    Document(name="cake", text="Cake needs eggs.\n\nFlour is white."),
)


def test_the_passage_that_shares_most_with_the_question_is_found() -> None:
    (found,) = best_passages("Which server runs Linux?", passages_of(DOCUMENTS), 1)

    assert found.text == "Server x9 runs Linux."


def test_chosen_passages_keep_the_order_of_the_documents() -> None:
    found = best_passages("flour, a red door, and Linux", passages_of(DOCUMENTS), 3)

    assert [part.text for part in found] == ["Server x9 runs Linux.", "The door is red.", "Flour is white."]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    documents = [Document(name="a", text="\n\n".join(["the cat sat", "the dog sat", "the owl sat", "the owl flew"]))]

    (found,) = best_passages("the sat flew", passages_of(documents), 1)

    assert found.text == "the owl flew"


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = " ".join(f"Sentence number {number} is here." for number in range(200))

    parts = passages_of([Document(name="long", text=text)])

    assert len(parts) > 1
    assert all(len(part.text) <= LONGEST_PASSAGE and part.text.endswith(".") for part in parts)
    assert " ".join(part.text for part in parts) == text


def test_a_question_over_passages_keeps_only_them_and_says_which() -> None:
    question = Question(text="Which server runs Linux?", documents=DOCUMENTS)

    shown = first_shown(question, seated(["scripted"]), 1)
    narrowed = showing(question, shown)

    assert [document.name for document in narrowed.documents] == ["hall"]
    assert narrowed.documents[0].text == "Server x9 runs Linux."
    assert shown.names(DOCUMENTS) == ["hall, passage 2"]


def test_more_passages_than_there_are_is_all_of_them() -> None:
    question = Question(text="anything", documents=DOCUMENTS)

    shown = first_shown(question, seated(["scripted"]), 99)

    assert len(shown.shown) == 5
    assert showing(question, shown).documents == DOCUMENTS


@pytest.mark.clause("ruling:I20")
def test_by_default_only_a_panel_with_a_small_reader_is_shown_less() -> None:
    long = tuple(Document(name=f"page {place}", text="Server x9 runs Linux. " * 40) for place in range(8))
    question = Question(text="Which server runs Linux?", documents=long)

    assert first_shown(question, seated(["embedded:1.5b", "openai:large"]), "auto").caveat == "4 of 8 paragraphs shown"
    assert first_shown(question, seated(["openai:large"]), "auto").is_all
    assert first_shown(question, seated(["embedded:1.5b"]), "all").is_all
    assert first_shown(question, seated(["embedded:1.5b"]), 0).is_all


def test_a_search_finds_other_inflections_and_what_stands_under_a_title() -> None:
    documents = [Document(name="b", text="The bill.\n\nThe cost."), Document(name="prices.txt", text="Two crowns.")]
    passages = passages_of(documents)

    assert [part.text for part in best_passages("Which costs?", passages, 1)] == ["The cost."]
    assert [part.text for part in best_passages("the prices", passages, 1)] == ["Two crowns."]


def test_a_search_works_where_words_are_not_parted() -> None:
    documents = [
        Document(name="a", text="\u6771\u4eac\u306f\u5927\u304d\u3044\u3002\n\n\u732b\u304c\u5bdd\u308b\u3002")
    ]

    (found,) = best_passages("\u9ed2\u732b\u304c\u3044\u308b", passages_of(documents), 1)

    assert found.text.startswith("\u732b")


def test_a_heading_goes_with_the_paragraph_beneath_it_and_titles_those_that_follow() -> None:
    text = "Before.\n\n# Rack 7\n\nIt is red.\n\nIt hums.\n\n## Rack 8\nIt is off:\n\n- x1\n- x2"

    passages = passages_of([Document(name="hall.md", text=text)])

    assert [(part.title, part.heading, part.text) for part in passages] == [
        ("hall", "", "Before."),
        ("Rack 7", "", "# Rack 7\n\nIt is red."),
        ("Rack 7", "Rack 7", "It hums."),
        ("Rack 8", "", "## Rack 8\nIt is off:\n\n- x1\n- x2"),
    ]


@pytest.mark.parametrize(
    "text", ["x" * 50_000, "word " * 10_000, "a:\n\n" * 5_000, "# a\n" * 5_000, "a." + "\n---" * 9_000]
)
def test_no_passage_is_longer_than_the_longest(text: str) -> None:
    assert all(len(part.text) <= LONGEST_PASSAGE for part in passages_of([Document(name="a", text=text)]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=200), max_size=4), st.text(max_size=40), st.integers(1, 5))
def test_any_documents_and_any_question_give_at_most_so_many_passages(texts, query, most) -> None:
    parts = passages_of([Document(name=str(place), text=text) for place, text in enumerate(texts)])

    chosen = best_passages(query, parts, most)

    assert len(chosen) == min(most, len(parts))
    assert chosen == sorted(chosen, key=lambda part: (part.document, part.number))
