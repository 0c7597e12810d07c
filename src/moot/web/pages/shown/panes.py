"""What a protocol itself shows of a record, and where its links lead."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from moot.service.reading.folds import FoldedRecord
from moot.views.pane_html import PaneLinks, pane_html, seat_numbers
from moot.web.pages.heading import Heading

ROUNDS_PARTS = {"part-panes": "parts/panes.html"}
"""The template that a stream renders anew, by the id of the element that it fills."""

MOST_CHOICES = 20
LONGEST_CHOICE = 200
OWN_PARAMETERS = ("after", "tab")


@dataclass(frozen=True, slots=True)
class PanesShown:
    """The panes of a page in its two columns."""

    wide: Markup
    side: Markup


def drawn(html: str) -> Markup:
    """Return what a writer of `views` made as it is: the writers escape what they draw."""
    return Markup(html)  # noqa: S704


def choices_of(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return what an address chooses of panes, such as a loop: any name may be one."""
    given = [(name, value) for name, value in parameters.items() if name not in OWN_PARAMETERS]
    return {name[:LONGEST_CHOICE]: value[:LONGEST_CHOICE] for name, value in given[:MOST_CHOICES]}


def pane_links(heading: Heading, folded: FoldedRecord, chosen: Mapping[str, str] | None = None) -> PaneLinks:
    """Return where the links of panes lead on the pages of a deliberation."""
    return PaneLinks(
        seats=seat_numbers(member.name for member in heading.head.header.panel),
        aliases=folded.panes.aliases,
        transcript=f"{heading.path}/transcript",
        argument=f"{heading.path}/argument" if heading.head.argument else "",
        query=chosen,
    )


def panes_shown(heading: Heading, folded: FoldedRecord, chosen: Mapping[str, str]) -> PanesShown:
    """Return the panes as HTML, with what an address chooses of them."""
    links = pane_links(heading, folded, chosen)
    wide = "".join(pane_html(pane, links) for pane in folded.panes.panes if not pane.side)
    return PanesShown(drawn(wide), drawn("".join(pane_html(pane, links) for pane in folded.panes.panes if pane.side)))
