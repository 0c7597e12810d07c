"""What is tried again, how often, after how long, and what it comes to."""

import logging

import pytest

from moot.core.calls import Completion
from moot.gateway.retries import Retries, seconds_of
from tests.gateway.gateway_kit import CANARY, Tries, ask, gateway, request

pytestmark = pytest.mark.anyio

PASSING = ["429", "500", "503", "cut", "cut-late", "error-200", "not-json", "no-choices", "nested", "listed"]


@pytest.mark.parametrize("word", PASSING)
async def test_a_passing_trouble_is_tried_again(server, word):
    tries = Tries()

    reply = await ask(server, f"{word},well", tries=tries)

    assert isinstance(reply, Completion)
    assert (len(server.calls), tries.numbers, len(tries.waits)) == (2, [2], 1)


@pytest.mark.parametrize("word", PASSING)
@pytest.mark.clause("interrogation:4.4")
async def test_after_three_tries_it_is_a_failure_that_names_the_member(server, word):
    tries = Tries()

    failure = await ask(server, word, tries=tries)

    assert failure.kind == "unreachable"
    assert failure.detail.startswith(f"after 3 tries: {server.member(word)} ")
    assert "\n" not in failure.detail and "\x1b" not in failure.detail
    assert (len(server.calls), tries.numbers) == (3, [2, 3])


@pytest.mark.parametrize(
    ("word", "way_out"),
    [
        ("400", "rejected the request (it said: messages: must not be empty)"),
        ("401", "check MOOT_KEY_127_0_0_1"),
        ("403", "choose another member"),
        ("404", "no such model or address"),
        ("quota", "no credit"),
    ],
)
async def test_a_refusal_is_not_tried_again_and_says_the_way_out(server, word, way_out):
    failure = await ask(server, word)

    assert failure.kind == "refused"
    assert way_out in failure.detail
    assert len(server.calls) == 1


async def test_the_budget_may_forbid_a_further_try(server):
    tries = Tries(allowed=1)

    failure = await ask(server, "500", tries=tries)

    assert failure.kind == "budget"
    assert "failed with status 500" in failure.detail
    assert (len(server.calls), tries.numbers) == (2, [2, 3])


async def test_a_server_that_is_not_there_is_unreachable(unused_port):
    tries = Tries()

    async with gateway(tries) as opened:
        model = opened.model(f"http://127.0.0.1:{unused_port}/v1#m")
        failure = await model.complete(request(), before_retry=tries.before_retry)

    assert failure.kind == "unreachable"
    assert "could not be reached (" in failure.detail
    assert "is it running" in failure.detail
    assert tries.numbers == [2, 3]


async def test_a_try_that_takes_too_long_is_tried_again_and_then_a_timeout(server):
    tries = Tries()

    failure = await ask(server, "hang", tries=tries, timeout=0.01)

    assert failure.kind == "timeout"
    assert "within 0.01 seconds" in failure.detail
    assert tries.numbers == [2, 3]


async def test_the_number_of_tries_can_be_set(server):
    async with gateway(tries=None) as opened:
        assert opened._retries.tries == 3

    tries = Tries()
    tries.retries = Retries(tries=1, sleep=tries.wait)
    await ask(server, "500", tries=tries)

    assert len(server.calls) == 1


async def test_the_wait_that_the_server_asks_for_is_kept(server):
    tries = Tries(chance=0.5)

    await ask(server, "429,429-date,well", tries=tries)

    assert tries.waits == [7.25, 30.25]


async def test_a_wait_that_is_longer_than_the_time_left_is_not_waited(server):
    tries = Tries()

    failure = await ask(server, "429", tries=tries, asked=request(timeout=5.0))

    assert failure.kind == "unreachable"
    assert "no time is left" in failure.detail
    assert (tries.waits, tries.numbers) == ([], [])


def test_waits_double_and_stay_within_their_bounds():
    lowest, highest = Retries(random=lambda: 0.0), Retries(random=lambda: 1.0)

    assert [lowest.delay(failed) for failed in (1, 2, 3, 9)] == [0.25, 0.5, 1.0, 4.0]
    assert [highest.delay(failed) for failed in (1, 2, 3, 9)] == [0.5, 1.0, 2.0, 8.0]


def test_an_unreasonable_wait_is_capped():
    retries = Retries(random=lambda: 1.0)

    assert retries.delay(1, "86400") == 60.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_a_number_or_a_date(header, seconds):
    assert seconds_of(header, now=100.0) == seconds


@pytest.mark.parametrize(
    "word", ["401", "401-partly", "echo-key", "500", "cut", "hang", "404", "not-json", "endless", "picky"]
)
async def test_the_key_is_in_no_failure_no_reply_no_repr_and_no_log(server, word, caplog):
    caplog.set_level(logging.DEBUG)
    tries = Tries()

    async with gateway(tries, timeout=0.05) as opened:
        model = opened.model(server.member(word))
        outcome = await model.complete(request(), before_retry=tries.before_retry)
        shown = f"{outcome!r} {model!r} {vars(model)!r} {opened!r} {vars(opened)!r}"

    assert server.calls[0].headers["Authorization"] == f"Bearer {CANARY}"
    everything = shown.replace(repr(opened._environ), "") + caplog.text + "".join(str(vars(r)) for r in caplog.records)
    assert CANARY not in everything
    assert CANARY[3:16] not in everything
