"""Deliberations in the background of a process: bounded, gone on with, cancelled, stopped, taken over."""

import asyncio
import errno
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from typing_extensions import override

from moot.core.errors import DiskFull, ProtocolVersionChanged, RunBroke, RunStopped, ServerBusy
from moot.core.verdict import Status
from moot.service.background.looks import LaterLooks
from moot.service.runs import MOST_TAKEN_UP
from moot.service.watching import EventHeard, StreamEnd
from tests.service.runs_kit import RELAY, Members, Process, fails, process

SECRET = "the question nobody else may read"


async def is_wanted(here: Process, deliberation: str) -> bool:
    served = await here.service.store.served.read(deliberation)
    assert served
    return served.wanted


def test_a_deliberation_runs_in_the_background_to_its_end(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members) as here:
            id_ = await here.begin("q")
            before = here.runs.state(id_)
            here.runs.resume(id_)
            here.runs.resume(id_)
            queued = here.runs.state(id_), here.runs.queued
            await members.calls(2)
            during = here.runs.state(id_), here.runs.running
            members.open()
            await here.runs.finished(id_)
            return before, queued, during, here.runs.state(id_), await here.status(id_), members.asked

    before, queued, during, after, status, asked = asyncio.run(scene())

    assert (before, queued, during, after) == (None, ("queued", 1), ("running", 1), None)
    assert status is Status.COMPLETE
    assert len(asked) == len(set(asked)) == 4


def test_no_more_run_at_once_than_may_and_the_others_have_their_turn(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=3) as here:
            ids = [await here.begin(f"q{number}") for number in range(8)]
            for id_ in ids:
                here.runs.resume(id_)
            await members.calls(6)
            counted = here.runs.running, here.runs.queued
            finished = asyncio.gather(*map(here.runs.finished, ids))
            while not finished.done():
                members.let()
                await asyncio.sleep(0)
            return counted, members.most, [await here.status(id_) for id_ in ids]

    counted, most, statuses = asyncio.run(scene())

    assert counted == (3, 5)
    assert most == 3
    assert set(statuses) == {Status.COMPLETE}


def test_whoever_comes_when_the_queue_is_full_is_told_to_come_again(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=1, queue=1) as here:
            ids = [await here.begin(f"q{number}") for number in range(3)]
            here.runs.resume(ids[0])
            with here.runs.reserve() as go_on:
                with pytest.raises(ServerBusy) as busy:
                    here.runs.resume(ids[2])
                go_on(ids[1])
            with pytest.raises(ServerBusy), here.runs.reserve():
                pass
            here.runs.resume(ids[0])
            members.open()
            await asyncio.gather(*map(here.runs.finished, ids))
            here.runs.resume(ids[2])
            await here.runs.finished(ids[2])
            return busy.value.retry_after, [await here.status(id_) for id_ in ids]

    retry_after, statuses = asyncio.run(scene())

    assert retry_after > 0
    assert set(statuses) == {Status.COMPLETE}


def test_a_place_that_was_not_used_is_free_again(tmp_path: Path) -> None:
    async def scene():
        async with process(tmp_path, Members(), at_once=1, queue=0) as here:
            for _ in range(3):
                with here.runs.reserve():
                    pass
            id_ = await here.begin("q")
            here.runs.resume(id_)
            await here.runs.finished(id_)
            return await here.status(id_)

    assert asyncio.run(scene()) is Status.COMPLETE


def test_a_cancelled_deliberation_stops_and_is_not_gone_on_with_until_somebody_wants_it_again(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members) as here:
            id_ = await here.begin("q")
            here.runs.resume(id_)
            first, _ = await members.calls(2)
            members.let(first)
            await _journaled(here, id_, 1)
            was_here = await here.runs.cancel(id_)
            cancelled = here.runs.state(id_), await here.service.store.served.read(id_), await here.status(id_)
            not_here = await here.runs.cancel(id_)
        members.open()
        async with process(tmp_path, members) as here:
            await here.runs.start()
            here.runs.resume_if_due(id_)
            await here.runs.finished(id_)
            not_resumed = await here.status(id_)
            asked = len(members.asked)
            here.runs.resume(id_)
            await here.runs.finished(id_)
            wanted = await is_wanted(here, id_)
            return was_here, cancelled, not_here, not_resumed, asked, wanted, await here.status(id_), members.asked

    was_here, (state, served, status), not_here, not_resumed, asked, wanted, after, calls = asyncio.run(scene())

    assert (was_here, not_here) == (True, False)
    assert (state, served.wanted, status) == (None, False, Status.RUNNING)
    assert (not_resumed, asked) == (Status.RUNNING, 2)
    assert (wanted, after) == (True, Status.COMPLETE)
    assert calls.count(("q", "round 0:m1")) == 1, "what was journaled is not asked again"
    assert calls.count(("q", "round 0:m2")) == 2, "the call that was cut off is"
    assert len(calls) == 5


