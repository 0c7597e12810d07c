"""Where a given comes from: a document and the numbered sentences that its span touches (ruling A22)."""

from collections.abc import Iterable
from dataclasses import dataclass

BROAD = 5
"""A source of more sentences than this is reported as broad."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One numbered sentence of a document; it stands until it is refuted."""

    document: str
    number: int
    text: str = ""
    refuted: bool = False
    refute_reason: str | None = None

    @property
    def id(self) -> str:
        """The name by which the sentence is contested, in a line of support and among what must be wrong."""
        return f"{self.document}#{self.number}"

    @property
    def claim(self) -> str:
        """The sentence's words, or its place where nobody gave them."""
        return self.text or f"sentence {self.number} of {self.document}"


@dataclass(frozen=True, slots=True)
class Source:
    """The sentences of one document on which a given rests, all of them together; by number, as they were asserted."""

    document: str
    sentences: tuple[Sentence, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its sentences."""
        return tuple(sentence.id for sentence in self.sentences)

    @property
    def is_broad(self) -> bool:
        """Whether the span touches more sentences than a claim should need."""
        return len(self.sentences) > BROAD

    def json(self) -> dict[str, object]:
        """Return the source as JSON, each sentence with its words where they are known."""
        told = [{"number": one.number, "text": one.text} if one.text else one.number for one in self.sentences]
        return {"document": self.document, "sentences": told}


def distinct_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return the sources of which no two name the same sentences."""
    return tuple({source.ids: source for source in sources}.values())
