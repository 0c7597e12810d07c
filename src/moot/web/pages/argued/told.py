"""What the page of an argument says beside the drawing: its lines as sentences, its structure, a what-if, a table."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from moot.methods.argued import ArgumentClaim, ArgumentFigures, ArgumentReading
from moot.views.drawn_graph import CUT, IN_A_CIRCLE, DrawnMark
from moot.views.words import counted, flat, one_line
from moot.web.pages.argued.drawer import ArgumentIndex, PremiseGroup, premise_groups
from moot.web.pages.argued.picture import claims_with, marks_of
from moot.web.pages.argued.state import ArgumentState

ROWS = 200
"""Rows of the table that are sent together."""
COLUMNS = (
    ("claim", "Claim", ""),
    ("type", "Type", ""),
    ("fate", "Fate", ""),
    ("", "Marks", ""),
    ("runs", "Runs", "figure"),
    ("confidence", "Confidence", "figure"),
    ("roads", "Lines", ""),
    ("", "Supported and attacked by", ""),
)
DESCENDING = ("runs", "confidence")
FATES = ("defeated", "undecided", "stands")
TYPES = ("conclusion", "inference", "given", "assumption")


@dataclass(frozen=True, slots=True)
class SupportRoad:
    """One line of support: what it starts from, and the claims on its way to the answer."""

    number: int
    """Its number in the drawing; 0 where it is not drawn."""
    starts: tuple[str, ...]
    steps: tuple[str, ...]
    stands: bool


@dataclass(frozen=True, slots=True)
class StructurePart:
    """Something that was found about the shape of an argument; each item is a chain of claims."""

    words: str
    items: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Supposition:
    """What a what-if changes."""

    width: str
    answer: str
    fallen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A row of the table: all that the box of the claim says, and what leads to it."""

    claim: ArgumentClaim
    marks: tuple[DrawnMark, ...]
    runs: int
    groups: tuple[PremiseGroup, ...]
    attackers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """One page of the table."""

    rows: tuple[ClaimRow, ...]
    total: int
    page: int
    pages: int
    direction: str
    words: str
    columns: tuple[tuple[str, str, str], ...] = COLUMNS


def roads_of(argument: ArgumentReading, index: ArgumentIndex) -> list[SupportRoad]:
    """Return the lines of support as they are drawn, then those that stand in the place of one that does not."""
    standing = set(argument.standing_paths)
    others = [path for path in argument.standing_paths if path not in set(argument.paths)]
    numbered = [*enumerate(argument.paths, 1), *((0, path) for path in others)]
    return [_road(number, path, argument, index, stands=path in standing) for number, path in numbered]


def _road(
    number: int, path: Sequence[str], argument: ArgumentReading, index: ArgumentIndex, *, stands: bool
) -> SupportRoad:
    """One line; a sentence that a claim of its line repeats is not told twice."""
    claims = [one for one in path if one in index.claims and one != argument.conclusion]
    words = {flat(index.words(one)) for one in claims}
    alone = [one for one in path if one not in index.claims and flat(index.words(one)) not in words]
    led_to = {edge.dst for one in claims for edge in index.ahead.get(one, ()) if edge.relation != "attacks"}
    starts = [*alone, *(one for one in claims if one not in led_to)]
    steps = [one for one in claims if one in led_to]
    return SupportRoad(number, tuple(starts or path), tuple(steps), stands)


def structure_of(argument: ArgumentReading) -> list[StructurePart]:
    """Return what is to be said about the shape of an argument."""
    shape = argument.structure
    ends = {one.candidate.id for one in argument.candidates}
    parts = (
        ("claim rests", "claims rest", "on nothing", _alone(one for one in shape.orphans if one not in ends)),
        ("circle", "circles", "of reasons", tuple(tuple(circle) for circle in shape.cycles)),
        ("claim", "claims", "said to be given and not met in a document", _alone(shape.ungrounded)),
        ("claim is", "claims are", "assumed", _alone(shape.assumptions)),
        ("claim is", "claims are", "refuted and still leaned on", _alone(shape.refuted_but_feeding)),
        ("claim is", "claims are", "disputed", _alone(argument.disputed)),
    )
    return [
        StructurePart(f"{len(items)} {one if len(items) == 1 else several} {what}", items)
        for one, several, what, items in parts
        if items
    ]


