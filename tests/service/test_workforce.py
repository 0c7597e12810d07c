"""Who works on what waits, in lines."""

from moot.service.background.workforce import NOBODY, WorkforceReading
from moot.store.queue.workers import KnownWorker, Workforce

WAITING = {"now:debate:6:1": 2, "now:spiral:4:1": 1}


def worker(silent: float) -> KnownWorker:
    return KnownWorker(7, "machine:4", "0.1.0", ("now:debate:6:1",), 8, 1000.0, draining=False, silent=silent, doing=())


def lines(*workers: KnownWorker) -> list[str]:
    return WorkforceReading(Workforce(workers, WAITING), silent=10.0).lines()


def test_where_nobody_works_that_is_said_once_and_nothing_is_called_left() -> None:
    assert lines() == [NOBODY, "3 wait for a worker."]


def test_a_worker_that_has_gone_silent_is_none() -> None:
    told = lines(worker(silent=60.0))

    assert "silent" in told[0] and told[1:] == [NOBODY, "3 wait for a worker."]


def test_beside_a_worker_it_is_said_what_none_can_run() -> None:
    told = lines(worker(silent=1.0))

    assert NOBODY not in told and told[1] == "3 wait for a worker."
    assert [line.partition(" (")[0] for line in told[2:]] == ["1 of spiral 4"]
