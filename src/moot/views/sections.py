"""A report as sections, written down once and shown as wrapped text or as Markdown.

What an entry says may be a model's words. In the text only a title begins at the margin: whatever an entry says, its
further lines are indented. In the Markdown every word is escaped, and an entry must begin with a word of the program's.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from moot.views.words import escaped, flat

BULLET = "- "
NARROWEST = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is said, and what belongs under it."""

    words: str
    under: tuple["Entry", ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A title with a sentence beside it, or entries below it, or both."""

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


def text_of(title: str, sections: Iterable[Section], width: int | None) -> str:
    """Return the sections as text no wider than this, a long word aside; None leaves the wrapping to who shows it."""
    return "\n".join([title, *(line for section in sections for line in _text_lines(section, width))])


def _text_lines(section: Section, width: int | None) -> Iterator[str]:
    yield ""
    yield from wrapped(f"{section.title.upper()}: {flat(section.lead)}".rstrip(), width)
    for entry in section.entries:
        yield from _entry_lines(entry, width, "")


def _entry_lines(entry: Entry, width: int | None, indent: str) -> Iterator[str]:
    yield from wrapped(entry.words, width, f"{indent}{BULLET}")
    for item in entry.under:
        yield from _entry_lines(item, width, f"{indent}{' ' * len(BULLET)}")


def wrapped(words: str, width: int | None, begin: str = "") -> list[str]:
    """Return the words as lines that begin so, further ones indented; no word is cut."""
    words = flat(words)
    if width is None:
        return [f"{begin}{words}"]
    return textwrap.wrap(
        words,
        max(width, NARROWEST),
        initial_indent=begin,
        subsequent_indent=" " * len(begin or BULLET),
        break_long_words=False,
        break_on_hyphens=False,
    )


def markdown_of(section: Section) -> Iterator[str]:
    """Yield the section as lines of Markdown."""
    yield f"**{escaped(section.title)}**{f': {escaped(flat(section.lead))}' if section.lead else ''}"
    yield ""
    for entry in section.entries:
        yield from _list_lines(entry, "")
    if section.entries:
        yield ""


def _list_lines(entry: Entry, indent: str) -> Iterator[str]:
    yield f"{indent}{BULLET}{escaped(flat(entry.words))}"
    for item in entry.under:
        yield from _list_lines(item, f"{indent}{' ' * len(BULLET)}")


def table_of(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table; columns in which nobody has anything are left out."""
    rows = [tuple(map(flat, row)) for row in rows]
    used = [place for place, _ in enumerate(titles) if any(row[place] for row in rows)]
    yield _row([titles[place] for place in used])
    yield _row(["---"] * len(used))
    for row in rows:
        yield _row([escaped(row[place]) for place in used])
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
