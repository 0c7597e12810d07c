"""An argument read whole: claims, lines, what must be wrong, candidates, with what is contested and supposed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from moot.argument import Edge, GraphStore, Node
from moot.core.errors import NotFound
from moot.core.events import Header
from moot.methods.argued.claim_sources import ClaimSources, SeenEvents, numbered_sentences
from moot.methods.argued.runs import authoring_runs
from moot.methods.argued.values import (
    ArgumentClaim,
    ArgumentFigures,
    ArgumentReading,
    ArgumentRelation,
    ArgumentStructure,
    ClaimRun,
    ClaimVerdict,
    Fate,
    GivenCheck,
    RankedAnswer,
    SourceSentence,
)
from moot.methods.candidates import Candidate
from moot.methods.contest import GRAPH, all_candidates, loaded_graph, named_node, stands
from moot.methods.wrongs import wrongs_of

SUPPOSED = "supposed to be wrong"
MOST_DISPUTED_OVER = 12
"""Candidates beneath which is looked for what is disputed."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A claim or a sentence that is taken to be wrong, and why."""

    node: str
    reason: str


def read_graph(
    header: Header,
    detail: Mapping[str, Any],
    events: SeenEvents = (),
    *,
    contested: Sequence[Refutation] = (),
    supposed: Sequence[str] = (),
    conclusion: str | None = None,
) -> ArgumentReading:
    """Return the argument of a verdict's detail, with what is contested and what is supposed to be wrong refuted.

    What is supposed to be wrong is named by its id, or by words that it alone has. `events` are the run events that
    tell of runs and verifications; without them, nothing is told of those.

    Raises:
        NotFound: for a claim or a conclusion that is none of the graph's.
    """
    store = loaded_graph(detail)
    wrong = [Refutation(id_, SUPPOSED) for id_ in dict.fromkeys(named_node(store, name).id for name in supposed)]
    uncontested = _figures(store, detail) if contested else None
    _refute(store, contested)
    before = _figures(store, detail) if wrong else None
    _refute(store, wrong)
    figures = _figures(store, detail)
    looked_at = figures.conclusion if conclusion is None else _conclusion(store, conclusion)
    candidates = all_candidates(store, detail)
    looking = _Looking(store, candidates, next((item for item in candidates if item.id == looked_at), None))
    claims = _Claims(looking, ClaimSources(header, detail, events), detail, contested, wrong, before)
    return ArgumentReading(
        figures=figures,
        conclusion=looked_at,
        claims=tuple(claims.all()),
        relations=tuple(map(looking.relation, looking.edges)),
        sentences=tuple(_sentences(store, header)),
        candidates=tuple(RankedAnswer(item, _answer(item, detail), stands(item, detail)) for item in candidates),
        paths=looking.paths,
        standing_paths=looking.standing_paths,
        support_width=looking.candidate.width if looking.candidate else 0,
        surviving_width=looking.candidate.surviving_width if looking.candidate else 0,
        resilience=looking.candidate.resilience if looking.candidate else 0,
        must_be_wrong=looking.wrongs.ids if looking.wrongs else (),
        together=looking.wrongs is not None and looking.wrongs.together,
        support=looking.wrongs.words if looking.wrongs else "",
        cut=looking.cut,
        bridges=looking.bridges,
        structure=looking.structure,
        disputed=claims.disputed,
        supposed=tuple(one.node for one in wrong),
        before=before,
        uncontested=uncontested,
    )


def _refute(store: GraphStore, refutations: Iterable[Refutation]) -> None:
    for one in refutations:
        store.mark_refuted(GRAPH, one.node, one.reason)


def _figures(store: GraphStore, detail: Mapping[str, Any]) -> ArgumentFigures:
    survivors: Any = store.surviving_claims(GRAPH)
    top = next((item for item in all_candidates(store, detail) if stands(item, detail)), None)
    if top is None:
        return ArgumentFigures(None, None, 0, 0, 0, tuple(survivors["surviving"]))
    answer, surviving = _answer(top, detail), tuple(survivors["surviving"])
    return ArgumentFigures(top.id, answer, top.width, top.surviving_width, top.resilience, surviving)


def _answer(candidate: Candidate, detail: Mapping[str, Any]) -> str:
    return next((item["answer"] for item in detail["candidates"] if item["id"] == candidate.id), candidate.claim)


def _conclusion(store: GraphStore, wanted: str) -> str:
    there = store.conclusions(GRAPH)
    named = store.resolve(GRAPH, wanted)
    if named not in there:
        raise NotFound(what="conclusion", name=wanted, see=f"the conclusions are {', '.join(there[:12]) or 'none'}")
    return named


