"""The pure rules of `interrogation`: what a run brings, how many may be sent, what a majority says, when to stop."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from moot.argument.normal_form import normal_form
from moot.core.question import Document
from moot.methods.grounding import grounding
from moot.protocols.interrogation.schemas import MOST_NODES, Argument, GraphNode

Majority = Literal["supported", "refuted", "not_determinable", "split"]


@dataclass(frozen=True, slots=True)
class Run:
    """One interrogation, ready to be asserted: node ids carry the run's name (interrogation 4.1)."""

    id: str
    answer: str
    conclusion: str
    restated: tuple[str, ...]
    """The nodes that say what the conclusion says, itself included."""
    nodes: tuple[Mapping[str, Any], ...]
    edges: tuple[Mapping[str, Any], ...]
    ungrounded: Mapping[str, str]
    """Givens that the documents do not bear out, and why (ruling I5)."""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unusable:
    """A run whose reply has the right shape and still is no argument."""

    id: str
    problem: str


@dataclass(frozen=True, slots=True)
class Undetermined:
    """A run that finds that the documents do not say (ruling I8)."""

    id: str


def read_run(run_id: str, argument: Argument, documents: Sequence[Document]) -> Run | Unusable | Undetermined:
    """Return what one reply brings: an argument, that the documents do not say, or why it is neither."""
    if not argument.documents_say:
        return Undetermined(run_id)
    nodes = argument.nodes[:MOST_NODES]
    repairs = [f"{len(argument.nodes) - MOST_NODES} nodes past the {MOST_NODES}th were left out"] * (
        nodes != argument.nodes
    )
    conclusion = _conclusion(argument, nodes)
    if conclusion is None:
        return Unusable(run_id, "it has no conclusion")
    if not argument.answer.strip():
        return Unusable(run_id, "it gives no answer")
    others = [node.id for node in nodes if node.type == "conclusion" and node.id != conclusion]
    if others:
        repairs.append(f"a further conclusion was read as an inference: {', '.join(map(str, others))}")
    typed = [(node, _type(node, conclusion)) for node in nodes]
    same = [node for node in nodes if _says_the_same(node, conclusion, nodes)]
    ungrounded = {
        f"{run_id}:{node.id}": problem
        for node, kind in typed
        if kind == "given" and (problem := given_problem(node, documents, is_conclusion=node in same))
    }
    return Run(
        id=run_id,
        answer=argument.answer.strip(),
        conclusion=f"{run_id}:{conclusion}",
        restated=tuple(f"{run_id}:{node.id}" for node in same),
        nodes=tuple(_asserted(run_id, node, kind) for node, kind in typed),
        edges=tuple(
            {
                "src": _prefixed(run_id, edge.src),
                "dst": _prefixed(run_id, edge.dst),
                "relation": edge.relation,
                "confidence": edge.confidence,
            }
            for edge in argument.edges
        ),
        ungrounded=ungrounded,
        repairs=tuple(repairs),
    )


def given_problem(node: GraphNode, documents: Sequence[Document], *, is_conclusion: bool) -> str:
    """Return why a given is none, or nothing: its quote must be there, and must say the answer where it does (I5)."""
    checked = grounding(str(node.claim), str(node.document), str(node.quote), documents)
    if checked.holds and is_conclusion:
        unsaid = normal_form(str(node.claim)).tokens - normal_form(str(node.quote) or str(node.claim)).tokens
        return "it restates the conclusion, which the quoted words do not state" if unsaid else ""
    return checked.problem


def answer_key(answer: str) -> str:
    """Return the normal form by which two short answers are the same (ruling I6)."""
    return normal_form(answer).text or answer.strip().casefold()


def fan_out_size(n: int, calls: int | None, verifications: int) -> int:
    """Return how many runs to send, so that one claim can still be verified where the budget allows (ruling I3)."""
    if calls is None:
        return n
    return max(1, min(n, calls - verifications if calls > verifications else calls))


def affordable_claims(wanted: int, calls_left: int | None, verifications: int) -> int:
    """Return how many disputed claims the budget lets a round verify."""
    return wanted if calls_left is None else min(wanted, calls_left // verifications)


def majority(verdicts: Sequence[str], asked: int) -> Majority:
    """Return what more than half of the verifications say; all undetermined counts, a split does not (ruling I2)."""
    counts = Counter(verdicts)
    for verdict in ("supported", "refuted"):
        if counts[verdict] > asked // 2:
            return verdict
    return "not_determinable" if counts["not_determinable"] == asked else "split"


def mostly_undetermined(undetermined: int, arguing: int) -> bool:
    """Return whether most runs find that the documents do not say (ruling I8)."""
    return undetermined > arguing


def disputes_in_order(
    ungrounded: Iterable[str], pairs: Iterable[Sequence[str]], isolated: Iterable[str], settled: frozenset[str]
) -> tuple[str, ...]:
    """Return the claims to re-interrogate: ungrounded givens, contradictions, then isolated ones (4.1, ruling I5)."""
    ordered = [*ungrounded, *(node for pair in pairs for node in pair), *isolated]
    return tuple(node for node in dict.fromkeys(ordered) if node not in settled)


def structural_confidence(width: int) -> float:
    """Return support width on a scale from 0 to 1: an order, not a probability (ruling G1)."""
    return width / (width + 1)


def _conclusion(argument: Argument, nodes: Sequence[GraphNode]) -> str | None:
    named = next((node.id for node in nodes if node.id == argument.conclusion_node), None)
    typed = [node.id for node in nodes if node.type == "conclusion"]
    if isinstance(named, str) and named and (named in typed or not typed):
        return named
    return next((str(node) for node in typed), None)


def _says_the_same(node: GraphNode, conclusion: str, nodes: Sequence[GraphNode]) -> bool:
    stated = next(other.claim for other in nodes if other.id == conclusion)
    return normal_form(str(node.claim)).text == normal_form(str(stated)).text


def _type(node: GraphNode, conclusion: str) -> Any:
    if node.id == conclusion:
        return "conclusion"
    return "inference" if node.type == "conclusion" else node.type


def _asserted(run_id: str, node: GraphNode, kind: Any) -> Mapping[str, Any]:
    return {"id": _prefixed(run_id, node.id), "claim": node.claim, "type": kind, "confidence": node.confidence}


def _prefixed(run_id: str, node_id: Any) -> Any:
    return f"{run_id}:{node_id}" if isinstance(node_id, str | int) and str(node_id) else node_id
