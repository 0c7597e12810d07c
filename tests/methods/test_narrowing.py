"""What is shown of long documents: BM25 and the title hop (ruling I20)."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.question import Document
from moot.core.tokens import estimated_tokens
from moot.evals.items.datasets import load
from moot.methods.search import FEWEST, Narrowed, first_of, further, narrowed, ordered, passages_of

pytestmark = pytest.mark.clause("ruling:I20")

FILLER = "Nothing of note has been written down about it in any of the ledgers that were kept in those years."

TOWN = tuple(
    Document(name=name, text=f"{text} {FILLER}")
    for name, text in {
        "Mill Lane": "Mill Lane is a street where the mayor of a town once kept a house.",
        "Town hall": "A hall in which the mayor of the town sits and a film was shown.",
        "Oda Brandt": "She was born in Harrow Quay and painted ships.",
        "The Long Tide (film)": "It was directed by Oda Brandt and shown in four towns.",
        "Film club": "The club met to see each film of the year and to name its town and director.",
        "Birthplaces": "A list of towns in which directors of films were born.",
        "Harrow Quay": "A harbour that silted up.",
        "It": "A novel.",
    }.items()
)
"""A question about the film's director needs three of these, and two share no word with it."""

QUESTION = "In which town was the director of the film The Long Tide born?"


def names(result: Narrowed, documents: tuple[Document, ...] = TOWN) -> list[str]:
    return [documents[passage.document].name for passage in result.shown]


def test_what_the_question_names_comes_first_then_what_that_names_in_turn() -> None:
    order = ordered(QUESTION, passages_of(TOWN))

    assert [passage.title for passage in order[:3]] == ["The Long Tide (film)", "Oda Brandt", "Harrow Quay"]


def test_where_nothing_is_linked_forward_who_names_a_chosen_title_comes_next() -> None:
    documents = tuple(
        Document(name=name, text=text)
        for name, text in {
            "Harrow Quay": "A harbour.",
            "Gulls": "Birds that a painter may paint, and a painter paints.",
            "Oda Brandt": "Born in Harrow Quay.",
        }.items()
    )

    order = ordered("Which painter comes from Harrow Quay?", passages_of(documents))

    assert [passage.title for passage in order] == ["Harrow Quay", "Oda Brandt", "Gulls"]


def test_where_the_question_names_no_title_the_closest_comes_first() -> None:
    order = ordered("Who painted ships?", passages_of(TOWN))

    assert [passage.title for passage in order[:2]] == ["Oda Brandt", "Harrow Quay"]


def test_an_aside_behind_a_title_need_not_be_named() -> None:
    documents = [
        Document(name="Year", text="In that year the tide came late, and the year was long."),
        Document(name="Tide (Danish film)", text="A silent work, seldom seen."),
    ]

    order = ordered("Who made Tide, late and long?", passages_of(documents))

    assert [passage.title for passage in order] == ["Tide (Danish film)", "Year"]


def test_a_title_of_small_words_names_nothing() -> None:
    order = ordered("Where is it that the mayor sits?", passages_of(TOWN))

    assert order[0].title == "Town hall"


def test_a_long_document_that_is_named_does_not_crowd_out_the_others() -> None:
    text = "\n\n".join(f"Rule {number} of the house." for number in range(30))
    documents = [Document(name="handbook.md", text=text), Document(name="night", text="Machines start at two.")]

    order = ordered("By the handbook, when do machines start?", passages_of(documents))

    assert [passage.title for passage in order[:2]] == ["handbook", "night"]


def test_how_much_was_shown_is_said_and_the_documents_keep_their_order() -> None:
    result = narrowed(QUESTION, TOWN, 150)

    assert (len(result.shown), result.of, result.caveat) == (4, 8, "4 of 8 paragraphs shown")
    assert names(result) == ["Oda Brandt", "The Long Tide (film)", "Birthplaces", "Harrow Quay"]
    assert [document.name for document in result.over(TOWN)] == names(result)
    assert result.names(TOWN)[0] == "Oda Brandt, passage 1"


