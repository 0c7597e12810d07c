"""A debate for people: the block of a round as text (debate 5.2), and the whole as Markdown (debate 5.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.canonical import canonical
from moot.core.record import Record
from moot.protocols.debate.window import clipped
from moot.views.words import escaped, harmless, one_line

TWO_LINES = 30
"""Tokens of an agent's key point."""

COLUMNS = (("Agent", 12), ("Stance", 8), ("Conf", 6), ("Vote", 8), ("Key point", 60))


def block_text(block: Mapping[str, Any]) -> str:
    """Return the block as the paper prints it (debate 5.2)."""
    return "\n".join(_lines(block))


def _lines(block: Mapping[str, Any]) -> Iterator[str]:
    kind = ", CRITICAL OBJECTION ROUND" if block["critical"] else ""
    yield f"=== ROUND {block['round']} SUMMARY{kind} ==="
    consensus = block["consensus"]
    on = f" on {block['proposal']['id']}" if block["proposal"] else ""
    yield f"CONSENSUS STATUS: {consensus['status']} ({100 * consensus['score']:.0f}%{on})"
    yield from _section("KEY AGREEMENTS", [f"{item['id']}: {item['text']}" for item in block["agreements"]])
    yield from _section("UNRESOLVED DISAGREEMENTS", [disagreement_words(item) for item in block["disagreements"]])
    yield "AGENT POSITIONS:"
    yield from _table([item for item in block["agents"] if item["state"] == "spoke"])
    yield from _section("NEW EVIDENCE THIS ROUND", [_evidence_words(item) for item in block["new_evidence"]])
    if block["missing"]:
        yield f"SILENT: {', '.join(item['agent'] for item in block['missing'])}"
    if block["withheld"]:
        yield f"WITHHELD FOR SAFETY: {', '.join(item['agent'] for item in block['withheld'])}"


def disagreement_words(item: Mapping[str, Any]) -> str:
    """Return a disagreement with its sides."""
    sides = " vs ".join(f"{clipped(side['says'], 30)} ({', '.join(side['held_by'])})" for side in item["sides"])
    return f"{item['about']}: {sides}"


def _evidence_words(item: Mapping[str, Any]) -> str:
    unverified = "" if item["verified"] else ", unverified"
    return f"[{item['label']}][{item['evidence']}]: {item['claim']} (Source: {item['source']}{unverified})"


def _section(title: str, items: Sequence[str]) -> Iterator[str]:
    yield f"{title}:"
    yield from (f"- {item}" for item in items or ["none"])


def _table(positions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rule = "+".join("-" * (width + 2) for _, width in COLUMNS)
    yield f"+{rule}+"
    yield _row([name for name, _ in COLUMNS])
    yield f"+{rule}+"
    for item in positions:
        sure = f"{100 * item['confidence']:.0f}%"
        point = clipped(" ".join(item["key_points"][:2]) or item["position"], TWO_LINES)
        yield _row([item["agent"], item["stance"] or "-", sure, item["vote"] or "-", point])
    yield f"+{rule}+"


def _row(cells: Sequence[str]) -> str:
    fitted = (f"{cell[:width]:<{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True))
    return f"| {' | '.join(fitted)} |"


def markdown_report(record: Record) -> str:
    """Return the debate's own part of the Markdown view."""
    verdict = record.verdict
    if verdict is None or "synthesis" not in verdict.detail:
        return ""
    return "\n".join([*_synthesis(verdict.detail), *_rounds(record)]).rstrip() + "\n"


def graph_file(record: Record) -> Mapping[str, str]:
    """Return the argument graph as a file that `moot graph` reads."""
    graph = record.verdict.detail.get("graph") if record.verdict else None
    return {"graph.json": f"{canonical(graph)}\n"} if graph else {}


def _synthesis(detail: Mapping[str, Any]) -> Iterator[str]:
    synthesis = detail["synthesis"]
    yield f"## Synthesis of a {detail['mode']} debate, {detail['rounds']} rounds"
    yield ""
    yield f"**{escaped(one_line(synthesis['answer'] or 'There is no answer', 400))}**"
    yield ""
    yield from _list("Agreed", [_agreed(item) for item in synthesis["agreements"]])
    yield from _list("Not resolved", [disagreement_words(item) for item in synthesis["disagreements"]])
    yield from _list("Evidence", [_evidence(item) for item in synthesis["evidence"]])
    yield from _list("Votes", [f"{name}: {vote}" for name, vote in synthesis["votes"].items()])
    yield from _list("Decided", [f"{item['id']}: {item['text']}" for item in synthesis["decisions"]])
    yield from _list("Final positions", [_position(item) for item in detail["finalPositions"]])
    yield from _list("Breaches of the contract", [_counts(*item) for item in detail["breaches"].items()])
    yield from _list("Checks not met", [_counts(*item) for item in detail["unmetChecks"].items()])


def _agreed(item: Mapping[str, Any]) -> str:
    unverified = ", unverified" if item["label"] == "FACT" and not item["verified"] else ""
    return f"{item['id']} ({item['label']}{unverified}): {item['text']} ({', '.join(item['held_by'])})"


def _evidence(item: Mapping[str, Any]) -> str:
    unverified = "" if item["verified"] else ", unverified"
    return f"{item['id']}: {item['title']}, for {', '.join(item['supports'])}{unverified}: {item['gist']}"


def _position(item: Mapping[str, Any]) -> str:
    return f"{item['agentName']} ({100 * item['confidence']:.0f}%, {item['perspectiveAnchor']}): {item['position']}"


def _counts(name: str, counts: Mapping[str, int]) -> str:
    return f"{name}: {', '.join(f'{kind} {number}' for kind, number in counts.items())}"


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"**{title}**"
        yield ""
        yield from (f"- {escaped(one_line(item, 400))}" for item in items)
        yield ""


def _rounds(record: Record) -> Iterator[str]:
    for note in record.notes:
        if note.name == "round":
            # A block is shown as it stands: a fence that nothing inside it can close.
            yield "~~~~~text"
            yield harmless(block_text(note.data)).replace("~~~~~", "~ ~ ~")
            yield "~~~~~"
            yield ""
