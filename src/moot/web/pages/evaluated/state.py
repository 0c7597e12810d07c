"""What the address of an evaluation says; each choice is a link to the same page with another state."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlencode

from fastapi import Depends, Path, Query

PATH = "/evals"
Show = Literal["all", "divided", "failed"]
LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class EvalState:
    """All that a reader has chosen of a run."""

    run: str
    beside: str = ""
    """Another run that stands beside it."""
    against: str = ""
    """The arm that others are compared with; empty leaves it to the page."""
    show: Show = "all"
    """Which items are listed."""
    start: int = 0
    """Where the list of items begins."""

    @property
    def path(self) -> str:
        """The address of the run itself."""
        return f"{PATH}/{quote(self.run, safe='')}"

    def address(self, **changes: Any) -> str:
        """Return the address of the page with these changes."""
        return f"{self.path}{replace(self, **changes).query}"

    @property
    def live(self) -> str:
        """The address of the stream that keeps the page up."""
        return f"/live/evals/{quote(self.run, safe='')}{self.query}"

    @property
    def query(self) -> str:
        """What is chosen, as it stands behind the path."""
        given = {"beside": self.beside, "against": self.against, "show": self.show, "start": self.start}
        chosen = urlencode({name: value for name, value in given.items() if value not in ("", "all", 0)})
        return f"?{chosen}" if chosen else ""

    def cell(self, arm: str, item: str) -> str:
        """Return the address of what an arm made of an item."""
        return f"{self.path}/{quote(arm, safe='')}/{quote(item, safe='')}"


RunName = Annotated[str, Path(min_length=1, max_length=LONGEST_NAME)]


def _state(
    run: RunName,
    beside: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    against: Annotated[str, Query(max_length=200)] = "",
    show: Annotated[Show, Query()] = "all",
    start: Annotated[int, Query(ge=0, lt=2**62)] = 0,
) -> EvalState:
    return EvalState(run, beside, against, show, start)


RunAsked = Annotated[EvalState, Depends(_state)]
