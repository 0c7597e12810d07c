"""Limits for all processes of one database: what a key spends in a day and how often it comes, and how many calls are
under way with a provider that may want to be left alone."""

import asyncio

import pytest
from test_store_costs import DAY, pay, usage

from moot.core.errors import DayUsedUp
from moot.store.limits.shares import fair_part
from moot.store.limits.spending import DayLimits

LIMITS = DayLimits(calls=10, usd=1.0)


async def test_a_key_spends_what_it_may_in_a_day_and_no_more(store, clock):
    clock.time = 3 * DAY + 600.0
    day = await store.spending.reserve("moot_1", 10, 0.5, LIMITS)

    with pytest.raises(DayUsedUp, match=r"10 of its 10 calls of today, and this may take 1; .*in 23\.8 hours") as over:
        await store.spending.reserve("moot_1", 1, 0.0, LIMITS)
    await store.spending.reserve("moot_2", 1, 0.0, LIMITS)
    clock.time = 4 * DAY
    later = await store.spending.reserve("moot_1", 10, 0.0, LIMITS)

    assert (day, later, over.value.retry_after) == (3, 4, DAY - 600)


async def test_dollars_are_kept_at_the_most_they_could_be_and_put_right_by_the_reply(store, clock):
    day = await store.spending.reserve("moot_1", 1, 0.9, LIMITS)
    with pytest.raises(DayUsedUp, match=r"0\.9 of its 1 dollars"):
        await store.spending.reserve("moot_1", 1, 0.2, LIMITS)

    await store.spending.settle("moot_1", day, -0.8)

    await store.spending.reserve("moot_1", 1, 0.2, LIMITS)


async def test_what_is_refused_is_not_counted(store):
    for _ in range(3):
        with pytest.raises(DayUsedUp):
            await store.spending.reserve("moot_1", 11, 0.0, LIMITS)

    await store.spending.reserve("moot_1", 10, 0.0, LIMITS)


async def test_a_day_begins_with_what_its_journal_holds(store, clock):
    clock.time = 3 * DAY - 1.0
    await pay(store, "yesterday", {"a": ("small", usage(1, 0.5))}, "moot_1")
    clock.time = 3 * DAY
    await pay(store, "today", {"a": ("small", usage(1, 0.5)), "b": ("small", usage(1, 0.5))}, "moot_1")

    with pytest.raises(DayUsedUp, match=r"1 of its 1 dollars"):
        await store.spending.check("moot_1", LIMITS)
    await store.spending.check("moot_1", DayLimits(calls=3))
    with pytest.raises(DayUsedUp, match=r"2 of its 2 calls"):
        await store.spending.check("moot_1", DayLimits(calls=2))


async def test_of_all_processes_that_spend_at_once_none_passes_the_limit(url, open_store):
    stores = [open_store(url) for _ in range(4)]

    results = await asyncio.gather(
        *(store.spending.reserve("moot_1", 1, 0.0, LIMITS) for store in stores * 5), return_exceptions=True
    )

    assert sum(isinstance(result, int) for result in results) == 10
    assert sum(isinstance(result, DayUsedUp) for result in results) == 10


async def test_a_pause_is_known_to_every_process_until_it_is_over(url, open_store, clock):
    one, other = open_store(url), open_store(url)
    await one.pauses.lengthen("https://a.example/v1", 1030.0)
    await one.pauses.lengthen("https://a.example/v1", 1020.0)
    await one.pauses.lengthen("https://b.example/v1", 1005.0)

    before = await other.pauses.read()
    clock.time = 1005.0

    assert before == {"https://a.example/v1": 1030.0, "https://b.example/v1": 1005.0}
    assert await other.pauses.read() == {"https://a.example/v1": 1030.0}


@pytest.fixture
def processes(postgres_url, open_store):
    """Three processes with calls to make to one provider."""
    return [open_store(postgres_url).call_shares for _ in range(3)]


async def share(process, wanted, busy=0, most=6, endpoint="a"):
    return await process.share(endpoint, wanted=wanted, busy=busy, most=most)


