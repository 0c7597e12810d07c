"""A folder of results: what was run, what has begun, one file of rows for each arm. It survives being killed.

run.json            what was run, on what, with whom, by which version
begun.jsonl         arm, item and deliberation, written before anything of it is sent
arms/NAME.jsonl     one row for each item that the arm has ended
record.db           the deliberations themselves, with every reply
summary.md, plots/  the same rows, to be read
"""

import hashlib
import json
import os
import platform
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from moot.core.canonical import canonical, plain
from moot.core.errors import UsageError
from moot.evals.items.items import ArmRow, Item
from moot.version import __version__

FORMAT = 1
"""Raised when a folder of today could not be read by yesterday's Moot, or the other way round."""

RUN, BEGUN, RECORD, SUMMARY = "run.json", "begun.jsonl", "record.db", "summary.md"

FolderState = tuple[tuple[str, int, int], ...]
"""The files of a run by name, with the moment of their last change in nanoseconds and their size."""

_ROW = TypeAdapter(ArmRow)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a folder says of its run. Rows of one folder are comparable: all of this holds for each of them."""

    data: str
    """The file or the name, as it can be loaded again."""
    dataset: str
    digest: str
    """SHA-256 of the items as they are asked and graded."""
    items: int
    members: tuple[str, ...]
    arms: Mapping[str, int]
    """Each arm with the version of its protocol."""
    seed: int
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The settings of protocols that moot.toml had when the run began."""
    calls_per_item: int | None = None
    frontier: str | None = None
    screen: str = ""
    """The rows of a screen of the same members, for goal G1."""
    problems: tuple[str, ...] = ()
    """What of the data could not be read."""
    command: str = ""
    started: str = ""
    moot: str = __version__
    python: str = field(default_factory=platform.python_version)
    format: int = FORMAT


FIXED = {
    "digest": "the items",
    "members": "--member",
    "seed": "--seed",
    "settings": "the settings (--set, --n, --k, --temp)",
    "defaults": "the settings of moot.toml",
    "calls_per_item": "--budget-calls-per-item",
    "moot": "Moot's version",
}
"""What may not change while a folder goes on, and how the user calls it."""

_INFO = TypeAdapter(RunInfo)


T = TypeVar("T")


class Lines:
    """A file with one JSON object a line, to which whole lines are added so that they stay."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> tuple[list[Any], list[str]]:
        """Return the objects, and a problem for each line that is none. A torn last line is left out: see `mend`."""
        if not self.path.exists():
            return [], []
        found: list[Any] = []
        problems: list[str] = []
        for number, line in enumerate(self.path.read_bytes().split(b"\n")[:-1], 1):
            try:
                found.append(json.loads(line.decode("utf-8")))
            except ValueError:
                problems.append(f"{self.path.name}, line {number}: it is no JSON")
        return found, problems

    def rows(self, adapter: TypeAdapter[T], what: str) -> list[T]:
        """Return the objects as rows of a kind; none where there is no file.

        Raises:
            UsageError: for a file that holds anything else than `what`.
        """
        told, problems = self.read()
        try:
            rows = [adapter.validate_python(line) for line in told]
        except ValidationError as error:
            problems.append(f"{self.path.name}: {error.errors()[0]['msg']}")
            rows = []
        if problems:
            raise UsageError(f"{self.path} is no file of {what} ({problems[0]}); choose another --out.")
        return rows

    def mend(self) -> None:
        """Cut off a last line that a killed process left unfinished; what it told is in the record."""
        if not self.path.exists():
            return
        whole = self.path.read_bytes()
        kept = whole.rfind(b"\n") + 1
        if kept < len(whole):
            with self.path.open("r+b") as file:
                file.truncate(kept)

    def add(self, value: Any) -> None:
        """Add one object; when this returns, it is on the disk."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write((json.dumps(plain(value), ensure_ascii=False) + "\n").encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())


