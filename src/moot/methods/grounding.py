"""Whether a claim that is said to be given in a document really is: decided by the program (rulings I5, I10, I12).

A given names sentences, or quotes words, which are looked for in the document that it names and then in all others.
Either way sentences are its source, and together they must cover the claim: most of it, with every number and name, and
with no guard against it. Where they do not and others do, those are its source, which is a repair. That much can be
computed; whether the sentences mean the claim cannot, and is left to verification.
"""

import heapq
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from moot.argument.wording.folding import fold_inflection
from moot.core.question import Document
from moot.methods.quoting import Span, quoted_span
from moot.methods.sameness import Cover, Rarity, covered, rarity_of
from moot.methods.search import passages_of
from moot.methods.sentences import THE_QUESTION, Sentence, document_names, sentences_of, sentences_touching

SHORTEST_QUOTE = 3
"""Words. Fewer than these are found anywhere."""

MOST_LOOKED_AT, MOST_PAIRED = 8, 4
"""Sentences that are looked at as another source of a claim, and those of them that are paired with neighbours."""

_NUMBERED = re.compile(r"(?:document|doc)?\s*#?(\d+)\b(.*)")
_WORD = re.compile(r"[^\W_][\w'\u2019-]*")


@dataclass(frozen=True, slots=True)
class Grounds:
    """What claims are checked against: the numbered sentences of all documents, and the question, at half weight."""

    documents: tuple[Document, ...]
    sentences: tuple[Sentence, ...]
    rarity: Rarity
    question: str = ""

    def sentence(self, number: int) -> Sentence | None:
        """Return the sentence with this number."""
        place = bisect_left(self.sentences, number, key=lambda sentence: sentence.number)
        is_there = place < len(self.sentences) and self.sentences[place].number == number
        return self.sentences[place] if is_there else None


@dataclass(frozen=True, slots=True)
class Grounding:
    """The sentences on which a given rests, or why it rests on none; and what had to be read otherwise."""

    sentences: tuple[Sentence, ...]
    problem: str = ""
    repair: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Quoted:
    """The sentences that a quote touches, or why there are none; and the repair where it named another document."""

    sentences: tuple[Sentence, ...]
    problem: str = ""
    repair: str = ""


def grounds_of(documents: Sequence[Document], question: str = "") -> Grounds:
    """Return what claims are checked against; without documents the question itself, which is then no echo of it."""
    held = tuple(documents) or (Document(name=THE_QUESTION, text=question),)
    sentences = sentences_of(held)
    rarity = rarity_of(tuple(sentence.said for sentence in sentences))
    return Grounds(held, sentences, rarity, question if documents else "")


def grounding(claim: str, document: str, quote: str, grounds: Grounds, named: Sequence[Sentence] = ()) -> Grounding:
    """Return whether a claim is given by the sentences that it names or the words that it quotes (I5, I10, I12).

    A claim without either is taken to quote itself: it may repeat a document word by word.
    """
    quoted = Quoted(tuple(named)) if named else found_quote(quote, document, grounds, claim)
    problem = quoted.problem or cover_by(claim, quoted.sentences, grounds).problem
    if not problem:
        return Grounding(quoted.sentences, repair=quoted.repair)
    if others := covering_sentences(claim, grounds):
        wrong = problem if quoted.problem else f"{numbers_of(quoted.sentences)}: {problem}"
        return Grounding(others, repair=f"{numbers_of(others)} taken for its source ({wrong})")
    return Grounding((), problem if quoted.problem else f"{numbers_of(quoted.sentences)}: {problem}")


def found_quote(quote: str, document: str, grounds: Grounds, claim: str = "") -> Quoted:
    """Return the sentences that a quote touches: those of the document it names, else of any other (I10)."""
    is_own = len(_WORD.findall(quote)) < SHORTEST_QUOTE
    wanted = claim if is_own else quote
    named = named_document(document, grounds.documents)
    places = sorted(range(len(grounds.documents)), key=lambda place: grounds.documents[place] is not named)
    for place in places:
        item = grounds.documents[place]
        if span := quoted_span(wanted, item.text, to_the_letter=is_own):
            is_there = item is named or (named is None and not document.strip())
            said = f"document {document.strip()[:40]!r} does not have the quote, {item.name!r} has it"
            return Quoted(_touching(grounds, place, span), repair="" if is_there else said)
    if is_own and quote.strip():
        return Quoted((), "its quote is too short to be found")
    return Quoted((), "it names no sentence" if is_own else "the quote is not found in any document")


