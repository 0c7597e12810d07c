"""Which run events somebody looks for: told from their stored texts, so that most are never read as values."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from moot.core.calls import AttemptState

KINDS = ("started", "answered", "unanswered", "opened", "filled", "embedded", "noted", "ended")

_FIRST_FIELDS = {
    '{"header"': "started",
    '{"group"': "opened",
    '{"agent"': "filled",
    '{"backend"': "embedded",
    '{"data"': "noted",
    '{"kind"': "ended",
}
"""The fields of a stored event are sorted, so that its first one tells its kind; only two begin with their calls."""

_WORDS_OF_OURS = (*KINDS, *get_args(AttemptState))
_OURS = re.compile(rf'"(?:kind|state)":"(?:{"|".join(_WORDS_OF_OURS)})"')
_SPACE, _REST_OF_A_VALUE = r"(?:\s|\\[nrt])+", r'(?:[^"\\]++|\\.)*+"(?!:)'
_FAILED = re.compile(r'"state":"(?:bad|failed|lost)"')


@dataclass(frozen=True)
class EventFilter:
    """What a run event must be; None takes any."""

    kind: str | None = None
    seat: str | None = None
    """The seat that was asked, or whoever filled an open step."""
    step: str | None = None
    """How its step begins."""
    q: str | None = None
    """Words that it holds, in small or capital letters: of whoever answered, of the protocol, or of a failure."""
    failures: bool = False
    """Whether there must have been no answer, or none at the first attempt."""

    @property
    def takes_all(self) -> bool:
        """Whether there is no event that it leaves out."""
        return not (self.kind or self.seat or self.step or self.words or self.failures)

    @property
    def words(self) -> str:
        """The words that are looked for, without white space around them."""
        return (self.q or "").strip()

    def fits(self, text: str) -> bool:
        """Return whether the event that a stored text stands for is wanted."""
        if self.kind and kind_of(text) != self.kind:
            return False
        if self.failures and not _is_failure(text):
            return False
        if self.words and not self._holds_words(text):
            return False
        return not (self.seat or self.step) or self._fits_fields(text)

    def _fits_fields(self, text: str) -> bool:
        # A look at the text spares reading most of those that do not fit.
        if not all(part in text for part in self._parts):
            return False
        event: Mapping[str, Any] = json.loads(text)
        if self.seat and self.seat not in (event.get("seat"), event.get("agent")):
            return False
        return not self.step or event.get("step", "").startswith(self.step)

    @cached_property
    def _parts(self) -> list[str]:
        seat = [_as_json(self.seat)] if self.seat else []
        return [*seat, f'"step":{_as_json(self.step)[:-1]}'] if self.step else seat

    def _holds_words(self, text: str) -> bool:
        text = text.lower()
        if self._first_word not in text:
            return False
        return bool(self._pattern.search(_OURS.sub("", text) if self._may_be_ours else text))

    @cached_property
    def _first_word(self) -> str:
        return _as_json(self.words.lower().split()[0])[1:-1]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The words as JSON writes them, within a value: a string that a colon follows is a field's name."""
        parts = [re.escape(_as_json(part)[1:-1]) for part in self.words.lower().split()]
        return re.compile(_SPACE.join(parts) + _REST_OF_A_VALUE)

    @cached_property
    def _may_be_ours(self) -> bool:
        return any(self.words.lower() in word for word in _WORDS_OF_OURS)


def kind_of(text: str) -> str:
    """Return the kind of the event that a stored text stands for."""
    if first := _FIRST_FIELDS.get(text[: text.find(":")]):
        return first
    # A quote within a text is escaped, so that this can only be the field behind the calls.
    return "answered" if text.startswith('answered"', text.find('],"kind":"') + 10) else "unanswered"


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_failure(text: str) -> bool:
    kind = kind_of(text)
    calls = text[: text.find('],"kind":"')] if kind == "answered" else text
    return kind == "unanswered" or (kind in ("answered", "embedded") and bool(_FAILED.search(calls)))
