"""What the journal already knows when a run begins or goes on."""

from moot.core.calls import Attempt, Outcome
from moot.core.ports import Journaled


class JournaledSteps:
    """Journaled rows by step. A step's rows are given out once, so that they do not stay in memory."""

    def __init__(self, journaled: Journaled) -> None:
        self._attempts: dict[str, list[Attempt]] = {}
        self._outcomes = {outcome.step: outcome for outcome in journaled.outcomes}
        for row in sorted(journaled.attempts, key=lambda row: row.attempt):
            self._attempts.setdefault(row.step, []).append(row)

    def __contains__(self, step: str) -> bool:
        return step in self._attempts or step in self._outcomes

    def beginning(self, start: str) -> list[str]:
        """Return the steps that have not been recalled and whose names begin so, in the order of their names."""
        return sorted(step for step in {**self._attempts, **self._outcomes} if step.startswith(start))

    def recall(self, step: str) -> tuple[list[Attempt], Outcome | None]:
        """Return the attempts at a step in order, and what it came to."""
        return self._attempts.pop(step, []), self._outcomes.pop(step, None)
