"""What is shown of documents that are longer than a member reads well (ruling I20).

First the passages whose titles the question names, else the one that is closest to it by BM25. Then, again and again:
a passage whose title those chosen name; else one that names a title of theirs; else any; of several the closest. Of
passages with one title only the closest is reached by it: a long document that is named does not crowd out the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from moot.core.question import Document
from moot.core.tokens import estimated_tokens
from moot.methods.search.passages import Passage, passages_of
from moot.methods.search.terms import closeness, terms
from moot.methods.search.titles import Links, Title, links_between, titles_in
from moot.methods.sentences import Sentence, sentences_of

FEWEST = 4
"""Passages that are shown even where they exceed the tokens: what is said in two places needs room for both."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What of the documents is shown, in their order, and all passages as they would come, best first."""

    shown: tuple[Passage, ...]
    order: tuple[Passage, ...]
    seen: int
    """How many have been shown by now, these included."""

    @property
    def of(self) -> int:
        """How many passages there are."""
        return len(self.order)

    @property
    def is_all(self) -> bool:
        """Whether nothing has been left unseen."""
        return self.seen == self.of

    @property
    def caveat(self) -> str:
        """What a reader must know of it; empty where everything has been shown."""
        return "" if self.is_all else f"{self.seen} of {self.of} paragraphs shown"

    def names(self, documents: Sequence[Document]) -> list[str]:
        """Return the passages shown by document and number, for the record."""
        return [f"{documents[part.document].name}, passage {part.number + 1}" for part in self.shown]

    def sentences(self, documents: Sequence[Document]) -> tuple[Sentence, ...]:
        """Return the sentences shown, with their numbers among those of all documents (I10)."""
        shown = {number for passage in self.shown for number in range(passage.first, passage.last + 1)}
        return tuple(sentence for sentence in sentences_of(documents) if sentence.number in shown)

    def over(self, documents: Sequence[Document]) -> tuple[Document, ...]:
        """Return the documents with the passages shown alone, under their headings; whole ones as they are."""
        if len(self.shown) == self.of:
            return tuple(documents)
        texts = [(document.name, _set(self.shown, place)) for place, document in enumerate(documents)]
        return tuple(Document(name=name, text=text) for name, text in texts if text)


def narrowed(question: str, documents: Sequence[Document], tokens: int | None) -> Narrowed:
    """Return what to show first within so many tokens, at least `FEWEST` passages; None shows everything (I20)."""
    if tokens is None or sum(estimated_tokens(document.text) for document in documents) <= tokens:
        passages = tuple(passages_of(documents))
        return Narrowed(passages, passages, len(passages))
    return _shown(ordered(question, passages_of(documents)), 0, tokens)


def further(before: Narrowed, tokens: int) -> Narrowed | None:
    """Return what to show when that was not enough: the passages that come next, or None when all have been seen."""
    return None if before.is_all else _shown(before.order, before.seen, tokens)


def ordered(question: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return all passages in the order in which they are shown: by BM25 and the title hop (I20)."""
    scores = closeness(question, [terms(f"{passage.title}\n{passage.text}") for passage in passages])
    closest = sorted(range(len(passages)), key=lambda place: (-scores[place], place))
    return tuple(passages[place] for place in _hops(question, closest, links_between(passages)))


def first_of(question: str, documents: Sequence[Document], most: int) -> Narrowed:
    """Return the first so many passages (G7)."""
    order = ordered(question, passages_of(documents))
    return Narrowed(_in_order(order[:most]), order, min(most, len(order)))


def _hops(question: str, closest: Sequence[int], links: Links) -> Iterator[int]:
    rank = {place: number for number, place in enumerate(closest)}
    best = {title: min(places, key=rank.__getitem__) for title, places in links.titled.items()}
    tiers: tuple[list[int], list[int]] = ([], [])
    asked = sorted({rank[best[title]] for title in titles_in(question, links.titled)}) or [0] * bool(closest)
    taken: set[int] = set()
    reached: set[Title] = set()
    rest = iter(range(len(closest)))
    while len(taken) < len(closest):
        number = _next(asked, *tiers, taken, rest)
        place = closest[number]
        taken.add(number)
        yield place
        for title in links.names[place]:
            heappush(tiers[0], rank[best[title]])
        if (title := links.titles[place]) and title not in reached:
            reached.add(title)
            for naming in links.named_by.get(title, ()):
                heappush(tiers[1], rank[naming])


def _next(asked: list[int], named: list[int], naming: list[int], taken: set[int], rest: Iterator[int]) -> int:
    for tier in (asked, named, naming):
        while tier:
            number = heappop(tier)
            if number not in taken:
                return number
    return next(number for number in rest if number not in taken)


def _shown(order: tuple[Passage, ...], start: int, tokens: int) -> Narrowed:
    end, used = start, 0
    for passage in order[start:]:
        used += estimated_tokens(passage.text)
        if used > tokens and end - start >= FEWEST:
            break
        end += 1
    return Narrowed(_in_order(order[start:end]), order, end)


def _in_order(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(sorted(passages, key=lambda passage: (passage.document, passage.number)))


def _set(shown: Sequence[Passage], document: int) -> str:
    parts: list[str] = []
    above = ""
    for passage in shown:
        if passage.document == document:
            if passage.heading and passage.heading != above:
                parts.append(f"# {passage.heading}")
            above = passage.heading or passage.title
            parts.append(passage.text)
    return "\n\n".join(parts)