def test_one_that_waits_for_its_turn_can_be_cancelled_and_is_never_asked(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=1) as here:
            first, second = await here.begin("first"), await here.begin("second")
            here.runs.resume(first)
            await members.calls(2)
            here.runs.resume(second)
            at_once = await here.runs.cancel(second)
            members.open()
            await here.runs.finished(first)
            return at_once, here.runs.queued, {question for question, _ in members.asked}

    assert asyncio.run(scene()) == (True, 0, {"first"})


def test_stopping_lets_the_calls_in_flight_be_journaled_and_sends_nothing_more(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=1) as here:
            running, queued = await here.begin("running"), await here.begin("queued")
            here.runs.resume(running)
            await members.calls(2)
            here.runs.resume(queued)
            stopping = asyncio.ensure_future(here.runs.stop())
            await asyncio.sleep(0)
            with pytest.raises(ServerBusy):
                here.runs.resume(queued)
            here.runs.resume_if_due(queued)
            members.open()
            await stopping
            journaled = (await here.service.store.journals.read(running)).attempts
            wanted = [await is_wanted(here, id_) for id_ in (running, queued)]
            stopped = here.runs.running, here.runs.queued, here.runs.failed(running), len(members.asked)
        async with process(tmp_path, members) as here:
            await here.runs.start()
            await asyncio.gather(*map(here.runs.finished, (running, queued)))
            statuses = [await here.status(id_) for id_ in (running, queued)]
            return [row.state for row in journaled], wanted, stopped, statuses, members.asked

    states, wanted, stopped, statuses, asked = asyncio.run(scene())

    assert states == ["reply", "reply"]
    assert wanted == [True, True]
    assert stopped == (0, 0, None, 2)
    assert statuses == [Status.COMPLETE] * 2
    assert len(asked) == len(set(asked)) == 8, "nothing is paid for twice"


def test_stopping_waits_for_no_call_longer_than_its_patience(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, patience=0) as here:
            id_ = await here.begin("q")
            here.runs.resume(id_)
            first, _ = await members.calls(2)
            members.let(first)
            await _journaled(here, id_, 1)
            await here.runs.stop()
        members.open()
        async with process(tmp_path, members) as here:
            await here.runs.start()
            await here.runs.finished(id_)
            shown = await here.service.show(id_)
            return shown.status, shown.spent.calls, members.asked

    status, spent, asked = asyncio.run(scene())

    assert status is Status.COMPLETE
    assert spent == len(asked) == 5
    assert asked.count(("q", "round 0:m1")) == 1


@pytest.mark.parametrize("journaled", [0, 1, 2, 3])
def test_after_a_process_died_the_next_goes_on_and_pays_for_nothing_twice_that_was_journaled(
    tmp_path: Path, journaled: int
) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=1) as here:
            running, queued = await here.begin("running"), await here.begin("queued")
            here.runs.resume(running)
            await members.calls(2)
            here.runs.resume(queued)
            for number in range(journaled):
                members.let((await members.calls(2 - number % 2))[0])
                await _journaled(here, running, number + 1)
            await members.calls(2 - journaled % 2)
            paid = (await here.service.store.journals.read(running)).attempts
        members.open()
        async with process(tmp_path, members) as here:
            await here.runs.start()
            await asyncio.gather(*map(here.runs.finished, (running, queued)))
            return (
                [row.step for row in paid if row.state == "reply"],
                members.asked,
                [await here.status(id_) for id_ in (running, queued)],
            )

    paid, asked, statuses = asyncio.run(scene())

    assert len(paid) == journaled
    assert [asked.count(("running", step)) for step in paid] == [1] * journaled
    assert statuses == [Status.COMPLETE] * 2
    assert len([call for call in asked if call[0] == "queued"]) == 4


