"""A string in, a model out; and the embedded model, started at its first call."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from moot.core.calls import Completion
from moot.core.errors import BadMember, EmbeddedFailed, ForbiddenByLocal, KeyMissing
from moot.gateway.client import ClosingClient, open_client
from moot.gateway.embedded.model import EmbeddedModel
from moot.gateway.embedded.server import ChildEndpoint
from moot.gateway.members import parse_member
from moot.gateway.pricing import Prices
from tests.gateway.gateway_kit import CANARY, Tries, gateway, request

pytestmark = pytest.mark.anyio


class FakeEmbedded:
    """Serves the fake server's replies as an embedded model would."""

    def __init__(self, server, *, troubles=(), model="well"):
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()
        self.troubles = list(troubles)
        self.starts = 0
        self.stops = 0
        self.key = CANARY
        self._server = server
        self._model = model

    async def start(self):
        self.asked.set()
        await self.gate.wait()
        self.starts += 1
        if self.troubles:
            raise self.troubles.pop(0)
        return ChildEndpoint(self._server.url, self.key, self._model, 4096)

    async def stop(self):
        self.stops += 1


@pytest.fixture
async def embedded():
    opened = []

    def model(running):
        built = EmbeddedModel(
            parse_member("embedded")[0],
            running,
            open_client=open_client,
            limit=asyncio.Semaphore(1),
            retries=Tries().retries,
            timeout=60.0,
            prices=Prices(),
            context=8192,
            slots=4,
            grammar=lambda schema: "the grammar",
        )
        opened.append(built)
        return built

    yield model
    for built in opened:
        await built.close()


async def call(model, **more):
    return await model.complete(request(**more), before_retry=Tries().before_retry)


async def test_one_string_gives_one_model():
    async with gateway(environ={"OPENAI_API_KEY": CANARY}) as opened:
        assert opened.model("openai") is opened.model("openai:gpt-5.4-mini")


async def test_models_of_one_endpoint_share_a_connection(server):
    async with gateway() as opened:
        for name in ("a", "b", "c"):
            await call(opened.model(server.member(name)))

        assert len(opened._clients) == 1


async def test_a_gateway_can_be_used_again_after_it_was_closed(server):
    async with gateway() as opened:
        await call(opened.model(server.member()))
        await opened.close()

        assert isinstance(await call(opened.model(server.member())), Completion)


async def test_a_model_is_refused_before_any_call_where_its_key_is_missing():
    async with gateway(environ={}) as opened:
        with pytest.raises(KeyMissing, match="ANTHROPIC_API_KEY"):
            opened.model("anthropic")


async def test_local_forbids_a_model_that_leaves_the_machine():
    async with gateway(environ={"OPENAI_API_KEY": CANARY}, local=True) as opened:
        with pytest.raises(ForbiddenByLocal):
            opened.model("openai")
        assert opened.model("http://127.0.0.1:1/v1#m")


async def test_several_seats_are_no_model():
    async with gateway() as opened:
        with pytest.raises(BadMember, match=r"without \*N"):
            opened.model("replay*2")


async def test_the_context_of_a_model_is_told_where_it_is_known():
    async with gateway(environ={"OPENAI_API_KEY": CANARY}, embedded_context=2048) as opened:
        assert opened.model("openai:gpt-5.4-mini").context == 400_000
        assert opened.model("http://127.0.0.1:1/v1#m").context is None
        assert opened.model("embedded").context == 2048
        assert opened.model("embedded").price == (0.0, 0.0)


async def test_the_embedded_model_starts_at_its_first_call_and_once(server, embedded):
    running = FakeEmbedded(server)
    model = embedded(running)
    before = running.starts

    replies = await asyncio.gather(*(call(model, text=str(n)) for n in range(5)))

    assert before == 0
    assert all(isinstance(reply, Completion) and reply.usage.usd == 0.0 for reply in replies)
    assert server.calls[0].body["grammar"] == "the grammar"
    assert server.calls[0].body["model"] == "well"
    assert len({sent.headers["Authorization"] for sent in server.calls}) == 1
    assert running.starts == 1


