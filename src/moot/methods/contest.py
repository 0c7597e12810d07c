"""Contesting a conclusion afterwards: refute a claim of the stored graph and see what then stands (ruling I4).

No model is called. Whatever protocol made the graph, its verdict's detail holds `graph` and `candidates`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moot.argument import GraphStore, Node, Sentence
from moot.core.errors import NotFound, UsageError
from moot.methods.candidates import Candidate, ranked_candidates
from moot.methods.sameness import strict_form
from moot.methods.wrongs import wrongs_of

GRAPH = "contested"


@dataclass(frozen=True, slots=True)
class GraphStanding:
    """What a graph comes to: the answer that stands, how widely it is supported, and what survives."""

    answer: str | None
    claim: str | None
    width: int
    surviving: tuple[str, ...]
    support: str = ""
    """How many lines hold the answer up, and what must be wrong before it falls, in words."""
    must_be_wrong: tuple[str, ...] = ()
    """Claims and sentences that take the answer away: each alone where there are such, else together."""


def standing(detail: Mapping[str, Any], refuted: Iterable[tuple[str, str]] = ()) -> GraphStanding:
    """Return what stands of a verdict's graph when these nodes are refuted for these reasons."""
    store = loaded_graph(detail)
    for node, reason in refuted:
        store.mark_refuted(GRAPH, node, reason)
    candidates = standing_candidates(store, detail)
    answers = {item["id"]: item["answer"] for item in detail["candidates"]}
    claims = {node.id: node.claim for node in store.nodes(GRAPH)}
    survivors: Any = store.surviving_claims(GRAPH)
    surviving = tuple(claims[node] for node in survivors["surviving"])
    if not candidates:
        return GraphStanding(None, None, 0, surviving)
    top = candidates[0]
    resilience: Any = store.resilience(GRAPH, top.id)
    wrongs = wrongs_of(store, GRAPH, top.id, resilience)
    return GraphStanding(
        answers.get(top.id, top.claim),
        top.claim,
        top.width,
        surviving,
        wrongs.words,
        () if wrongs.ids == (top.id,) else wrongs.claims,
    )


def line_starts(detail: Mapping[str, Any], refuted: Iterable[tuple[str, str]] = ()) -> tuple[Node | Sentence, ...]:
    """Return what the answer's lines start from: the sentences beneath them, else the claims that are given."""
    store = loaded_graph(detail)
    for node, reason in refuted:
        store.mark_refuted(GRAPH, node, reason)
    candidates = standing_candidates(store, detail)
    on_lines = {node for path in candidates[0].paths for node in path} if candidates else set()
    sentences = tuple(sentence for sentence in store.sentences(GRAPH) if sentence.id in on_lines)
    return sentences or tuple(node for node in store.nodes(GRAPH) if node.id in on_lines and node.type == "given")


def standing_candidates(store: GraphStore, detail: Mapping[str, Any]) -> list[Candidate]:
    """Return the candidates that stand, in the order of the record's own rule."""
    return [item for item in all_candidates(store, detail) if stands(item, detail)]


def all_candidates(store: GraphStore, detail: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """Return all candidates, in the order of the record's own rule."""
    votes = {item["id"]: item.get("votes", 0) for item in detail["candidates"]}
    return ranked_candidates(store, GRAPH, by=detail.get("rank_by", "width"), votes=votes)


def stands(candidate: Candidate, detail: Mapping[str, Any]) -> bool:
    """Return whether a candidate may be the answer; one whose every line is cut has fallen."""
    had_lines = {item["id"] for item in detail["candidates"] if item["surviving_width"]}
    return not candidate.refuted and bool(candidate.surviving_width or candidate.id not in had_lines)


def contested_node(detail: Mapping[str, Any], claim: str) -> Node | Sentence:
    """Return the claim or the sentence beneath one that is meant, as `named_node` does."""
    return named_node(loaded_graph(detail), claim)


def named_node(store: GraphStore, claim: str) -> Node | Sentence:
    """Return the claim or the sentence beneath one that is meant: by its id, or by words that only it has.

    Of a claim and a sentence with the same words the claim is meant.

    Raises:
        NotFound: where none has them, or several do.
    """
    sentences = {sentence.id: sentence for sentence in store.sentences(GRAPH)}
    nodes = {node.id: node for node in store.nodes(GRAPH)}
    named = nodes.get(store.resolve(GRAPH, claim) or "") or sentences.get(claim)
    if named:
        return named
    found = _with_words(claim, nodes.values()) or _with_words(claim, sentences.values())
    if len(found) == 1:
        return found[0]
    shown = "; ".join(f"{node.id}: {node.claim}" for node in (found or list(nodes.values()))[:12])
    see = f"{'several claims have these words; name one by its id' if found else 'the claims are'}: {shown}"
    raise NotFound(what="single claim", name=claim, see=see.rstrip("."))


def _with_words(claim: str, items: Iterable[Node | Sentence]) -> list[Node | Sentence]:
    """Those that have exactly these words; else those that have them among others."""
    wanted = strict_form(claim)
    forms = [(item, strict_form(item.claim)) for item in items]
    equal = [item for item, form in forms if wanted == form]
    return equal or [item for item, form in forms if wanted and wanted in form]


def loaded_graph(detail: Mapping[str, Any]) -> GraphStore:
    """Return a store with the graph of a verdict under the name `GRAPH`.

    Raises:
        UsageError: for a verdict that has none.
    """
    if "graph" not in detail:
        raise UsageError("this deliberation has no argument graph, so there is no claim to contest.")
    store = GraphStore()
    store.from_json(GRAPH, detail["graph"], as_stored=True)
    return store