def test_two_processes_that_start_over_one_database_share_what_is_to_be_done(tmp_path: Path) -> None:
    async def scene():
        members = Members()
        async with process(tmp_path, members) as first:
            ids = [await first.begin(f"q{number}") for number in range(6)]
            async with process(tmp_path, members) as second:
                await asyncio.gather(first.runs.start(), second.runs.start())
                for id_ in ids:
                    await asyncio.gather(first.runs.finished(id_), second.runs.finished(id_))
                failed = [runs.failed(id_) for id_ in ids for runs in (first.runs, second.runs)]
                return failed, [await first.status(id_) for id_ in ids], members.asked

    failed, statuses, asked = asyncio.run(scene())

    assert set(failed) == {None}
    assert set(statuses) == {Status.COMPLETE}
    assert len(asked) == len(set(asked)) == 24


def test_what_another_process_runs_is_left_to_it(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members) as first, process(tmp_path, members) as second:
            id_ = await first.begin("q")
            first.runs.resume(id_)
            await members.calls(2)
            second.runs.resume(id_)
            await second.runs.finished(id_)
            left = second.runs.failed(id_), second.runs.state(id_)
            members.open()
            await first.runs.finished(id_)
            return left, await first.status(id_), len(members.asked)

    assert asyncio.run(scene()) == ((None, None), Status.COMPLETE, 4)


def test_a_run_that_another_process_has_taken_over_ends_here_and_is_no_failure(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members) as first, process(tmp_path, members) as second:
            id_ = await first.begin("q")
            first.runs.resume(id_)
            await members.calls(2)
            shutil.rmtree(tmp_path / "moot.db.locks")
            members.shut = False
            second.runs.resume(id_)
            await second.runs.finished(id_)
            members.let()
            await first.runs.finished(id_)
            return first.runs.failed(id_), await first.status(id_), len(members.asked)

    assert asyncio.run(scene()) == (None, Status.COMPLETE, 6)


def test_a_failure_is_kept_by_its_name_and_logged_without_what_was_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene():
        async with process(tmp_path, Members()) as here:
            faulty = await here.begin(SECRET, faulty=True)
            here.runs.resume(faulty)
            await here.runs.finished(faulty)
            return faulty, here.runs.failed(faulty), await is_wanted(here, faulty)

    with caplog.at_level(logging.INFO):
        faulty, failure, wanted = asyncio.run(scene())

    assert isinstance(failure, RunBroke)
    assert faulty in str(failure) and "ValueError" in str(failure)
    assert wanted, "the next process tries again"
    [line] = [record.getMessage() for record in caplog.records]
    assert faulty in line and "ValueError" in line and "in relay" in line
    assert SECRET not in caplog.text + str(failure)


LACKS = [
    (OSError(errno.EMFILE, "Too many open files: moot.db"), RunStopped),
    (ConnectionResetError(errno.ECONNRESET, "reset"), RunStopped),
    (DiskFull(where="moot.db"), DiskFull),
]


@pytest.mark.parametrize(("lack", "kept"), LACKS, ids=["descriptors", "connection", "disk"])
def test_a_run_that_lacks_something_of_the_machine_stops_and_goes_on_by_itself(
    tmp_path: Path, lack: Exception, kept: type[Exception]
) -> None:
    async def scene():
        members, looks = Members(), HandLooks()
        async with process(tmp_path, members, looks=looks.keep) as here:
            id_ = await here.begin("q")
            run, here.service.run = here.service.run, fails(lack)
            here.runs.resume(id_)
            await here.runs.finished(id_)
            failed, waits = here.runs.failed(id_), [looks.seconds]
            looks.wake(id_)
            await here.runs.finished(id_)
            waits.append(looks.seconds)
            here.service.run = run
            looks.wake(id_)
            await here.runs.finished(id_)
            return failed, waits, here.runs.failed(id_), await here.status(id_), len(members.asked), looks.timers

    failed, waits, after, status, asked, timers = asyncio.run(scene())

    assert isinstance(failed, kept) and "moot resume" in str(failed)
    assert waits == [5.0, 10.0]
    assert (after, status, asked, timers) == (None, Status.COMPLETE, 4, {})


