"""Who is missing, grouped: equal reasons are said once, the gravest first (ruling G8)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Missing


@dataclass(frozen=True, slots=True)
class Absence:
    """Everything that is missing for one reason: the steps, by seat."""

    reason: str
    detail: str
    steps: Mapping[str, tuple[str, ...]]

    @property
    def cause(self) -> str:
        """Why, in words."""
        return f"{self.reason}: {self.detail}" if self.detail else self.reason

    @property
    def count(self) -> int:
        """How many replies are missing."""
        return sum(map(len, self.steps.values()))

    def json(self) -> dict[str, Any]:
        """Return the group for machines."""
        return {
            "reason": self.reason,
            "detail": self.detail,
            "seats": [{"seat": seat, "steps": list(steps)} for seat, steps in self.steps.items()],
        }


def absences(missing: Iterable[Missing]) -> tuple[Absence, ...]:
    """Return what is missing by its cause: what cost most first, equals in the order in which they happened."""
    groups: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for item in missing:
        steps = groups.setdefault((item.reason, item.detail), {})
        steps[item.seat] = (*steps.get(item.seat, ()), item.step)
    found = [Absence(reason, detail, steps) for (reason, detail), steps in groups.items()]
    return tuple(sorted(found, key=lambda absence: -absence.count))
