"""The journal: every attempt at a step before it is sent, what became of it, and the run events made from it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from moot.core.budget import Spent
from moot.core.calls import Attempt, Outcome, Usage
from moot.core.canonical import storable
from moot.core.errors import NotFound, RecordDiffers
from moot.core.ports import Clock, Journaled
from moot.store import schema
from moot.store.database import Database
from moot.store.deliberations import no_deliberation
from moot.store.limits.costs import By, PaidLine, model_asked, paid_by, spent_by
from moot.store.writer import Fence, Writer

_attempts, _outcomes, _events = schema.attempts, schema.outcomes, schema.events

_INTEND = insert(_attempts)
_CONCLUDE = insert(_outcomes)
_EMIT = insert(_events)
_STORED = select(_events.c.seq, _events.c.text).where(
    _events.c.deliberation == bindparam("held"), _events.c.seq.between(bindparam("first"), bindparam("last"))
)
_THIS_ATTEMPT = (
    _attempts.c.deliberation == bindparam("held"),
    _attempts.c.step == bindparam("at_step"),
    _attempts.c.attempt == bindparam("at_attempt"),
)
_SETTLED = ("state", "text", "reasoning", "problem", "tokens_in", "tokens_out", "usd", "started", "seconds", "tries")
_SETTLE = update(_attempts).where(*_THIS_ATTEMPT).values({name: bindparam(name) for name in _SETTLED})
_COUNT_TRY = update(_attempts).where(*_THIS_ATTEMPT).values(tries=bindparam("tries"))


class Journals:
    """The journals of the deliberations of one database, for whoever only reads them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, deliberation: str) -> Journaled:
        """Return the journal as it stands; whoever runs the deliberation is not disturbed."""
        return await self._database.read(lambda connection: _journaled(connection, deliberation))

    async def step(self, deliberation: str, step: str) -> tuple[tuple[Attempt, ...], Outcome | None]:
        """Return the attempts at one step, in order, and what it came to, where it has."""
        return await self._database.read(lambda connection: _step(connection, deliberation, step))

    async def spent(self, deliberations: Sequence[str]) -> dict[str, Spent]:
        """Return what each of the deliberations took, calls under way included; how long is not summed."""
        return await self._database.read(lambda connection: spent_by(connection, deliberations))

    async def paid(
        self, by: By, *, since: float | None = None, until: float | None = None, reader: str | None = None
    ) -> list[PaidLine]:
        """Return what calls took by day, model or key: those sent from a moment on and before another.

        `reader` is the prefix of a key that may see only its own.
        """
        return await self._database.read(lambda connection: paid_by(connection, by, since, until, reader))


