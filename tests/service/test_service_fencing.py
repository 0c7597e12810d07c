"""Two live processes on one deliberation: the lock keeps the second out; where it was broken, the first is fenced."""

import asyncio
import shutil
from pathlib import Path

from tests.cli.kit import SINGLE, Moot, begun, ended
from tests.fake_server import FakeServer


def test_a_second_process_is_kept_out_while_the_first_one_lives(tmp_path: Path) -> None:
    async def scene():
        moot = Moot(tmp_path)
        async with FakeServer({"m": "slow,well"}) as server:
            first = await begun(moot, "ask", "Why?", *SINGLE, "--member", server.member("m"))
            await server.arrived.wait()
            deliberation = (await asyncio.to_thread(moot.json, "list"))[0]["id"]
            second = await ended(await begun(moot, "resume", deliberation))
            listed = await asyncio.to_thread(moot.run, "list")
            server.release.set()
            return second, listed, await ended(first), sum(server.counts.values())

    second, listed, first, calls = asyncio.run(scene())

    assert second[0] == 1
    assert "running in another process" in second[2]
    assert "nobody works on it" not in listed.stdout
    assert first[0] == 0
    assert calls == 1


def test_a_process_whose_lock_was_broken_is_fenced_and_what_the_other_journaled_stands(tmp_path: Path) -> None:
    async def scene():
        moot = Moot(tmp_path)
        async with FakeServer({"m": "slow,well"}) as server:
            first = await begun(moot, "ask", "Why?", *SINGLE, "--member", server.member("m"))
            await server.arrived.wait()
            deliberation = (await asyncio.to_thread(moot.json, "list"))[0]["id"]
            shutil.rmtree(tmp_path / "home" / "moot.db.locks")
            second = await ended(await begun(moot, "resume", deliberation, "--json"))
            server.release.set()
            return second, await ended(first), sum(server.counts.values()), moot, deliberation

    second, first, calls, moot, deliberation = asyncio.run(scene())

    assert second[0] == 0
    assert first[0] == 1
    assert "another process has taken over" in first[2]
    assert calls == 2, "the call of the fenced process is lost, and nothing else is asked again"
    shown = moot.json("show", deliberation)
    assert (shown["status"], shown["cost"]["calls"], shown["cost"]["usd"]) == ("complete", 2, None)
    assert moot.run("replay", deliberation).returncode == 0
