"""One shape for what a tool answers and one for what goes wrong; long lists go out a page at a time."""

import json
import logging
from collections.abc import Awaitable, Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.types import CallToolResult, InputRequiredResult, TextContent, Tool
from pydantic import ValidationError
from typing_extensions import override

from moot.core.errors import MootError, ServerRefused
from moot.mcp_server.agent_words import argument_words, unknown_words
from moot.views.surfaces import said_to

Payload = dict[str, object]

BAD_ARGUMENTS, UNKNOWN_TOOL, OWN_FAULT, ALL_REFUSED = "bad_arguments", "unknown_tool", "own_fault", "all_refused"
log = logging.getLogger("moot.mcp")


class ToolRefusal(ToolError):
    """A call that cannot be done: what is wrong and the way out, a code, and what else there is to tell."""

    def __init__(self, message: str, code: str, **told: object) -> None:
        super().__init__(message)
        self.code = code
        self.told = told


class ToolServer(MCPServer):
    """An MCP server whose answers are compact, whose errors have one shape, and whose tools know all their arguments.

    The library drops an argument that a tool does not have: `member` for `members` would be a question to others.
    """

    @override
    async def list_tools(self) -> list[Tool]:
        """Return the tools; each takes what its schema names, and nothing else."""
        tools = await super().list_tools()
        return [
            tool.model_copy(update={"input_schema": {**tool.input_schema, "additionalProperties": False}})
            for tool in tools
        ]

    @override
    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Return what a tool gives, or what is wrong with the call: `error`, in words, and `code`."""
        if problem := await self._unknown(name, arguments):
            return _refusal(ToolRefusal(problem, BAD_ARGUMENTS))
        try:
            result = await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            log.exception("the tool %r failed", name, exc_info=error.__cause__)
            return _refusal(
                ToolRefusal("Moot failed at this by a fault of its own, and its log says where.", OWN_FAULT)
            )
        except ToolError as error:
            return _refusal(_named(name, error))
        if isinstance(result, CallToolResult) and result.structured_content is not None:
            result.content = [TextContent(type="text", text=compact(result.structured_content))]
        return result

    async def _unknown(self, name: str, arguments: Mapping[str, object]) -> str:
        known = next(
            (list(tool.input_schema["properties"]) for tool in await self.list_tools() if tool.name == name), None
        )
        unknown = [] if known is None else [argument for argument in arguments if argument not in known]
        return unknown_words(name, unknown, known or ()) if unknown else ""


async def tell(work: Awaitable[Mapping[str, object]]) -> Payload:
    """Return what the work gives; a failure that Moot can name becomes what the agent reads.

    Raises:
        ToolRefusal: in words for an agent, with the error's code.
    """
    try:
        return dict(await work)
    except MootError as error:
        code = error.problem if isinstance(error, ServerRefused) else error.code
        raise ToolRefusal(said_to("agent", str(error)), code) from None


def page_of(payload: Mapping[str, object], limit: int | None, offset: int = 0) -> Payload:
    """Return a payload with at most `limit` entries of each list, from `offset` on.

    Where something is left out, `truncated` has the whole length of each list that goes on, and `next_offset` says
    where. Without a limit everything is there.
    """
    if limit is None and not offset:
        return dict(payload)
    end = None if limit is None else offset + limit
    cut = {name: value[offset:end] if isinstance(value, list) else value for name, value in payload.items()}
    rest = {n: len(v) for n, v in payload.items() if isinstance(v, list) and end is not None and len(v) > end}
    return {**cut, "truncated": rest, "next_offset": end} if rest else cut


def compact(value: object) -> str:
    """Return JSON without spaces: an agent pays for each."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _named(tool: str, error: ToolError) -> ToolRefusal:
    """Return the refusal that a tool raised, or the one that says what the library found wrong with the call."""
    cause = error.__cause__
    if isinstance(cause, ToolRefusal):
        return cause
    if isinstance(cause, ValidationError):
        return ToolRefusal(argument_words(tool, cause.errors()), BAD_ARGUMENTS)
    if cause is None:
        return ToolRefusal(f"there is no tool {tool!r}; `tools/list` names those there are.", UNKNOWN_TOOL)
    return ToolRefusal(str(cause), BAD_ARGUMENTS)


def _refusal(refused: ToolRefusal) -> CallToolResult:
    text = f"{refused} [{refused.code}]"
    told = {**refused.told, "error": str(refused), "code": refused.code}
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=told, is_error=True)
