"""A graph goes to Argdown and AIF and comes back; what other tools write is read; a bad file is refused at its line."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument import Edge, GraphStore, Node, Sentence, Source
from moot.argument.interchange import FileProblem, is_aif, read_aif, read_argdown, to_aif, to_argdown
from moot.argument.interchange.carried import edge_fields, node_fields
from tests.argument.worked_example import worked_example

HOSTILE = [
    "x [9] *bold* _it_ {no} \\ end",
    "see http://a//b /* not a comment */ <!-- nor this -->",
    "=== front === matter #tag @[mention] <script>alert(1)</script>",
    "e.g.this.one :smile:d: 9:30:15",
    "two\nlines\r\n\n\tand  gaps ",
    "-> [z] +> [y] (1) ---- 1. * _> ><",
    '"quoted" \'text\' } { } "',
    "\u2028 separators \x85 \x00 control \u200b",
    "日本語 العربية 😀 é́",
    "x" * 2000,
    "[a]: b",
    "//",
    "\\",
    "{",
    "+",
]
NASTY = st.sampled_from(HOSTILE) | st.text(
    alphabet=st.sampled_from("[]<>{}()#*_\\/:.=@+-,;|\"' \n\tab1é"), min_size=1, max_size=25
)
TEXTS = NASTY.filter(str.strip)
NAMES = TEXTS.filter(lambda text: len(text) <= 1000)
RUNS = st.frozensets(st.sampled_from(["r1", "r2", "a:b"]), min_size=1)
CONFIDENCES = st.sampled_from([0.0, 0.8, 0.123456, 1.0])
SOURCES = st.builds(
    lambda document, texts: Source(document, tuple(Sentence(document, n, text) for n, text in enumerate(texts))),
    NAMES,
    st.lists(st.just("") | TEXTS, min_size=1, max_size=3),
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Node], list[Edge]]:
    ids = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    nodes = [_node(draw, name) for name in ids]
    ends, runs = st.sampled_from(ids), {node.id: node.run_ids for node in nodes}
    edges: dict[Any, Edge] = {}
    for _ in range(draw(st.integers(0, 7))):
        src, dst, relation = draw(ends), draw(ends), draw(st.sampled_from(["supports", "attacks", "assumes"]))
        group = draw(st.none() | NAMES) if relation != "attacks" else None
        edge = Edge(src, dst, relation, draw(CONFIDENCES), draw(RUNS | st.just(runs[src])), group)
        edges[src, dst, relation, group] = edge
    return nodes, list(edges.values())


def _node(draw: st.DrawFn, name: str) -> Node:
    kind = draw(st.sampled_from(["conclusion", "given", "inference", "assumption"]))
    refuted = draw(st.booleans())
    return Node(
        name,
        draw(TEXTS),
        kind,
        draw(CONFIDENCES),
        draw(RUNS),
        refuted,
        draw(TEXTS) if refuted else None,
        ungrounded=draw(st.booleans()),
        sources=tuple(draw(st.lists(SOURCES, max_size=2))) if kind == "given" else (),
    )


def told(nodes: list[Node], edges: list[Edge]) -> tuple[Any, Any]:
    """The items that a reader should make of a graph; the order of edges does not matter."""
    items = [{"id": node.id, "claim": node.claim, **node_fields(node)} for node in nodes]
    held = [
        {"src": edge.src, "dst": edge.dst, **edge_fields(edge), **({"group": edge.group} if edge.group else {})}
        for edge in edges
    ]
    return items, sorted(map(_sorted, held))


def _sorted(item: dict[str, Any]) -> str:
    return json.dumps(item, sort_keys=True)


def came_back(carried: Any) -> tuple[Any, Any]:
    asserted = carried.graph["asserted"]
    assert carried.passed_over == ()
    return asserted["nodes"], sorted(map(_sorted, asserted["edges"]))


@given(graphs())
def test_every_graph_comes_back_from_argdown_as_it_was(graph):
    nodes, edges = graph

    text = to_argdown(nodes, edges)

    assert came_back(read_argdown(text)) == told(nodes, edges)


@given(graphs())
def test_every_graph_comes_back_from_aif_as_it_was(graph):
    nodes, edges = graph

    text = to_aif(nodes, edges)

    assert is_aif(json.loads(text))
    assert came_back(read_aif(json.loads(text))) == told(nodes, edges)


@pytest.mark.parametrize("form", ["argdown", "aif"])
def test_a_store_loads_what_it_wrote_with_the_same_figures(form):
    store = worked_example()
    store.mark_refuted("g", "D", "survey column misread")
    text = store.export("g", form)

    again = GraphStore()
    again.from_json("g", (read_argdown(text) if form == "argdown" else read_aif(json.loads(text))).graph)

    for function in ("check_structure", "support_width", "resilience", "disputed_nodes", "critical_links"):
        assert getattr(again, function)("g", "Z") == getattr(store, function)("g", "Z")
    assert again.surviving_claims("g") == store.surviving_claims("g")
    assert [node.refute_reason for node in again.nodes("g")] == [node.refute_reason for node in store.nodes("g")]


FOREIGN = """===
title: Somebody's map
===
# The question

