"""What is put into the queue: in the same commit as its deliberation, once, and in fair turns."""

import pytest
from queue_kit import NOW, put, rows
from store_kit import header

from moot.core.errors import StoreError
from moot.store import Served
from moot.store.queue.jobs import NewJob, Stop
from moot.store.queue.names import Room, queue_name, queues_for

pytest.importorskip("procrastinate", reason="procrastinate is not installed")

JOBS = "SELECT queueing_lock, status::text, queue_name FROM procrastinate_jobs ORDER BY priority DESC, id"


@pytest.fixture
def store(postgres_url, open_store):
    return open_store(postgres_url)


def order(url: str) -> str:
    return "".join(name[0] for name, status, _ in rows(url, JOBS) if status == "todo")


def serve(url: str, number: int) -> None:
    """Take the next jobs, as workers do."""
    for _ in range(number):
        rows(url, "DELETE FROM procrastinate_jobs WHERE id = (SELECT id FROM procrastinate_jobs "
                  "ORDER BY priority DESC, id LIMIT 1)")  # fmt: skip


def test_the_tables_of_the_engine_have_a_schema_of_their_own_that_names_its_version(store, postgres_url):
    [[comment]] = rows(postgres_url, "SELECT obj_description('moot_queue'::regnamespace)")
    in_moots_own = rows(postgres_url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'pro%%'")

    assert comment == "procrastinate 3.10"
    assert not in_moots_own


def test_sqlite_has_no_queue(sqlite_url, open_store):
    store = open_store(sqlite_url)

    assert store.queue is None
    assert store.workers is None


async def test_a_deliberation_and_its_job_are_one_commit(store, postgres_url):
    await put(store, "abc")

    assert rows(postgres_url, JOBS) == [("abc", "todo", NOW)]


async def test_a_deliberation_that_is_refused_leaves_no_job(store, postgres_url):
    await store.served.create("abc", header(), Served(None, "a request"))

    with pytest.raises(StoreError):
        await store.served.create("def", header(), Served(None, "a request"), NewJob("now", "single", 1))

    assert rows(postgres_url, JOBS) == []


async def test_what_waits_already_is_not_put_in_twice(store, postgres_url):
    await put(store, "abc")

    was_new = await store.queue.put("abc", NewJob("now", "single", 1))

    assert not was_new
    assert len(rows(postgres_url, JOBS)) == 1


async def test_what_a_worker_has_is_put_in_behind_it(store, postgres_url):
    await put(store, "abc")
    rows(postgres_url, "UPDATE procrastinate_jobs SET status = 'doing'")

    was_new = await store.queue.put("abc", NewJob("now", "single", 1))

    assert was_new
    assert await store.queue.states(["abc", "def"]) == {"abc": "running"}


async def test_a_newcomer_neither_waits_for_a_backlog_nor_stays_ahead_of_it(store, postgres_url):
    for number in range(12):
        await put(store, f"a{number}", key="A")
    serve(postgres_url, 4)

    for number in range(3):
        await put(store, f"b{number}", key="B")
    await put(store, "c0", key="C")

    assert order(postgres_url) == "abcabab" + "aaaaa"


async def test_a_person_comes_before_a_batch_and_a_step_without_calls_before_both(store, postgres_url):
    await put(store, "batch", lane="batch", key="A")
    await put(store, "now", lane="now", key="A")
    await put(store, "step", lane="step", key="A")

    assert order(postgres_url) == "snb"


async def test_a_key_that_had_many_turns_while_nobody_waited_is_not_held_back_for_them(store, postgres_url):
    for number in range(5):
        await put(store, f"a{number}", key="A")
        serve(postgres_url, 1)

    await put(store, "later", key="B")
    await put(store, "again", key="A")
    await put(store, "last", key="B")

    assert order(postgres_url) == "lal"


async def test_taking_out_drops_what_waits_and_asks_the_worker_of_what_runs_to_stop(store, postgres_url):
    await put(store, "waits")
    await put(store, "runs")
    rows(postgres_url, "UPDATE procrastinate_jobs SET status = 'doing' WHERE queueing_lock = 'runs'")

    assert await store.queue.take_out("waits")
    assert await store.queue.take_out("runs")

    left = rows(postgres_url, "SELECT queueing_lock, abort_requested FROM procrastinate_jobs")
    assert left == [("runs", True)]
    assert not (await store.served.read("waits")).wanted
    assert not await store.queue.take_out("waits")


async def test_what_is_wanted_and_in_no_queue_is_put_in(store, postgres_url):
    await put(store, "known")
    for name in ("lost", "unwanted", "broken"):
        await store.served.create(name, header(), Served("A"))
    await store.served.set_wanted("unwanted", wanted=False)
    await store.queue.keep_stop("broken", Stop("run_broke", "it broke", goes_on=False))

    assert await store.served.put_left() == ["lost"]
    assert await store.served.put_left() == []


async def test_what_is_put_in_again_has_no_stop_any_more(store):
    await put(store, "abc")
    await store.queue.keep_stop("abc", Stop("run_broke", "it broke", goes_on=False))
    await store.queue.keep_stop("abc", Stop("disk_full", "no room", goes_on=True))
    assert await store.queue.stop_of("abc") == Stop("disk_full", "no room", goes_on=True)

    await store.queue.put("abc", NewJob("now", "single", 1))

    assert await store.queue.stop_of("abc") is None


async def test_a_deleted_deliberation_leaves_no_stop(store):
    await put(store, "abc")
    await store.queue.keep_stop("abc", Stop("run_broke", "it broke", goes_on=False))

    await store.deliberations.delete("abc")

    assert await store.queue.stop_of("abc") is None


def test_a_queue_is_named_by_who_waits_and_what_it_takes_to_run_it():
    long = queue_name("batch", "a-protocol-with-quite-a-long-name-of-its-own", 12)

    assert queue_name("now", "spiral", 4) == "now:spiral:4:1"
    assert queue_name("now", "spiral", 5) != queue_name("now", "spiral", 4)
    assert len(f"procrastinate_queue_v1#{long}") <= 63
    assert queues_for({"vote": 2, "single": 1}, ("now", "step")) == (
        "now:single:1:1", "now:vote:2:1", "step:single:1:1", "step:vote:2:1",
    )  # fmt: skip


def test_one_place_is_kept_for_somebody_who_waits_and_steps_have_places_of_their_own():
    room = Room(("now:x:1:1", "batch:x:1:1", "step:x:1:1"), at_once=3)

    assert room.open_queues([]) == list(room.queues)
    assert room.open_queues(["batch:x:1:1"] * 2) == ["now:x:1:1", "step:x:1:1"]
    assert room.open_queues(["now:x:1:1"] * 2 + ["batch:x:1:1"]) == ["step:x:1:1"]
    assert room.open_queues(["step:x:1:1"] * 4) == ["now:x:1:1", "batch:x:1:1"]
    assert Room(("batch:x:1:1",), at_once=2).open_queues(["batch:x:1:1"]) == ["batch:x:1:1"]
    assert Room(("now:x:1:1", "batch:x:1:1"), at_once=1).open_queues([]) == ["now:x:1:1", "batch:x:1:1"]
