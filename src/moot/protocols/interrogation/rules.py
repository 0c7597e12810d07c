"""The pure rules of `interrogation`: what a run brings, how many may be sent, what a majority says, when to stop."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.argument.graph import DEFAULT_CONFIDENCE
from moot.argument.ingest import MAX_CLAIM_LENGTH
from moot.argument.normal_form import normal_form
from moot.core.calls import Missing
from moot.core.question import Document
from moot.methods.grounding import grounding, grounds_of
from moot.methods.sameness import merging
from moot.protocols.interrogation.schemas import MOST_NODES, Argument, GraphNode
from moot.protocols.interrogation.verification import Majority as Majority
from moot.protocols.interrogation.verification import majority as majority

LONGEST_ID = 200
"""Characters of a node's id; it becomes part of the names of steps."""


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


@dataclass(frozen=True, slots=True)
class FanOut:
    """What the runs brought, against those that were asked (interrogation 4.1, step 1; ruling G8)."""

    asked: int
    arguing: tuple[Run, ...]
    undetermined: int
    """Runs that find that the documents do not say."""
    dropped: tuple[Missing, ...]
    """Runs whose reply is no argument, and why."""


def read_run(run_id: str, argument: Argument, documents: Sequence[Document]) -> Run | Unusable | Undetermined:
    """Return what one reply brings: an argument, that the documents do not say, or why it is neither."""
    if not argument.documents_say:
        return Undetermined(run_id)
    nodes, repairs = _read_nodes(argument)
    conclusion = _conclusion(argument, nodes)
    if conclusion is None:
        return Unusable(run_id, "it has no conclusion")
    if problem := _unreadable(conclusion):
        return Unusable(run_id, problem)
    if not argument.answer.strip():
        return Unusable(run_id, "it gives no answer")
    others = [str(node.id) for node in nodes if node.type == "conclusion" and node is not conclusion]
    if others:
        repairs.append(f"a further conclusion was read as an inference: {', '.join(others)}")
    typed = [(node, _type(node, conclusion)) for node in nodes]
    same = [node for node in nodes if node is conclusion or _is_one_form(str(node.claim), conclusion.claim)]
    ungrounded = {
        f"{run_id}:{node.id}": problem
        for node, kind in typed
        if kind == "given" and (problem := given_problem(node, documents, is_conclusion=node in same))
    }
    return Run(
        id=run_id,
        answer=argument.answer.strip(),
        conclusion=f"{run_id}:{conclusion.id}",
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
    quote = "" if node.quote is None else str(node.quote)
    document = "" if node.document is None else str(node.document)
    checked = grounding(str(node.claim), document, quote, grounds_of(documents))
    if checked.holds and is_conclusion:
        unsaid = normal_form(str(node.claim)).tokens - normal_form(quote or str(node.claim)).tokens
        return "it restates the conclusion, which the quoted words do not state" if unsaid else ""
    return checked.problem


def fan_out_size(n: int, calls: int | None, verifications: int) -> int:
    """Return how many runs to send, so that one claim can still be verified where the budget allows (ruling I3)."""
    if calls is None:
        return n
    return max(1, min(n, calls - verifications if calls > verifications else calls))


def affordable_claims(wanted: int, calls_left: int | None, verifications: int) -> int:
    """Return how many disputed claims the budget lets a round verify."""
    return wanted if calls_left is None else min(wanted, calls_left // verifications)


def mostly_undetermined(undetermined: int, asked: int) -> bool:
    """Return whether more than half of the runs asked find that the documents do not say (rulings G8 and I8)."""
    return 2 * undetermined > asked


def disputes_in_order(
    ungrounded: Iterable[str], pairs: Iterable[Sequence[str]], isolated: Iterable[str], settled: frozenset[str]
) -> tuple[str, ...]:
    """Return the claims to re-interrogate: ungrounded givens, contradictions, then isolated ones (4.1, ruling I5)."""
    ordered = [*ungrounded, *(node for pair in pairs for node in pair), *isolated]
    return tuple(node for node in dict.fromkeys(ordered) if node not in settled)


def structural_confidence(width: int) -> float:
    """Return support width on a scale from 0 to 1: an order, not a probability (ruling G1)."""
    return width / (width + 1)


def _is_one_form(claim: str, other: str) -> bool:
    """Whether the graph would merge the two for their equal normal forms."""
    why = merging(claim, other)
    return why is not None and why.by == "equal"


def _read_nodes(argument: Argument) -> tuple[list[GraphNode], list[str]]:
    """The nodes that are read, and what was left out: those past the limit, and an id that is taken already."""
    nodes = list(argument.nodes[:MOST_NODES])
    left_out = len(argument.nodes) - len(nodes)
    repairs = [f"{left_out} nodes past the {MOST_NODES}th were left out"] if left_out else []
    first: dict[str, GraphNode] = {}
    for node in nodes:
        first.setdefault(_name(node.id), node)
    repeated = [node for node in nodes if _name(node.id) and first[_name(node.id)] is not node]
    if repeated:
        names = ", ".join(dict.fromkeys(_name(node.id) for node in repeated))
        repairs.append(f"a further claim under an id that is taken was left out: {names}")
    return [node for node in nodes if node not in repeated], repairs


def _conclusion(argument: Argument, nodes: Sequence[GraphNode]) -> GraphNode | None:
    """The node that the run names; where it types another one as its conclusion, that one."""
    typed = [node for node in nodes if node.type == "conclusion"]
    wanted = _name(argument.conclusion_node)
    return next((node for node in typed or nodes if wanted and _name(node.id) == wanted), next(iter(typed), None))


def _unreadable(conclusion: GraphNode) -> str:
    if not _name(conclusion.id):
        return "its conclusion has no id"
    if not isinstance(conclusion.claim, str) or not conclusion.claim.strip():
        return "its conclusion says nothing"
    if len(conclusion.claim) > MAX_CLAIM_LENGTH:
        return f"its conclusion is longer than {MAX_CLAIM_LENGTH} characters"
    return ""


def _type(node: GraphNode, conclusion: GraphNode) -> Any:
    if node is conclusion:
        return "conclusion"
    return "inference" if node.type == "conclusion" else node.type


def _asserted(run_id: str, node: GraphNode, kind: Any) -> Mapping[str, Any]:
    confidence = node.confidence
    if kind == "conclusion" and not (isinstance(confidence, int | float) and 0 <= confidence <= 1):
        # Any other node with such a confidence is rejected; without its conclusion the whole run would be lost.
        confidence = DEFAULT_CONFIDENCE
    return {"id": _prefixed(run_id, node.id), "claim": node.claim, "type": kind, "confidence": confidence}


def _prefixed(run_id: str, node_id: Any) -> Any:
    return f"{run_id}:{node_id}" if _name(node_id) else node_id


def _name(node_id: Any) -> str:
    """The id of a node as a text of a length that a graph takes; nothing where it is none."""
    text = str(node_id) if isinstance(node_id, str | int) else ""
    return text if text.strip() and len(text) <= LONGEST_ID else ""
