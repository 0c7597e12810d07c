"""Fair turns: a person before a batch, and among those of one kind each key in turn, whatever its backlog.

Every job gets a tag when it is put in: one more than the last of its key, and no less than the smallest that waits. So
a newcomer neither waits for a backlog nor stays ahead of it for ever. The engine takes the largest priority first.
"""

from sqlalchemy import Connection, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import insert

from moot.store import schema
from moot.store.queue.installing import SCHEMA
from moot.store.queue.names import Lane

_table = schema.turns

SPAN = 1_000_000_000
"""Turns of a kind before the next kind begins."""
BASES: dict[Lane, int] = {"step": 2 * SPAN, "now": SPAN, "batch": 0}

_FIRST_WAITING = text(
    f"""
    SELECT max(priority) FROM {SCHEMA}.procrastinate_jobs
    WHERE status = 'todo' AND priority <= :base AND priority > :base - :span
    """  # noqa: S608 - a constant
)
_LAST = select(_table.c.tag).where(_table.c.lane == bindparam("its_lane"), _table.c.key == bindparam("its_key"))
_LAST_OF_ALL = select(func.max(_table.c.tag)).where(_table.c.lane == bindparam("its_lane"))


def next_priority(connection: Connection, lane: Lane, key: str) -> int:
    """Return the priority of the key's next job, and keep that it had its turn.

    Whoever calls it is the only one that puts jobs in, until the end of its transaction.
    """
    base = BASES[lane]
    first = connection.execute(_FIRST_WAITING, {"base": base, "span": SPAN}).scalar()
    last_of_all = connection.execute(_LAST_OF_ALL, {"its_lane": lane}).scalar() or 0
    begun = last_of_all if first is None else base - first
    last = connection.execute(_LAST, {"its_lane": lane, "its_key": key}).scalar()
    tag = begun if last is None else max(begun, last + 1)
    upsert = insert(_table).values(lane=lane, key=key, tag=tag)
    connection.execute(upsert.on_conflict_do_update(index_elements=("lane", "key"), set_={"tag": tag}))
    return base - tag
