"""The case that the runs make together: one graph, what it assesses to, what was settled by verification."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.argument import GraphStore
from moot.methods.candidates import Candidate, ranked_candidates
from moot.methods.sameness import AnswerGroups, Setting, answer_groups
from moot.protocols.interrogation.rules import Majority, Run, disputes_in_order
from moot.protocols.interrogation.schemas import Verification

GRAPH = "case"


@dataclass(frozen=True, slots=True)
class Assessment:
    """Where the case stands (interrogation 4.1, step 3)."""

    candidates: tuple[Candidate, ...]
    disputed: tuple[str, ...]
    """Every disputed claim, those that were re-interrogated included."""
    open: tuple[str, ...]
    """The disputed claims that can still be re-interrogated, in order."""

    @property
    def standing(self) -> tuple[Candidate, ...]:
        """The candidates that may be the answer."""
        return tuple(candidate for candidate in self.candidates if not candidate.refuted)

    def is_stable_since(self, previous: "Assessment | None") -> bool:
        """Whether the same candidates stand in the same order as before (ruling I7)."""
        return previous is not None and [item.id for item in self.standing] == [item.id for item in previous.standing]


class Case:
    """The argument graph of a deliberation, as runs and verifications come in."""

    def __init__(self) -> None:
        # A number behind "rack" or "step" is part of a name here, as documents use it (ruling A4).
        self.graph = GraphStore(identifiers=True)
        self.graph.create_graph(GRAPH)
        self.runs: list[Run] = []
        self.ungrounded: dict[str, str] = {}
        self.rejected: list[Any] = []
        self._settled: set[str] = set()

    def take_in(self, runs: Sequence[Run], setting: Setting) -> AnswerGroups:
        """Assert the runs' graphs (interrogation 4.1, step 1) and return their answers by groups (ruling G12)."""
        answers = answer_groups(
            [run.answer for run in runs], conclusions=[_conclusion_of(run) for run in runs], setting=setting
        )
        for place, run in enumerate(runs):
            group = answers.groups[answers.group_of(place)]
            self._assert(run, [runs[other] for other in group.places if other < place])
        return answers

    def _assert(self, run: Run, alike: Sequence[Run]) -> None:
        """Assert one run's graph; conclusions of the same answer are one, those of others never merge (ruling I6)."""
        nodes = [_reworded(node, run, _conclusion_of(alike[0])) if alike else node for node in run.nodes]
        apart = [(other.conclusion, node) for other in self.runs if other not in alike for node in run.restated]
        report: Any = self.graph.assert_graph(GRAPH, nodes, run.edges, run_id=run.id, cannot_link=apart)
        self.rejected += report["rejected"]
        for node, problem in run.ungrounded.items():
            if "error" not in self.graph.demote_given(GRAPH, node):
                self.ungrounded[node] = problem
        self.runs.append(run)

    def merge(self) -> Mapping[str, Any]:
        """Collapse claims that say the same (interrogation 4.1, step 2)."""
        return self.graph.merge_duplicates(GRAPH)

    def merges(self) -> Sequence[Mapping[str, Any]]:
        """Return which claims were merged, by what measure and how alike they were (ruling G11)."""
        return self.graph.merges(GRAPH)

    def assess(self) -> Assessment:
        """Rank the candidates and find what is disputed over all of them (interrogation 4.1, step 3; ruling I7)."""
        candidates = ranked_candidates(self.graph, GRAPH)
        pairs: dict[tuple[str, ...], None] = {}
        isolated: dict[str, None] = {}
        for candidate in candidates:
            found: Any = self.graph.disputed_nodes(GRAPH, candidate.id)
            pairs |= dict.fromkeys(tuple(pair) for pair in found["contradiction_pairs"])
            isolated |= dict.fromkeys(item["id"] for item in found["isolated_load_bearing"])
        standing = {node.id for node in self.graph.nodes(GRAPH) if not node.refuted}
        live_pairs = [pair for pair in pairs if standing.issuperset(pair)]
        ungrounded = [node for node in map(self.resolve, self.ungrounded) if self._node(node).ungrounded]
        disputed = disputes_in_order(ungrounded, live_pairs, isolated, frozenset())
        disputed = tuple(node for node in disputed if node in standing and not self._is_confirmed(node))
        return Assessment(candidates, disputed, tuple(node for node in disputed if node not in self._settled))

    def settle(self, node: str, verdict: Majority, replies: Sequence[Verification], run_id: str) -> None:
        """Let a majority of verifications take effect; a claim is re-interrogated once (ruling I2)."""
        self._settled.add(node)
        match verdict:
            case "refuted":
                reason = next(reply.reason for reply in replies if reply.verdict == "refuted")
                self.graph.mark_refuted(GRAPH, node, reason or "refuted by verification")
            case "supported":
                self.graph.confirm_node(GRAPH, node, run_id)
            case "not_determinable":
                self.graph.doubt_node(GRAPH, node)
            case "split":
                return

    def resolve(self, node: str) -> str:
        """Return the node that an asserted one is part of."""
        return self.graph.resolve(GRAPH, node) or node

    def claim(self, node: str) -> str:
        """Return a node's words."""
        return self._node(node).claim

    def answer_of(self, candidate: Candidate) -> str:
        """Return the short answer of the first run that came to this conclusion."""
        return next(run.answer for run in self.runs if self.resolve(run.conclusion) == candidate.id)

    def arguing_for(self, candidate: Candidate) -> tuple[str, ...]:
        """Return the runs that came to this conclusion; a verification of it is none of them."""
        return tuple(run.id for run in self.runs if self.resolve(run.conclusion) == candidate.id)

    def _node(self, node: str) -> Any:
        wanted = self.resolve(node)
        return next(item for item in self.graph.nodes(GRAPH) if item.id == wanted)

    def _is_confirmed(self, node: str) -> bool:
        return any(run.startswith("v") for run in self._node(node).run_ids)


def _conclusion_of(run: Run) -> Any:
    return next(node["claim"] for node in run.nodes if node["id"] == run.conclusion)


def _reworded(node: Mapping[str, Any], run: Run, claim: Any) -> Mapping[str, Any]:
    """Runs that give one answer come to one conclusion, however each of them words it."""
    return {**node, "claim": claim} if node["id"] == run.conclusion else node
