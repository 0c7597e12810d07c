"""`/graphs`: the functions of the argument graph, over graphs that belong to the caller (interrogation 3.2)."""

import asyncio
import json
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query

from moot.argument import GraphStore
from moot.service.workplace import check_named, graph_answer, no_graph
from moot.web.access import AnyCaller, Caller
from moot.web.api.bodies.graphs import AssertGraph, KeepApart, MarkRefuted, MergeDuplicates, UndoRefuted
from moot.web.api.paging import Page
from moot.web.serving import Here, Serving

router = APIRouter(prefix="/graphs", tags=["graphs"])

GraphId = Annotated[str, Path(min_length=1, max_length=200, description="a name of the caller's own choice")]
Conclusion = Annotated[str, Query(min_length=1, max_length=1000, description="the id of the node to assess")]
Payload = dict[str, object]
Function = Callable[[GraphStore], Payload]


@router.get("")
async def list_graphs(serving: Here, caller: AnyCaller) -> Page[str]:
    """List the caller's graphs."""
    return Page(items=await serving.store.graphs.names(caller.prefix))


@router.get("/{graph_id}")
async def show_graph(graph_id: GraphId, serving: Here, caller: AnyCaller) -> Payload:
    """Show a graph: `nodes` and `edges` after merging, `asserted` as it was put."""
    return await _look(graph_id, serving, caller, lambda store: store.to_json(graph_id))


@router.post("/{graph_id}/assert_graph")
async def assert_graph(graph_id: GraphId, sent: AssertGraph, serving: Here, caller: AnyCaller) -> Payload:
    """Add claims and their relations; claims that say the same are merged, and what is refused is reported."""

    def function(store: GraphStore) -> Payload:
        return store.assert_graph(graph_id, sent.nodes, sent.edges, run_id=sent.run_id, cannot_link=sent.cannot_link)

    return await _change(graph_id, serving, caller, function, create=True)


@router.post("/{graph_id}/merge_duplicates")
async def merge_duplicates(graph_id: GraphId, sent: MergeDuplicates, serving: Here, caller: AnyCaller) -> Payload:
    """Compare all claims again and merge duplicates; contradictions found are listed."""

    def function(store: GraphStore) -> Payload:
        return store.merge_duplicates(graph_id, sent.jaccard_threshold, sent.ratio_threshold)

    return await _change(graph_id, serving, caller, function)


@router.post("/{graph_id}/keep_apart")
async def keep_apart(graph_id: GraphId, sent: KeepApart, serving: Here, caller: AnyCaller) -> Payload:
    """Keep pairs of claims from ever being merged; a merge that joined two of them is taken back."""
    return await _change(graph_id, serving, caller, lambda store: store.keep_apart(graph_id, sent.pairs))


@router.get("/{graph_id}/check_structure")
async def check_structure(graph_id: GraphId, conclusion_id: Conclusion, serving: Here, caller: AnyCaller) -> Payload:
    """Find unsupported claims, circular reasoning, and whether evidence reaches a conclusion."""

    def function(store: GraphStore) -> Payload:
        return store.check_structure(graph_id, conclusion_id)

    return await _look(graph_id, serving, caller, function, conclusion_id)


@router.get("/{graph_id}/critical_links")
async def critical_links(graph_id: GraphId, conclusion_id: Conclusion, serving: Here, caller: AnyCaller) -> Payload:
    """Find what a conclusion hangs on: the fewest claims that would sink it, and weak links."""

    def function(store: GraphStore) -> Payload:
        return store.critical_links(graph_id, conclusion_id)

    return await _look(graph_id, serving, caller, function, conclusion_id)


@router.get("/{graph_id}/support_width")
async def support_width(graph_id: GraphId, conclusion_id: Conclusion, serving: Here, caller: AnyCaller) -> Payload:
    """Count the independent lines of support from givens to a conclusion, and list them."""

    def function(store: GraphStore) -> Payload:
        return store.support_width(graph_id, conclusion_id)

    return await _look(graph_id, serving, caller, function, conclusion_id)


@router.get("/{graph_id}/resilience")
async def resilience(graph_id: GraphId, conclusion_id: Conclusion, serving: Here, caller: AnyCaller) -> Payload:
    """Find how few claims or sentences must be wrong before a conclusion falls, and which."""

    def function(store: GraphStore) -> Payload:
        return store.resilience(graph_id, conclusion_id)

    return await _look(graph_id, serving, caller, function, conclusion_id)


@router.get("/{graph_id}/surviving_claims")
async def surviving_claims(graph_id: GraphId, serving: Here, caller: AnyCaller) -> Payload:
    """Work out which claims stand, fall or stay undecided under all attacks."""
    return await _look(graph_id, serving, caller, lambda store: store.surviving_claims(graph_id))


@router.post("/{graph_id}/mark_refuted")
async def mark_refuted(graph_id: GraphId, sent: MarkRefuted, serving: Here, caller: AnyCaller) -> Payload:
    """Mark a claim as refuted; tells how much support each conclusion lost."""

    def function(store: GraphStore) -> Payload:
        return store.mark_refuted(graph_id, sent.node_id, sent.reason)

    return await _change(graph_id, serving, caller, function, named=sent.node_id)


@router.post("/{graph_id}/undo_refuted")
async def undo_refuted(graph_id: GraphId, sent: UndoRefuted, serving: Here, caller: AnyCaller) -> Payload:
    """Take a refutation back; tells how much support each conclusion regained."""

    def function(store: GraphStore) -> Payload:
        return store.undo_refuted(graph_id, sent.node_id)

    return await _change(graph_id, serving, caller, function, named=sent.node_id)


@router.get("/{graph_id}/disputed_nodes")
async def disputed_nodes(graph_id: GraphId, conclusion_id: Conclusion, serving: Here, caller: AnyCaller) -> Payload:
    """List what to verify next: contradictions, and load-bearing claims of a single run."""

    def function(store: GraphStore) -> Payload:
        return store.disputed_nodes(graph_id, conclusion_id)

    return await _look(graph_id, serving, caller, function, conclusion_id)


async def _look(
    graph_id: str, serving: Serving, caller: Caller, function: Function, named: str | None = None
) -> Payload:
    text = await serving.store.graphs.read(caller.prefix, graph_id)
    if text is None:
        raise no_graph(graph_id)
    return await asyncio.to_thread(lambda: _answer(_loaded(graph_id, text), graph_id, function, named))


async def _change(
    graph_id: str,
    serving: Serving,
    caller: Caller,
    function: Function,
    *,
    create: bool = False,
    named: str | None = None,
) -> Payload:
    def change(text: str | None) -> tuple[str | None, Payload]:
        if text is None and not create:
            raise no_graph(graph_id)
        store = _loaded(graph_id, text)
        payload = _answer(store, graph_id, function, named)
        is_kept = graph_id in store.graph_ids()
        return json.dumps(store.to_json(graph_id), ensure_ascii=False) if is_kept else None, payload

    return await serving.store.graphs.change(caller.prefix, graph_id, change)


def _answer(store: GraphStore, graph_id: str, function: Function, named: str | None) -> Payload:
    check_named(store, graph_id, named)
    return graph_answer(function(store))


def _loaded(graph_id: str, text: str | None) -> GraphStore:
    store = GraphStore()
    if text is not None:
        store.from_json(graph_id, json.loads(text))
    return store