async def test_all_processes_together_may_have_as_many_calls_under_way_as_the_limit_says(processes):
    shares = await asyncio.gather(*(share(process, 4) for process in processes))
    elsewhere = await share(processes[0], 4, endpoint="b")

    assert sum(shares) == 6
    assert elsewhere == 4


async def test_whoever_has_more_than_is_fair_leaves_it_to_others_as_its_calls_end(processes):
    one, other, _ = processes
    alone = await share(one, 6)
    waiting = await share(other, 6)
    told = await share(one, 6, busy=6)
    still = await share(other, 6)
    ended = await share(one, 6, busy=3)

    assert (alone, waiting, told, still, ended) == (6, 0, 3, 0, 3)
    assert await share(other, 6) == 3


async def test_what_nobody_else_wants_is_for_whoever_has_calls_to_make(processes):
    one, other, _ = processes
    await share(one, 1)
    most = await share(other, 20)
    await share(one, 0)

    assert (most, await share(other, 20)) == (5, 6)


async def test_more_processes_than_calls_take_turns(processes):
    one, _, third = processes
    first = [await share(process, 1, most=2) for process in processes]
    # The first two are asked to leave their place when their call ends, and the third takes it.
    left = await share(one, 1, busy=0, most=2)

    assert (first, left) == ([1, 1, 0], 0)
    assert await share(third, 1, most=2) == 1


async def test_the_share_of_a_process_that_is_gone_is_free_after_a_while(processes, postgres):
    import psycopg

    one, other, _ = processes
    await share(one, 6)
    before = await share(other, 6)
    with psycopg.connect(postgres.get_uri(database=database_of(other)), autocommit=True) as connection:
        connection.execute("UPDATE call_shares SET until = until - 10.0")

    assert (before, await share(other, 6)) == (0, 6)


def database_of(shares):
    return shares._writer._database.writing.url.database


@pytest.mark.parametrize(
    ("wanted", "others", "most", "part"),
    [
        (4, [], 10, 4),
        (40, [], 10, 10),
        (5, [5], 10, 5),
        (9, [1], 10, 9),
        (9, [9], 10, 5),
        (9, [2, 9], 10, 4),
        (3, [3], 5, 3),
        (1, [1, 1, 1], 2, 1),
        (0, [9], 10, 0),
    ],
)
def test_a_fair_part_is_what_is_wanted_or_an_even_part_of_what_is_left(wanted, others, most, part):
    assert fair_part(wanted, others, most, rounded_up=True) == part


def test_a_fair_part_that_is_rounded_down_leaves_something_to_whoever_has_nothing():
    assert [fair_part(3, [3], 5, rounded_up=down) for down in (True, False)] == [3, 2]
    assert fair_part(1, [1, 1, 1], 2, rounded_up=False) == 0


async def test_what_one_server_counted_another_takes_off(postgres_url, open_store):
    one, other = (open_store(postgres_url).paces for _ in range(2))

    first = await one.count({"moot_1": 150, "moot_2": 1}, 0.001, 200.0)
    second = await other.count({"moot_1": 150}, 0.001, 200.0)

    assert first == {"moot_1": 50.0, "moot_2": 199.0}
    assert second["moot_1"] == pytest.approx(-100.0, abs=0.1)


async def test_what_a_key_may_send_fills_up_with_time_and_its_debt_has_an_end(postgres_url, open_store):
    paces = open_store(postgres_url).paces

    await paces.count({"moot_1": 10**6}, 0.001, 200.0)
    indebted = await paces.count({"moot_1": 0}, 0.001, 200.0)
    # So quick that any time fills it.
    filled = await paces.count({"moot_1": 1}, 10.0**9, 200.0)

    assert indebted["moot_1"] == pytest.approx(-200.0, abs=0.1)
    assert filled == {"moot_1": 199.0}


async def test_a_process_that_is_paused_in_a_change_does_not_hold_up_the_others_for_ever(postgres_url, open_store):
    store = open_store(postgres_url)

    bound = await store.writer.run(
        lambda connection: connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar()
    )

    assert bound == "10s"
