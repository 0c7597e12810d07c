"""The part of a model's file that has arrived so far.

It outlives a crash, a cut line and a full disk, and any source may go on with it: all sources hold the same
bytes, and the whole is hashed at the end.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from moot.gateway.embedded.room import naming_a_full_disk

CHUNK = 1024 * 1024

OpenFile = Callable[[Path, str], BinaryIO]


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