class _Looking:
    """A graph, seen from one of its conclusions; from none, where no conclusion stands."""

    def __init__(self, store: GraphStore, candidates: Sequence[Candidate], candidate: Candidate | None) -> None:
        self.store = store
        self.edges = store.edges(GRAPH)
        self._candidates = candidates
        self.candidate = candidate
        self.wrongs = None
        self.paths: tuple[tuple[str, ...], ...] = ()
        self.standing_paths: tuple[tuple[str, ...], ...] = ()
        self.cut: tuple[str, ...] = ()
        self.bridges: tuple[tuple[str, str], ...] = ()
        self.structure = ArgumentStructure(ungrounded=tuple(node.id for node in store.nodes(GRAPH) if node.ungrounded))
        if candidate:
            self._look(candidate)
        self._roads = _roads(self.paths)
        self._steps = _roads([[f"{a}\0{b}" for a, b in pairwise(path)] for path in self.paths])

    def _look(self, candidate: Candidate) -> None:
        links: Any = self.store.critical_links(GRAPH, candidate.id)
        resilience: Any = self.store.resilience(GRAPH, candidate.id)
        self.wrongs = wrongs_of(self.store, GRAPH, candidate.id, resilience)
        self.paths = candidate.paths
        self.standing_paths = self.store.standing_lines(GRAPH, candidate.id)
        self.cut = tuple(links["min_cut_nodes"])
        self.bridges = tuple((edge[0], edge[1]) for edge in links["bridge_edges"])
        checked: Any = self.store.check_structure(GRAPH, candidate.id)
        self.structure = replace(
            self.structure,
            orphans=tuple(checked["orphans"]),
            cycles=tuple(tuple(cycle) for cycle in checked["cycles"]),
            cycles_truncated=checked["cycles_truncated"],
            assumptions=tuple(checked["assumptions"]),
            refuted_but_feeding=tuple(checked["refuted_but_feeding"]),
            broad=tuple(checked.get("broad", ())),
            is_unreachable=checked["unreachable_conclusion"],
        )

    def roads(self, node: str) -> tuple[int, ...]:
        """The lines of support that a claim or a sentence is on."""
        return self._roads.get(node, ())

    def relation(self, edge: Edge) -> ArgumentRelation:
        """A relation with the lines that run through it."""
        is_support = edge.relation != "attacks"
        return ArgumentRelation(
            src=edge.src,
            dst=edge.dst,
            relation=edge.relation,
            confidence=edge.confidence,
            runs=tuple(sorted(edge.run_ids)),
            group=edge.group,
            roads=self._steps.get(f"{edge.src}\0{edge.dst}", ()) if is_support else (),
            is_bridge=is_support and (edge.src, edge.dst) in self.bridges,
        )

    def disputes(self) -> tuple[list[str], list[str]]:
        """The claims of live contradictions, and those that one run alone says, over all candidates (ruling I7)."""
        refuted = {node.id for node in self.store.nodes(GRAPH) if node.refuted}
        pairs: dict[tuple[str, ...], None] = {}
        alone: dict[str, None] = {}
        for candidate in self._candidates[:MOST_DISPUTED_OVER]:
            seen: Any = self.store.disputed_nodes(GRAPH, candidate.id)
            pairs |= {tuple(pair): None for pair in seen["contradiction_pairs"] if refuted.isdisjoint(pair)}
            alone |= {item["id"]: None for item in seen["isolated_load_bearing"]}
        return [node for pair in pairs for node in pair], list(alone)


@dataclass(frozen=True, slots=True)
class _Marks:
    """Claims by what the structure says of them."""

    cut: frozenset[str]
    bridged: frozenset[str]
    disputed: frozenset[str]