def test_what_was_cancelled_or_broke_is_not_looked_at_again(tmp_path: Path) -> None:
    async def scene():
        looks = HandLooks()
        async with process(tmp_path, Members(), looks=looks.keep) as here:
            lacking, broken = await here.begin("q"), await here.begin("r", faulty=True)
            here.runs.resume(broken)
            await here.runs.finished(broken)
            here.service.run = fails(OSError(errno.EMFILE, "Too many open files"))
            here.runs.resume(lacking)
            await here.runs.finished(lacking)
            waiting = set(looks.timers)
            await here.runs.cancel(lacking)
            return lacking, waiting, looks.timers

    lacking, waiting, after = asyncio.run(scene())

    assert (waiting, after) == ({lacking}, {})


class HandLooks(LaterLooks):
    """Looks that the test makes happen, and the seconds that the last one was put off by."""

    seconds = 0.0

    def __init__(self) -> None:
        super().__init__(lambda deliberation: None)

    def keep(self, look: Callable[[str], None]) -> "HandLooks":
        self._look = look
        return self

    @override
    def put(self, deliberation: str) -> float:
        self.seconds = super().put(deliberation)
        return self.seconds

    def wake(self, deliberation: str) -> None:
        self._timers[deliberation].cancel()
        self._wake(deliberation)

    @property
    def timers(self) -> dict[str, asyncio.TimerHandle]:
        return self._timers


def test_a_failure_is_forgotten_when_the_deliberation_goes_on_after_all(tmp_path: Path) -> None:
    async def scene():
        versions = [RELAY]
        async with process(tmp_path, Members(), protocol=lambda: versions[-1]) as here:
            id_ = await here.begin("q")
            versions.append(replace(RELAY, version=2))
            here.runs.resume(id_)
            await here.runs.finished(id_)
            failed = here.runs.failed(id_)
            versions.pop()
            here.runs.resume(id_)
            await here.runs.finished(id_)
            return failed, here.runs.failed(id_), await here.status(id_)

    failed, after, status = asyncio.run(scene())

    assert isinstance(failed, ProtocolVersionChanged)
    assert (after, status) == (None, Status.COMPLETE)


def test_a_deliberation_of_people_goes_on_after_each_has_submitted(tmp_path: Path) -> None:
    async def scene():
        async with process(tmp_path, Members()) as here:
            id_ = await here.begin("q", people=3)
            here.runs.resume(id_)
            for number in range(3):
                await here.runs.finished(id_)
                await here.fill(id_, number)
                here.runs.resume_if_due(id_)
            await here.runs.finished(id_)
            return await here.status(id_)

    assert asyncio.run(scene()) is Status.COMPLETE


def test_people_need_not_wait_for_a_turn_among_the_deliberations_of_members(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, at_once=1) as here:
            busy, board = await here.begin("q"), await here.begin("claim", members=(), rounds=0, people=1)
            here.runs.resume(busy)
            await members.calls(2)
            here.runs.resume(board)
            await here.runs.finished(board)
            await here.fill(board, 0)
            here.runs.resume_if_due(board)
            await here.runs.finished(board)
            return await here.status(board), here.runs.state(busy)

    assert asyncio.run(scene()) == (Status.COMPLETE, "running")


def test_a_process_that_died_before_it_went_on_after_a_submission_is_made_up_for(tmp_path: Path) -> None:
    async def scene():
        async with process(tmp_path, Members()) as here:
            id_ = await here.begin("claim", members=(), rounds=0, people=1)
            here.runs.resume(id_)
            await here.runs.finished(id_)
            await here.fill(id_, 0)
        async with process(tmp_path, Members()) as here:
            await here.runs.start()
            await here.runs.finished(id_)
            return await here.status(id_)

    assert asyncio.run(scene()) is Status.COMPLETE


