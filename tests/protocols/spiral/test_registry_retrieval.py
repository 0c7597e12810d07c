"""Which axioms are found: by hand-made vectors, and with the static vectors that Moot uses by default (ruling S5)."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.gateway.embeddings import StaticEmbedder
from moot.protocols.spiral.checking import not_found_by_question, refuted_by_oracles, texts_to_embed
from moot.protocols.spiral.registry import LEVELS, Axiom, registry_from
from moot.protocols.spiral.retrieval import MOST_RELEVANT, RELEVANCE_FLOOR, by_similarity, relevant, similarity
from moot.protocols.spiral.shipped import all_axioms
from tests.protocols.spiral.everyday import CLAIMS, UNRELATED

SHIPPED = all_axioms()


async def always(_number: int) -> bool:
    return True


def embedded(texts: Sequence[str]) -> list[list[float]]:
    made = asyncio.run(StaticEmbedder().embed(texts, before_retry=always))
    assert isinstance(made, list)
    return made


@pytest.fixture(scope="module")
def vectors() -> dict[str, list[float]]:
    rows = embedded([axiom.search_text for axiom in SHIPPED])
    return {axiom.id: row for axiom, row in zip(SHIPPED, rows, strict=True)}


def axiom(name: str, level: int = 1, claim: str = "1 = 1") -> Axiom:
    block = f"""
level = {level}
[[axiom]]
id = "{name}"
domain = "d"
statement = "Statement {name}."
formal = "f"
question = "q?"
checks = [{{ kind = "arithmetic", claim = "{claim}" }}]
"""
    return registry_from({"mine.toml": block})[0]


def test_the_nearest_axioms_of_the_level_come_first_and_nothing_below_the_floor():
    axioms = [axiom("A1"), axiom("A2"), axiom("A3"), axiom("A4"), axiom("B1", level=2)]
    places = {"A1": (0.0, 1.0), "A2": (1.0, 0.0), "A3": (3.0, 4.0), "A4": (-1.0, 0.0), "B1": (1.0, 0.0)}

    found = relevant(axioms, 1, places, (2.0, 0.0))

    assert [(hit.axiom.id, hit.similarity) for hit in found] == [("A2", 1.0), ("A3", 0.6)]


def test_an_axiom_at_the_floor_is_relevant_and_one_just_below_is_not():
    found = relevant([axiom("A1"), axiom("A2")], 1, {"A1": (3.0, 4.0), "A2": (2.9, 4.0)}, (1.0, 0.0), floor=0.6)

    assert [hit.axiom.id for hit in found] == ["A1"]


def test_equally_near_axioms_come_in_natural_order_and_no_more_than_asked_for():
    axioms = [axiom(f"A{number}") for number in (10, 9, 2, 1)]

    found = relevant(axioms, 1, {one.id: (1.0, 1.0) for one in axioms}, (1.0, 1.0), most=3)

    assert [hit.axiom.id for hit in found] == ["A1", "A2", "A9"]


@pytest.mark.parametrize("query", [(0.0, 0.0), (-1.0, 0.0)])
def test_where_nothing_is_relevant_the_result_is_empty(query):
    assert relevant([axiom("A1")], 1, {"A1": (1.0, 0.0)}, query) == ()


NUMBERS = st.lists(st.floats(-1e3, 1e3).map(lambda value: round(value, 3)), min_size=3, max_size=3)


@given(NUMBERS, NUMBERS)
def test_similarity_is_symmetric_bounded_and_one_for_the_same_direction(first, second):
    assert similarity(first, second) == similarity(second, first)
    assert 0 <= similarity(first, second) <= 1
    assert similarity(first, [2 * part for part in first]) == (1.0 if any(first) else 0.0)


@given(st.lists(NUMBERS, min_size=4, max_size=4), NUMBERS, st.floats(0, 1), st.integers(0, 5))
def test_what_is_relevant_is_the_beginning_of_the_whole_order(rows, query, floor, most):
    axioms = [axiom(f"A{number}") for number in range(4)]
    places = {one.id: row for one, row in zip(axioms, rows, strict=True)}

    found = relevant(axioms, 1, places, query, floor=floor, most=most)

    whole = by_similarity(axioms, 1, places, query)
    assert found == whole[: len(found)]
    assert len(found) == min(most, sum(hit.similarity >= floor for hit in whole))


def test_every_shipped_axiom_is_found_by_its_own_question(vectors):
    questions = embedded([axiom.question for axiom in SHIPPED])

    missed = [
        one.id
        for one, question in zip(SHIPPED, questions, strict=True)
        if one not in [hit.axiom for hit in relevant(SHIPPED, one.level, vectors, question)]
    ]

    assert missed == []


def test_every_shipped_axiom_is_found_by_its_question_also_where_its_text_leaves_the_question_out(vectors):
    rows = embedded([text for axiom in SHIPPED for text in texts_to_embed(axiom)])
    triples = {axiom.id: tuple(rows[3 * place : 3 * place + 3]) for place, axiom in enumerate(SHIPPED)}

    assert not_found_by_question(SHIPPED, triples) == ()


def test_five_of_eight_everyday_claims_find_the_axiom_that_bears_on_them(vectors):
    queries = embedded([claim for _, claim, _ in CLAIMS])

    found = [
        wanted in [hit.axiom.id for hit in relevant(SHIPPED, level, vectors, query)]
        for (level, _, wanted), query in zip(CLAIMS, queries, strict=True)
    ]

    assert sum(found) >= 5 / 8 * len(CLAIMS)


def test_hardly_a_sentence_about_other_matters_finds_an_axiom(vectors):
    queries = embedded(UNRELATED)

    found = [bool(relevant(SHIPPED, level, vectors, query)) for query in queries for level in LEVELS]

    assert sum(found) / len(found) < 0.01


def test_an_axiom_that_its_question_does_not_find_is_named():
    axioms = [axiom("A1"), axiom("A2"), axiom("A3"), axiom("A4"), axiom("A5")]
    near, far, between = (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)
    places = {one.id: (near, near, near) for one in axioms}
    asked = {**places, "A1": (near, near, far), "A2": (near, between, near)}

    found = not_found_by_question(axioms, asked)

    assert [one.message for one in found] == [
        "mine.toml, axiom A1: its question brings it up at place 1 with 0.00",
        "mine.toml, axiom A2: its question brings it up at place 5 with 0.71",
    ]
    assert (MOST_RELEVANT, RELEVANCE_FLOOR) == (3, 0.3)


def test_an_axiom_whose_check_is_false_or_not_computable_is_named():
    found = refuted_by_oracles([axiom("A1"), axiom("A2", claim="2 + 2 = 5"), axiom("A3", claim="9^9^9^9 = 1")])

    assert [one.message.partition(" (")[0] for one in found] == [
        "mine.toml, axiom A2: check 1: arithmetic says false",
        "mine.toml, axiom A3: check 1: arithmetic says not computable",
    ]
