"""Where the words and numbers of a run can come from: sentences of the documents and of the question (I10, I12)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.question import Document, Question
from moot.methods.sameness import Indexed, Rarity, content_words, indexed, rarity_of, stated_numbers
from moot.methods.sentences import sentences_of

THE_QUESTION = "the question"

MOST_SENTENCES = 5_000
"""Sentences of documents that are searched."""

LONGEST_NAME = 200
"""Characters of a document's name."""

# What a word says of a number: half as many is a division by 2, a dozen are 12.
_IN_WORDS: Mapping[str, tuple[str, ...]] = {
    "half": ("2", "0.5"),
    "halve": ("2", "0.5"),
    "twice": ("2",),
    "double": ("2",),
    "doubled": ("2",),
    "couple": ("2",),
    "pair": ("2",),
    "both": ("2",),
    "thrice": ("3",),
    "triple": ("3",),
    "tripled": ("3",),
    "third": ("3",),
    "thirds": ("3",),
    "quarter": ("4", "0.25"),
    "quarters": ("4", "0.25"),
    "fourth": ("4",),
    "quadruple": ("4",),
    "fifth": ("5",),
    "fifths": ("5",),
    "dozen": ("12",),
    "dozens": ("12",),
    "percent": ("100",),
    "%": ("100",),
}
_WORD = re.compile(r"[a-z]+|%")
_PERCENTAGE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s?(?:%|percent)")


@dataclass(frozen=True, slots=True)
class Origin:
    """A sentence that a given can rest on, under the name by which a run's nodes call it."""

    key: str
    document: str
    number: int
    said: str

    @property
    def source(self) -> dict[str, Any]:
        """The source of a given that rests on it (A22)."""
        return {"document": self.document, "sentences": [{"number": self.number, "text": self.said}]}


@dataclass(frozen=True, slots=True)
class Origins:
    """What is searched for words, `searched`, and for numbers, which the question states too."""

    searched: tuple[Origin, ...]
    index: Indexed
    rarity: Rarity
    by_number: Mapping[str, tuple[Origin, ...]]
    question: str

    def of_number(self, number: str, beside: str) -> Origin | None:
        """Return the sentence that states a number; of several the one most like the sentence it is used in."""
        words = content_words(beside)
        stating = self.by_number.get(number, ())
        return max(stating, key=lambda origin: len(words & content_words(origin.said)), default=None)


def origins_of(question: Question, documents: Sequence[Document]) -> Origins:
    """Return the sentences that a run's reasons can rest on; without documents those of the question alone."""
    asked = [
        Origin(f"q{item.number}", THE_QUESTION, item.number, item.said)
        for item in sentences_of([Document(name=THE_QUESTION, text=question.text)])
    ]
    names = _names(documents)
    told = [
        Origin(f"d{item.number}", names[item.document], item.number, item.said)
        for item in sentences_of(documents)[:MOST_SENTENCES]
    ]
    searched = tuple(told or asked)
    by_number: dict[str, list[Origin]] = {}
    for origin in (*asked, *told):
        for number in _numbers(origin.said):
            by_number.setdefault(number, []).append(origin)
    texts = tuple(origin.said for origin in searched)
    frozen = {number: tuple(stating) for number, stating in by_number.items()}
    return Origins(searched, indexed(texts), rarity_of(texts), frozen, question.text)


def _names(documents: Sequence[Document]) -> list[str]:
    """The name of each document; those that several have, and that of the question, with their place."""
    short = [document.name[:LONGEST_NAME].strip() or "document" for document in documents]
    taken = Counter(short) + Counter([THE_QUESTION])
    return [f"{name} (document {place})" if taken[name] > 1 else name for place, name in enumerate(short, 1)]


def _numbers(text: str) -> set[str]:
    lower = text.casefold()
    worded = {number for word in _WORD.findall(lower) for number in _IN_WORDS.get(word, ())}
    shares = {f"{float(share) / 100:.10f}".rstrip("0").rstrip(".") for share in _PERCENTAGE.findall(lower)}
    return stated_numbers(text) | worded | shares
