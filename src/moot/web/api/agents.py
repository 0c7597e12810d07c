"""`/agents`: who has a key."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from moot.web.access import AdminCaller
from moot.web.api.bodies.agents import AgentView, MadeAgent
from moot.web.api.bodies.sent import NewAgent
from moot.web.api.paging import Page
from moot.web.serving import Here

router = APIRouter(prefix="/agents", tags=["agents"])

Prefix = Annotated[str, Path(min_length=1, max_length=100, examples=["moot_0a1b2c3d"])]


@router.post("", status_code=201)
async def make_agent(new: NewAgent, serving: Here, caller: AdminCaller, request: Request) -> MadeAgent:
    """Give somebody a key. It is in this answer and never again."""
    key, text = await serving.keys.make(new.name, new.scopes)
    request.scope["state"]["shown_once"] = key.prefix
    return MadeAgent(key=text, **AgentView.of(key).model_dump())


@router.get("")
async def list_agents(serving: Here, caller: AdminCaller) -> Page[AgentView]:
    """List who has a key, and who had one."""
    return Page(items=[AgentView.of(key) for key in await serving.keys.list()])


@router.delete("/{prefix}")
async def revoke_agent(prefix: Prefix, serving: Here, caller: AdminCaller) -> AgentView:
    """Revoke a key: its streams end, its deliberations stop and its slots are free, everywhere within two seconds."""
    return AgentView.of(await serving.revocations.revoke(prefix))
