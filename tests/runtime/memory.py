"""A journal and open steps in memory: a disk that outlives the processes of a test, and dies where it is told to.

Every write has two kill points: before it is committed and after. Together they are the five of the design:
before an intent, after it, after a reply and before its commit, after its commit, between outcome and event.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from typing_extensions import override

from moot.core.calls import Attempt, Outcome
from moot.core.canonical import canonical
from moot.core.deliberation import Invitation
from moot.core.errors import Fenced, RecordDiffers
from moot.core.events import event_from
from moot.core.ports import Journaled, OpenStep


class Crash(Exception):
    """The process is gone."""


class SettableClock:
    """A clock that stands still until it is set."""

    def __init__(self, now: float = 1_000_000.0, monotonic: float = 50.0) -> None:
        self.wall = now
        self.steady = monotonic

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady


class SteppingClock(SettableClock):
    """A clock that moves whenever it is read; its wall may run backwards, as a clock that is set back does."""

    def __init__(self, *, wall_step: float = 1.0, steady_step: float = 0.25) -> None:
        super().__init__()
        self.wall_step = wall_step
        self.steady_step = steady_step

    @override
    def now(self) -> float:
        self.wall += self.wall_step
        return self.wall

    @override
    def monotonic(self) -> float:
        self.steady += self.steady_step
        return self.steady


@dataclass
class KillSwitch:
    """Notes the kill points that a process passes, and ends it at one of them: by number, or by name and time."""

    at: int | tuple[str, int] | None = None
    passed: list[str] = field(default_factory=list)
    dead: bool = False

    def point(self, name: str) -> None:
        if self.dead:
            raise Crash(name)
        self.passed.append(name)
        if self.at in (len(self.passed) - 1, (name, self.passed.count(name))):
            self.dead = True
            raise Crash(name)


@dataclass
class Disk:
    """What is committed. It survives every process."""

    attempts: dict[tuple[str, int], Attempt] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    events: dict[int, str] = field(default_factory=dict)
    steps: dict[str, OpenStep] = field(default_factory=dict)
    active: float = 0.0
    epoch: int = 0
    written: Counter[str] = field(default_factory=Counter)

    def hold(self, switch: KillSwitch | None = None) -> tuple["MemoryJournal", "MemorySteps"]:
        """Take the deliberation over: whoever held it before is fenced."""
        self.epoch += 1
        writer = _Writer(self, self.epoch, switch or KillSwitch())
        return MemoryJournal(writer), MemorySteps(writer)

    @property
    def journaled(self) -> Journaled:
        rows = sorted(self.attempts.values(), key=lambda row: (row.position, row.step, row.attempt))
        outcomes = sorted(self.outcomes.values(), key=lambda outcome: (outcome.position, outcome.step))
        return Journaled(tuple(rows), tuple(outcomes), self.active)

    @property
    def texts(self) -> list[str]:
        """The stored events, in order."""
        assert sorted(self.events) == list(range(len(self.events)))
        return [self.events[seq] for seq in range(len(self.events))]

    @property
    def settled(self) -> set[tuple[str, str]]:
        """Step and messages of every call whose end is journaled."""
        ended = [row for row in self.attempts.values() if row.state in ("reply", "bad", "failed")]
        return {(row.step, canonical(json.loads(row.request).get("messages"))) for row in ended}

    def fill(self, step: str, agent: str, reply: Mapping[str, Any]) -> None:
        """Submit from outside, as a person does."""
        self.steps[step] = replace(self.steps[step], state="done", agent=agent, reply=reply, filled=self.filled + 1)

    @property
    def filled(self) -> int:
        """How many steps are filled."""
        return sum(row.state == "done" for row in self.steps.values())

    def branch(self, before: int) -> "Disk":
        """Return the disk of a fork: what lies before a position."""
        return Disk(
            attempts={key: row for key, row in self.attempts.items() if row.position < before},
            outcomes={key: row for key, row in self.outcomes.items() if row.position < before},
            steps={key: row for key, row in self.steps.items() if row.position < before},
        )


class _Writer:
    def __init__(self, disk: Disk, epoch: int, switch: KillSwitch) -> None:
        self.disk = disk
        self.epoch = epoch
        self.switch = switch

    def write(self, name: str, change: Callable[[], Any]) -> Any:
        self.switch.point(f"before {name}")
        if self.epoch != self.disk.epoch:
            raise Fenced(deliberation="d")
        result = change()
        self.disk.written[name.split()[0]] += 1
        self.switch.point(f"after {name}")
        return result


class MemoryJournal:
    """The port `Journal`."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer
        self._disk = writer.disk

    async def load(self) -> Journaled:
        return self._disk.journaled

    async def intend(self, attempts: Sequence[Attempt], refused: Sequence[Outcome], *, active: float) -> None:
        def change() -> None:
            for row in attempts:
                assert (row.step, row.attempt) not in self._disk.attempts
                assert row.state == "intent"
                self._disk.attempts[row.step, row.attempt] = row
            for outcome in refused:
                self._conclude(outcome)
            self._disk.active = active

        names = ",".join([row.step for row in attempts] + [outcome.step for outcome in refused])
        self._writer.write(f"intend {names}", change)

    async def count_try(self, step: str, attempt: int, tries: int) -> None:
        def change() -> None:
            self._disk.attempts[step, attempt] = replace(self._disk.attempts[step, attempt], tries=tries)

        self._writer.write(f"count_try {step}", change)

    async def settle(self, attempt: Attempt, outcome: Outcome | None, *, active: float) -> None:
        def change() -> None:
            assert self._disk.attempts[attempt.step, attempt.attempt].state == "intent"
            self._disk.attempts[attempt.step, attempt.attempt] = attempt
            if outcome:
                self._conclude(outcome)
            self._disk.active = active

        self._writer.write(f"settle {attempt.step}", change)

    async def conclude(self, outcome: Outcome) -> None:
        self._writer.write(f"conclude {outcome.step}", lambda: self._conclude(outcome))

    async def emit(self, events: Sequence[tuple[int, str]]) -> None:
        def change() -> None:
            for seq, made in events:
                stored = self._disk.events.get(seq, made)
                if stored != made:
                    raise RecordDiffers(seq=seq, stored=event_from(stored).kind, made=event_from(made).kind)
            self._disk.events.update(events)

        if events:
            self._writer.write("emit", change)

    def _conclude(self, outcome: Outcome) -> None:
        assert outcome.step not in self._disk.outcomes, "an outcome is final"
        self._disk.outcomes[outcome.step] = outcome


