"""Moot as MCP tools over stdio: the argument graph as working memory, and deliberations (interrogation 3.2, M3).

Each tool hands its arguments to a `Workplace`, in this process or on a server, and returns what it gives. Nothing is
decided here.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, ConfigDict, Field

from moot.core.budget import Budget
from moot.core.errors import MootError, ServerRefused
from moot.core.ports import Progress, ProgressEvent, ProgressKind
from moot.core.question import Document, Question
from moot.oracles import judged
from moot.service.configuring import product_settings
from moot.service.orders import Order
from moot.service.remote import open_remote
from moot.service.service import Created
from moot.service.workplace import GraphFunction, Workplace, open_own_process
from moot.views.words import one_line

INSTRUCTIONS = """Put a question that matters to a panel of models with `deliberate`, and read how far the answer can be
trusted. Write an argument of your own down as a graph with `assert_graph`, then ask what holds it up."""

TOLD: frozenset[ProgressKind] = frozenset(("asking", "retrying", "answered", "missing", "noted"))
MOST_WAITING = 100
LONGEST_NOTICE = 200
STOP_SECONDS = 30.0
"""How long a call that was taken back may take to stop; what it would send is stopped at once."""

Payload = dict[str, object]
Text = Annotated[str, Field(max_length=200_000)]
Id = Annotated[str, Field(max_length=100, description="a deliberation's id, or the beginning of it")]
StepName = Annotated[str, Field(max_length=300, description="an open step, as `waiting` names it")]
Nodes = Annotated[
    list[Any],
    Field(
        description="id, claim (one sentence), type given|inference|assumption|conclusion, confidence 0-1; a given may "
        "have source: document and the numbers of its sentences"
    ),
]
Edges = Annotated[
    list[Any],
    Field(
        description="src, dst, relation supports|attacks|assumes, confidence 0-1; supports of one claim that hold only "
        "together have the same group"
    ),
]
Pairs = Annotated[list[Any], Field(description="pairs of node ids that must never be merged")]
Documents = Annotated[
    list[Document], Field(max_length=100, description="what to answer from: name and text of each document")
]
Members = Annotated[
    list[str],
    Field(max_length=24, description="who is asked, of those on offer; leave it out for the usual ones"),
]


class ToolLimits(BaseModel):
    """What the deliberation may spend, each in the place of the protocol's own limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int | None = Field(default=None, gt=0)
    usd: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)


def build_server(workplace: Workplace) -> MCPServer:
    """Return a server whose tools are what a workplace offers."""
    # What goes to stderr is for whoever started the agent: that a request was answered is nothing to read.
    server = MCPServer("moot", instructions=INSTRUCTIONS, log_level="WARNING")
    _add_graph_tools(server, workplace)
    _add_graph_revision(server, workplace)
    latest = Latest()
    _add_deliberation_tools(server, workplace, latest)
    _add_open_step_tools(server, workplace, latest)
    _add_board_tool(server, workplace)
    _add_oracle_tool(server)
    return server


def _graph_functions(workplace: Workplace) -> Callable[..., Awaitable[Payload]]:
    async def graph(function: GraphFunction, graph_id: str, **arguments: Any) -> Payload:
        return await _told(workplace.graph(function, graph_id, arguments))

    return graph


def _add_graph_tools(server: MCPServer, workplace: Workplace) -> None:
    graph = _graph_functions(workplace)

    @server.tool(description="Add claims and their relations to a graph; claims that say the same are merged.")
    async def assert_graph(
        graph_id: str, nodes: Nodes, edges: Edges, run_id: str | None = None, cannot_link: Pairs | None = None
    ) -> Payload:
        pairs = cannot_link or []
        return await graph("assert_graph", graph_id, nodes=nodes, edges=edges, run_id=run_id, cannot_link=pairs)

    @server.tool(description="Compare all claims of a graph again and merge duplicates; lists contradictions found.")
    async def merge_duplicates(graph_id: str, jaccard_threshold: float = 0.7, ratio_threshold: float = 0.85) -> Payload:
        thresholds = {"jaccard_threshold": jaccard_threshold, "ratio_threshold": ratio_threshold}
        return await graph("merge_duplicates", graph_id, **thresholds)

    @server.tool(description="Find unsupported claims, circular reasoning, and whether evidence reaches a conclusion.")
    async def check_structure(graph_id: str, conclusion_id: str) -> Payload:
        return await graph("check_structure", graph_id, conclusion_id=conclusion_id)

    @server.tool(description="Find what a conclusion hangs on: the fewest claims that would sink it, and weak links.")
    async def critical_links(graph_id: str, conclusion_id: str) -> Payload:
        return await graph("critical_links", graph_id, conclusion_id=conclusion_id)

    @server.tool(description="Count the independent lines of support from givens to a conclusion, and list them.")
    async def support_width(graph_id: str, conclusion_id: str) -> Payload:
        return await graph("support_width", graph_id, conclusion_id=conclusion_id)

    @server.tool(description="Work out which claims stand, fall or stay undecided under all attacks.")
    async def surviving_claims(graph_id: str) -> Payload:
        return await graph("surviving_claims", graph_id)

    @server.tool(description="Mark a claim as refuted, with the reason; tells how much support each conclusion lost.")
    async def mark_refuted(graph_id: str, node_id: str, reason: str) -> Payload:
        return await graph("mark_refuted", graph_id, node_id=node_id, reason=reason)

    @server.tool(description="List what to verify next: contradictions, and load-bearing claims of a single run.")
    async def disputed_nodes(graph_id: str, conclusion_id: str) -> Payload:
        return await graph("disputed_nodes", graph_id, conclusion_id=conclusion_id)


