"""The formats of other tools can be read back, whatever a claim contains."""

import io
import json

import networkx as nx
import pytest

from moot.argument import GraphError, GraphStore
from tests.argument.worked_example import worked_example

NASTY = 'a "quoted" <tag> & \\ [link] #hash\nsecond line'


def nasty_store():
    store = GraphStore()
    nodes = [{"id": 'x"]:1', "claim": NASTY, "type": "given"}, {"id": "y", "claim": "birds sing", "type": "conclusion"}]
    store.assert_graph("g", nodes, [{"src": 'x"]:1', "dst": "y", "relation": "supports"}])
    return store


def test_graphml_is_read_by_networkx():
    graph = nx.read_graphml(io.BytesIO(nasty_store().export("g", "graphml").encode()))

    assert graph.nodes['x"]:1']["claim"] == NASTY
    assert graph.nodes["y"]["type"] == "conclusion" and graph.number_of_edges() == 1


def test_dot_mermaid_and_argdown_name_every_claim_and_escape_marks():
    store = nasty_store()

    assert r"\"quoted\"" in store.export("g", "dot")
    assert '"]:1' not in store.export("g", "mermaid").replace('"]:::', "")
    assert '[x"):1]' in store.export("g", "argdown")
    assert all(len(worked_example().export("g", name)) > 200 for name in ("argdown", "dot", "mermaid", "graphml"))


def test_what_a_terminal_acts_on_is_written_as_its_number_and_read_back():
    store = GraphStore()
    store.assert_graph("g", [{"id": "a\u009b", "claim": "b\u202ec\u009b2J\x1bd", "type": "conclusion"}], [])

    texts = {name: store.export("g", name) for name in ("argdown", "aif", "dot", "mermaid", "graphml")}

    assert not [name for name, text in texts.items() for letter in "\u009b\u202e\x1b" if letter in text]
    assert json.loads(texts["aif"])["nodes"][0]["text"] == "b\u202ec\u009b2J\x1bd"
    assert "b&#8238;c&#155;2J&#27;d" in texts["dot"] and "b#8238;c#155;2J#27;d" in texts["mermaid"]


def test_an_unknown_format_is_named_with_the_known_ones():
    with pytest.raises(GraphError, match="argdown, aif, dot, mermaid, graphml"):
        worked_example().export("g", "png")
