"""What a page shows of a spiral: where it stands, its loops, what is measured beside what is scheduled, its coda."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from moot.core.events import Event
from moot.core.panes import (
    ItemList,
    Pane,
    PaneBlock,
    PaneCell,
    PaneChoice,
    PaneItem,
    PaneOption,
    PaneRow,
    Panes,
    PaneTable,
    SeatPosition,
    SeatStanding,
    Stage,
)
from moot.core.record import Record
from moot.methods.sameness import strict_form
from moot.methods.staging import stage_events, stages_in_order
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.pages.coda import coda_pane, reasons
from moot.protocols.spiral.pages.figures import PartWeights, agreement_chart, loop_name, pair_matrix
from moot.protocols.spiral.pages.loops import all_loops, loop_section
from moot.protocols.spiral.pages.progress import HeldPosition, LoopProgress, SpiralProgress, loop_of, progress_of
from moot.views.words import agreement_words

ALL = "all"
BLIND = "Nobody is heard yet: what is said in the exposition is shown when all have answered."

LoopView = Callable[[LoopProgress], tuple[PaneBlock, ...]]


def panes(record: Record) -> Panes:
    """Return the panes of a spiral, also of one that runs."""
    progress = progress_of(record)
    verdict = record.verdict
    return Panes(
        stages=_stages(record, progress),
        standing=_standing(record, progress),
        why=reasons(verdict, progress) if verdict else (),
        rounds="Loops",
        panes=tuple(_panes(record, progress)),
        argument=True,
    )


def _stages(record: Record, progress: SpiralProgress) -> tuple[Stage, ...]:
    planned = [Stage("exposition", "Exposition", "to come", aside="each answers alone")]
    planned += [Stage(f"loop-{loop}", f"Loop {loop}", "to come", aside=LEVELS[loop]) for loop in LEVELS]
    now = "" if record.verdict else planned[progress.under_way].name
    return stages_in_order(planned, stage_events(record, _stage_of, planned[0].name), now)


def _stage_of(event: Event) -> str:
    loop = loop_of(event)
    return "" if loop is None else f"loop-{loop}" if loop else "exposition"


def _standing(record: Record, progress: SpiralProgress) -> SeatStanding:
    held = list(progress.positions.values())
    asked = len(record.header.panel)
    agreement = agreement_words([one.answer for one in held], asked, strict_form)
    if progress.measured:
        last = progress.measured[-1]
        agreement += f" Harmony after {loop_name(last.loop)}: {(last.measured or {})['harmony']:.2f}."
    absent = progress.loops[0].absent
    silent = f"No answer came from {', '.join(absent)}." if absent else ""
    return SeatStanding(tuple(map(_position, held)), agreement.strip(), silent if held or absent else BLIND)


def _position(held: HeldPosition) -> SeatPosition:
    since = f"since loop {held.loop}" if held.loop else ""
    return SeatPosition(held.seat, held.answer, aside=since, event=held.event)


def _panes(record: Record, progress: SpiralProgress) -> Iterator[Pane]:
    if progress.measured:
        chart = agreement_chart(progress.measured, ended=record.verdict is not None)
        beside = "measured beside scheduled; the schedule measures nothing"
        yield Pane("agreement", "Agreement and divergence by loop", (chart,), beside)
        yield Pane("pairs", "Pairs", (_pairs(progress, _weights(record.header.settings)),), "C", side=True)
    yield Pane(
        "loops", "Loop by loop", (_choice(progress, all_loops(progress.loops), lambda one: (loop_section(one),)),)
    )
    yield Pane("positions", "Positions", (_choice(progress, (_positions(progress.loops[-1]),), _held_after),))
    if record.verdict:
        yield coda_pane(record.verdict, progress)


def _choice(progress: SpiralProgress, everything: tuple[PaneBlock, ...], view: LoopView) -> PaneChoice:
    """All loops, or one of them; the choices of a page move together."""
    options = [PaneOption(str(one.loop), _named(one), view(one)) for one in progress.loops]
    return PaneChoice("loop", "Loop", (PaneOption(ALL, "All", everything), *options), ALL)


def _named(loop: LoopProgress) -> str:
    return f"Loop {loop.loop}" if loop.loop else "Exposition"


def _pairs(progress: SpiralProgress, weights: PartWeights) -> PaneChoice:
    small = tuple(pair_matrix(loop, weights, small=True) for loop in progress.measured)
    last = pair_matrix(progress.measured[-1], weights)

    def view(loop: LoopProgress) -> tuple[PaneBlock, ...]:
        return (pair_matrix(loop, weights),) if loop.measured else (_unmeasured(loop),)

    return _choice(progress, (last, *small), view)


def _unmeasured(loop: LoopProgress) -> ItemList:
    return ItemList((PaneItem(f"Agreement after {loop_name(loop.loop)} is not measured yet.", tone="soft"),))


def _weights(settings: Mapping[str, Any]) -> PartWeights:
    return {name: float(settings[f"{name}_weight"]) for name in ("similarity", "entailment", "facts")}


def _held_after(loop: LoopProgress) -> tuple[PaneBlock, ...]:
    return (_positions(loop),)


def _positions(loop: LoopProgress) -> PaneTable:
    rows = tuple(_row(held, loop.loop) for held in loop.positions.values())
    caption = f"After {loop_name(loop.loop)}" if loop.measured else f"In {loop_name(loop.loop)}, so far"
    return PaneTable(("seat", "answer", "claims", "since"), rows, caption, empty=BLIND)


def _row(held: HeldPosition, loop: int) -> PaneRow:
    claims = tuple(PaneItem(claim) for claim in held.claims)
    moved = bool(loop) and held.loop == loop
    since = PaneCell(loop_name(held.loop), mark="moved" if moved else "", tone="now" if moved else "")
    return PaneRow(
        (
            PaneCell(held.seat, seats=(held.seat,)),
            PaneCell(held.answer, link=f"e{held.event}"),
            PaneCell(items=claims),
            since,
        )
    )
