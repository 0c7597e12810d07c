"""An argument as a table: all that its drawing says, for reading, searching and copying."""

from collections import defaultdict

from moot.core.panes import PaneCell, PaneItem, PaneRow, PaneTable
from moot.views.drawn_graph import KINDS, DrawnGraph, DrawnNode

COLUMNS = ("Claim", "Type", "Fate", "Marks", "Runs", "Confidence", "Line", "Because of", "Attacked by")
MOST_NAMED = 12
"""Of what supports or attacks a claim so many are named."""


def graph_table(graph: DrawnGraph) -> PaneTable:
    """Return a row for each claim."""
    because: dict[str, dict[str, None]] = defaultdict(dict)
    against: dict[str, dict[str, None]] = defaultdict(dict)
    for edge in graph.edges:
        (against if edge.relation == "attacks" else because)[edge.dst][edge.src] = None
    rows = tuple(
        PaneRow(
            (*_own_cells(graph, node), _names(because[node.id]), _names(against[node.id])), struck=node.fate == "falls"
        )
        for node in graph.nodes
    )
    return PaneTable(COLUMNS, rows, filters=("Type", "Fate"), empty="There are no claims yet.")


def _own_cells(graph: DrawnGraph, node: DrawnNode) -> tuple[PaneCell, ...]:
    marks = [PaneItem("", mark=mark.words, tone=mark.tone) for mark in node.marks]
    marks += [PaneItem("", mark="◆ cut", tone="warn")] if node.cut else []
    marks += [PaneItem("", mark="↺ in a circle", tone="bad")] if node.id in graph.circling else []
    return (
        PaneCell(node.claim, aside=node.id, link=f"claim:{node.id}"),
        PaneCell(KINDS.get(node.kind, node.kind)),
        PaneCell(node.fate, tone={"stands": "", "falls": "bad", "undecided": "soft"}[node.fate]),
        PaneCell(items=tuple(marks)),
        PaneCell(number=len(node.runs)),
        PaneCell(number=node.confidence),
        PaneCell(number=node.line) if node.line else PaneCell(),
    )


def _names(ids: dict[str, None]) -> PaneCell:
    named = list(ids)[:MOST_NAMED]
    more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
    return PaneCell(", ".join(named) + more)
