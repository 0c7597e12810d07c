"""Plain text search: the passages of documents that share the most with a question (ruling G7)."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from moot.core.question import Document, Question
from moot.methods.sameness import Setting

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\w+")

LONGEST_PASSAGE = 1_200
"""Characters; a longer paragraph is cut between sentences."""

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""The usual constants of BM25."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, by its place in it."""

    document: int
    number: int
    text: str


def passages_of(documents: Sequence[Document]) -> list[Passage]:
    """Return the paragraphs of documents, long ones cut between sentences."""
    return [
        Passage(place, number, text)
        for place, document in enumerate(documents)
        for number, text in enumerate(_parts(document.text))
    ]


def best_passages(query: str, passages: Sequence[Passage], most: int) -> list[Passage]:
    """Return the passages that share most with the query by BM25, in the order of the documents."""
    words = [Counter(_WORD.findall(passage.text.casefold())) for passage in passages]
    lengths = [sum(counts.values()) or 1 for counts in words]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    wanted = set(_WORD.findall(query.casefold()))
    rarity = {word: _rarity(sum(word in counts for counts in words), len(words)) for word in wanted}
    scores = [
        sum(
            rarity[word]
            * counts[word]
            * (SATURATION + 1)
            / (counts[word] + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / mean))
            for word in wanted
            if counts[word]
        )
        for counts, length in zip(words, lengths, strict=True)
    ]
    order = sorted(range(len(passages)), key=lambda place: (-scores[place], place))
    return [passages[place] for place in sorted(order[:most])]


def nearest(query: str, texts: Sequence[str], most: int) -> list[str]:
    """Return the texts that share most with the query, in their order."""
    return [found.text for found in best_passages(query, [Passage(0, at, text) for at, text in enumerate(texts)], most)]


def with_passages(question: Question, most: int) -> tuple[Question, list[str]]:
    """Return the question over its best passages alone, and which these are."""
    chosen = best_passages(question.text, passages_of(question.documents), most)
    documents = [
        Document(name=document.name, text="\n\n".join(part.text for part in chosen if part.document == place))
        for place, document in enumerate(question.documents)
    ]
    kept = tuple(document for document in documents if document.text)
    names = [f"{question.documents[part.document].name}, passage {part.number + 1}" for part in chosen]
    return question.model_copy(update={"documents": kept}), names


def setting_of(question: Question) -> Setting:
    """Return what answers to a question are held against: its words, and the sentences of its documents (G12)."""
    paragraphs = (part for document in question.documents for part in _PARAGRAPH.split(document.text))
    return Setting(question.text, tuple(sentence for part in paragraphs for sentence in _SENTENCE.split(part.strip())))


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for paragraph in filter(None, (part.strip() for part in _PARAGRAPH.split(text))):
        current = ""
        for sentence in _SENTENCE.split(paragraph):
            if current and len(current) + len(sentence) > LONGEST_PASSAGE:
                parts.append(current)
                current = ""
            current = f"{current} {sentence}".strip()
        parts.append(current)
    return parts


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))
