"""What the address of an argument's page says: what is selected, supposed, drawn and sorted."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Path, Query

View = Literal["", "all", "cone"]
Sort = Literal["", "claim", "type", "runs", "confidence", "fate", "roads"]

LONGEST = 400
MOST_SUPPOSED = 50
DEEPEST_PAGE = 100_000


@dataclass(frozen=True, slots=True)
class ArgumentState:
    """All that a reader has chosen; each choice is a link to the same page with another state."""

    path: str
    claim: str = ""
    """The claim, or the sentence beneath one, whose drawer is open."""
    refute: tuple[str, ...] = ()
    """What is supposed to be wrong."""
    candidate: str = ""
    view: View = ""
    focus: str = ""
    """The claim whose cone is drawn, where it is not the conclusion's."""
    colour: Literal["", "run"] = ""
    q: str = ""
    sort: Sort = ""
    page: int = 1

    def address(self, **changes: Any) -> str:
        """Return the address of the page with these changes."""
        changed = replace(self, **changes)
        query = urlencode([pair for pair in changed.pairs() if pair[1]])
        return f"{self.path}?{query}" if query else self.path

    def pairs(self) -> list[tuple[str, str]]:
        """Return the names and values of the address, empty ones too."""
        return [
            ("claim", self.claim),
            *(("refute", one) for one in self.refute),
            ("candidate", self.candidate),
            ("view", self.view),
            ("focus", self.focus),
            ("colour", self.colour),
            ("q", self.q),
            ("sort", self.sort),
            ("page", str(self.page) if self.page > 1 else ""),
        ]

    def hidden(self, *without: str) -> list[tuple[str, str]]:
        """Return what a form has to carry along, without the fields of its own."""
        return [(name, value) for name, value in self.pairs() if value and name not in without]

    def selecting(self, claim: str) -> str:
        """Return the address with the drawer of a claim."""
        return self.address(claim=claim)

    def supposing(self, claim: str) -> str:
        """Return the address where a claim is supposed to be wrong as well."""
        return f"{self.address(refute=tuple(dict.fromkeys((*self.refute, claim))))}#whatif"

    def sparing(self, claim: str) -> str:
        """Return the address where a claim is no longer supposed to be wrong."""
        rest = tuple(one for one in self.refute if one != claim)
        return f"{self.address(refute=rest)}#whatif" if rest else self.supposing_nothing

    @property
    def supposing_nothing(self) -> str:
        """The address of the argument as it is on record."""
        return f"{self.address(refute=())}#graph-title"

    def drawing(self, form: str) -> str:
        """Return the address of what is drawn, as a file of its own."""
        query = urlencode([pair for pair in replace(self, sort="", page=1).pairs() if pair[1]])
        return f"{self.path}/{form}?{query}" if query else f"{self.path}/{form}"


Name = Annotated[str, Query(max_length=LONGEST)]


def state_of(
    id_: Annotated[str, Path(alias="id", max_length=100)],
    claim: Name = "",
    refute: Annotated[list[Name] | None, Query(max_length=MOST_SUPPOSED)] = None,
    candidate: Name = "",
    view: View = "",
    focus: Name = "",
    colour: Literal["", "run"] = "",
    q: Name = "",
    sort: Sort = "",
    page: Annotated[int, Query(ge=1, le=DEEPEST_PAGE)] = 1,
) -> ArgumentState:
    """Return what an address says."""
    supposed = tuple(dict.fromkeys(one for one in refute or () if one))
    return ArgumentState(f"/d/{id_}/argument", claim, supposed, candidate, view, focus, colour, q.strip(), sort, page)


State = Annotated[ArgumentState, Depends(state_of)]