def test_asked_again_the_next_paragraphs_are_shown_until_all_have_been() -> None:
    first = narrowed(QUESTION, TOWN, 150)
    second = further(first, 150)
    assert second is not None

    assert not set(first.shown) & set(second.shown)
    assert {*first.shown, *second.shown} == set(passages_of(TOWN))
    assert (second.seen, second.is_all, second.caveat) == (8, True, "")
    assert further(second, 150) is None


def test_documents_that_fit_and_those_that_shall_not_be_narrowed_are_shown_as_they_are() -> None:
    whole = sum(estimated_tokens(document.text) for document in TOWN)

    for result in (narrowed(QUESTION, TOWN, whole), narrowed(QUESTION, TOWN, None)):
        assert (result.is_all, result.caveat, result.over(TOWN)) == (True, "", TOWN)
    assert not narrowed(QUESTION, TOWN, whole - 1).is_all


def test_a_document_that_just_fits_is_whole_though_its_paragraphs_one_by_one_round_up_to_more() -> None:
    documents = [Document(name="hall", text="\n".join(f"# {letter}\nBo." for letter in "ABCDEF"))]

    result = narrowed("Who is Bo?", documents, estimated_tokens(documents[0].text))

    assert sum(estimated_tokens(passage.text) for passage in result.order) > estimated_tokens(documents[0].text)
    assert result.is_all


@pytest.mark.parametrize("tokens", range(1, 420, 30))
def test_as_much_is_shown_as_fits_and_never_fewer_than_the_fewest(tokens: int) -> None:
    result = narrowed(QUESTION, TOWN, tokens)

    sizes = [estimated_tokens(passage.text) for passage in result.order]
    assert result.seen == max(FEWEST, sum(sum(sizes[:count]) <= tokens for count in range(1, len(sizes) + 1)))


def test_a_paragraph_is_shown_under_its_heading() -> None:
    text = "# Rack 7\n\n" + "\n\n".join(f"{subject} hums." for subject in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo"))
    documents = [Document(name="hall", text=text)]

    (shown,) = narrowed("What do Bo, Di, Ed and Flo do?", documents, 1).over(documents)

    assert shown.text == "# Rack 7\n\nBo hums.\n\nDi hums.\n\nEd hums.\n\nFlo hums."


@pytest.mark.clause("ruling:G7")
def test_so_many_passages_are_those_that_come_first_by_the_title_hop() -> None:
    chosen = first_of(QUESTION, TOWN, 2)

    assert chosen.names(TOWN) == ["Oda Brandt, passage 1", "The Long Tide (film), passage 1"]
    assert [document.name for document in chosen.over(TOWN)] == ["Oda Brandt", "The Long Tide (film)"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.text("abcd .\n#:", max_size=60)), max_size=6),
    st.text("abcd ", max_size=9),
)
def test_the_order_holds_every_passage_once_and_waves_show_each_once(
    pairs: list[tuple[str, str]], question: str
) -> None:
    documents = [Document(name=name, text=text) for name, text in pairs]
    wave: Narrowed | None = narrowed(question, documents, 3)
    seen = []
    while wave:
        seen += wave.shown
        wave = further(wave, 3)

    assert sorted(seen, key=lambda part: (part.document, part.number)) == passages_of(documents)


KEPT = {"hotpotqa_distractor_dev": 0.90, "2wikimultihopqa_dev": 0.75}


@pytest.mark.skipif("MOOT_DATA" not in os.environ, reason="MOOT_DATA names no folder with the outside data")
@pytest.mark.parametrize("name", KEPT)
def test_four_paragraphs_of_ten_keep_all_that_an_answer_needs(name: str) -> None:
    path = Path(os.environ["MOOT_DATA"]) / f"{name}.jsonl"
    needed = [set(json.loads(line)["supporting_titles"]) for line in path.read_text(encoding="utf-8").splitlines()]
    items = load(path).items

    first = [ordered(item.question, passages_of(item.documents))[:4] for item in items]

    shown = [{item.documents[part.document].name for part in parts} for item, parts in zip(items, first, strict=True)]
    kept = sum(gold <= names for gold, names in zip(needed, shown, strict=True))
    assert kept / len(items) >= KEPT[name]