def supposition_of(argument: ArgumentReading) -> Supposition | None:
    """Return what a what-if changes; nothing where nothing is supposed."""
    before = argument.before
    if not argument.supposed or before is None:
        return None
    now = argument.figures
    if before.answer == now.answer:
        answer = "the answer stays" if now.answer else "no answer stands, with or without it"
    else:
        answer = f"the answer changes to “{one_line(now.answer)}”" if now.answer else "no answer stands"
    fallen = (claim.id for claim in argument.claims if claim.has_fallen and not claim.is_supposed)
    return Supposition(_moved_width(before, now), answer, tuple(fallen))


def fates_words(argument: ArgumentReading) -> str:
    """Return how many claims stand, in a sentence."""
    fates = Counter(claim.fate for claim in argument.claims)
    missing = len(argument.structure.ungrounded)
    stand = counted(fates["stands"], "claim")
    verb = "stands" if fates["stands"] == 1 else "stand"
    told = f"{stand} {verb}, {fates['defeated']} fall, {fates['undecided']} undecided"
    return f"{told}; {missing} said to be given and not met in a document." if missing else f"{told}."


def runs_of(argument: ArgumentReading) -> list[str]:
    """Return the runs that the claims come from, in their order."""
    return sorted({run.run for claim in argument.claims for run in claim.runs}, key=_natural)


def table_of(argument: ArgumentReading, index: ArgumentIndex, state: ArgumentState) -> ClaimTable:
    """Return a page of the claims as a table; where something is looked for, of those that have it."""
    hits = claims_with(argument, state.q)
    claims = [claim for claim in argument.claims if not state.q or claim.id in hits]
    if state.sort:
        claims.sort(key=_order(state.sort), reverse=state.sort in DESCENDING)
    pages = max(1, -(-len(claims) // ROWS))
    page = min(state.page, pages)
    first = (page - 1) * ROWS
    shown = claims[first : first + ROWS]
    circling = {one for circle in argument.structure.cycles for one in circle}
    return ClaimTable(
        rows=tuple(_row(claim, index, claim.id in circling) for claim in shown),
        total=len(claims),
        page=page,
        pages=pages,
        direction="descending" if state.sort in DESCENDING else "ascending",
        words=_table_words(len(claims), first, len(shown), looked_for=bool(state.q)),
    )


def _row(claim: ArgumentClaim, index: ArgumentIndex, circling: bool) -> ClaimRow:
    behind = index.behind.get(claim.id, ())
    marks = [*marks_of(claim), *([CUT] if claim.is_cut else []), *([IN_A_CIRCLE] if circling else [])]
    return ClaimRow(
        claim,
        tuple(marks),
        len({run.run for run in claim.runs}),
        tuple(premise_groups(behind)),
        claim.attackers,
    )


def _order(sort: str) -> Callable[[ArgumentClaim], Any]:
    orders: dict[str, Callable[[ArgumentClaim], Any]] = {
        "claim": lambda claim: flat(claim.claim).casefold(),
        "type": lambda claim: _place(TYPES, claim.type),
        "runs": lambda claim: len({run.run for run in claim.runs}),
        "confidence": lambda claim: claim.confidence,
        "fate": lambda claim: _place(FATES, claim.fate),
        "roads": lambda claim: claim.roads or (len(TYPES) * ROWS,),
    }
    return orders[sort]


def _place(order: Sequence[str], word: str) -> int:
    return order.index(word) if word in order else len(order)


def _table_words(total: int, first: int, shown: int, *, looked_for: bool) -> str:
    told = counted(total, "claim") + (" with these words" if looked_for else "")
    return told if shown == total else f"{told}, {first + 1} to {first + shown} shown"


def _moved_width(before: ArgumentFigures, after: ArgumentFigures) -> str:
    if before.support_width == after.support_width:
        return f"width stays {after.support_width}"
    return f"width {before.support_width} → {after.support_width}"


def _alone(ids: Any) -> tuple[tuple[str, ...], ...]:
    return tuple((one,) for one in ids)


def _natural(run: str) -> tuple[str, int]:
    digits = "".join(letter for letter in run if letter.isdecimal() and letter.isascii())
    return run.rstrip("0123456789"), int(digits or 0)