def test_what_the_command_line_began_is_not_gone_on_with_by_itself_and_can_be_by_name(tmp_path: Path) -> None:
    async def scene():
        members = Members()
        async with process(tmp_path, members) as here:
            id_ = await here.begin("q", served=False)
            await here.runs.start()
            await here.runs.finished(id_)
            by_itself = await here.status(id_)
            here.runs.resume(id_)
            await here.runs.finished(id_)
            return by_itself, await here.status(id_), await here.runs.cancel(id_)

    assert asyncio.run(scene()) == (Status.RUNNING, Status.COMPLETE, False)


def test_whoever_listens_hears_a_run_from_its_start_to_its_end_also_in_another_process(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members) as here, process(tmp_path, members) as elsewhere:
            id_ = await here.begin("q")
            streams = here.watch.subscribe(id_), elsewhere.watch.subscribe(id_)
            here.runs.resume(id_)
            await members.calls(2)
            heard = [[await anext(stream)] for stream in streams]
            members.open()
            await here.runs.finished(id_)
            elsewhere.watch.wake()
            for stream, items in zip(streams, heard, strict=True):
                items += [item async for item in stream]
            return heard, await here.service.store.deliberations.events(id_)

    heard, stored = asyncio.run(scene())

    for one in heard:
        assert [(item.seq, item.text) for item in one if isinstance(item, EventHeard)] == stored
        assert one[-1] == StreamEnd("complete")
    assert {item.kind for item in heard[0] if not isinstance(item, EventHeard | StreamEnd)} >= {"asking", "answered"}
    assert all(isinstance(item, EventHeard | StreamEnd) for item in heard[1])


async def _journaled(here: Process, deliberation: str, replies: int) -> None:
    while True:
        attempts = (await here.service.store.journals.read(deliberation)).attempts
        if sum(row.state == "reply" for row in attempts) >= replies:
            return


async def died(here: Process, deliberation: str, times: int) -> None:
    """Leave a deliberation as servers do that took it up when they started and died."""
    for _ in range(times):
        await here.service.store.served.take_up(deliberation)


def test_a_run_at_which_servers_died_too_often_is_left_alone_until_somebody_wants_it_again(tmp_path: Path) -> None:
    async def scene():
        members = Members()
        async with process(tmp_path, members) as here:
            often, less = await here.begin("often"), await here.begin("less")
            await died(here, often, MOST_TAKEN_UP)
            await died(here, less, MOST_TAKEN_UP - 1)
            await here.runs.start()
            await asyncio.gather(*map(here.runs.finished, (often, less)))
            failed, asked = here.runs.failed(often), list(members.asked)
            left = await here.service.store.served.to_resume()
            here.runs.resume(often)
            await here.runs.finished(often)
            return failed, asked, left, [await here.status(id_) for id_ in (often, less)]

    failed, asked, left, statuses = asyncio.run(scene())

    assert failed is not None and failed.code == "workers_died"
    assert {question for question, _ in asked} == {"less"} and left == []
    assert statuses == [Status.COMPLETE] * 2


def test_a_server_that_starts_counts_what_it_takes_up_until_it_has_come_to_an_end_of_it(tmp_path: Path) -> None:
    async def scene():
        members = Members(shut=True)
        async with process(tmp_path, members, patience=0.01) as here:
            fresh, left = await here.begin("fresh"), await here.begin("left")
            counts = []

            async def counted(moment: str) -> None:
                counts.append((moment, [await here.service.store.served.taken_up(id_) for id_ in (fresh, left)]))

            await here.service.store.served.set_wanted(fresh, wanted=False)
            await here.runs.start()
            await members.calls(2)
            here.runs.resume(fresh)
            await members.calls(4)
            await counted("under way")
            await here.runs.stop()
            await counted("stopped in order")
            return counts

    assert asyncio.run(scene()) == [("under way", [0, 1]), ("stopped in order", [0, 0])]


def test_runs_at_which_a_server_died_are_taken_up_one_at_a_time(tmp_path: Path) -> None:
    async def scene():
        members = Members()
        async with process(tmp_path, members) as here:
            ids = [await here.begin(f"q{number}") for number in range(3)]
            for id_ in ids:
                await died(here, id_, 1)
            await here.runs.start()
            await asyncio.gather(*map(here.runs.finished, ids))
            return [question for question, _ in members.asked]

    asked = asyncio.run(scene())

    assert len(asked) == 12 and len(list(groupby(asked))) == 3
