"""What a list shows and sorts by: the models of a deliberation from its beginning, and from its end what it came to."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from moot.core.canonical import storable
from moot.core.events import Header
from moot.core.record import covered_seconds
from moot.core.verdict import Verdict
from moot.store import schema
from moot.store.limits.costs import spent_by

_table, _runs, _attempts = schema.outlines, schema.deliberations, schema.attempts
_CALLS = select(_attempts.c.started, _attempts.c.seconds)


def begin_outline(connection: Connection, deliberation: str, header: Header) -> None:
    """Write who is asked in a new deliberation, and in which mode."""
    panels = (header.panel, *(era.panel for era in header.history))
    models = dict.fromkeys(model for panel in panels for model in panel.models)
    outline = {"deliberation": deliberation, "models": storable("\n".join(models)), "mode": _mode(header.settings)}
    connection.execute(insert(_table), outline)


def end_outline(connection: Connection, deliberation: str, verdict: Verdict, ended: float) -> None:
    """Write what a deliberation came to, when, and what it took."""
    basis = verdict.confidence.basis
    came_to = {
        "answer": None if verdict.answer is None else storable(verdict.answer),
        "confidence": verdict.confidence.value,
        "basis": basis.value if basis else None,
        "ended": ended,
        **_taken(connection, deliberation),
    }
    connection.execute(update(_table).where(_table.c.deliberation == deliberation).values(came_to))


def fill_outlines(connection: Connection) -> None:
    """Write the outlines of deliberations that an earlier Moot left without; their end is that of their last call."""
    without = _runs.c.id.not_in(select(_table.c.deliberation))
    for name in list(connection.execute(select(_runs.c.id).where(without)).scalars()):
        row = connection.execute(select(_runs.c.header, _runs.c.started).where(_runs.c.id == name)).one()
        header = json.loads(row.header)
        panels = [header["panel"], *(era["panel"] for era in header.get("history", ()))]
        models = dict.fromkeys(member["model"] for panel in panels for member in panel["members"])
        begun = {"deliberation": name, "models": "\n".join(models), "mode": _mode(header["settings"])}
        outline = {**begun, **_ending(connection, name, row.started)}
        connection.execute(insert(_table), outline)


def _mode(settings: Mapping[str, Any]) -> str | None:
    """The way of deliberating that some protocols let one choose."""
    mode = settings.get("mode")
    return storable(mode) if isinstance(mode, str) else None


def _ending(connection: Connection, deliberation: str, started: float) -> dict[str, Any]:
    events = schema.events
    last = select(events.c.text).where(events.c.deliberation == deliberation).order_by(events.c.seq.desc()).limit(1)
    event = json.loads(connection.execute(last).scalar() or "{}")
    if event.get("kind") != "ended":
        return {}
    calls = func.max(_attempts.c.started + _attempts.c.seconds)
    ended = connection.execute(select(calls).where(_attempts.c.deliberation == deliberation)).scalar()
    confidence = event["verdict"]["confidence"]
    return {
        "answer": event["verdict"]["answer"],
        "confidence": confidence["value"],
        "basis": confidence["basis"],
        "ended": started if ended is None else ended,
        **_taken(connection, deliberation),
    }


def _taken(connection: Connection, deliberation: str) -> dict[str, Any]:
    spent = spent_by(connection, [deliberation])[deliberation]
    calls = connection.execute(_CALLS.where(_attempts.c.deliberation == deliberation))
    known = [count for count in (spent.tokens_in, spent.tokens_out) if count is not None]
    return {
        "seconds": covered_seconds((row.started, row.started + row.seconds) for row in calls),
        "calls": spent.calls,
        "tokens": sum(known) if known else None,
        "usd": spent.usd,
    }
