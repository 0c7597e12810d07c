"""The paper's goals G1 to G5 (interrogation, PRD 5): target, what was measured, and whether it is met.

What was not measured is unknown, with the reason; it is never met by default. `met` is about the figures of this run;
the intervals beside them say how much it proves. Two shares of which few answers make one higher are not told apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.evals.figures.calibration import by_support_width, is_monotone
from moot.evals.figures.metrics import Expense, compare, expense, proportion
from moot.evals.items.items import ArmRow
from moot.views.words import counted

SYSTEM, REVISIT, REINJECTION, FRONTIER = "interrogation", "revisit", "verbatim", "frontier"

NOTHING = "\u2013"
"""What stands where there is no figure."""

State = Literal["met", "not met", "unknown"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal: what was to be reached, what was measured, and the state that this gives."""

    name: str
    goal: str
    target: str
    measured: str
    state: State
    why: str = ""
    """The reason, where the state is unknown; else what should be read with it."""


@dataclass(frozen=True, slots=True)
class ScreenCost:
    """What a screen of so many members cost; None where nobody knows. It is whole where each was asked every item."""

    members: int
    usd: float | None
    asked: int
    """Pairs of member and item that were asked, of members that answer at all."""
    whole: int
    """Pairs that a whole screen has."""


def goals(rows: Mapping[str, Sequence[ArmRow]], screen: ScreenCost | None = None) -> tuple[Goal, ...]:
    """Return all five goals, from the rows of each arm by name and the screen's cost."""
    return (screening_goal(screen), _self_correction(rows), _per_dollar(rows), _structure(rows), _auditable(rows))


def screening_goal(screen: ScreenCost | None) -> Goal:
    """Return goal G1. It speaks of a screen from end to end: one of which a part was run is not judged."""

    def told(measured: str, state: State, why: str = "") -> Goal:
        target = "the screen runs end to end for less than $1"
        return Goal("G1", "screening identifies grounded models", target, measured, state, why)

    if screen is None:
        return told(NOTHING, "unknown", "no screen belongs to this run; `moot screen` makes one")
    cost = "cost unknown" if screen.usd is None else f"${screen.usd:.4f}"
    measured = f"{counted(screen.members, 'member')}, {screen.asked} of {screen.whole} items, {cost}"
    if screen.asked < screen.whole:
        whole = "it needs the whole screen, every item of each kind put to every member (`moot screen` without --limit)"
        return told(measured, "unknown", f"not judged: {whole}")
    if screen.usd is None:
        return told(measured, "unknown", "a price is not known")
    return told(measured, "met" if screen.usd < 1 else "not met")


def _self_correction(rows: Mapping[str, Sequence[ArmRow]]) -> Goal:
    def told(measured: str, state: State, why: str = "") -> Goal:
        target = "at least 5 points above `revisit` and `verbatim`, at equal or lower cost"
        return Goal("G2", "the system beats naive self-correction", target, measured, state, why)

    if missing := _missing(rows, SYSTEM, REVISIT, REINJECTION):
        return told(NOTHING, "unknown", missing)
    measured: list[str] = []
    why: list[str] = []
    reached: list[bool | None] = []
    for rival in (REVISIT, REINJECTION):
        pair = compare(rows[SYSTEM], rows[rival])
        if pair.difference is None:
            return told(NOTHING, "unknown", f"`{SYSTEM}` and `{rival}` have no item in common")
        ours, theirs = _on_common_items(rows[SYSTEM], rows[rival])
        unit, ratio = cost_ratio(ours, theirs)
        cost = "cost unknown" if ratio is None else f"{ratio:.1f} times the {unit}"
        measured.append(f"{100 * pair.difference:+.1f} points on `{rival}`, {cost}")
        why.append(f"`{rival}`: p = {pair.p_value:.2g} (exact McNemar)")
        higher = round(pair.difference, 9) >= 0.05
        reached.append(False if not higher else None if ratio is None else ratio <= 1)
    state: State = "not met" if False in reached else "unknown" if None in reached else "met"
    if state == "unknown":
        why.append("neither dollars nor tokens are known")
    return told("; ".join(measured), state, "; ".join(why))


