"""A glance at a store that may not be there: nothing is made, changed or waited for."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

SECONDS = 0.2
"""How long a writer is waited for; whoever presses a key waits for no more."""


def newest_questions(url: str, prefix: str, limit: int = 30) -> list[tuple[str, str, str]]:
    """Return id, protocol and question of those whose id begins so, newest first; of a SQLite file that is there.

    Where there is none, or it cannot be read at once, nothing is returned. A server is not asked.
    """
    file = _file(url)
    if file is None or not file.is_file():
        return []
    wanted = (
        "SELECT id, protocol, question FROM deliberations WHERE substr(id, 1, ?) = ? ORDER BY number DESC LIMIT ?",
        (len(prefix), prefix, limit),
    )
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=SECONDS)) as connection:
            return list(connection.execute(*wanted))
    except sqlite3.Error:
        return []


def _file(url: str) -> Path | None:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return None
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
