"""How a run ended that did not come to its verdict: what is logged of it, and what whoever asked is told."""

import logging
import os
import traceback
from dataclasses import dataclass
from typing import Literal

from moot.core.errors import MootError, RunBroke, RunStopped, StoreError

State = Literal["queued", "running"]

NO_WORKER_CODE = "no_worker"
"""What keeps a deliberation waiting that nobody is there to run."""

log = logging.getLogger("moot.runs")


@dataclass(frozen=True, slots=True)
class RunStanding:
    """Whether somebody is at a deliberation, and why its latest run did not come to its end."""

    state: State | None = None
    code: str = ""
    words: str = ""
    goes_on: bool = False
    """Whether it is tried again by itself."""

    @property
    def problem(self) -> str | None:
        """The code and the words of what is wrong; None where nothing is."""
        return f"{self.code}: {self.words}" if self.code else None


def lacked(deliberation: str, error: OSError | MootError) -> MootError:
    """Return what a run lacks: descriptors, room, its database, leave to spend. It may all be there again later."""
    if isinstance(error, MootError):
        return error
    lack = os.strerror(error.errno) if error.errno else type(error).__name__
    return RunStopped(deliberation=deliberation, lack=lack)


def told_failure(deliberation: str, error: Exception) -> MootError:
    """Log what stopped a run, and return what whoever asked is told."""
    if isinstance(error, MootError):
        # Other messages may quote what was asked, and a log is read by others than the one who asked.
        log.error("deliberation %s stopped: %s", deliberation, error if isinstance(error, StoreError) else error.code)
        return error.with_traceback(None)
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("deliberation %s broke off: %s\n%s", deliberation, type(error).__name__, where)
    return RunBroke(deliberation=deliberation, kind=type(error).__name__)
