"""Who said what, in the words of the protocol and in the order of the record: the same on every surface.

Vectors are not spoken of: the record has them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from moot.core.absence import absences
from moot.core.events import Answered, Event, Filled, Noted, Opened, Unanswered
from moot.core.record import Record
from moot.core.telling import Narrator, Rows, Told

BEFORE = "before the first step"

UtteranceKind = Literal["said", "missing", "waiting", "noted"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody said, did not say or is to say, or what was found. The words may be a member's own."""

    kind: UtteranceKind
    who: str
    gist: str
    rows: Rows = ()
    """What the gist has not said already, by name."""
    aside: str = ""
    """The model that answered, and whether its reply had to be mended."""
    reasoning: str = ""
    """What the model thought first, which is no part of its reply."""

    @property
    def line(self) -> str:
        """Who, and what in short."""
        return f"{self.who}: {self.gist}" if self.who else self.gist


@dataclass(frozen=True, slots=True)
class TranscriptPhase:
    """A phase with all that was said and found in one stretch of it."""

    title: str
    utterances: tuple[Utterance, ...]


def transcript(record: Record, narrator: Narrator) -> tuple[TranscriptPhase, ...]:
    """Return what was said and found, phase by phase."""
    stretches = groupby(_titled(record, narrator), key=lambda pair: pair[0])
    return tuple(TranscriptPhase(title, tuple(said for _, said in pairs)) for title, pairs in stretches)


def _titled(record: Record, narrator: Narrator) -> Iterator[tuple[str, Utterance]]:
    hearing, title = _Hearing.of(record, narrator), BEFORE
    for event in record.events:
        if step := getattr(event, "step", ""):
            title = narrator.phase(step)
        if said := hearing.utterance(event, title):
            yield title, said


@dataclass(frozen=True, slots=True)
class _Hearing:
    """What has to be known of the whole record to tell of one event."""

    narrator: Narrator
    roles: Mapping[str, str]
    """The role of whoever fills an open step."""
    answered: frozenset[str]
    passed: frozenset[str]
    """The open steps that nobody waits for any more."""

    @classmethod
    def of(cls, record: Record, narrator: Narrator) -> "_Hearing":
        opened = {event.step: event.role for event in record.events if isinstance(event, Opened)}
        answered = frozenset(event.step for event in record.events if isinstance(event, Answered))
        passed = frozenset(event.step for event in record.events if isinstance(event, Filled | Unanswered))
        return cls(narrator, opened, answered, passed)

    def utterance(self, event: Event, title: str) -> Utterance | None:
        """Return what an event says; None where another has said it, or where it is not for reading."""
        match event:
            case Answered():
                aside = f"{event.model}, mended" if event.salvaged else event.model
                return self._said(self._who(event.seat, event.step, title), event, aside, event.reasoning)
            case Filled() if f"{event.step}@{event.agent}" not in self.answered:
                return self._said(self._who(event.agent, event.step, title), event)
            case Unanswered():
                [absence] = absences((event.missing,))
                who = self._who(event.seat, event.step, title)
                return Utterance("missing", who, f"no answer ({absence.cause})", aside=event.model)
            case Opened() if event.step not in self.passed:
                return Utterance("waiting", "", f"open to {event.role}: {event.title}")
            case Noted() if words := self.narrator.note(event.name, event.data):
                return Utterance("noted", "", words)
        return None

    def _said(self, who: str, event: Answered | Filled, aside: str = "", reasoning: str = "") -> Utterance:
        told = self.narrator.reply(event.step, event.reply)
        return Utterance("said", who, told.gist, _further(told), aside, reasoning)

    def _who(self, name: str, step: str, title: str) -> str:
        """Somebody with the role that they fill a step in, where the phase does not name it."""
        role = self.roles.get(step.partition("@")[0], "")
        return f"{name} ({role})" if role and role not in title else name


def _further(told: Told) -> Rows:
    return tuple((name, words) for name, words in told.rows if words.strip() != told.gist.strip())
