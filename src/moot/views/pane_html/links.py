"""Where the links of panes lead, and which number each seat has."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from moot.views.svg import safe_id

SEAT_HUES = 12

_EVENT = re.compile(r"e\d{1,12}")
_CLAIM = "claim:"
_PLAIN_ANCHOR = re.compile(r"[A-Za-z][A-Za-z0-9.:-]{0,79}")


@dataclass(frozen=True, slots=True)
class PaneLinks:
    """What a page knows beside its panes. Without addresses there are no links, as in the export."""

    seats: Mapping[str, int] = field(default_factory=dict)
    """The number of each seat, from 1."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names to show in the place of seats."""
    transcript: str = ""
    """The address of the page of events."""
    argument: str = ""
    """The address of the page of the argument."""
    query: Mapping[str, str] | None = None
    """The parameters of the page's own address; None where nothing can be chosen by them, and all is shown."""

    def name(self, seat: str) -> str:
        """Return what a seat is called here."""
        return self.aliases.get(seat, seat)

    def number(self, seat: str) -> int | None:
        """Return the number of a seat; under aliases it is the alias's, so that it tells nothing of who is who."""
        if self.aliases:
            names = sorted(set(self.aliases.values()))
            return names.index(self.name(seat)) + 1 if self.name(seat) in names else None
        return self.seats.get(seat)

    def href(self, link: str) -> str:
        """Return the address that a link means; empty where there is none."""
        if link == "argument":
            return self.argument
        if link.startswith(_CLAIM):
            claim = quote(link.removeprefix(_CLAIM), safe="", errors="replace")
            return f"{self.argument}?claim={claim}" if self.argument else ""
        if _EVENT.fullmatch(link):
            return f"{self.transcript}#{link}" if self.transcript else ""
        return f"#{anchor_id(link)}" if link else ""

    def with_parameter(self, name: str, value: str) -> str:
        """Return the page's own address with one parameter changed."""
        return f"?{urlencode({**(self.query or {}), name: value}, errors='replace')}"

    def chosen(self, name: str) -> str | None:
        """Return what the address says of a parameter."""
        return (self.query or {}).get(name)


def anchor_id(anchor: str) -> str:
    """Return the id of an entry: its anchor, spelled so that it can stand in an address."""
    return anchor if _PLAIN_ANCHOR.fullmatch(anchor) else safe_id("a", anchor)


def seat_numbers(seats: Iterable[str]) -> dict[str, int]:
    """Return the number of each seat in their order."""
    return {seat: number for number, seat in enumerate(seats, 1)}
