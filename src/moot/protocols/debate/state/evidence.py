"""What a citation resolves to, and whether a claim is found there (decision 4, rulings D7 and D13).

A citation resolves to a passage of a document, a tool's result or a calculation, or to nothing. A claim is found in it
only if the passage covers it; a calculation says nothing of what its numbers count. An equation that stands in a claim
is a calculation too, cited or not (I18).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.core.question import Document
from moot.methods.grounding import located, named_document
from moot.methods.recomputing import recomputed
from moot.methods.sameness import covered, rarity_of, sentences_of
from moot.methods.sameness.covering import numbers
from moot.methods.search import nearest
from moot.oracles import consult, judged
from moot.protocols.debate.schemas import Reference

Kind = Literal["citation", "tool_output", "calculation"]
Outcome = Literal["found", "computed", "not found"]

NEAREST = 5
"""Passages of a source that a claim is held against, those that share most with it."""

_SUM = re.compile(r"([\d\s.,()+\-*/\u00d7\u00f7]+)=\s*(-?[\d.,]+)\s*")
_ID = re.compile(r"\bE\d{1,4}\b")


@dataclass(frozen=True, slots=True)
class ReferencedSource:
    """What a reference stands for; `verified` where it resolves to something."""

    kind: Kind
    title: str
    gist: str
    verified: bool
    passages: tuple[str, ...] = ()
    """The words that a claim is held against."""
    problem: str = ""
    known_as: str = ""
    """The evidence of the ledger that it names, where it names one."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two references one piece of evidence."""
        return self.kind, " ".join(self.title.casefold().split()), " ".join(self.gist.casefold().split())


@dataclass(frozen=True, slots=True)
class ClaimContext:
    """What a claim is held against beside its source: the question, the documents, and what has been found before."""

    question: str = ""
    documents: Sequence[Document] = ()
    standing: Sequence[str] = ()
    """Claims that were found in a source, and passages that the same statement cites."""


def resolve(
    reference: Reference, documents: Sequence[Document], known: Mapping[str, ReferencedSource]
) -> ReferencedSource:
    """Return what a reference stands for; `known` is the evidence of the ledger by id."""
    words = f"{reference.title} {reference.quote}"
    if named_document(reference.title, documents) is None:
        if named := _ID.search(words):
            return named_evidence(named[0], known)
        if found := _SUM.search(words):
            return calculation(found[0], is_right=is_right(found[1], found[2]))
    place = located(reference.title, reference.quote, documents)
    problem = place.problem if documents else "there is no document that it could be found in"
    title = place.document or "untitled"
    gist = reference.quote or (place.passages[0] if len(place.passages) == 1 else "")
    return ReferencedSource("citation", title, gist, verified=not problem, passages=place.passages, problem=problem)


def named_evidence(evidence_id: str, known: Mapping[str, ReferencedSource]) -> ReferencedSource:
    """Return the evidence that is cited by its id."""
    if evidence_id not in known:
        return ReferencedSource(
            "citation", evidence_id, "", verified=False, problem=f"there is no evidence {evidence_id}"
        )
    return known[evidence_id]


def calculation(equation: str, *, is_right: bool) -> ReferencedSource:
    """Return a calculation as a source."""
    text = " ".join(equation.split())
    problem = "" if is_right else "the calculation is wrong"
    return ReferencedSource("calculation", text, text, verified=is_right, passages=(text,), problem=problem)


def equations_of(text: str, topic: str) -> tuple[tuple[ReferencedSource, ...], str]:
    """Return the right equations of a statement as sources, and how a wrong one comes out if it has one (I18).

    What is only right as rounded is neither.
    """
    decided = recomputed(text, topic)
    right = tuple(calculation(item.reading, is_right=True) for item in decided if item.verdict == "true")
    return right, next((item.how for item in decided if item.verdict == "false"), "")


def looked_up(claim: str, source: ReferencedSource, held: ClaimContext) -> tuple[Outcome, str]:
    """Return whether a claim is found in a source, and if not why not: one rule for all kinds (ruling D13)."""
    if not source.verified:
        return "not found", source.problem
    if source.kind == "calculation":
        return _by_calculation(claim, source.gist, held)
    parts = source.passages if len(source.passages) <= NEAREST else nearest(claim, source.passages, NEAREST)
    return _in_sentences(claim, [line for part in parts for line in sentences_of(part)], held)


def _in_sentences(
    claim: str, sentences: Sequence[str], held: ClaimContext, standing: Sequence[str] = ()
) -> tuple[Outcome, str]:
    rarity = rarity_of(tuple(item.text for item in held.documents) or tuple(sentences))
    cover = covered(claim, sentences, rarity=rarity, question=held.question, standing=standing)
    return ("found", "") if cover.holds else ("not found", f"the source does not cover the claim: {cover.problem}")


def _by_calculation(claim: str, equation: str, held: ClaimContext) -> tuple[Outcome, str]:
    """Found is a claim that is the equation in words, or whose operands were all found where its other words are."""
    operands, _, result = (numbers(side.replace("-", " ")) for side in equation.rpartition("="))
    if judged(claim).verdict == "true" and result <= numbers(claim):
        return "found", ""
    lines = (line for text in held.standing for line in sentences_of(text) if not _SUM.search(line))
    sources = [line for line in lines if numbers(line) & operands]
    given = {number for line in sources for number in numbers(line)}
    if result <= numbers(claim) and operands <= given:
        joined = " ".join(line.rstrip(".") for line in sources)
        words = claim.replace(equation, equation.rpartition("=")[2])
        if _in_sentences(words, [joined], held, tuple(result))[0] == "found":
            return "found", ""
    return "computed", "the sum is right and says nothing of what is counted"


def is_right(calculation: str, result: str) -> bool:
    """Return whether a calculation comes to this result, by the arithmetic oracle."""
    claim = f"{calculation.strip()} = {result.strip().rstrip('.')}"
    return consult({"kind": "arithmetic", "claim": claim}).holds


def computed(calculation: str) -> str:
    """Return the value of a calculation in digits, or nothing for what the arithmetic oracle does not take."""
    found = consult({"kind": "arithmetic", "claim": f"{calculation.strip()} = 0"})
    return found.value if calculation.strip() and "=" not in calculation else ""
