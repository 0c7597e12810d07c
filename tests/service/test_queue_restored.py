"""A database that was dumped while a worker was at work, and restored: what ran goes on from its journal."""

import asyncio
import subprocess
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from tests.service.queued_kit import QueueProcess, queue_process, until, worker_process
from tests.service.runs_kit import Members

pytest.importorskip("procrastinate", reason="procrastinate is not installed")


def in_another(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def restored_url(postgres_url: str):
    """The address of a further database, which is gone after the test."""
    name = f"{make_url(postgres_url).database}_restored"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield in_another(postgres_url, name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_what_ran_at_the_moment_of_a_dump_goes_on_where_it_is_restored(
    postgres, postgres_url: str, restored_url: str, tmp_path: Path
) -> None:
    def copy() -> None:
        file, programs = str(tmp_path / "moot.dump"), Path(postgres.bin_path)
        dump = [str(programs / "pg_dump"), "--format=custom", "--file", file, postgres_url]
        restore = [str(programs / "pg_restore"), "--exit-on-error", "--dbname", restored_url, file]
        for command in (dump, restore):
            subprocess.run(command, check=True, capture_output=True)

    async def begun(server: QueueProcess, members: Members) -> tuple[str, str]:
        async def second_round() -> bool:
            return ("runs?", "round 1:m2") in members.asked

        runs, waits = await server.begin("runs?"), ""
        async with worker_process(postgres_url, members, at_once=1, drain=0.05):
            first = await members.calls(2)
            members.let(*first)
            await until(second_round)
            waits = await server.begin("waits?")
            await asyncio.to_thread(copy)
        return runs, waits

    async def play() -> None:
        members = Members(shut=True)
        async with queue_process(postgres_url, members) as server:
            runs, waits = await begun(server, members)
        again = Members()
        async with queue_process(restored_url, again) as server, worker_process(restored_url, again):
            await server.ended(runs)
            await server.ended(waits)

        # The first round of the one was journaled; its second was under way, and is asked again.
        assert sorted(step for question, step in again.asked if question == "runs?") == ["round 1:m1", "round 1:m2"]
        assert len([question for question, _ in again.asked if question == "waits?"]) == 4

    asyncio.run(play())