def _per_dollar(rows: Mapping[str, Sequence[ArmRow]]) -> Goal:
    def told(measured: str, state: State, why: str = "") -> Goal:
        target = "at least twice as many correct answers per dollar as one frontier call"
        return Goal("G3", "a cheap ensemble beats one big call", target, measured, state, why)

    if missing := _missing(rows, SYSTEM, FRONTIER):
        return told(NOTHING, "unknown", missing)
    ours, theirs = _on_common_items(rows[SYSTEM], rows[FRONTIER])
    if ours.usd is None or theirs.usd is None:
        return told(NOTHING, "unknown", "what one of the two cost is not known")
    if not ours.usd or not theirs.usd:
        free = SYSTEM if not ours.usd else FRONTIER
        return told(NOTHING, "unknown", f"`{free}` cost $0, so correct answers per dollar have no finite value")
    if not theirs.correct:
        return told(NOTHING, "unknown", f"`{FRONTIER}` had nothing right")
    ratio = (ours.correct / ours.usd) / (theirs.correct / theirs.usd)
    measured = f"{ratio:.2f} times ({ours.correct / ours.usd:.1f} against {theirs.correct / theirs.usd:.1f} per dollar)"
    return told(measured, "met" if ratio >= 2 else "not met")


def _structure(rows: Mapping[str, Sequence[ArmRow]]) -> Goal:
    def told(measured: str, state: State, why: str = "") -> Goal:
        target = "answers of width 2 or more are right more often than those of width 1; monotone"
        return Goal("G4", "confidence is calibrated by structure", target, measured, state, why)

    if missing := _missing(rows, SYSTEM):
        return told(NOTHING, "unknown", missing)
    strata = by_support_width(rows[SYSTEM])
    measured = "; ".join(f"width {part}: {part.right.right} of {part.right.of}" for part in strata) or NOTHING
    narrow = [row.correct for row in rows[SYSTEM] if row.support_width == 1]
    wide = [row.correct for row in rows[SYSTEM] if row.support_width is not None and row.support_width >= 2]
    if not narrow or not wide:
        return told(measured, "unknown", "there are not answers of both width 1 and width 2 or more")
    is_higher = sum(wide) * len(narrow) > sum(narrow) * len(wide)
    if not is_higher or not is_monotone(strata):
        return told(measured, "not met")
    # As for a recommendation: by more than chance, with the whole interval of the share.
    if proportion(sum(wide), len(wide)).low <= sum(narrow) / len(narrow):
        return told(measured, "unknown", "higher, but so few answers do not tell it from chance")
    return told(measured, "met")


def _auditable(rows: Mapping[str, Sequence[ArmRow]]) -> Goal:
    def told(measured: str, state: State, why: str = "") -> Goal:
        target = "every conclusion comes with its graph, survivors, width and disputed claims: 100 %"
        return Goal("G5", "auditable output", target, measured, state, why)

    if missing := _missing(rows, SYSTEM):
        return told(NOTHING, "unknown", missing)
    concluded = [row for row in rows[SYSTEM] if row.answer is not None and not row.abstained]
    without = len(rows[SYSTEM]) - len(concluded)
    why = f"{without} of {len(rows[SYSTEM])} runs came to no conclusion" if without else ""
    if not concluded:
        return told(NOTHING, "unknown", why)
    shipped = proportion(sum(row.detail.get("auditable") is True for row in concluded), len(concluded))
    return told(f"{shipped.right} of {shipped.of}", "met" if shipped.right == shipped.of else "not met", why)


def cost_ratio(ours: Expense, theirs: Expense) -> tuple[str, float | None]:
    """Return in what unit two costs can be compared, and how many times theirs ours is.

    Dollars, unless one of the two is unknown or both are 0, as with a model on this machine; then tokens.
    """
    if ours.usd is not None and theirs.usd:
        return "dollars", ours.usd / theirs.usd
    if ours.usd and theirs.usd == 0:
        return "dollars", float("inf")
    if ours.tokens is not None and theirs.tokens:
        return "tokens", ours.tokens / theirs.tokens
    return "cost", None


def _on_common_items(first: Sequence[ArmRow], second: Sequence[ArmRow]) -> tuple[Expense, Expense]:
    common = {(row.dataset, row.item) for row in first} & {(row.dataset, row.item) for row in second}
    ours, theirs = ([row for row in rows if (row.dataset, row.item) in common] for rows in (first, second))
    return expense(ours), expense(theirs)


def _missing(rows: Mapping[str, Sequence[ArmRow]], *arms: str) -> str:
    absent = [f"`{arm}`" for arm in arms if not rows.get(arm)]
    return f"no results of {', '.join(absent)} in this run" if absent else ""
