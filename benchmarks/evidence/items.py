"""Which items are asked: by file and place, fresh ones alone, in an order that spreads the sets evenly."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from moot.core.errors import UsageError
from moot.evals.items.datasets import load
from moot.evals.items.items import Item


@dataclass(frozen=True, slots=True)
class Slice:
    """Items of one file: those from `start` on, in its order, as many as are wanted."""

    file: str
    start: int
    count: int
    left_out: tuple[int, ...] = ()
    """Places that somebody has looked at; the next ones stand for them."""
    unsettled: bool = False
    """Whether only items are meant that their documents do not settle."""

    @property
    def name(self) -> str:
        """The file without its ending."""
        return self.file.partition(".")[0]


FRESH = (
    Slice("gsm8k_test.jsonl", 130, 30),
    Slice("hotpotqa_distractor_dev.jsonl", 130, 24, left_out=(137, 138)),
    Slice("2wikimultihopqa_dev.jsonl", 20, 8),
)
UNSETTLED = (Slice("hotpotqa_fullwiki_missing_gold.jsonl", 0, 20, left_out=(24, 43, 44, 49, 53, 72), unsettled=True),)

INVENTED_FILE = "invented.jsonl"
INVENTED = (Slice(INVENTED_FILE, 0, 6),)
INVENTED_UNSETTLED = (Slice(INVENTED_FILE, 6, 2, unsettled=True),)


def chosen(part: Slice, folder: Path) -> dict[str, Item]:
    """Return the items of a slice by name, such as `gsm8k_test[130]`.

    Raises:
        UsageError: where the file has fewer of them than are wanted.
    """
    items = load(folder / part.file).items
    fit = [
        place
        for place in range(part.start, len(items))
        if place not in part.left_out and items[place].abstain == part.unsettled
    ][: part.count]
    if len(fit) < part.count:
        raise UsageError(f"{part.file} has {len(fit)} fresh items from {part.start} on, and {part.count} are wanted.")
    return {f"{part.name}[{place}]": items[place] for place in fit}


def spread(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return all names, each list evenly among the others: whatever comes first has some of each."""
    placed = [
        ((place + 0.5) / len(names), number, name)
        for number, names in enumerate(lists)
        for place, name in enumerate(names)
    ]
    return tuple(name for *_, name in sorted(placed))


def file_digests(parts: Iterable[Slice], folder: Path) -> Mapping[str, str]:
    """Return the SHA-256 of every file.

    Raises:
        UsageError: where one cannot be read.
    """
    digests: dict[str, str] = {}
    for part in parts:
        path = folder / part.file
        try:
            digests[part.file] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            raise UsageError(
                f"{part.file} is not in {folder}; MOOT_DATA names the folder with the data sets."
            ) from None
    return digests


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder with the data sets.

    Raises:
        UsageError: where nobody says which.
    """
    if not environ.get("MOOT_DATA"):
        raise UsageError("MOOT_DATA names no folder with the data sets; set it, or use --invented.")
    return Path(environ["MOOT_DATA"])
