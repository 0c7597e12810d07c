"""How steps are sent: in waves, each journaled whole before anything of it leaves the machine.

The first wave holds every step's first attempt, the next one the parse retries. A retry waits for its wave so
that the budget is spent in the order of the list, whatever the order in which replies come.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.core.budget import Spent
from moot.core.calls import Attempt, Completion, Outcome, Usage
from moot.core.events import call_facts
from moot.core.ports import Clock, Embedder, Journal, Model, Progress
from moot.core.record import spent_on
from moot.runtime.ledger import Charge, Ledger, charge_for
from moot.runtime.steps import Step, step_seed

Stopping = Callable[[], bool]
"""Whether the process is about to end, so that nothing more is to be sent."""


class Stopped(Exception):
    """The run was about to send something, and its process is to end. It goes on from its journal, as after a crash."""


def never_stopping() -> bool:
    """Let the run go to its end."""
    return False


@dataclass(frozen=True, slots=True)
class World:
    """What a run is handed besides its journal: who answers, what time it is, who listens, whether to stop."""

    models: Callable[[str], Model]
    embedder: Embedder
    clock: Clock
    progress: Progress
    stopping: Stopping = never_stopping

    def guard(self) -> None:
        """Do nothing while something may be sent.

        Raises:
            Stopped: once nothing more is to be.
        """
        if self.stopping():
            raise Stopped


class Sender:
    """Brings steps to their outcomes."""

    def __init__(self, *, seed: int, journal: Journal, ledger: Ledger, world: World) -> None:
        self._seed = seed
        self._journal = journal
        self._ledger = ledger
        self._world = world
        self._spent = Spent()

    async def resolve(self, steps: Sequence[Step[Any]]) -> None:
        """Send what has to be sent until every step has its outcome."""
        while wave := [step for step in steps if step.outcome is None]:
            self._world.guard()
            going = await self._intend(wave)
            try:
                async with asyncio.TaskGroup() as group:
                    for step, charge in going:
                        group.create_task(self._send(step, charge))
            except ExceptionGroup as failed:
                # A store that refuses a write has stopped every sibling; one such failure says it all.
                raise failed.exceptions[0] from None

    async def _intend(self, wave: Sequence[Step[Any]]) -> list[tuple[Step[Any], Charge]]:
        going: list[tuple[Step[Any], Charge]] = []
        decided: list[Outcome] = []
        for step in wave:
            attempt, price = step.next_attempt(), self._world.models(step.member.model).price
            if price == (0.0, 0.0):
                # What costs nothing costs a known nothing, also when it is lost or fails.
                attempt = replace(attempt, usage=Usage(usd=0.0))
            charge = charge_for(attempt.request, price)
            if limit := self._ledger.admit(charge):
                step.outcome = step.refused(limit)
                decided.append(step.outcome)
            else:
                step.attempts.append(attempt)
                going.append((step, charge))
        intents = [step.attempts[-1] for step, _ in going]
        await self._journal.intend(intents, decided, active=self._ledger.active)
        return going

    async def _send(self, step: Step[Any], charge: Charge) -> None:
        attempt, ask, world = step.attempts[-1], step.ask, self._world
        tries = 1

        async def before_retry(number: int) -> bool:
            nonlocal tries
            if world.stopping():
                # Ends this call alone: an error would cancel the others, and their replies are paid for.
                raise asyncio.CancelledError
            if self._ledger.admit(charge):
                return False
            tries = number
            await self._journal.count_try(ask.step, attempt.attempt, number)
            world.progress("retrying", ask.step, ask.seat, f"try {number}")
            return True

        def on_tokens(count: int) -> None:
            world.progress("tokens", ask.step, ask.seat, str(count))

        world.progress("asking", ask.step, ask.seat, step.member.model)
        request = step.request(attempt, seed=step_seed(self._seed, ask.step), timeout=self._ledger.seconds_left)
        started, begun = world.clock.now(), world.clock.monotonic()
        result = await world.models(step.member.model).complete(request, before_retry=before_retry, on_tokens=on_tokens)
        seconds = world.clock.monotonic() - begun
        if isinstance(result, Completion):
            self._ledger.settle(charge, result.usage)
        ended, outcome = step.judge(attempt, result)
        await self._settle(step, replace(ended, started=started, seconds=seconds, tries=tries), outcome)

    async def _settle(self, step: Step[Any], ended: Attempt, outcome: Outcome | None) -> None:
        await self._journal.settle(ended, outcome, active=self._ledger.active)
        step.attempts[-1] = ended
        step.outcome = outcome
        self._spent += spent_on(call_facts([ended]))
        spent = self._spent
        usd = "unknown" if spent.usd is None else f"{spent.usd:.6f}"
        self._world.progress("spent", step.ask.step, step.ask.seat, f"{spent.calls} {usd} {spent.unknown.usd}")
        if outcome:
            kind = "answered" if outcome.kind == "ok" else "missing"
            self._world.progress(kind, step.ask.step, step.ask.seat, outcome.detail)