def _add_graph_revision(server: MCPServer, workplace: Workplace) -> None:
    graph = _graph_functions(workplace)

    @server.tool(
        description="Keep pairs of claims from ever being merged; a merge that joined two of them is taken back."
    )
    async def keep_apart(graph_id: str, pairs: Pairs) -> Payload:
        return await graph("keep_apart", graph_id, pairs=pairs)

    @server.tool(
        description="Find how few claims or sentences must be wrong before a conclusion falls, and which; premises of "
        "one group hold only together."
    )
    async def resilience(graph_id: str, conclusion_id: str) -> Payload:
        return await graph("resilience", graph_id, conclusion_id=conclusion_id)


def _add_deliberation_tools(server: MCPServer, workplace: Workplace, latest: "Latest") -> None:
    @server.tool(
        description="Put a question to a panel of models, which deliberate by a protocol; returns the answer, its "
        "status, its confidence and by what measure, dissent, caveats and cost. It may take minutes and cost money. "
        "Stopped, it goes on with `resume` and its id; nothing is paid twice. Where it waits for a person, `next` says "
        "what to do."
    )
    async def deliberate(
        context: Context,
        question: Text = "",
        documents: Documents | None = None,
        protocol: Annotated[str | None, Field(max_length=100)] = None,
        members: Members | None = None,
        settings: Annotated[dict[str, Any] | None, Field(description="settings of the protocol")] = None,
        budget: ToolLimits | None = None,
        resume: Annotated[Id | None, Field(description="go on with this deliberation, and ask nothing new")] = None,
    ) -> Payload:
        if resume and question.strip():
            raise ToolError("give a question, or the id of a deliberation to resume, and not both.")
        limits = budget or ToolLimits()
        order = Order(
            question=Question(text=question, documents=tuple(documents or ())),
            protocol=protocol,
            members=tuple(members or ()),
            settings=settings or {},
            budget=Budget(calls=limits.calls, usd=limits.usd, seconds=limits.seconds),
        )

        async def work(on_progress: Progress, on_created: Created) -> Payload:
            if resume:
                return await workplace.resume(resume, on_progress=on_progress, on_created=on_created)
            return await workplace.deliberate(order, on_progress=on_progress, on_created=on_created)

        return _with_next(await _told(_watched(context, latest, work)))

    @server.tool(
        description="Show where a deliberation stands: what `deliberate` returns, and which steps wait for whom. "
        "Without an id, the latest that was begun here. `stalled` means that nobody works on it: resume it."
    )
    async def deliberation_status(id: Id = "") -> Payload:  # noqa: A002
        if not (wanted := id or latest.id):
            raise ToolError("no deliberation has been begun here; give the id of one.")
        return _with_next(await _told(workplace.status(wanted)))

    @server.tool(
        description="Refute a claim of a deliberation's argument graph and see how answer, support and survivors "
        "change; `undo` takes that back. No model is called and the record stays as it was."
    )
    async def contest(
        id: Id,  # noqa: A002
        claim: Annotated[Text, Field(description="a claim's id, or words that only it has")],
        reason: Text = "",
        undo: bool = False,
    ) -> Payload:
        if not undo and not reason.strip():
            raise ToolError("a contest needs its reason.")
        return await _told(workplace.contest(id, claim, reason=reason.strip(), undo=undo))


def _add_board_tool(server: MCPServer, workplace: Workplace) -> None:
    @server.tool(
        description="Check a claim of the board that has ended against its seal; `changed` names every slot that is "
        "not what it was. Give the seal as you noted it, since one who can write to the record could seal it anew."
    )
    async def verify_claim(
        id: Id,  # noqa: A002
        seal: Annotated[str | None, Field(max_length=100, description="the SHA-256 that you noted")] = None,
    ) -> Payload:
        return await _told(workplace.verify(id, seal))


