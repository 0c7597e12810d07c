"""The argument graph as eight MCP tools over stdio: external working memory for any agent (interrogation 3.2, M3).

Each tool hands its arguments to `GraphStore` and returns its payload. Nothing is decided here.
"""

from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field

from moot.argument import GraphStore

Payload = dict[str, object]
Nodes = Annotated[
    list[Any], Field(description="id, claim (one sentence), type given|inference|assumption|conclusion, confidence 0-1")
]
Edges = Annotated[list[Any], Field(description="src, dst, relation supports|attacks|assumes, confidence 0-1")]
Pairs = Annotated[list[Any], Field(description="pairs of node ids that must never be merged")]


def build_server(store: GraphStore) -> MCPServer:
    """Return a server whose eight tools are the eight functions of a store."""
    server = MCPServer("moot", instructions="Write an argument down as a graph, then ask what holds it up.")

    @server.tool(description="Add claims and their relations to a graph; claims that say the same are merged.")
    def assert_graph(
        graph_id: str, nodes: Nodes, edges: Edges, run_id: str | None = None, cannot_link: Pairs | None = None
    ) -> Payload:
        return store.assert_graph(graph_id, nodes, edges, run_id=run_id, cannot_link=cannot_link or [])

    @server.tool(description="Compare all claims of a graph again and merge duplicates; lists contradictions found.")
    def merge_duplicates(graph_id: str, jaccard_threshold: float = 0.7, ratio_threshold: float = 0.85) -> Payload:
        return store.merge_duplicates(graph_id, jaccard_threshold, ratio_threshold)

    @server.tool(description="Find unsupported claims, circular reasoning, and whether evidence reaches a conclusion.")
    def check_structure(graph_id: str, conclusion_id: str) -> Payload:
        return store.check_structure(graph_id, conclusion_id)

    @server.tool(description="Find what a conclusion hangs on: the fewest claims that would sink it, and weak links.")
    def critical_links(graph_id: str, conclusion_id: str) -> Payload:
        return store.critical_links(graph_id, conclusion_id)

    @server.tool(description="Count the independent lines of support from givens to a conclusion, and list them.")
    def support_width(graph_id: str, conclusion_id: str) -> Payload:
        return store.support_width(graph_id, conclusion_id)

    @server.tool(description="Work out which claims stand, fall or stay undecided under all attacks.")
    def surviving_claims(graph_id: str) -> Payload:
        return store.surviving_claims(graph_id)

    @server.tool(description="Mark a claim as refuted, with the reason; tells how much support each conclusion lost.")
    def mark_refuted(graph_id: str, node_id: str, reason: str) -> Payload:
        return store.mark_refuted(graph_id, node_id, reason)

    @server.tool(description="List what to verify next: contradictions, and load-bearing claims of a single run.")
    def disputed_nodes(graph_id: str, conclusion_id: str) -> Payload:
        return store.disputed_nodes(graph_id, conclusion_id)

    return server


def main() -> None:
    """Serve an empty store over stdin and stdout until the client leaves."""
    build_server(GraphStore()).run("stdio")


if __name__ == "__main__":
    main()
