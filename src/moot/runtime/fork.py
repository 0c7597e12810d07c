"""A fork: a new run with its parent's past up to a step, and new members and settings from it on."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from moot.core.budget import Budget
from moot.core.errors import NotFound
from moot.core.events import Era, Header, Parent
from moot.core.panel import Panel
from moot.core.ports import Journaled, OpenStep

AFTER_THE_LAST = ""
"""The place of a fork that keeps every step of its parent."""


def fork_position(at: str, journaled: Journaled, steps: Iterable[OpenStep]) -> int:
    """Return the place of a step in the parent's program order.

    Raises:
        NotFound: where the parent never came to such a step.
    """
    positions = {row.step: row.position for row in (*steps, *journaled.outcomes, *journaled.attempts)}
    if at == AFTER_THE_LAST:
        return max(positions.values(), default=-1) + 1
    if at not in positions:
        known = ", ".join(sorted(positions, key=lambda step: positions[step])) or "none"
        raise NotFound(what="step", name=at, see=f"the run has these: {known}")
    return positions[at]


def forked_header(
    parent: Header,
    *,
    parent_id: str,
    at: str,
    position: int,
    protocol_version: int,
    moot_version: str,
    panel: Panel | None,
    settings: Mapping[str, Any],
    budget: Budget | None,
    seed: int,
    backends: Mapping[str, str],
    data: Mapping[str, str],
) -> Header:
    """Return the header of a fork. Steps before the position keep the panel that answered them."""
    eras = tuple(era for era in parent.history if era.until < position)
    answered = next((era.panel for era in parent.history if position <= era.until), parent.panel)
    return replace(
        parent,
        protocol_version=protocol_version,
        moot_version=moot_version,
        settings={**parent.settings, **settings},
        panel=panel or parent.panel,
        budget=budget or parent.budget,
        seed=seed,
        backends=backends,
        data=data,
        parent=Parent(parent_id, at),
        history=(*eras, Era(position, answered)) if position else (),
    )
