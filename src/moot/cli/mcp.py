"""`moot mcp`: the argument graph as MCP tools over stdio."""

import typer


def mcp() -> None:
    """Serve the argument graph to an agent as eight MCP tools over stdin and stdout."""
    try:
        from moot.mcp_server import main
    except ModuleNotFoundError as missing:
        typer.echo(f"{missing.name} is not installed; `pip install 'moot[mcp]'` brings it.", err=True)
        raise typer.Exit(1) from missing
    main()
