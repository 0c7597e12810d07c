"""Titles as links: which passages a text names by their titles."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.methods.search.passages import Passage
from moot.methods.search.terms import SMALL_WORDS

Title = tuple[str, ...]

LONGEST_TITLE = 12
"""Words; nobody names a longer one in passing."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Links:
    """Passages by their places: whose title is whose, and who names which title."""

    titles: tuple[Title, ...]
    """Of each passage; empty where it has none that could be named."""
    titled: Mapping[Title, Sequence[int]]
    names: tuple[frozenset[Title], ...]
    """The titles that each passage's text names, besides its own."""
    named_by: Mapping[Title, Sequence[int]]


def links_between(passages: Sequence[Passage]) -> Links:
    """Return how passages are linked by title, in time linear in their text."""
    titles = tuple(title_of(passage.title) for passage in passages)
    titled: dict[Title, list[int]] = {}
    for place, title in enumerate(titles):
        if title:
            titled.setdefault(title, []).append(place)
    names = tuple(titles_in(passage.text, titled) - {titles[place]} for place, passage in enumerate(passages))
    named_by: dict[Title, list[int]] = {}
    for place, named in enumerate(names):
        for title in named:
            named_by.setdefault(title, []).append(place)
    return Links(titles, titled, names, named_by)


def title_of(name: str) -> Title:
    """Return a title as it is looked for: its words, without an aside at its end; small words alone name nothing."""
    words = tuple(_WORD.findall(_without_aside(name).casefold()))
    return words if len(words) <= LONGEST_TITLE and not SMALL_WORDS.issuperset(words) else ()


def _without_aside(name: str) -> str:
    bare = name.rstrip()
    before, _, aside = bare.rpartition("(")
    return before if aside.endswith(")") and aside.count(")") == 1 and "(" in bare else name


def titles_in(text: str, titled: Mapping[Title, object]) -> frozenset[Title]:
    """Return those of the titles that a text names word by word."""
    words = tuple(_WORD.findall(text.casefold()))
    lengths = sorted({len(title) for title in titled})
    runs = (words[start : start + length] for length in lengths for start in range(len(words) - length + 1))
    return frozenset(run for run in runs if run in titled)
