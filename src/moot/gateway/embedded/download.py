"""What has arrived of a model's file, room for the rest of it, and how a source says what it does.

The part outlives a crash, a cut line and a full disk, and any source may go on with it: all sources hold the same
bytes, and the whole is hashed at the end.
"""

import asyncio
import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from moot.core.errors import DiskFull
from moot.gateway.embedded.catalogue import Entry
from moot.gateway.embedded.progress import FetchProgress, ShowProgress

CHUNK = 1024 * 1024
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# What Windows says when a disk is full: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
NO_ROOM_WINDOWS = (39, 112)

OpenFile = Callable[[Path, str], BinaryIO]


class SourceFailed(Exception):
    """One source did not give the file; the reason ends up in `FetchFailed` if no other gives it."""


class Tell(Protocol):
    """Report bytes that are there, or a sentence."""

    def __call__(self, done: int, note: str = "") -> None:
        """Report."""
        ...


def teller(entry: Entry, source: str, show: ShowProgress) -> Tell:
    """Return a `tell` that speaks for one source of one model."""

    def tell(done: int, note: str = "") -> None:
        show(FetchProgress(model=entry.name, source=source, done=done, total=entry.bytes, note=note))

    return tell


@dataclass(frozen=True, slots=True)
class Part:
    """A file that grows until it is whole; `open_file` is how it is written."""

    path: Path
    open_file: OpenFile

    def size(self) -> int:
        """Return the bytes that are there."""
        return file_size(self.path) or 0

    def cut(self, size: int) -> None:
        """Drop what lies beyond this size."""
        if self.size() > size:
            os.truncate(self.path, size)

    def remove(self) -> None:
        """Drop everything."""
        remove(self.path)

    @contextmanager
    def appending(self) -> Generator[BinaryIO]:
        """Open the part at its end; what was written stays, whatever ends the block.

        Raises:
            DiskFull: there was no room; what fitted is kept.
        """
        with naming_a_full_disk(self.path), self.open_file(self.path, "ab") as out:
            yield out


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


def file_size(path: Path) -> int | None:
    """Return the bytes of a file, or None where there is none."""
    return path.stat().st_size if path.is_file() else None


def remove(path: Path) -> None:
    """Delete a file if it is there."""
    path.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are not there."""
    path.mkdir(parents=True, exist_ok=True)


def open_binary(path: Path, mode: str) -> BinaryIO:
    """Open a file for bytes: how a part is written outside of tests."""
    return cast("BinaryIO", path.open(mode))


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes in pieces small enough to stop between."""
    with path.open("rb") as source:
        while chunk := source.read(CHUNK):
            yield chunk


async def sha256_of(path: Path) -> str:
    """Return the file's sha256, letting others run between pieces."""
    digest = hashlib.sha256()
    for chunk in read_chunks(path):
        digest.update(chunk)
        await asyncio.sleep(0)
    return digest.hexdigest()
