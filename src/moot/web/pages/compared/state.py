"""What the address of a comparison says: which deliberations, which is the base, where the claims begin."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

PATH = "/compare"


@dataclass(frozen=True, slots=True)
class CompareState:
    """All that a reader has chosen; each choice is a link to the same page with another state."""

    ids: tuple[str, ...]
    base: str = ""
    start: int = 0

    def address(self, **changes: Any) -> str:
        """Return the address of the page with these changes."""
        other = replace(self, **changes)
        chosen: list[tuple[str, str]] = [("d", id_) for id_ in other.ids]
        chosen += [("base", other.base)] if other.base else []
        chosen += [("start", str(other.start))] if other.start else []
        return f"{PATH}?{urlencode(chosen)}" if chosen else PATH

    def without(self, id_: str) -> str:
        """Return the address of the page without one of them."""
        rest = tuple(each for each in self.ids if each != id_)
        return self.address(ids=rest, base="" if self.base == id_ else self.base, start=0)

    def with_one_more(self, id_: str) -> str:
        """Return the address of the page with one more."""
        return self.address(ids=(*self.ids, id_), start=0)
