"""The shipped word lists of the guards, read once each (rulings A18 to A20).

A list is a text file in `lists`: a line is one entry, `#` begins a comment, commas part the spellings of one entry, a
bar parts two sides that exclude each other. What the entries mean is decided by those who read them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from moot.argument.wording.folding import fold_inflection

Phrase = tuple[str, ...]

_SHORT = 3
# Lists whose short spellings are too common to count where no number stands beside them.
_MEASURING = ("units", "calendar")


@dataclass(frozen=True, slots=True)
class Spelling:
    """One spelling of an entry of a list; a number-bound one counts only beside a number."""

    name: str
    phrase: Phrase
    entry: int
    number_bound: bool


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a list without comments."""
    text = files("moot.argument").joinpath("lists", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """Return all words of a list whose lines are words and nothing more."""
    return frozenset(word for line in lines(name) for word in line.split())


@cache
def folded_words(name: str) -> frozenset[str]:
    """Return all words of a list, each with its inflection folded."""
    return frozenset(map(fold_inflection, words(name)))


@cache
def spellings(*names: str) -> dict[str, tuple[Spelling, ...]]:
    """Return the spellings of some lists by their first word, the longest first."""
    by_first: dict[str, list[Spelling]] = {}
    for name in names:
        for entry, line in enumerate(lines(name)):
            for spelling in line.split(","):
                phrase = tuple(spelling.strip().rstrip("*").split())
                bound = spelling.endswith("*") or (len(phrase) == 1 and len(phrase[0]) <= _SHORT and name in _MEASURING)
                by_first.setdefault(phrase[0], []).append(Spelling(name, phrase, entry, bound))
    return {first: tuple(sorted(found, key=lambda one: -len(one.phrase))) for first, found in by_first.items()}


@cache
def sides(name: str) -> dict[str, frozenset[tuple[int, int]]]:
    """Return for each folded word of a list of pairs where it stands: the number of the line, and which side of it."""
    places: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(lines(name)):
        for side, spelled in enumerate(line.split("|")):
            for word in spelled.split(","):
                places.setdefault(fold_inflection(word.strip()), set()).add((number, side))
    return {word: frozenset(found) for word, found in places.items()}


@cache
def number_words() -> dict[str, int]:
    """Return the value of each word that counts."""
    return dict(_valued(multiplying=False))


@cache
def multiples() -> dict[str, int]:
    """Return the value of each word that multiplies what stands before it."""
    return dict(_valued(multiplying=True))


def _valued(*, multiplying: bool) -> Iterator[tuple[str, int]]:
    for line in lines("number_words"):
        value, *spelled = line.split()
        if value.startswith("x") == multiplying:
            yield from ((word, int(value.removeprefix("x"))) for word in spelled)
