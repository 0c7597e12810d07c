"""What a worker does is heard at a server of another process: at once where it is told, and else by the poll."""

import asyncio
import logging
from collections.abc import Collection

import pytest

from moot.core.ports import ProgressEvent
from moot.service.background.news import News, heard_by
from moot.service.service import no_progress
from moot.service.watching import EventHeard, StreamEnd, Watch
from moot.store.queue.news import CHANNEL, MOST_BYTES, packed, unpacked
from moot.store.watched import Reached
from tests.service.queued_kit import queue_process, until, worker_process
from tests.service.runs_kit import Members

pytest.importorskip("procrastinate", reason="procrastinate is not installed")

NEVER = 1000.0


def test_progress_and_events_of_a_worker_reach_a_stream_of_a_server_without_a_poll(postgres_url):
    async def play() -> None:
        members = Members(shut=True)
        async with queue_process(postgres_url, members, every=NEVER) as server:
            await server.runs.start()
            await server.runs.listening.wait()
            deliberation = await server.begin("why?")
            stream = server.watch.subscribe(deliberation)
            async with worker_process(postgres_url, members):
                async with asyncio.timeout(20):
                    while not server.watch.being_asked(deliberation):
                        await anext(stream)
                assert next(asked.step for asked in server.watch.being_asked(deliberation)) == "round 0:m1"

                members.open()
                async with asyncio.timeout(20):
                    heard = [each async for each in stream]

            kinds = [each.kind for each in heard if isinstance(each, ProgressEvent)]
            assert "answered" in kinds
            assert any(isinstance(each, EventHeard) for each in heard)
            assert heard[-1] == StreamEnd("complete")
            assert server.watch.being_asked(deliberation) == ()

    asyncio.run(play())


def test_a_server_that_hears_nothing_finds_events_by_its_poll(postgres_url):
    async def play() -> None:
        members = Members()
        async with queue_process(postgres_url, members, every=0.05) as server:
            deliberation = await server.begin("why?")
            stream = server.watch.subscribe(deliberation)
            async with worker_process(postgres_url, members), asyncio.timeout(20):
                heard = [each async for each in stream]

            assert heard[-1] == StreamEnd("complete")

    asyncio.run(play())


def test_a_server_hears_again_after_its_connection_was_cut(postgres_url):
    import psycopg

    async def play() -> None:
        async with queue_process(postgres_url, Members()) as server:
            await server.runs.start()
            await server.runs.listening.wait()
            server.runs.listening.clear()
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moot news'"
                    " AND datname = current_database()"
                )
                await asyncio.wait_for(server.runs.listening.wait(), 20)

                [payload] = packed("somebody", [("abc", asking("turn"))])
                connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])

                async def heard() -> bool:
                    return bool(server.watch.being_asked("abc"))

                await until(heard)

    asyncio.run(play())


def test_news_that_nobody_can_read_is_passed_over(postgres_url, caplog):
    import psycopg

    async def play() -> None:
        async with queue_process(postgres_url, Members()) as server:
            await server.runs.start()
            await server.runs.listening.wait()
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                for payload in (
                    "nonsense",
                    '{"from": "x", "news": [["abc", "{}"]]}',
                    *packed("x", [("abc", asking("s"))]),
                ):
                    connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])

            async def heard() -> bool:
                return bool(server.watch.being_asked("abc"))

            await until(heard)

    with caplog.at_level(logging.INFO, "moot.news"):
        asyncio.run(play())
    assert caplog.text.count("cannot be read") == 2


def asking(step: str) -> str:
    news = News()
    news.hear("abc", no_progress)(ProgressEvent("asking", step, "m1", "a model"))
    [(_, text)] = news.taken()
    return text


def test_of_tokens_only_the_last_word_is_told_and_all_else_in_order():
    news = News()
    hear = news.hear("abc", no_progress)
    for kind, step, note in (("asking", "a", "x"), ("tokens", "a", "1"), ("tokens", "b", "1"), ("tokens", "a", "2")):
        hear(ProgressEvent(kind, step, "m1", note))
    news.over("abc")

    texts = [text for _, text in news.taken()]

    assert [text.count('"tokens"') for text in texts] == [0, 1, 1, 0]
    assert '"2"' in texts[2] and texts[-1] == "over"
    assert news.taken() == []


def test_a_long_text_is_shortened_and_a_payload_never_larger_than_the_database_takes():
    news = News()
    news.hear("abc", no_progress)(ProgressEvent("answered", "a", "m1", said="ä" * 10_000))
    [(_, text)] = news.taken()
    many = [(f"d{number}", text) for number in range(50)]

    payloads = list(packed("me", [*many, ("huge", "x" * MOST_BYTES)]))

    assert all(len(payload.encode()) < 8000 for payload in payloads)
    assert [item for payload in payloads for item in unpacked(payload)[1]] == many


class Nothing:
    """A store in which nothing is kept."""

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        return []

    async def reached(self, watched: Collection[str]) -> dict[str, Reached]:
        return {}


def test_what_is_over_is_no_longer_in_flight():
    async def play() -> None:
        watch = Watch(Nothing())
        hear = heard_by(watch)
        hear("abc", asking("turn"))
        assert watch.being_asked("abc")

        hear("abc", "over")

        assert not watch.being_asked("abc")

    asyncio.run(play())