class MemorySteps:
    """The port `Steps`."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer
        self._disk = writer.disk
        self.meanwhile: Callable[[str], Awaitable[None]] | None = None
        """Called before each submission of the house, so that a test may let somebody be quicker."""
        self.before_leaving: Callable[[str], Awaitable[None]] | None = None
        """Called before the run goes on without a step, for the same."""

    async def open(self, invitations: Sequence[tuple[int, Invitation[Any]]]) -> None:
        def change() -> None:
            for position, item in invitations:
                opened = OpenStep(
                    deliberation="d",
                    step=item.step,
                    position=position,
                    group=item.group,
                    role=item.role,
                    title=item.title,
                    context=json.loads(canonical(item.context)),
                    reply_type=item.reply.__name__,
                    labels=item.labels,
                    waits=item.wait,
                )
                self._disk.steps.setdefault(item.step, opened)

        self._writer.write("open", change)

    async def read(self, steps: Sequence[str]) -> list[OpenStep]:
        return [self._stands(step) for step in steps]

    async def take(self, step: str, agent: str) -> bool:
        def change() -> bool:
            row = self._disk.steps[step]
            group = [other for other in self._disk.steps.values() if other.group == row.group]
            if row.state != "open" or any(other.agent == agent for other in group):
                return False
            self._disk.steps[step] = replace(row, state="taken", agent=agent)
            return True

        return self._writer.write(f"take {step}", change)

    async def submit(self, step: str, agent: str, reply: Mapping[str, Any]) -> bool:
        if self.meanwhile:
            await self.meanwhile(step)

        def change() -> bool:
            row = self._disk.steps[step]
            if row.state != "taken" or row.agent != agent:
                return False
            filled = self._disk.filled + 1
            self._disk.steps[step] = replace(row, state="done", reply=json.loads(canonical(reply)), filled=filled)
            return True

        return self._writer.write(f"submit {step}", change)

    async def release(self, step: str, agent: str) -> None:
        def change() -> None:
            row = self._disk.steps[step]
            if row.state == "taken" and row.agent == agent:
                self._disk.steps[step] = replace(row, state="open", agent=None)

        self._writer.write(f"release {step}", change)

    async def leave(self, outcome: Outcome) -> bool:
        if self.before_leaving:
            await self.before_leaving(outcome.step)

        def change() -> bool:
            if self._stands(outcome.step).state != "open":
                return False
            self._disk.outcomes[outcome.step] = outcome
            return True

        return self._writer.write(f"leave {outcome.step}", change)

    def _stands(self, step: str) -> OpenStep:
        row = self._disk.steps[step]
        return replace(row, state="gone") if step in self._disk.outcomes else row