[Veg]: One should not
  eat meat. #ethics {source: "a book"}
  + <Suffering>: Animals suffer.
    - [Pain]: Fish feel no pain.
  - Meat is needed.
      <- [Beans] // as somebody said

[Beans]: Beans have iron.

/* an aside
   of two lines */
<Climate>

(1) Cows make methane.
(2) [Warm]: Methane warms.
-- with these rules --
(3) [Heat]: Cows warm the world.
----
(4) [Veg]

[Heat] >< [Cool]
"""


def test_argdown_that_others_wrote_is_read_with_its_groups_and_types_and_the_rest_is_told():
    carried = read_argdown(FOREIGN.replace("[Heat] >< [Cool]", "[Heat]\n  >< [Cool]"))

    graph = carried.graph["asserted"]
    claims = {node["id"]: (node["claim"], node["type"]) for node in graph["nodes"]}
    assert claims == {
        "Veg": ("One should not eat meat.", "conclusion"),
        "Suffering": ("Animals suffer.", "given"),
        "Pain": ("Fish feel no pain.", "given"),
        "untitled 1": ("Meat is needed.", "given"),
        "Beans": ("Beans have iron.", "given"),
        "untitled 2": ("Cows make methane.", "given"),
        "Warm": ("Methane warms.", "given"),
        "Heat": ("Cows warm the world.", "inference"),
        "Cool": ("Cool", "given"),
    }
    edges = {(edge["src"], edge["relation"], edge["dst"], edge.get("group")) for edge in graph["edges"]}
    assert edges == {
        ("Suffering", "supports", "Veg", None),
        ("Pain", "attacks", "Suffering", None),
        ("untitled 1", "attacks", "Veg", None),
        ("Beans", "attacks", "untitled 1", None),
        ("untitled 2", "supports", "Heat", "Climate, step 1"),
        ("Warm", "supports", "Heat", "Climate, step 1"),
        ("Heat", "supports", "Veg", None),
        ("Heat", "attacks", "Cool", None),
        ("Cool", "attacks", "Heat", None),
    }
    assert carried.passed_over == ("data that is not JSON (1)", "tag (1)")


def test_words_changed_by_hand_count_more_than_what_the_data_has_letter_by_letter():
    text = to_argdown([Node("a", "two\nlines", "given", 0.8, frozenset(["r1"]))], [])

    kept, changed = read_argdown(text), read_argdown(text.replace("]: two lines", "]: three lines"))

    assert [one.graph["asserted"]["nodes"][0]["claim"] for one in (kept, changed)] == ["two\nlines", "three lines"]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("  + [a]: b", 1, "nothing stands above this +"),
        ("[a]: b\n\n  _> [c]", 3, "attacks an inference"),
        ("[a]: b\n\n----\n(1) [a]", 3, "this inference has no premises"),
        ("(1) [a]\n(2) [b]\n\n[c]: d", 1, "these premises have no conclusion"),
        ("(1) [a]\n----\n", 1, "these premises have no conclusion"),
        ("<A>\n\n(1) [a]\n----\n(2) [b]\n\n[c]: d\n  -> <A>", 8, "<A> has premises of its own"),
        ("[a]: b\n[c]: " + "x" * 2001, 2, "at most 2000 are taken"),
        ('[a]: b {"confidence": 7}', 1, "confidence must be from 0 to 1"),
        ('[a]: b\n\n[c]: d {"id": "a"}', 3, "the id 'a' is given to two claims"),
        ("[a]: b {source: c", 1, "has no end; close it with }"),
    ],
)
def test_argdown_that_has_no_place_in_a_graph_is_refused_at_its_line_with_the_way_out(text, line, says):
    with pytest.raises(FileProblem) as refused:
        read_argdown(text)

    assert (refused.value.line, says in str(refused.value)) == (line, True), refused.value
    assert ";" in str(refused.value)


def test_aif_of_others_is_read_and_what_has_no_place_is_told():
    nodes = [
        {"nodeID": "1", "text": "It rained.", "type": "I"},
        {"nodeID": 2, "text": "The road is wet.", "type": "I"},
        {"nodeID": "3", "text": "Rain wets roads.", "type": "I"},
        {"nodeID": "4", "text": "Default Inference", "type": "RA"},
        {"nodeID": "5", "text": "Default Conflict", "type": "CA"},
        {"nodeID": "6", "text": "Ann said so.", "type": "L"},
        {"nodeID": "7", "text": "The gauge was dry.", "type": "I"},
        {"nodeID": "8", "text": "Default Conflict", "type": "CA"},
    ]
    ends = [(1, 4), (3, 4), (4, 2), (7, 5), (5, 1), (7, 8), (8, 4)]
    edges = [{"edgeID": str(n), "fromID": src, "toID": str(dst)} for n, (src, dst) in enumerate(ends)]

    carried = read_aif({"nodes": nodes, "edges": edges, "locutions": []})

    graph = carried.graph["asserted"]
    assert [(node["id"], node["type"]) for node in graph["nodes"]] == [
        ("1", "given"),
        ("2", "conclusion"),
        ("3", "given"),
        ("7", "given"),
    ]
    assert [(edge["src"], edge["dst"], edge["relation"], edge.get("group")) for edge in graph["edges"]] == [
        ("1", "2", "supports", "RA 4"),
        ("3", "2", "supports", "RA 4"),
        ("7", "1", "attacks", None),
    ]
    assert carried.passed_over == ("1 of the kind CA that joins no two claims", "1 of the kind L")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "an AIF file is an object"),
        ({"nodes": [{"text": "a"}]}, "node 1 has no nodeID"),
        ({"nodes": [{"nodeID": "1", "type": "I", "text": "a"}] * 2}, "node 2 has the nodeID of another (1)"),
        ({"nodes": [], "edges": [{"fromID": "1", "toID": "2"}]}, "edge 1 names the node '1', which is not there"),
        ({"nodes": [{"nodeID": "1", "type": "I"}]}, "claim must be a text"),
        ({"nodes": [], "edges": 3}, "an AIF file is an object"),
    ],
)
def test_what_is_no_aif_is_refused_with_the_way_out(data, says):
    with pytest.raises(FileProblem) as refused:
        read_aif(data)

    assert says in str(refused.value)


PARSE = """
const { argdown } = require("@argdown/core/dist/argdown");
const read = argdown.run({
  process: ["parse-input", "build-model"], input: require("fs").readFileSync(0, "utf8"), logLevel: "error"
});
const statements = Object.values(read.statements || {}).map((one) => ({
  title: one.title, text: one.members.map((m) => m.text).find(Boolean), data: one.data, tags: one.tags,
  relations: (one.relations || []).filter((r) => r.from === one).map((r) => [r.relationType, r.to.title]),
}));
const premises = Object.values(read.arguments || {}).map((one) => (one.pcs || []).map((s) => [s.role, s.title]));
console.log(JSON.stringify({ errors: (read.parserErrors || []).map((e) => e.message), statements, premises }));
"""


def parsed_by_argdown(text: str) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    found = subprocess.run([node, "-e", 'require.resolve("@argdown/core")'], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("@argdown/core is not installed; put its node_modules into NODE_PATH")
    done = subprocess.run([node, "-e", PARSE], input=text, capture_output=True, text=True, check=True, env=os.environ)
    return json.loads(done.stdout)


@pytest.mark.parametrize("text", ['{"a": 1}', '[{"nodes": []}]', '{"a": 1}\n'])
def test_json_is_no_argdown(text):
    with pytest.raises(FileProblem, match="this is JSON and no Argdown; read it as json"):
        read_argdown(text)

    assert parsed_by_argdown(text)["errors"]


@pytest.mark.parametrize("text", ["[1]", '["a"]'])
def test_a_title_in_brackets_is_argdown_though_json_has_such_lists_too(text):
    [node] = read_argdown(text).graph["asserted"]["nodes"]

    assert node["id"] == text[1:-1]
    assert parsed_by_argdown(text)["errors"] == []


def test_argdowns_own_parser_reads_hostile_claims_letter_by_letter_with_relations_and_groups():
    nodes = [Node(f"n{n}", claim, "given", 0.8, frozenset(["r1"])) for n, claim in enumerate(HOSTILE)]
    edges = [Edge(f"n{n}", "n0", "supports" if n % 2 else "attacks", 0.8, frozenset(["r1"])) for n in range(1, 6)]
    edges += [Edge(f"n{n}", "n1", "supports", 0.5, frozenset(["r1"]), "both { ]") for n in (7, 8)]

    read = parsed_by_argdown(to_argdown(nodes, edges))

    assert read["errors"] == []
    claims = {
        one["title"]: (one["data"].get("claim"), one["text"].removesuffix("#given ")) for one in read["statements"]
    }
    for node in nodes:
        exact, prose = claims[node.id]
        assert node.claim == (exact if exact is not None else prose.strip())
    drawn = {(one["title"], *relation) for one in read["statements"] for relation in one["relations"]}
    assert drawn == {(e.src, e.relation.removesuffix("s"), e.dst) for e in edges if e.group is None}
    assert read["premises"] == [[["premise", "n7"], ["premise", "n8"], ["main-conclusion", "n1"]]]
