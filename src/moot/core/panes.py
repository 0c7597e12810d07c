"""What a page shows of a deliberation beside its answer: where it stands, what is done and what is to come.

A protocol's `panes(record)` returns these for a record that is still running as well. They are values and no markup:
`views` draws them, on a page and in the export alike. Whatever a member or a person wrote is data in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Tone = Literal["", "good", "warn", "bad", "now", "soft"]
"""What a mark says beside its word: fine, to be looked at, wrong, under way, of no weight."""

StageState = Literal["done", "now", "to come", "skipped"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the protocol's way, in the order in which they come."""

    name: str
    """Its name in addresses, such as `round-2`."""
    words: str
    state: StageState
    events: int = 0
    first: int | None = None
    """The seq of its first event."""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """What a seat holds at present."""

    seat: str
    answer: str
    confidence: float | None = None
    vote: str = ""
    aside: str = ""
    event: int | None = None
    """The seq of the event that says so."""


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """Where a run stands that has not ended: nothing in it is an answer yet."""

    positions: tuple[SeatPosition, ...] = ()
    agreement: str = ""
    """How many agree, in a sentence."""
    lead: str = ""
    """What is known where there are no positions, such as who is still to be heard."""


@dataclass(frozen=True, slots=True)
class PaneItem:
    """One thing that is said, with whose it is and what belongs under it."""

    words: str
    seats: tuple[str, ...] = ()
    mark: str = ""
    """A word or two set apart, such as `moved`."""
    tone: Tone = ""
    aside: str = ""
    quote: bool = False
    """Whether the words are cited: a sentence of a document, an axiom."""
    anchor: str = ""
    link: str = ""
    """What it leads to: `e17` an event, `claim:ID` a claim of the argument, or the anchor of another entry."""
    under: tuple["PaneItem", ...] = ()


@dataclass(frozen=True, slots=True)
class PaneCell:
    """One place of a table."""

    words: str = ""
    number: float | None = None
    """What it is sorted by where it is a figure; figures stand at the right."""
    seats: tuple[str, ...] = ()
    tone: Tone = ""
    mark: str = ""
    aside: str = ""
    link: str = ""
    items: tuple[PaneItem, ...] = ()
    run_on: bool = False
    """Whether its items are mere names, which stand one behind the other and not each on a line."""


@dataclass(frozen=True, slots=True)
class PaneRow:
    """A line of a table."""

    cells: tuple[PaneCell, ...]
    anchor: str = ""
    struck: bool = False
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class PaneTable:
    """Rows under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[PaneRow, ...]
    caption: str = ""
    filters: tuple[str, ...] = ()
    """Columns whose words rows may be chosen by."""
    empty: str = "There is nothing here yet."


@dataclass(frozen=True, slots=True)
class ItemList:
    """Things that are said, one below the other."""

    items: tuple[PaneItem, ...]
    title: str = ""
    empty: str = ""


@dataclass(frozen=True, slots=True)
class PaneSection:
    """A title at the left with blocks beside it, such as a loop and what happened in it."""

    title: str
    aside: str
    blocks: tuple["PaneBlock", ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text as it was written, line breaks kept."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One line of a chart."""

    name: str
    values: tuple[float | None, ...]
    tone: Tone = ""
    dashed: bool = False
    """Dashed and hollow: a figure that was not measured."""


@dataclass(frozen=True, slots=True)
class LineChart:
    """Figures along an axis of named places."""

    finding: str
    """What the chart shows, in a sentence: its label for whoever does not see it."""
    places: tuple[str, ...]
    series: tuple[ChartSeries, ...]
    thresholds: tuple[tuple[str, float], ...] = ()
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class MatrixChart:
    """Figures between 0 and 1 by row and column; None is empty."""

    finding: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    parts: tuple[tuple[str, ...], ...] = ()
    """What each figure is made of, in words, shown where it is pointed at."""
    small: bool = False
    caption: str = ""
    seats: bool = False
    """Whether rows and columns are seats."""


@dataclass(frozen=True, slots=True)
class PathPicture:
    """A graph that is no argument: places, lines between them, and ways through it."""

    finding: str
    nodes: tuple[tuple[str, str], ...]
    """Ids with their words."""
    edges: tuple[tuple[str, str, str], ...]
    """From, to, relation."""
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Named ways: the ids that each goes through."""


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two versions of a text."""

    before: str
    after: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class PaneOption:
    """One of several views, of which one is shown."""

    value: str
    words: str
    blocks: tuple["PaneBlock", ...]


@dataclass(frozen=True, slots=True)
class PaneChoice:
    """Views of which one is shown, by a parameter of the address: `?loop=3`. Choices of one name move together."""

    name: str
    words: str
    options: tuple[PaneOption, ...]
    chosen: str
    """The value that is shown where the address says nothing."""


PaneBlock = (
    ItemList | PaneTable | PaneSection | TextBlock | LineChart | MatrixChart | PathPicture | TextDiff | PaneChoice
)


@dataclass(frozen=True, slots=True)
class Pane:
    """A card: a title, a soft word beside it, and what is in it."""

    name: str
    title: str
    blocks: tuple[PaneBlock, ...]
    aside: str = ""
    side: bool = False
    """Whether it stands in the narrow column at the right where there is room for two."""


@dataclass(frozen=True, slots=True)
class Panes:
    """All that a protocol shows of a record."""

    stages: tuple[Stage, ...] = ()
    standing: SeatStanding = field(default_factory=SeatStanding)
    why: tuple[PaneItem, ...] = ()
    """Why the answer is believed, in at most three lines; a link `argument` leads to the argument."""
    rounds: str = ""
    """The word for its own page: Loops, Rounds, Layers, Columns. Empty where it has none."""
    panes: tuple[Pane, ...] = ()
    """What is on that page, in order."""
    argument: bool = False
    """Whether an argument is drawn of it, at its end if not before."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names to show in the place of seats, where the protocol hides who is who."""
    note: str = ""
    """What a reader must know of them, such as that the protocol's own could not be made."""
