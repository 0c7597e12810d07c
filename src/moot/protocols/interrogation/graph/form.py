"""A run's `graph` reply as an argument: steps become nodes, edges and groups over numbered sentences (I10 to I12, A21).

Each step is one group: its sentences, as givens with their source, and the claims it rests on hold it up together.
Nothing here asks anybody.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.argument.graph import DEFAULT_CONFIDENCE
from moot.core.question import Document, Question
from moot.methods.abstaining import is_abstention
from moot.methods.citing.concluding import any_has_answer, is_judgement
from moot.methods.grounding import Grounds, grounds_of, source_of
from moot.methods.sameness import stated_numbers
from moot.methods.sentences import Sentence
from moot.methods.written import Written
from moot.protocols.interrogation.graph.claims import CONCLUSION, MOST_ITEMS, Claims, WrittenClaim, name_of, read_claims
from moot.protocols.interrogation.graph.reasons import read_sentences, shown
from moot.protocols.interrogation.graph.resting import Checked, Rested, checked_claims
from moot.protocols.interrogation.graph.schemas import Argument

MOST_EDGES = 3 * MOST_ITEMS
"""Edges of one reply that are read."""


@dataclass(frozen=True, slots=True)
class Link:
    """One edge that came as an edge; its start may be a sentence."""

    src: str | Sentence
    dst: str
    relation: Any
    confidence: Any
    group: Any = None


def written_graph(run_id: str, argument: Argument, question: Question, documents: Sequence[Document]) -> Written | str:
    """Return what a reply argues, over all documents; or why it is no argument (I10 to I12)."""
    claims = read_claims(argument)
    if isinstance(claims, str):
        return claims
    if not argument.answer.strip():
        return "it gives no answer"
    grounds = grounds_of(documents, question.text)
    checked = checked_claims(claims, grounds, question.text)
    rests = checked.rests
    links, link_repairs = _links(argument, claims, grounds)
    ungrounded = {claim.id: rests[claim.id].problem for claim in claims.claims if _is_ungrounded(claim, rests, links)}
    attacks, attack_repairs = _attacks(claims, ungrounded)
    refuted = {
        claim.id: "; ".join(f"{item.reading}: {item.how}" for item in checked.false[claim.id])
        for claim in claims.claims
        if claim.type == "inference" and checked.false[claim.id]
    }
    beneath = _beneath(claims.conclusion.id, rests, links, refuted)
    no_line = _no_line(argument.answer, claims.conclusion.id, checked, beneath, question.text)
    writing = _Writing(run_id, grounds, rests, ungrounded)
    edges = (*writing.edges(claims.claims), *map(writing.link, (*links, *attacks)))
    conclusion = writing.name(claims.conclusion.id)
    return Written(
        conclusion=conclusion,
        nodes=(*map(writing.node, claims.claims), *writing.beneath(links)),
        # Where nothing is beneath it, a claim on the way may still be given its sentence by a verification (I14).
        edges=_holding_nothing_up(edges, conclusion) if no_line and beneath else edges,
        ungrounded={writing.name(claim): problem for claim, problem in ungrounded.items()},
        refuted={writing.name(claim): how for claim, how in refuted.items()},
        repairs=(
            *claims.repairs,
            *(f"{claim}: {repair}" for claim, rest in rests.items() for repair in rest.repairs),
            *link_repairs,
            *attack_repairs,
        ),
        no_line=no_line,
    )


def _holding_nothing_up(edges: Sequence[Mapping[str, Any]], conclusion: str) -> tuple[Mapping[str, Any], ...]:
    """The edges but for those that lead to the conclusion: what is no line does not count as one (I12, I18)."""
    return tuple(edge for edge in edges if edge["dst"] != conclusion or edge["relation"] == "attacks")


def _is_ungrounded(claim: WrittenClaim, rests: Mapping[str, Rested], links: Sequence[Link]) -> bool:
    """Whether a claim was put forward as fact and rests on nothing; an edge to it is something."""
    if claim.type not in ("given", "inference") or not rests[claim.id].problem:
        return False
    return claim.type == "given" or not any(link.dst == claim.id and link.relation != "attacks" for link in links)


def _links(argument: Argument, claims: Claims, grounds: Grounds) -> tuple[list[Link], list[str]]:
    """The edges that came as edges; an end that is neither a claim nor a sentence costs the edge."""
    known = {claim.id: claim.id for claim in claims.claims} | dict(claims.aliases)
    links: list[Link] = []
    left_out = len(argument.edges) - MOST_EDGES
    repairs = [f"{left_out} edges past the {MOST_EDGES}th were left out"] if left_out > 0 else []
    for item in argument.edges[:MOST_EDGES]:
        if not isinstance(item, Mapping):
            repairs.append(f"an edge that is no object was left out: {shown(item)}")
            continue
        start, end = item.get("from", item.get("src")), item.get("to", item.get("dst"))
        src: str | Sentence | None = known.get(name_of(start)) or next(iter(read_sentences(start, grounds)), None)
        dst = known.get(name_of(end))
        if src is None or dst is None:
            repairs.append(f"an edge from {shown(start)} to {shown(end)} was left out: it has an end that is nothing")
        elif src != dst:
            confidence = DEFAULT_CONFIDENCE if item.get("confidence") is None else item["confidence"]
            links.append(Link(src, dst, item.get("relation"), confidence, item.get("group")))
    return links, repairs


def _attacks(claims: Claims, ungrounded: Mapping[str, str]) -> tuple[list[Link], list[str]]:
    """The attacks of objections; one that rests on nothing attacks nothing until it is verified."""
    known = {claim.id: claim.id for claim in claims.claims} | dict(claims.aliases)
    known.setdefault(CONCLUSION, claims.conclusion.id)
    attacks: list[Link] = []
    repairs: list[str] = []
    for claim in claims.claims:
        if not claim.is_objection:
            continue
        against = known.get(name_of(claim.against))
        if against in (None, claim.id):
            repairs.append(f"{claim.id}: it is against nothing: {shown(claim.against)}")
        elif claim.id in ungrounded:
            repairs.append(f"{claim.id}: it attacks nothing, since {ungrounded[claim.id]}")
        else:
            attacks.append(Link(claim.id, str(against), "attacks", claim.confidence))
    return attacks, repairs


@dataclass(frozen=True, slots=True)
class _Writing:
    """Nodes and edges in the fields of `GraphStore.assert_graph`; ids carry the run's name."""

    run_id: str
    grounds: Grounds
    rests: Mapping[str, Rested]
    ungrounded: Mapping[str, str]

    def name(self, end: str | Sentence) -> str:
        return f"{self.run_id}:[{end.number}]" if isinstance(end, Sentence) else f"{self.run_id}:{end}"

    def node(self, claim: WrittenClaim) -> Mapping[str, Any]:
        node = {"id": self.name(claim.id), "claim": claim.text, "type": claim.type, "confidence": claim.confidence}
        if claim.id in self.ungrounded:
            return {**node, "type": "assumption", "ungrounded": True}
        source = self.rests[claim.id].source
        return {**node, "source": source_of(source, self.grounds.documents)} if source else node

    def beneath(self, links: Sequence[Link]) -> Iterator[Mapping[str, Any]]:
        """The sentences that something rests on, and the numbers that are taken for granted."""
        ways = [way for rest in self.rests.values() for way in rest.ways]
        used = [sentence for way in ways for sentence in way.sentences]
        used += [link.src for link in links if isinstance(link.src, Sentence)]
        for sentence in sorted(set(used), key=lambda sentence: sentence.number):
            source = source_of([sentence], self.grounds.documents)
            yield {"id": self.name(sentence), "claim": sentence.said, "type": "given", "source": source}
        for number in dict.fromkeys(number for way in ways for number in way.granted):
            claim = f"The number {number} is taken for granted."
            yield {"id": self.name(f"number {number}"), "claim": claim, "type": "assumption"}

    def edges(self, claims: Sequence[WrittenClaim]) -> Iterator[Mapping[str, Any]]:
        """Each way is one group (A21)."""
        for claim in claims:
            for place, way in enumerate(self.rests[claim.id].ways):
                group = f"{claim.id}/{place + 1}"
                for start in (*way.sentences, *way.claims, *(f"number {number}" for number in way.granted)):
                    yield self.link(Link(start, claim.id, "supports", DEFAULT_CONFIDENCE, group))

    def link(self, link: Link) -> Mapping[str, Any]:
        ends = {"src": self.name(link.src), "dst": self.name(link.dst)}
        edge = {**ends, "relation": link.relation, "confidence": link.confidence}
        return edge if link.group is None else {**edge, "group": link.group}


