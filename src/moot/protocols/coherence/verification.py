"""What must hold of a response before it is accepted (coherence 5.3, rulings K6 and K9).

What a program can see fails here; the demanded form, and ordinary words such as path, score, column and graph, are for
the judge. A word that the prompt itself uses cannot betray anything: a question about the K2 may be answered with its
name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.protocols.coherence.form import TOKEN, Form, bare, nearly_equal
from moot.protocols.coherence.graph_files import MODULATIONS, Graph
from moot.protocols.coherence.schemas import JudgeReply

OBSERVED_RELATION = re.compile(r"\bobserved[\s_-]+relations?\b", re.IGNORECASE)
FENCE = re.compile(r"<<<[a-p]{8}\b|\b[a-p]{8}>>>")
MARKED_HEADING = re.compile(r"\s*#{1,6}\s+(.+?)\s*#*\s*")
BOLD_LEAD = re.compile(r"\s*(?:[-*•]\s+|\(?\d{1,2}[.)]\s+)?(?:\*\*|__)(.+?)(?:\*\*|__)")
COLON_HEADING = re.compile(r"\s*(?:\(?\d{1,2}[.)]\s+|[-*•]\s+)?([^:|]{2,80}):\s*")
NUMBERED_HEADING = re.compile(r"\s*\(?(?:\d{1,2}|[IVX]{1,4})[.)]\s+([^.!?]{2,80})\s*")
UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,})\s*")

By = Literal["program", "judge"]


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that a response fails, by whom, and how."""

    check: str
    by: By
    detail: str


def program_failures(
    response: str, *, prompt: str, form: Form, columns: Sequence[str], graphs: Sequence[Graph]
) -> list[FailedCheck]:
    """Return every check of the program that a response fails; `prompt` is the whole of it, documents and all."""
    leaks = [FailedCheck("no internal processing", "program", detail) for detail in _leaks(response, prompt, graphs)]
    sections = [
        FailedCheck("no section made of a column", "program", f"the heading {heading!r} is the column {column!r}")
        for heading, column in _column_headings(response, form, columns)
    ]
    empty = [] if response.strip() else [FailedCheck("a response", "program", "it is empty")]
    return [*empty, *leaks, *sections]


def judge_failures(judged: JudgeReply) -> list[FailedCheck]:
    """Return the conditions of coherence 5.3 that the judge found broken."""
    found = {
        "no internal processing": judged.mentions_internal_processing,
        "the form of the prompt": not judged.follows_required_format,
        "traces only within that form": not judged.traces_only_within_it,
        "no section made of a trace": judged.trace_became_a_section,
    }
    return [
        FailedCheck(check, "judge", judged.reasoning or "no reason given") for check, broken in found.items() if broken
    ]


def headings(response: str) -> Iterator[str]:
    """Yield what stands as a heading in a response: marked, bold, numbered, with a colon, or atop a table's column."""
    lines = response.splitlines()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.strip() and UNDERLINE.fullmatch(following):
            yield line.strip()
        if line.count("|") >= 2:
            yield from (cell.strip(" *_") for cell in line.strip().strip("|").split("|"))
            continue
        for found in (
            MARKED_HEADING.fullmatch(line),
            BOLD_LEAD.match(line),
            COLON_HEADING.fullmatch(line),
            NUMBERED_HEADING.fullmatch(line),
        ):
            if found:
                yield found[1]


def _leaks(response: str, prompt: str, graphs: Sequence[Graph]) -> Iterator[str]:
    said, asked = set(TOKEN.findall(response)), set(TOKEN.findall(prompt))
    ids = {id_ for graph in graphs for id_ in graph.ids}
    for word in sorted(said - asked):
        if word in ids:
            yield f"it names {word}, which is the id of a relation"
        elif word in MODULATIONS:
            yield f"it names {word}, which is the code of a modulation"
    if FENCE.search(response):
        yield "it repeats the prompt that it was written to"
    if OBSERVED_RELATION.search(response) and not OBSERVED_RELATION.search(prompt):
        yield "it speaks of an observed relation"


def _column_headings(response: str, form: Form, columns: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield headings that are a column's name, unless words of the prompt authorise them (ruling K9)."""
    if form.is_open:
        return
    seen: set[str] = set()
    for heading in headings(response):
        said = bare(heading)
        if not said or said in seen:
            continue
        seen.add(said)
        column = next((name for name in columns if nearly_equal(said, bare(name))), None)
        if column is not None and not form.asks_for(heading):
            yield heading, column
