"""The case that the runs make together: one graph, what it assesses to, what was settled by verification."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.argument import GraphStore, Node
from moot.core.question import Document
from moot.methods.candidates import Candidate, RankBy, ranked_candidates
from moot.methods.grounding import source_of
from moot.methods.runs import Count, Run, VotedAnswer
from moot.methods.sameness import merging
from moot.methods.sentences import Sentence
from moot.methods.written import Written
from moot.protocols.interrogation.rules import disputes_in_order
from moot.protocols.interrogation.verification import Majority

GRAPH = "case"


@dataclass(frozen=True, slots=True)
class Assessment:
    """Where the case stands (interrogation 4.1, step 3)."""

    candidates: tuple[Candidate, ...]
    by: RankBy
    disputed: tuple[str, ...]
    """Every disputed claim, those that were re-interrogated included."""
    open: tuple[str, ...]
    """The disputed claims that can still be re-interrogated, in order."""
    structure: Mapping[str, Any] = field(default_factory=dict)
    """What `check_structure` finds beneath the first candidate (ruling I15)."""

    @property
    def standing(self) -> tuple[Candidate, ...]:
        """The candidates that may be the answer."""
        return tuple(candidate for candidate in self.candidates if not candidate.refuted)

    @property
    def winners(self) -> tuple[Candidate, ...]:
        """The first candidate, and every other that nothing sets behind it: a tie (ruling I16)."""
        first = self.standing[:1]
        return tuple(item for item in self.standing if item.rank(self.by) == first[0].rank(self.by))

    def is_stable_since(self, previous: "Assessment | None") -> bool:
        """Whether the same candidates stand in the same order as before (ruling I7)."""
        return previous is not None and [item.id for item in self.standing] == [item.id for item in previous.standing]


class Case:
    """The argument graph of a deliberation, as runs and verifications come in."""

    def __init__(self, by: RankBy = "votes") -> None:
        # A number behind "rack" or "step" is part of a name here, as documents use it (ruling A4).
        self.graph = GraphStore(identifiers=True)
        self.graph.create_graph(GRAPH)
        self.by: RankBy = by
        self.runs: dict[str, Run] = {}
        self.written: dict[str, Written] = {}
        self.answers: dict[str, str] = {}
        """The answer that each run's conclusion stands for, in the words of its group."""
        self.ungrounded: dict[str, str] = {}
        self.rejected: list[Any] = []
        self._settled: set[str] = set()

    @classmethod
    def reopened(cls, graph: Mapping[str, Any]) -> "Case":
        """Return a case with its graph alone, as `to_json` wrote it: claims can be settled in it, runs are unknown."""
        case = cls()
        case.graph = GraphStore(identifiers=True)
        case.graph.from_json(GRAPH, graph)
        return case

    def take_in(self, count: Count, arguments: Mapping[str, Written]) -> None:
        """Assert the runs' arguments (interrogation 4.1, step 1); who abstains has none."""
        for answer in count.candidates:
            if not answer.abstains:
                self._take_in(answer, arguments)

    def _take_in(self, answer: VotedAnswer, arguments: Mapping[str, Written]) -> None:
        """Assert the arguments for one answer: they share its conclusion, and never merge with another's (I6, G12)."""
        claim = _conclusion_of(arguments[answer.runs[0].id])
        others = [written.conclusion for written in self.written.values()]
        for run in answer.runs:
            written = arguments[run.id]
            nodes = [_reworded(node, written, claim) for node in written.nodes]
            apart = [(other, node) for other in others for node in _restated(written)]
            report: Any = self.graph.assert_graph(GRAPH, nodes, written.edges, run_id=run.id, cannot_link=apart)
            self.rejected += report["rejected"]
            self.ungrounded |= written.ungrounded
            self.runs[run.id], self.written[run.id], self.answers[run.id] = run, written, answer.answer

    def merge(self) -> Mapping[str, Any]:
        """Collapse claims that say the same (interrogation 4.1, step 2); what was computed false is refuted (I18)."""
        merged = self.graph.merge_duplicates(GRAPH)
        for written in self.written.values():
            for node, how in written.refuted.items():
                self.graph.mark_refuted(GRAPH, node, f"it comes out otherwise: {how}")
        return merged

    def merges(self) -> Sequence[Mapping[str, Any]]:
        """Return which claims were merged, by what measure and how alike they were (ruling G11)."""
        return self.graph.merges(GRAPH)

    def assess(self) -> Assessment:
        """Rank the candidates and find what is disputed over all of them (interrogation 4.1, step 3; ruling I7)."""
        candidates = ranked_candidates(self.graph, GRAPH, by=self.by, votes=self._votes())
        disputed = self._disputed(candidates)
        still_open = tuple(node for node in disputed if node not in self._settled)
        top = next((item for item in candidates if not item.refuted), None)
        if top and not top.width and top.id not in self._settled | set(still_open) and not self._is_confirmed(top.id):
            # Where the leader has no line, its conclusion is put to the documents itself (I14).
            still_open += (top.id,)
        structure: Any = self.graph.check_structure(GRAPH, top.id) if top else {}
        return Assessment(candidates, self.by, disputed, still_open, structure)

    def _disputed(self, candidates: Sequence[Candidate]) -> tuple[str, ...]:
        pairs: dict[tuple[str, ...], None] = {}
        isolated: dict[str, None] = {}
        for candidate in candidates:
            found: Any = self.graph.disputed_nodes(GRAPH, candidate.id)
            pairs |= dict.fromkeys(tuple(pair) for pair in found["contradiction_pairs"])
            isolated |= dict.fromkeys(item["id"] for item in found["isolated_load_bearing"])
        standing = {node.id: node for node in self.graph.nodes(GRAPH) if not node.refuted}
        live_pairs = [pair for pair in pairs if standing.keys() >= set(pair)]
        ungrounded = self.not_found()
        # What the program found in a document to the letter needs nobody's word, even if one run alone names it.
        alone = [node for node in isolated if node not in standing or not standing[node].sources]
        leading = set(candidates[0].runs) if candidates else set()
        disputed = disputes_in_order(ungrounded, live_pairs, alone, lambda node: bool(leading & self.authors(node)))
        return tuple(node for node in disputed if node in standing and not self._is_confirmed(node))

    def steps_to_follow(self, candidate: Candidate) -> tuple[str, ...]:
        """Return the candidate's steps on sentences that nobody has put to a fresh context yet (ruling I14)."""
        on_lines = {node for path in candidate.paths for node in path}
        inferred = [node for node in self.graph.nodes(GRAPH) if node.type == "inference" and not node.refuted]
        return tuple(
            node.id
            for node in inferred
            if node.id in on_lines and self._follow_key(node.id) not in self._settled and self.beneath(node.id)
        )

    def beneath(self, node: str) -> tuple[str, ...]:
        """Return the sentences that a claim rests on at once, by their ids."""
        wanted = self.resolve(node)
        reasons = {edge.src for edge in self.graph.edges(GRAPH) if edge.dst == wanted and edge.relation == "supports"}
        givens = [item for item in self.graph.nodes(GRAPH) if item.id in reasons and item.sources]
        return tuple(
            dict.fromkeys(sentence.id for item in givens for source in item.sources for sentence in source.sentences)
        )

    def settle(self, node: str, verdict: Majority, reason: str, run_id: str) -> None:
        """Let a majority of verifications take effect; a claim is re-interrogated once (ruling I2)."""
        self._settled.add(node)
        match verdict:
            case "refuted":
                self.graph.mark_refuted(GRAPH, node, reason or "refuted by verification")
            case "supported":
                self.graph.confirm_node(GRAPH, node, run_id)
            case "not_determinable":
                self.graph.doubt_node(GRAPH, node)
            case "split":
                return

    def settle_step(self, node: str, verdict: Majority, reason: str) -> None:
        """Cut a step that does not follow from its sentences by most who were asked (ruling I14)."""
        self._settled.add(self._follow_key(node))
        if verdict == "refuted":
            self.graph.mark_refuted(GRAPH, node, f"it does not follow from its sentences alone: {reason}")

    def reinstate(self, node: str, sentence: Sentence, documents: Sequence[Document], run_id: str) -> bool:
        """Give a claim the sentence that a verification found for it; return whether it had been without (I14)."""
        source, wanted = source_of([sentence], documents), self.node(node)
        if wanted.type == "conclusion":
            return self._supported_by(wanted.id, source, sentence, run_id)
        if not wanted.ungrounded:
            return False
        self.ungrounded = {
            name: problem for name, problem in self.ungrounded.items() if self.resolve(name) != wanted.id
        }
        for name in (wanted.id, *wanted.aliases):
            self.graph.reinstate_given(GRAPH, name, source)
        return True

    def _supported_by(self, conclusion: str, source: Mapping[str, Any], sentence: Sentence, run_id: str) -> bool:
        given = f"{run_id}:d{sentence.number}"
        nodes = [{"id": given, "claim": sentence.said, "type": "given", "source": source}]
        edges = [{"src": given, "dst": conclusion, "relation": "supports", "group": run_id}]
        report: Any = self.graph.assert_graph(GRAPH, nodes, edges, run_id=run_id)
        return not report.get("rejected")

    def resolve(self, node: str) -> str:
        """Return the node that an asserted one is part of."""
        return self.graph.resolve(GRAPH, node) or node

    def node(self, node: str) -> Node:
        """Return a node as it stands."""
        wanted = self.resolve(node)
        return next(item for item in self.graph.nodes(GRAPH) if item.id == wanted)

    def claim(self, node: str) -> str:
        """Return the words of a claim or of a sentence beneath one."""
        sentences = {sentence.id: sentence.claim for sentence in self.graph.sentences(GRAPH)}
        return sentences[node] if node in sentences else self.node(node).claim

    def authors(self, node: str) -> frozenset[str]:
        """Return the runs that put a claim forward; a verification is none of them."""
        return frozenset(run for run in self.node(node).run_ids if run in self.runs)

    def answer_of(self, candidate: Candidate) -> str:
        """Return the short answer that a conclusion stands for."""
        return next(self.answers[run] for run in self.arguing_for(candidate))

    def arguing_for(self, candidate: Candidate) -> tuple[str, ...]:
        """Return the runs that came to this conclusion; a verification of it is none of them."""
        return tuple(run for run, written in self.written.items() if self.resolve(written.conclusion) == candidate.id)

    def not_found(self) -> dict[str, str]:
        """Return the claims that no sentence covers, as they are merged, each with a reason."""
        merged = {self.resolve(node): problem for node, problem in reversed(self.ungrounded.items())}
        return {node: problem for node, problem in reversed(merged.items()) if self.node(node).ungrounded}

    def without_line(self, runs: Iterable[str]) -> dict[str, str]:
        """Return which of the runs are no line of support to their own answer, and why (ruling I12)."""
        return {run: self.written[run].no_line for run in runs if self.written[run].no_line}

    def _votes(self) -> dict[str, int]:
        votes: dict[str, int] = {}
        for written in self.written.values():
            conclusion = self.resolve(written.conclusion)
            votes[conclusion] = votes.get(conclusion, 0) + 1
        return votes

    def _is_confirmed(self, node: str) -> bool:
        return any(run.startswith("v") for run in self.node(node).run_ids)

    @staticmethod
    def _follow_key(node: str) -> str:
        return f"follows {node}"


def _conclusion_of(written: Written) -> Any:
    return next(node["claim"] for node in written.nodes if node["id"] == written.conclusion)


def _reworded(node: Mapping[str, Any], written: Written, claim: Any) -> Mapping[str, Any]:
    """Runs that give one answer come to one conclusion, however each of them words it."""
    return {**node, "claim": claim} if node["id"] == written.conclusion else node


def _restated(written: Written) -> list[Any]:
    """The nodes that say what the conclusion says, itself included: the graph would merge them for equal forms."""
    conclusion = _conclusion_of(written)
    return [node["id"] for node in written.nodes if _is_one_form(node["claim"], conclusion)]


def _is_one_form(claim: Any, other: Any) -> bool:
    why = merging(claim, other) if isinstance(claim, str) and isinstance(other, str) else None
    return why is not None and why.by == "equal"