def _add_open_step_tools(server: MCPServer, workplace: Workplace, latest: "Latest") -> None:
    @server.tool(
        description="Show a step for which a deliberation waits, such as a person's turn in a debate: what it is "
        "about, who has it, and the JSON schema of the reply."
    )
    async def open_step(id: Id, step: StepName) -> Payload:  # noqa: A002
        return await _told(workplace.open_step(id, step))

    @server.tool(
        description="Put a reply into a step for which a deliberation waits, and return what it then comes to; it may "
        "take minutes and cost money. A step for a person is your user's: put in what they said, not what you think."
    )
    async def fill_open_step(
        context: Context,
        id: Id,  # noqa: A002
        step: StepName,
        reply: Annotated[dict[str, Any], Field(description="as the step's `reply_schema` has it")],
    ) -> Payload:
        async def work(on_progress: Progress, on_created: Created) -> Payload:
            return await workplace.fill_open_step(id, step, reply, on_progress=on_progress, on_created=on_created)

        return _with_next(await _told(_watched(context, latest, work)))


def _with_next(told: Payload) -> Payload:
    """Return what is told of a deliberation; where it waits for somebody, with how that is filled."""
    waiting = told.get("waiting")
    if not isinstance(waiting, list) or not waiting:
        return told
    return {**told, "next": "; ".join(_how_to_fill(step) for step in waiting)}


def _how_to_fill(step: Mapping[str, str]) -> str:
    id_ = step["deliberation_id"]
    how = {
        "step": f'open_step(id="{id_}", step="{step["step"]}") shows it and fill_open_step fills it',
        "slot": f"a slot of the board, to be taken there: `moot board take {id_}`",
        "flag": f"a flag of the board, for a person to clear: `moot board review {id_}`",
    }[step["kind"]]
    return f"{step['step']} waits for {step['role']}: {how}"


def _add_oracle_tool(server: MCPServer) -> None:
    @server.tool(
        description="Compute whether a claim is true, false, true as rounded or not decided, and tell how it was read. "
        "It is a bare equation, a plain sentence such as '91 is prime', or a typed check as a JSON object."
    )
    async def check_claim(claim: Text) -> Payload:
        return dict(await asyncio.to_thread(lambda: judged(claim).as_json()))


@dataclass(slots=True)
class Latest:
    """The deliberation that was begun last, once there is one: a client that lost a call may not know its id."""

    id: str = ""


class Notices:
    """Progress as MCP notices, sent one after the other; those that a slow client has no room for are left out."""

    def __init__(self, context: Context, latest: Latest) -> None:
        self._context = context
        self._latest = latest
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def on_created(self, deliberation: str) -> None:
        """Tell the client the id, before anything else: a call that it takes back is never answered."""
        self._latest.id = deliberation
        self._put(f"deliberation {deliberation} has begun; cut off, it goes on with resume={deliberation}")

    def on_progress(self, event: ProgressEvent) -> None:
        """Hear of something under way."""
        if event.kind in TOLD:
            self._put(one_line(f"{event.kind} {event.seat} {event.phase} {event.note or event.said}", LONGEST_NOTICE))

    async def send(self) -> None:
        """Send what there is until the end."""
        sent = 0
        while (message := await self._waiting.get()) is not None:
            sent += 1
            await self._context.report_progress(sent, message=message)

    def end(self) -> None:
        """Let nothing come after what waits."""
        self._waiting.put_nowait(None)

    def _put(self, message: str) -> None:
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)


async def _watched(
    context: Context, latest: Latest, work: Callable[[Progress, Created], Awaitable[Payload]]
) -> Payload:
    """Return what the work comes to, with notices while it goes on; taken back, it stops before this returns."""
    notices = Notices(context, latest)
    sending = asyncio.ensure_future(notices.send())
    working = asyncio.ensure_future(work(notices.on_progress, notices.on_created))
    try:
        await asyncio.wait([working])
        notices.end()
        await asyncio.wait([sending])
    finally:
        sending.cancel()
        working.cancel()
        # The client's cancelling would reach into every further wait, and what has been begun must be ended in order.
        with anyio.move_on_after(STOP_SECONDS, shield=True):
            await asyncio.wait([sending, working])
    return working.result()


async def _told(work: Awaitable[Mapping[str, object]]) -> Payload:
    """Return what the work gives; a failure that Moot can name becomes what the agent reads."""
    try:
        return dict(await work)
    except MootError as error:
        code = error.problem if isinstance(error, ServerRefused) else error.code
        raise ToolError(f"{error} [{code}]") from None


@asynccontextmanager
async def open_workplace(environ: Mapping[str, str], server: str | None = None) -> AsyncGenerator[Workplace, None]:
    """Give the workplace that an environment asks for: on a server where one is named, else in this process."""
    if url := server or product_settings(environ).values["server"]:
        async with open_remote(url, environ) as remote:
            yield remote
    else:
        async with open_own_process(environ) as own:
            yield own


def main(server: str | None = None) -> None:
    """Serve over stdin and stdout until the client leaves.

    Raises:
        UsageError: for a server that is no address, or no key for it.
    """

    async def serve() -> None:
        async with open_workplace(os.environ, server) as workplace:
            await build_server(workplace).run_stdio_async()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
