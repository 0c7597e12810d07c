"""A verdict's argument graph as a file of an export."""

from collections.abc import Mapping

from moot.core.canonical import canonical
from moot.core.record import Record


def graph_file(record: Record) -> Mapping[str, str]:
    """Return the argument graph as a file that `moot graph` reads."""
    graph = record.verdict.detail.get("graph") if record.verdict else None
    return {"graph.json": f"{canonical(graph)}\n"} if graph else {}
