"""What a key has in its hands when it is revoked: slots that it holds, and deliberations that servers run for it."""

from sqlalchemy import Connection, Select, select, union, update

from moot.core.canonical import storable
from moot.store import schema
from moot.store.queue.jobs import take_out
from moot.store.steps import BEGUN

_keys, _steps, _served = schema.keys, schema.steps, schema.served
_runs, _outlines = schema.deliberations, schema.outlines


def revoked(connection: Connection) -> frozenset[str]:
    """Return the prefixes of all keys that have been revoked."""
    return frozenset(connection.execute(select(_keys.c.prefix).where(_keys.c.revoked.is_not(None))).scalars())


def in_hand(connection: Connection, prefix: str) -> tuple[str, ...]:
    """Return the deliberations that a key has a slot of, or that are run for it."""
    prefix = storable(prefix)
    held = select(_steps.c.deliberation).where(_steps.c.reply.is_(None), _steps.c.agent.in_(_name_of(prefix)))
    own = _served.c.deliberation.in_(_begun_by(prefix)), _served.c.wanted
    return tuple(connection.execute(union(held, select(_served.c.deliberation).where(*own))).scalars())


def take_back(connection: Connection, prefix: str) -> None:
    """Free the slots that a key holds, and let nobody go on with what was run for it until somebody says so.

    Its workers hear of it by the same commit, and whoever calls this works `alone` as QUEUE: no server may live.
    """
    prefix = storable(prefix)
    held = update(_steps).where(_steps.c.reply.is_(None), _steps.c.agent.in_(_name_of(prefix)))
    connection.execute(held.values(agent=None, lease_until=None))
    own = _served.c.deliberation.in_(_begun_by(prefix)), _served.c.wanted
    if connection.dialect.name == "postgresql":
        for deliberation in connection.execute(select(_served.c.deliberation).where(*own)).scalars().all():
            take_out(connection, deliberation)
    connection.execute(update(_served).where(*own).values(wanted=False))


def _name_of(prefix: str) -> Select[tuple[str]]:
    return select(_keys.c.name).where(_keys.c.prefix == prefix)


def _begun_by(prefix: str) -> Select[tuple[str]]:
    """What a key began and has not ended; a claim without members costs nothing, and is everybody's to work on."""
    runs = select(_runs.c.id).select_from(_runs.join(_served).join(_outlines))
    return runs.where(_served.c.owner == prefix, _runs.c.status.in_(BEGUN), _outlines.c.models != "")
