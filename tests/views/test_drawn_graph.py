"""An argument as the value that is drawn."""

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from moot.argument import GraphStore
from moot.core.record import Record
from moot.views.drawn_graph import (
    NOT_FOUND,
    QUOTED,
    DrawnGraph,
    graph_of_detail,
    leading_part,
    nearest_part,
)
from moot.views.graph_table import graph_table
from tests.protocols.test_telling import recorded
from tests.views.graphs import arguing, claim, random_graph

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def detail_of(name: str) -> Any:
    verdict = Record(tuple(recorded(name)[0])).verdict
    assert verdict
    return verdict.detail


def test_a_verdicts_detail_gives_types_runs_marks_fates_lines_and_the_cut() -> None:
    graph = graph_of_detail(detail_of("interrogation_whole"))

    assert graph.conclusion == "r1:c"
    left, silent, tug, refuted = (graph.by_id[name] for name in ("r1:[1]", "r1:[3]", "r1:z", "r3:n"))
    assert (left.kind, left.runs, left.confidence, left.marks[0]) == ("given", ("r1", "r4"), 0.8, QUOTED)
    assert (left.cut, left.line, silent.line) == (True, 2, 1)
    assert (silent.runs, [mark.words for mark in silent.marks]) == (("r1", "r4"), ["✓ quoted", "verified"])
    assert NOT_FOUND in tug.marks
    assert (refuted.fate, silent.fate) == ("falls", "stands")
    assert {edge.group for edge in graph.edges} >= {"c/1", "c/2"}
    assert graph_of_detail({}) == DrawnGraph()
    by_words = {name: value for name, value in detail_of("interrogation_whole").items() if name != "disjoint_path_ids"}
    assert graph_of_detail(by_words) == graph


@settings(max_examples=60, deadline=None)
@given(pairs, st.sets(st.integers(0, 5)))
def test_claims_fall_stand_and_are_undecided_as_the_graph_itself_has_it(
    attacks: list[tuple[int, int]], refuted: set[int]
) -> None:
    store = GraphStore()
    nodes = [{"id": f"n{number}", "claim": f"{number} {'abcdef'[number] * 9}", "type": "given"} for number in range(6)]
    edges = [{"src": f"n{src}", "dst": f"n{dst}", "relation": "attacks"} for src, dst in set(attacks) if src != dst]
    store.assert_graph("g", nodes, edges, run_id="r1")
    for number in sorted(refuted):
        store.mark_refuted("g", f"n{number}", "it is not so")

    drawn = graph_of_detail({"graph": store.to_json("g")})

    labels: Any = store.surviving_claims("g")
    literal = {
        node: fate
        for name, fate in (("in", "stands"), ("out", "falls"), ("undecided", "undecided"))
        for node in labels[name]
    }
    assert {node.id: node.fate for node in drawn.nodes} == literal


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_who_goes_in_a_circle_is_who_can_be_reached_from_itself(lines: list[tuple[int, int]]) -> None:
    graph = arguing(" ".join(f"{src}-{dst}" for src, dst in lines))

    reach = set(lines)
    for middle, src, dst in product(range(6), repeat=3):
        if (src, middle) in reach and (middle, dst) in reach:
            reach.add((src, dst))
    assert graph.circling == {str(number) for number in range(6) if (number, number) in reach}


def test_attacks_close_no_circle() -> None:
    assert arguing("a!b b!a a-z").circling == frozenset()


def test_what_leads_to_no_conclusion_is_a_part_of_its_own_and_without_a_conclusion_all_is_one() -> None:
    graph = arguing("a-z b!a z-c d-e")

    leading, rest = leading_part(graph)
    whole, none = leading_part(DrawnGraph((claim("a"), claim("b"))))

    assert (set(leading.by_id), set(rest.by_id)) == ({"z", "a", "b"}, {"c", "d", "e"})
    assert (len(whole.nodes), len(none.nodes)) == (2, 0)
    assert {edge.dst for edge in rest.edges} == {"e"}


def test_of_a_large_graph_the_nearest_to_the_conclusion_are_kept_and_say_how_many_are_behind_them() -> None:
    graph = arguing("a-z b-z c-a d-a e-c f-g")

    near = nearest_part(graph, 4)

    assert set(near.by_id) == {"z", "a", "b", "c"}
    assert {node.id: node.more for node in near.nodes} == {"z": 0, "a": 1, "b": 0, "c": 1}
    assert nearest_part(graph, 8) is graph


def test_the_table_has_a_row_for_each_claim_with_what_supports_and_attacks_it() -> None:
    graph = random_graph(40)

    table = graph_table(graph)

    assert len(table.rows) == 40
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    [row] = [row for row in graph_table(arguing("a-z b!z c?z")).rows if row.cells[0].aside == "z"]
    assert [cell.words for cell in row.cells[-2:]] == ["a, c", "b"]
