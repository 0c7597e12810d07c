"""Where the words and numbers of a run can come from: sentences of the documents and of the question (I10, I12)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.question import Document, Question
from moot.methods.sameness import Indexed, Rarity, content_words, indexed, rarity_of, stated_numbers
from moot.methods.sentences import LONGEST_NAME, THE_QUESTION, Sentence, document_names, sentences_of

MOST_SENTENCES = 5_000
"""Sentences of documents that are searched."""

# What a word says of a number: half as many is a division by 2, a dozen are 12.
_IN_WORDS: Mapping[str, tuple[str, ...]] = {
    "half": ("2", "0.5"),
    "halve": ("2", "0.5"),
    "twice": ("2",),
    "double": ("2",),
    "doubled": ("2",),
    "couple": ("2",),
    "pair": ("2",),
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
_HEAD = re.compile(r"[^.:]{1,60}:")
_EXTENSION = re.compile(r"\.\w{1,5}$")
_ASKING = re.compile(r"\b(?:how|what|which|who|whom|whose|where|when|why)\b[^,;?]*\?", re.IGNORECASE)
_IF = re.compile(r"^(?:and |so )?(?:if|given that|suppos\w+(?: that)?|assum\w+(?: that)?)\s+", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+|%")
_PERCENTAGE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s?(?:%|percent)")


@dataclass(frozen=True, slots=True)
class Origin:
    """A sentence that a given can rest on, under the name by which a run's nodes call it."""

    key: str
    document: str
    number: int
    said: str
    pieces: tuple[str, ...]
    """What of it is searched, piece by piece: of a question what it supposes, of a list item each of its sentences."""
    title: str = ""

    @property
    def source(self) -> dict[str, Any]:
        """The source of a given that rests on it (A22)."""
        return {"document": self.document, "sentences": [{"number": self.number, "text": self.said}]}


@dataclass(frozen=True, slots=True)
class Origins:
    """What is searched for words, `searched`, and for numbers, which the question states too."""

    searched: tuple[Origin, ...]
    owners: tuple[Origin | None, ...]
    """Whose each text of the index is; nobody's are those that keep two documents apart."""
    index: Indexed
    rarity: Rarity
    by_number: Mapping[str, tuple[Origin, ...]]
    question: str
    unsearched: str = ""
    """That some sentences of the documents are past what is searched; empty where none is."""

    def of_number(self, number: str, beside: str) -> Origin | None:
        """Return the sentence that states a number; of several the one most like the sentence it is used in."""
        words = content_words(beside)
        stating = self.by_number.get(number, ())
        return max(stating, key=lambda origin: len(words & content_words(origin.said)), default=None)


def origins_of(question: Question, documents: Sequence[Document]) -> Origins:
    """Return the sentences that a run's reasons can rest on; without documents those of the question alone."""
    asked = [
        Origin(f"q{item.number}", THE_QUESTION, item.number, item.said, (_supposed(item.said),))
        for item in sentences_of([Document(name=THE_QUESTION, text=question.text)])
    ]
    told, unsearched = _told(documents)
    searched = told or asked
    by_number: dict[str, list[Origin]] = {}
    for origin in (*asked, *told):
        for number in _numbers(origin.said):
            by_number.setdefault(number, []).append(origin)
    owned = list(_owned(searched))
    texts = tuple(text for _, text in owned)
    return Origins(
        tuple(searched),
        tuple(owner for owner, _ in owned),
        indexed(texts, [owner.title if owner else "" for owner, _ in owned]),
        rarity_of(texts),
        {number: tuple(stating) for number, stating in by_number.items()},
        question.text,
        unsearched,
    )


def _told(documents: Sequence[Document]) -> tuple[list[Origin], str]:
    names = document_names(documents)
    titles = [_EXTENSION.sub("", document.name[:LONGEST_NAME]) for document in documents]
    sentences = sentences_of(documents)
    told = [
        Origin(f"d{item.number}", names[item.document], item.number, item.said, _pieces(item), titles[item.document])
        for item in sentences[:MOST_SENTENCES]
    ]
    count = f"{len(told):,} of {len(sentences):,}"
    return told, f"only the first {count} sentences were searched" if len(told) < len(sentences) else ""


def _pieces(item: Sentence) -> tuple[str, ...]:
    """The sentences of a list item, each with what the item begins with: what is said of x9 is not said of x8."""
    if item.kind != "item":
        return (item.said,)
    first, *others = [part.said for part in sentences_of([Document(name="item", text=item.text)])] or [item.said]
    head = _HEAD.match(first)
    lead = f"{item.lead} {head[0] if head else ''}".strip()
    return f"{item.lead} {first}".strip(), *(f"{lead} {other}".strip() for other in others)


def _owned(searched: Sequence[Origin]) -> Iterator[tuple[Origin | None, str]]:
    before = searched[0].document if searched else ""
    for origin in searched:
        if origin.document != before:
            yield None, ""
        before = origin.document
        yield from ((origin, piece) for piece in origin.pieces)


def _supposed(text: str) -> str:
    return _IF.sub("", _ASKING.sub("", text)).strip(" ,;?")


def _numbers(text: str) -> set[str]:
    lower = text.casefold()
    worded = {number for word in _WORD.findall(lower) for number in _IN_WORDS.get(word, ())}
    shares = {f"{float(share) / 100:.10f}".rstrip("0").rstrip(".") for share in _PERCENTAGE.findall(lower)}
    return stated_numbers(text) | worded | shares
