"""The tools that put questions to a panel, look at what became of them, and check what can be checked."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import Field

from moot.core.budget import Budget
from moot.core.ports import Progress
from moot.core.question import Question
from moot.mcp_server.answering import BAD_ARGUMENTS, Payload, ToolRefusal, tell
from moot.mcp_server.arguments import (
    Asked,
    Computed,
    Documents,
    Id,
    Limits,
    Members,
    Reason,
    StepName,
    Text,
    ToolLimits,
    changes,
    reads,
)
from moot.mcp_server.notices import Latest, watched
from moot.oracles import judged
from moot.protocols import PROTOCOLS, find_protocol
from moot.service.orders import Order
from moot.service.service import Created
from moot.service.workplace import Workplace

SETTINGS = "settings of the protocol, by the names that this tool's description has; `moot protocols` explains them"


def add_deliberation_tools(server: MCPServer, workplace: Workplace, offered: Sequence[str] = ()) -> None:
    """Add the tools of deliberations, open steps, the board and the oracles to a server.

    `offered` are the members that may be named, where they are known.
    """
    latest = Latest()
    _add_asking(server, workplace, latest, offered)
    _add_looking(server, workplace, latest)
    _add_open_steps(server, workplace, latest)
    _add_checking(server, workplace)


def _add_asking(server: MCPServer, workplace: Workplace, latest: Latest, offered: Sequence[str]) -> None:
    @server.tool(
        description="Put a question to a panel of models, which deliberate by a protocol; returns the answer, its "
        "status, its confidence and by what measure, dissent, caveats and cost. It may take minutes and cost money. "
        "Stopped, it goes on with `resume` and its id; nothing is paid twice. Where it waits for a person, `next` says "
        f"what to do. Protocols that come with Moot, with their `settings`: {_protocol_words()}."
        f"{_member_words(offered)}",
        annotations=changes("Put a question to a panel", again_changes_nothing=False, reaches_out=True),
    )
    async def deliberate(
        context: Context,
        question: Asked = "",
        documents: Documents = None,
        protocol: Annotated[
            str | None, Field(max_length=100, description="left out, one that suits the question")
        ] = None,
        members: Members = None,
        settings: Annotated[dict[str, Any] | None, Field(description=SETTINGS)] = None,
        budget: Limits = None,
        resume: Annotated[Id | None, Field(description="go on with this deliberation, and ask nothing new")] = None,
    ) -> Payload:
        if resume and question.strip():
            raise ToolRefusal("give a question, or the id of a deliberation to resume, and not both.", BAD_ARGUMENTS)
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

        return _for_an_agent(await tell(watched(context, latest, work)))


def _add_looking(server: MCPServer, workplace: Workplace, latest: Latest) -> None:
    @server.tool(
        description="Show where a deliberation stands: what `deliberate` returns, and which steps wait for whom. "
        "Without an id, the latest that was begun here. `stalled` means that nobody works on it: resume it.",
        annotations=reads("Show where a deliberation stands"),
    )
    async def deliberation_status(id: Id = "") -> Payload:  # noqa: A002
        if not (wanted := id or latest.id):
            raise ToolRefusal("no deliberation has been begun here; give the id of one.", BAD_ARGUMENTS)
        return _for_an_agent(await tell(workplace.status(wanted)))

    @server.tool(
        description="Refute a claim of a deliberation's argument graph and see how answer, support and survivors "
        "change; `undo` takes that back. No model is called and the record stays as it was.",
        annotations=changes("Contest a claim of a deliberation"),
    )
    async def contest(
        id: Id,  # noqa: A002
        claim: Annotated[Text, Field(description="a claim's id, or words that only it has")],
        reason: Reason = "",
        undo: Annotated[bool, Field(description="take a contest of this claim back; no reason is needed")] = False,
    ) -> Payload:
        if not undo and not reason.strip():
            raise ToolRefusal("a contest needs its reason; give it as `reason`.", BAD_ARGUMENTS)
        return await tell(workplace.contest(id, claim, reason=reason.strip(), undo=undo))


def _add_open_steps(server: MCPServer, workplace: Workplace, latest: Latest) -> None:
    @server.tool(
        description="Show a step for which a deliberation waits, such as a person's turn in a debate: what it is "
        "about, who has it, and the JSON schema of the reply.",
        annotations=reads("Show a step that waits"),
    )
    async def open_step(id: Id, step: StepName) -> Payload:  # noqa: A002
        return await tell(workplace.open_step(id, step))

    @server.tool(
        description="Put a reply into a step for which a deliberation waits, and return what it then comes to; it may "
        "take minutes and cost money. A step for a person is your user's: put in what they said, not what you think.",
        annotations=changes("Fill a step that waits", again_changes_nothing=False, reaches_out=True),
    )
    async def fill_open_step(
        context: Context,
        id: Id,  # noqa: A002
        step: StepName,
        reply: Annotated[dict[str, Any], Field(description="as the step's `reply_schema` has it")],
    ) -> Payload:
        async def work(on_progress: Progress, on_created: Created) -> Payload:
            return await workplace.fill_open_step(id, step, reply, on_progress=on_progress, on_created=on_created)

        return _for_an_agent(await tell(watched(context, latest, work)))


def _add_checking(server: MCPServer, workplace: Workplace) -> None:
    @server.tool(
        description="Check a claim of the board that has ended against its seal; `changed` names every slot that is "
        "not what it was. Give the seal as you noted it, since one who can write to the record could seal it anew.",
        annotations=reads("Check a claim of the board against its seal"),
    )
    async def verify_claim(
        id: Id,  # noqa: A002
        seal: Annotated[str | None, Field(max_length=100, description="the SHA-256 that you noted")] = None,
    ) -> Payload:
        return await tell(workplace.verify(id, seal))

    @server.tool(
        description="Compute whether a claim is true, false, true as rounded or not decided, and tell how it was read. "
        "It is a bare equation, a plain sentence such as '91 is prime', or a typed check as a JSON object.",
        annotations=reads("Compute whether a claim is true"),
    )
    async def check_claim(claim: Computed) -> Payload:
        return dict(await asyncio.to_thread(lambda: judged(claim).as_json()))


def _protocol_words() -> str:
    return "; ".join(f"{name} ({', '.join(find_protocol(name).settings.model_fields)})" for name in PROTOCOLS)


def _member_words(offered: Sequence[str]) -> str:
    return f" `members` on offer: {', '.join(dict.fromkeys(offered))}." if offered else ""


def _for_an_agent(told: Payload) -> Payload:
    """Return what is told of a deliberation, its graph as merged alone, and how what waits is filled."""
    match told:
        case {"detail": {"graph": {"asserted": _, **graph}, **detail}}:
            told = {**told, "detail": {**detail, "graph": graph}}
    match told:
        case {"waiting": list(waiting)} if waiting:
            return {**told, "next": "; ".join(_how_to_fill(step) for step in waiting)}
    return told


def _how_to_fill(step: Mapping[str, str]) -> str:
    id_ = step["deliberation_id"]
    how = {
        "step": f'open_step(id="{id_}", step="{step["step"]}") shows it and fill_open_step fills it',
        "slot": f"a slot of the board, to be taken there: `moot board take {id_}`",
        "flag": f"a flag of the board, for a person to clear: `moot board review {id_}`",
    }[step["kind"]]
    return f"{step['step']} waits for {step['role']}: {how}"
