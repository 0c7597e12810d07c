"""Moot: `vote` or `debate`, as the environment says; what was begun here before is resumed."""

import asyncio
import os
from pathlib import Path

from measuring import MEMBERS, URL, measured

os.environ |= {"MOOT_HOME": str(Path.cwd())}

import moot

PROTOCOL = os.environ["PEER_PROTOCOL"]
SETTINGS = {"vote": {"n": len(MEMBERS)}, "debate": {}}


async def deliberate(question: str) -> object:
    if begun := await moot.list_deliberations(search=question):
        return (await moot.resume(begun[0].id)).answer or ""
    members = [f"{URL}#{name}" for name in MEMBERS]
    return (await moot.ask(question, protocol=PROTOCOL, members=members, settings=SETTINGS[PROTOCOL])).answer or ""


measured(lambda question: asyncio.run(deliberate(question)))
