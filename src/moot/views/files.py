"""A deliberation as a folder of files, and as one JSON object."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.calls import Attempt
from moot.core.canonical import plain
from moot.core.events import event_text
from moot.core.moments import event_with_iso_moments, with_iso_moments
from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.views.markdown import markdown
from moot.views.pretty import pretty


def exported(
    result: Mapping[str, Any], record: Record, attempts: Sequence[Attempt], acts: Sequence[Any]
) -> dict[str, Any]:
    """Return all that is known of a deliberation: its result, its events, every request and reply, its acts."""
    return {
        "result": result,
        "header": plain(record.header),
        "events": [event_with_iso_moments(json.loads(event_text(event))) for event in record.events],
        "journal": [
            {**with_iso_moments(plain(row), "started"), "request": json.loads(row.request)} for row in attempts
        ],
        "acts": [with_iso_moments(plain(act), "made") for act in acts],
    }


def files(
    deliberation: str,
    record: Record,
    everything: Mapping[str, Any],
    report: str = "",
    narrator: Narrator = PLAIN_NARRATOR,
) -> dict[str, str]:
    """Return file names and texts: what was asked, what came of it, and how."""
    written = {
        "question.txt": f"{record.header.question.text}\n",
        "answer.txt": f"{record.verdict.answer or ''}\n" if record.verdict else "\n",
        "result.json": f"{pretty(everything['result'])}\n",
        "record.json": f"{pretty(everything)}\n",
        "transcript.md": markdown(deliberation, record, report, narrator),
    }
    for number, document in enumerate(record.header.question.documents, 1):
        written[f"document-{number}.txt"] = document.text
    return written