class _Claims:
    """The claims of a graph, each with all that is known of it."""

    def __init__(
        self,
        looking: _Looking,
        said: ClaimSources,
        detail: Mapping[str, Any],
        contested: Sequence[Refutation],
        supposed: Sequence[Refutation],
        before: ArgumentFigures | None,
    ) -> None:
        store = looking.store
        self._looking = looking
        self._nodes = store.nodes(GRAPH)
        self._contested, self._supposed = ({one.node for one in some} for some in (contested, supposed))
        self._before = frozenset(before.surviving) if before else frozenset()
        survivors: Any = store.surviving_claims(GRAPH)
        self._labels = {name: frozenset(survivors[name]) for name in ("in", "out", "surviving")}
        self._ends = _ends(looking.edges)
        self._runs = _runs(detail["graph"], said, store)
        self._verdicts: dict[str, list[ClaimVerdict]] = defaultdict(list)
        for node, verdicts in said.verdicts().items():
            self._verdicts[store.resolve(GRAPH, node) or node] += verdicts
        self._problems = {store.resolve(GRAPH, node) or node: problem for node, problem in said.problems.items()}
        self.disputed = self._disputed()

    def all(self) -> Iterable[ArgumentClaim]:
        bridged = frozenset(end for edge in self._looking.bridges for end in edge)
        marks = _Marks(frozenset(self._looking.cut), bridged, frozenset(self.disputed))
        return (self._claim(node, marks) for node in self._nodes)

    def _claim(self, node: Node, marks: "_Marks") -> ArgumentClaim:
        attackers = self._ends["attacks", node.id]
        survives = node.id in self._labels["surviving"]
        return ArgumentClaim(
            id=node.id,
            claim=node.claim,
            type=node.type,
            confidence=node.confidence,
            fate=self._fate(node.id),
            surviving=survives,
            refuted=node.refuted,
            refute_reason=node.refute_reason,
            defeated_by=tuple(one for one in attackers if one in self._labels["in"]),
            attackers=tuple(attackers),
            supports=tuple(self._ends["supports", node.id]),
            supported_by=tuple(self._ends["supported by", node.id]),
            aliases=node.aliases,
            runs=tuple(self._runs[node.id]),
            sources=tuple(source.ids for source in node.sources),
            given=self._given(node),
            verdicts=tuple(self._verdicts[node.id]),
            roads=self._looking.roads(node.id),
            is_cut=node.id in marks.cut,
            is_bridge=node.id in marks.bridged,
            is_disputed=node.id in marks.disputed,
            is_contested=node.id in self._contested,
            is_supposed=node.id in self._supposed,
            has_fallen=node.id in self._before and not survives,
        )

    def _fate(self, node: str) -> Fate:
        if node in self._labels["in"]:
            return "stands"
        return "defeated" if node in self._labels["out"] else "undecided"

    def _given(self, node: Node) -> GivenCheck | None:
        if node.ungrounded:
            return GivenCheck(holds=False, problem=self._problems.get(node.id, "no sentence covers it"))
        return GivenCheck(holds=True) if node.sources else None

    def _disputed(self) -> tuple[str, ...]:
        """What no sentence covers, what is contradicted, and what one run alone says of itself; verified claims not."""
        contradicted, alone = self._looking.disputes()
        nodes = {node.id: node for node in self._nodes}
        without_source = [node for node in alone if node in nodes and not nodes[node].sources]
        ungrounded = [node.id for node in self._nodes if node.ungrounded]
        open_ = dict.fromkeys((*ungrounded, *contradicted, *without_source))
        confirmed = {node.id for node in self._nodes if authoring_runs(node.run_ids) != node.run_ids}
        return tuple(node for node in open_ if not nodes[node].refuted and node not in confirmed)


def _ends(edges: Iterable[Edge]) -> dict[tuple[str, str], dict[str, None]]:
    """What attacks each claim, what it supports and what supports it, each once and in order."""
    ends: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for edge in edges:
        if edge.relation == "attacks":
            ends["attacks", edge.dst][edge.src] = None
        else:
            ends["supports", edge.src][edge.dst] = None
            ends["supported by", edge.dst][edge.src] = None
    return ends


def _runs(graph: Mapping[str, Any], said: ClaimSources, store: GraphStore) -> dict[str, list[ClaimRun]]:
    merges = {merge["merged"]: merge for merge in graph.get("merges", ())}
    runs: dict[str, list[ClaimRun]] = defaultdict(list)
    asserted = graph.get("asserted", {}).get("nodes") or graph["nodes"]
    for node in asserted:
        held = runs[store.resolve(GRAPH, node["id"]) or node["id"]]
        known = {(run.run, run.claim) for run in held}
        held += [run for run in said.runs_of(node, merges.get(node["id"])) if (run.run, run.claim) not in known]
    return runs


def _sentences(store: GraphStore, header: Header) -> Iterable[SourceSentence]:
    stored = store.sentences(GRAPH)
    known = numbered_sentences(header) if stored else {}
    for one in stored:
        place, sentence = known.get(one.id, (None, None))
        yield SourceSentence(
            id=one.id,
            document=one.document,
            number=one.number,
            text=one.claim,
            refuted=one.refuted,
            refute_reason=one.refute_reason,
            place=place,
            start=sentence.start if sentence else None,
            end=sentence.end if sentence else None,
        )


def _roads(paths: Iterable[Iterable[str]]) -> dict[str, tuple[int, ...]]:
    roads: dict[str, tuple[int, ...]] = {}
    for number, path in enumerate(paths, 1):
        for name in path:
            roads[name] = (*roads.get(name, ()), number)
    return roads