def cover_by(claim: str, sentences: Sequence[Sentence], grounds: Grounds, standing: Collection[str] = ()) -> Cover:
    """Return how sentences cover a claim, all of them together (I12); `standing` are numbers that stand elsewhere."""
    said = [sentence.said for sentence in sentences]
    tried = [
        covered(claim, texts, rarity=grounds.rarity, question=grounds.question, standing=numbers)
        for numbers in dict.fromkeys(((), tuple(standing)))
        for texts in ([said] if len(said) == 1 else [said, [" ".join(said)]])
    ]
    return next((cover for cover in tried if cover.holds), tried[-1])


def covering_sentences(claim: str, grounds: Grounds) -> tuple[Sentence, ...]:
    """Return the sentence that covers a claim best, else the two neighbours in one document that do; or none."""
    likely = _likeliest(claim, grounds)
    alone = [(one,) for one in likely]
    return _best(claim, alone, grounds) or _best(claim, _pairs(likely[:MOST_PAIRED], grounds), grounds)


def _best(claim: str, choices: Iterable[tuple[Sentence, ...]], grounds: Grounds) -> tuple[Sentence, ...]:
    covers = {
        choice: covered(claim, [one.said for one in choice], rarity=grounds.rarity, question=grounds.question)
        for choice in choices
    }
    holding = [choice for choice, cover in covers.items() if cover.holds]
    return max(holding, key=lambda choice: covers[choice].share, default=())


def _likeliest(claim: str, grounds: Grounds) -> list[Sentence]:
    """The sentences that share most of the claim by weight: looking closely at all would take minutes."""
    wanted = _content(claim)
    shared = ((sum(map(grounds.rarity.weight, wanted & _content(one.said))), one) for one in grounds.sentences)
    best = heapq.nlargest(MOST_LOOKED_AT, shared, key=lambda pair: (pair[0], -pair[1].number))
    return [one for weight, one in best if weight]


def _pairs(sentences: Sequence[Sentence], grounds: Grounds) -> list[tuple[Sentence, ...]]:
    starts = dict.fromkeys(number for one in sentences for number in (one.number - 1, one.number))
    pairs = [(grounds.sentence(number), grounds.sentence(number + 1)) for number in starts]
    return [(one, next_one) for one, next_one in pairs if one and next_one and one.document == next_one.document]


@lru_cache(maxsize=16_384)
def _content(text: str) -> frozenset[str]:
    return frozenset(fold_inflection(word.lower()) for word in _WORD.findall(text))


def source_of(sentences: Sequence[Sentence], documents: Sequence[Document]) -> Mapping[str, Any]:
    """Return sentences of one document as the source of a given (A22)."""
    place = sentences[0].document
    return {
        "document": document_names(documents)[place],
        "sentences": [{"number": sentence.number, "text": sentence.said} for sentence in sentences],
    }


def numbers_of(sentences: Sequence[Sentence]) -> str:
    """Return the numbers of sentences as a reader writes them."""
    return " ".join(f"[{sentence.number}]" for sentence in sentences)


@dataclass(frozen=True, slots=True)
class Located:
    """The passages that a citation points to, of one document or of all; or why it points to none."""

    document: str
    passages: tuple[str, ...]
    problem: str = ""


def located(document: str, quote: str, documents: Sequence[Document]) -> Located:
    """Return what a citation points to: the passages with its quote, or all of the document where it quotes nothing."""
    named = named_document(document, documents)
    if named is None and (beyond := _NUMBERED.fullmatch(_folded(document))) and not beyond[2]:
        return Located(document, (), f"there is no document {beyond[1][:6]}")
    quotes = len(_WORD.findall(quote)) >= SHORTEST_QUOTE
    if named is None and not quotes:
        return Located(document, (), "it names no document and quotes nothing")
    for item in [named] if named else documents:
        if quotes and not quoted_span(quote, item.text):
            continue
        parts = [part.text for part in passages_of([item])]
        holding = [part for part in parts if not quotes or quoted_span(quote, part)]
        # A quote may run from one passage into the next.
        return Located(item.name, tuple(holding or [quote]))
    where = f"in {named.name!r}" if named else "in any document"
    return Located(named.name if named else document, (), f"the quote is not found {where}")


def named_document(name: str, documents: Sequence[Document]) -> Document | None:
    """Return the document that a model means by its number, its name, or both."""
    wanted = _folded(name)
    for item in documents:
        if wanted and wanted == _folded(item.name):
            return item
    if number := _NUMBERED.fullmatch(wanted):
        place = int(number[1][:6]) - 1
        return documents[place] if 0 <= place < len(documents) else None
    return None


def _touching(grounds: Grounds, place: int, span: Span) -> tuple[Sentence, ...]:
    return sentences_touching(grounds.sentences, place, span.start, span.end)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
