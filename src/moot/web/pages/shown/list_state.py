"""What the address of the list says: what is searched for, which filters, which order, where the page begins."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import Depends, Query

Order = Literal["newest", "oldest", "cost", "seconds"]

LONGEST = 200
ORDERS: dict[str, str] = dict(
    zip(get_args(Order), ("newest first", "oldest first", "dearest first", "longest first"), strict=True)
)


@dataclass(frozen=True, slots=True)
class ListState:
    """All that a reader has chosen of the list; each choice is a link to the same page with another state."""

    q: str = ""
    protocol: str = ""
    status: str = ""
    model: str = ""
    owner: str = ""
    since: str = ""
    sort: Order = "newest"
    after: int | None = None

    @property
    def chosen(self) -> dict[str, Any]:
        """What is chosen, by the names of the address."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in told.items() if value not in ("", None, "newest")}

    @property
    def is_filtered(self) -> bool:
        """Whether something keeps deliberations out of the list."""
        return bool(self.chosen.keys() - {"sort", "after"})

    def address(self, **changes: Any) -> str:
        """Return the address of the list with these changes."""
        query = urlencode(replace(self, **changes).chosen)
        return f"/?{query}" if query else "/"


Word = Annotated[str, Query(max_length=LONGEST)]


def _state(
    q: Word = "",
    protocol: Word = "",
    status: Word = "",
    model: Word = "",
    owner: Word = "",
    since: Word = "",
    sort: Annotated[Order, Query()] = "newest",
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> ListState:
    texts = (each.strip() for each in (q, protocol, status, model, owner, since))
    return ListState(*texts, sort, after)


ListAsked = Annotated[ListState, Depends(_state)]
