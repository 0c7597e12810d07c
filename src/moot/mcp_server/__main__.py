"""`python -m moot.mcp_server`: serve over stdin and stdout."""

from moot.mcp_server.server import main

if __name__ == "__main__":
    main()
