"""Argument graphs of the callers of a server, each as the JSON text that `moot.argument` writes (ruling A17)."""

import json

from sqlalchemy import Connection, func, insert, select, update

from moot.core.canonical import storable
from moot.core.errors import BadSetting
from moot.store import schema

MOST_GRAPHS = 200
MOST_NODES = 2_000
LARGEST_TEXT = 30_000_000

_table = schema.graphs


def read(connection: Connection, owner: str, graph: str) -> tuple[str, int] | None:
    """Return a graph's text with the number of times that it was written."""
    this = (_table.c.owner == storable(owner), _table.c.id == storable(graph))
    row = connection.execute(select(_table.c.text, _table.c.writes).where(*this)).one_or_none()
    return None if row is None else (row.text, row.writes)


def names(connection: Connection, owner: str) -> list[str]:
    """Return the ids of a caller's graphs, in order."""
    return list(connection.execute(select(_table.c.id).where(_table.c.owner == owner).order_by(_table.c.id)).scalars())


def write(connection: Connection, owner: str, graph: str, text: str, after: int) -> bool:
    """Write a graph that has been written as often as `after` says; False where it has been since.

    Raises:
        BadSetting: for one graph too many.
    """
    owner, graph = storable(owner), storable(graph)
    found = read(connection, owner, graph)
    if (found[1] if found else 0) != after:
        return False
    if found:
        this = (_table.c.owner == owner, _table.c.id == graph)
        connection.execute(update(_table).where(*this).values(text=text, writes=after + 1))
        return True
    count = connection.execute(select(func.count()).where(_table.c.owner == owner)).scalar_one()
    if count >= MOST_GRAPHS:
        raise BadSetting(name="graph_id", problem=f"a caller has {MOST_GRAPHS} graphs at most; go on with one of yours")
    connection.execute(insert(_table), {"owner": owner, "id": graph, "text": text, "writes": 1})
    return True


def bounded(text: str) -> str:
    """Return the text of a graph that is not too large to be kept.

    Raises:
        BadSetting: for one that is.
    """
    if len(text) > LARGEST_TEXT or len(json.loads(text)["asserted"]["nodes"]) > MOST_NODES:
        problem = f"a graph has {MOST_NODES} nodes and {LARGEST_TEXT} characters at most; begin another under a new id"
        raise BadSetting(name="graph_id", problem=problem)
    return storable(text)
