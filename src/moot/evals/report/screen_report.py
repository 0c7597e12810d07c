"""What a screen comes to: its tables and its JSON, each with all that the other has."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from moot.evals.figures.forms import WAY_WORDS, Formed, Forms, formed
from moot.evals.figures.goals import NOTHING, Goal, screening_goal
from moot.evals.figures.metrics import Proportion
from moot.evals.figures.recommendation import Recommendation, needed_right, recommendation
from moot.evals.figures.screen import LABELS, Screened, cost_of_screen, screened
from moot.evals.report.parts import FigureTable, GoalList, Paragraph, SummaryPart, SummarySection, table
from moot.evals.report.summary_json import share_json
from moot.evals.runs.screening import Done
from moot.views.words import harmless, usd_words

RIGHT_WORDS = (
    "Percent with 95 % Wilson intervals. Right: grounded, or abstained where the documents do not settle the question. "
    "Needed: how many must be right to be recommended, half of the items and more than always abstaining brings by "
    "chance. In shape at once: replies that were readable as they came, in the form that the member keeps to best."
)
FORM_WORDS = (
    "Same answer: the items on which plain and its second way (numbered or program) say the same, both readable."
)


@dataclass(frozen=True, slots=True)
class ScreenReport:
    """A screen in figures."""

    members: tuple[Screened, ...]
    forms: Mapping[str, Forms]
    recommendation: Recommendation
    goal: Goal
    """Goal G1 of the paper."""
    items: int
    """Items that each member was to be asked."""
    unasked: int
    why_unasked: str


def screen_report(done: Done) -> ScreenReport:
    """Return the figures of a screen as far as it has come."""
    members, forms = tuple(screened(done.rows)), formed(done.forms)
    return ScreenReport(
        members=members,
        forms=forms,
        recommendation=recommendation(members, forms),
        goal=screening_goal(cost_of_screen(done.rows, done.forms) if done.rows else None),
        items=done.items,
        unasked=done.unasked,
        why_unasked=done.why_unasked,
    )


def screen_sections(report: ScreenReport) -> tuple[SummarySection, ...]:
    """Return the members, their forms, the goal, and who is recommended."""
    sections = (
        SummarySection("Members", (_members(report), Paragraph(RIGHT_WORDS))),
        SummarySection("Forms", tuple(_forms(report))),
        SummarySection("Goal", (GoalList((report.goal,)),)),
        SummarySection("Recommendation", (Paragraph(harmless(str(report.recommendation))),)),
    )
    return tuple(section for section in sections if section.parts)


def screen_json(report: ScreenReport) -> dict[str, Any]:
    """Return the figures for `--json`."""
    best = report.recommendation
    return {
        "items": report.items,
        "members": [_member_json(one, report.forms.get(one.member)) for one in report.members],
        "recommended": {"member": best.member, "reason": best.why},
        "goals": [asdict(report.goal)],
        "unasked": report.unasked,
        "why_unasked": report.why_unasked,
    }


def _members(report: ScreenReport) -> FigureTable:
    head = ("member", "right", "needed", *LABELS, "in shape at once", "items", "no answer", "calls", "cost", "seconds")
    return table(head, (_member_cells(one, report) for one in report.members))


def _member_cells(one: Screened, report: ScreenReport) -> Iterator[str]:
    needed, forms = needed_right(one.items, one.unsettled), report.forms.get(one.member)
    yield one.member
    yield _percent(one.right)
    yield NOTHING if needed is None else f"{needed} of {one.items}"
    yield from (_percent(one.shares[label]) for label in LABELS)
    yield _of(forms.in_shape) if forms else NOTHING
    yield f"{one.items} of {report.items}"
    yield from map(str, (one.failed, one.calls))
    yield usd_words(one.known_usd.total, one.known_usd.unknown, "item", of=one.items)
    yield f"{one.seconds:.1f}"


def _forms(report: ScreenReport) -> Iterator[SummaryPart]:
    for member, forms in report.forms.items():
        agree = f"Same answer: {_of(forms.agree)}. Form: {forms.recommended or 'none'}: {forms.why}."
        yield Paragraph(f"`{harmless(member)}`")
        yield table(("form", "right", "in shape at once", "claims covered"), map(_way_cells, forms.ways))
        yield Paragraph(agree)
    if report.forms:
        yield Paragraph(FORM_WORDS)


def _way_cells(item: Formed) -> Iterator[str]:
    yield WAY_WORDS[item.way]
    yield from map(_of, (item.right, item.at_once, item.covered))


def _member_json(one: Screened, forms: Forms | None) -> dict[str, Any]:
    told: dict[str, Any] = {"member": one.member, "items": one.items, "right": share_json(one.right)}
    told |= {"needed": needed_right(one.items, one.unsettled)}
    told |= {label: share_json(one.shares[label]) for label in LABELS}
    told |= {"failed": one.failed, "calls": one.calls, "usd": asdict(one.known_usd), "seconds": one.seconds}
    return {**told, "in_shape": share_json(forms.in_shape), "forms": _forms_json(forms)} if forms else told


def _forms_json(forms: Forms) -> dict[str, Any]:
    ways = {
        item.way: {name: share_json(getattr(item, name)) for name in ("right", "at_once", "covered")}
        for item in forms.ways
    }
    return {**ways, "agree": share_json(forms.agree), "recommended": forms.recommended, "reason": forms.why}


def _percent(share: Proportion) -> str:
    return f"{100 * (share.value or 0):.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


def _of(share: Proportion) -> str:
    return f"{share.right} of {share.of}"
