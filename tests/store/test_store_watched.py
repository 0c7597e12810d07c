"""Where watched deliberations stand, and their events in parts."""

import pytest
from store_kit import header

from moot.store.watched import MOST_AT_ONCE, Reached


async def with_events(store, deliberation: str, number: int, status: str = "running") -> None:
    await store.deliberations.create(deliberation, header())
    async with store.hold(deliberation) as hold:
        await hold.journal.emit([(seq, f"event {seq}") for seq in range(number)])
        await hold.set_status(status)


async def test_all_that_are_watched_are_seen_in_one_look_and_one_that_is_gone_is_left_out(store):
    await with_events(store, "a", 3)
    await with_events(store, "b", 0, "paused")
    await with_events(store, "c", 5, "complete")

    seen = await store.deliberations.reached(["a", "b", "nobody"])

    assert seen == {"a": Reached("running", 2), "b": Reached("paused", -1)}


async def test_more_can_be_watched_than_a_database_takes_in_one_question(store):
    await with_events(store, "a", 1)

    seen = await store.deliberations.reached([*(f"nobody {number}" for number in range(MOST_AT_ONCE * 2)), "a"])

    assert seen == {"a": Reached("running", 0)}


@pytest.mark.parametrize(("after", "limit", "seqs"), [(-1, 2, [0, 1]), (1, 2, [2, 3]), (3, 2, [4]), (4, 2, [])])
async def test_events_can_be_read_in_parts(store, after, limit, seqs):
    await with_events(store, "a", 5)

    assert [seq for seq, _ in await store.deliberations.events("a", after, limit)] == seqs
