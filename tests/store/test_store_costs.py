"""What calls took by day, model and key: each counted once, where it was paid for."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from store_kit import header, intent, ok

from moot.core.budget import Spent, Unknown
from moot.core.calls import Usage
from moot.core.canonical import canonical
from moot.core.events import Parent
from moot.store import Served, Store
from moot.store.limits.costs import LONGEST_MODEL, By, model_asked

DAY = 86_400


def request(model: str, said: str = "Why?") -> str:
    messages = [{"role": "user", "content": said}]
    return canonical({"messages": messages, "model": model, "sampling": {"temperature": 0.8}})


async def pay(store: Store, deliberation: str, steps: dict[str, tuple[str, Usage]], owner: str | None = None) -> None:
    """Ask each step of a model, at the clock's moment; each reply takes a second and a half."""
    await store.served.create(deliberation, header(), Served(owner))
    await pay_more(store, deliberation, steps)


async def pay_more(store: Store, deliberation: str, steps: dict[str, tuple[str, Usage]], first: int = 0) -> None:
    async with store.hold(deliberation) as hold:
        for position, (step, (model, usage)) in enumerate(steps.items(), first):
            asked = intent(step, position, request=request(model))
            await hold.journal.intend([asked], [], active=0)
            reply = replace(asked, state="reply", text="yes", usage=usage, seconds=1.5)
            await hold.journal.settle(reply, ok(step, position), active=0)


def usage(tokens: int | None, usd: float | None = None) -> Usage:
    return Usage(tokens_in=tokens, tokens_out=tokens, usd=usd)


async def lines(store: Store, by: By, **span) -> dict[str | None, tuple[int, int | None]]:
    return {line.name: (line.spent.calls, line.spent.tokens_in) for line in await store.journals.paid(by, **span)}


async def test_calls_are_summed_by_day_by_model_and_by_key(store, clock):
    await store.callers.add_key(name="Ada", prefix="moot_1", digest="d", scopes=("agent",))
    clock.time = 10 * DAY + 5.0
    await pay(store, "one", {"a": ("small", usage(1, 0.5)), "b": ("large", usage(2, 0.25))}, "moot_1")
    clock.time = 12 * DAY - 0.5
    await pay(store, "two", {"a": ("small", usage(4, None))}, "moot_2")
    clock.time = 12 * DAY
    await pay(store, "three", {"a": ("small", usage(None, None))})

    assert await lines(store, "day") == {"10": (2, 3), "11": (1, 4), "12": (1, None)}
    assert await lines(store, "model") == {"small": (3, 5), "large": (1, 2)}
    by_key = await store.journals.paid("key")
    assert [(line.name, line.label) for line in by_key] == [("moot_1", "Ada"), (None, None), ("moot_2", None)]
    assert by_key[0].spent == Spent(2, 3, 3, 0.75, 3.0)
    assert by_key[2].spent == Spent(1, 4, 4, None, 1.5, Unknown(usd=1))


async def test_a_span_takes_its_first_moment_and_leaves_its_last_out(store, clock):
    for day in (10, 11, 12):
        clock.time = day * DAY
        await pay(store, f"d{day}", {"a": ("small", usage(day))})

    assert await lines(store, "day", since=11.0 * DAY, until=12.0 * DAY) == {"11": (1, 11)}
    assert await lines(store, "model", since=11.0 * DAY) == {"small": (2, 23)}
    assert await lines(store, "day", until=10.0 * DAY) == {}


@pytest.mark.parametrize("by", ["day", "model", "key"])
async def test_a_key_that_sees_only_its_own_sees_nothing_of_others(store, by):
    await pay(store, "own", {"a": ("small", usage(1))}, "moot_1")
    await pay(store, "others", {"a": ("small", usage(10)), "b": ("large", usage(10))}, "moot_2")
    await pay(store, "nobody's", {"a": ("small", usage(100))})

    [line] = await store.journals.paid(by, reader="moot_1")

    assert (line.spent.calls, line.spent.tokens_in) == (1, 1)
    assert await store.journals.paid(by, reader="moot_3") == []


async def test_what_a_fork_took_over_counts_with_its_parent_alone(store, clock):
    clock.time = 10.0 * DAY
    await pay(store, "parent", {"a": ("small", usage(1)), "b": ("small", usage(2))}, "moot_1")
    clock.time = 11.0 * DAY
    forked = header(parent=Parent("parent", "b"), forked_at=1)
    await store.served.create("child", forked, Served("moot_2"))
    await pay_more(store, "child", {"b": ("large", usage(4))}, first=1)

    assert (await store.journals.spent(["child"]))["child"].calls == 2
    assert await lines(store, "day") == {"10": (2, 3), "11": (1, 4)}
    assert await lines(store, "key") == {"moot_1": (2, 3), "moot_2": (1, 4)}


async def test_what_is_deleted_is_not_counted_and_every_try_is(store):
    await pay(store, "gone", {"a": ("small", usage(1))})
    await store.deliberations.create("tried", header())
    async with store.hold("tried") as hold:
        await hold.journal.intend([intent("a", 0, request=request("small"))], [], active=0)
        await hold.journal.count_try("a", 1, 3)

    await store.deliberations.delete("gone")

    assert await lines(store, "model") == {"small": (3, None)}


async def test_an_older_database_is_told_what_its_calls_were_for(url, open_store, clock):
    clock.time = 10.0 * DAY
    store = open_store(url)
    await pay(store, "parent", {"a": ("small", usage(1)), "b": ("large", usage(2))}, "moot_1")
    await store.served.create("child", header(parent=Parent("parent", "b"), forked_at=1), Served("moot_2"))
    await pay_more(store, "child", {"b": ("large", usage(4))}, first=1)
    key = await store.callers.add_key(name="Ada", prefix="moot_1", digest="d", scopes=("agent",))
    await store.writer.run(as_before_usage)
    await store.close()

    newer = open_store(url)

    # The moment at which a call began was kept; here it is a second and a half after the epoch.
    assert await lines(newer, "day") == {"0": (3, 7)}
    assert await lines(newer, "model") == {"large": (2, 6), "small": (1, 1)}
    assert [(one, one.seen) for one in await newer.callers.keys()] == [(key, None)]
    await pay(newer, "new", {"a": ("small", usage(8))})
    assert await lines(newer, "day") == {"0": (3, 7), "10": (1, 8)}


def as_before_usage(connection):
    connection.execute(text("DROP INDEX attempts_paid"))
    for table, column in (("attempts", "sent"), ("attempts", "model"), ("keys", "seen")):
        connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    connection.execute(text("DELETE FROM migrations WHERE number > 5"))


@pytest.mark.parametrize(
    ("asked", "model"),
    [
        (request("openai:gpt"), "openai:gpt"),
        (request("small", said='"model":"large"'), "small"),
        (request('odd "name" \\'), 'odd "name" \\'),
        (request("x" * 500), "x" * LONGEST_MODEL),
        (request("nul \0"), "nul �"),
        (canonical({"texts": ['"model":"large"']}), ""),
        ("request", ""),
        ('{"model":"cut', ""),
    ],
)
def test_the_model_of_a_request_is_the_one_it_names_and_no_word_of_a_message(asked, model):
    assert model_asked(asked) == model
