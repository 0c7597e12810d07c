"""A claim as the guards of rulings A18 to A20 read it: its words in order, and what of them stands on a list.

Stopwords, case and order count here, unlike in the normal form. Of a text longer than `MAX_TOKENS` words the beginning
is read. Nothing is compared here.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.languages import language_of
from moot.argument.wording.lists import Spelling, multiples, number_words, spellings

MAX_TOKENS = 600
IDIOMS = "idioms"
ENTRY_LISTS = ("quantifiers", "bounds", "modals", "directions", "calendar", "units", "ordinals", "limits")

_MAX_CHARACTERS = 12_000
_MAX_DIGITS = 40
_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:[.,]\d+)*|[^\W\d_][^\W_]*(?:#|\+\+)?|[^\w\s]")
_HALF_DAY = re.compile(r"(?<![^\W_])([ap])\.\s?m\b\.?", re.IGNORECASE)
_QUOTES = {ord(mark): "'" for mark in "\u2018\u2019\u02bc\uff07"}
_JOINED = re.compile(
    r"\b(non|un|anti|pre|post|pro|hyper|hypo|intra|inter|counter|mis|dis|de|over|under)-(?=[^\W\d_])", re.I
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE_END = ".!?:;"


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it stands in a claim; `parted` says that a comma stands before it."""

    spelled: str
    lower: str
    folded: str
    leads: bool
    parted: bool

    @property
    def is_number(self) -> bool:
        """Whether the word is written in digits."""
        return self.lower[0].isdecimal()

    @property
    def is_capital(self) -> bool:
        """Whether the word begins with a capital."""
        return self.spelled[0].isupper()


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A claim with its words in order, its entries on each list, its amounts and its language.

    There is one for a claim, so that what is found of it can be kept without looking through its words.
    """

    words: tuple[Word, ...]
    folded: tuple[str, ...]
    known: frozenset[str]
    free: frozenset[str]
    entries: Mapping[str, frozenset[int]]
    amounts: frozenset[Decimal]
    language: str


@lru_cache(maxsize=4_096)
def read(claim: str) -> Reading:
    """Return a claim as the guards see it."""
    words = _words(claim)
    lowers = [word.lower for word in words]
    idle: set[int] = set()
    entries: dict[str, set[int]] = {}
    for place, one in _phrases(lowers):
        if one.name == IDIOMS:
            idle.update(range(place, place + len(one.phrase)))
        else:
            entries.setdefault(one.name, set()).add(one.entry)
    folded = tuple(word.folded for word in words)
    return Reading(
        words,
        folded,
        frozenset(folded),
        frozenset(word.folded for place, word in enumerate(words) if place not in idle),
        {name: frozenset(found) for name, found in entries.items()},
        frozenset(_amounts(lowers)),
        language_of(lowers),
    )


def phrases_on_lists(claim: str) -> Iterator[str]:
    """Yield the words and phrases of a claim that stand on a list of entries."""
    lowers = [word.lower for word in _words(claim)]
    yield from (" ".join(one.phrase) for _, one in _phrases(lowers) if one.name != IDIOMS)


def _words(claim: str) -> tuple[Word, ...]:
    text = unicodedata.normalize("NFC", claim[:_MAX_CHARACTERS]).translate(_QUOTES)
    text = _JOINED.sub(r"\1", _HALF_DAY.sub(r"\1m", text))
    words: list[Word] = []
    leads, parted, quoted = True, False, False
    for piece in _TOKEN.findall(text):
        if piece[0].isalnum() or unicodedata.category(piece[0])[0] == "S":
            if not (quoted and piece == "s"):
                lower = piece.lower()
                words.append(Word(piece, lower, fold_inflection(lower), leads, parted))
            leads = parted = quoted = False
        else:
            leads = leads or piece in _SENTENCE_END
            parted = parted or piece in ",;"
            quoted = piece == "'"
        if len(words) == MAX_TOKENS:
            break
    return tuple(words)


def _phrases(words: Sequence[str]) -> Iterator[tuple[int, Spelling]]:
    """The spellings of all lists that stand in a claim, each with its place; of two of one list the longer."""
    known = spellings(IDIOMS, *ENTRY_LISTS)
    taken: dict[str, int] = {}
    for place, word in enumerate(words):
        for one in known.get(word, ()):
            if taken.get(one.name, 0) <= place and _stands(one, place, words):
                taken[one.name] = place + len(one.phrase)
                yield place, one


def _stands(one: Spelling, place: int, words: Sequence[str]) -> bool:
    end = place + len(one.phrase)
    if tuple(words[place:end]) != one.phrase:
        return False
    return not one.number_bound or any(map(_counts, (*words[max(place - 1, 0) : place], *words[end : end + 1])))


def _counts(word: str) -> bool:
    return word[0].isdecimal() or word in number_words() or word in multiples()


def _amounts(words: Sequence[str]) -> Iterator[Decimal]:
    """The amounts of a claim, in digits or in words: 24 of "twenty-four", 3000000 of "3 million"."""
    counting, factors = number_words(), multiples()
    total, part = Decimal(0), None
    for place, word in enumerate(words):
        if word in factors:
            part = (Decimal(1) if part is None else part) * factors[word]
            if factors[word] >= 1_000:
                total, part = total + part, Decimal(0)
        elif word in counting:
            if part is not None and not _goes_on(part, counting[word], words[place - 1]):
                yield total + part
                total, part = Decimal(0), None
            part = (part or Decimal(0)) + counting[word]
        elif _NUMBER.fullmatch(word) and len(word) < _MAX_DIGITS:
            if part is not None:
                yield total + part
            total, part = Decimal(0), Decimal(_plain(word))
        elif part is not None and not (word == "and" and words[place - 1] in factors):
            yield total + part
            total, part = Decimal(0), None
    if part is not None:
        yield total + part


def _goes_on(part: Decimal, value: int, before: str) -> bool:
    """Whether a number word belongs to the number before it: five to twenty, and anything below a hundred to that."""
    if before == "and" or before in multiples():
        return True
    return part % 100 >= 20 and part % 10 == 0 and value < 10


def _plain(number: str) -> str:
    """The digits of a number with its thousands closed up; a version such as 3.11.2 keeps its first two parts."""
    whole, *rest = number.split(".")
    digits = "".join(str(unicodedata.decimal(mark)) for mark in whole if mark != ",")
    return f"{digits}.{rest[0].replace(',', '')}" if rest else digits
