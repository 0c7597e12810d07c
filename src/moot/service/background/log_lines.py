"""So many lines of a log a second, whoever causes them; what is left out is counted, and said with the next line."""

import logging
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from typing_extensions import override

LINES_A_SECOND = 10
_WRITTEN = "is_written"


@dataclass(slots=True)
class _Told:
    """What one logger has said in a second, and what of it was left out."""

    second: float
    lines: int = 0
    left_out: int = 0


class LinePace(logging.Filter):
    """Lets so many lines of each logger through in any second, at all handlers that have it."""

    def __init__(self, most: int = LINES_A_SECOND, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most = most
        self._now = now
        self._told: dict[str, _Told] = {}

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written; the first one after others were left out says how many."""
        # A second handler asks about the same line.
        if not hasattr(record, _WRITTEN):
            setattr(record, _WRITTEN, self._is_written(record))
        return bool(getattr(record, _WRITTEN))

    def _is_written(self, record: logging.LogRecord) -> bool:
        told = self._told.setdefault(record.name, _Told(self._now()))
        if self._now() - told.second >= 1:
            told.second, told.lines = self._now(), 0
        told.lines += 1
        if told.lines > self._most:
            told.left_out += 1
            return False
        if told.left_out:
            record.msg = f"({told.left_out} lines before this one are left out) {record.getMessage()}"
            record.args = None
            told.left_out = 0
        return True


@contextmanager
def pace_lines() -> Generator[None, None, None]:
    """Bound what every logger of this process writes, those included that are made later."""
    # Loggers do not ask the filters of those above them; handlers are asked whoever speaks.
    handlers = logging.getLogger().handlers or [logging.lastResort]
    pace, paced = LinePace(), [handler for handler in handlers if handler]
    for handler in paced:
        handler.addFilter(pace)
    try:
        yield
    finally:
        for handler in paced:
            handler.removeFilter(pace)
