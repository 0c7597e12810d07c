"""The record of a deliberation: a fold of its events. Every view of a run is a view of this."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from moot.core.absence import absences
from moot.core.budget import Spent, Unknown
from moot.core.canonical import plain, rounded
from moot.core.events import (
    Answered,
    CallFacts,
    Embedded,
    Ended,
    Event,
    Filled,
    Header,
    Noted,
    Opened,
    Started,
    Unanswered,
)
from moot.core.verdict import Status, Verdict


@dataclass(frozen=True, slots=True)
class Compliance:
    """How well a model kept to the shape it was asked for (interrogation 4.3)."""

    asked: int = 0
    first_time: int = 0
    salvaged: int = 0
    dropped: int = 0

    @property
    def rate(self) -> float | None:
        """The share of typed asks answered in shape at the first attempt that brought a text."""
        return rounded(self.first_time / self.asked) if self.asked else None


@dataclass(frozen=True, slots=True)
class Record:
    """One run, as its events tell it."""

    events: tuple[Event, ...]

    @property
    def header(self) -> Header:
        """What was settled before the first step."""
        first = self.events[0]
        if not isinstance(first, Started):
            raise TypeError("a record begins with its start")
        return first.header

    @property
    def verdict(self) -> Verdict | None:
        """What the run came to, if it has ended."""
        last = self.events[-1] if self.events else None
        return last.verdict if isinstance(last, Ended) else None

    @property
    def status(self) -> Status:
        """Where the run stands, as far as its events tell."""
        if self.verdict:
            return self.verdict.status
        waiting = {event.step for event in self.events if isinstance(event, Opened)}
        waiting -= {event.step for event in self.events if isinstance(event, Filled | Unanswered)}
        return Status.PAUSED if waiting else Status.RUNNING

    @property
    def asked(self) -> tuple[Answered | Unanswered, ...]:
        """Every step that was put to a member, in order."""
        return tuple(event for event in self.events if isinstance(event, Answered | Unanswered))

    @property
    def notes(self) -> tuple[Noted, ...]:
        """What the protocol found out, in order."""
        return tuple(event for event in self.events if isinstance(event, Noted))

    @property
    def calls(self) -> tuple[CallFacts, ...]:
        """Every attempt, in order."""
        steps = (event for event in self.events if isinstance(event, Answered | Unanswered | Embedded))
        return tuple(call for event in steps for call in event.calls)

    @property
    def spent(self) -> Spent:
        """What the run took: what is known, and of how many calls it is not."""
        return spent_on(self.calls)

    @property
    def compliance(self) -> Mapping[str, Compliance]:
        """How well each model kept to the shapes asked for."""
        tally: dict[str, Compliance] = {}
        for event in self.asked:
            if isinstance(event, Answered) and event.reply_type == "Prose":
                continue
            texts = [call for call in event.calls if call.state in ("reply", "bad")]
            if texts:
                tally[event.model] = _counted(tally.get(event.model, Compliance()), event, texts)
        return tally


def spent_on(calls: Iterable[CallFacts]) -> Spent:
    """Return the sum over attempts; seconds is the time in which at least one call was in flight."""
    calls = tuple(calls)
    taken = sum(map(taken_by, calls), Spent())
    return replace(taken, seconds=covered_seconds((call.started, call.started + call.seconds) for call in calls))


def taken_by(call: CallFacts) -> Spent:
    """Return what one attempt took, without its seconds: those of calls side by side are not to be added."""
    tries = call.tries
    unknown = Unknown(*(tries if part is None else 0 for part in (call.tokens_in, call.tokens_out, call.usd)))
    return Spent(tries, call.tokens_in, call.tokens_out, call.usd, unknown=unknown)


def result(deliberation: str, record: Record) -> dict[str, Any]:
    """Return the one object that `--json` prints for a deliberation."""
    verdict = record.verdict
    return {
        "id": deliberation,
        "protocol": record.header.protocol,
        "status": record.status.value,
        "stop_reason": verdict.stop_reason if verdict else "",
        "answer": verdict.answer if verdict else None,
        "confidence": plain(verdict.confidence) if verdict else {"value": None, "basis": None, "reason": "not ended"},
        "dissent": plain(verdict.dissent) if verdict else [],
        "caveats": plain(verdict.caveats) if verdict else [],
        "asked": verdict.asked if verdict else None,
        "answered": verdict.answered if verdict else None,
        "missing": [item.json() for item in absences(verdict.missing)] if verdict else [],
        "cost": plain(asdict(record.spent)),
        "backends": plain(record.header.backends),
        "detail": plain(verdict.detail) if verdict else {},
    }


def _counted(so_far: Compliance, event: Answered | Unanswered, texts: list[CallFacts]) -> Compliance:
    return Compliance(
        asked=so_far.asked + 1,
        first_time=so_far.first_time + (texts[0].state == "reply"),
        salvaged=so_far.salvaged + (isinstance(event, Answered) and event.salvaged),
        dropped=so_far.dropped + isinstance(event, Unanswered),
    )


def covered_seconds(intervals: Iterable[tuple[float, float]]) -> float:
    """Return for how long at least one of the intervals lasts."""
    covered, reached = 0.0, float("-inf")
    for start, end in sorted(intervals):
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return rounded(covered)
