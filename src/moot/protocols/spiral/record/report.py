"""A spiral as a person sees it: the matrix of pairs, harmony and divergence by loop, what moved whom."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.record import Record
from moot.views.words import escaped, one_line

HEAT = ((0.0, "·"), (0.5, "░"), (0.7, "▒"), (0.9, "▓"), (0.99, "█"))
BAR = 12


def markdown_report(record: Record) -> str:
    """Return the report's own part of the Markdown view."""
    detail = record.verdict.detail if record.verdict else {}
    if "pairs" not in detail:
        return ""
    return "\n".join(_lines(detail, record)).rstrip() + "\n"


def _lines(detail: Mapping[str, Any], record: Record) -> Iterator[str]:
    yield "## Agreement, pair by pair"
    yield ""
    yield "```"
    yield from matrix(detail["pairs"])
    yield "```"
    yield ""
    # A run of version 1 has no word on who judged; it is shown all the same.
    if "decided" in detail:
        yield f"Judged {'; '.join(_judged(item) for item in detail['decided'])}."
        yield ""
    yield "## Loop by loop"
    yield ""
    yield "```"
    yield from chart(detail["history"])
    yield "```"
    yield ""
    yield "H is measured agreement. The scheduled divergence follows a schedule and measures nothing."
    yield ""
    yield from _loops([(note.name, note.data) for note in record.notes if note.name in ("loop", "stretto", "draft")])


def _judged(item: Mapping[str, Any]) -> str:
    """Who judged what letters left open of a pair."""
    return f"{' and '.join(item['pair'])} by {item['judge'] or 'letters alone'}"


def matrix(pairs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the matrix of pairs as a heat map with its figures."""
    seats = list(dict.fromkeys(seat for pair in pairs for seat in (pair["first"], pair["second"])))
    values = {frozenset((pair["first"], pair["second"])): pair["agreement"] for pair in pairs}
    width = max(6, *(len(seat) + 1 for seat in seats))
    yield " " * width + "".join(f"{seat:>{width + 2}}" for seat in seats)
    for row in seats:
        cells = [_cell(values.get(frozenset((row, column))), width) for column in seats]
        yield f"{row:<{width}}{''.join(cells)}"


def chart(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield harmony and both divergences of every measurement, harmony as a bar."""
    yield f"loop  {'harmony H':<{BAR + 5}} least C  measured D  scheduled D"
    for item in history:
        bar = "█" * round(item["harmony"] * BAR)
        yield (
            f"{item['loop']:>4}  {bar:<{BAR}} {item['harmony']:.2f} {item['least_agreement']:>7.2f}"
            f"  {item['measured_divergence']:>10.2f}  {item['scheduled_divergence']:>11.2f}"
        )


def _cell(value: float | None, width: int) -> str:
    if value is None:
        return f"{'':>{width}}  "
    sign = next(sign for least, sign in reversed(HEAT) if value >= least)
    return f"{f'{value:.2f}':>{width}} {sign}"


def _loops(loops: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    for name, item in loops:
        yield f"**Loop {item['loop']}, {item['structure'] if name == 'draft' else item['level']}**"
        yield ""
        yield from _draft(item) if name == "draft" else _loop(item)
        for moved in item["moved"]:
            yield f"- {moved['seat']} moved: {_change(moved)}"
        for stayed in () if "no_call" in item else item["stayed"]:
            yield f"- {stayed['seat']} stayed{_because(stayed)}"
        yield ""


def _draft(item: Mapping[str, Any]) -> Iterator[str]:
    yield "- nothing is contradicted, and the answers are not the same"
    if item["draft"] is None:
        yield "- nobody drafted"
        return
    draft = item["draft"]
    yield f"- draft by {draft['by']}: {escaped(one_line(draft['answer'], 400))}"
    yield f"- held as it stands by {', '.join(item['accepted_by'])}"


def _loop(item: Mapping[str, Any]) -> Iterator[str]:
    if "no_call" in item:
        yield f"- {escaped(item['no_call'])}: nobody was asked"
    for point in item["disagreements"]:
        yield f"- contradicted: {' / '.join(escaped(one_line(claim, 200)) for claim in point['claims'])}"
        for axiom in point["axioms"]:
            yield f"  - {axiom['id']} ({axiom['similarity']:.2f}): {escaped(one_line(axiom['statement'], 200))}"
    for oracle in item["oracles"]:
        finding = oracle["finding"]
        told = finding["value"] or finding["limit"]
        yield f"- computed: {escaped(one_line(oracle['check'], 160))}: {finding['verdict']} ({escaped(told)})"
    for mark in item["self_reference"]:
        words = escaped(one_line(mark.get("why", mark.get("clause", "")), 160))
        by = mark.get("by", "the program")
        yield f"- {by} says that {mark['seat']} denies what it rests on ({mark['axiom']}): {words}"


def _change(moved: Mapping[str, str]) -> str:
    words = " → ".join(escaped(one_line(moved[side], 120)) for side in ("from", "to"))
    return f"{words}{_because(moved)}"


def _because(item: Mapping[str, str]) -> str:
    return f" ({escaped(one_line(item['why'], 200))})" if item["why"] else ""