async def test_an_embedded_model_that_does_not_start_is_a_failure_and_is_tried_at_the_next_call(server, embedded):
    running = FakeEmbedded(server, troubles=[EmbeddedFailed(model="m", problem="too little memory")])
    model = embedded(running)

    first, second = await call(model), await call(model)

    assert first.kind == "unreachable"
    assert "too little memory" in first.detail
    assert isinstance(second, Completion)


async def test_starting_before_the_first_call_says_why_it_cannot(server, embedded):
    model = embedded(FakeEmbedded(server, troubles=[EmbeddedFailed(model="m", problem="too little memory")]))

    with pytest.raises(EmbeddedFailed):
        await model.started()


async def test_a_cancelled_call_leaves_the_start_to_the_others(server, embedded):
    running = FakeEmbedded(server)
    running.gate.clear()
    model = embedded(running)
    first, second = (asyncio.create_task(call(model, text=text)) for text in ("one", "two"))
    await running.asked.wait()

    first.cancel()
    running.gate.set()

    assert isinstance(await second, Completion)
    assert first.cancelled() or first.cancelling()


async def test_a_model_that_was_started_anew_is_reached_at_its_new_place(server, embedded):
    running = FakeEmbedded(server)
    model = embedded(running)
    await call(model, text="one")

    running.key = "another-key-for-the-new-process"
    await call(model, text="two")

    assert server.calls[1].headers["Authorization"] == "Bearer another-key-for-the-new-process"


async def test_the_time_that_is_left_bounds_the_start_too(server, embedded):
    running = FakeEmbedded(server)
    running.gate.clear()

    failure = await call(embedded(running), timeout=0.01)

    assert failure.kind == "timeout"
    assert "did not start" in failure.detail


async def test_closing_ends_a_model_that_is_still_starting(server, embedded):
    running = FakeEmbedded(server)
    running.gate.clear()
    model = embedded(running)
    waiting = asyncio.create_task(call(model))
    await running.asked.wait()

    await model.close()
    waiting.cancel()

    assert running.stops == 1
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_weights_are_not_fetched_when_local_or_offline(tmp_path: Path):
    for forbidding in ({"local": True}, {"offline": True}):
        async with gateway(cache=tmp_path, **forbidding) as opened:
            failure = await call(opened.model("embedded:135m"))

        assert failure.kind == "unreachable"
        assert "moot models pull" in failure.detail


async def test_the_embedded_model_gets_a_connection_for_each_call(server):
    client = open_client(server.url, None, ClosingClient)

    await client.post("/chat/completions", cast_to=object, body={"model": "well", "messages": []})
    await client.close()

    assert server.calls[0].headers["Connection"] == "close"


@pytest.mark.parametrize(
    ("n", "prompt", "at_once"), [(1, 100, 1), (4, 100, 4), (9, 100, 4), (4, 6000, 2), (4, 9000, 1)]
)
async def test_the_embedded_model_writes_as_many_replies_as_fit_its_slots_and_its_window(
    server, embedded, n, prompt, at_once
):
    asked = replace(request("abc" * prompt), n=n, max_tokens=1000)

    assert embedded(FakeEmbedded(server)).at_once(asked) == at_once


async def test_the_embedded_model_brings_several_replies_by_one_request(server, embedded):
    reply = await embedded(FakeEmbedded(server, model="llama")).complete(
        replace(request(), n=3), before_retry=Tries().before_retry
    )

    assert [each.usage.tokens_out for each in (reply, *reply.more)] == [11, 12, 13]
    assert [call.body["n"] for call in server.calls] == [3]


async def test_the_embedded_models_speed_is_what_its_server_tells(server, embedded):
    speed = await embedded(FakeEmbedded(server, model="timed")).speed()

    assert (speed.read, speed.written) == (52.5, 18.0)
    assert server.calls[0].body["cache_prompt"] is False


@pytest.mark.parametrize(("word", "why"), [("well", "does not say how long"), ("500", "failed with status 500")])
async def test_a_speed_that_nobody_tells_is_said_not_to_be_known(server, embedded, word, why):
    with pytest.raises(EmbeddedFailed, match=why):
        await embedded(FakeEmbedded(server, model=word)).speed()


async def test_a_speed_is_asked_of_embedded_models_alone(server):
    async with gateway() as opened:
        with pytest.raises(BadMember, match="embedded"):
            await opened.speed(server.member())
