"""Servers that put deliberations in, and workers that run them: each ends once, wherever it began."""

import asyncio
import errno
import logging
import os
from contextlib import AsyncExitStack

import pytest

from moot.service.background.worker import MOST_DEATHS
from tests.service.queued_kit import QueueProcess, died, queue_process, until, worker_process
from tests.service.runs_kit import Members, fails

pytest.importorskip("procrastinate", reason="procrastinate is not installed")


@pytest.fixture
def scene(postgres_url):
    """Run a scene with a server, and members that a worker asks."""

    def run(play, **options) -> None:
        async def play_it() -> None:
            members = Members(**options)
            async with queue_process(postgres_url, members) as server:
                await play(server, members, postgres_url)

        asyncio.run(play_it())

    return run


def test_a_server_runs_nothing_itself_and_a_worker_does(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        assert await server.state(deliberation) == "queued" and not members.asked

        async with worker_process(url, members):
            await server.ended(deliberation)
            await server.out(deliberation)

        assert len(members.asked) == 4

    scene(play)


def test_what_waits_for_a_worker_does_not_count_as_left_alone(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")

        assert not (await server.service.show(deliberation)).stalled

        await server.queue.take_out(deliberation)
        assert (await server.service.show(deliberation)).stalled

    scene(play)


def test_a_cancelled_deliberation_stops_at_once_and_goes_on_when_it_is_wanted_again(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members):
            await members.calls(2)

            async with asyncio.timeout(2):
                assert await server.runs.cancel(deliberation)
            assert await server.state(deliberation) is None
            assert not await server.store.is_held(deliberation)

            members.open()
            await server.runs.want(deliberation)
            await server.ended(deliberation)

    scene(play, shut=True)


def test_what_is_wanted_no_longer_stops_at_its_worker_and_is_never_begun_by_another(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        runs = await server.begin("why?")
        async with worker_process(url, members, at_once=1):
            await members.calls(2)
            waits, stays = await server.begin("and then?"), await server.begin("and after that?")
            for unwanted in (runs, waits):
                await server.store.served.set_wanted(unwanted, wanted=False)

            await server.runs.cancel_unwanted()

            await server.out(runs)
            assert await server.state(waits) is None and await server.state(stays) is not None
            assert await server.queue.unwanted() == []
            members.open()
            await server.ended(stays)

        assert "and then?" not in {question for question, _ in members.asked}
        assert await server.status(runs) == await server.status(waits) == "running"

    scene(play, shut=True)


def test_a_revoked_keys_runs_stop_at_their_worker_where_no_server_lives(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        callers = server.store.callers
        await callers.add_key(name="Ada", prefix="moot_1", digest="x", scopes=("agent",))
        runs = await server.begin("why?", owner="moot_1")
        async with worker_process(url, members, at_once=1):
            await members.calls(2)
            waits, stays = await server.begin("and then?", owner="moot_1"), await server.begin("and after that?")

            async with asyncio.timeout(2):
                await callers.revoke_key("moot_1")
                await server.out(runs)

            assert await server.state(waits) is None
            members.open()
            await server.ended(stays)

        assert [question for question, _ in members.asked].count("why?") == 2
        assert "and then?" not in {question for question, _ in members.asked}

    scene(play, shut=True)


def test_what_another_process_holds_goes_back_into_the_queue(scene, caplog):
    caplog.set_level(logging.INFO, "moot.worker")

    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with AsyncExitStack() as held:
            await held.enter_async_context(server.store.hold(deliberation))
            async with worker_process(url, members):

                async def put_back() -> bool:
                    row = await server.workers.look()
                    return "is left for a while" in caplog.text and bool(row.waiting) and not row.doing

                await until(put_back)
                assert not members.asked
                await held.aclose()
                await server.ended(deliberation)

    scene(play)


def test_a_run_that_breaks_is_kept_as_broken_and_not_tried_again(scene, caplog):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("a secret", faulty=True)
        async with worker_process(url, members):
            await server.out(deliberation)

            standing = await server.runs.standing(deliberation)
            assert standing.code == "run_broke" and "ValueError" in standing.words
            await server.runs.sweep()
            assert await server.state(deliberation) is None

            await server.runs.want(deliberation)
            await server.out(deliberation)
            assert (await server.runs.standing(deliberation)).code == "run_broke"

    scene(play)
    assert "a secret" not in caplog.text


def test_a_run_that_lacked_something_waits_for_its_next_try_and_says_what(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members) as (_, process):
            process.service.run = fails(OSError(errno.EMFILE, "Too many open files"))

            async def put_back() -> bool:
                return (await server.runs.standing(deliberation)).code == "run_stopped" and (
                    await server.state(deliberation) == "queued"
                )

            await until(put_back)

        standing = await server.runs.standing(deliberation)
        assert standing.goes_on and os.strerror(errno.EMFILE) in standing.words

    scene(play)


def test_a_run_whose_workers_died_too_often_is_left_alone_until_somebody_wants_it_again(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        often, once = await server.begin("often?"), await server.begin("once?")
        await asyncio.to_thread(died, url, often, MOST_DEATHS - 1)
        await asyncio.to_thread(died, url, once, MOST_DEATHS - 2)

        async with worker_process(url, members):
            await server.ended(once)
            await server.out(often)
            assert (await server.runs.standing(often)).code == "workers_died"
            assert "often?" not in {question for question, _ in members.asked}

            await server.runs.want(often)
            await server.ended(often)

    scene(play)


def test_a_worker_that_ends_journals_what_is_in_flight_and_another_goes_on(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members) as (first, _):
            await members.calls(2)
            ending = asyncio.ensure_future(first.stop())
            await asyncio.sleep(0)
            members.open()
            await ending

        assert await server.state(deliberation) == "queued"
        assert len(members.asked) == 2
        async with worker_process(url, members):
            await server.ended(deliberation)
        assert len(members.asked) == len(set(members.asked)) == 4

    scene(play, shut=True)


def test_a_worker_that_ends_in_the_midst_of_a_slow_call_puts_its_run_back(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members, drain=0.05):
            await members.calls(2)

        assert await server.state(deliberation) == "queued"

    scene(play, shut=True)


def test_a_worker_takes_only_what_it_can_run_and_the_asker_is_told_what_is_lacking(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members, version=2):
            await server.runs.look()

            standing = await server.runs.standing(deliberation)
            assert (standing.state, standing.code) == ("queued", "no_worker")
            assert "relay 1" in standing.words
            assert server.runs.workforce.left(1.0) == {"now:relay:1:1": 1}
        assert not members.asked

    scene(play)


def test_what_waits_in_a_lane_that_nobody_works_on_is_told_to_its_asker_and_in_the_log(scene, caplog):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        async with worker_process(url, members, lanes=("batch",)):
            for _ in range(2):
                await server.runs.look()

            assert "moot worker --queues now" in await problem(server, deliberation)
            assert server.runs.leaves_some
        async with worker_process(url, members, lanes=("now",)):
            await server.runs.look()
            assert not server.runs.leaves_some and not await problem(server, deliberation)
            await server.ended(deliberation)

    with caplog.at_level(logging.WARNING, "moot.runs"):
        scene(play)
    assert caplog.text.count("no worker can run what waits: 1 in now:relay:1:1") == 1


def test_where_no_worker_is_seen_for_half_a_minute_it_is_said_once(scene, caplog):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        server.clock.steady += 29
        await server.runs.look()
        assert not server.runs.lacks_workers and not await problem(server, deliberation)

        server.clock.steady += 1
        await server.runs.look()
        await server.runs.look()
        assert server.runs.lacks_workers and "moot worker" in await problem(server, deliberation)

        async with worker_process(url, members):
            await server.runs.look()
            assert not server.runs.lacks_workers
            await server.ended(deliberation)

    with caplog.at_level(logging.WARNING, "moot.runs"):
        scene(play)
    assert caplog.text.count("no worker has been seen") == 1


async def problem(server: QueueProcess, deliberation: str) -> str:
    return (await server.runs.standing(deliberation)).problem or ""


def test_a_server_that_is_told_to_works_too(postgres_url):
    async def play() -> None:
        members = Members()
        async with (
            queue_process(postgres_url, members) as plain,
            worker_process(postgres_url, members) as (worker, own),
        ):
            own.runs._worker = worker
            deliberation = await plain.begin("why?")

            await own.ended(deliberation)

            await own.runs.stop()
            assert (await plain.workers.look()).workers == ()

    asyncio.run(play())


def test_a_step_that_is_filled_is_gone_on_with_and_a_cancelled_one_is_not(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?", rounds=0, people=1, members=())
        assert (await server.workers.look()).waiting == {"step:relay:1:1": 1}
        async with worker_process(url, members):
            await server.ended(deliberation, "paused")
            await server.out(deliberation)
            await fill(server, deliberation)

            await server.store.served.set_wanted(deliberation, wanted=False)
            await server.runs._put_if_due(deliberation)
            assert await server.state(deliberation) is None

            await server.store.served.set_wanted(deliberation, wanted=True)
            server.runs.resume_if_due(deliberation)
            await server.ended(deliberation)

    scene(play)


async def fill(server: QueueProcess, deliberation: str) -> None:
    await server.store.steps.take(deliberation, "person 0", "Ada")
    await server.service.submit(deliberation, "person 0", "Ada", {"text": "yes"})


def test_what_was_never_put_in_is_put_in_by_the_sweep(scene):
    async def play(server: QueueProcess, members: Members, url: str) -> None:
        deliberation = await server.begin("why?")
        await server.queue.take_out(deliberation)
        await server.store.served.set_wanted(deliberation, wanted=True)
        assert await server.state(deliberation) is None

        await server.runs.sweep()

        assert await server.state(deliberation) == "queued"

    scene(play)


def test_no_more_wait_than_may(postgres_url):
    from moot.core.errors import ServerBusy

    async def play() -> None:
        async with queue_process(postgres_url, Members(), most=1) as server:
            with server.runs.reserve():
                await server.begin("one")
            await server.runs.look()

            with pytest.raises(ServerBusy), server.runs.reserve():
                pass

    asyncio.run(play())
