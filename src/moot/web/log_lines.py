"""So many lines of a log a second, whoever causes them; what is left out is counted, and said with the next line."""

import logging
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from typing_extensions import override

LINES_A_SECOND = 10
LOGGERS = ("asyncio", "uvicorn.error", "moot.runs", "moot.web")


class LinePace(logging.Filter):
    """Lets so many lines of a logger through in any second."""

    def __init__(self, most: int = LINES_A_SECOND, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most = most
        self._now = now
        self._second = now()
        self._lines = 0
        self._left_out = 0

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written; the first one after others were left out says how many."""
        if self._now() - self._second >= 1:
            self._second, self._lines = self._now(), 0
        self._lines += 1
        if self._lines > self._most:
            self._left_out += 1
            return False
        if self._left_out:
            record.msg = f"({self._left_out} lines before this one are left out) {record.getMessage()}"
            record.args = None
            self._left_out = 0
        return True


@contextmanager
def pace_lines(loggers: tuple[str, ...] = LOGGERS) -> Generator[None, None, None]:
    """Bound what a server's loggers write while it serves."""
    paces = [(logging.getLogger(name), LinePace()) for name in loggers]
    for logger, pace in paces:
        logger.addFilter(pace)
    try:
        yield
    finally:
        for logger, pace in paces:
            logger.removeFilter(pace)
