"""How many steps a search may still take."""


class StepBudget:
    """A budget of steps; below zero the search has given up."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> bool:
        """Take steps out of the budget; return whether it has not run out."""
        self.left -= steps
        return self.left >= 0
