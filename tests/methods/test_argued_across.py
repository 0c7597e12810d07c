"""Claims of several arguments side by side: one by the graph's own test, and where each stands in each."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.methods.argued import (
    MOST_OF_AN_ARGUMENT,
    ArgumentClaim,
    ClaimCell,
    ClaimRun,
    SharedClaim,
    shared_claims,
)

PLAIN = ArgumentClaim(
    id="a",
    claim="",
    type="inference",
    confidence=0.8,
    fate="stands",
    surviving=True,
    refuted=False,
    refute_reason=None,
    defeated_by=(),
    attackers=(),
    supports=(),
    supported_by=(),
    aliases=(),
    runs=(),
    sources=(),
    given=None,
    verdicts=(),
    roads=(),
    is_cut=False,
    is_bridge=False,
    is_disputed=False,
)
LINUX, BSD, JOBS = "Server x9 runs Linux.", "Servers x4 and x5 run BSD.", "Nightly jobs start at 02:00."


def claim(text: str, id_: str = "a", **more: Any) -> ArgumentClaim:
    return replace(PLAIN, id=id_, claim=text, **more)


def run(name: str, seat: str | None = None) -> ClaimRun:
    return ClaimRun(name, "n", "", 0.5, seat, None, None, None)


def stands(row: SharedClaim) -> list[str | None]:
    return [cell.stand if cell else None for cell in row.cells]


@pytest.mark.parametrize(
    ("more", "stand"),
    [
        ({}, "held"),
        ({"is_disputed": True}, "disputed"),
        ({"fate": "undecided"}, "disputed"),
        ({"refuted": True, "refute_reason": "no"}, "refuted"),
        ({"fate": "defeated"}, "refuted"),
        ({"fate": "defeated", "is_disputed": True}, "refuted"),
    ],
)
def test_a_claim_stands_in_each_argument_as_it_does_there(more: dict[str, Any], stand: str) -> None:
    [row] = shared_claims([[claim(LINUX, **more)], [claim(LINUX)], [], None])

    assert stands(row) == [stand, "held", "not said", None]
    assert row.said_in == 2
    assert row.cells[0] and row.cells[0].reason == more.get("refute_reason", "")


def test_the_same_words_are_equal_and_what_the_graph_merges_beyond_that_is_said_with_its_measure() -> None:
    said, otherwise = "Nine of the 14 incidents were in proration.", "Of the 14 incidents nine were in proration."

    [row] = shared_claims([[claim(said)], [claim(said.upper().rstrip("."), "b")], [claim(otherwise, "c")]])

    assert row.claim == said
    assert row.cells[0] == ClaimCell("held", ("a",))
    assert row.cells[1] == ClaimCell("held", ("b",), said.upper().rstrip("."), decided_by="equal")
    assert row.cells[2] == ClaimCell("held", ("c",), otherwise, decided_by="merged", measure="jaccard", score=1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The valve is open.", "The valve is not open."),
        ("The pump ran for 14 hours.", "The pump ran for 15 hours."),
        ("Server x9 runs Linux.", "Server x8 runs Linux."),
        ("All members agree to the plan.", "Some members agree to the plan."),
    ],
)
def test_near_misses_stay_two_claims(one: str, other: str) -> None:
    rows = shared_claims([[claim(one)], [claim(other)]])

    assert [(row.claim, stands(row)) for row in rows] == [(one, ["held", "not said"]), (other, ["not said", "held"])]


def test_what_is_said_against_a_claim_elsewhere_is_named_where_the_claim_is_not_said() -> None:
    arguments = [[claim("The valve is open.")], [claim("The valve is not open."), claim(LINUX, "b")], []]

    rows = {row.claim: row for row in shared_claims(arguments)}

    open_, shut = rows["The valve is open."], rows["The valve is not open."]
    assert [cell and cell.opposed_by for cell in open_.cells] == [(), ("The valve is not open.",), ()]
    assert [cell and cell.opposed_by for cell in shut.cells] == [("The valve is open.",), (), ()]
    assert all(cell and not cell.opposed_by for cell in rows[LINUX].cells)


def test_who_put_it_forward_is_named_once_by_seat_or_by_run() -> None:
    runs = (run("r1", "m1"), run("r2", "m1"), run("r3"))

    [row] = shared_claims([[claim(LINUX, runs=runs)], [claim(LINUX)]])

    assert [cell and cell.held_by for cell in row.cells] == [("m1", "r3"), ()]


def test_claims_that_are_one_here_and_two_there_are_told_as_two_and_disputed_where_they_stand_differently() -> None:
    kept_apart = [claim("Nine of the 14 incidents were in proration.", "x"), claim(LINUX, "l")]
    kept_apart.append(claim("Of the 14 incidents nine were in proration.", "y", refuted=True))

    rows = {row.claim: row for row in shared_claims([kept_apart, [claim(LINUX)]])}

    cell = rows["Nine of the 14 incidents were in proration."].cells[0]
    assert cell and (cell.ids, cell.stand) == (("x", "y"), "disputed")


def test_what_most_arguments_say_comes_first_and_the_rest_in_the_order_of_the_arguments() -> None:
    rows = shared_claims([[claim(LINUX), claim(BSD, "b")], [claim(JOBS), claim(BSD, "b")], [claim(BSD)]])

    assert [row.claim for row in rows] == [BSD, LINUX, JOBS]


def test_a_claim_too_long_for_a_graph_stands_by_itself() -> None:
    long = "Server x9 runs Linux. " * 2_000

    rows = shared_claims([[claim(long), claim(LINUX, "b")], [claim(LINUX)]])

    assert [stands(row) for row in rows] == [["held", "held"], ["held", "not said"]]


def test_of_a_large_argument_what_most_hangs_on_is_taken_in_its_own_order() -> None:
    many = [claim(f"Server number {n} has its own rack and its own name, q{n}.", f"n{n}") for n in range(300)]
    many[290] = replace(many[290], type="conclusion")
    many[291] = replace(many[291], roads=(1,))
    many[292] = replace(many[292], is_disputed=True)
    many[293] = replace(many[293], runs=(run("r1"), run("r2")))

    rows = shared_claims([many, None])

    taken = [cell.ids[0] for row in rows if (cell := row.cells[0])]
    assert len(taken) == MOST_OF_AN_ARGUMENT
    assert taken == [f"n{n}" for n in range(196)] + ["n290", "n291", "n292", "n293"]


def test_without_a_claim_there_is_nothing_to_compare() -> None:
    assert shared_claims([]) == shared_claims([[], None]) == ()


SAYINGS = (
    LINUX,
    BSD,
    JOBS,
    "The valve is open.",
    "The valve is not open.",
    "Nine of the 14 incidents were in proration.",
    "Of the 14 incidents nine were in proration.",
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SAYINGS), unique=True, max_size=5), min_size=2, max_size=3))
def test_the_order_of_the_arguments_changes_nothing_but_the_order_of_the_cells(arguments: list[list[str]]) -> None:
    made = [[claim(text, text) for text in texts] for texts in arguments]
    wanted = {frozenset((n, cell.ids) for n, cell in enumerate(row.cells) if cell) for row in shared_claims(made)}

    for order in permutations(range(len(made))):
        rows = shared_claims([made[place] for place in order])
        told = {
            frozenset((order[n], tuple(sorted(cell.ids))) for n, cell in enumerate(row.cells) if cell) for row in rows
        }
        assert told == {frozenset((n, tuple(sorted(ids))) for n, ids in row) for row in wanted}
