"""`moot mcp`: the argument graph as MCP tools over stdio."""

from moot.core.errors import ExtraMissing


def mcp() -> None:
    """Serve the argument graph to an agent as eight MCP tools over stdin and stdout."""
    try:
        from moot.mcp_server import main
    except ModuleNotFoundError:
        raise ExtraMissing(what="the MCP server", extra="mcp") from None
    main()
