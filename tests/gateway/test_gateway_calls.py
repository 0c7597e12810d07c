"""A call to an OpenAI-compatible endpoint, and what comes back."""

import asyncio
import gzip
import json
import os
import sys
from pathlib import Path

import pytest

from moot.core.calls import Completion, Failure, Usage
from tests.fake_server import right_text
from tests.gateway.gateway_kit import CANARY, SCHEMA, Tries, ask, gateway, request

pytestmark = pytest.mark.anyio


async def test_a_call_carries_messages_schema_seed_temperature_and_length(server):
    reply = await ask(server)

    (call,) = server.calls
    assert call.body == {
        "model": "well",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why is the sky blue?"}],
        "temperature": 0.0,
        "max_tokens": 256,
        "seed": 7,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}},
    }
    assert json.loads(reply.text).keys() == {"answer", "confidence"}
    assert reply.usage == Usage(tokens_in=7, tokens_out=10, usd=None)
    assert reply.finish == "stop"


async def test_a_call_for_prose_carries_no_schema(server):
    reply = await ask(server, asked=request(schema=None))

    assert "response_format" not in server.calls[0].body
    assert reply.text.startswith("The answer is")


async def test_a_seed_of_any_size_is_sent_as_one_that_every_server_takes(server):
    await ask(server, asked=request(seed=2**64 - 1))

    assert server.calls[0].body["seed"] == 2**31 - 1


async def test_the_headers_are_the_key_and_nothing_of_the_machine(server):
    await ask(server)

    sent = {name.lower(): value for name, value in server.calls[0].headers.items()}
    assert sent["authorization"] == f"Bearer {CANARY}"
    assert sent["user-agent"].startswith("moot/")
    assert not {"openai-organization", "openai-project", "x-stainless-os", "x-stainless-runtime-version"} & sent.keys()


async def test_a_text_that_no_encoding_has_is_sent_with_what_cannot_be_sent_replaced(server):
    reply = await ask(server, asked=request("half a pair: \ud800"))

    assert isinstance(reply, Completion)
    assert server.calls[0].body["messages"][1]["content"] == "half a pair: \ufffd"


async def test_nothing_of_the_environment_but_the_key_reaches_a_server(server):
    program = """
import asyncio, os, sys
from tests.gateway.gateway_kit import ask, request
from types import SimpleNamespace

reply = asyncio.run(ask(SimpleNamespace(member=lambda name: sys.argv[1]), environ=dict(os.environ)))
print(reply.text)
"""
    environ = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "OPENAI_API_KEY": "leak-1",
        "OPENAI_ADMIN_KEY": "leak-2",
        "OPENAI_ORG_ID": "leak-3",
        "OPENAI_PROJECT_ID": "leak-4",
        "OPENAI_CUSTOM_HEADERS": "X-Own: leak-5",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/leak-6",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, server.member(), env=environ, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()

    assert json.loads(said)
    assert "leak-" not in f"{server.calls[0].headers} {server.calls[0].body}"


async def test_an_endpoint_without_a_key_gets_none_of_another(server):
    await ask(server, environ={"OPENAI_API_KEY": CANARY})

    assert CANARY not in str(server.calls[0].headers)


async def test_reasoning_is_set_aside(server):
    ours = await ask(server, "reasoning")
    routers = await ask(server, "openrouter-reasoning")

    assert ours.reasoning == routers.reasoning == "Let me see."
    assert json.loads(ours.text)


@pytest.mark.parametrize("word", ["fenced", "think", "prose", "wrong-schema", "truncated"])
async def test_a_bad_answer_is_passed_on_as_it_came(server, word):
    reply = await ask(server, word)

    assert isinstance(reply, Completion)
    assert reply.text != right_text(server.calls[0].body)
    assert reply.finish == ("length" if word == "truncated" else "stop")


@pytest.mark.parametrize("word", ["empty", "null"])
async def test_an_empty_answer_is_an_empty_text(server, word):
    assert (await ask(server, word)).text == ""


async def test_a_text_in_parts_is_put_together(server):
    reply = await ask(server, "parts")

    assert json.loads(reply.text)


async def test_a_refusal_is_the_text_and_is_marked(server):
    reply = await ask(server, "refusal")

    assert (reply.text, reply.finish) == ("I will not.", "refusal")


async def test_a_megabyte_of_text_arrives_whole(server):
    assert len((await ask(server, "long")).text) == 1_000_000


async def test_a_body_without_end_is_not_read_to_its_end(server):
    failure = await ask(server, "endless")

    assert failure.kind == "refused"
    assert "more than any reply needs" in failure.detail
    assert len(server.calls) == 1


