"""The door that a protocol is handed: `ask`, `ask_all`, `invite_all`, `embed`, `note`, kept by the journal.

A protocol's function is run again from its start after any stop. Each step that the journal knows is answered
from it; the first that it does not know is where the run goes on.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from moot.core.budget import Budget, Spent
from moot.core.calls import Ask, Attempt, Missing, Outcome, R, Vectors
from moot.core.canonical import canonical, plain
from moot.core.deliberation import Contribution, Invitation, PanelAgent, seat_of
from moot.core.errors import ForkChangesHistory, JournalMismatch
from moot.core.events import (
    Embedded,
    Ended,
    Event,
    Filled,
    Header,
    Noted,
    Opened,
    Started,
    Unanswered,
    call_facts,
    event_text,
)
from moot.core.panel import Panel
from moot.core.ports import Journal, Journaled, OpenStep, ProgressEvent, Steps
from moot.core.record import spent_on
from moot.core.tokens import bytes_per_token
from moot.core.verdict import Verdict
from moot.runtime.dispatch import Dispatcher, World
from moot.runtime.embedding import embed, embedding_intent, journaled_vectors
from moot.runtime.house import UNATTENDED, House, Seat, house_step
from moot.runtime.journaled_steps import JournaledSteps
from moot.runtime.ledger import Ledger, charge_for
from moot.runtime.steps import Step


class Door:
    """One deliberation's way to the world, for the process that holds it."""

    def __init__(
        self, header: Header, *, journal: Journal, steps: Steps, journaled: Journaled, ledger: Ledger, world: World
    ) -> None:
        self._header = header
        self._journal = journal
        self._steps = steps
        self._past = JournaledSteps(journaled)
        self._ledger = ledger
        self._world = world
        before = spent_on(call_facts(journaled.attempts))
        self._sender = Dispatcher(seed=header.seed, journal=journal, ledger=ledger, world=world, spent=before)
        self._names: set[str] = set()
        self._position = 0
        self._seq = 0
        self._unwritten: list[tuple[int, str]] = []
        self._spent = Spent()
        self._missing: list[Missing] = []
        self._heard: dict[str, bool] = {}
        self._bytes_per_token: dict[str, float] = {}

    @property
    def panel(self) -> Panel:
        """Who may be asked."""
        return self._header.panel

    @property
    def budget(self) -> Budget:
        """What this run may spend in all."""
        return self._header.budget

    @property
    def spent(self) -> Spent:
        """What the steps so far have taken, lost and repeated calls included."""
        return self._spent

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Every step that was asked of a member and not answered."""
        return tuple(self._missing)

    @property
    def heard(self) -> Mapping[str, bool]:
        """Whether each seat that was asked answered what it was asked last."""
        return self._heard

    def bytes_per_token(self, seat: str) -> float | None:
        """Return the fewest bytes that a token of this member has been, by its own count of what it has read."""
        return self._bytes_per_token.get(seat)

    async def begin(self) -> None:
        """Write the start of the run."""
        self._emit(Started(self._header))
        await self._write()

    async def end(self, verdict: Verdict) -> None:
        """Write the end of the run."""
        self._emit(Ended(verdict))
        await self._write()

    async def ask(self, ask: Ask[R]) -> R | Missing:
        """Return one member's typed reply, or why there is none."""
        if ask.n != 1:
            raise ValueError(f"step {ask.step!r} asks for {ask.n} replies; ask_all returns them")
        return (await self.ask_all([ask]))[0]

    async def ask_all(self, asks: Sequence[Ask[R]]) -> list[R | Missing]:
        """Return the replies to a blind round, `n` for each ask, in the order of the list, all in flight together."""
        rounds = [[self._step(one, self._place(one.step), of=ask.step) for one in ask.each] for ask in asks]
        steps = [step for replies in rounds for step in replies]
        # Whoever watches sees what was found before the next are asked, and not only once they have answered.
        await self._write()
        await self._sender.resolve(steps)
        for replies in rounds:
            self._close(replies)
        await self._write()
        return [step.value for step in steps]

    async def invite_all(self, invitations: Sequence[Invitation[R]]) -> list[Contribution[R] | Missing]:
        """Return what was put into the open steps, in order, once all are filled.

        Raises:
            Paused: while one of them waits for somebody.
        """
        seats = [Seat(invitation, self._place(invitation.step)) for invitation in invitations]
        for item in invitations:
            self._emit(Opened(item.step, item.group, item.role, item.title))
        await self._steps.open([(seat.position, seat.invitation) for seat in seats])
        await self._write()
        for seat in seats:
            _, seat.given_up = self._past.recall(seat.invitation.step)
        house = House(self._steps, self._sender, self._step, self._guard_opened)
        await house.settle([seat for seat in seats if seat.given_up is None])
        filled = [await self._filled(seat) for seat in seats]
        await self._write()
        return filled

    async def embed(self, texts: Sequence[str], *, step: str) -> Vectors | Missing:
        """Return a vector for each text, or why there is none."""
        position = self._place(step)
        attempts, outcome = self._past.recall(step)
        intent = embedding_intent(
            step, len(attempts) + 1, position, texts, tries=0 if self._world.embedder.local else 1
        )
        self._guard_history(step, position, known=bool(attempts or outcome))
        for row in attempts:
            self._guard_digest(row, intent.digest)
        if outcome is None:
            self._world.guard()
        if outcome is None and intent.tries and (limit := self._ledger.admit(charge_for(intent.request, None))):
            outcome = Outcome(step, position, "refused", "budget", limit)
            await self._journal.intend([], [outcome], active=self._ledger.active)
        if outcome is None:
            ended, outcome = await embed(
                intent,
                texts,
                journal=self._journal,
                ledger=self._ledger,
                embedder=self._world.embedder,
                clock=self._world.clock,
            )
            attempts.append(ended)
        vectors = journaled_vectors(attempts, outcome)
        calls = call_facts(attempts)
        self._spent += spent_on(calls)
        if isinstance(vectors, Missing):
            self._missing.append(vectors)
            self._emit(Embedded(step, "", len(texts), 0, calls))
        else:
            self._emit(Embedded(step, vectors.backend, len(texts), len(vectors.rows[0]) if vectors.rows else 0, calls))
        await self._write()
        return vectors

    async def note(self, name: str, data: Any) -> None:
        """Put a finding into the record."""
        self._emit(Noted(name, data))
        self._world.progress(ProgressEvent("noted", name, said=self._world.narrator.note(name, plain(data))))

    def _place(self, name: str) -> int:
        if name in self._names:
            raise ValueError(f"step {name!r} is used twice")
        self._names.add(name)
        self._position += 1
        return self._position - 1

    def _step(self, ask: Ask[R], position: int, of: str = "") -> Step[R]:
        step = Step(ask, self._header.member(ask.seat, position), position, of)
        attempts, step.outcome = self._past.recall(ask.step)
        self._guard_history(ask.step, position, known=bool(attempts or step.outcome))
        for row in attempts:
            self._guard_digest(row, step.next_attempt().digest)
            step.attempts.append(row)
        step.recall()
        return step

    def _guard_history(self, step: str, position: int, *, known: bool) -> None:
        if position < self._header.forked_at and not known:
            raise self._history_changed(step, position)

    def _guard_digest(self, row: Attempt, digest: str) -> None:
        if row.digest == digest:
            return
        if row.position < self._header.forked_at:
            raise self._history_changed(row.step, row.position)
        raise JournalMismatch(step=row.step, problem="its request reads otherwise now")

    def _history_changed(self, step: str, position: int) -> ForkChangesHistory:
        at = self._header.parent.at if self._header.parent else step
        return ForkChangesHistory(step=step, at=at, position=position)

    def _guard_opened(self, seat: Seat, row: OpenStep) -> None:
        item = seat.invitation
        shown = canonical([item.group, item.role, item.title, item.context, item.reply.__name__])
        same = shown == canonical([row.group, row.role, row.title, row.context, row.reply_type])
        if seat.position < self._header.forked_at and not (same and row.state == "done"):
            raise self._history_changed(item.step, seat.position)
        if not same:
            raise JournalMismatch(step=item.step, problem="what it shows reads otherwise now")

    async def _filled(self, seat: Seat) -> Contribution[Any] | Missing:
        tries = self._tries(seat)
        for step in tries.values():
            await self._close_superseded(step)
        if seat.given_up:
            return self._left(seat.given_up)
        row = seat.row
        assert row and row.agent is not None
        try:
            reply = seat.invitation.reply.model_validate(row.reply)
        except ValidationError as error:
            raise JournalMismatch(step=row.step, problem="what was submitted reads otherwise now") from error
        self._emit(Filled(row.step, row.agent, type(reply).__name__, plain(reply)))
        model = tries[row.agent].member.model if row.agent in tries else ""
        return Contribution(row.agent, reply, row.filled, model)

    def _tries(self, seat: Seat) -> dict[str, Step[Any]]:
        """Return what was asked of the house for a step, by agent: of today's agents, then of those before a fork."""
        tries: dict[str, Step[Any]] = {}
        for agent in seat.invitation.house:
            if agent.name in seat.tries:
                tries[agent.name] = seat.tries[agent.name]
            elif house_step(seat.invitation.step, agent.name) in self._past:
                tries[agent.name] = self._step(seat.ask(agent), seat.position)
        start = house_step(seat.invitation.step, "")
        for name in self._past.beginning(start) if seat.position < self._header.forked_at else ():
            tries[name.removeprefix(start)] = self._try_before_fork(seat, name, name.removeprefix(start))
        return tries

    def _try_before_fork(self, seat: Seat, step: str, agent: str) -> Step[Any]:
        try:
            return self._step(seat.ask(PanelAgent(agent, seat_of(agent))), seat.position)
        except KeyError:
            # Nobody knows any more who that was.
            raise self._history_changed(step, seat.position) from None

    def _left(self, outcome: Outcome) -> Missing:
        who = "person" if outcome.reason == UNATTENDED else "house"
        missing = Missing(who, outcome.step, outcome.reason, outcome.detail)  # ty: ignore[invalid-argument-type]
        self._missing.append(missing)
        self._emit(Unanswered(outcome.step, missing.seat, "", missing, ()))
        return missing

    async def _close_superseded(self, step: Step[Any]) -> None:
        if step.outcome is None:
            step.outcome = Outcome(
                step.ask.step, step.position, "dropped", "refused", "somebody else filled the step meanwhile"
            )
            await self._journal.conclude(step.outcome)
        self._close([step])

    def _close(self, replies: Sequence[Step[Any]]) -> None:
        """Write what came of an ask; a seat that was asked for several replies is heard if one of them came."""
        self._heard[replies[0].ask.seat] = any(step.reply is not None for step in replies)
        for step in replies:
            self._spent += spent_on(call_facts(step.attempts))
            for row in step.attempts:
                self._count_bytes(step.ask.seat, row)
            if step.reply is None:
                self._missing.append(step.missing)
            self._emit(step.event())

    def _count_bytes(self, seat: str, row: Attempt) -> None:
        """Take the member's own count from the journal, so that a resumed run counts as the first one did."""
        if row.usage.tokens_in is None:
            return
        contents = [message["content"] for message in json.loads(row.request)["messages"]]
        found = bytes_per_token(contents, row.usage.tokens_in)
        if found is not None:
            self._bytes_per_token[seat] = min(found, self._bytes_per_token.get(seat, found))

    def _emit(self, event: Event) -> None:
        self._unwritten.append((self._seq, event_text(event)))
        self._seq += 1

    async def _write(self) -> None:
        events, self._unwritten = self._unwritten, []
        await self._journal.emit(events)
