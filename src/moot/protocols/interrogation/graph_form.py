"""A run's `graph` reply as an argument: steps become nodes, edges and groups over numbered sentences (I10 to I12, A21).

Each step is one group: its sentences, as givens with their source, and the claims it rests on hold it up together. A
step that rests on sentences alone must be covered by them. Nothing here asks anybody.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.argument.graph import DEFAULT_CONFIDENCE
from moot.core.question import Document, Question
from moot.methods.abstaining import is_abstention
from moot.methods.grounding import (
    Grounds,
    cover_by,
    covering_sentences,
    grounding,
    grounds_of,
    numbers_of,
    source_of,
)
from moot.methods.recomputing import Recomputed, recomputed
from moot.methods.sameness.covering import numbers
from moot.methods.sentences import Sentence
from moot.methods.written import Written
from moot.oracles.numerals import with_digits
from moot.protocols.interrogation.graph_claims import CONCLUSION, MOST_ITEMS, Claim, Claims, name_of, read_claims
from moot.protocols.interrogation.graph_reasons import read_reasons, read_sentences, shown
from moot.protocols.interrogation.graph_schema import Argument

MOST_EDGES = 3 * MOST_ITEMS
"""Edges of one reply that are read."""

YES_OR_NO = frozenset(("yes", "no", "true", "false"))

_EQUALS = re.compile(r"[=≈]")


@dataclass(frozen=True, slots=True)
class Way:
    """What a claim rests on together: sentences, other claims, and numbers that it takes for granted."""

    sentences: tuple[Sentence, ...] = ()
    claims: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rested:
    """What a claim rests on once that is looked up; no ways and a problem where it rests on nothing."""

    ways: tuple[Way, ...] = ()
    problem: str = ""
    repairs: tuple[str, ...] = ()
    source: tuple[Sentence, ...] = ()
    """The sentences of a given."""


@dataclass(frozen=True, slots=True)
class Link:
    """One edge that came as an edge; its start may be a sentence."""

    src: str | Sentence
    dst: str
    relation: Any
    confidence: Any
    group: Any = None


@dataclass(frozen=True, slots=True)
class Computed:
    """The equations of each claim, as they were recomputed, and the results that stand (I18)."""

    of: Mapping[str, tuple[Recomputed, ...]]
    standing: frozenset[str]

    def false(self, claim: str) -> tuple[Recomputed, ...]:
        """Return the equations of a claim that are false."""
        return tuple(item for item in self.of[claim] if item.verdict == "false")


def written_graph(run_id: str, argument: Argument, question: Question, documents: Sequence[Document]) -> Written | str:
    """Return what a reply argues, over all documents; or why it is no argument (I10 to I12)."""
    claims = read_claims(argument)
    if isinstance(claims, str):
        return claims
    if not argument.answer.strip():
        return "it gives no answer"
    grounds = grounds_of(documents, question.text)
    computed = _computed(claims, question)
    links, link_repairs = _links(argument, claims, grounds)
    rested = {claim.id: _rested(claim, claims, grounds, computed, question) for claim in claims.claims}
    ungrounded = {claim.id: rested[claim.id].problem for claim in claims.claims if _is_ungrounded(claim, rested, links)}
    attacks, attack_repairs = _attacks(claims, ungrounded)
    writing = _Writing(run_id, grounds, rested, ungrounded)
    edges = (*writing.edges(claims.claims), *map(writing.link, links), *map(writing.link, attacks))
    refuted = {
        claim.id: "; ".join(f"{item.reading}: {item.how}" for item in computed.false(claim.id))
        for claim in claims.claims
        if claim.type == "inference" and computed.false(claim.id)
    }
    beneath = _beneath(claims.conclusion.id, rested, links, refuted)
    return Written(
        conclusion=writing.name(claims.conclusion.id),
        nodes=(*map(writing.node, claims.claims), *writing.beneath(links)),
        edges=edges,
        ungrounded={writing.name(claim): problem for claim, problem in ungrounded.items()},
        refuted={writing.name(claim): how for claim, how in refuted.items()},
        repairs=(
            *claims.repairs,
            *(f"{claim}: {repair}" for claim, rest in rested.items() for repair in rest.repairs),
            *link_repairs,
            *attack_repairs,
        ),
        no_line=_no_line(argument.answer, claims.conclusion, rested, beneath, grounds, computed),
    )


def _computed(claims: Claims, question: Question) -> Computed:
    of = {claim.id: recomputed(claim.text, question.text) for claim in claims.claims}
    true = [item for items in of.values() for item in items if item.verdict != "false"]
    return Computed(of, frozenset().union(*(_numbers(_EQUALS.split(item.sentence)[-1]) for item in true)))


def _rested(claim: Claim, claims: Claims, grounds: Grounds, computed: Computed, question: Question) -> Rested:
    """What a claim rests on: each of its ways looked up and checked, those that fail left out."""
    if claim.type == "given":
        return _given(claim, grounds)
    known = {*claims.aliases, *(item.id for item in claims.claims)}
    ways: list[Way] = []
    problems: list[str] = []
    repairs: list[str] = []
    for because in claim.ways:
        reasons = read_reasons(because, known, grounds)
        repairs += reasons.repairs
        named = tuple(dict.fromkeys(claims.aliases.get(name, name) for name in reasons.claims))
        way = Way(reasons.sentences, named)
        if claim.id in way.claims:
            # A step that says what the conclusion says is the conclusion: its ways are there already.
            if way != Way(claims=(claim.id,)):
                problems.append("it rests on itself")
            continue
        checked = _checked(claim, way, grounds, computed, question)
        if isinstance(checked, str):
            problems.append(checked)
            continue
        ways.append(checked)
        if checked.sentences != way.sentences:
            repairs.append(f"{numbers_of(checked.sentences)} covers it, and not {numbers_of(way.sentences)}")
    problem = "" if ways or not claim.ways else next(iter(problems), "it rests on nothing")
    return Rested(
        tuple(dict.fromkeys(ways)), problem, (*repairs, *(f"a way left out: {one}" for one in problems if ways))
    )


def _given(claim: Claim, grounds: Grounds) -> Rested:
    document, quote, sentence = (claim.cited[name] for name in ("document", "quote", "sentence"))
    listed = sentence if isinstance(sentence, list | tuple) else [sentence]
    named = {found.number: found for one in listed[:MOST_ITEMS] for found in read_sentences(one, grounds)}
    cited = "" if document is None else str(document), "" if quote is None else str(quote)
    checked = grounding(claim.text, *cited, grounds, [named[number] for number in sorted(named)])
    return Rested((), checked.problem, (checked.repair,) if checked.repair else (), checked.sentences)


def _checked(claim: Claim, way: Way, grounds: Grounds, computed: Computed, question: Question) -> Way | str:
    """The way as it holds, or why it does not: sentences alone must cover the claim (I12)."""
    if not way.sentences and not way.claims:
        return "it rests on nothing"
    if way.claims or computed.false(claim.id):
        return way
    text, granted = claim.text, ()
    if equations := computed.of[claim.id]:
        there = _numbers(" ".join(sentence.said for sentence in way.sentences)) | _numbers(question.text)
        operands = frozenset().union(*(_numbers(_EQUALS.split(item.sentence)[0]) for item in equations))
        granted = tuple(sorted(operands - there - (computed.standing - _results(equations))))
        if operands and len(granted) == len(operands):
            return f"{numbers_of(way.sentences)} has none of its numbers"
        for item in equations:
            text = text.replace(item.sentence, " ")
        if not re.search(r"\w", text):
            return replace(way, granted=granted)
    cover = cover_by(text, way.sentences, grounds, computed.standing | _numbers(question.text))
    if cover.holds:
        return replace(way, granted=granted)
    others = covering_sentences(text, grounds)
    return Way(others, granted=granted) if others else f"{numbers_of(way.sentences)}: {cover.problem}"


def _is_ungrounded(claim: Claim, rested: Mapping[str, Rested], links: Sequence[Link]) -> bool:
    """Whether a claim was put forward as fact and rests on nothing; an edge to it is something."""
    if claim.type not in ("given", "inference") or not rested[claim.id].problem:
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
    rested: Mapping[str, Rested]
    ungrounded: Mapping[str, str]

    def name(self, end: str | Sentence) -> str:
        return f"{self.run_id}:[{end.number}]" if isinstance(end, Sentence) else f"{self.run_id}:{end}"

    def node(self, claim: Claim) -> Mapping[str, Any]:
        node = {"id": self.name(claim.id), "claim": claim.text, "type": claim.type, "confidence": claim.confidence}
        if claim.id in self.ungrounded:
            return {**node, "type": "assumption", "ungrounded": True}
        source = self.rested[claim.id].source
        return {**node, "source": source_of(source, self.grounds.documents)} if source else node

    def beneath(self, links: Sequence[Link]) -> Iterator[Mapping[str, Any]]:
        """The sentences that something rests on, and the numbers that are taken for granted."""
        ways = [way for rest in self.rested.values() for way in rest.ways]
        used = [sentence for way in ways for sentence in way.sentences]
        used += [link.src for link in links if isinstance(link.src, Sentence)]
        for sentence in sorted(set(used), key=lambda sentence: sentence.number):
            source = source_of([sentence], self.grounds.documents)
            yield {"id": self.name(sentence), "claim": sentence.said, "type": "given", "source": source}
        for number in dict.fromkeys(number for way in ways for number in way.granted):
            claim = f"The number {number} is taken for granted."
            yield {"id": self.name(f"number {number}"), "claim": claim, "type": "assumption"}

    def edges(self, claims: Sequence[Claim]) -> Iterator[Mapping[str, Any]]:
        """Each way is one group (A21)."""
        for claim in claims:
            for place, way in enumerate(self.rested[claim.id].ways):
                group = f"{claim.id}/{place + 1}"
                for start in (*way.sentences, *way.claims, *(f"number {number}" for number in way.granted)):
                    yield self.link(Link(start, claim.id, "supports", DEFAULT_CONFIDENCE, group))

    def link(self, link: Link) -> Mapping[str, Any]:
        ends = {"src": self.name(link.src), "dst": self.name(link.dst)}
        edge = {**ends, "relation": link.relation, "confidence": link.confidence}
        return edge if link.group is None else {**edge, "group": link.group}


def _beneath(
    conclusion: str, rested: Mapping[str, Rested], links: Sequence[Link], refuted: Mapping[str, str]
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
        starts += [start for way in rested[claim].ways for start in (*way.sentences, *way.claims)]
        starts += rested[claim].source
        sentences |= {start.number: start for start in starts if isinstance(start, Sentence)}
        new += [start for start in starts if isinstance(start, str)]
    return tuple(sentences.values())


def _no_line(
    answer: str,
    conclusion: Claim,
    rested: Mapping[str, Rested],
    beneath: Sequence[Sentence],
    grounds: Grounds,
    computed: Computed,
) -> str:
    """Why no line leads to the conclusion: a sentence in it has to have the answer's own words (I12)."""
    if computed.false(conclusion.id):
        return f"its conclusion computes wrongly: {computed.false(conclusion.id)[0].reading}"
    if not beneath:
        return rested[conclusion.id].problem or "no sentence is beneath it"
    if answer.strip(" .").casefold() in YES_OR_NO or is_abstention(answer):
        return ""
    asked = _numbers(answer)
    if asked and asked <= computed.standing:
        return ""
    if any(cover_by(answer, [sentence], replace(grounds, question="")).holds for sentence in beneath):
        return ""
    return "no sentence beneath it has the answer's own words"


def _results(equations: Sequence[Recomputed]) -> frozenset[str]:
    return frozenset().union(*(_numbers(_EQUALS.split(item.sentence)[-1]) for item in equations))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(numbers(text) | numbers(with_digits(text.casefold()) or ""))
