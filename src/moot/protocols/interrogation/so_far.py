"""The argument of a record that still runs, put together from its events: what was merged, and what was settled since.

Pure: no rule of the protocol is run again, and no member is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.question import Question
from moot.core.record import Record
from moot.methods.candidates import ranked_candidates
from moot.methods.sentences import document_names, sentences_of
from moot.protocols.interrogation.case import GRAPH, Case
from moot.protocols.interrogation.verifying import sources


def argued(record: Record) -> Mapping[str, Any] | None:
    """Return the argument as it stands, under the names of a verdict's detail; None before the runs are merged."""
    case = _case_of(record)
    if case is None:
        return None
    votes: dict[str, int] = {}
    answers: dict[str, str] = {}
    for note in record.notes:
        if note.name == "counted":
            answers = {run: item["answer"] for item in note.data["candidates"] for run in item["runs"]}
        elif note.name == "assessed":
            votes = {item["id"]: item["votes"] for item in note.data["candidates"]}
    rank_by: Any = record.header.settings["rank_by"]
    ranked = ranked_candidates(case.graph, GRAPH, by=rank_by, votes=votes)
    candidates = [item.json(answers.get(item.id.partition(":")[0], item.claim)) for item in ranked]
    return {"graph": case.graph.to_json(GRAPH), "candidates": candidates, "rank_by": rank_by}


def _case_of(record: Record) -> Case | None:
    notes = record.notes
    merged = next((note.data["graph"] for note in notes if note.name == "merged" and "graph" in note.data), None)
    if merged is None:
        return None
    case = Case.reopened(merged)
    for note in notes:
        if note.name == "verified":
            _settle(case, note.data, record.header.question)
        elif note.name == "followed":
            case.settle_step(note.data["node"], note.data["verdict"], note.data["reason"])
    return case


def _settle(case: Case, data: Mapping[str, Any], question: Question) -> None:
    case.settle(data["node"], data["verdict"], data["reason"], data["run"])
    for place in data["reinstated"]:
        _reinstate(case, data, place, question)


def _reinstate(case: Case, data: Mapping[str, Any], place: str, question: Question) -> None:
    documents: Sequence[Any] = sources(question)
    names = document_names(documents)
    for sentence in sentences_of(documents):
        if f"{names[sentence.document]}#{sentence.number}" == place:
            case.reinstate(data["node"], sentence, documents, data["run"])
