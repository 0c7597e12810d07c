"""Mutants of the tools over MCP: what reaches the graph, how long lists go out, what goes wrong and how it is told."""

from tests.mutants.mutant import Mutant

SERVER, GRAPHS, ERRORS = (f"mcp_server/test_mcp_{name}.py" for name in ("server", "graphs", "errors"))
TOOLS, ANSWERING, ARGUMENTS = (f"mcp_server/{name}.py" for name in ("graph_tools", "answering", "arguments"))
ASKING = "mcp_server/deliberation_tools.py"


def _m3(file: str, old: str, new: str, test: str) -> Mutant:
    return Mutant("argument:M3", file, old, new, (test,))


MUTANTS = (
    # What an agent sends reaches the graph, and nothing else does.
    _m3(TOOLS, "edges or [], cannot_link or []", "edges or [], list[Any]()", SERVER),
    _m3(TOOLS, "edges or [], cannot_link or []", "list[Any](), cannot_link or []", SERVER),
    _m3(TOOLS, "run_id=run_id", "run_id=None", GRAPHS),
    _m3(TOOLS, '"jaccard_threshold": jaccard_threshold', '"jaccard_threshold": 0.7', SERVER),
    _m3(TOOLS, '"ratio_threshold": ratio_threshold', '"ratio_threshold": 0.85', SERVER),
    _m3(TOOLS, 'graph("resilience", graph_id', 'graph("support_width", graph_id', SERVER),
    _m3(TOOLS, 'graph("keep_apart", graph_id, pairs=pairs)', 'graph("keep_apart", graph_id, pairs=[])', SERVER),
    _m3(TOOLS, "node_id=node_id, reason=reason", 'node_id=node_id, reason=""', GRAPHS),
    _m3(ASKING, '{"asserted": _, **graph}', '{"as": _, **graph}', SERVER),
    # Pages.
    _m3(ANSWERING, "offset + limit", "limit", GRAPHS),
    _m3(ANSWERING, "len(v) > end}", "len(v) >= end}", GRAPHS),
    _m3(
        TOOLS,
        "page_of(await tell(workplace.list_graphs()), limit, offset)",
        "await tell(workplace.list_graphs())",
        GRAPHS,
    ),
    # What goes wrong.
    _m3(ANSWERING, "structured_content=told, is_error=True", "structured_content=told", ERRORS),
    _m3(ANSWERING, "if argument not in known]", "if False]", ERRORS),
    _m3(TOOLS, "return _taken(report, len(nodes) + len(links) + len(pairs))", "return report", ERRORS),
    _m3(TOOLS, "pairs=pairs), len(pairs))", "pairs=pairs), -1)", ERRORS),
    _m3(
        "argument/store.py",
        'if not is_new or payload["accepted_nodes"] or not payload["rejected"]:',
        "if True:",
        ERRORS,
    ),
    _m3("web/api/graphs.py", "if is_kept else None, payload", 'if is_kept else "{}", payload', ERRORS),
    _m3("views/surfaces.py", 'message = re.sub(shell, words.get(surface, r"\\g<0>"), message)', "break", ERRORS),
    # What a host is shown.
    _m3(ANSWERING, '"additionalProperties": False', '"additionalProperties": True', GRAPHS),
    _m3(ANSWERING, 'separators=(",", ":")', 'separators=(", ", ": ")', GRAPHS),
    _m3(ARGUMENTS, "read_only_hint=True", "read_only_hint=None", GRAPHS),
    _m3(ARGUMENTS, '"enum": list(NODE_TYPES)', '"enum": []', GRAPHS),
    _m3("mcp_server/server.py", "version=__version__, ", "", GRAPHS),
)
