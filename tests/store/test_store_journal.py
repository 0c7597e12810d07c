"""The journal: intents before calls, one outcome a step, events equal to the byte."""

import signal
from dataclasses import replace

import pytest
from store_kit import header, intent, ok

from moot.core.budget import Spent, Unknown
from moot.core.calls import Outcome, Usage
from moot.core.errors import NotFound, RecordDiffers, StoreError
from moot.core.events import call_facts
from moot.core.ports import Journaled
from moot.core.record import spent_on


async def test_a_new_journal_is_empty(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        assert await hold.journal.load() == Journaled()


async def test_intents_come_back_in_the_order_of_the_program(store):
    await store.deliberations.create("abc", header())
    rows = [intent("b", 10), intent("a", 2), intent("b", 10, attempt=2)]

    async with store.hold("abc") as hold:
        await hold.journal.intend(rows, [], active=0)

        assert (await hold.journal.load()).attempts == (rows[1], rows[0], rows[2])


async def test_a_settled_attempt_keeps_what_it_took_to_the_last_digit(store):
    await store.deliberations.create("abc", header())
    usage = Usage(tokens_in=12, tokens_out=None, usd=0.1 + 0.2)
    reply = replace(intent("one", 0), state="reply", text="yes", reasoning="since", usage=usage, seconds=1 / 3, tries=2)

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [], active=1.0)
        await hold.journal.settle(reply, ok("one", 0), active=2.5)

    assert await store.journals.read("abc") == Journaled((reply,), (ok("one", 0),), 2.5)


async def test_an_attempt_may_settle_without_deciding_its_step(store):
    await store.deliberations.create("abc", header())
    bad = replace(intent("one", 0), state="bad", problem="no JSON")

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [], active=0)
        await hold.journal.settle(bad, None, active=0)

    assert await store.journals.read("abc") == Journaled((bad,), (), 0)


async def test_a_further_try_is_counted_before_it_is_sent(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0), intent("two", 1)], [], active=3.0)
        await hold.journal.count_try("two", 1, 3)

    journal = await store.journals.read("abc")
    assert [attempt.tries for attempt in journal.attempts] == [1, 3]
    assert journal.active == 3.0


async def test_what_the_budget_refused_is_written_with_its_wave(store):
    await store.deliberations.create("abc", header())
    refused = Outcome("two", 1, "refused", reason="budget", detail="10 calls", salvaged=False)

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [refused], active=0)
        await hold.journal.conclude(Outcome("one", 0, "ok", salvaged=True))

    assert (await store.journals.read("abc")).outcomes == (Outcome("one", 0, "ok", salvaged=True), refused)


async def test_an_empty_wave_writes_only_the_time(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([], [], active=4.0)
        await hold.journal.emit([])

    assert await store.journals.read("abc") == Journaled(active=4.0)


async def test_a_wave_with_one_bad_row_is_not_written_at_all(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("two", 1)], [], active=0)
        with pytest.raises(StoreError, match="does not fit"):
            await hold.journal.intend([intent("one", 0), intent("two", 1), intent("three", 2)], [], active=0)

    assert [attempt.step for attempt in (await store.journals.read("abc")).attempts] == ["two"]


async def test_a_process_that_dies_within_a_wave_leaves_nothing_of_it(url, store, process):
    await store.deliberations.create("abc", header())

    child = process("die", url, "abc")

    assert child.wait() == -signal.SIGKILL
    assert await store.journals.read("abc") == Journaled()
    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [], active=0)


async def test_an_outcome_is_final(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.conclude(ok("one", 0))
        with pytest.raises(StoreError):
            await hold.journal.conclude(Outcome("one", 0, "dropped"))

    assert (await store.journals.read("abc")).outcomes == (ok("one", 0),)


async def test_an_attempt_that_was_never_intended_cannot_be_settled(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        with pytest.raises(NotFound, match="attempt 'one 1'"):
            await hold.journal.settle(intent("one", 0), ok("one", 0), active=0)
        with pytest.raises(NotFound, match="attempt 'one 1'"):
            await hold.journal.count_try("one", 1, 2)

    assert await store.journals.read("abc") == Journaled()


async def test_events_come_back_in_order_and_from_any_point(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.emit([(1, "b"), (0, "a")])
        await hold.journal.emit([(2, "c")])

    assert await store.deliberations.events("abc") == [(0, "a"), (1, "b"), (2, "c")]
    assert await store.deliberations.events("abc", after=1) == [(2, "c")]
    assert await store.deliberations.events("abc", after=2) == []


async def test_an_event_may_be_made_again_if_it_is_the_same(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.emit([(0, "a"), (1, "é")])
        await hold.journal.emit([(0, "a"), (1, "é"), (2, "c")])

    assert await store.deliberations.events("abc") == [(0, "a"), (1, "é"), (2, "c")]


async def test_an_event_that_differs_is_refused_by_kind_and_nothing_is_written(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.emit([(0, '{"kind":"started"}'), (1, '{"kind":"noted"}')])
        with pytest.raises(RecordDiffers, match=r"event 1 .* stored noted, made answered") as refused:
            await hold.journal.emit([(1, '{"kind":"answered"}'), (2, '{"kind":"ended"}')])
        with pytest.raises(RecordDiffers, match="stored started, made unreadable"):
            await hold.journal.emit([(0, "nonsense")])

    assert refused.value.seq == 1
    assert await store.deliberations.events("abc") == [(0, '{"kind":"started"}'), (1, '{"kind":"noted"}')]


async def test_a_journal_is_read_by_others_while_it_is_held(url, store, open_store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [], active=0)

        assert (await open_store(url).journals.read("abc")).attempts == (intent("one", 0),)


async def test_what_deliberations_took_is_summed_as_the_record_sums_it(store):
    for name in ("abc", "idle"):
        await store.deliberations.create(name, header())
    settled = [
        replace(intent("one", 0), state="reply", usage=Usage(10, 5, 0.25), tries=2),
        replace(intent("two", 1), state="reply", usage=Usage(None, None, None), tries=3),
    ]
    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0), intent("two", 1), intent("three", 2)], [], active=0)
        for attempt in settled:
            await hold.journal.settle(attempt, ok(attempt.step, attempt.position), active=0)

    spent = await store.journals.spent(["abc", "idle"])

    by_the_record = spent_on(call_facts((await store.journals.read("abc")).attempts))
    assert spent == {"abc": replace(by_the_record, seconds=0.0), "idle": Spent()}
    assert (spent["abc"].calls, spent["abc"].unknown) == (6, Unknown(4, 4, 4))
