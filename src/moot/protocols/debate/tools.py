"""Tools for agents: search the question's documents, read a passage, calculate. No network; results become evidence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from moot.core.question import Document
from moot.methods.grounding import named_document
from moot.methods.search import Passage, best_passages, passages_of
from moot.protocols.debate.evidence import computed
from moot.protocols.debate.limits import clipped
from moot.protocols.debate.schemas import ToolCall

FOUND = 2
"""Passages that a search gives."""

PASSAGE = 150
"""Tokens of a passage that are passed on."""

_PLACE = re.compile(r"(.*?)[\s,:#]*(?:passage\s*)?(\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Found:
    """What one tool call gave: a title and a text each, or why there is nothing."""

    call: ToolCall
    results: tuple[tuple[str, str], ...]
    problem: str = ""

    @property
    def is_calculation(self) -> bool:
        """Whether it was computed and not read."""
        return self.call.tool == "calculate"


def used(call: ToolCall, documents: Sequence[Document]) -> Found:
    """Return what a tool gives; a tool or a place that does not exist is a finding too, not an error."""
    match call.tool:
        case "search":
            found = best_passages(call.input, passages_of(documents), FOUND)
            return _read(call, [part for part in found if part.text], documents)
        case "read":
            return _passage(call, documents)
        case "calculate":
            value = computed(call.input)
            if not value:
                return Found(call, (), "it is no calculation that can be carried out")
            shown = f"{call.input.strip()} = {value}"
            return Found(call, ((shown, shown),))
        case _:
            return Found(call, (), f"there is no tool {call.tool[:20]!r}; there are search, read and calculate")


def _passage(call: ToolCall, documents: Sequence[Document]) -> Found:
    name, number = call.input, 1
    document = named_document(name, documents)
    if document is None and (place := _PLACE.fullmatch(call.input)) and place[2]:
        document, number = named_document(place[1], documents), int(place[2][:6])
    if document is None:
        listed = ", ".join(f"{place} {item.name}" for place, item in enumerate(documents, 1))
        return Found(call, (), f"there is no such document; there are: {clipped(listed, 60)}")
    parts = [part for part in passages_of(documents) if documents[part.document] is document]
    if not 1 <= number <= len(parts):
        return Found(call, (), f"{document.name} has {len(parts)} passages")
    return _read(call, [parts[number - 1]], documents)


def _read(call: ToolCall, parts: Sequence[Passage], documents: Sequence[Document]) -> Found:
    if not parts:
        return Found(call, (), "nothing was found")
    return Found(
        call,
        tuple(
            (f"{documents[part.document].name}, passage {part.number + 1}", clipped(part.text, PASSAGE))
            for part in parts
        ),
    )
