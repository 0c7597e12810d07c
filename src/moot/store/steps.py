"""Open steps: who may fill one, who has it, and until when (rulings P1, P2).

A step is done once it has a reply, gone where its run went on without it, taken while an agent's lease runs, and open
otherwise. A lease that has run out needs nobody to end it. A clock that jumps back lengthens the running leases and
does nothing else.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, exists, func, insert, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from moot.core.canonical import canonical, in_given_order, storable
from moot.core.deliberation import Invitation
from moot.core.errors import BadSetting, LeaseExpired, NotFound, NotYourStep, OneAnswerPerAgent, StepError, StepGone
from moot.core.ports import Clock, OpenStep, StepState
from moot.store import schema
from moot.store.database import Database
from moot.store.deliberations import require
from moot.store.writer import Writer

LEASE = 300.0
BEGUN = ("running", "paused")
_SHORT = ("deliberation", "step", "group_name", "role", "labels")

_table = schema.steps
_THIS = (_table.c.deliberation == bindparam("of"), _table.c.step == bindparam("named"))
_GIVE = update(_table).where(*_THIS).values(agent=bindparam("to"), lease_until=bindparam("until"))
_other = _table.alias()
_ALREADY = select(func.count()).where(_other.c.deliberation == bindparam("of"), _other.c.reply.is_not(None))
_FILL = (
    update(_table)
    .where(*_THIS)
    .values(reply=bindparam("with"), lease_until=None, filled=_ALREADY.scalar_subquery() + 1)
)
_outcome = schema.outcomes
# A step of the board is journaled only where nobody filled it: what is asked of the house has names of its own.
_GONE = exists().where(_outcome.c.deliberation == _table.c.deliberation, _outcome.c.step == _table.c.step)
_STEPS = select(_table, _GONE.label("gone"))
_ONE = _STEPS.where(*_THIS)
_OTHERS = _STEPS.where(
    _table.c.deliberation == bindparam("of"),
    _table.c.group_name == bindparam("in_group"),
    _table.c.agent == bindparam("by"),
    _table.c.number != bindparam("beside"),
)


@dataclass(frozen=True, slots=True)
class AgentSteps:
    """What somebody did in one role for one deliberation."""

    agent: str
    deliberation: str
    role: str
    filled: int
    held: int


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """An open step in short: for many who look at once."""

    deliberation: str
    step: str
    role: str
    labels: Mapping[str, str]
    taken_by: frozenset[str]
    """Agents that have a step of its group, and so may not have this one."""


class StoredSteps:
    """The open steps of one database, for people and outside agents."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    async def search(
        self,
        *,
        deliberation: str | None = None,
        role: str | None = None,
        state: StepState | None = None,
        labels: Mapping[str, str] | None = None,
        agent: str | None = None,
        unfilled: bool = False,
        limit: int | None = None,
    ) -> list[OpenStep]:
        """Return the steps that fit, oldest first; with an agent, only those that it may take."""
        now = self._clock.now()
        wanted = _fitting(now, role=role, state=state, labels=labels or {}, agent=agent).limit(limit)
        if unfilled:
            wanted = wanted.where(_table.c.reply.is_(None))
        return await self._database.read(lambda connection: _search(connection, now, wanted, deliberation))

    async def waiting(
        self,
        *,
        unlabelled: str,
        deliberation: str | None = None,
        closed_roles: Collection[str] = (),
        own_roles: Collection[str] = (),
        owner: str | None = None,
        after: int = 0,
        limit: int | None = None,
    ) -> list[OpenStep]:
        """Return the steps without a label that runs wait for, oldest first, past a number.

        None of them is of a closed role, and those of `own_roles` are in deliberations that the owner began.
        """
        now = self._clock.now()
        wanted = _waited_for(now, unlabelled, deliberation).where(
            _table.c.number > after,
            _table.c.role.not_in(closed_roles),
            or_(_table.c.role.not_in(own_roles), _begun_by(owner)),
        )
        return await self._database.read(
            lambda connection: [_step(row, now) for row in connection.execute(wanted.limit(limit))]
        )

    async def count_waited_for(self, labels: Mapping[str, str]) -> int:
        """Return how many steps with these labels runs wait for, whether somebody has taken them or not."""
        wanted = select(func.count()).where(_table.c.reply.is_(None), _table.c.waits, ~_GONE, *_labelled(labels))
        return await self._database.read(lambda connection: connection.execute(wanted).scalar_one())

    async def agents(self, labels: Mapping[str, str]) -> list[AgentSteps]:
        """Return who has filled or holds steps with these labels, by deliberation and role."""
        now = self._clock.now()
        filled, held = _table.c.reply.is_not(None), and_(_table.c.reply.is_(None), _table.c.lease_until > now)
        places = (_table.c.agent, _table.c.deliberation, _table.c.role)
        counts = (func.count().filter(filled), func.count().filter(held))
        wanted = select(*places, *counts).where(_table.c.agent.is_not(None), or_(filled, held), *_labelled(labels))
        return await self._database.read(
            lambda connection: [AgentSteps(*row) for row in connection.execute(wanted.group_by(*places))]
        )

    async def open_places(self, labels: Mapping[str, str], limit: int) -> list[OpenPlace]:
        """Return the open steps with these labels in short, oldest first, and whom each is not for."""
        now = self._clock.now()
        return await self._database.read(lambda connection: _open_places(connection, now, labels, limit))

    async def waiting_for_nobody(self, protocol: str) -> list[str]:
        """Return the deliberations of a protocol that have not ended and wait for no step, oldest first."""
        now = self._clock.now()
        return await self._database.read(lambda connection: _waiting_for_nobody(connection, protocol, now))

    async def is_waiting(self, deliberation: str) -> bool:
        """Whether the deliberation waits for a step: one that somebody holds, or one that must be filled."""
        now = self._clock.now()
        return await self._database.read(lambda connection: _is_waiting(connection, deliberation, now))

    async def is_due(self, deliberation: str) -> bool:
        """Whether the deliberation can go on: it has not ended, and waits for nothing."""
        now = self._clock.now()
        return await self._database.read(lambda connection: _is_due(connection, deliberation, now))

    async def read(self, deliberation: str, step: str) -> OpenStep:
        """Return one step as it stands."""
        now = self._clock.now()
        return (await self._database.read(lambda connection: read(connection, deliberation, [step], now)))[0]

    async def take(self, deliberation: str, step: str, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give the step to the agent for the seconds of the lease; taking one's own step again renews it.

        Raises:
            StepGone: when somebody else has it, or it is done.
            OneAnswerPerAgent: when the agent has another step of its group.
        """
        return await self._writer.run(
            lambda connection: take(connection, deliberation, step, agent, self._clock.now(), lease),
            touches=(deliberation,),
        )

    async def renew(self, deliberation: str, step: str, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give the agent a new lease on the step that it holds.

        Raises:
            NotYourStep, LeaseExpired, StepGone: when it does not hold it.
        """
        return await self._writer.run(
            lambda connection: _renew(connection, deliberation, step, agent, self._clock.now(), lease),
            touches=(deliberation,),
        )

    async def release(self, deliberation: str, step: str, agent: str | None) -> None:
        """Give the step back; without an agent, take it from whoever has it.

        Raises:
            NotYourStep, StepGone: when the agent does not have it.
        """
        await self._writer.run(
            lambda connection: release(connection, deliberation, step, agent, self._clock.now()),
            touches=(deliberation,),
        )

    async def submit(self, deliberation: str, step: str, agent: str, reply: Mapping[str, Any]) -> None:
        """Put the agent's reply into the step that it holds.

        Raises:
            NotYourStep, LeaseExpired, StepGone: when it does not hold it, or no longer.
        """
        text = canonical(reply)
        await self._writer.run(
            lambda connection: submit(connection, deliberation, step, agent, text, self._clock.now()),
            touches=(deliberation,),
        )


def open_all(connection: Connection, deliberation: str, invitations: Sequence[tuple[int, Invitation[Any]]]) -> None:
    """Open the steps that are not there yet."""
    known = set(connection.execute(select(_table.c.step).where(_table.c.deliberation == deliberation)).scalars())
    new = [_row(deliberation, position, invitation) for position, invitation in invitations]
    new = [row for row in new if row["step"] not in known]
    if new:
        connection.execute(insert(_table), new)


def read(connection: Connection, deliberation: str, steps: Sequence[str], now: float) -> list[OpenStep]:
    """Return the steps as they stand, in the order asked for."""
    steps = [storable(step) for step in steps]
    wanted = _STEPS.where(_table.c.deliberation == deliberation, _table.c.step.in_(steps))
    found = {row.step: _step(row, now) for row in connection.execute(wanted)}
    for step in steps:
        if step not in found:
            raise _no_step(deliberation, step)
    return [found[step] for step in steps]


def _fitting(
    now: float, *, role: str | None, state: StepState | None, labels: Mapping[str, str], agent: str | None
) -> Select[Any]:
    wanted: Select[Any] = _STEPS.order_by(_table.c.number)
    if role is not None:
        wanted = wanted.where(_table.c.role == storable(role))
    if state is not None:
        wanted = wanted.where(_is(state, now))
    if agent is not None:
        wanted = wanted.where(_is("open", now), ~_has_one_of_the_group(agent, now))
    return wanted.where(*_labelled(labels))


def _labelled(labels: Mapping[str, str]) -> list[ColumnElement[bool]]:
    # Labels are stored in their canonical form, in which no quoted text can hold a pair of two quoted texts.
    return [_table.c.labels.contains(canonical({name: value})[1:-1], autoescape=True) for name, value in labels.items()]


def _search(connection: Connection, now: float, wanted: Select[Any], deliberation: str | None) -> list[OpenStep]:
    if deliberation is not None:
        require(connection, deliberation)
        wanted = wanted.where(_table.c.deliberation == deliberation)
    return [_step(row, now) for row in connection.execute(wanted)]


def _waited_for(now: float, unlabelled: str, deliberation: str | None) -> Select[Any]:
    runs = schema.deliberations
    begun = exists().where(runs.c.id == _table.c.deliberation, runs.c.status.in_(BEGUN))
    label = f"{canonical(unlabelled)}:"
    wanted = _STEPS.where(_waits(now), begun, ~_table.c.labels.contains(label, autoescape=True))
    if deliberation is not None:
        wanted = wanted.where(_table.c.deliberation == deliberation)
    return wanted.order_by(_table.c.number)


def _open_places(connection: Connection, now: float, labels: Mapping[str, str], limit: int) -> list[OpenPlace]:
    short: Any = select(*(_table.c[name] for name in _SHORT))
    wanted = short.where(_is("open", now)).order_by(_table.c.number).limit(limit)
    rows = connection.execute(wanted.where(*_labelled(labels))).all()
    counts = or_(_table.c.reply.is_not(None), _table.c.lease_until > now)
    taken = select(_table.c.deliberation, _table.c.group_name, _table.c.agent).where(
        _table.c.deliberation.in_({row.deliberation for row in rows}), _table.c.agent.is_not(None), counts
    )
    agents: dict[tuple[str, str], set[str]] = {}
    for row in connection.execute(taken) if rows else ():
        agents.setdefault((row.deliberation, row.group_name), set()).add(row.agent)
    return [
        OpenPlace(
            row.deliberation,
            row.step,
            row.role,
            json.loads(row.labels),
            frozenset(agents.get((row.deliberation, row.group_name), ())),
        )
        for row in rows
    ]


def _begun_by(owner: str | None) -> ColumnElement[bool]:
    served = schema.served
    return exists().where(served.c.deliberation == _table.c.deliberation, served.c.owner == owner)


def _waiting_for_nobody(connection: Connection, protocol: str, now: float) -> list[str]:
    runs = schema.deliberations
    begun = (runs.c.protocol == protocol, runs.c.status.in_(BEGUN))
    waiting = select(runs.c.id).where(*begun, ~is_waiting(runs.c.id, now)).order_by(runs.c.number)
    return list(connection.execute(waiting).scalars())


def _is_waiting(connection: Connection, deliberation: str, now: float) -> bool:
    wanted = select(_table.c.number).where(_table.c.deliberation == deliberation, _waits(now))
    return connection.execute(wanted.limit(1)).scalar() is not None


def _is_due(connection: Connection, deliberation: str, now: float) -> bool:
    runs = schema.deliberations
    begun = select(runs.c.number).where(runs.c.id == deliberation, runs.c.status.in_(BEGUN))
    return connection.execute(begun).scalar() is not None and not _is_waiting(connection, deliberation, now)


def is_waiting(deliberation: ColumnElement[str], now: float) -> ColumnElement[bool]:
    """Return the condition that a deliberation waits for a step: somebody holds it, or it must be filled."""
    return exists().where(_table.c.deliberation == deliberation, _waits(now))


def take(connection: Connection, deliberation: str, step: str, agent: str, now: float, lease: float) -> OpenStep:
    """Give the step to the agent and return it; to take one's own step again renews it."""
    if not 0 < lease < math.inf:
        raise BadSetting(name="lease", problem="a lease is a positive number of seconds")
    agent = storable(agent)
    wanted = _row_of(connection, deliberation, step)
    current = _step(wanted, now)
    if current.state in ("done", "gone") or (current.state == "taken" and current.agent != agent):
        raise StepGone(step=step, state=current.state)
    for other in _others_of(connection, wanted, agent):
        if _step(other, now).state != "open":
            raise OneAnswerPerAgent(agent=agent, group=wanted.group_name, step=other.step)
        _give(connection, deliberation, other.step, None, None)
    _give(connection, deliberation, step, agent, now + lease)
    return replace(current, state="taken", agent=agent, lease_until=now + lease)


def _renew(connection: Connection, deliberation: str, step: str, agent: str, now: float, lease: float) -> OpenStep:
    _check_held(connection, deliberation, step, agent, now)
    return take(connection, deliberation, step, agent, now, lease)


def require_open(connection: Connection, deliberation: str, step: str, now: float) -> None:
    """Do nothing where nobody has the step, nor has filled it.

    Raises:
        StepGone: where somebody has.
    """
    state = _step(_row_of(connection, deliberation, step), now).state
    if state != "open":
        raise StepGone(step=step, state=state)


def release(connection: Connection, deliberation: str, step: str, agent: str | None, now: float) -> None:
    """Give the step back; where the lease has run out it is back already."""
    with suppress(LeaseExpired):
        _check_held(connection, deliberation, step, agent, now)
    _give(connection, deliberation, step, None, None)


def submit(
    connection: Connection, deliberation: str, step: str, agent: str, reply: str, now: float, *, late: bool = False
) -> None:
    """Put the agent's reply into the step; `late` allows it past the lease while nobody else has taken the step."""
    try:
        _check_held(connection, deliberation, step, agent, now)
    except LeaseExpired:
        if not late:
            raise
    connection.execute(_FILL, {"of": deliberation, "named": step, "with": reply})


def _check_held(connection: Connection, deliberation: str, step: str, agent: str | None, now: float) -> None:
    """Do nothing where the agent holds the step, or without one anybody; raise what says why it does not."""
    row = _row_of(connection, deliberation, step)
    problem = _obstacle(row, _step(row, now).state, row.agent if agent is None else storable(agent))
    if problem:
        raise problem


def _obstacle(row: Row[Any], state: StepState, agent: str | None) -> StepError | None:
    if state in ("done", "gone"):
        return StepGone(step=row.step, state=state)
    if row.agent != agent:
        return NotYourStep(step=row.step, agent=agent or "")
    return LeaseExpired(step=row.step) if state == "open" else None


def _row_of(connection: Connection, deliberation: str, step: str) -> Row[Any]:
    row = connection.execute(_ONE, {"of": deliberation, "named": storable(step)}).one_or_none()
    if row is None:
        raise _no_step(deliberation, step)
    return row


def _others_of(connection: Connection, row: Row[Any], agent: str) -> Sequence[Row[Any]]:
    group = {"of": row.deliberation, "in_group": row.group_name, "by": agent, "beside": row.number}
    return connection.execute(_OTHERS, group).all()


def _give(connection: Connection, deliberation: str, step: str, agent: str | None, until: float | None) -> None:
    connection.execute(_GIVE, {"of": deliberation, "named": step, "to": agent, "until": until})


def _is(state: StepState, now: float) -> ColumnElement[bool]:
    if state == "gone":
        return _GONE
    if state == "done":
        return and_(_table.c.reply.is_not(None), ~_GONE)
    unfilled = and_(_table.c.reply.is_(None), ~_GONE)
    if state == "taken":
        return and_(unfilled, _table.c.lease_until > now)
    return and_(unfilled, or_(_table.c.lease_until.is_(None), _table.c.lease_until <= now))


def _waits(now: float) -> ColumnElement[bool]:
    return and_(_table.c.reply.is_(None), ~_GONE, or_(_table.c.waits, _table.c.lease_until > now))


def _has_one_of_the_group(agent: str, now: float) -> ColumnElement[bool]:
    mine = _table.alias()
    same_group = and_(mine.c.deliberation == _table.c.deliberation, mine.c.group_name == _table.c.group_name)
    counts = or_(mine.c.reply.is_not(None), mine.c.lease_until > now)
    return select(mine.c.number).where(same_group, mine.c.agent == storable(agent), counts).exists()


def _step(row: Row[Any], now: float) -> OpenStep:
    taken = row.agent is not None and row.lease_until is not None and row.lease_until > now
    state: StepState = "gone" if row.gone else "done" if row.reply is not None else "taken" if taken else "open"
    return OpenStep(
        deliberation=row.deliberation,
        step=row.step,
        position=row.position,
        group=row.group_name,
        role=row.role,
        title=row.title,
        context=json.loads(row.context),
        reply_type=row.reply_type,
        labels=json.loads(row.labels),
        state=state,
        agent=row.agent if state in ("taken", "done") else None,
        lease_until=row.lease_until if state == "taken" else None,
        reply=json.loads(row.reply) if state == "done" else None,
        number=row.number,
        filled=row.filled,
        waits=row.waits,
    )


def _row(deliberation: str, position: int, invitation: Invitation[Any]) -> dict[str, Any]:
    return {
        "deliberation": deliberation,
        "step": invitation.step,
        "position": position,
        "group_name": invitation.group,
        "role": invitation.role,
        "title": storable(invitation.title),
        "context": in_given_order(invitation.context),
        "reply_type": invitation.reply.__name__,
        "labels": canonical(invitation.labels),
        "waits": invitation.wait,
    }


def _no_step(deliberation: str, step: str) -> NotFound:
    return NotFound(what="open step", name=step, see=f"`moot show {deliberation}` names those of this deliberation")
