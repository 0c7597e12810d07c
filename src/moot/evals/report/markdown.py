"""Sections as Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from moot.evals.report.parts import (
    Bullets,
    FigureTable,
    GoalList,
    Paragraph,
    SummaryPart,
    SummarySection,
    summary_sections,
)
from moot.evals.report.summary import EvalSummary
from moot.views.words import escaped

PLOTS_AFTER = "Goals"


def summary_markdown(summary: EvalSummary, *, title: str = "Evaluation", plots: Sequence[tuple[str, str]] = ()) -> str:
    """Return the whole summary; `plots` are captions with the addresses of pictures, shown where they are given."""
    lines = [f"# {escaped(title)}", ""]
    for section in summary_sections(summary):
        lines += _section(section)
        if section.title == PLOTS_AFTER:
            lines += _pictures(plots)
    return "\n".join(lines).rstrip() + "\n"


def sections_markdown(sections: Iterable[SummarySection]) -> str:
    """Return the sections, one after the other."""
    return "\n".join(line for section in sections for line in _section(section)).rstrip() + "\n"


def _section(section: SummarySection) -> Iterator[str]:
    if section.title:
        yield from (f"## {escaped(section.title)}", "")
    for part in section.parts:
        yield from _part(part)
        yield ""


def _part(part: SummaryPart) -> Iterator[str]:
    match part:
        case Paragraph(text):
            yield text
        case Bullets(lines):
            yield from (f"- {escaped(f'{name}: {text}' if name else text)}" for name, text in lines)
        case GoalList(goals):
            head = ("goal", "target", "measured", "state", "note")
            rows = ((f"{one.name} {one.goal}", one.target, one.measured, f"**{one.state}**", one.why) for one in goals)
            yield from _table(head, rows)
        case FigureTable(head, rows, names):
            named = ((*map(escaped, row[:names]), *row[names:]) for row in rows)
            yield from _table(head, named)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _pictures(plots: Sequence[tuple[str, str]]) -> Iterator[str]:
    if plots:
        yield from ("## Plots", "")
        for caption, address in plots:
            yield from (f"![{escaped(caption)}]({address})", "")
