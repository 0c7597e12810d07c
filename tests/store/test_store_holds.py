"""Who may run a deliberation: the lock that dies with its process, and the epoch that fences the others off."""

import asyncio

import psycopg
import pytest
from store_kit import header, intent, invitation, ok

from moot.core.errors import AlreadyRunning, Fenced
from moot.core.ports import Journaled


@pytest.fixture
def break_locks(url, tmp_path):
    """Return what takes every lock away from those who believe they have it."""

    def remove_files() -> None:
        for file in (tmp_path / "data" / "moot.db.locks").iterdir():
            file.unlink()

    def end_sessions() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            held = "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'"
            assert connection.execute(held).fetchall() == [(True,)]

    return remove_files if url.startswith("sqlite") else end_sessions


async def test_each_hold_counts_the_epoch_up(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as first:
        pass
    async with store.hold("abc") as second:
        pass

    assert (first.epoch, second.epoch) == (1, 2)


async def test_two_holds_in_one_process_exclude_each_other(url, store, open_store):
    await store.deliberations.create("abc", header())
    await store.deliberations.create("other", header())
    second = open_store(url)

    async with store.hold("abc"), store.hold("other"):
        for another in (store, second):
            with pytest.raises(AlreadyRunning, match="moot show abc"):
                async with another.hold("abc"):
                    pass

    async with second.hold("abc") as hold:
        assert hold.epoch == 2


async def test_anybody_can_see_whether_a_deliberation_is_held_and_looking_takes_nothing(url, store, open_store):
    await store.deliberations.create("abc", header())
    other = open_store(url)

    before = await other.is_held("abc")
    async with store.hold("abc") as hold:
        during = [await store.is_held("abc"), await other.is_held("abc")]
        await hold.set_status("paused")
    after = await other.is_held("abc")

    assert (before, during, after) == (False, [True, True], False)
    assert not await other.is_held("absent")


async def test_a_hold_that_ends_in_an_error_frees_the_lock(store):
    await store.deliberations.create("abc", header())

    with pytest.raises(ZeroDivisionError):
        async with store.hold("abc"):
            raise ZeroDivisionError

    async with store.hold("abc") as hold:
        assert hold.epoch == 2


async def test_a_hold_that_is_cancelled_frees_the_lock(store):
    await store.deliberations.create("abc", header())
    inside = asyncio.Event()

    async def run() -> None:
        async with store.hold("abc"):
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    async with store.hold("abc") as hold:
        assert hold.epoch == 2


@pytest.mark.parametrize("turns", range(12))
async def test_a_hold_that_is_cancelled_while_it_is_taken_keeps_nothing(store, turns):
    await store.deliberations.create("abc", header())

    async def run() -> None:
        async with store.hold("abc"):
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    for _ in range(turns * turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])

    epoch = None
    while epoch is None:
        try:
            async with store.hold("abc") as hold:
                epoch = hold.epoch
        except AlreadyRunning:
            await asyncio.sleep(0)
    assert epoch in (1, 2)


async def test_another_process_is_refused_until_the_holder_is_killed(url, store, process):
    await store.deliberations.create("abc", header())
    holder = process("hold", url, "abc")
    assert holder.stdout.readline() == "held 1\n"

    late = process("hold", url, "abc")
    assert late.stdout.readline() == "already_running\n"
    with pytest.raises(AlreadyRunning):
        async with store.hold("abc"):
            pass
    holder.kill()
    holder.wait()

    # The server frees the lock once it sees that its client is gone.
    heir = process("hold", url, "abc")
    while (line := heir.stdout.readline()) == "already_running\n":
        heir = process("hold", url, "abc")
    assert line == "held 2\n"


async def test_whoever_was_taken_over_can_write_nothing_more(url, store, open_store, break_locks):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as old:
        await old.journal.intend([intent("one", 0)], [], active=1.0)
        await old.steps.open([(5, invitation("slot"))])
        break_locks()
        async with open_store(url).hold("abc") as new:
            assert new.epoch == 2
            writes = [
                old.journal.intend([intent("two", 1)], [], active=9.0),
                old.journal.settle(intent("one", 0), ok("one", 0), active=9.0),
                old.journal.count_try("one", 1, 2),
                old.journal.conclude(ok("one", 0)),
                old.journal.emit([(0, "{}")]),
                old.steps.open([(6, invitation("slot 2"))]),
                old.steps.take("slot", "house"),
                old.steps.submit("slot", "house", {}),
                old.steps.release("slot", "house"),
                old.set_status("failed"),
            ]
            for write in writes:
                with pytest.raises(Fenced, match="another process has taken over deliberation abc"):
                    await write

            assert await new.journal.load() == Journaled((intent("one", 0),), (), 1.0)
            assert await store.deliberations.events("abc") == []
            assert [step.state for step in await new.steps.read(["slot"])] == ["open"]
            assert (await store.deliberations.summary("abc")).status == "running"
            await new.journal.settle(intent("one", 0), ok("one", 0), active=2.0)


async def test_one_that_is_fenced_off_does_not_disturb_its_group(url, store, open_store, break_locks):
    await store.deliberations.create("abc", header())
    await store.deliberations.create("other", header())

    async with store.hold("abc") as old:
        break_locks()
        async with open_store(url).hold("abc"), store.hold("other") as other:
            results = await asyncio.gather(
                other.journal.emit([(0, "a")]),
                old.journal.emit([(0, "b")]),
                other.journal.emit([(1, "c")]),
                return_exceptions=True,
            )

    assert [type(result) for result in results] == [type(None), Fenced, type(None)]
    assert (await store.deliberations.events("abc"), await store.deliberations.events("other")) == (
        [],
        [(0, "a"), (1, "c")],
    )


async def test_the_store_can_hold_again_after_its_locks_were_broken(url, store, open_store, break_locks):
    await store.deliberations.create("abc", header())
    await store.deliberations.create("other", header())

    async with store.hold("abc"):
        break_locks()
        async with store.hold("other") as hold:
            assert hold.epoch == 1

    async with open_store(url).hold("abc") as hold:
        assert hold.epoch == 2


@pytest.mark.parametrize("name", ["../../etc", "CON", "a/b\\c:d*?", "x" * 500, "🦉", " "])
async def test_any_id_can_be_held(store, name):
    await store.deliberations.create(name, header())

    async with store.hold(name) as hold:
        with pytest.raises(AlreadyRunning):
            async with store.hold(name):
                pass

    assert hold.epoch == 1
    await store.deliberations.delete(name)


async def test_of_many_who_try_at_once_one_holds(store):
    await store.deliberations.create("abc", header())
    done = asyncio.Event()
    refused = []

    async def run() -> int:
        try:
            async with store.hold("abc") as hold:
                await done.wait()
                return hold.epoch
        except AlreadyRunning:
            refused.append(1)
            if len(refused) == 9:
                done.set()
            return 0

    assert sorted(await asyncio.gather(*(run() for _ in range(10)))) == [0] * 9 + [1]
