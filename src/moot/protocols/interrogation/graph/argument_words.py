"""The reply of a run in the form `graph`, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.telling import Rows, Told, reply_rows
from moot.methods.tellings import other_rows, text_rows
from moot.protocols.interrogation.graph.schemas import ASKED

PARTS = {"assumptions": "assumption", "steps": "step", "objections": "objection"}


def argument_told(reply: Mapping[str, Any]) -> Told:
    """Return an argument in the order in which it is made, with its answer as the gist."""
    conclusion = tuple(_claims("conclusion", [reply["conclusion"]])) if reply["conclusion"] else ()
    rows: Rows = (
        *text_rows("", reply["reasoning"]),
        *(row for field, name in PARTS.items() for row in _claims(name, reply[field])),
        *conclusion,
        *text_rows("answer", reply["answer"]),
        *other_rows(reply, *ASKED),
    )
    return Told(reply["answer"] or (conclusion[0][1] if conclusion else rows[0][1]), rows)


def _claims(name: str, items: Any) -> Iterator[tuple[str, str]]:
    """Yield each claim with what it rests on; one that has another shape as it was written."""
    for item in items:
        if not isinstance(item, Mapping) or not isinstance(item.get("claim"), str):
            yield from reply_rows({name: [item]})
            continue
        title = f"{name} {item['id']}" if item.get("id") else name
        reasons = ", ".join(words for _, words in reply_rows({"because": item.get("because") or []}))
        against = f" (against {item['against']})" if item.get("against") else ""
        yield title, f"{item['claim']}{f' [because of {reasons}]' if reasons else ''}{against}"
        rest = other_rows(item, "id", "claim", "because", "against")
        yield from ((f"{title}, {field}", words) for field, words in rest)
