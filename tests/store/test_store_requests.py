"""Requests that may be repeated: each is done by one, and its answer is given again for a day."""

import asyncio

import pytest
from sqlalchemy import func, insert, select

from moot.store import Stored, schema
from moot.store.requests import FORGOTTEN_AT_ONCE

DAY = 24 * 3600.0
UNDER_WAY = Stored("digest", None, {}, b"")
ANSWER = Stored("digest", 201, {"location": "/x", "é": "ü"}, b"\x00\xff body")


def count(connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.requests)).scalar_one()


async def answered(store, key: str, now: float) -> None:
    assert await store.callers.begin_request("ada", key, "digest", now) is None
    await store.callers.end_request("ada", key, ANSWER.status, ANSWER.headers, ANSWER.body)


async def test_a_request_is_done_once_and_its_answer_is_given_again(store):
    first = await store.callers.begin_request("ada", "k", "digest", 1000.0)
    meanwhile = await store.callers.begin_request("ada", "k", "another digest", 1001.0)
    await store.callers.end_request("ada", "k", 201, ANSWER.headers, ANSWER.body)

    assert first is None
    assert meanwhile == UNDER_WAY
    assert await store.callers.begin_request("ada", "k", "digest", 1002.0) == ANSWER


async def test_callers_and_keys_do_not_touch_each_other(store):
    for owner, key in (("ada", "k"), ("bea", "k"), ("ada", "k2"), ("", "k"), ("ada/k", ""), ("ada", "/k")):
        assert await store.callers.begin_request(owner, key, "digest", 1000.0) is None


async def test_of_those_who_begin_one_request_at_once_one_does_it(url, open_store):
    stores = [open_store(url) for _ in range(4)]

    found = await asyncio.gather(*(store.callers.begin_request("ada", "k", "digest", 1000.0) for store in stores * 5))

    assert sum(result is None for result in found) == 1
    assert sum(result == UNDER_WAY for result in found) == 19


async def test_processes_that_begin_many_requests_in_opposite_orders_never_wait_in_a_circle(url, open_store):
    one, other = open_store(url), open_store(url)
    keys = [f"k{number}" for number in range(50)]

    found = await asyncio.gather(
        *(one.callers.begin_request("ada", key, "digest", 1000.0) for key in keys),
        *(other.callers.begin_request("ada", key, "digest", 1000.0) for key in reversed(keys)),
    )

    assert sum(result is None for result in found) == 50


@pytest.mark.parametrize(("later", "mine"), [(0.0, False), (59.9, False), (60.0, True), (3600.0, True)])
async def test_a_request_that_its_process_left_behind_is_taken_over_after_a_minute(store, later, mine):
    await store.callers.begin_request("ada", "k", "digest", 1000.0)

    found = await store.callers.begin_request("ada", "k", "digest", 1000.0 + later)

    assert (found is None) == mine


async def test_of_those_who_take_over_at_once_one_does_and_has_a_minute(url, open_store):
    stores = [open_store(url) for _ in range(4)]
    await stores[0].callers.begin_request("ada", "k", "digest", 1000.0)

    found = await asyncio.gather(*(store.callers.begin_request("ada", "k", "digest", 1060.0) for store in stores * 3))

    assert sum(result is None for result in found) == 1
    assert await stores[0].callers.begin_request("ada", "k", "digest", 1119.0) == UNDER_WAY


async def test_the_first_answer_stays_when_two_processes_have_answered(store):
    await store.callers.begin_request("ada", "k", "digest", 1000.0)
    await store.callers.begin_request("ada", "k", "digest", 1060.0)
    await store.callers.end_request("ada", "k", ANSWER.status, ANSWER.headers, ANSWER.body)

    await store.callers.end_request("ada", "k", 500, {}, b"late")
    await store.callers.drop_request("ada", "k")

    assert await store.callers.begin_request("ada", "k", "digest", 1061.0) == ANSWER


async def test_a_dropped_request_can_be_done_anew_by_any_text(store):
    await store.callers.begin_request("ada", "k", "digest", 1000.0)

    await store.callers.drop_request("ada", "k")

    assert await store.callers.begin_request("ada", "k", "another digest", 1000.0) is None


@pytest.mark.parametrize(("later", "mine"), [(DAY - 1, False), (DAY, True)])
async def test_an_answer_is_remembered_for_a_day(store, later, mine):
    await answered(store, "k", 1000.0)

    found = await store.callers.begin_request("ada", "k", "digest", 1000.0 + later)

    assert found is None if mine else found == ANSWER


async def test_a_clock_that_is_set_back_forgets_nothing_and_takes_nothing_over(store):
    await answered(store, "done", 1_000_000.0)
    await store.callers.begin_request("ada", "begun", "digest", 1_000_000.0)

    found = [await store.callers.begin_request("ada", key, "digest", 5.0) for key in ("done", "begun")]

    assert found == [ANSWER, UNDER_WAY]


async def test_what_is_old_is_deleted_on_the_way_a_bounded_number_at_once(store):
    rows = [
        {"owner": "ada", "key": f"k{number}", "digest": "d", "started": float(number)}
        for number in range(FORGOTTEN_AT_ONCE + 50)
    ]
    await store.writer.run(lambda connection: connection.execute(insert(schema.requests), rows) and None)

    await store.callers.begin_request("bea", "1", "digest", DAY + 1000)
    after_one = await store.writer.run(count)
    await store.callers.begin_request("bea", "2", "digest", DAY + 1000)

    assert after_one == 50 + 1
    assert await store.writer.run(count) == 2


async def test_text_that_no_database_can_hold_is_no_failure(store):
    first = await store.callers.begin_request("ada\x00", "k\ud83d", "digest", 1000.0)

    again = await store.callers.begin_request("ada\x00", "k\ud83d", "digest", 1000.0)

    assert (first, again) == (None, UNDER_WAY)
