"""Tools for agents before they speak: search the documents, read a passage, calculate. Results become evidence."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.core.question import Document
from moot.methods.grounding import named_document
from moot.methods.search import Passage, best_passages, passages_of
from moot.protocols.debate.prompts.asking import lookup_messages
from moot.protocols.debate.prompts.window import clipped
from moot.protocols.debate.schemas import ToolCall, ToolCalls
from moot.protocols.debate.state.context import DebateContext
from moot.protocols.debate.state.evidence import computed
from moot.protocols.debate.state.fold import with_tool_result
from moot.protocols.debate.state.speech import Agent

LOOKUP_TOKENS = 160

FOUND = 2
"""Passages that a search gives."""

PASSAGE = 150
"""Tokens of a passage that are passed on."""

_PLACE = re.compile(r"(.*?)[\s,:#]*(?:passage\s*)?(\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Lookup:
    """What one tool call gave: a title and a text each, or why there is nothing."""

    call: ToolCall
    results: tuple[tuple[str, str], ...]
    problem: str = ""

    @property
    def is_calculation(self) -> bool:
        """Whether it was computed and not read."""
        return self.call.tool == "calculate"


async def look_up(
    context: DebateContext, deliberation: Deliberation, batch: Sequence[Agent]
) -> tuple[DebateContext, Mapping[str, Sequence[str]]]:
    """Let agents use their tools on the documents; return the context with what they gave, and who is shown what."""
    most, documents = context.settings.lookups, context.question.documents
    if not most or not documents:
        return context, {}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{context.number}/{agent.seat}/lookup",
                agent.seat,
                lookup_messages(context, agent),
                ToolCalls,
                context.settings.temperature,
                LOOKUP_TOKENS,
            )
            for agent in batch
        ]
    )
    findings: dict[str, list[str]] = {}
    for agent, reply in zip(batch, replies, strict=True):
        for call in () if isinstance(reply, Missing) else reply.calls[:most]:
            context, made, shown = _recorded(context, agent, used(call, documents))
            findings.setdefault(agent.name, []).extend(shown)
            await deliberation.note("tool", made)
    return context, findings


def _recorded(
    context: DebateContext, agent: Agent, found: "Lookup"
) -> tuple[DebateContext, Mapping[str, Any], Sequence[str]]:
    """Return the context with a tool call and its results as evidence, the call, and what its agent is shown."""
    state, given = context.state, []
    for title, text in found.results:
        state, evidence = with_tool_result(state, title, text, context.number, is_calculation=found.is_calculation)
        given.append(evidence)
    shown = [f"{name} {title}: {text}" for name, (title, text) in zip(given, found.results, strict=True)]
    told = {"tool": found.call.tool, "input": found.call.input, "evidence": given, "problem": found.problem}
    call = {"round": context.number, "agent": agent.name, **told}
    current = replace(context.current, tool_calls=(*context.current.tool_calls, call))
    problem = f"{found.call.tool} {found.call.input!r}: {found.problem}"
    return replace(context, state=state, current=current), call, shown or [problem]


def used(call: ToolCall, documents: Sequence[Document]) -> Lookup:
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
                return Lookup(call, (), "it is no calculation that can be carried out")
            shown = f"{call.input.strip()} = {value}"
            return Lookup(call, ((shown, shown),))
        case _:
            return Lookup(call, (), f"there is no tool {call.tool[:20]!r}; there are search, read and calculate")


def _passage(call: ToolCall, documents: Sequence[Document]) -> Lookup:
    name, number = call.input, 1
    document = named_document(name, documents)
    if document is None and (place := _PLACE.fullmatch(call.input)) and place[2]:
        document, number = named_document(place[1], documents), int(place[2][:6])
    if document is None:
        listed = ", ".join(f"{place} {item.name}" for place, item in enumerate(documents, 1))
        return Lookup(call, (), f"there is no such document; there are: {clipped(listed, 60)}")
    parts = [part for part in passages_of(documents) if documents[part.document] is document]
    if not 1 <= number <= len(parts):
        return Lookup(call, (), f"{document.name} has {len(parts)} passages")
    return _read(call, [parts[number - 1]], documents)


def _read(call: ToolCall, parts: Sequence[Passage], documents: Sequence[Document]) -> Lookup:
    if not parts:
        return Lookup(call, (), "nothing was found")
    return Lookup(
        call,
        tuple(
            (f"{documents[part.document].name}, passage {part.number + 1}", clipped(part.text, PASSAGE))
            for part in parts
        ),
    )
