"""The fake server is itself held to its word: the same request, the same reply, in any order."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from pydantic import BaseModel, Field

from tests import fake_server
from tests.fake_server import BEHAVIOURS, FakeServer, instance
from tests.gateway.gateway_kit import Tries, ask, gateway, request

pytestmark = pytest.mark.anyio


class Inner(BaseModel):
    kind: str = Field(pattern="", max_length=5)
    weight: int = Field(ge=3, le=4)


class Shape(BaseModel):
    inner: Inner
    several: list[Inner] = Field(min_length=3)
    either: int | str
    perhaps: bool | None
    share: float = Field(gt=0, lt=1)
    label: str = Field(min_length=30)


def test_a_reply_is_valid_for_its_schema_and_a_function_of_its_seed():
    schema = Shape.model_json_schema()

    made = [instance(schema, schema, seed * 8) for seed in ("0123abcd", "0123abcd", "fedc9876")]

    assert all(Shape.model_validate(value) for value in made)
    assert made[0] == made[1] != made[2]


async def test_a_reply_depends_on_the_request_alone(server):
    first = [(await ask(server, asked=request(text))).text for text in "abc"]
    async with FakeServer() as another:
        second = [(await ask(another, asked=request(text))).text for text in "cba"]

    assert first == second[::-1]
    assert len(set(first)) == 3


async def test_what_happens_the_next_time_depends_on_how_often_that_very_request_came(server):
    server.behaviours["flaky"] = "500,well"
    tries = Tries()

    async with gateway(tries) as opened:
        model = opened.model(server.member("flaky"))
        for text in ("a", "b"):
            await model.complete(request(text), before_retry=tries.before_retry)

    assert sorted(server.counts.values()) == [2, 2]
    assert tries.numbers == [2, 2]


@pytest.mark.parametrize("word", sorted(set(BEHAVIOURS) - {"slow", "hang"}))
async def test_every_behaviour_brings_an_outcome(server, word):
    assert await ask(server, word)


def test_it_runs_as_a_process_of_its_own_until_its_input_ends():
    command = [sys.executable, str(Path(fake_server.__file__)), "--behaviours", '{"m": "404"}', "--delay-ms", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdin
        url = json.loads(process.stdout.readline())["url"]
        body = json.dumps({"model": "any", "messages": [{"role": "user", "content": "x"}]}).encode()
        opener = build_opener(ProxyHandler({}))
        with opener.open(Request(f"{url}/chat/completions", body, {"Content-Type": "application/json"})) as reply:
            text = json.load(reply)["choices"][0]["message"]["content"]
        with opener.open(url.removesuffix("/v1") + "/counts") as reply:
            counts = json.load(reply)
        process.stdin.close()
        process.wait()

    assert text.startswith("The answer is")
    assert list(counts.values()) == [1]
    assert process.returncode == 0
