"""Several replies to one prompt: what a server is asked for, and what each of its replies is said to have taken."""

import asyncio
from dataclasses import replace

import pytest

from moot.core.calls import Completion, Usage
from moot.gateway.client import open_client
from moot.gateway.keys import Secret
from moot.gateway.members import MemberSpec
from moot.gateway.openai_compatible import Endpoint, OpenAICompatible
from moot.gateway.pricing import Prices
from moot.gateway.providers import EMBEDDED, OPENAI, PROVIDERS
from moot.gateway.replies import Growing, completion_of
from tests.gateway.gateway_kit import CANARY, Tries
from tests.gateway.gateway_kit import request as asked

pytestmark = [pytest.mark.anyio, pytest.mark.clause("ruling:G3", "ruling:G10")]


def request(n, **more):
    return replace(asked(schema=None), n=n, **more)


@pytest.fixture
async def model(server):
    client = open_client(server.url, Secret(CANARY))

    def built(name, provider=OPENAI):
        member = MemberSpec(f"{provider.name}:{name}", replace(provider, is_free=True), name, server.url)
        endpoint = Endpoint(lambda: client, Secret(CANARY), asyncio.Semaphore(4), Tries().retries, 60.0)
        return OpenAICompatible(member, endpoint, Prices())

    yield built
    await client.close()


async def complete(model, n, tries=None):
    return await model.complete(request(n), before_retry=(tries or Tries()).before_retry)


def all_of(completion):
    return [completion, *completion.more]


async def test_a_provider_that_takes_n_gets_one_request(server, model):
    replies = all_of(await complete(model("well"), 3))

    assert [call.body["n"] for call in server.calls] == [3]
    assert len({reply.text for reply in replies}) == 3


async def test_one_reply_is_asked_for_without_n(server, model):
    await complete(model("well"), 1)

    assert "n" not in server.calls[0].body


async def test_what_the_call_took_stands_with_the_first_where_only_the_whole_is_known(model):
    replies = all_of(await complete(model("well"), 3))

    assert [reply.usage for reply in replies] == [Usage(7, 30, 0.0), Usage(0, 0, 0.0), Usage(0, 0, 0.0)]


async def test_in_a_stream_that_counts_each_reply_every_one_has_its_own(server, model):
    replies = all_of(await complete(model("llama", EMBEDDED), 3))

    assert [reply.usage for reply in replies] == [Usage(40, 11, 0.0), Usage(0, 12, 0.0), Usage(0, 13, 0.0)]
    assert server.calls[0].body["stream"] is True


async def test_a_stream_that_counts_the_whole_alone_gives_it_to_the_first(model):
    replies = all_of(await complete(model("well", EMBEDDED), 3))

    assert [reply.usage.tokens_out for reply in replies] == [30, 0, 0]


async def test_a_stream_brings_the_same_replies_in_the_same_order(model):
    whole, piecewise = await complete(model("well"), 3), await complete(model("well", EMBEDDED), 3)

    assert [reply.text for reply in all_of(piecewise)] == [reply.text for reply in all_of(whole)]


async def test_what_nobody_counts_is_unknown_for_each(model):
    replies = all_of(await complete(model("no-usage"), 2))

    assert [(reply.usage.tokens_in, reply.usage.tokens_out) for reply in replies] == [(None, None)] * 2


async def test_a_model_that_rejects_n_is_asked_for_one_at_a_time_from_then_on(server, model):
    picky, tries = model("no-n"), Tries()

    reply = await complete(picky, 3, tries)

    assert isinstance(reply, Completion) and reply.more == () and reply.without == ()
    assert tries.numbers == [2]
    assert picky.at_once(request(3)) == 1


async def test_a_model_that_sends_fewer_is_asked_for_no_more_than_that_from_then_on(model):
    lone = model("one-of-n")
    assert lone.at_once(request(3)) == 3

    reply = await complete(lone, 3)

    assert reply.more == ()
    assert lone.at_once(request(3)) == 1


async def test_a_key_that_comes_back_is_cut_out_of_every_reply(model):
    replies = all_of(await complete(model("echo-key"), 2))

    assert ["[key]" in reply.text for reply in replies] == [True, True]
    assert not any(CANARY in said for reply in replies for said in (reply.text, reply.id, reply.model))
    assert "[key]" in replies[0].id


async def test_only_those_known_to_take_n_are_asked_for_several_at_once():
    assert {row.name for row in PROVIDERS if row.at_once > 1} == {"openai", "embedded"}


async def test_a_choice_beyond_those_wanted_is_not_read():
    choices = [{"index": index, "message": {"content": str(index)}} for index in range(4)]

    read = completion_of({"choices": choices}, lambda *_: None, 2)

    assert [reply.text for reply in all_of(read)] == ["0", "1"]


async def test_a_piece_of_a_choice_beyond_those_wanted_is_passed_over():
    growing = Growing(2)

    for index in (0, 1, 2, 10**9):
        growing.add({"choices": [{"index": index, "delta": {"content": str(index)}}]})

    assert [choice["message"]["content"] for choice in growing.whole()["choices"]] == ["0", "1"]


async def test_running_counts_in_a_stream_are_not_taken_for_a_replys_own():
    growing = Growing(2)

    for count, index in enumerate((1, 0, 0), start=1):
        piece = {"index": index, "delta": {"content": "x"}, "finish_reason": "stop"}
        growing.add({"choices": [piece], "usage": {"prompt_tokens": 5, "completion_tokens": count}})

    read = completion_of(growing.whole(), lambda *_: 0.0, 2)
    assert [reply.usage.tokens_out for reply in all_of(read)] == [3, 0]
