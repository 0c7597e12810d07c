"""Open steps, seen from inside a run: open them, let the house fill what it may, wait for the rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.calls import Ask, Outcome
from moot.core.canonical import plain
from moot.core.deliberation import Invitation, PanelAgent
from moot.core.ports import OpenStep, Steps
from moot.runtime.dispatch import Dispatcher
from moot.runtime.steps import Step

UNATTENDED = "unattended"
AskedAs = Callable[[Ask[Any], int], Step[Any]]
"""Makes the step of an ask at a position, with what the journal knows of it."""
Guard = Callable[["Seat", OpenStep], None]
"""Refuses a step that stands otherwise than its invitation."""


class Paused(Exception):
    """The run waits: an open step is nobody's of the house, or nobody of the house could fill it."""

    def __init__(self, steps: Sequence[OpenStep]) -> None:
        super().__init__(", ".join(step.step for step in steps))
        self.steps = tuple(steps)


@dataclass(slots=True)
class Seat:
    """An invitation, its position, the house's tries at it, and what it came to."""

    invitation: Invitation[Any]
    position: int
    tries: dict[str, Step[Any]] = field(default_factory=dict)
    row: OpenStep | None = None
    given_up: Outcome | None = None
    """The journaled outcome of a step that the run has gone on without."""

    def ask(self, agent: PanelAgent) -> Ask[Any]:
        """Return how the agent is asked."""
        invitation = self.invitation
        return Ask(
            step=house_step(invitation.step, agent.name),
            seat=agent.seat,
            messages=invitation.messages,
            reply=invitation.reply,
            temperature=invitation.temperature,
            max_tokens=invitation.max_tokens,
        )

    @property
    def failed(self) -> list[str]:
        """The agents that were asked and have nothing to hand in."""
        return [name for name, step in self.tries.items() if step.outcome is not None and step.reply is None]

    @property
    def refusal(self) -> str:
        """The limit of the budget that kept the house from filling it, if one did."""
        outcomes = (step.outcome for step in self.tries.values())
        return next((outcome.detail for outcome in outcomes if outcome and outcome.reason == "budget"), "")

    @property
    def waits(self) -> bool:
        """Whether the run waits for it: somebody has it, or somebody is to."""
        return bool(self.row) and (self.row.state == "taken" or (self.row.state == "open" and self.invitation.wait))

    def without(self) -> Outcome:
        """Return what it comes to where nobody fills it."""
        step = self.invitation.step
        if self.refusal:
            return Outcome(step, self.position, "refused", "budget", self.refusal)
        if self.invitation.house:
            return Outcome(step, self.position, "dropped", "refused", "nobody of the house could fill it")
        return Outcome(step, self.position, "dropped", UNATTENDED, "nobody was there to fill it")


class House:
    """The agents of the house at a group of open steps."""

    def __init__(self, steps: Steps, sender: Dispatcher, asked_as: AskedAs, guard: Guard) -> None:
        self._steps = steps
        self._sender = sender
        self._asked_as = asked_as
        self._guard = guard

    async def settle(self, seats: Sequence[Seat]) -> None:
        """Have each step filled, or go on without it where nobody has it.

        Raises:
            Paused: while one of them waits for somebody.
        """
        while True:
            await self._fill(seats)
            if waiting := [seat.row for seat in seats if seat.row and seat.waits]:
                raise Paused(waiting)
            # Somebody may have taken or filled one since it was read: then all is looked at again.
            if all([await self._is_left(seat) for seat in seats if seat.row and seat.row.state == "open"]):
                return

    async def _is_left(self, seat: Seat) -> bool:
        outcome = seat.without()
        if await self._steps.leave(outcome):
            # Nobody can submit to it any more, and the run stays without it when it is resumed.
            seat.given_up = outcome
        return seat.given_up is not None

    async def _fill(self, seats: Sequence[Seat]) -> None:
        """Fill what the house may fill, and note how the steps then stand."""
        names = [seat.invitation.step for seat in seats]
        while True:
            for seat, row in zip(seats, await self._steps.read(names), strict=True):
                self._guard(seat, row)
                seat.row = row
            # Whoever failed at a step has had its turn in the group; else a broken model would be asked for every step.
            failed = {(seat.invitation.group, name) for seat in seats for name in seat.failed}
            taken = [held for seat in seats if seat.row and (held := await self._take(seat, seat.row, failed))]
            if not taken:
                return
            await self._sender.resolve([seat.tries[agent.name] for seat, agent in taken])
            for seat, agent in taken:
                await self._hand_in(seat, agent)

    async def _take(self, seat: Seat, row: OpenStep, failed: set[tuple[str, str]]) -> tuple[Seat, PanelAgent] | None:
        if row.state in ("done", "gone"):
            return None
        for agent in seat.invitation.house:
            if (seat.invitation.group, agent.name) in failed:
                continue
            # The run's lock is held, so a step that the house holds was taken by this run before it stopped.
            if row.agent == agent.name or (row.state == "open" and await self._steps.take(row.step, agent.name)):
                if agent.name not in seat.tries:
                    seat.tries[agent.name] = self._asked_as(seat.ask(agent), seat.position)
                return seat, agent
        return None

    async def _hand_in(self, seat: Seat, agent: PanelAgent) -> None:
        step = seat.tries[agent.name]
        if step.reply is None:
            await self._steps.release(seat.invitation.step, agent.name)
        else:
            await self._steps.submit(seat.invitation.step, agent.name, plain(step.reply))


def house_step(step: str, agent: str) -> str:
    """Return the name under which an agent of the house is asked for an open step."""
    return f"{step}@{agent}"
