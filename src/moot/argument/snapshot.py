"""A graph set aside: all that is needed to make the same ledger again, in memory or as JSON (ruling A17)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from moot.argument.assertions import Assertions, Attributes, EdgeKey, edge_values, stronger
from moot.argument.clusters import MEASURES, Clusters, Merge, Thresholds
from moot.argument.dedup import ClaimIndex
from moot.argument.graph import Edge, Node
from moot.argument.ingest import AssertedNode, Rejection, read_edge, read_node
from moot.argument.sources import Sentence


@dataclass(frozen=True)
class Snapshot:
    """The asserted nodes and edges of one graph, which of them were merged, and its options."""

    asserted: Sequence[AssertedNode]
    edges: Mapping[EdgeKey, Attributes]
    cannot_link: Sequence[tuple[int, int]]
    merges: Mapping[int, Merge]
    identifiers: bool
    thresholds: Thresholds
    reported: int
    sentences: Mapping[str, Sentence]

    @classmethod
    def of(cls, ledger: Assertions) -> "Snapshot":
        """Return a ledger as it stands."""
        index = ledger.index
        return cls(
            list(ledger.asserted),
            dict(ledger.edges),
            list(ledger.cannot_link),
            dict(index.merges),
            index.identifiers,
            index.thresholds,
            ledger.reported,
            dict(ledger.sentences),
        )

    def restored(self) -> Assertions:
        """Return a ledger equal to the one this was taken of."""
        ledger = Assertions(identifiers=self.identifiers, thresholds=self.thresholds)
        for node in self.asserted:
            ledger.add(node)
        ledger.forbid([(self.asserted[a].id, self.asserted[b].id) for a, b in self.cannot_link], [])
        _join(ledger, self.merges)
        ledger.edges.update(self.edges)
        ledger.reported = self.reported
        ledger.sentences.update(self.sentences)
        return ledger


def to_json(ledger: Assertions) -> dict[str, object]:
    """Return a graph as JSON: the merged nodes and edges to read, and what was asserted, to load it again."""
    snapshot = Snapshot.of(ledger)
    ids = [node.id for node in snapshot.asserted]
    return {
        "nodes": [_plain(node) for node in ledger.columns().nodes],
        "edges": [_plain(edge) for edge in edge_values(ledger)],
        "asserted": {
            "nodes": [{**_plain(node), "node": ledger.resolve(node.id)} for node in snapshot.asserted],
            "edges": [
                {
                    "src": ids[src],
                    "dst": ids[dst],
                    "relation": relation,
                    "confidence": confidence,
                    "run_ids": sorted(runs),
                    **({} if group is None else {"group": group}),
                }
                for (src, dst, relation, group), (confidence, runs) in snapshot.edges.items()
            ],
            "cannot_link": [[ids[a], ids[b]] for a, b in snapshot.cannot_link],
        },
        **({"sentences": sentences} if (sentences := _sentences(ledger)) else {}),
        # A graph in which nothing merged has nothing to say of it.
        **({"merges": merges} if (merges := ledger.merges()) else {}),
        "options": {
            "identifiers": snapshot.identifiers,
            "jaccard_threshold": snapshot.thresholds.jaccard,
            "ratio_threshold": snapshot.thresholds.ratio,
        },
    }


def from_json(
    data: Mapping[str, Any], identifiers: bool, thresholds: Thresholds, *, as_stored: bool = False
) -> Assertions:
    """Return the ledger that `to_json` wrote; `as_stored` believes it what is one and what contradicts what.

    Raises:
        Rejection: the JSON is not what `to_json` writes.
    """
    asserted = data["asserted"]
    if not isinstance(asserted, Mapping) or not isinstance(asserted.get("nodes"), list):
        raise Rejection("the key `asserted` must hold what to_json wrote")
    # A file that does not say of each claim what it belongs to is compared.
    told = Clusters(identifiers=identifiers, thresholds=thresholds) if as_stored and _says_all(asserted) else None
    ledger = Assertions(identifiers=identifiers, thresholds=thresholds, told=told)
    for item in asserted["nodes"]:
        node = read_node(item, None)
        if ledger.resolve(node.id) is not None:
            raise Rejection(f"the id {node.id!r} occurs twice")
        ledger.add(_with_refutation(node, item))
    ledger.forbid(asserted.get("cannot_link", ()), [])
    known = {node.id: place for place, node in enumerate(ledger.asserted)}
    _join(ledger, _read_merges(data.get("merges"), known))
    for item in asserted["nodes"]:
        if item.get("node") in known:
            ledger.index.union(Merge(known[item["node"]], known[item["id"]], "stored", None))
    for item in asserted.get("edges", ()):
        ledger.add_edge(read_edge(item, None, known))
    if told is not None:
        told.contradictions.extend(_told_contradictions(ledger, data.get("edges"), known))
    _refute_sentences(ledger, data.get("sentences"))
    return ledger


def _join(ledger: Assertions, merges: Mapping[int, Merge]) -> None:
    """Merge what the claims themselves call for, then what was merged besides, and keep the reasons as they were."""
    if isinstance(ledger.index, ClaimIndex):
        ledger.index.link()
    for place in sorted(merges):
        ledger.index.union(merges[place])
    ledger.index.merges.update((place, merge) for place, merge in merges.items() if place in ledger.index.merges)


def _says_all(asserted: Mapping[str, Any]) -> bool:
    """Return whether each asserted claim names the claim that it is one with, itself where it is alone."""
    items = [item for item in asserted["nodes"] if isinstance(item, Mapping)]
    ids = {item["id"] for item in items if isinstance(item.get("id"), str)}
    return all(isinstance(item.get("node"), str) and item["node"] in ids for item in items)


def _told_contradictions(ledger: Assertions, items: Any, known: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """The claims that attack each other in a stored graph without anybody having asserted it just so: by a guard."""
    attacks = (item for item in items or () if isinstance(item, Mapping) and item.get("relation") == "attacks")
    edges = (read_edge(item, None, known) for item in attacks)
    stored = {(known[edge.src], known[edge.dst]): (edge.confidence, edge.run_ids) for edge in edges}
    asserted: dict[tuple[int, int], Attributes] = {}
    for (src, dst, relation, _), attributes in ledger.edges.items() if stored else ():
        if relation == "attacks":
            key = (ledger.index.first(src), ledger.index.first(dst))
            asserted[key] = stronger(asserted.get(key), attributes)
    for src, dst in [*stored]:
        pair, back = (src, dst), (dst, src)
        if src != dst and pair in stored and back in stored:
            if any(asserted.get(way) != stored[way] for way in (pair, back)):
                yield pair
            del stored[back]


def _read_merges(items: Any, known: Mapping[str, int]) -> dict[int, Merge]:
    """The merges that a file lists; it may list none, as files of earlier versions do."""
    merges: dict[int, Merge] = {}
    for item in items if isinstance(items, list) else ():
        between = item.get("between") if isinstance(item, Mapping) else None
        named = [item.get("merged"), *between] if isinstance(between, list) and len(between) == 2 else []
        if named and all(isinstance(name, str) and name in known for name in named):
            place, earlier, later = (known[name] for name in named)
            by, score = item.get("by"), item.get("score")
            numeric = isinstance(score, (int, float)) and not isinstance(score, bool)
            merges[place] = Merge(earlier, later, by if by in MEASURES else "stored", float(score) if numeric else None)
    return merges


def _sentences(ledger: Assertions) -> list[dict[str, object]]:
    """The sentences beneath givens, with what has become of each."""
    return [{"id": name, **asdict(sentence)} for name, sentence in ledger.sentences.items()]


def _refute_sentences(ledger: Assertions, items: Any) -> None:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping) and item.get("refuted") is True and item.get("id") in ledger.sentences:
            reason = item.get("refute_reason")
            ledger.refute_sentence(item["id"], reason if isinstance(reason, str) else "")


def _with_refutation(node: AssertedNode, item: Mapping[str, Any]) -> AssertedNode:
    if item.get("refuted") is not True:
        return node
    reason = item.get("refute_reason")
    return replace(node, refuted=True, refute_reason=reason if isinstance(reason, str) else None)


def _plain(value: Node | AssertedNode | Edge) -> dict[str, object]:
    """A node or an edge as JSON; what only some have, a group or sources, stands there only if it has them."""
    told: dict[str, object] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if field.name == "sources":
            told.update({"sources": [source.json() for source in held]} if held else {})
        elif field.name != "group" or held is not None:
            told[field.name] = (
                sorted(held) if isinstance(held, frozenset) else list(held) if isinstance(held, tuple) else held
            )
    return told
