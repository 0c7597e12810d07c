"""How a deliberation stands while it runs, from what is heard of it. Pure, but for the clock that it is given."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from moot.core.budget import Spent
from moot.core.ports import Begun, ProgressEvent
from moot.views.words import counted, usd_words

ENOUGH_CALLS = 2
"""From so many calls on the pace is good for saying how long it will take."""

State = Literal["asked", "speaking", "asked again", "answered", "missing"]


@dataclass(slots=True)
class Speaker:
    """Somebody who is asked something in this round."""

    seat: str
    model: str
    since: float
    state: State = "asked"
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """What is kept of a round: who answered what, or why there is no answer."""

    phase: str
    seat: str
    words: str
    answered: bool = True


@dataclass(slots=True)
class Standing:
    """What is under way, and what has been said since somebody last looked."""

    clock: Callable[[], float] = time.monotonic
    begun: Begun | None = None
    phase: str = ""
    spent: Spent = field(default_factory=Spent)
    speakers: dict[str, Speaker] = field(default_factory=dict)
    """Who is asked in this round, by step."""
    _lines: list[Line] = field(default_factory=list)
    _began: float = 0.0
    _calls_before: int = 0

    def hear(self, event: ProgressEvent) -> None:
        """Take in something under way."""
        match event.kind:
            case "begun":
                self._begin(event.begun)
            case "asking":
                self._ask(event)
            case "speaking" | "tokens" | "retrying" if event.step in self.speakers:
                self._follow(self.speakers[event.step], event)
            case "spent" if event.spent:
                self.spent = event.spent
            case "answered" | "missing":
                self._end(event)

    def forget_round(self) -> None:
        """Forget who was asked: the run has stopped for a person."""
        self.speakers.clear()

    def take_lines(self) -> list[Line]:
        """Return what was said in rounds that are over, once."""
        if any(speaker.state not in ("answered", "missing") for speaker in self.speakers.values()):
            return []
        lines, self._lines = self._lines, []
        return lines

    @property
    def elapsed(self) -> float:
        """Seconds since it began, or went on, here."""
        return self.clock() - self._began

    @property
    def to_go(self) -> float | None:
        """Seconds that the expected calls will still take at this pace, once there is one."""
        done = self.spent.calls - self._calls_before
        left = self.begun.expected.calls - self.spent.calls if self.begun else 0
        return self.elapsed / done * left if done >= ENOUGH_CALLS and left > 0 else None

    def seats(self) -> Iterator[tuple[str, str, bool]]:
        """Yield each seat of the round with what it does, and whether it is at it."""
        by_seat: dict[str, list[Speaker]] = {}
        for speaker in self.speakers.values():
            by_seat.setdefault(speaker.seat, []).append(speaker)
        speaking = {speaker.model for speaker in self.speakers.values() if speaker.state == "speaking"}
        for seat, speakers in by_seat.items():
            states = [self._state_words(speaker, speaking) for speaker in speakers]
            yield seat, _summed(states), any(speaker.state == "speaking" for speaker in speakers)

    def head(self) -> str:
        """Return calls, money and time in one line."""
        return ", ".join([self._calls_words(), self._money_words(), self._time_words()])

    def _begin(self, begun: Begun | None) -> None:
        self.begun, self.phase, self.spent = begun, "", begun.spent if begun else Spent()
        self.speakers.clear()
        self._began, self._calls_before = self.clock(), self.spent.calls

    def _ask(self, event: ProgressEvent) -> None:
        if not any(speaker.state not in ("answered", "missing") for speaker in self.speakers.values()):
            self.speakers.clear()
        again = event.step in self.speakers
        self.phase = event.phase
        self.speakers[event.step] = Speaker(event.seat, event.note, self.clock(), "asked again" if again else "asked")

    def _follow(self, speaker: Speaker, event: ProgressEvent) -> None:
        if event.kind == "retrying":
            speaker.state = "asked again"
        elif event.kind == "tokens":
            speaker.state, speaker.tokens = "speaking", int(event.note)
        else:
            speaker.state, speaker.since, speaker.tokens = "speaking", self.clock(), 0

    def _end(self, event: ProgressEvent) -> None:
        answered = event.kind == "answered"
        if event.step in self.speakers:
            self.speakers[event.step].state = "answered" if answered else "missing"
        words = (event.said or "answered") if answered else f"no answer: {event.note}"
        self._lines.append(Line(event.phase, event.seat, words, answered))

    def _state_words(self, speaker: Speaker, speaking: set[str]) -> str:
        match speaker.state:
            case "speaking":
                tokens = f", {counted(speaker.tokens, 'token')}" if speaker.tokens else ""
                return f"speaking for {self.clock() - speaker.since:.0f} s{tokens}"
            case "asked" if speaker.model in speaking:
                return "waiting for a slot"
            case "missing":
                return "no answer"
            case state:
                return state

    def _calls_words(self) -> str:
        if not self.begun:
            return counted(self.spent.calls, "call")
        limit, expected = self.begun.budget.calls, max(self.begun.expected.calls, self.spent.calls)
        most = f" (at most {limit})" if limit is not None else ""
        wanted = f"{expected} or more" if self._is_least else f"about {expected}"
        return f"{self.spent.calls} of {wanted} call{'' if expected == 1 else 's'}{most}"

    @property
    def _is_least(self) -> bool:
        """Whether what is expected is what it takes at the least, as its note says."""
        return bool(self.begun and self.begun.expected.note)

    def _money_words(self) -> str:
        return usd_words(self.spent.usd, self.spent.unknown.usd) if self.spent.calls else "nothing spent"

    def _time_words(self) -> str:
        to_go = self.to_go
        if to_go is None:
            return time_words(self.elapsed)
        return f"{time_words(self.elapsed)}, {'at least' if self._is_least else 'about'} {time_words(to_go)} to go"


def time_words(seconds: float) -> str:
    """Return a length of time as people read it: 42 s, 3 min 05 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _summed(states: list[str]) -> str:
    """What a seat does that is asked several things at once."""
    if len(states) == 1:
        return states[0]
    numbers: dict[str, int] = {}
    for state in states:
        kind = "speaking" if state.startswith("speaking") else state
        numbers[kind] = numbers.get(kind, 0) + 1
    return ", ".join(f"{number} {kind}" for kind, number in numbers.items())
