"""`moot evals run --workers`: the items spread over workers, the rows as they are without any."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from moot.core.calls import Request
from moot.core.errors import UsageError
from moot.evals.arms.protocols import EVAL_PROTOCOLS, find_eval_protocol
from moot.evals.items.datasets import Dataset
from moot.evals.items.items import ArmRow
from moot.evals.runs.harness import Access, EvalOrder, Finished, Listener, run
from moot.evals.runs.results import Results
from moot.service.background.worker import open_worker
from moot.testing import Scripted, scripted
from tests.evals.kit import MEMBER, evaluate, items, reply

pytest.importorskip("procrastinate", reason="procrastinate is not installed")

ARMS = ("single-pass", "revisit")


@asynccontextmanager
async def working(environ: dict[str, str], member: Scripted, name: str):
    """Give a worker that works, with a member of its own."""
    versions = {arm: spec.version for arm, spec in EVAL_PROTOCOLS.items()}
    opening = open_worker(
        environ, name=name, at_once=2, models={MEMBER: member}, protocols=find_eval_protocol, beside=versions
    )
    async with opening as worker:
        running = asyncio.ensure_future(worker.run())
        await worker.ready.wait()
        yield
        await worker.stop()
        await running


def environment(url: str, folder: Path) -> dict[str, str]:
    return {"MOOT_HOME": str(folder), "MOOT_DATABASE": url, "MOOT_CONFIG": "none", "MOOT_WORKER_SILENT": "1"}


async def by_workers(folder: Path, url: str, listener: Listener | None = None) -> Finished:
    order, dataset = EvalOrder("apples", ARMS, (MEMBER,)), Dataset("apples", tuple(items(4)))
    reach = Access(environment(url, folder), models={MEMBER: scripted(forbidden)}, workers=True)
    return await run(order, dataset, Results(folder / "results"), reach=reach, listener=listener)


def forbidden(request: Request) -> str:
    raise AssertionError("this process asks nobody")


def told(row: ArmRow) -> ArmRow:
    """A row without what differs from run to run."""
    return replace(row, deliberations=(), seconds=0.0)


def test_items_are_spread_over_workers_and_give_the_same_rows(tmp_path: Path, postgres_url: str) -> None:
    first, second = scripted(reply), scripted(reply)
    heard: list[ArmRow] = []

    class Hearing(Listener):
        @override
        def ended(self, row: ArmRow) -> None:
            heard.append(row)

    async def play() -> Finished:
        environ = environment(postgres_url, tmp_path)
        async with working(environ, first, "one"), working(environ, second, "two"):
            return await by_workers(tmp_path, postgres_url, Hearing())

    done = asyncio.run(play())
    alone = evaluate(tmp_path / "alone", list(ARMS), count=4)

    assert done.unasked == 0 and len(heard) == 8
    by_key = {(row.arm, row.item): told(row) for row in done.rows}
    assert by_key == {(row.arm, row.item): told(row) for row in alone.rows}
    assert first.requests and second.requests
    assert len(first.requests) + len(second.requests) == 12


def test_without_a_worker_nothing_is_begun(tmp_path: Path, postgres_url: str) -> None:
    with pytest.raises(UsageError, match="moot worker"):
        asyncio.run(by_workers(tmp_path, postgres_url))

    assert not Results(tmp_path / "results").begun()


def test_without_postgresql_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="PostgreSQL"):
        asyncio.run(by_workers(tmp_path, f"sqlite:///{tmp_path}/moot.db"))


def test_what_breaks_at_a_worker_is_a_row_that_says_so(tmp_path: Path, postgres_url: str) -> None:
    def broken(request: Request) -> str:
        raise RuntimeError("a fault of the member")

    async def play() -> Finished:
        async with working(environment(postgres_url, tmp_path), scripted(broken), "one"):
            return await by_workers(tmp_path, postgres_url)

    done = asyncio.run(play())

    assert done.unasked == 0
    assert all(row.problem for row in done.rows)
