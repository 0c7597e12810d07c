"""A report as sections, written down once and shown as wrapped text or as Markdown.

What an entry says may be a model's words. In the text it has one line, and where that is wrapped, further lines are
indented: only titles and bullets begin at the margin. In the Markdown every word is escaped, and an entry must begin
with a word of the program's.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from moot.views.words import escaped, flat

BULLET = "- "
NARROWEST = 20

_NO_BREAK = "\u00a0"
_BEFORE_DASH = re.compile(r" (?=- |-$)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is said, and what belongs under it."""

    words: str
    under: tuple["Entry", ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A title with a sentence beside it, or entries below it, or both. With neither it is not shown."""

    title: str
    lead: str = ""
    entries: tuple[Entry, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether there is anything under the title."""
        return bool(self.lead or self.entries)


def entries(words: Iterable[str]) -> tuple[Entry, ...]:
    """Return entries with nothing under them."""
    return tuple(map(Entry, words))


def text_of(title: str, sections: Iterable[Section]) -> str:
    """Return the sections as text, one line for each thing that is said; who shows it wraps it."""
    return "\n".join([title, *(line for section in sections for line in _text_lines(section))])


def _text_lines(section: Section) -> Iterator[str]:
    if not section.says_something:
        return
    yield ""
    yield f"{section.title.upper()}: {flat(section.lead)}".rstrip()
    for entry in section.entries:
        yield from _list_lines(entry)


def _list_lines(entry: Entry, words: Callable[[str], str] = str, indent: str = "") -> Iterator[str]:
    yield f"{indent}{BULLET}{words(flat(entry.words))}"
    for item in entry.under:
        yield from _list_lines(item, words, f"{indent}{' ' * len(BULLET)}")


def wrapped(text: str, width: int) -> str:
    """Return a text with its lines wrapped, no word cut, and further lines indented under the words of the first."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped_line(line, max(width, NARROWEST)))


def _wrapped_line(line: str, width: int) -> list[str]:
    words = line.lstrip(" ")
    begin = line[: len(line) - len(words)] + (BULLET if words.startswith(BULLET) else "")
    # A dash in what somebody says stays with the word before it: at the start of a line it would be a bullet.
    kept = _BEFORE_DASH.sub(_NO_BREAK, line[len(begin) :])
    lines = textwrap.wrap(
        kept,
        width,
        initial_indent=begin,
        subsequent_indent=" " * max(len(begin), len(BULLET)),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace(_NO_BREAK, " ") for part in lines] or [begin]


def markdown_of(section: Section) -> Iterator[str]:
    """Yield the section as lines of Markdown."""
    if not section.says_something:
        return
    yield f"**{escaped(section.title)}**{f': {escaped(flat(section.lead))}' if section.lead else ''}"
    yield ""
    for entry in section.entries:
        yield from _list_lines(entry, escaped)
    if section.entries:
        yield ""