async def test_a_packed_body_has_a_smaller_limit(unused_port):
    body = gzip.compress(b" " * 100_000_000)
    fields = ["Content-Type: application/json", "Content-Encoding: gzip", f"Content-Length: {len(body)}"]
    head = "\r\n".join(["HTTP/1.1 200 OK", *fields, "", ""])

    async def packed(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    bomb = await asyncio.start_server(packed, "127.0.0.1", unused_port)
    async with bomb, gateway(Tries()) as opened:
        model = opened.model(f"http://127.0.0.1:{unused_port}/v1#m")
        failure = await model.complete(request(), before_retry=Tries().before_retry)

    assert failure.kind == "refused"


@pytest.mark.parametrize("word", ["no-usage", "wrong-usage"])
async def test_missing_or_wrong_usage_is_unknown_and_never_guessed(server, word):
    assert (await ask(server, word)).usage == Usage(None, None, None)


async def test_the_providers_own_cost_is_taken(server):
    assert (await ask(server, "cost", prices={"cost": (1.0, 1.0)})).usage.usd == 0.0125


async def test_without_the_providers_cost_the_users_price_is_used(server):
    reply = await ask(server, prices={"well": (2.0, 10.0)})

    assert reply.usage.usd == pytest.approx((7 * 2.0 + 10 * 10.0) / 1e6)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("no-temperature", "temperature"),
        ("no-seed", "seed"),
        ("no-schema", "response_format"),
        ("no-seed-detail", "seed"),
        ("no-seed-list", "seed"),
    ],
)
async def test_a_rejected_parameter_is_left_out_counted_as_a_try_and_remembered(server, word, name):
    tries = Tries()

    async with gateway(tries) as opened:
        model = opened.model(server.member(word))
        first = await model.complete(request("one"), before_retry=tries.before_retry)
        second = await model.complete(request("two"), before_retry=tries.before_retry)

    assert isinstance(first, Completion) and isinstance(second, Completion)
    assert [name in call.body for call in server.calls] == [True, False, False]
    assert (tries.numbers, tries.waits) == ([2], [])


async def test_a_length_goes_under_its_other_name_where_the_first_is_rejected(server):
    reply = await ask(server, "no-max-tokens")

    assert isinstance(reply, Completion)
    assert server.calls[1].body["max_completion_tokens"] == 256
    assert "max_tokens" not in server.calls[1].body


async def test_a_model_that_rejects_four_parameters_still_answers(server):
    tries = Tries()

    reply = await ask(server, "picky", tries=tries)

    assert isinstance(reply, Completion)
    assert tries.numbers == [2, 3, 4, 5]
    assert reply.without == ("response_format", "seed", "temperature")


async def test_a_call_in_flight_while_a_parameter_is_learnt_to_be_rejected_is_sent_again_too(server):
    tries = Tries()

    async with gateway(tries) as opened:
        model = opened.model(server.member("no-seed"))
        calls = [model.complete(request(str(n)), before_retry=tries.before_retry) for n in range(8)]
        replies = await asyncio.gather(*calls)

    assert all(isinstance(reply, Completion) for reply in replies)


async def test_a_length_beyond_the_models_limit_is_no_reason_to_leave_the_limit_out(server):
    failure = await ask(server, "too-long")

    assert failure.kind == "refused"
    assert len(server.calls) == 1


async def test_a_parameters_name_in_a_quoted_prompt_is_no_rejection(server):
    failure = await ask(server, "quoting")

    assert failure.kind == "refused"
    assert len(server.calls) == 1


async def test_the_budget_may_forbid_the_try_without_the_parameter(server):
    failure = await ask(server, "no-seed", tries=Tries(allowed=0))

    assert failure.kind == "budget"
    assert len(server.calls) == 1


async def test_an_endpoint_named_by_its_address_is_not_streamed(server):
    heard = []

    await ask(server, on_tokens=heard.append)

    assert heard == [0], "its turn has come, and nothing more"
    assert "stream" not in server.calls[0].body


async def test_a_redirect_is_not_followed(server):
    failure = await ask(server, "redirect")

    assert failure.kind == "refused"


async def test_cancelling_a_call_drops_its_connection(server):
    async with gateway() as opened:
        model = opened.model(server.member("hang"))
        call = asyncio.create_task(model.complete(request(), before_retry=Tries().before_retry))
        await server.arrived.wait()
        call.cancel()
        await server.left.wait()

        with pytest.raises(asyncio.CancelledError):
            await call

    assert server.calls[0].disconnected


async def test_no_more_calls_are_under_way_than_the_providers_limit(server):
    server.behaviours["a"] = server.behaviours["b"] = "slow"

    async with gateway(calls_at_once=2) as opened:
        models = [opened.model(server.member(name)) for name in "abab"]
        calls = [
            asyncio.create_task(model.complete(request(str(n)), before_retry=Tries().before_retry))
            for n, model in enumerate(models)
        ]
        await server.arrived.wait()
        server.release.set()
        await asyncio.gather(*calls)

    assert server.most_in_flight <= 2
    assert len(server.calls) == 4


async def test_a_slow_answer_is_waited_for(server):
    async with gateway() as opened:
        model = opened.model(server.member("slow"))
        call = asyncio.create_task(model.complete(request(), before_retry=Tries().before_retry))
        await server.arrived.wait()
        server.release.set()

        assert isinstance(await call, Completion)


async def test_the_time_that_is_left_bounds_the_whole_call(server):
    failure = await ask(server, "hang", asked=request(timeout=0.01))

    assert failure == Failure("timeout", f"{server.member('hang')} did not answer in the time that was left")
