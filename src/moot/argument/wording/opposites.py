"""Which words are opposites of each other: by the list, and by a negating prefix (ruling A19).

All words here have their inflection folded.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.lists import folded_words, lines, sides

_LEAST_STEM = 3
_LEAST_STEMS = {"a": 5, "in": 4, "im": 4, "il": 4, "ir": 4, "de": 4}
_DEGREES = ("er", "est", "li")
_KNOWN_WORDS = 65_536
LONGEST_WORD = 60
"""Letters. What is longer has no opposite: it is no word."""


@lru_cache(maxsize=_KNOWN_WORDS)
def are_opposites(a: str, b: str) -> bool:
    """Return whether two words are opposites: open and closed, faster and slower, safe and unsafe."""
    if family(a) != family(b):
        return False
    return on_opposite_sides("opposites", a, b) or a in _stems(b) or b in _stems(a) or _swapped(a, b)


def on_opposite_sides(name: str, a: str, b: str) -> bool:
    """Return whether two words stand on the two sides of one line of a list."""
    there = _places(name, b)
    return bool(there) and any((line, 1 - side) in there for line, side in _places(name, a))


def is_listed(name: str, word: str) -> bool:
    """Return whether a word stands in a list of pairs, its degrees and its adverb included."""
    return bool(_places(name, word))


@lru_cache(maxsize=_KNOWN_WORDS)
def family(word: str) -> str:
    """Return a mark that every word shares with its opposites; of most words it is the word itself."""
    if len(word) > LONGEST_WORD or (not _made_of_another(word) and word not in sides("opposites")):
        return word
    while not (where := _places("opposites", word)):
        affix = _affix_pattern().search(word)
        if not affix:
            return word
        word = word[: affix.start()] + word[affix.end() :]
    return _families()[min(where)[0]]


def _made_of_another(word: str) -> bool:
    """Whether a word could be made of another by a beginning, an ending or a degree; of most words this is false."""
    return word.startswith(_beginnings()) or word.endswith(_endings())


@cache
def _beginnings() -> tuple[str, ...]:
    return tuple(affix[:-1] for affix in _affixes() if affix.endswith("-"))


@cache
def _endings() -> tuple[str, ...]:
    return (*(affix[1:] for affix in _affixes() if affix.startswith("-")), *_DEGREES)


@lru_cache(maxsize=_KNOWN_WORDS)
def _places(name: str, word: str) -> frozenset[tuple[int, int]]:
    known = sides(name)
    where = known.get(word, frozenset())
    if word.endswith(_DEGREES) and word not in folded_words("not_derived"):
        where = where.union(*(known[stem] for stem in _plainer(word) if stem in known))
    return where


def _plainer(word: str) -> Iterator[str]:
    """The words that a degree or an adverb may be made of: fast of faster, hot of hottest, legal of legally."""
    for ending in _DEGREES:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            yield stem
            yield fold_inflection(stem)


def _stems(word: str) -> Iterator[str]:
    """The word without a negating prefix, where it may have one."""
    if word in folded_words("not_negated"):
        return
    for prefix in _prefixes():
        stem = word[len(prefix) :]
        if word.startswith(prefix) and len(stem) >= _LEAST_STEMS.get(prefix, _LEAST_STEM):
            yield stem


def _rests(word: str) -> Iterator[str]:
    """What is left of a word without one of the beginnings and endings that could make it an opposite."""
    for affix in _affixes():
        if rest := _apart_from(word, affix):
            yield rest


def _swapped(a: str, b: str) -> bool:
    both = [(one, other) for pair in _swaps() for one, other in (pair, pair[::-1])]
    return any(rest and rest == _apart_from(b, other) for one, other in both for rest in [_apart_from(a, one)])


def _apart_from(word: str, affix: str) -> str:
    """What is left of a word without this beginning or ending; empty where it does not have it."""
    rest = word.removeprefix(affix[:-1]) if affix.endswith("-") else word.removesuffix(affix[1:])
    return rest if rest != word and len(rest) >= _LEAST_STEM else ""


@cache
def _prefixes() -> tuple[str, ...]:
    return tuple(line for line in lines("prefixes") if "|" not in line)


@cache
def _swaps() -> tuple[tuple[str, str], ...]:
    pairs = (line.split("|") for line in lines("prefixes") if "|" in line)
    return tuple((_folded(one.strip()), _folded(other.strip())) for one, other in pairs)


def _folded(affix: str) -> str:
    return f"-{fold_inflection(affix[1:])}" if affix.startswith("-") else affix


@cache
def _affixes() -> tuple[str, ...]:
    """Every beginning and ending, the longest first, so that `inter-` is not taken for `in-`."""
    every = {*(f"{prefix}-" for prefix in _prefixes()), *(affix for pair in _swaps() for affix in pair)}
    return tuple(sorted(every, key=lambda affix: (-len(affix), affix)))


@cache
def _affix_pattern() -> re.Pattern[str]:
    """A beginning or an ending with enough of a word beside it; the longest beginning is tried first."""
    heads = "|".join(affix[:-1] for affix in _affixes() if affix.endswith("-"))
    tails = "|".join(affix[1:] for affix in _affixes() if affix.startswith("-"))
    rest = "." * _LEAST_STEM
    return re.compile(f"^(?:{heads})(?={rest})|(?<={rest})(?:{tails})$")


@cache
def _families() -> dict[int, str]:
    """The mark of each line of the list: lines that share a word, or a word and its stem, share their mark."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for word in sides("opposites"):
        for line, _ in _places("opposites", word):
            parent[root(word)] = root(f"#{line}")
        for stem in _all_rests(word):
            parent[root(stem)] = root(word)
    return {line: root(f"#{line}") for line in range(len(lines("opposites")))}


def _all_rests(word: str) -> Iterator[str]:
    waiting = [word]
    for one in waiting:
        if _affix_pattern().search(one):
            waiting.extend(rest for rest in _rests(one) if rest not in waiting)
    yield from waiting[1:]
