"""How a protocol puts what happens in it into words: the same words in progress, on a terminal, in Markdown, on a page.

A protocol brings a `Telling`. Where it brings none, or where a stored reply is of another version than its words, the
plain words here serve: names and values, as the reply has them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
Rows = tuple[tuple[str, str], ...]

_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Told:
    """A reply in words. They are a member's words still: whoever shows them makes them harmless."""

    gist: str
    """What was answered, short enough for one line."""
    rows: Rows
    """All that was said, by name; a row without a name is prose."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A protocol's own words for its steps, replies and notes. Each is optional."""

    phase: Callable[[str, Mapping[str, Any]], str] | None = None
    """The words for the phase that a step belongs to, given the settings: `loop 2 of 7: physical axioms`."""
    reply: Callable[[str, Mapping[str, Any]], Told] | None = None
    """The words for what was answered at a step."""
    note: Callable[[str, Any], str] | None = None
    """The words for a finding, in one line; empty for one that only `--full` shows."""
    place: Callable[[str, Mapping[str, Any]], str] | None = None
    """The words for one step, where a phase has several of one seat: `run 3`. Without them its phase stands for it."""


PLAIN = Telling()
"""No words of its own: names and values."""


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells of one deliberation in its protocol's words."""

    telling: Telling = PLAIN
    settings: Mapping[str, Any] = field(default_factory=dict)

    def phase(self, step: str) -> str:
        """Return the phase that a step belongs to, in words."""
        own = self.telling.phase
        return self._own(str, lambda: own(step, self.settings) if own else "") or plain_phase(step)

    def place(self, step: str) -> str:
        """Return in words where in the deliberation a seat did not answer."""
        own = self.telling.place
        return self._own(str, lambda: own(step, self.settings) if own else "") or self.phase(step)

    def reply(self, step: str, reply: Mapping[str, Any]) -> Told:
        """Return a reply in words."""
        own = self.telling.reply
        told = self._own(Told, lambda: own(step, reply) if own else None)
        if told or not own:
            return told or plain_reply(reply)
        plainly = plain_reply(reply)
        return Told(plainly.gist, (*plainly.rows, FAILED_WORDS))

    def note(self, name: str, data: Any) -> str:
        """Return a finding in words; empty where it is not for reading."""
        own = self.telling.note
        words = self._own(str, lambda: own(name, data) if own else None)
        return plain_note(name, data) if words is None else words

    @staticmethod
    def _own(kind: type[T], words: Callable[[], Any]) -> T | None:
        """What a protocol says, where that is words: a fault in them, or a reply of another version, stops nothing."""
        try:
            said = words()
        except Exception:
            return None
        return said if isinstance(said, kind) else None


FAILED_WORDS = ("told plainly", "the protocol's own words do not fit this reply")
"""The row that says why a reply is shown by its fields although its protocol has words for it."""

PLAIN_NARRATOR = Narrator()
"""Tells of any deliberation, by names and values."""


def plain_phase(step: str) -> str:
    """Return the words of a step's name."""
    return step.partition("#")[0].replace("/", " ").replace("_", " ")


def plain_reply(reply: Mapping[str, Any]) -> Told:
    """Return a reply by the names of its fields."""
    rows = tuple(reply_rows(reply))
    return Told(rows[0][1] if rows else "", rows)


def plain_note(name: str, data: Any) -> str:
    """Return a finding in one line: its plain values as they are, and of what it lists how many."""
    if not isinstance(data, Mapping):
        return f"{name}: {data}"
    told = [(field_words(key), _value_words(value)) for key, value in data.items()]
    return f"{name}: {', '.join(f'{key} {words}' for key, words in told if words)}"


def reply_rows(reply: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a row for each thing that a reply says: single values first, then its lists, each item in a row."""
    for name, value in sorted(reply.items(), key=lambda pair: _has_parts(pair[1])):
        yield from _rows(field_words(name), value)


def field_words(name: str) -> str:
    """Return the name of a field in words: `keyPoints` and `key_points` are `key points`."""
    return _HUMP.sub(" ", name).replace("_", " ").lower()


def _rows(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for part, inner in value.items():
            yield from _rows(f"{name} {field_words(part)}", inner)
    elif _has_parts(value):
        yield from ((name, _words(item)) for item in value)
    else:
        yield name, _words(value)


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{field_words(name)}: {_words(inner)}" for name, inner in value.items())
    if _has_parts(value):
        return "; ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _value_words(value: Any) -> str:
    if not _has_parts(value):
        return str(value)
    plain = not isinstance(value, Mapping) and all(isinstance(item, str | int | float) for item in value)
    return "; ".join(map(str, value)) if plain else f"({len(value)})"