def _beneath(
    conclusion: str, rests: Mapping[str, Rested], links: Sequence[Link], refuted: Mapping[str, str]
) -> tuple[Sentence, ...]:
    """The sentences from which something leads to the conclusion and was not refuted."""
    seen, new = set(), [conclusion]
    sentences: dict[int, Sentence] = {}
    while new:
        claim = new.pop()
        if claim in seen or claim in refuted:
            continue
        seen.add(claim)
        starts: list[str | Sentence] = [link.src for link in links if link.dst == claim and link.relation != "attacks"]
        starts += [start for way in rests[claim].ways for start in (*way.sentences, *way.claims)]
        starts += rests[claim].source
        sentences |= {start.number: start for start in starts if isinstance(start, Sentence)}
        new += [start for start in starts if isinstance(start, str)]
    return tuple(sentences.values())


def _no_line(answer: str, conclusion: str, checked: Checked, beneath: Sequence[Sentence], question: str) -> str:
    """Why no line leads to the conclusion: a sentence in it has to have the answer's own words (I12)."""
    if wrong := checked.false[conclusion]:
        return f"its conclusion computes wrongly: {wrong[0].reading}"
    if not beneath:
        return checked.rests[conclusion].problem or "no sentence is beneath it"
    if is_judgement(answer) or is_abstention(answer):
        return ""
    asked = stated_numbers(answer)
    is_computed = bool(asked) and asked <= checked.standing
    if is_computed or any_has_answer((sentence.said for sentence in beneath), answer, question):
        return ""
    return "no sentence beneath it has the answer's own words"
