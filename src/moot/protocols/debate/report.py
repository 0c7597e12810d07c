"""A debate as Markdown: the final synthesis, then the summary block of every round (debate 5.2, 5.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.canonical import canonical
from moot.core.record import Record
from moot.protocols.debate.summary import block_text, disagreement_words
from moot.views.words import escaped, harmless, one_line


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
