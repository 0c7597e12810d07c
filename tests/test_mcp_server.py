"""The MCP tools over stdio give what the library gives (interrogation 3.2, M3)."""

import asyncio
import os
import sys

import pytest

mcp = pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters  # noqa: E402

from tests.argument.worked_example import R1_EDGES, R1_NODES, R2_EDGES, R2_NODES, worked_example  # noqa: E402

TOOLS = [
    "assert_graph",
    "merge_duplicates",
    "check_structure",
    "critical_links",
    "support_width",
    "surviving_claims",
    "mark_refuted",
    "disputed_nodes",
]


async def conversation(calls):
    # The client hands its server a bare environment; where Moot lies must be told.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server = StdioServerParameters(command=sys.executable, args=["-m", "moot.mcp_server"], env=environment)
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        return tools, [(await client.call_tool(name, arguments)).structured_content for name, arguments in calls]


@pytest.mark.clause("argument:M3")
def test_the_eight_tools_answer_over_stdio_as_the_library_does():
    conclusion = {"graph_id": "g", "conclusion_id": "Z"}
    calls = [
        ("assert_graph", {"graph_id": "g", "nodes": R1_NODES, "edges": R1_EDGES, "run_id": "r1"}),
        ("assert_graph", {"graph_id": "g", "nodes": R2_NODES, "edges": R2_EDGES, "run_id": "r2"}),
        ("merge_duplicates", {"graph_id": "g"}),
        ("check_structure", conclusion),
        ("critical_links", conclusion),
        ("support_width", conclusion),
        ("surviving_claims", {"graph_id": "g"}),
        ("disputed_nodes", conclusion),
        ("mark_refuted", {"graph_id": "g", "node_id": "D", "reason": "survey column misread"}),
        ("check_structure", {"graph_id": "none", "conclusion_id": "Z"}),
    ]

    tools, answers = asyncio.run(conversation(calls))

    assert [tool.name for tool in tools] == TOOLS
    assert all(tool.description and next(iter(tool.input_schema["properties"])) == "graph_id" for tool in tools)
    store = worked_example()
    expected = [getattr(store, name)(*arguments.values()) for name, arguments in calls[2:]]
    assert answers[2:] == expected
    assert answers[0] == {"accepted_nodes": 7, "accepted_edges": 6, "rejected": [], "auto_merged": []}
