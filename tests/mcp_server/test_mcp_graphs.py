"""An agent's argument graphs: what it is shown of their shape, how it reads them back, and what it can take back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")
pytest.importorskip("fastapi")

from hypothesis import given
from hypothesis import strategies as st
from mcp.types import TextContent, Tool

from moot.argument import GraphStore
from moot.argument.graph import NODE_TYPES, RELATIONS
from moot.mcp_server import build_server
from moot.mcp_server.answering import page_of
from moot.mcp_server.server import offered_members
from moot.service.workplace import open_own_process
from moot.version import __version__
from tests.mcp_server.kit import PLACES, Agent, at_work

NODES = [
    {"id": "a", "claim": "the survey lists server x9", "type": "given", "confidence": 0.9},
    {"id": "b", "claim": "rack 7 has power all night", "type": "given"},
    {"id": "z", "claim": "server x9 can run the nightly job", "type": "conclusion"},
]
EDGES = [{"src": name, "dst": "z", "relation": "supports"} for name in "ab"]
CASE = {"graph_id": "case", "nodes": NODES, "edges": EDGES}
ASKED = {"graph_id": "case", "conclusion_id": "z"}

READ_ONLY = {
    "check_structure",
    "critical_links",
    "support_width",
    "surviving_claims",
    "disputed_nodes",
    "resilience",
    "show_graph",
    "list_graphs",
    "deliberation_status",
    "open_step",
    "verify_claim",
    "check_claim",
}
AGAIN_DOES_MORE = {"deliberate", "fill_open_step"}


def tools_of(tmp_path: Path) -> dict[str, Tool]:
    async def scene(at: Agent) -> dict[str, Tool]:
        return {tool.name: tool for tool in (await at.client.list_tools()).tools}

    return at_work("own", tmp_path, scene)


@pytest.mark.clause("argument:M3")
def test_an_agent_is_shown_the_fields_and_the_words_of_every_item(tmp_path):
    tools = tools_of(tmp_path)

    shape = tools["assert_graph"].input_schema
    node, edge, pair = (shape["properties"][name]["items"] for name in ("nodes", "edges", "cannot_link"))
    assert node["properties"]["type"]["enum"] == list(NODE_TYPES)
    assert edge["properties"]["relation"]["enum"] == list(RELATIONS)
    assert (node["required"], edge["required"]) == (["id", "claim", "type"], ["src", "dst", "relation"])
    assert (pair["minItems"], pair["maxItems"], pair["items"]) == (2, 2, {"type": "string"})
    assert shape["required"] == ["graph_id", "nodes"]


@pytest.mark.clause("argument:M3")
def test_a_default_is_what_the_schema_takes_and_thresholds_say_their_range(tmp_path):
    schemas = {name: tool.input_schema["properties"] for name, tool in tools_of(tmp_path).items()}

    fields = [field for shape in schemas.values() for field in shape.values()]
    assert not [field for field in fields if field.get("default", "") is None and "anyOf" not in field]
    for name in ("jaccard_threshold", "ratio_threshold"):
        field = schemas["merge_duplicates"][name]
        assert (field["exclusiveMinimum"], field["maximum"]) == (0, 1)


@pytest.mark.clause("argument:M3")
def test_an_agent_is_told_the_members_on_offer_and_the_settings_of_each_protocol(tmp_path):
    offered = offered_members({"MOOT_CONFIG": "none", "MOOT_MEMBERS": "ollama:a", "MOOT_SERVE_MEMBERS": "ollama:b"})
    elsewhere = offered_members({"MOOT_CONFIG": "none", "MOOT_MEMBERS": "ollama:a"}, "http://127.0.0.1:8017")

    async def description(members: tuple[str, ...]) -> str:
        async with open_own_process({"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"}) as workplace:
            tools = await build_server(workplace, members).list_tools()
        return next(tool.description or "" for tool in tools if tool.name == "deliberate")

    assert "`members` on offer: ollama:a, ollama:b." in asyncio.run(description(offered))
    assert (elsewhere, "on offer" in asyncio.run(description(elsewhere))) == ((), False)
    assert "single (passages, temperature, max_tokens); vote (n, stop," in asyncio.run(description(()))


@pytest.mark.clause("argument:M3")
def test_every_argument_of_every_tool_is_described_and_no_other_is_taken(tmp_path):
    schemas = {name: tool.input_schema for name, tool in tools_of(tmp_path).items()}

    bare = [
        (tool, name)
        for tool, shape in schemas.items()
        for name, field in shape["properties"].items()
        if not field.get("description")
    ]
    assert bare == []
    assert all(shape["additionalProperties"] is False for shape in schemas.values())


@pytest.mark.clause("argument:M3")
def test_no_array_of_any_tool_leaves_its_items_open(tmp_path):
    def bare(schema: Any) -> bool:
        if isinstance(schema, list):
            return any(bare(part) for part in schema)
        if not isinstance(schema, dict):
            return False
        return (schema.get("type") == "array" and not schema.get("items")) or any(map(bare, schema.values()))

    assert bare({"properties": {"nodes": {"type": "array", "items": {}}}})
    assert not [name for name, tool in tools_of(tmp_path).items() if bare(tool.input_schema)]


@pytest.mark.clause("argument:M3")
def test_a_host_is_told_which_tools_change_something(tmp_path):
    tools = tools_of(tmp_path)

    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert set(hints) == set(tools)
    assert {name for name, hint in hints.items() if hint.read_only_hint} == READ_ONLY
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {"merge_duplicates"}
    assert {name for name, hint in hints.items() if hint.idempotent_hint is False} == AGAIN_DOES_MORE
    assert {name for name, hint in hints.items() if hint.open_world_hint} == AGAIN_DOES_MORE
    assert all(hint.title and hint.title != name for name, hint in hints.items())


@pytest.mark.clause("argument:M3")
def test_the_server_tells_its_version_and_text_is_compact(tmp_path):
    async def scene(at: Agent) -> Any:
        await at.call("assert_graph", **CASE)
        return at.client.server_info, await at.client.call_tool("show_graph", {"graph_id": "case"})

    info, shown = at_work("own", tmp_path, scene)

    assert (info.name, info.version) == ("moot", __version__)
    (text,) = [part.text for part in shown.content if isinstance(part, TextContent)]
    assert text == json.dumps(shown.structured_content, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_an_agent_lists_its_graphs_and_reads_them_back_page_by_page(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        none = await at.call("list_graphs")
        await at.call("assert_graph", **CASE)
        await at.call("assert_graph", graph_id="another", nodes=NODES[:1])
        lists = [await at.call("list_graphs"), await at.call("list_graphs", limit=1)]
        pages = [await at.call("show_graph", graph_id="case", limit=2, offset=offset) for offset in (0, 2)]
        return [none, *lists, await at.call("show_graph", graph_id="case"), *pages]

    none, every, some, whole, first, second = at_work(place, tmp_path, scene)

    store = GraphStore()
    store.assert_graph("case", NODES, EDGES)
    kept = store.to_json("case")
    assert none == {"graphs": []}
    assert every == {"graphs": ["another", "case"]}
    assert some == {"graphs": ["another"], "truncated": {"graphs": 2}, "next_offset": 1}
    assert whole == {"nodes": kept["nodes"], "edges": kept["edges"]}
    assert first == {"nodes": kept["nodes"][:2], "edges": kept["edges"], "truncated": {"nodes": 3}, "next_offset": 2}
    assert second == {"nodes": kept["nodes"][2:], "edges": []}


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_a_refutation_is_taken_back_and_the_graph_shows_both(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        await at.call("assert_graph", **CASE)
        made = await at.call("mark_refuted", graph_id="case", node_id="a", reason="the survey is old")
        between = await at.call("show_graph", graph_id="case")
        undone = await at.call("undo_refuted", graph_id="case", node_id="a")
        return [made, between, undone, await at.call("show_graph", graph_id="case")]

    made, between, undone, after = at_work(place, tmp_path, scene)

    assert (made["width_before"], made["width_after"]) == (2, 1)
    assert (undone["width_before"], undone["width_after"]) == (1, 2)
    fate = [(graph["nodes"][0]["refuted"], graph["nodes"][0]["refute_reason"]) for graph in (between, after)]
    assert fate == [(True, "the survey is old"), (False, None)]


@pytest.mark.clause("argument:M3")
def test_a_limit_cuts_every_list_of_an_assessment_and_without_one_nothing_is_cut(tmp_path):
    calls = [(tool, ASKED) for tool in ("check_structure", "critical_links", "support_width", "disputed_nodes")]
    calls += [("surviving_claims", {"graph_id": "case"})]
    nodes = [
        *NODES,
        *({"id": f"i{n}", "claim": claim, "type": "inference"} for n, claim in enumerate(("cats", "dogs"))),
    ]

    async def scene(at: Agent) -> list[Any]:
        await at.call("assert_graph", **{**CASE, "nodes": nodes}, run_id="r1")
        return [
            [await at.call(tool, **told, **page) for page in ({}, {"limit": 1}, {"limit": 1, "offset": 1})]
            for tool, told in calls
        ]

    answers = at_work("own", tmp_path, scene)

    store = GraphStore()
    store.assert_graph("case", nodes, EDGES, run_id="r1")
    for (whole, first, second), (tool, told) in zip(answers, calls, strict=True):
        expected = getattr(store, tool)(**told)
        assert whole == expected
        assert (first, second) == (page_of(expected, 1), page_of(expected, 1, 1))
        assert first["next_offset"] == 1 and first != second


@pytest.mark.clause("argument:M3")
@given(st.lists(st.integers(), max_size=12), st.integers(1, 5))
def test_the_pages_of_a_list_make_the_whole_of_it(entries, limit):
    pages: list[int] = []
    offset: Any = 0

    while offset is not None:
        page: Any = page_of({"entries": entries, "exact": True}, limit, offset)
        pages += page["entries"]
        offset = page.get("next_offset")
        assert page["exact"] is True and len(page["entries"]) <= limit
        assert page.get("truncated", {"entries": len(entries)}) == {"entries": len(entries)}

    assert pages == entries


@pytest.mark.clause("argument:M3")
def test_without_run_ids_nothing_is_of_a_single_run_and_with_them_it_is(tmp_path):
    async def scene(at: Agent) -> list[Any]:
        await at.call("assert_graph", **CASE)
        unnamed = await at.call("disputed_nodes", **ASKED)
        await at.call("assert_graph", **{**CASE, "graph_id": "runs"}, run_id="r1")
        return [unnamed, await at.call("disputed_nodes", graph_id="runs", conclusion_id="z")]

    unnamed, named = at_work("own", tmp_path, scene)

    assert unnamed["isolated_load_bearing"] == []
    assert [entry["id"] for entry in named["isolated_load_bearing"]] == ["a", "b", "z"]
