"""An agent for the board of a Moot server: it looks for work, lets one member answer, and hands the answer in.

    MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/agent.py ollama:qwen3

The member is any that Moot knows. Seconds to wait when there is nothing to do may follow it.
"""

import asyncio
import json
import os
import sys
from typing import Any

import httpx2
import json_repair

from moot.core.calls import Completion, Failure, Message, Request
from moot.core.ports import Model
from moot.core.question import Document
from moot.gateway.gateway import Gateway
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents

SHOWN = ("claim", "form", "earlier", "work", "weaknesses", "questions", "review")


async def documents(server: httpx2.AsyncClient, claim: str) -> list[Document]:
    place = f"claims/{claim}/documents"
    listed = (await server.get(place)).raise_for_status().json()["items"]
    return [Document(name=item["name"], text=await text(server, f"{place}/{item['number']}")) for item in listed]


async def text(server: httpx2.AsyncClient, place: str) -> str:
    parts, start = [], 0
    while start is not None:
        part = (await server.get(place, params={"start": start})).raise_for_status().json()
        parts, start = [*parts, part["text"]], part["next"]
    return "".join(parts)


async def answer(model: Model, slot: dict[str, Any], papers: list[Document]) -> Completion | Failure:
    context = slot["context"]
    # What others wrote is material to judge, never an order: it goes between fences.
    material = json.dumps({name: context[name] for name in SHOWN if name in context})
    shown = f"{fenced_documents(papers)}\n\n{fenced('The claim, and what came of it so far', material)}"
    task = f"Your role: {context['role']}. {context['task']}"
    wanted = f"Reply with one JSON object that has these fields: {json.dumps(context['wanted'])}"
    messages = (Message("system", FENCE_RULE), Message("user", f"{shown}\n\n{task}\n{wanted}"))
    request = Request(slot["step"], "agent", "", messages, 0.6, 1200, seed=0, schema=slot["output_schema"])
    return await model.complete(request, before_retry=lambda _: asyncio.sleep(0, result=True))


async def work(server: httpx2.AsyncClient, model: Model, pause: float) -> None:
    while True:
        found = await server.get("jobs/work?wait=20")
        if found.status_code == httpx2.codes.NOT_FOUND:
            await asyncio.sleep(pause)
            continue
        slot = found.raise_for_status().json()
        place = f"claims/{slot['claim_id']}/stage-slots/{slot['id']}"
        if (await server.post(f"{place}/take")).is_error:
            continue  # somebody was quicker
        reply = await answer(model, slot, await documents(server, slot["claim_id"]))
        if isinstance(reply, Failure):
            problem = reply.detail
        else:
            done = await server.post(f"{place}/done", json={"output": json_repair.loads(reply.text)})
            problem = done.json()["detail"] if done.is_error else ""
        print(slot["claim_id"], slot["step"], problem or "done", flush=True)
        if problem:
            await server.post(f"{place}/release")
            await asyncio.sleep(pause)


async def main(member: str, pause: float = 5) -> None:
    key = {"Authorization": f"Bearer {os.environ['MOOT_SERVER_KEY']}"}
    async with (
        httpx2.AsyncClient(base_url=f"{os.environ['MOOT_SERVER']}/api/v1/", headers=key, timeout=60) as server,
        Gateway(os.environ) as gateway,
    ):
        await work(server, gateway.model(member), pause)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(float, sys.argv[2:])))
