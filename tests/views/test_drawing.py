"""The drawing of an argument graph."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.argument import GraphStore
from moot.core.confidence import no_confidence
from moot.core.events import Ended
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.views.drawing import drawing
from moot.views.graph_layout import MOST_NODES, WIDTH, parts_of_graph
from moot.views.page import page
from tests.protocols.test_telling import recorded

SVG = "{http://www.w3.org/2000/svg}"
LONG = re.compile(r"(-?\d+) -?\d+V")


def graph_of(nodes: list[dict[str, Any]], edges: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    store = GraphStore()
    store.create_graph("g")
    store.assert_graph("g", nodes, list(edges), run_id="r1")
    return store.to_json("g")


def node(name: str, kind: str = "inference", claim: str = "") -> dict[str, Any]:
    return {"id": name, "claim": claim or sha256(name.encode()).hexdigest(), "type": kind}


def edge(src: str, dst: str, relation: str = "supports") -> dict[str, Any]:
    return {"src": src, "dst": dst, "relation": relation}


def boxes(svg: str) -> dict[str, float]:
    """Return the height at which each claim is drawn, by the id in its title."""
    root = ElementTree.fromstring(svg)
    groups = root.findall(f"{SVG}g")
    tops = [rect.attrib["y"] for rect in root.findall(f"{SVG}g/{SVG}rect")]
    names = [group.findtext(f"{SVG}title", "").split(":")[0] for group in groups]
    return {name: float(top) for name, top in zip(names, tops, strict=True)}


def test_conclusions_stand_on_top_and_their_reasons_below() -> None:
    nodes = [node("given", "given"), node("step"), node("end", "conclusion")]

    places = boxes(drawing(graph_of(nodes, [edge("given", "step"), edge("step", "end")])))

    assert places["end"] < places["step"] < places["given"]


def test_what_several_runs_say_of_two_claims_is_drawn_once() -> None:
    nodes = [node("a", "given"), node("z", "conclusion")]
    graph = graph_of(nodes, [edge("a", "z")])
    twice = {**graph, "edges": [*graph["edges"], {**graph["edges"][0], "run_id": "r2"}]}

    assert drawing(twice) == drawing(graph)


def test_every_relation_is_drawn_with_its_own_line() -> None:
    nodes = [node("a", "given"), node("b", "assumption"), node("c"), node("z", "conclusion")]
    edges = [edge("a", "z"), edge("b", "z", "assumes"), edge("c", "z", "attacks")]

    lines = ElementTree.fromstring(drawing(graph_of(nodes, edges))).findall(f"{SVG}path")

    assert {line.get("class") for line in lines} == {"edge supports", "edge assumes", "edge attacks"}


def test_hostile_claims_stay_words() -> None:
    hostile = '</text><script>alert("x")</script> & \x1b[31m'

    svg = drawing(graph_of([node("a", "conclusion", hostile)]))

    assert "<script" not in svg
    assert "\x1b" not in svg
    ElementTree.fromstring(svg)


def test_a_cycle_and_a_claim_that_nothing_links_are_drawn_too() -> None:
    nodes = [node("a"), node("b"), node("z", "conclusion"), node("alone")]

    places = boxes(drawing(graph_of(nodes, [edge("a", "b"), edge("b", "a"), edge("b", "z")])))

    assert set(places) == {"a", "b", "z", "alone"}


def test_a_large_graph_is_drawn_in_part_and_says_so() -> None:
    nodes = [node("z", "conclusion"), *(node(f"n{number}") for number in range(2 * MOST_NODES))]

    svg = drawing(graph_of(nodes, [edge(f"n{number}", "z") for number in range(2 * MOST_NODES)]))

    assert len(boxes(svg)) == MOST_NODES
    assert "more claims are not drawn" in svg


@pytest.mark.parametrize("graph", [{"nodes": [], "edges": []}, graph_of([node("z", "conclusion")])])
def test_a_graph_with_nothing_or_one_claim_is_drawn(graph: dict[str, Any]) -> None:
    ElementTree.fromstring(drawing(graph))


def test_a_refuted_claim_is_struck_out() -> None:
    store = GraphStore()
    store.assert_graph("g", [node("a", "given"), node("z", "conclusion")], [edge("a", "z")], run_id="r1")
    store.mark_refuted("g", "a", "it is not so")

    svg = drawing(store.to_json("g"))

    assert "struck" in svg
    assert "refuted" in svg


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=120), st.text(max_size=20))
def test_any_claim_gives_well_formed_xml_that_says_it(claim: str, name: str) -> None:
    graph = {
        "nodes": [
            {"id": name, "claim": claim, "type": "given", "confidence": 0.8, "run_ids": ["r1"], "refuted": False},
        ],
        "edges": [{"src": name, "dst": name, "relation": "supports"}],
    }

    root = ElementTree.fromstring(drawing(graph))

    assert len(root.findall(f"{SVG}g")) == 1


def test_what_no_xml_may_hold_is_replaced() -> None:
    root = ElementTree.fromstring(drawing(graph_of([node("a", "given", "left \ufffe and \uffff right")])))

    assert "left \ufffd and \ufffd right" in (root.findtext(f"{SVG}g/{SVG}title") or "")


def test_a_line_between_two_claims_of_the_top_row_stays_within_the_drawing() -> None:
    nodes = [node("a", "conclusion"), node("b", "conclusion")]

    svg = drawing(graph_of(nodes, [edge("a", "b", "attacks")]))

    [line] = ElementTree.fromstring(svg).findall(f"{SVG}path")
    start, first, second, end = [float(y) for y in re.findall(r"-?\d+ (-?\d+)", line.attrib["d"])]
    assert (start + 3 * first + 3 * second + end) / 8 > 1, "the middle of the curve is its highest point"


def large_debate() -> dict[str, Any]:
    """A graph of 111 claims, of which 40 lead to the answer, 30 of them at once."""
    nodes = [node("z", "conclusion"), *(node(f"n{number}") for number in range(110))]
    return graph_of(nodes, [edge(f"n{number}", "z" if number < 30 else f"n{number - 30}") for number in range(40)])


def test_a_large_graph_fits_a_column_of_text_with_no_box_above_another() -> None:
    root = ElementTree.fromstring(drawing(large_debate()))

    places = [
        tuple(float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        for rect in root.findall(f"{SVG}g/{SVG}rect")
    ]
    assert len(places) == 111
    assert float(root.attrib["width"]) <= 800
    for place, (x, y, width, height) in enumerate(places):
        for other_x, other_y, other_width, other_height in places[:place]:
            apart_x = x + width <= other_x or other_x + other_width <= x
            assert apart_x or y + height <= other_y or other_y + other_height <= y


def test_a_long_line_goes_through_the_gutters_where_no_box_stands() -> None:
    root = ElementTree.fromstring(drawing(large_debate()))

    boxes_x = {float(rect.attrib["x"]) for rect in root.findall(f"{SVG}g/{SVG}rect")}
    upright = [float(found[1]) for line in root.findall(f"{SVG}path") for found in LONG.finditer(line.attrib["d"])]
    assert upright
    assert not [x for x in upright for left in boxes_x if left <= x <= left + WIDTH]


def test_what_leads_to_no_conclusion_is_a_part_of_its_own_and_without_a_conclusion_all_is_one() -> None:
    cone, rest = parts_of_graph(large_debate())
    alone, none = parts_of_graph(graph_of([node("a"), node("b")], [edge("a", "b")]))

    assert (len(cone["nodes"]), len(rest["nodes"])) == (41, 70)
    assert (len(alone["nodes"]), len(none["nodes"])) == (2, 0)
    ElementTree.fromstring(drawing(rest))


def test_a_page_draws_what_leads_to_the_answer_and_folds_the_rest_away() -> None:
    start = recorded("vote_tied")[0][0]
    verdict = Verdict("yes", Status.COMPLETE, "", no_confidence(""), detail={"graph": large_debate()})

    told = page("0123456789", Record((start, Ended(verdict))))

    drawn, _, folded = told.partition("<details><summary>70 more claims ")
    assert (drawn.count("<rect"), folded.count("<rect")) == (41, 70)
    assert max(int(width) for width in re.findall(r'<svg[^>]* width="(\d+)"', told)) <= 800
