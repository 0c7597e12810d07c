"""The tools of the argument graph: the paper's eight, and what a working memory needs beside them (interrogation 3.2).

The eight give what the library gives; a `limit` cuts their lists only where the caller names one.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server import MCPServer

from moot.mcp_server.answering import ALL_REFUSED, BAD_ARGUMENTS, Payload, ToolRefusal, page_of, tell
from moot.mcp_server.arguments import (
    MOST_ITEMS,
    ByLetters,
    ByWords,
    Conclusion,
    Edges,
    GraphId,
    Limit,
    MaybeLimit,
    MaybePairs,
    NodeId,
    Nodes,
    Offset,
    Pairs,
    Reason,
    RunId,
    changes,
    reads,
)
from moot.service.workplace import GraphFunction, Workplace

SHOWN = ("nodes", "edges", "sentences", "merges")
Call = Callable[..., Awaitable[Payload]]


def add_graph_tools(server: MCPServer, workplace: Workplace) -> None:
    """Add all tools of the argument graph to a server."""

    async def graph(function: GraphFunction, graph_id: str, **arguments: Any) -> Payload:
        return await tell(workplace.graph(function, graph_id, arguments))

    _add_asserting(server, graph)
    _add_assessing(server, graph)
    _add_disputing(server, graph)
    _add_revising(server, graph)
    _add_reading(server, workplace)


def _add_asserting(server: MCPServer, graph: Call) -> None:
    @server.tool(
        description="Add claims and their relations to a graph, which the first call makes; claims that say the same "
        "are merged. An item that cannot be taken is refused alone, with the reason. `run_id` names the independent "
        "run that found all of these: leave it out where there is only one author.",
        annotations=changes("Add claims to a graph"),
    )
    async def assert_graph(
        graph_id: GraphId,
        nodes: Nodes,
        edges: Edges,
        cannot_link: MaybePairs,
        run_id: RunId = None,
    ) -> Payload:
        links, pairs = edges or [], cannot_link or []
        if not (nodes or links or pairs):
            raise ToolRefusal("there is nothing to take in; give at least one claim in `nodes`.", BAD_ARGUMENTS)
        report = await graph("assert_graph", graph_id, nodes=nodes, edges=links, run_id=run_id, cannot_link=pairs)
        return _taken(report, len(nodes) + len(links) + len(pairs))

    @server.tool(
        description="Compare all claims of a graph again and merge duplicates; lists contradictions found. Lower "
        "thresholds merge more; `keep_apart` takes a merge back.",
        annotations=changes("Merge duplicate claims", destroys=True),
    )
    async def merge_duplicates(
        graph_id: GraphId, jaccard_threshold: ByWords = 0.7, ratio_threshold: ByLetters = 0.85
    ) -> Payload:
        thresholds = {"jaccard_threshold": jaccard_threshold, "ratio_threshold": ratio_threshold}
        return await graph("merge_duplicates", graph_id, **thresholds)


def _taken(report: Payload, sent: int) -> Payload:
    """Return the report of a call that sent so many items; one of which every item was refused is refused itself."""
    refused = report.get("rejected")
    if isinstance(refused, list) and refused and len(refused) == sent:
        more = f" (and {len(refused) - 1} more, in `rejected`)" if len(refused) > 1 else ""
        raise ToolRefusal(f"nothing was taken in: {refused[0]['reason']}{more}.", ALL_REFUSED, **report)
    return report


def _add_assessing(server: MCPServer, graph: Call) -> None:
    @server.tool(
        description="Find unsupported claims, circular reasoning, and whether evidence reaches a conclusion.",
        annotations=reads("Check the structure of an argument"),
    )
    async def check_structure(
        graph_id: GraphId, conclusion_id: Conclusion, limit: MaybeLimit = None, offset: Offset = 0
    ) -> Payload:
        return page_of(await graph("check_structure", graph_id, conclusion_id=conclusion_id), limit, offset)

    @server.tool(
        description="Find what a conclusion hangs on: the fewest claims that would sink it, and weak links, the least "
        "confident first. In a large graph name a `limit`.",
        annotations=reads("Find what a conclusion hangs on"),
    )
    async def critical_links(
        graph_id: GraphId, conclusion_id: Conclusion, limit: MaybeLimit = None, offset: Offset = 0
    ) -> Payload:
        return page_of(await graph("critical_links", graph_id, conclusion_id=conclusion_id), limit, offset)

    @server.tool(
        description="Count the independent lines of support from givens to a conclusion, and list them.",
        annotations=reads("Count independent lines of support"),
    )
    async def support_width(
        graph_id: GraphId, conclusion_id: Conclusion, limit: MaybeLimit = None, offset: Offset = 0
    ) -> Payload:
        return page_of(await graph("support_width", graph_id, conclusion_id=conclusion_id), limit, offset)

    @server.tool(
        description="Work out which claims stand, fall or stay undecided under all attacks.",
        annotations=reads("Work out which claims survive"),
    )
    async def surviving_claims(graph_id: GraphId, limit: MaybeLimit = None, offset: Offset = 0) -> Payload:
        return page_of(await graph("surviving_claims", graph_id), limit, offset)


def _add_disputing(server: MCPServer, graph: Call) -> None:
    @server.tool(
        description="Mark a claim as refuted, with the reason; tells how much support each conclusion lost. "
        "`undo_refuted` takes it back.",
        annotations=changes("Refute a claim"),
    )
    async def mark_refuted(graph_id: GraphId, node_id: NodeId, reason: Reason) -> Payload:
        return await graph("mark_refuted", graph_id, node_id=node_id, reason=reason)

    @server.tool(
        description="List what to verify next: contradictions, and load-bearing claims of a single run, where runs "
        "are named.",
        annotations=reads("List what to verify next"),
    )
    async def disputed_nodes(
        graph_id: GraphId, conclusion_id: Conclusion, limit: MaybeLimit = None, offset: Offset = 0
    ) -> Payload:
        return page_of(await graph("disputed_nodes", graph_id, conclusion_id=conclusion_id), limit, offset)


def _add_revising(server: MCPServer, graph: Call) -> None:
    @server.tool(
        description="Keep pairs of claims from ever being merged; a merge that joined two of them is taken back.",
        annotations=changes("Keep claims apart"),
    )
    async def keep_apart(graph_id: GraphId, pairs: Pairs) -> Payload:
        return _taken(await graph("keep_apart", graph_id, pairs=pairs), len(pairs))

    @server.tool(
        description="Take a refutation back; tells how much support each conclusion regained.",
        annotations=changes("Take a refutation back"),
    )
    async def undo_refuted(graph_id: GraphId, node_id: NodeId) -> Payload:
        return await graph("undo_refuted", graph_id, node_id=node_id)

    @server.tool(
        description="Find how few claims or sentences must be wrong before a conclusion falls, and which; premises of "
        "one group hold only together.",
        annotations=reads("Find how little would sink a conclusion"),
    )
    async def resilience(graph_id: GraphId, conclusion_id: Conclusion) -> Payload:
        return await graph("resilience", graph_id, conclusion_id=conclusion_id)


def _add_reading(server: MCPServer, workplace: Workplace) -> None:
    @server.tool(
        description="Read a graph back: its claims after merging, with the ids that were merged as `aliases`, its "
        "relations, those that a contradiction made included, the sentences beneath givens, and every merge with its "
        "reason. A long graph comes in pages.",
        annotations=reads("Read a graph back"),
    )
    async def show_graph(graph_id: GraphId, limit: Limit = MOST_ITEMS, offset: Offset = 0) -> Payload:
        whole = await tell(workplace.show_graph(graph_id))
        return page_of({name: whole[name] for name in SHOWN if name in whole}, limit, offset)

    @server.tool(description="List the names of your graphs.", annotations=reads("List the graphs"))
    async def list_graphs(limit: Limit = MOST_ITEMS, offset: Offset = 0) -> Payload:
        return page_of(await tell(workplace.list_graphs()), limit, offset)
