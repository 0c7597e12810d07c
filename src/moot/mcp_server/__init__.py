"""Moot as MCP tools over stdio: the argument graph as working memory, and deliberations (interrogation 3.2, M3)."""

from moot.mcp_server.server import build_server, main, open_workplace

__all__ = ["build_server", "main", "open_workplace"]
