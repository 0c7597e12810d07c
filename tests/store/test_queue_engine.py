"""A worker that stands: each test of what the stock parts of the engine lack fails on them."""

import asyncio
import logging
from datetime import timedelta

import pytest
from queue_kit import BATCH, DEAF, NOW, engine, outage, put, row, rows, stock, until, working

pytest.importorskip("procrastinate", reason="procrastinate is not installed")

import psycopg
from procrastinate import jobs, manager
from procrastinate.job_context import AbortReason
from procrastinate.retry import RetryDecision
from typing_extensions import override

from moot.core.errors import AlreadyRunning
from moot.store.queue.engine import GuardedJobs, PutBack
from moot.store.queue.standing import Pace

STATUS = "SELECT status::text, attempts, worker_id FROM procrastinate_jobs WHERE queueing_lock = %s"
BEAT = "SELECT EXTRACT(EPOCH FROM last_heartbeat) FROM procrastinate_workers WHERE id = %s"


@pytest.fixture
def store(postgres_url, open_store):
    return open_store(postgres_url)


class Hands:
    """What the jobs of a test do: they are held until they are let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.reasons: list[AbortReason | None] = []
        self.go = asyncio.Event()

    async def __call__(self, deliberation, context) -> None:
        self.begun.append(deliberation)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.reasons.append(context.abort_reason())
            if context.abort_reason() is AbortReason.SHUTDOWN:
                raise PutBack from None
            raise
        self.ended.append(deliberation)

    async def has(self, *names: str) -> bool:
        return all(name in self.begun for name in names)


async def nothing(deliberation, context) -> None:
    """Be done at once."""


async def two_owners(store, url):
    """Give two managers of one job: the first had it, and the second took it over."""
    await put(store, "abc")
    app = engine(store, nothing)
    await app.open_async()
    first, second = await app.job_manager.register_worker(), await app.job_manager.register_worker()
    late = await app.job_manager.fetch_job([NOW], first)
    rows(url, "UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1")
    current = await app.job_manager.fetch_job([NOW], second)
    return app, late, current


async def test_whoever_has_lost_a_job_does_not_end_it(store, postgres_url):
    app, late, current = await two_owners(store, postgres_url)

    await app.job_manager.finish_job(late, jobs.Status.SUCCEEDED, delete_job=True)
    still = await row(postgres_url, STATUS, "abc")
    await app.job_manager.finish_job(current, jobs.Status.SUCCEEDED, delete_job=True)
    ended = await row(postgres_url, STATUS, "abc")
    await app.close_async()

    assert still == ("doing", 1, current.worker_id)
    assert ended is None


async def test_whoever_has_lost_a_job_does_not_give_it_back(store, postgres_url):
    app, late, current = await two_owners(store, postgres_url)

    await app.job_manager.retry_job(late)
    still = await row(postgres_url, STATUS, "abc")
    await app.job_manager.retry_job(current)
    waits = await row(postgres_url, STATUS, "abc")
    await app.close_async()

    assert still == ("doing", 1, current.worker_id)
    assert waits == ("todo", 2, None)


async def test_the_stock_manager_lets_a_late_end_stand(store, postgres_url):
    app, late, _ = await two_owners(store, postgres_url)

    await manager.JobManager(app.connector).finish_job(late, jobs.Status.SUCCEEDED, delete_job=False)
    stands = await row(postgres_url, STATUS, "abc")
    await app.close_async()

    assert stands[0] == "succeeded"


async def test_a_job_that_is_given_back_while_the_same_waits_is_dropped(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        mine = await app.job_manager.fetch_job([NOW], await app.job_manager.register_worker())
        await store.queue.put("abc", store_job())

        await app.job_manager.retry_job(mine)

    assert rows(postgres_url, STATUS, "abc") == [("todo", 0, None)]


def store_job():
    from moot.store.queue.jobs import NewJob

    return NewJob("now", "single", 1)


async def test_a_worker_that_was_forgotten_is_known_again_with_its_next_sign_of_life(store, postgres_url):
    async with engine(store, nothing).open_async() as app:
        number = await app.job_manager.register_worker()
        rows(postgres_url, "DELETE FROM procrastinate_workers")

        await app.job_manager.update_heartbeat(number)
        again = await row(postgres_url, BEAT, number)

        rows(postgres_url, "DELETE FROM procrastinate_workers")
        await manager.JobManager(app.connector).update_heartbeat(number)
        of_the_stock = await row(postgres_url, BEAT, number)

    assert again is not None
    assert of_the_stock is None


async def test_a_silent_worker_is_not_forgotten_while_it_has_a_job(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        busy, idle = await app.job_manager.register_worker(), await app.job_manager.register_worker()
        await app.job_manager.fetch_job([NOW], busy)
        rows(postgres_url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '2 hours'")

        forgotten = await app.job_manager.prune_stalled_workers(1.0)

    assert forgotten == [idle]


async def test_a_job_starts_by_a_notification(store):
    hands = Hands()
    async with working(store, hands, pace=DEAF):
        await put(store, "abc")
        await until(lambda: hands.has("abc"))
        hands.go.set()


@pytest.mark.parametrize("kind", ["standing", "stock"])
async def test_a_job_that_comes_while_the_database_is_asked_for_one_is_taken(store, postgres_url, kind):
    hands = Hands()
    if kind == "stock":
        hands.go.set()
    opened = working(store, hands, pace=DEAF) if kind == "standing" else stock(store, hands, pace=DEAF)
    async with opened as worker:
        await until(lambda: listens(postgres_url))
        asking = worker.app.job_manager = AsksSlowly(worker.app.connector, worker, lambda: put(store, "late"))
        await put(store, "first")
        await until(lambda: hands.has("first"))
        await asking.asked.wait()

        if kind == "standing":
            # The first is still under way: its end would have the worker look anyway.
            await until(lambda: hands.has("late"))
            hands.go.set()
        else:
            await until(lambda: idle(worker))
            assert "late" not in hands.begun


async def idle(worker) -> bool:
    """Whether it waits to be told."""
    return not worker._running_jobs and not worker._new_job_event.is_set()


class AsksSlowly(GuardedJobs):
    """Jobs of which one comes when the database has just said that there is none."""

    def __init__(self, connector, worker, come) -> None:
        super().__init__(connector)
        self._worker = worker
        self._come = come
        self.asked = asyncio.Event()

    @override
    async def fetch_job(self, queues, worker_id):
        job = await super().fetch_job(queues, worker_id)
        if job is None and not self.asked.is_set():
            self._worker._new_job_event.clear()
            await self._come()
            await self._worker._new_job_event.wait()
            self.asked.set()
        return job


async def test_after_an_outage_a_worker_hears_of_jobs_again(store, postgres_url):
    hands = Hands()
    hands.go.set()
    async with working(store, hands, pace=DEAF) as worker:
        with outage(postgres_url):
            await until(lambda: failing(worker, "listen"))
        await until(lambda: not_failing(worker, "beat"))
        await until(lambda: listens(postgres_url))

        await put(store, "abc")

        await until(lambda: hands.has("abc"))


async def test_a_job_that_was_told_of_during_an_outage_is_taken_after_it(store, postgres_url):
    hands = Hands()
    hands.go.set()
    async with working(store, hands, pace=DEAF) as worker:
        await until(lambda: listens(postgres_url))
        with outage(postgres_url):
            await until(lambda: failing(worker, "listen"))
            await put(store, "abc")

        await until(lambda: hands.has("abc"))


async def test_the_stock_worker_is_deaf_after_an_outage(store, postgres_url):
    async with stock(store, nothing, pace=DEAF) as worker:
        await until(lambda: listens(postgres_url))
        [listener] = [task for task in asyncio.all_tasks() if task.get_name() == "listener"]
        with outage(postgres_url):
            await asyncio.wait([listener])

        assert not await listens(postgres_url)
        assert worker.run_task is not None and not worker.run_task.done()


async def failing(worker, name: str) -> bool:
    return name in worker._failing


async def not_failing(worker, name: str) -> bool:
    return name not in worker._failing


LISTENS = """
SELECT 1 FROM pg_stat_activity
WHERE query LIKE 'LISTEN%%' AND datname = current_database() AND application_name = 'moot worker'
"""


async def listens(url: str) -> bool:
    return bool(await row(url, LISTENS))


async def test_signs_of_life_go_on_after_an_outage(store, postgres_url):
    async with working(store, nothing) as worker:
        with outage(postgres_url):
            await until(lambda: failing(worker, "beat"))
        before = await row(postgres_url, BEAT, worker.worker_id)

        async def later() -> bool:
            return (await row(postgres_url, BEAT, worker.worker_id)) > before

        await until(later)


async def test_a_job_that_ends_during_an_outage_is_ended_after_it(store, postgres_url, caplog):
    caplog.set_level(logging.INFO, "moot.worker")
    hands = Hands()
    await put(store, "abc")
    async with working(store, hands):
        await until(lambda: hands.has("abc"))
        with outage(postgres_url):
            hands.go.set()
            await until(lambda: ended(hands, "abc"))
            await until(lambda: logged(caplog, "ending job"))

        async def gone() -> bool:
            return await row(postgres_url, STATUS, "abc") is None

        await until(gone)

    assert hands.begun == ["abc"]


async def logged(caplog, words: str) -> bool:
    return words in caplog.text


async def ended(hands: Hands, name: str) -> bool:
    return name in hands.ended


async def test_signs_of_life_and_aborts_go_on_while_a_worker_drains(store, postgres_url):
    hands = Hands()
    await put(store, "abc")
    async with working(store, hands) as worker:
        await until(lambda: hands.has("abc"))
        worker.stop()
        number = worker.worker_id
        before = await row(postgres_url, BEAT, number)

        async def later() -> bool:
            return (await row(postgres_url, BEAT, number)) > before

        await until(later)
        await store.queue.take_out("abc")
        await until(lambda: stopped(hands))

    assert hands.reasons == [AbortReason.USER_REQUEST]
    assert rows(postgres_url, STATUS, "abc") == []


async def stopped(hands: Hands) -> bool:
    return bool(hands.reasons)


async def test_the_stock_worker_gives_no_sign_of_life_while_it_drains(store):
    hands = Hands()
    await put(store, "abc")
    async with stock(store, hands) as worker:
        await until(lambda: hands.has("abc"))
        [beats] = [task for task in asyncio.all_tasks() if task.get_name() == "update_heartbeats"]

        worker.stop()
        await asyncio.wait([beats])

        assert not hands.ended
        hands.go.set()


async def test_what_a_worker_cannot_end_in_time_is_put_back(store, postgres_url):
    hands = Hands()
    await put(store, "abc")
    async with working(store, hands, pace=Pace(silent=1.0, poll=0.1, abort=0.1, drain=0.01)):
        await until(lambda: hands.has("abc"))

    assert hands.reasons == [AbortReason.SHUTDOWN]
    assert rows(postgres_url, STATUS, "abc") == [("todo", 1, None)]


async def test_a_job_of_a_dead_worker_starts_elsewhere(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        await app.job_manager.fetch_job([NOW], await app.job_manager.register_worker())
    rows(postgres_url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '5 seconds'")
    hands = Hands()
    hands.go.set()

    async with working(store, hands, pace=DEAF):
        await until(lambda: hands.has("abc"))


async def test_a_worker_that_was_paused_keeps_what_it_has(store, postgres_url):
    hands = Hands()
    await put(store, "abc")
    async with working(store, hands) as worker:
        await until(lambda: hands.has("abc"))
        number = worker.worker_id
        silence(postgres_url)

        await worker._rescue()
        still = await row(postgres_url, STATUS, "abc")
        hands.go.set()

    assert still == ("doing", 0, number)


async def test_after_an_outage_all_have_their_time_for_a_sign_of_life(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        await app.job_manager.fetch_job([NOW], await app.job_manager.register_worker())
    hands = Hands()
    hands.go.set()
    async with working(store, hands, pace=PATIENT) as worker:
        with outage(postgres_url):
            await until(lambda: failing(worker, "listen"))
        await until(lambda: listens(postgres_url))
        silence(postgres_url)

        await worker._rescue()
        kept = await row(postgres_url, STATUS, "abc")
        worker._away -= PATIENT.silent
        await worker._rescue()

        await until(lambda: hands.has("abc"))

    assert kept[0] == "doing"


PATIENT = Pace(silent=1000.0, poll=0.1, abort=0.1, drain=5.0)


def silence(url: str) -> None:
    """Have all workers seem to have been silent for longer than any may be."""
    rows(url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '2 hours'")


async def test_a_job_of_a_dead_worker_that_was_to_stop_is_dropped(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        await app.job_manager.fetch_job([NOW], await app.job_manager.register_worker())
    await store.queue.take_out("abc")
    rows(postgres_url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '5 seconds'")

    async with working(store, nothing):

        async def gone() -> bool:
            return await row(postgres_url, STATUS, "abc") is None

        await until(gone)


async def test_a_job_that_was_lost_on_its_way_to_a_living_worker_is_taken_again(store, postgres_url):
    hands = Hands()
    hands.go.set()
    async with working(store, hands, queues=(NOW,)) as worker:
        await put(store, "abc", lane="batch")
        rows(
            postgres_url,
            "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s, queue_name = %s",
            worker.worker_id,
            NOW,
        )

        await until(lambda: hands.has("abc"))


async def test_the_lock_of_a_paused_holder_is_broken_and_its_writes_are_fenced(store, open_store, postgres_url):
    from moot.core.errors import Fenced

    paused = open_store(postgres_url)
    await put(store, "abc")
    async with engine(paused, nothing).open_async() as app:
        number = await app.job_manager.register_worker()
        await paused.workers.add(number, new_worker(paused), 0.0)
        await app.job_manager.fetch_job([NOW], number)
    rows(postgres_url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '5 seconds'")
    hands = Hands()
    hands.go.set()

    async with paused.hold("abc") as hold:
        with pytest.raises(AlreadyRunning):
            async with store.hold("abc"):
                pass
        async with working(store, hands):
            await until(lambda: hands.has("abc"))

            async def free() -> bool:
                return not await store.is_held("abc")

            await until(free)
            async with store.hold("abc"):
                with pytest.raises(Fenced):
                    await hold.set_status("running")


def new_worker(store):
    from moot.store.queue.workers import NewWorker

    return NewWorker("paused", "0", (NOW,), 1, store.session)


async def test_a_holder_that_is_not_the_silent_worker_keeps_its_lock(store, open_store, postgres_url):
    other = open_store(postgres_url)
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        number = await app.job_manager.register_worker()
        await store.workers.add(number, new_worker(store), 0.0)
        await app.job_manager.fetch_job([NOW], number)
    rows(postgres_url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '5 seconds'")
    hands = Hands()
    hands.go.set()

    async with other.hold("abc"), working(store, hands):
        await until(lambda: hands.has("abc"))

        assert await store.is_held("abc")


async def test_a_process_whose_lock_session_was_ended_can_take_its_locks_again(store, postgres_url):
    await put(store, "abc")
    async with store.hold("abc") as old:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [store.session]
            )

        async with store.hold("abc") as new:
            assert new.epoch == old.epoch + 1

        # The late release of the first gives back nothing.
        assert not await store.is_held("abc")


async def test_what_says_so_is_put_back_and_anything_else_is_not(store, postgres_url):
    tried: list[str] = []

    async def fail(deliberation, context) -> None:
        tried.append(deliberation)
        raise PutBack(1000) if deliberation == "again" else ValueError

    await put(store, "again")
    await put(store, "broken")
    async with working(store, fail):

        async def both() -> bool:
            again, broken = await row(postgres_url, STATUS, "again"), await row(postgres_url, STATUS, "broken")
            return again == ("todo", 1, None) and broken is None

        await until(both)

    assert sorted(tried) == ["again", "broken"]


async def test_what_is_put_back_for_a_while_is_taken_when_that_is_over_though_nobody_tells(store):
    tried: list[str] = []

    async def once(deliberation, context) -> None:
        tried.append(deliberation)
        if len(tried) == 1:
            raise PutBack(0.05)

    await put(store, "abc")
    async with working(store, once, pace=DEAF):

        async def twice() -> bool:
            return len(tried) == 2

        await until(twice)


async def test_how_long_a_job_waits_is_counted_by_the_clock_of_the_database(store, postgres_url):
    await put(store, "abc")
    async with engine(store, nothing).open_async() as app:
        mine = await app.job_manager.fetch_job([NOW], await app.job_manager.register_worker())
        told = RetryDecision(retry_in={"seconds": 5}).retry_at
        assert told

        await HourAhead(app.connector).retry_job(mine, told + HOUR)
        seconds = rows(postgres_url, "SELECT EXTRACT(EPOCH FROM scheduled_at - now()) FROM procrastinate_jobs")

    assert -HOUR.total_seconds() / 2 < seconds[0][0] < HOUR.total_seconds() / 2


HOUR = timedelta(hours=1)


class HourAhead(GuardedJobs):
    """The jobs of a machine whose clock is an hour ahead."""

    @override
    def moment(self):
        return super().moment() + HOUR


async def test_a_person_is_served_while_a_batch_has_all_the_places_it_may(store):
    hands = Hands()
    async with working(store, hands, pace=DEAF, at_once=2):
        for number in range(3):
            await put(store, f"batch {number}", lane="batch")
        await until(lambda: hands.has("batch 0"))

        await put(store, "person")
        await until(lambda: hands.has("person"))

        assert hands.begun == ["batch 0", "person"]
        hands.go.set()
        await until(lambda: hands.has("batch 2"))


async def test_workers_are_listed_with_what_they_do_and_what_nobody_can_run(store):
    hands = Hands()
    await put(store, "abc")
    async with working(store, hands, queues=(NOW,)) as worker:
        await until(lambda: hands.has("abc"))
        await put(store, "left", lane="batch")

        force = await store.workers.look()
        hands.go.set()

    [known] = force.living(5.0)
    assert (known.id, known.name, known.lanes) == (worker.worker_id or known.id, "one", ("now",))
    assert [doing.deliberation for doing in known.doing] == ["abc"]
    assert force.left(5.0) == {BATCH: 1}
    assert (await store.workers.look()).living(5.0) == ()
