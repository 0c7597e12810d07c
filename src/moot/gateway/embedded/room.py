"""Disk space: asked for before a fetch, and named when it runs out in the middle."""

import errno
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from moot.core.errors import DiskFull

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# What Windows says when a disk is full: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
NO_ROOM_WINDOWS = (39, 112)


def free_bytes(folder: Path) -> int:
    """Return the bytes that may still be written under this folder."""
    return shutil.disk_usage(folder).free


def is_disk_full(error: OSError) -> bool:
    """Tell whether the system refused a write for lack of space or quota."""
    return error.errno in NO_ROOM or getattr(error, "winerror", None) in NO_ROOM_WINDOWS


@contextmanager
def naming_a_full_disk(where: Path) -> Generator[None]:
    """Turn the system's "no space" into `DiskFull` that names the place.

    Raises:
        DiskFull: a write in the block found no room.
    """
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise DiskFull(where=str(where), go_on="moot models pull") from error
        raise
