"""Replies that arrive token by token, from members that are slow enough to be watched."""

import asyncio
import json
from dataclasses import replace

import pytest

from moot.core.calls import Completion, Usage
from moot.gateway.client import open_client
from moot.gateway.members import MemberSpec
from moot.gateway.openai_compatible import Endpoint, OpenAICompatible
from moot.gateway.pricing import Prices
from moot.gateway.providers import OLLAMA
from moot.gateway.replies import Growing
from tests.gateway.gateway_kit import Tries, request

pytestmark = pytest.mark.anyio


@pytest.fixture
async def streaming(server):
    client = open_client(server.url, None)
    tries = Tries()

    def model(name, grammar=None):
        member = MemberSpec(f"ollama:{name}", replace(OLLAMA, base_url=server.url), name, server.url)
        endpoint = Endpoint(lambda: client, None, asyncio.Semaphore(4), tries.retries, 60.0)
        return OpenAICompatible(member, endpoint, Prices(), grammar=grammar)

    yield model
    await client.close()


async def test_the_tokens_so_far_are_told_and_the_reply_is_the_same(server, streaming):
    heard = []

    whole = await streaming("well").complete(request(), before_retry=Tries().before_retry)
    piecewise = await streaming("well").complete(request(), before_retry=Tries().before_retry, on_tokens=heard.append)

    assert piecewise == whole
    assert json.loads(piecewise.text)
    assert heard == list(range(len(heard))) and len(heard) > 3, "first that its turn has come, then each token"
    assert piecewise.usage == Usage(7, 10, 0.0)
    assert server.calls[1].body["stream_options"] == {"include_usage": True}


async def test_reasoning_is_set_aside_in_a_stream_too(streaming):
    reply = await streaming("reasoning").complete(
        request(), before_retry=Tries().before_retry, on_tokens=lambda _: None
    )

    assert reply.reasoning == "Let me see."


@pytest.mark.parametrize("word", ["500", "cut", "429"])
async def test_a_stream_that_does_not_begin_is_tried_again(server, streaming, word):
    tries = Tries()

    reply = await streaming(f"{word},well").complete(
        request(), before_retry=tries.before_retry, on_tokens=lambda _: None
    )

    assert isinstance(reply, Completion)
    assert tries.numbers == [2]


async def test_a_stream_that_breaks_off_is_tried_again(streaming):
    tries = Tries()

    reply = await streaming("cut-late,well").complete(
        request(), before_retry=tries.before_retry, on_tokens=lambda _: None
    )

    assert isinstance(reply, Completion)
    assert tries.numbers == [2]


async def test_cancelling_a_stream_drops_its_connection(server, streaming):
    call = asyncio.create_task(
        streaming("hang").complete(request(), before_retry=Tries().before_retry, on_tokens=lambda _: None)
    )
    await server.arrived.wait()
    call.cancel()
    await server.left.wait()

    with pytest.raises(asyncio.CancelledError):
        await call


async def test_a_model_that_an_ollama_does_not_have_is_to_be_pulled(streaming):
    failure = await streaming("404").complete(request(), before_retry=Tries().before_retry)

    assert "run `ollama pull 404`" in failure.detail


async def test_a_grammar_takes_the_place_of_the_schema(server, streaming):
    await streaming("well", grammar=lambda schema: f"grammar of {len(schema)}").complete(
        request(), before_retry=Tries().before_retry
    )

    assert server.calls[0].body["grammar"] == "grammar of 3"
    assert "response_format" not in server.calls[0].body


@pytest.mark.parametrize(
    "chunk", [None, [], {"choices": None}, {"choices": ["x"]}, {"choices": [{"delta": 3}]}, {"choices": []}]
)
async def test_a_piece_that_makes_no_sense_is_passed_over(chunk):
    assert Growing().add(chunk) is False


async def test_a_provider_that_does_not_stream_is_heard_once_when_its_turn_has_come(server):
    heard, client = [], open_client(server.url, None)
    member = MemberSpec("x:well", replace(OLLAMA, base_url=server.url, streams=False), "well", server.url)
    endpoint = Endpoint(lambda: client, None, asyncio.Semaphore(1), Tries().retries, 60.0)

    model = OpenAICompatible(member, endpoint, Prices())
    reply = await model.complete(request(), before_retry=Tries().before_retry, on_tokens=heard.append)
    await client.close()

    assert isinstance(reply, Completion) and json.loads(reply.text) and heard == [0]
    assert not server.calls[0].body.get("stream")
