"""Which axioms are found: by hand-made vectors, and with the vectors that Moot uses by default (rulings S5 and S9)."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.gateway.embeddings import StaticEmbedder
from moot.protocols.spiral.axioms.checking import (
    Dispute,
    SearchMeasure,
    measured_search,
    refuted_by_oracles,
    unused_fields,
)
from moot.protocols.spiral.axioms.registry import LEVELS, Axiom, registry_from
from moot.protocols.spiral.axioms.retrieval import (
    LONGEST_PART,
    MOST_CLAIMS,
    by_similarity,
    floor_for,
    floors_for,
    relevant,
    search_query,
    similarity,
)
from moot.protocols.spiral.axioms.shipped import all_axioms, shipped_disputes

SHIPPED = all_axioms()
DISPUTES = shipped_disputes()
STATIC = "wordllama 0.4.0 (256)"


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

    found = relevant(axioms, 1, places, (2.0, 0.0), floor=0.5)

    assert [(hit.axiom.id, hit.similarity) for hit in found] == [("A2", 1.0), ("A3", 0.6)]


def test_an_axiom_at_the_floor_is_relevant_and_one_just_below_is_not():
    found = relevant([axiom("A1"), axiom("A2")], 1, {"A1": (3.0, 4.0), "A2": (2.9, 4.0)}, (1.0, 0.0), floor=0.6)

    assert [hit.axiom.id for hit in found] == ["A1"]


def test_equally_near_axioms_come_in_natural_order_and_no_more_than_asked_for():
    axioms = [axiom(f"A{number}") for number in (10, 9, 2, 1)]

    found = relevant(axioms, 1, {one.id: (1.0, 1.0) for one in axioms}, (1.0, 1.0), floor=0.5, most=3)

    assert [hit.axiom.id for hit in found] == ["A1", "A2", "A9"]


@pytest.mark.parametrize("query", [(0.0, 0.0), (-1.0, 0.0)])
def test_where_nothing_is_relevant_the_result_is_empty(query):
    assert relevant([axiom("A1")], 1, {"A1": (1.0, 0.0)}, query, floor=0.1) == ()


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


@pytest.mark.clause("ruling:S9")
def test_a_search_asks_with_the_question_both_sides_and_their_holders_claims():
    asked = search_query("Which lands first?", "The iron ball.", " Both. ", ("It is heavier.", "", "Both."))

    assert asked == "Which lands first? The iron ball. Both. It is heavier."


def test_a_search_asks_with_the_beginning_and_the_end_of_what_is_long_and_with_so_many_claims():
    asked = search_query("a" * 50_000 + "b" * 50_000, "Yes", "No", [f"claim{number}" for number in range(100)])

    question, *rest = asked.split(" ", 2)
    assert question == "a" * (LONGEST_PART // 2) and rest[0] == "b" * (LONGEST_PART // 2)
    assert rest[1].split()[-1] == f"claim{MOST_CLAIMS - 1}"


@pytest.mark.clause("ruling:S9")
def test_a_measured_backend_has_its_own_floor_whatever_its_version():
    assert floor_for(STATIC, [(1.0, 0.0)]) == floor_for("wordllama 9.9 (256)", []) == 0.38


@pytest.mark.clause("ruling:S9")
@pytest.mark.parametrize("backend", ["ollama/nomic-embed-text", "wordllama 0.4.0 (64)", ""])
def test_the_floor_of_another_backend_is_what_nearly_all_axioms_of_the_level_stay_below(backend):
    apart = [tuple(float(place == other) for other in range(20)) for place in range(20)]
    alike = [(1.0, 0.0), (1.0, 0.0), (3.0, 4.0)]

    assert floor_for(backend, apart) == 0.0
    assert floor_for(backend, alike) == 1.0
    assert floor_for(backend, [(1.0, float(place)) for place in range(20)]) > 0.99
    assert floor_for(backend, [(1.0, 0.0)]) == 1.0


@pytest.mark.clause("ruling:S9")
def test_the_shipped_disputes_are_of_all_levels_and_nearly_half_have_no_axiom():
    levels = {axiom.id: axiom.level for axiom in SHIPPED}
    bearing = [dispute for dispute in DISPUTES if dispute.axioms]

    assert len(DISPUTES) == 137 and len(DISPUTES) - len(bearing) == 60
    assert all(name in levels for dispute in bearing for name in dispute.axioms)
    assert all(sum(levels[dispute.axioms[0]] == level for dispute in bearing) == 11 for level in LEVELS)
    assert {"medicine", "law", "economics", "history", "taste", "sport"} <= {dispute.field for dispute in DISPUTES}
    assert len({dispute.question for dispute in DISPUTES}) == len(DISPUTES)


@pytest.mark.clause("ruling:S9")
@pytest.mark.parametrize(
    ("rows", "most_misled"),
    [(slice(0, 101, 2), 0.05), (slice(1, 101, 2), 0.05), (slice(101, None), 0.15)],
    ids=["tuned on", "held out", "written later"],
)
def test_disputes_find_what_bears_on_them_and_hardly_one_finds_what_does_not(vectors, rows, most_misled):
    disputes = DISPUTES[rows]
    queries = embedded([dispute.query for dispute in disputes])

    measure = measured_search(disputes, queries, SHIPPED, vectors, floors_for(STATIC, SHIPPED, vectors))

    assert sum(measure.found.values()) / sum(measure.wanted.values()) >= 0.6
    assert measure.misled / measure.without <= most_misled


@pytest.mark.clause("ruling:S9")
def test_without_the_question_a_yes_and_a_no_find_nothing(vectors):
    yes_no = [dispute for dispute in DISPUTES if dispute.sides == ("Yes.", "No.")]
    sides, whole = embedded(["Yes. No."]), embedded([dispute.query for dispute in yes_no])
    floors = floors_for(STATIC, SHIPPED, vectors)

    alone = measured_search(yes_no, sides * len(yes_no), SHIPPED, vectors, floors)
    asked = measured_search(yes_no, whole, SHIPPED, vectors, floors)

    assert sum(alone.found.values()) <= 1 < 20 < sum(asked.found.values())


@pytest.mark.clause("ruling:S9")
def test_a_measure_counts_what_is_found_and_who_is_misled():
    axioms = [axiom("A1"), axiom("A2"), axiom("B1", level=2)]
    places = {"A1": (1.0, 0.0, 0.0), "A2": (0.0, 1.0, 0.0), "B1": (0.0, 0.0, 1.0)}
    rows = [("A1",), ("A2", "B1"), (), ()]
    disputes = [Dispute("f", f"q{place}", ("Yes", "No"), (), names) for place, names in enumerate(rows)]
    queries = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)]

    measure = measured_search(disputes, queries, axioms, places, dict.fromkeys(LEVELS, 0.5))

    none = dict.fromkeys(range(3, 8), 0)
    assert measure == SearchMeasure({1: 2, 2: 1, **none}, {1: 2, 2: 0, **none}, 2, 1)


def test_an_axiom_with_a_field_that_is_no_longer_used_is_named():
    (old,) = [one.model_copy(update={"unused": ("denials",)}) for one in [axiom("A1")]]

    assert [one.message for one in unused_fields([old, axiom("A2")])] == [
        "mine.toml, axiom A1: `denials` is no longer used; it is passed over"
    ]


def test_an_axiom_whose_check_is_false_or_not_computable_is_named():
    found = refuted_by_oracles([axiom("A1"), axiom("A2", claim="2 + 2 = 5"), axiom("A3", claim="9^9^9^9 = 1")])

    assert [one.message.partition(" (")[0] for one in found] == [
        "mine.toml, axiom A2: check 1: arithmetic says false",
        "mine.toml, axiom A3: check 1: arithmetic says not computable",
    ]
