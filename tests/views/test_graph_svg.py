"""The drawing of an argument."""

import json
import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.views.drawn_graph import DrawnEdge, DrawnGraph, graph_of_detail
from moot.views.graph_svg import downloaded_svg, graph_json, graph_svg, legend_html, pictured
from moot.views.graph_svg.boxes import LEFT, RIGHT, SMALL_SIZE, WIDTH
from moot.views.text_widths import text_width
from tests.views.graphs import HOSTILE, arguing, claim, random_graph
from tests.views.test_drawn_graph import detail_of

SVG = "{http://www.w3.org/2000/svg}"


def nodes_of(svg: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return {str(each.get("data-id")): each for each in root.iter() if each.get("data-id") is not None}


def looks_of(svg: str, name: str) -> list[set[str]]:
    """Return the classes of every group that has a class of this name."""
    looks = [set((each.get("class") or "").split()) for each in ElementTree.fromstring(svg).iter()]
    return [look for look in looks if name in look]


def test_conclusions_stand_at_the_left_and_their_reasons_in_columns_beside_them() -> None:
    nodes = nodes_of(graph_svg(arguing("a-z b-a"), "?claim="))

    x, layers = ({name: float(node.attrib[f"data-{what}"]) for name, node in nodes.items()} for what in ("x", "layer"))
    assert x["z"] < x["a"] < x["b"]
    assert [layers[name] for name in "zab"] == [0, 1, 2]
    assert nodes["z"].attrib["href"] == "?claim=z"
    assert [nodes[name].attrib["tabindex"] for name in "zab"] == ["0", "-1", "-1"]


def test_a_box_says_type_fate_runs_marks_and_line_in_words() -> None:
    drawn = nodes_of(graph_svg(graph_of_detail(detail_of("interrogation_whole"))))

    node = drawn["r1:[3]"]
    words = "|".join(node.itertext())
    assert {"node", "given", "stands", "cut", "line-1"} <= set(node.attrib["class"].split())
    assert all(part in words for part in ("given · 2× · 0.9", "✓ quoted", "verified", "◆ cut", "|1"))  # noqa: RUF001
    assert node.attrib["aria-label"] == (
        "given: The radio was silent all night.; it stands; 2 runs; confidence 0.9; quoted; verified; cut; on line 1"
    )
    assert "falls" in drawn["r3:n"].attrib["class"].split()
    assert node.attrib["role"] == "listitem"


@pytest.mark.parametrize("size", [1, 30, 111, 400])
def test_no_box_is_upon_another_and_every_text_fits_its_box_by_the_table_of_widths(size: int) -> None:
    picture = pictured(random_graph(size))

    for box in picture.boxes:
        for text in box.texts:
            room = WIDTH - LEFT - RIGHT if text.look in ("claim", "kind") else text.x - LEFT
            width = text_width(text.line.text, SMALL_SIZE, bold=True) if "mark" in text.look else text.line.width
            assert width <= room + 1e-6
            assert 0 < text.y < box.height
        rows = {}
        for text in box.texts:
            rows.setdefault(text.y, []).append(text)
        for row in rows.values():
            ends = sorted((t.x - t.line.width, t.x) if "mark" in t.look else (t.x, t.x + t.line.width) for t in row)
            assert all(one[1] <= other[0] for one, other in pairwise(ends))
    # To compare all pairs of 400 boxes would be slow: boxes of other columns are apart anyhow.
    columns = {}
    for frame in picture.frames:
        columns.setdefault(frame.x, []).append(frame)
    for column in columns.values():
        for one, other in combinations(column, 2):
            assert one.y + one.height <= other.y + 0.2 or other.y + other.height <= one.y + 0.2
    assert {frame.x for frame in picture.frames} == set(columns)


def test_the_same_graph_is_always_drawn_alike() -> None:
    graph = random_graph(60)

    assert graph_svg(graph) == graph_svg(random_graph(60))
    assert graph_json(graph) == graph_json(pictured(graph))


def test_every_relation_has_its_own_line_and_head_and_what_several_runs_say_of_two_claims_is_one() -> None:
    graph = arguing("a-z a-z b?z c!z")

    svg = graph_svg(graph)

    assert sorted(" ".join(sorted(look)) for look in looks_of(svg, "edge")) == [
        "assumes edge",
        "attacks edge",
        "edge supports",
    ]
    heads = [path.attrib["d"] for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.get("class") == "head"]
    assert sum(head.count("M") == 2 for head in heads) == 1, "only an attack is barbed twice"


def test_premises_that_are_needed_together_meet_at_one_joint_and_two_groups_at_two() -> None:
    edges = [DrawnEdge(src, "z", "supports", group) for src, group in (("a", "1"), ("b", "1"), ("c", "2"), ("d", "2"))]
    again = [DrawnEdge(src, "z", "supports", "3") for src in ("b", "a")]
    alone = [DrawnEdge("e", "z", "supports", "4")]
    nodes = (claim("z", "conclusion"), *(claim(name) for name in "abcde"))

    picture = pictured(DrawnGraph(nodes, (*edges, *again, *alone), "z"))

    assert sorted(tuple(sorted(joint.srcs)) for joint in picture.joints) == [("a", "b"), ("c", "d")]
    assert {way.src: way.together for way in picture.ways} == {name: name != "e" for name in "abcde"}
    [ends] = [[way.path for way in picture.ways if way.src in joint.srcs] for joint in picture.joints[:1]]
    assert len({path.rpartition("C")[2].split()[-2:][0] for path in ends}) == 1, "they end at the same place"
    assert "needed together" in graph_svg(picture)


def test_a_circle_a_line_to_itself_and_mutual_attacks_are_drawn_and_marked() -> None:
    svg = graph_svg(arguing("a-b b-a b-z c-c c-z d!e e!d d-z"))

    nodes = nodes_of(svg)
    assert {name for name in nodes if "in a circle" in nodes[name].attrib["aria-label"]} == {"a", "b", "c"}
    assert len(looks_of(svg, "circle")) == 1
    assert len(looks_of(svg, "attacks")) == 2


def test_lines_of_support_have_hues_up_to_the_conclusion_and_no_further() -> None:
    graph = arguing("a-b b-z c-z a-c z-d")
    numbers = {"a": 1, "b": 1, "c": 2}
    graph = replace(graph, nodes=tuple(replace(node, line=numbers.get(node.id, 0)) for node in graph.nodes))

    hued = {(way.src, way.dst): pictured(graph).line(way.src, way.dst) for way in pictured(graph).ways}

    assert hued == {("a", "b"): 1, ("b", "z"): 1, ("c", "z"): 2, ("a", "c"): 0, ("z", "d"): 0}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.text(max_size=100))
