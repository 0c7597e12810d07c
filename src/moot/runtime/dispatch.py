"""How steps are sent: in waves, each journaled whole before anything of it leaves the machine.

The first wave holds every step's first attempt, the next one the parse retries. A retry waits for its wave so
that the budget is spent in the order of the list, whatever the order in which replies come. Of several replies to one
prompt, those that one request brings go together; the others wait for the wave after, when the prompt is in the
server's cache. Each is charged, journaled and judged by itself: a reply is a call, by whichever request it came.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Protocol

from moot.core.budget import Spent
from moot.core.calls import Attempt, Completion, Failure, Outcome, Usage
from moot.core.canonical import plain
from moot.core.events import call_facts
from moot.core.ports import Clock, Embedder, Journal, Model, Progress, ProgressEvent, ProgressKind
from moot.core.record import spent_on
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.runtime.ledger import Charge, Ledger, charge_for
from moot.runtime.steps import Step, step_seed

Call = Sequence[tuple[Step[Any], Charge]]
"""Replies to one prompt that one request asks for, each with its charge."""

FEWER = "the call brought fewer replies than it was asked for"

Stopping = Callable[[], bool]
"""Whether the process is about to end, so that nothing more is to be sent."""


class Stopped(Exception):
    """The run was about to send something, and its process is to end. It goes on from its journal, as after a crash."""


def never_stopping() -> bool:
    """Let the run go to its end."""
    return False


class Allowance(Protocol):
    """What may be spent over all deliberations of whoever asked."""

    async def reserve(self, calls: int, usd: float) -> None:
        """Count what is about to be sent, at the most that it could cost; raise where it may not be sent."""
        ...

    async def settle(self, usd: float, calls: int = 0) -> None:
        """Add to what was counted, or take back what it did not cost after all."""
        ...


class Unlimited:
    """The allowance of somebody who has no limits."""

    async def reserve(self, calls: int, usd: float) -> None:
        """Count nothing."""

    async def settle(self, usd: float, calls: int = 0) -> None:
        """Count nothing."""


@dataclass(frozen=True, slots=True)
class World:
    """What a run is handed besides its journal: who answers, what time it is, who listens, whether to stop."""

    models: Callable[[str], Model]
    embedder: Embedder
    clock: Clock
    progress: Progress
    stopping: Stopping = never_stopping
    narrator: Narrator = PLAIN_NARRATOR
    allowance: Allowance = Unlimited()  # noqa: RUF009 (it keeps nothing)

    def tell(self, kind: ProgressKind, step: Step[Any], note: str = "") -> None:
        """Tell whoever listens what is under way at a step."""
        said = self.narrator.reply(step.ask.step, plain(step.reply)).gist if step.reply and kind == "answered" else ""
        self.progress(ProgressEvent(kind, step.ask.step, step.ask.seat, note, self.narrator.phase(step.ask.step), said))

    def guard(self) -> None:
        """Do nothing while something may be sent.

        Raises:
            Stopped: once nothing more is to be.
        """
        if self.stopping():
            raise Stopped


class Dispatcher:
    """Brings steps to their outcomes."""

    def __init__(self, *, seed: int, journal: Journal, ledger: Ledger, world: World, spent: Spent) -> None:
        """`spent` is what the deliberation has taken before."""
        self._seed = seed
        self._journal = journal
        self._ledger = ledger
        self._world = world
        self._spent = spent

    async def resolve(self, steps: Sequence[Step[Any]]) -> None:
        """Send what has to be sent until every step has its outcome."""
        while wave := self._wave(steps):
            self._world.guard()
            calls = await self._intend(wave)
            try:
                async with asyncio.TaskGroup() as group:
                    for call in calls:
                        group.create_task(self._send(call))
            except ExceptionGroup as failed:
                # A store that refuses a write has stopped every sibling; one such failure says it all.
                raise failed.exceptions[0] from None

    def _wave(self, steps: Sequence[Step[Any]]) -> list[Step[Any]]:
        """Return what goes next: of the replies to one ask the first call's alone, until something has come of it."""
        wave: list[Step[Any]] = []
        for replies in _grouped(steps, lambda step: step.of or step.ask.step):
            going = [step for step in replies if step.outcome is None]
            if going and not any(step.heard for step in replies):
                # Those after it will find their prompt in the server's cache.
                going = going[: self._at_once(going, going[0].next_attempt())]
            wave += going
        return wave

    async def _intend(self, wave: Sequence[Step[Any]]) -> list[Call]:
        charges: dict[str, Charge] = {}
        decided: list[Outcome] = []
        for step in wave:
            attempt, price = step.next_attempt(), self._world.models(step.member.model).price
            if price == (0.0, 0.0):
                # What costs nothing costs a known nothing, also when it is lost or fails.
                attempt = replace(attempt, usage=Usage(usd=0.0))
            charge = charge_for(attempt.request, price, step.schema_size)
            if limit := self._ledger.admit(charge):
                step.outcome = step.refused(limit)
                decided.append(step.outcome)
            else:
                step.attempts.append(attempt)
                charges[step.ask.step] = charge
        going = [step for step in wave if step.ask.step in charges]
        if going:
            await self._world.allowance.reserve(len(going), sum(charge.usd or 0.0 for charge in charges.values()))
        await self._journal.intend([step.attempts[-1] for step in going], decided, active=self._ledger.active)
        return [
            [(step, charges[step.ask.step]) for step in together]
            for same in _grouped(going, lambda step: (step.of or step.ask.step, step.attempts[-1].digest))
            for together in _parts(same, self._at_once(same, same[0].attempts[-1]))
        ]

    def _at_once(self, steps: Sequence[Step[Any]], attempt: Attempt) -> int:
        """Return how many of these replies to one prompt a single call brings."""
        if len(steps) == 1:
            return 1
        request = steps[0].request(attempt, seed=0, timeout=None, n=len(steps))
        return max(1, self._world.models(request.model).at_once(request))

    async def _send(self, call: Call) -> None:
        world, (first, _) = self._world, call[0]
        tries = 1

        async def before_retry(number: int) -> bool:
            nonlocal tries
            if world.stopping():
                # Ends this call alone: an error would cancel the others, and their replies are paid for.
                raise asyncio.CancelledError
            if any(self._ledger.admit(charge) for _, charge in call):
                return False
            await world.allowance.settle(sum(charge.usd or 0.0 for _, charge in call), len(call))
            tries = number
            for step, _ in call:
                await self._journal.count_try(step.ask.step, step.attempts[-1].attempt, number)
                world.tell("retrying", step, f"try {number}")
            return True

        def on_tokens(count: int) -> None:
            for step, _ in call if count == 0 else call[:1]:
                world.tell("tokens" if count else "speaking", step, str(count or step.member.model))

        for step, _ in call:
            world.tell("asking", step, step.member.model)
        seed, left = step_seed(self._seed, first.ask.step), self._ledger.seconds_left
        request = first.request(first.attempts[-1], seed=seed, timeout=left, n=len(call))
        started, begun = world.clock.now(), world.clock.monotonic()
        result = await world.models(request.model).complete(request, before_retry=before_retry, on_tokens=on_tokens)
        took = {"started": started, "seconds": world.clock.monotonic() - begun, "tries": tries}
        for (step, charge), reply in zip_longest(call, _replies(result, len(call))):
            await self._ended(step, charge, reply, took)

    async def _ended(
        self, step: Step[Any], charge: Charge, result: Completion | Failure | None, took: Mapping[str, Any]
    ) -> None:
        if result is None:
            # Whatever the call took stands with the replies that it brought.
            self._ledger.release(charge, took["tries"])
            await self._world.allowance.settle(-(charge.usd or 0.0))
            none = replace(step.attempts[-1], state="lost", problem=FEWER)
            await self._settle(step, replace(none, **{**took, "tries": 0}), None)
            return
        if isinstance(result, Completion):
            self._ledger.settle(charge, result.usage)
            if result.usage.usd is not None:
                await self._world.allowance.settle(result.usage.usd - (charge.usd or 0.0))
        ended, outcome = step.judge(step.attempts[-1], result)
        await self._settle(step, replace(ended, **took), outcome)

    async def _settle(self, step: Step[Any], ended: Attempt, outcome: Outcome | None) -> None:
        await self._journal.settle(ended, outcome, active=self._ledger.active)
        step.attempts[-1] = ended
        step.outcome = outcome
        self._spent += spent_on(call_facts([ended]))
        self._world.progress(ProgressEvent("spent", step.ask.step, step.ask.seat, spent=self._spent))
        if outcome:
            self._world.tell("answered" if outcome.kind == "ok" else "missing", step, outcome.detail)


def _replies(result: Completion | Failure, wanted: int) -> Sequence[Completion | Failure]:
    """Return what a call brought: a failure is that of all, and more than was wanted is not taken."""
    return [result] * wanted if isinstance(result, Failure) else (result, *result.more)[:wanted]


def _grouped(steps: Iterable[Step[Any]], key: Callable[[Step[Any]], Hashable]) -> list[list[Step[Any]]]:
    groups: dict[Hashable, list[Step[Any]]] = {}
    for step in steps:
        groups.setdefault(key(step), []).append(step)
    return list(groups.values())


def _parts(steps: Sequence[Step[Any]], size: int) -> list[Sequence[Step[Any]]]:
    return [steps[start : start + size] for start in range(0, len(steps), size)]
