"""The traces of a run as a person sees them, and as five files (coherence 6, ruling K7)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.canonical import harmless_json
from moot.core.record import Record
from moot.protocols.coherence.graph_files import Graph, graphs_from, shipped_texts
from moot.protocols.coherence.in_words import paths_in_words
from moot.protocols.coherence.prompts import whole_prompt
from moot.protocols.coherence.rules import THRESHOLD
from moot.protocols.coherence.schemas import CoherenceSettings
from moot.views.words import escaped, one_line

HEAT = ((0.0, "·"), (3.0, "░"), (THRESHOLD, "▒"), (8.0, "▓"), (9.5, "█"))
LEGEND = "· below 3, ░ below 6, ▒ active from 6, ▓ from 8, █ from 9.5; one sign for each relation"


def markdown_report(record: Record) -> str:
    """Return, for each column, the heat of its scores and its paths, as Markdown."""
    detail = record.verdict.detail if record.verdict else {}
    if not detail.get("columns"):
        return ""
    return "\n".join(_lines(detail, graphs_of(record))).rstrip() + "\n"


def artefacts(record: Record) -> Mapping[str, str]:
    """Return the five files of coherence 6: prompt, columns, scores, paths and response."""
    detail = record.verdict.detail if record.verdict else {}
    columns, scores = detail.get("columns", []), detail.get("scores", [])
    return {
        "prompt.txt": f"{whole_prompt(record.header.question)}\n",
        "columns.json": _json({"columns": columns}),
        "scores.json": _json({"columns": columns, "scores": scores}),
        "paths.json": _json({"paths": detail.get("paths", {})}),
        "response.txt": f"{record.verdict.answer or ''}\n" if record.verdict else "\n",
    }


def heat(score: float) -> str:
    """Return the sign of a score: the darker, the higher."""
    return next(sign for least, sign in reversed(HEAT) if score >= least)


def _lines(detail: Mapping[str, Any], graphs: Sequence[Graph]) -> Iterator[str]:
    yield "## Columns, scores and paths"
    yield ""
    yield from _form(detail)
    yield f"Scores by relation: {LEGEND}."
    yield ""
    scores = {
        (row["observed_relation"]["graph"], row["observed_relation"]["id"]): row["values"] for row in detail["scores"]
    }
    paths = detail.get("paths", {})
    for place, (column, walked) in enumerate(paths_in_words(detail["columns"], paths, graphs)):
        yield f"**{escaped(one_line(column, 100))}**"
        yield ""
        yield "```"
        yield from _heat_rows(place, scores, graphs)
        yield from (f"{path['graph']}: {' '.join(path['path'])}" for path in paths.get(column, ()))
        yield "```"
        yield ""
        yield from _walked(walked)


def _form(detail: Mapping[str, Any]) -> Iterator[str]:
    """What the first member read of the form, with the prompt's words for it; a run of version 1 has nothing here."""
    read = [f"{_said(demand['demand'])} [{_said(demand['words'])}]" for demand in detail.get("demanded_form", ())]
    if open_words := detail.get("open_organisation", ""):
        read.append(f"the organisation is left open [{_said(open_words)}]")
    if read:
        yield "The form asked for, as the first member read it, with the words of the prompt:"
        yield ""
        yield from (f"- {demand}" for demand in read)
        yield ""


def _walked(walked: Sequence[Sequence[str]]) -> Iterator[str]:
    """The paths in words: a relation's text stands where it first comes."""
    for first, *others in walked:
        yield f"- {_said(first)}"
        yield from (f"  - {_said(step)}" for step in others)
    if walked:
        yield ""


def _said(text: str) -> str:
    return escaped(one_line(text, 300))


def _heat_rows(place: int, scores: Mapping[tuple[str, str], Sequence[float]], graphs: Sequence[Graph]) -> Iterator[str]:
    width = max(len(graph.name) for graph in graphs)
    for graph in graphs:
        rows = [scores.get((graph.name, id_)) for id_ in graph.ids]
        yield f"{graph.name:<{width}}  {''.join(heat(row[place] if row else 0.0) for row in rows)}"


def graphs_of(record: Record) -> tuple[Graph, ...]:
    """Return the graphs of the run: the user's are in its settings, whatever has become of their folder."""
    own = CoherenceSettings.model_validate(record.header.settings).graphs
    return graphs_from(own.texts if own else shipped_texts())


def _json(value: Any) -> str:
    return harmless_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
