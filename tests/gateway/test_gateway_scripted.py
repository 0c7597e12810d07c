"""Members that follow a script."""

import asyncio
import contextlib
import json

import pytest

from moot.core.calls import Completion, Failure, Usage
from moot.core.errors import BadMember
from moot.core.tokens import estimated_tokens, prompt_tokens
from moot.gateway.scripted import Replay, Scripted, read_script
from tests.gateway.gateway_kit import Tries, gateway, request

pytestmark = pytest.mark.anyio


async def say(model, step="answer"):
    return await model.complete(request(step=step), before_retry=Tries().before_retry)


async def test_a_list_is_said_in_order_and_then_refused():
    model = Scripted(["one", "two"])

    said = [await say(model) for _ in range(3)]

    assert [reply.text for reply in said[:2]] == ["one", "two"]
    assert said[2] == Failure("refused", "scripted: the script has no further reply, for step 'answer'")


async def test_a_function_answers_each_request():
    model = Scripted(lambda asked: f"{asked.step}: {asked.messages[-1].content}")

    assert (await say(model)).text == "answer: Why is the sky blue?"


async def test_one_text_is_said_to_everything():
    model = Scripted("the same")

    assert [(await say(model)).text for _ in range(3)] == ["the same"] * 3


async def test_a_function_may_wait():
    gate = asyncio.Event()

    async def slowly(_asked):
        await gate.wait()
        return "at last"

    call = asyncio.create_task(say(Scripted(slowly)))
    gate.set()

    assert (await call).text == "at last"


async def test_a_mapping_answers_by_the_pattern_of_the_step():
    model = Scripted({"round-1/*": ["a", "b"], "round-*": "other", "object": {"x": 1}})

    said = [(await say(model, step)).text for step in ("round-1/m1", "round-2/m1", "round-1/m2", "object")]

    assert said == ["a", "other", "b", '{"x":1}']
    assert (await say(model, "summary")).kind == "refused"


async def test_completions_and_failures_are_passed_on_as_they_are():
    reply = Completion("x", Usage(1, 2, 3.0), reasoning="hm", finish="length")
    failure = Failure("timeout", "too slow")
    model = Scripted([reply, failure])

    assert [await say(model), await say(model)] == [reply, failure]


async def test_the_requests_are_kept_in_order_and_the_price_is_a_known_nothing():
    model = Scripted(["one", "two"], context=512)

    reply = await say(model, "first")
    await say(model, "second")

    assert [asked.step for asked in model.requests] == ["first", "second"]
    assert reply.usage == Usage(prompt_tokens(request().messages), estimated_tokens("one"), 0.0)
    assert (model.price, model.context) == ((0.0, 0.0), 512)


async def test_a_file_holds_a_script(tmp_path):
    script = {"answer": ["one", {"answer": "two"}], "*": {"$failure": "timeout", "detail": "as written"}}
    (tmp_path / "replies.json").write_text(json.dumps(script), encoding="utf-8")

    async with gateway() as opened:
        with contextlib.chdir(tmp_path):
            model = opened.model("scripted:replies.json")
        said = [await say(model), await say(model), await say(model, "other")]

    assert [reply.text for reply in said[:2]] == ["one", '{"answer":"two"}']
    assert said[2] == Failure("timeout", "as written")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot be read"),
        ("{", "no JSON"),
        ("3", "a script is an object"),
        ('{"a": 3}', "a reply is a text or an object"),
        ('["a", null]', "a reply is a text or an object"),
        ('{"a": {"$failure": "sulking"}}', "timeout, unreachable, refused, budget"),
    ],
)
def test_a_file_that_holds_no_script_is_refused(tmp_path, content, problem):
    if content is not None:
        (tmp_path / "script.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadMember, match=problem):
        read_script("script.json", tmp_path)


async def test_a_replay_makes_no_call():
    assert await say(Replay()) == Failure("refused", "a replay makes no call")
    async with gateway() as opened:
        assert isinstance(opened.model("replay"), Replay)


async def test_a_pattern_that_names_an_ask_stands_for_all_of_its_replies():
    model = Scripted({"draw#3": "the third", "draw": ["the first", "the second"]})

    replies = [(await say(model, step)).text for step in ("draw", "draw#2", "draw#3")]

    assert replies == ["the first", "the second", "the third"]
