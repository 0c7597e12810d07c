"""An argument graph as an agent's memory, over MCP: written down, assessed, corrected, read back.

python examples/graph_memory.py                      with the `mcp` client for Python; it starts `moot mcp` itself
"""

import asyncio
import os
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import TextContent

MOOT = StdioServerParameters(command="moot", args=["mcp"], env=dict(os.environ))
NODES = [
    {"id": "log", "claim": "The log names the Kestrel on Monday.", "type": "given"},
    {"id": "crew", "claim": "Two of the crew saw the Kestrel leave.", "type": "given"},
    {"id": "crew2", "claim": "Two of the crew saw the Kestrel leave!", "type": "given"},
    {"id": "sea", "claim": "The ship at sea is the Kestrel.", "type": "conclusion"},
]
EDGES = [{"src": name, "dst": "sea", "relation": "supports"} for name in ("log", "crew", "crew2")]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("assert_graph", {"graph_id": "ship", "nodes": NODES, "edges": EDGES}),
    ("support_width", {"graph_id": "ship", "conclusion_id": "sea", "limit": 1}),
    ("keep_apart", {"graph_id": "ship", "pairs": [["crew", "crew2"]]}),
    ("mark_refuted", {"graph_id": "ship", "node_id": "log", "reason": "the log was forged"}),
    ("undo_refuted", {"graph_id": "ship", "node_id": "log"}),
    ("disputed_nodes", {"graph_id": "ship", "conclusion_id": "sea"}),
    ("list_graphs", {}),
    ("assert_graph", {"graph_id": "ship", "nodes": [{"id": "tide", "claim": "The tide was high.", "type": "premise"}]}),
    ("support_width", {"graph_id": "ship", "conclusion": "sea"}),
    ("check_claim", {"claim": "91 is prime"}),
]


async def main() -> None:
    async with Client(MOOT) as client:
        if server := client.server_info:
            print(server.name, server.version)
        for tool, arguments in CALLS:
            result = await client.call_tool(tool, arguments)
            print(f"{tool}: {''.join(part.text for part in result.content if isinstance(part, TextContent))}")


asyncio.run(main())
