"""`GraphStore`: many argument graphs in memory, and the paper's eight functions on them (interrogation 3.2).

The eight take and return plain JSON values; what goes wrong comes back as `{"error": ...}`. A write is whole or not at
all. The store may be shared by threads. What else a program needs, to revise, undo, read and export, is beside them.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from moot.argument import exports, snapshot
from moot.argument.assertions import Assertions, edge_values
from moot.argument.clusters import Thresholds
from moot.argument.disputes import contradiction_pairs, isolated_load_bearing, on_simple_path
from moot.argument.graph import Columns, Edge, Node
from moot.argument.ingest import Rejection, read_confidence, read_sources
from moot.argument.json_words import kind_of
from moot.argument.semantics import surviving_claims
from moot.argument.sources import Sentence
from moot.argument.structure import bridge_edges, check_structure, ranked_links
from moot.argument.support import Support, max_flow, needed_claims, needed_steps

Payload = dict[str, Any]
P = ParamSpec("P")


class GraphError(Exception):
    """A call names a graph or a node that is not there, or an argument makes no sense."""


def _answering(
    method: Callable[Concatenate["GraphStore", P], Payload],
) -> Callable[Concatenate["GraphStore", P], Payload]:
    """Hold the lock during a call and return what goes wrong as `{"error": ...}` (interrogation 3.2)."""

    @wraps(method)
    def answer(self: "GraphStore", /, *args: P.args, **kwargs: P.kwargs) -> Payload:
        with self.lock:
            try:
                return method(self, *args, **kwargs)
            except (GraphError, Rejection) as error:
                return {"error": str(error)}

    return answer


class GraphStore:
    """Argument graphs by name; the options are what a new graph starts with (A4)."""

    def __init__(
        self, *, identifiers: bool = False, jaccard_threshold: float = 0.7, ratio_threshold: float = 0.85
    ) -> None:
        self.lock = threading.RLock()
        self._identifiers = identifiers
        self._thresholds = _thresholds(jaccard_threshold, ratio_threshold)
        self._graphs: dict[str, Assertions] = {}

    @_answering
    def assert_graph(
        self,
        graph_id: str,
        nodes: Sequence[Any],
        edges: Sequence[Any] = (),
        *,
        run_id: str | None = None,
        cannot_link: Sequence[Any] = (),
    ) -> Payload:
        """Add nodes and edges, merge claims that say the same, report what was refused (interrogation 3.2, 3.3).

        `cannot_link` holds pairs of node ids that must never become one node (A6). A new graph of which everything
        was refused is not made.
        """
        for name, value in (("nodes", nodes), ("edges", edges), ("cannot_link", cannot_link)):
            if not isinstance(value, (list, tuple)):
                raise GraphError(f"{name} must be a list, not {kind_of(value)}")
        if run_id is not None and (not isinstance(run_id, str) or not run_id):
            raise GraphError("run_id must be a text that is not empty")
        return self._write(graph_id, lambda ledger: ledger.ingest(nodes, edges, run_id, cannot_link), create=True)

    @_answering
    def merge_duplicates(self, graph_id: str, jaccard_threshold: float = 0.7, ratio_threshold: float = 0.85) -> Payload:
        """Compare all claims again; report merges, and contradictions not reported before (interrogation 3.2, 3.3)."""
        thresholds = _thresholds(jaccard_threshold, ratio_threshold)
        return self._write(graph_id, lambda ledger: ledger.merge(thresholds))

    @_answering
    def check_structure(self, graph_id: str, conclusion_id: str) -> Payload:
        """Return orphans, cycles, reachability and refuted support of a conclusion (interrogation 3.4)."""
        columns, conclusion = self._conclusion(graph_id, conclusion_id)
        return check_structure(columns, conclusion)

    @_answering
    def critical_links(self, graph_id: str, conclusion_id: str) -> Payload:
        """Return what the conclusion hangs on: a minimum cut, bridges, edges by doubt (interrogation 3.4)."""
        columns, conclusion = self._conclusion(graph_id, conclusion_id)
        support = self._support(graph_id, conclusion)
        # Two disjoint paths share no edge, so only a single road can have bridges.
        bridges = _bridges(columns, conclusion) if support.width == 1 else []
        return {
            "min_cut_nodes": columns.ids(support.cut),
            "bridge_edges": [columns.ids(edge) for edge in bridges],
            "ranked": ranked_links(columns, conclusion),
            "uncuttable": support.uncuttable,
        }

    @_answering
    def support_width(self, graph_id: str, conclusion_id: str) -> Payload:
        """Return how many node-disjoint paths lead from givens to the conclusion (interrogation 3.5)."""
        columns, conclusion = self._conclusion(graph_id, conclusion_id)
        support = self._support(graph_id, conclusion)
        return {
            "disjoint_paths": support.width,
            "paths": [columns.ids(path) for path in support.paths],
            "max_flow": max_flow(columns, conclusion),
            "uncuttable": support.uncuttable,
            # Whoever names no groups and no sources gets the paper's fields and no other.
            **({} if columns.is_flat else {"exact": support.exact}),
        }

    @_answering
    def resilience(self, graph_id: str, conclusion_id: str) -> Payload:
        """Return how few claims or sentences must be wrong before a conclusion falls, and such a set (A21).

        Claims that are OUT are down already: they hold up nothing here.
        """
        columns, conclusion = self._conclusion(graph_id, conclusion_id)
        ledger = self._ledger(graph_id)
        support = ledger.support(conclusion, standing=True)
        alone = support.any_one_of or []
        if len(support.cut) == 1 and support.any_one_of is None:
            alone = needed_claims(columns, conclusion, ledger.defeated())
        return {
            "resilience": None if support.uncuttable else support.cut_at_least,
            "exact": support.cut_at_least == len(support.cut),
            "must_be_wrong": columns.ids(support.cut),
            "any_one_of": columns.ids(alone),
            "lines": support.width,
            "lines_exact": support.exact,
            "uncuttable": support.uncuttable,
        }

    @_answering
    def surviving_claims(self, graph_id: str) -> Payload:
        """Return the grounded labelling of all claims and which of them survive (interrogation 3.5)."""
        columns = self._ledger(graph_id).columns()
        return {name: columns.ids(numbers) for name, numbers in surviving_claims(columns).items()}

    @_answering
    def mark_refuted(self, graph_id: str, node_id: str, reason: str) -> Payload:
        """Refute a claim, or a sentence beneath one; report how wide each conclusion was and is (A16, A22)."""
        if not isinstance(reason, str):
            raise GraphError("reason must be a text")
        return self._refute(graph_id, node_id, refuted=True, refute_reason=reason)

    @_answering
    def disputed_nodes(self, graph_id: str, conclusion_id: str) -> Payload:
        """Return contradictions and single-run claims that bear the conclusion (interrogation 3.6)."""
        columns, conclusion = self._conclusion(graph_id, conclusion_id)
        on_path = on_simple_path(columns, conclusion)
        return {
            "contradiction_pairs": [columns.ids(pair) for pair in contradiction_pairs(columns)],
            "isolated_load_bearing": isolated_load_bearing(columns, on_path),
            "exact": on_path.exact,
        }

    @_answering
    def create_graph(
        self,
        graph_id: str,
        *,
        identifiers: bool | None = None,
        jaccard_threshold: float | None = None,
        ratio_threshold: float | None = None,
    ) -> Payload:
        """Start an empty graph with options of its own (A4); without this, `assert_graph` starts it."""
        if _name(graph_id) in self._graphs:
            raise GraphError(f"the graph {graph_id!r} exists already")
        thresholds = _thresholds(
            self._thresholds.jaccard if jaccard_threshold is None else jaccard_threshold,
            self._thresholds.ratio if ratio_threshold is None else ratio_threshold,
        )
        named = self._identifiers if identifiers is None else identifiers
        self._graphs[graph_id] = Assertions(identifiers=named, thresholds=thresholds)
        return {"ok": True}

    @_answering
    def keep_apart(self, graph_id: str, pairs: Sequence[Any]) -> Payload:
        """Keep pairs of nodes from ever merging; two that are one already are parted again (A6).

        The clusters are then made as if the pair had been named from the start. Ids, edges and refutations stay with
        the claims they were given to.
        """
        if not isinstance(pairs, (list, tuple)):
            raise GraphError(f"pairs must be a list, not {kind_of(pairs)}")
        return self._write(graph_id, lambda ledger: ledger.keep_apart(pairs))

    @_answering
    def undo_refuted(self, graph_id: str, node_id: str) -> Payload:
        """Take a refutation back; report widths as `mark_refuted` does (I4)."""
        return self._refute(graph_id, node_id, refuted=False, refute_reason=None)

    @_answering
    def confirm_node(self, graph_id: str, node_id: str, run_id: str, at_least: float = 0.9) -> Payload:
        """Raise a claim's confidence to at least this and add the run that confirmed it (interrogation 4.1)."""
        floor = read_confidence(at_least)
        if not isinstance(run_id, str) or not run_id:
            raise GraphError("run_id must be a text that is not empty")

        def confirm(ledger: Assertions) -> Payload:
            place = ledger.place(self._node_id(ledger, node_id))
            ledger.change(place, confidence=max(ledger.asserted[place].confidence, floor))
            ledger.add_runs(place, frozenset((run_id,)))
            return {"ok": True}

        return self._write(graph_id, confirm)

    @_answering
    def doubt_node(self, graph_id: str, node_id: str, at_most: float = 0.5) -> Payload:
        """Lower a claim's confidence to at most this (interrogation 4.2: not determinable)."""
        ceiling = read_confidence(at_most)

        def doubt(ledger: Assertions) -> Payload:
            for place in ledger.members(self._node_id(ledger, node_id)):
                ledger.change(place, confidence=min(ledger.asserted[place].confidence, ceiling))
            return {"ok": True}

        return self._write(graph_id, doubt)

    @_answering
    def demote_given(self, graph_id: str, node_id: str) -> Payload:
        """Make an asserted given an assumption marked `ungrounded` (I5); givens merged with it stay as they are."""

        def demote(ledger: Assertions) -> Payload:
            self._node_id(ledger, node_id)
            place = ledger.place(node_id)
            if ledger.asserted[place].type != "given":
                raise GraphError(f"the node {node_id!r} was not asserted as a given")
            ledger.change(place, type="assumption", ungrounded=True, sources=())
            return {"ok": True}

        return self._write(graph_id, demote)

    @_answering
    def reinstate_given(self, graph_id: str, node_id: str, source: Any = None) -> Payload:
        """Make an asserted claim a given again that no longer is `ungrounded`, with the source now found (I14, A22)."""
        sources = read_sources(source)

        def reinstate(ledger: Assertions) -> Payload:
            self._node_id(ledger, node_id)
            ledger.reinstate(ledger.place(node_id), sources)
            return {"ok": True}

        return self._write(graph_id, reinstate)

    def graph_ids(self) -> tuple[str, ...]:
        """Return the names of all graphs, in order of creation."""
        with self.lock:
            return tuple(self._graphs)

    def nodes(self, graph_id: str) -> tuple[Node, ...]:
        """Return the merged nodes of a graph as values, in order of assertion.

        Raises:
            GraphError: there is no such graph.
        """
        with self.lock:
            return tuple(self._ledger(graph_id).columns().nodes)

    def sentences(self, graph_id: str) -> tuple[Sentence, ...]:
        """Return the sentences beneath the givens of a graph, with what has become of each (A22).

        Raises:
            GraphError: there is no such graph.
        """
        with self.lock:
            return tuple(self._ledger(graph_id).sentences.values())

    def edges(self, graph_id: str) -> tuple[Edge, ...]:
        """Return the merged edges of a graph as values, the guards' attacks included.

        Raises:
            GraphError: there is no such graph.
        """
        with self.lock:
            return tuple(edge_values(self._ledger(graph_id)))

    def merges(self, graph_id: str) -> list[Payload]:
        """Return every merge of a graph with its reason: what was kept, by what measure, how alike the two were.

        Raises:
            GraphError: there is no such graph.
        """
        with self.lock:
            return self._ledger(graph_id).merges()

    def resolve(self, graph_id: str, node_id: str) -> str | None:
        """Return the id of the node that an asserted id stands for now (A7); None for an unknown id.

        Raises:
            GraphError: there is no such graph.
        """
        with self.lock:
            return self._ledger(graph_id).resolve(node_id)

    def conclusions(self, graph_id: str) -> tuple[str, ...]:
        """Return the ids of the conclusion nodes, in order of assertion.

        Raises:
            GraphError: there is no such graph.
        """
        return tuple(node.id for node in self.nodes(graph_id) if node.type == "conclusion")

    def standing_lines(self, graph_id: str, conclusion_id: str) -> tuple[tuple[str, ...], ...]:
        """Return the disjoint lines to a conclusion that stand on no claim which is OUT or refuted (A21).

        Raises:
            GraphError: there is no such graph, or no such node.
        """
        with self.lock:
            columns, conclusion = self._conclusion(graph_id, conclusion_id)
            support = self._ledger(graph_id).support(conclusion, standing=True)
            return tuple(tuple(columns.ids(line)) for line in support.paths)

    @_answering
    def to_json(self, graph_id: str) -> Payload:
        """Return a graph as JSON: `nodes` and `edges` after merging, `asserted` to load it again (A17)."""
        return snapshot.to_json(self._ledger(graph_id))

    @_answering
    def from_json(self, graph_id: str, data: Mapping[str, Any], *, as_stored: bool = False) -> Payload:
        """Load under a new name what `to_json` wrote, or any object with `nodes` and `edges` (interrogation 4.2).

        `as_stored` takes the claims for one, and for contradictions, that the JSON says are, and compares none until
        something is added: a large graph is read far sooner. It is for what this program wrote itself.
        """
        if _name(graph_id) in self._graphs:
            raise GraphError(f"the graph {graph_id!r} exists already")
        if not isinstance(data, Mapping):
            raise GraphError(f"a graph is an object with nodes and edges, not {kind_of(data)}")
        if not data.keys() & {"asserted", "nodes", "edges"}:
            raise GraphError("a graph is an object with nodes and edges, and this one has neither")
        if "asserted" not in data:
            return self.assert_graph(graph_id, data.get("nodes", ()), data.get("edges", ()))
        options = data.get("options")
        options = options if isinstance(options, Mapping) else {}
        thresholds = _thresholds(options.get("jaccard_threshold", 0.7), options.get("ratio_threshold", 0.85))
        ledger = snapshot.from_json(data, options.get("identifiers") is True, thresholds, as_stored=as_stored)
        self._graphs[graph_id] = ledger
        counts = {"accepted_nodes": len(ledger.asserted), "accepted_edges": len(ledger.edges)}
        return {**counts, "rejected": [], "auto_merged": []}

    def to_networkx(self, graph_id: str) -> Any:
        """Return the merged graph as a networkx MultiDiGraph (A17); networkx is loaded here and nowhere else.

        Raises:
            GraphError: there is no such graph.
        """
        return exports.to_networkx(self.nodes(graph_id), self.edges(graph_id))

    def export(self, graph_id: str, export_format: str) -> str:
        """Return the merged graph as Argdown, AIF, Graphviz DOT, Mermaid or GraphML text.

        Raises:
            GraphError: there is no such graph or format.
        """
        if export_format not in exports.FORMATS:
            raise GraphError(f"the format must be one of {', '.join(exports.FORMATS)}, not {export_format!r}")
        return exports.FORMATS[export_format](self.nodes(graph_id), self.edges(graph_id))

    def _ledger(self, graph_id: str) -> Assertions:
        if not isinstance(graph_id, str) or graph_id not in self._graphs:
            raise GraphError(f"there is no graph {graph_id!r}")
        return self._graphs[graph_id]

    def _node_id(self, ledger: Assertions, node_id: str) -> str:
        found = ledger.resolve(node_id)
        if found is None:
            raise GraphError(f"there is no node {node_id!r} in the graph")
        return found

    def _conclusion(self, graph_id: str, conclusion_id: str) -> tuple[Columns, int]:
        ledger = self._ledger(graph_id)
        node_id = self._node_id(ledger, conclusion_id)
        return ledger.columns(), ledger.columns().number[node_id]

    def _support(self, graph_id: str, conclusion: int) -> Support:
        return self._ledger(graph_id).support(conclusion)

    def _widths(self, graph_id: str) -> dict[str, int]:
        columns = self._ledger(graph_id).columns()
        return {
            node.id: self._support(graph_id, number).width
            for number, node in enumerate(columns.nodes)
            if node.type == "conclusion"
        }

    def _refute(self, graph_id: str, node_id: str, **fields: Any) -> Payload:
        ledger = self._ledger(graph_id)
        found = None if node_id in ledger.sentences else self._node_id(ledger, node_id)
        before = self._widths(graph_id)
        if found is None:
            ledger.refute_sentence(node_id, fields["refute_reason"])
        else:
            refuting = [ledger.place(found)] if fields["refuted"] else ledger.members(found)
            for place in refuting:
                ledger.change(place, **fields)
        after = self._widths(graph_id)
        first = next(iter(before), None)
        return {
            "ok": True,
            "width_before": None if first is None else before[first],
            "width_after": None if first is None else after[first],
            "widths": {name: {"width_before": before[name], "width_after": after[name]} for name in before},
        }

    def _write(self, graph_id: str, change: Callable[[Assertions], Payload], *, create: bool = False) -> Payload:
        """Apply a change whole or not at all: whatever interrupts it, the graph is as it was."""
        is_new = create and _name(graph_id) not in self._graphs
        ledger = (
            Assertions(identifiers=self._identifiers, thresholds=self._thresholds) if is_new else self._ledger(graph_id)
        )
        before = snapshot.Snapshot.of(ledger)
        try:
            payload = change(ledger)
        except BaseException:
            if not is_new:
                self._graphs[graph_id] = before.restored()
            raise
        if not is_new or payload["accepted_nodes"] or not payload["rejected"]:
            self._graphs[graph_id] = ledger
        return payload


def _bridges(columns: Columns, conclusion: int) -> list[tuple[int, int]]:
    if columns.is_flat:
        return bridge_edges(columns, conclusion)
    return [] if columns.is_source[conclusion] else needed_steps(columns, conclusion)


def _name(graph_id: object) -> str:
    if not isinstance(graph_id, str) or not graph_id:
        raise GraphError("graph_id must be a text that is not empty")
    return graph_id


def _thresholds(jaccard: float, ratio: float) -> Thresholds:
    for name, value in (("jaccard_threshold", jaccard), ("ratio_threshold", ratio)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
            raise GraphError(f"{name} must be above 0 and at most 1, not {value!r}")
    return Thresholds(float(jaccard), float(ratio))
