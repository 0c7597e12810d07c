"""What the pages of the board show of outputs, slots and leases. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from moot.core.ports import OpenStep
from moot.core.telling import reply_rows
from moot.web.slot_names import flag_id, slot_id

LEASES = {300: "5 minutes", 900: "15 minutes", 3600: "1 hour", 14_400: "4 hours"}
"""For how long somebody may take a slot; a person writes more slowly than an agent."""
USUAL_LEASE = 900
SCALE = {
    "0.9 to 1": "very sure, on clear evidence",
    "0.7 to 0.9": "good reasons, small caveats",
    "0.5 to 0.7": "uncertain, serious caveats",
    "0 to 0.5": "hardly sure, large gaps",
}
"""What a confidence means, as the paper has it."""
OWN_PLACE = ("content", "confidence")
EMPTY: Sequence[Any] = ("", None, [], (), {})


@dataclass(frozen=True, slots=True)
class SaidOutput:
    """What a slot says: its prose, how sure its author is, and the rest by name."""

    who: str
    text: str
    confidence: float | None
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierLayer:
    """What an earlier layer came to, as a slot shows it."""

    number: int
    name: str
    outputs: tuple[SaidOutput, ...]


def said_output(who: str, reply: Mapping[str, Any]) -> SaidOutput:
    """Return an output for a page; empty fields say nothing."""
    rest = {name: value for name, value in reply.items() if name not in OWN_PLACE and value not in EMPTY}
    rows = groupby(reply_rows(rest), key=lambda row: row[0])
    return SaidOutput(
        who,
        text=str(reply.get("content", "")),
        confidence=reply.get("confidence"),
        rows=tuple((name, tuple(words for _, words in group)) for name, group in rows),
    )


def said_outputs(told: Iterable[Mapping[str, Any]]) -> tuple[SaidOutput, ...]:
    """Return the outputs of a context, by role and number: nobody's name is among them."""
    return tuple(said_output(str(item["role"]), item["output"]) for item in told)


def earlier_layers(told: Iterable[Mapping[str, Any]]) -> tuple[EarlierLayer, ...]:
    """Return what a context tells of earlier layers, layer by layer."""
    layers = groupby(told, key=lambda item: (item["layer"], item["name"]))
    return tuple(EarlierLayer(number, name, said_outputs(items)) for (number, name), items in layers)


def slot_path(step: OpenStep) -> str:
    """Return the address of a slot's page."""
    return f"/board/{step.deliberation}/{slot_id(step.step)}"


def flag_path(step: OpenStep) -> str:
    """Return the address of a flag's page."""
    return f"/flags/{flag_id(step)}"