class Results:
    """One folder of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._begun = Lines(folder / BEGUN)

    @property
    def exists(self) -> bool:
        """Whether a run has begun here."""
        return (self.folder / RUN).exists()

    @property
    def database(self) -> str:
        """The address of the folder's own record."""
        return f"sqlite:///{(self.folder / RECORD).resolve().as_posix()}"

    def info(self) -> RunInfo:
        """Return what was run here.

        Raises:
            UsageError: where nothing was, or another version of Moot wrote it in a form that this one cannot read.
        """
        path = self.folder / RUN
        try:
            told = plain(json.loads(path.read_text(encoding="utf-8")), as_given=True)
        except OSError:
            raise UsageError(f"{self.folder} holds no results; `moot evals run --out {self.folder}` begins.") from None
        except ValueError:
            raise UsageError(f"{path} is no JSON, so nobody can say what was run; begin in another folder.") from None
        form = told.get("format") if isinstance(told, dict) else None
        if form != FORMAT:
            by = told.get("moot", "an unknown version") if isinstance(told, dict) else "an unknown version"
            raise UsageError(
                f"{self.folder} was written by Moot {by} in format {form}, and Moot {__version__} reads format "
                f"{FORMAT}; nothing was mixed with it. Use that version to show it, or another --out to run anew."
            )
        try:
            return _INFO.validate_python(told)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            raise UsageError(f"{path}: {name}: {first['msg']}; begin in another folder.") from None

    def write_info(self, info: RunInfo) -> None:
        """Write what is run here, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self.folder / f"{RUN}.draft"
        told = json.dumps(_INFO.dump_python(info, mode="json"), ensure_ascii=False, indent=2)
        draft.write_text(f"{told}\n", encoding="utf-8", newline="\n")
        draft.replace(self.folder / RUN)

    @contextmanager
    def held(self) -> Generator[None, None, None]:
        """Hold the folder as the one process that writes to it.

        Raises:
            UsageError: while another does, or where it cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / ".lock", timeout=0)
            lock.acquire()
        except Timeout:
            raise UsageError(f"another process is writing to {self.folder}; wait for it, or choose another.") from None
        except OSError as error:
            raise UsageError(f"{self.folder} cannot be written ({error.strerror}); choose another --out.") from None
        try:
            for path in (self._begun.path, *self._arm_files()):
                Lines(path).mend()
            yield
        finally:
            lock.release()

    def begun(self) -> dict[tuple[str, str], str]:
        """Return the deliberations that have begun, by arm and item."""
        told, problems = self._begun.read()
        if problems:
            raise UsageError(f"{self.folder}: {problems[0]}; without it calls could be paid twice. Begin in another.")
        return {(line["arm"], line["item"]): line["deliberation"] for line in told}

    def begin(self, arm: str, item: str, deliberation: str) -> None:
        """Write that an arm has begun an item; nothing has been sent yet."""
        self._begun.add({"arm": arm, "item": item, "deliberation": deliberation})

    def rows(self) -> tuple[list[ArmRow], list[str]]:
        """Return every row, arm by arm, and a problem for each line that is none."""
        rows: dict[tuple[str, str], ArmRow] = {}
        problems: list[str] = []
        for path in self._arm_files():
            told, bad = Lines(path).read()
            problems += bad
            for line in told:
                try:
                    # Whoever wrote the line, what is read of it can be written and shown.
                    row = _ROW.validate_python(plain(line))
                    plain((row.confidence, row.usd, row.seconds))
                except ValueError as error:
                    why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
                    problems.append(f"{path.name}: a row is not as it should be ({why})")
                else:
                    rows[row.arm, row.item] = row
        return list(rows.values()), problems

    def state(self) -> FolderState:
        """Return what changes whenever the run or one of its rows is written; nothing where there is no run."""
        files = []
        for path in (self.folder / RUN, *self._arm_files()):
            with suppress(OSError):
                about = path.stat()
                files.append((path.name, about.st_mtime_ns, about.st_size))
        return tuple(files)

    def end(self, row: ArmRow) -> ArmRow:
        """Write the row of an item that an arm has ended, and return it."""
        Lines(self.folder / "arms" / f"{row.arm}.jsonl").add(row)
        return row

    def _arm_files(self) -> list[Path]:
        return sorted((self.folder / "arms").glob("*.jsonl"))


def items_digest(items: Iterable[Item]) -> str:
    """Return what tells one list of items from another: their questions, documents and gold answers."""
    return hashlib.sha256(canonical(list(items)).encode()).hexdigest()


def differences(stored: RunInfo, wanted: RunInfo) -> list[str]:
    """Return what a run would do otherwise than the folder's own, in the user's words."""
    told = [
        f"{word} ({_short(getattr(stored, name))} there, {_short(getattr(wanted, name))} now)"
        for name, word in FIXED.items()
        if plain(getattr(stored, name)) != plain(getattr(wanted, name))
    ]
    if stored.frontier and wanted.frontier and stored.frontier != wanted.frontier:
        told.append(f"--frontier ({stored.frontier} there, {wanted.frontier} now)")
    told += [
        f"the version of arm {arm} ({version} there, {wanted.arms[arm]} now)"
        for arm, version in stored.arms.items()
        if wanted.arms.get(arm, version) != version
    ]
    return told


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
