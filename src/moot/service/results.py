"""What comes of an order: a deliberation as it stands, for programs and for every surface."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from moot.core.budget import Spent
from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.confidence import Confidence, no_confidence
from moot.core.ports import OpenStep
from moot.core.record import Record, result
from moot.core.verdict import Dissent, Status

STOPPED = "it was stopped; resume goes on"
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Result:
    """A deliberation as it stands."""

    id: str
    record: Record
    status: Status
    spent: Spent
    """What it took; of one that has not ended, what the journal knows, calls under way included."""
    waiting: tuple[OpenStep, ...] = ()
    stalled: bool = False
    """Whether it counts as running while no process works on it."""
    stopped: bool = False
    """Whether it is stalled because it was stopped at a server."""

    @property
    def answer(self) -> str | None:
        """The answer, if there is one."""
        return self.record.verdict.answer if self.record.verdict else None

    @property
    def confidence(self) -> Confidence:
        """How sure the answer is, and by what measure; without a value where there is none, with the reason."""
        return self.record.verdict.confidence if self.record.verdict else no_confidence("it has not ended")

    @property
    def stop_reason(self) -> str:
        """Why it ended, or what it waits for."""
        waits = "; ".join(f"{step.step} waits for {step.role}: {step.title}" for step in self.waiting)
        standing = STOPPED if self.stopped else waits
        return self.record.verdict.stop_reason if self.record.verdict else standing

    @property
    def dissent(self) -> tuple[Dissent, ...]:
        """The answers that did not win, and who holds them."""
        return self.record.verdict.dissent if self.record.verdict else ()

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know before relying on the answer."""
        return self.record.verdict.caveats if self.record.verdict else ()

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Who was asked and did not answer, and why."""
        return self.record.verdict.missing if self.record.verdict else ()

    @property
    def cost(self) -> Spent:
        """What it took: calls, tokens, dollars and seconds, and of how many calls that is unknown."""
        return self.spent

    @property
    def detail(self) -> Mapping[str, Any]:
        """What the protocol's paper says its output is, under the paper's names."""
        return self.record.verdict.detail if self.record.verdict else NOTHING

    @property
    def graph(self) -> Mapping[str, Any] | None:
        """The argument graph, as `moot.argument.GraphStore.from_json` reads it; None where the protocol draws none."""
        return self.detail.get("graph")

    def json(self) -> dict[str, Any]:
        """Return the object that `--json` prints."""
        told = {**result(self.id, self.record), "status": self.status.value, "cost": plain(self.spent)}
        return {**told, "stop_reason": self.stop_reason}
