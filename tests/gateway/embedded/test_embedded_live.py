"""The 135M model for real: fetched or from the cache, served by the child, asked over HTTP."""

import asyncio
import json
import os
import re
import select
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import platformdirs
import psutil
import pytest
from pydantic import BaseModel, Field

from moot.gateway.embedded.catalogue import find
from moot.gateway.embedded.child import ChildConfiguration
from moot.gateway.embedded.fetch import fetch
from moot.gateway.embedded.grammar import compact_json_grammar
from moot.gateway.embedded.server import COMMAND, ChildEndpoint, EmbeddedServer
from moot.gateway.replies import Growing, completion_of

pytestmark = [pytest.mark.network, pytest.mark.slow]

ENTRY = find("smollm2-135m")
CONTEXT = 4096
SMALL_CONTEXT = 1024
T = TypeVar("T")

# A parent that starts the child as the server does, says where it is, and hangs until it is killed.
PARENT = """
import subprocess, sys
line, *command = sys.argv[1:]
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(line.encode() + b"\\n")
child.stdin.flush()
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


class Mood(StrEnum):
    GLAD = "glad"
    SAD = "sad"


class Guest(BaseModel):
    name: str = Field(min_length=1, max_length=20)
    mood: Mood
    age: int | None = Field(ge=1, le=99)


class Party(BaseModel):
    guests: list[Guest] = Field(min_length=1, max_length=2)
    loud: bool
    share: float = Field(ge=0, le=1, multiple_of=0.25)


@pytest.fixture(scope="module")
def weights() -> Path:
    """The verified file, from the cache of this machine or fetched into it."""
    cache = Path(os.environ.get("MOOT_CACHE") or platformdirs.user_cache_path("moot"))
    return asyncio.run(fetch(ENTRY, cache, progress=lambda _: None))


@asynccontextmanager
async def session_with(endpoint: ChildEndpoint, key: str | None = None) -> AsyncGenerator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {key or endpoint.key}"}
    base = endpoint.base_url.removesuffix("v1")
    async with aiohttp.ClientSession(base, headers=headers) as session:
        yield session


def request(prompt: str, **options: Any) -> dict[str, Any]:
    return {"model": ENTRY.name, "messages": [{"role": "user", "content": prompt}], "seed": 1, **options}


def with_server(
    weights: Path, use: Callable[[EmbeddedServer, ChildEndpoint], Awaitable[T]], context: int = CONTEXT
) -> T:
    async def run() -> T:
        server = EmbeddedServer(ENTRY, weights, context=context)
        async with server as endpoint:
            return await use(server, endpoint)

    return asyncio.run(run())


def test_a_typed_reply_is_valid_and_compact(weights: Path) -> None:
    async def ask(_: EmbeddedServer, endpoint: ChildEndpoint) -> dict[str, Any]:
        grammar = compact_json_grammar(Party.model_json_schema())
        body = request("Who comes to the party?", grammar=grammar, max_tokens=400)
        async with session_with(endpoint) as session, session.post("v1/chat/completions", json=body) as response:
            return await response.json()

    reply = with_server(weights, ask)

    text = reply["choices"][0]["message"]["content"]
    assert Party.model_validate_json(text).guests
    assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    assert reply["model"] == ENTRY.name
    assert reply["usage"]["completion_tokens"] > 0


def test_the_wrong_key_is_refused_at_every_address(weights: Path) -> None:
    paths = ["v1/chat/completions", "v1/completions", "tokenize"]

    async def ask(_: EmbeddedServer, endpoint: ChildEndpoint) -> dict[str, int]:
        async with session_with(endpoint, "wrong") as session:
            return {path: (await session.post(path, json=request("Hello"))).status for path in paths}

    assert with_server(weights, ask, SMALL_CONTEXT) == dict.fromkeys(paths, 401)


def test_a_dropped_call_frees_its_slot(weights: Path) -> None:
    long = request("Count.", max_tokens=CONTEXT - 200, ignore_eos=True, stream=True)
    short = request("Hello.", max_tokens=4, ignore_eos=True)

    async def drop_and_ask(_: EmbeddedServer, endpoint: ChildEndpoint) -> tuple[int, int]:
        async with session_with(endpoint) as session:
            async with session.post("v1/chat/completions", json=long) as dropped:
                await dropped.content.readline()
                dropped.close()
            async with session.post("v1/chat/completions", json=short) as response:
                answered = (await response.json())["usage"]["completion_tokens"]
            async with session.get("metrics") as response:
                worked = re.search(r"^llamacpp:n_decode_total (\d+)$", await response.text(), re.MULTILINE)
            assert worked
            return answered, int(worked[1])

    answered, worked = with_server(weights, drop_and_ask)

    assert answered == 4
    # The one slot went over to the short call long before the long one's thousands of steps were done.
    assert worked < CONTEXT // 4


def test_the_child_ends_when_its_pipe_is_closed_in_the_middle_of_a_call(weights: Path) -> None:
    async def stop_in_a_call(server: EmbeddedServer, endpoint: ChildEndpoint) -> int | None:
        process = server._process
        long = request("Count.", max_tokens=CONTEXT - 200, ignore_eos=True, stream=True)
        async with session_with(endpoint) as session, session.post("v1/chat/completions", json=long) as response:
            await response.content.readline()
            assert process and process.stdin
            process.stdin.close()
            return await process.wait()

    assert with_server(weights, stop_in_a_call) == 0


def test_the_key_is_in_no_argument_and_no_environment(weights: Path) -> None:
    async def look(server: EmbeddedServer, endpoint: ChildEndpoint) -> bool:
        assert server._process
        child = psutil.Process(server._process.pid)
        told = child.as_dict(["cmdline", "environ", "name"])
        return endpoint.key in str(told)

    assert not with_server(weights, look)


def has_ended(process: int, *, within: float) -> bool:
    """Has a process ended, by its descriptor, or does it within so many seconds?"""
    return bool(select.select([process], [], [], within)[0])


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system has no descriptors of processes")
def test_the_child_ends_when_its_parent_is_killed(weights: Path) -> None:
    line = ChildConfiguration(str(weights), ENTRY.name, "key", slots=1, context=256, threads=1).line().decode().strip()
    command = [sys.executable, "-c", PARENT, line, *COMMAND]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = os.pidfd_open(int(parent.stdout.readline()))
        assert not has_ended(child, within=0)

        parent.kill()
        parent.wait()

    assert has_ended(child, within=60)
    os.close(child)


def test_a_log_is_written_only_where_it_is_asked_for(weights: Path, tmp_path: Path) -> None:
    log = tmp_path / "llama.log"

    async def start() -> None:
        async with EmbeddedServer(ENTRY, weights, context=256, log=log):
            pass

    asyncio.run(start())

    assert "llama" in log.read_text(encoding="utf-8", errors="replace")


async def several(server: EmbeddedServer, endpoint: ChildEndpoint, **options: Any) -> list[dict[str, object]]:
    body = request("Name a colour and say why.", stream=True, stream_options={"include_usage": True}, **options)
    async with session_with(endpoint) as session, session.post("v1/chat/completions", json=body) as response:
        lines = (await response.text()).splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def test_several_replies_to_one_prompt_come_by_one_request_each_with_its_own_count(weights: Path) -> None:
    async def ask(server: EmbeddedServer, endpoint: ChildEndpoint) -> Growing:
        growing = Growing(4)
        for chunk in await several(server, endpoint, n=4, max_tokens=12, temperature=0.9, ignore_eos=True):
            growing.add(chunk)
        return growing

    growing = with_server(weights, ask)
    first = completion_of(growing.whole(), lambda *_: 0.0, 4)

    assert first is not None
    replies = [first, *first.more]
    assert len({reply.text for reply in replies}) > 1
    assert [reply.usage.tokens_out for reply in replies] == [12] * 4
    assert [reply.usage.tokens_in == 0 for reply in replies] == [False, True, True, True]


def test_a_call_alone_has_the_whole_window(weights: Path) -> None:
    async def ask(_: EmbeddedServer, endpoint: ChildEndpoint) -> int:
        long = request("word " * (SMALL_CONTEXT // 2), max_tokens=2)
        async with session_with(endpoint) as session, session.post("v1/chat/completions", json=long) as response:
            return (await response.json())["usage"]["prompt_tokens"]

    # With a window for each of its four slots, a prompt of half of it would be refused.
    assert with_server(weights, ask, SMALL_CONTEXT) > SMALL_CONTEXT // 4
