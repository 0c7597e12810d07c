"""What a driver's failure is called in Moot, with the way out."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, IntegrityError

from moot.core.errors import DatabaseUnusable, DiskFull, MootError, StoreError

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_FORBIDDEN = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

_POSTGRES_FULL = "53100"
_POSTGRES_READ_ONLY = "25006"
_POSTGRES_RIGHTS = "42501"

DAMAGED = "it is damaged or no database; restore a copy, or move it away and Moot starts a new one"
FORBIDDEN = "it cannot be written; check the rights of file and folder, or choose a folder with MOOT_HOME"
BUSY = "another program keeps it locked; close that program and try again"
UNREACHABLE = "the server does not answer or refuses; check that it runs and that MOOT_DATABASE is right"


def named(error: Exception, where: str) -> Exception:
    """Return the Moot error for a driver's error; any other error comes back as it is."""
    if isinstance(error, MootError):
        return error
    if isinstance(error, OSError):
        return _of_system(error, where)
    if isinstance(error, IntegrityError):
        return StoreError(f"database {where} refused a row that does not fit the others: {_line(error.orig)}.")
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause, where)
    if isinstance(error, DBAPIError):
        return _of_postgres(error, where)
    return error


def connection_lost(error: Exception) -> bool:
    """Whether nobody can say if the transaction was committed."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _of_system(error: OSError, where: str) -> Exception:
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return DiskFull(where=where)
    return DatabaseUnusable(where=where, problem=f"{FORBIDDEN} ({error.strerror})")


def _of_sqlite(error: sqlite3.Error, where: str) -> Exception:
    code = getattr(error, "sqlite_errorcode", None) or 0
    primary = code & 0xFF
    if code in _FULL or primary in _FULL:
        return DiskFull(where=where)
    for codes, problem in ((_DAMAGED, DAMAGED), (_FORBIDDEN, FORBIDDEN), (_BUSY, BUSY)):
        if primary in codes:
            return DatabaseUnusable(where=where, problem=problem)
    return DatabaseUnusable(where=where, problem=f"{_line(error)}; `moot doctor` says more")


def _of_postgres(error: DBAPIError, where: str) -> Exception:
    state = getattr(error.orig, "sqlstate", None)
    if state == _POSTGRES_FULL:
        return DiskFull(where=where)
    if state in (_POSTGRES_READ_ONLY, _POSTGRES_RIGHTS):
        return DatabaseUnusable(where=where, problem=f"this user may not write there ({_line(error.orig)})")
    if state is None or error.connection_invalidated or state[:2] in ("08", "28", "3D", "57"):
        return DatabaseUnusable(where=where, problem=f"{UNREACHABLE} ({_line(error.orig)})")
    return DatabaseUnusable(where=where, problem=f"{_line(error.orig)}; `moot doctor` says more")


def _line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