class HeldJournal:
    """The journal of one deliberation, for the process that holds it: the port `Journal`."""

    def __init__(self, database: Database, writer: Writer, fence: Fence, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._fence = fence
        self._clock = clock

    async def load(self) -> Journaled:
        """Return every row, in the order of the program."""
        return await self._database.read(lambda connection: _journaled(connection, self._fence.deliberation))

    async def intend(self, attempts: Sequence[Attempt], refused: Sequence[Outcome], *, active: float) -> None:
        """Write a wave's intents and the outcomes that the budget refused, all or none."""
        self._fence.active = active
        intents = [self._attempt_row(attempt) for attempt in attempts]
        outcomes = [_outcome_row(self._fence.deliberation, outcome) for outcome in refused]

        def write(connection: Connection) -> None:
            if intents:
                connection.execute(_INTEND, intents)
            if outcomes:
                connection.execute(_CONCLUDE, outcomes)

        await self._writer.run(write, fence=self._fence)

    async def count_try(self, step: str, attempt: int, tries: int) -> None:
        """Write that a further try is about to be sent."""
        values = {"tries": tries, **self._key(step, attempt)}
        await self._writer.run(lambda connection: _change(connection, _COUNT_TRY, values), fence=self._fence)

    async def settle(self, attempt: Attempt, outcome: Outcome | None, *, active: float) -> None:
        """Write what became of an attempt and, where that decides it, of its step."""
        self._fence.active = active
        values = {**_settled(attempt), **self._key(attempt.step, attempt.attempt)}

        def write(connection: Connection) -> None:
            _change(connection, _SETTLE, values)
            if outcome:
                conclude(connection, self._fence.deliberation, outcome)

        await self._writer.run(write, fence=self._fence)

    async def conclude(self, outcome: Outcome) -> None:
        """Write the outcome of a step that no further attempt will be made at."""
        held = self._fence.deliberation
        await self._writer.run(lambda connection: conclude(connection, held, outcome), fence=self._fence)

    async def emit(self, events: Sequence[tuple[int, str]]) -> None:
        """Write run events under their seq; one that is there already must be the same to the byte."""
        if events:
            made = dict(events)
            held = self._fence.deliberation
            await self._writer.run(lambda connection: _emit(connection, held, made), fence=self._fence)

    def _key(self, step: str, attempt: int) -> dict[str, Any]:
        return {"held": self._fence.deliberation, "at_step": step, "at_attempt": attempt}

    def _attempt_row(self, attempt: Attempt) -> dict[str, Any]:
        return {
            "deliberation": self._fence.deliberation,
            "step": attempt.step,
            "attempt": attempt.attempt,
            "position": attempt.position,
            "digest": attempt.digest,
            "request": storable(attempt.request),
            **_settled(attempt),
            "sent": self._clock.now(),
            "model": model_asked(attempt.request),
        }


def conclude(connection: Connection, deliberation: str, outcome: Outcome) -> None:
    """Write the outcome of a step that no further attempt will be made at."""
    connection.execute(_CONCLUDE, _outcome_row(deliberation, outcome))


def _outcome_row(deliberation: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "deliberation": deliberation,
        "step": outcome.step,
        "position": outcome.position,
        "kind": outcome.kind,
        "reason": outcome.reason,
        "detail": storable(outcome.detail),
        "salvaged": outcome.salvaged,
    }


def _journaled(connection: Connection, deliberation: str) -> Journaled:
    """Return all that the journal knows of a deliberation, in the order of the program."""
    table = schema.deliberations
    active = connection.execute(select(table.c.active).where(table.c.id == deliberation)).scalar()
    if active is None:
        raise no_deliberation(deliberation)
    attempts = select(_attempts).where(_attempts.c.deliberation == deliberation)
    outcomes = select(_outcomes).where(_outcomes.c.deliberation == deliberation)
    in_order = attempts.order_by(_attempts.c.position, _attempts.c.step, _attempts.c.attempt)
    return Journaled(
        attempts=tuple(_attempt(row._mapping) for row in connection.execute(in_order)),
        outcomes=tuple(
            _outcome(row._mapping)
            for row in connection.execute(outcomes.order_by(_outcomes.c.position, _outcomes.c.step))
        ),
        active=active,
    )


def _step(connection: Connection, deliberation: str, step: str) -> tuple[tuple[Attempt, ...], Outcome | None]:
    held, name = deliberation, storable(step)
    attempts = select(_attempts).where(_attempts.c.deliberation == held, _attempts.c.step == name)
    outcome = select(_outcomes).where(_outcomes.c.deliberation == held, _outcomes.c.step == name)
    rows = connection.execute(attempts.order_by(_attempts.c.attempt))
    decided = connection.execute(outcome).one_or_none()
    return tuple(_attempt(row._mapping) for row in rows), _outcome(decided._mapping) if decided else None


def _emit(connection: Connection, held: str, made: Mapping[int, str]) -> None:
    span = {"held": held, "first": min(made), "last": max(made)}
    stored = {row.seq: row.text for row in connection.execute(_STORED, span)}
    for seq, text in sorted(made.items()):
        if stored.get(seq, text) != text:
            raise RecordDiffers(seq=seq, stored=_kind(stored[seq]), made=_kind(text))
    new = [{"deliberation": held, "seq": seq, "text": made[seq]} for seq in sorted(made.keys() - stored.keys())]
    if new:
        connection.execute(_EMIT, new)


def _kind(text: str) -> str:
    try:
        return str(json.loads(text)["kind"])
    except (ValueError, LookupError, TypeError):
        return "unreadable"


def _change(connection: Connection, statement: Any, values: Mapping[str, Any]) -> None:
    if connection.execute(statement, values).rowcount == 0:
        name = f"{values['at_step']} {values['at_attempt']}"
        raise NotFound(what="attempt", name=name, see="an attempt is written as an intent before it is sent")


def _settled(attempt: Attempt) -> dict[str, Any]:
    return {
        "state": attempt.state,
        "text": storable(attempt.text),
        "reasoning": storable(attempt.reasoning),
        "problem": storable(attempt.problem),
        "tokens_in": attempt.usage.tokens_in,
        "tokens_out": attempt.usage.tokens_out,
        "usd": attempt.usage.usd,
        "started": attempt.started,
        "seconds": attempt.seconds,
        "tries": attempt.tries,
    }


def _attempt(row: Mapping[str, Any]) -> Attempt:
    columns = ("step", "attempt", "position", "digest", "request", "state", "text", "reasoning", "problem")
    return Attempt(
        **{name: row[name] for name in columns},
        usage=Usage(row["tokens_in"], row["tokens_out"], row["usd"]),
        started=row["started"],
        seconds=row["seconds"],
        tries=row["tries"],
    )


def _outcome(row: Mapping[str, Any]) -> Outcome:
    return Outcome(**{name: row[name] for name in ("step", "position", "kind", "reason", "detail", "salvaged")})
