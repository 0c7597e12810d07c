"""Runs that nobody resumed are gone on with, also by a server whose store failed for a while."""

import asyncio
import contextlib
import logging
from pathlib import Path

import pytest

from moot.core.errors import DiskFull
from moot.service.runs import Runs
from moot.store import Served
from moot.web.housekeeping import sweep
from tests.protocols.prism.kit import output
from tests.runtime.protocol import header
from tests.web.kit import at_site


async def swept(looks: list[list[str] | Exception]) -> list[str]:
    """Return what is resumed when each look at the store brings the next of these."""
    remaining, resumed = iter(looks), []

    async def due_claims() -> list[str]:
        found = next(remaining)
        if isinstance(found, Exception):
            raise found
        return found

    pauses = iter(looks)

    async def pause(seconds: float) -> None:
        if next(pauses, None) is None:
            raise asyncio.CancelledError

    with contextlib.suppress(asyncio.CancelledError):
        await sweep([due_claims], resumed.append, pause=pause)
    return resumed


def test_what_is_left_is_resumed_at_every_look() -> None:
    assert asyncio.run(swept([["a"], [], ["b", "c"]])) == ["a", "b", "c"]


def test_a_store_that_fails_is_asked_again_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    looks: list[list[str] | Exception] = [DiskFull(where="moot.db"), ValueError("a secret"), ["a"], ValueError("again")]

    resumed = asyncio.run(swept(looks))

    said = [record.getMessage() for record in caplog.records]
    assert resumed == ["a"]
    assert len(said) == 2
    assert "secret" not in " ".join(said)


def test_a_claim_whose_last_submitter_died_goes_on_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.web.housekeeping.SECONDS", 0)

    async def scene(site):
        await site.agent("ada")
        id_ = (await site.post("/claims", {"claim": "Crows remember faces.", "table": "prism-v1-solo"})).json()["id"]
        slot = (await site.get("/jobs/work", "ada")).json()
        await site.post(f"/claims/{id_}/stage-slots/{slot['id']}/take", as_="ada")
        # What a process does that dies between its submission and the next phase.
        await site.serving.service.submit(id_, slot["step"], "ada", output("1"))
        async with asyncio.timeout(30):
            while not (after := await site.serving.board.next_slots("bea", 1)):
                await site.serving.runs.finished(id_)
        return slot["step"], after[0].step

    before, after = at_site(tmp_path, scene)

    assert before != after


def test_a_run_that_paused_and_waits_for_nobody_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.web.housekeeping.SECONDS", 0)
    resumed = asyncio.Queue()
    monkeypatch.setattr(Runs, "resume_if_due", lambda _, deliberation: resumed.put_nowait(deliberation))

    async def scene(site):
        await site.serving.store.served.create("lapsed", header(), Served(None))
        async with site.serving.store.hold("lapsed") as hold:
            await hold.set_status("paused")
        async with asyncio.timeout(30):
            return await resumed.get()

    assert at_site(tmp_path, scene) == "lapsed"