def test_any_words_and_any_id_give_well_formed_xml_with_one_box(words: str, name: str) -> None:
    graph = DrawnGraph((claim(name, "given", words, runs=(words,)),), (DrawnEdge(name, name),), name)

    root = ElementTree.fromstring(graph_svg(graph, "?a=1&claim="))

    assert len([each for each in root.iter() if (each.get("class") or "").startswith("node ")]) == 1
    json.loads(graph_json(graph))


def test_what_no_xml_may_hold_is_replaced() -> None:
    graph = DrawnGraph((claim("\ud800", "given", "left \ufffe and \uffff right"),), (), "\ud800")

    svg = graph_svg(graph, "?claim=")

    assert "left \ufffd and \ufffd right" in "".join(ElementTree.fromstring(svg.encode()).itertext())
    graph_json(graph).encode()


def test_hostile_words_stay_words_everywhere() -> None:
    long = replace(arguing("a-z").nodes[0], claim="x" * 200_000)
    graph = DrawnGraph((claim(HOSTILE, HOSTILE, HOSTILE, runs=(HOSTILE,)), long), (), HOSTILE)

    for text in (graph_svg(graph, HOSTILE), graph_json(graph), downloaded_svg(graph)):
        assert "<script" not in text
        assert "\x1b" not in text and "\u202e" not in text
        assert len(text) < 20_000
    ElementTree.fromstring(downloaded_svg(graph))


def test_ids_in_the_page_are_of_plain_letters_and_differ_where_ids_do() -> None:
    names = ["r1:[1]", "r1:(1)", "r1:_5b_1", "x" * 200, "x" * 201, "a b", ""]

    svg = graph_svg(DrawnGraph(tuple(claim(name, "given") for name in names)))

    ids = re.findall(r' id="([^"]*)"', svg)
    assert len(set(ids)) == len(names)
    assert all(re.fullmatch(r"n-[A-Za-z0-9_.:-]{0,80}", each) for each in ids)


def test_a_graph_of_nothing_is_a_picture_of_nothing_and_an_edge_to_nowhere_is_left_out() -> None:
    ElementTree.fromstring(graph_svg(DrawnGraph()))
    dangling = DrawnGraph((claim("a"),), (DrawnEdge("a", "gone"), DrawnEdge("gone", "a")))

    assert pictured(dangling).ways == ()
    assert json.loads(graph_json(DrawnGraph()))["boxes"] == []


def test_the_compact_form_has_the_boxes_ways_and_texts_of_the_drawing() -> None:
    graph = random_graph(50)
    picture = pictured(graph)

    value = json.loads(graph_json(picture))

    nodes = nodes_of(graph_svg(picture))
    assert {box["id"]: box["at"][:2] for box in value["boxes"]} == {
        name: [float(node.attrib["data-x"]), float(node.attrib["data-y"])] for name, node in nodes.items()
    }
    assert [box["look"] for box in value["boxes"]] == [node.attrib["class"] for node in nodes.values()]
    assert len(value["ways"]) == len(picture.ways)
    for way in value["ways"]:
        left, top, right, bottom = way["span"]
        assert left < right and top < bottom


def test_a_drawing_has_no_style_in_it_and_the_downloaded_one_has_its_colours_spelled_out() -> None:
    graph = random_graph(12)

    assert "style" not in graph_svg(graph, "?claim=")
    alone = downloaded_svg(graph)
    assert "<style>" in alone
    assert "var(" not in alone
    ElementTree.fromstring(f"<p>{legend_html()}</p>")
