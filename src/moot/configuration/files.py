"""Which moot.toml files there are: in the folder or the nearest above it, and the user's own; and reading them."""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from platformdirs import user_config_path

from moot.configuration.configuration import ConfigFile, Configuration, merge
from moot.configuration.problems import Problem
from moot.configuration.reading import CheckMember, read_configuration
from moot.settings import APP

FILE = "moot.toml"
VARIABLE = "MOOT_CONFIG"
NOTHING = ("", "none")
LARGEST = 100_000
OTHERS_MAY_WRITE = 0o002
ROOT = 0

Kind = Literal["folder", "user", "named"]
State = Literal["read", "wrong", "absent", "passed over", "another user's"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is looked for."""

    path: Path
    kind: Kind


def places(environ: Mapping[str, str]) -> tuple[Place, ...]:
    """Return where this process looks for files, nearest first.

    Where an environment does not have MOOT_CONFIG, the one of the process counts: folders are the process's too.
    """
    named = environ.get(VARIABLE, os.environ.get(VARIABLE))
    return places_from(named, folder=_folder(), home=_home(), user=user_config_path(APP, appauthor=False))


def places_from(named: str | None, *, folder: Path | None, home: Path | None, user: Path) -> tuple[Place, ...]:
    """Return where files are looked for: the one that is named, or the folder up to home or the root, and the user's.

    None is no choice; an empty one, or `none`, is to look nowhere.
    """
    if named is not None:
        chosen = named.strip()
        return () if chosen.lower() in NOTHING else (Place((folder or Path()) / chosen, "named"),)
    folders = [folder, *folder.parents] if folder else []
    if home in folders:
        folders = folders[: folders.index(home) + 1]
    own = user / FILE
    return (*(Place(one / FILE, "folder") for one in folders if one / FILE != own), Place(own, "user"))


def states(where: Iterable[Place], configuration: Configuration) -> list[tuple[Place, State]]:
    """Return what became of each place: read, wrong, nothing there, or passed over for one that is nearer."""
    read = {file.path for file in configuration.files}
    wrong = {problem.file for problem in configuration.problems}
    told: list[tuple[Place, State]] = []
    for place in where:
        state: State = "absent"
        if str(place.path) in wrong:
            state = "wrong"
        elif str(place.path) in read:
            state = "read"
        elif _is_there(place):
            state = "another user's" if _is_foreign(place) else "passed over"
        told.append((place, state))
    return told


def find_configuration(where: Iterable[Place], check_member: CheckMember) -> Configuration:
    """Return what the files at these places come to; of the folders' files the nearest alone is read."""
    files: list[ConfigFile] = []
    problems: list[Problem] = []
    for place in _to_read(where):
        text = _text(place)
        made = (
            (text,)
            if isinstance(text, Problem)
            else read_configuration(place.path, text, check_member=check_member, of_a_folder=place.kind == "folder")
        )
        if isinstance(made, ConfigFile):
            files.append(made)
        else:
            problems += made
    return merge(tuple(files), tuple(problems))


def is_foreign(owner: int, folder_mode: int, user: int) -> bool:
    """Whether a file may have been left by somebody for others to find: not the user's, where anybody may write."""
    return owner not in (user, ROOT) and bool(folder_mode & OTHERS_MAY_WRITE)


def _to_read(where: Iterable[Place]) -> list[Place]:
    chosen: list[Place] = []
    for place in where:
        is_passed_over = place.kind == "folder" and any(one.kind == "folder" for one in chosen)
        if place.kind == "named" or (not is_passed_over and _is_there(place) and not _is_foreign(place)):
            chosen.append(place)
    return chosen


def _is_there(place: Place) -> bool:
    try:
        place.path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        # It is there and cannot be looked at, which is told where it is read.
        return True
    return True


def _is_foreign(place: Place) -> bool:
    if place.kind != "folder":
        return False
    try:
        return is_foreign(place.path.stat().st_uid, place.path.parent.stat().st_mode, os.geteuid())
    except OSError:
        return False


def _text(place: Place) -> str | Problem:
    file, named = str(place.path), " and MOOT_CONFIG names it" if place.kind == "named" else ""
    try:
        # A pipe that nobody writes to would be waited for.
        if not stat.S_ISREG(place.path.stat().st_mode):
            return Problem(file, f"it is no file{named}; move it away, or name another file with {VARIABLE}")
        with place.path.open("rb") as opened:
            raw = opened.read(LARGEST + 1)
    except OSError as error:
        return Problem(file, f"it cannot be read ({error.strerror}){named}; `{VARIABLE}=none` goes on without it")
    if len(raw) > LARGEST:
        return Problem(file, f"it has more than {LARGEST} bytes, and no moot.toml needs so many; shorten it")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Problem(file, "it is not UTF-8 here; save it as UTF-8", line=raw.count(b"\n", 0, error.start) + 1)


def _folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        return None


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):
        return None
