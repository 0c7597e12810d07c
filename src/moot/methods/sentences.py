"""The sentences of documents, each with a number and its place (ruling I10).

The rule, line by line: a heading is a sentence; so is a table row, a list item, and a line between code fences. Of what
remains, lines that follow each other are one block. A block of several lines none of which ends as a sentence does is
a sentence a line (records, verses, code); any other is prose and is cut where a sentence ends. Whatever is longer than
`LONGEST_SENTENCE` is cut at a line's end, else at white space, else where it stands.

A list item has a lead: the words before the list that end in a colon, and the items above it that do. A row's lead is
the head of its table. Nothing here knows a language, except for a few English abbreviations that end no sentence.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from moot.core.question import Document

LONGEST_SENTENCE = 600
"""Characters."""

LONGEST_LEAD, MOST_LEADS = 300, 3
"""Characters of one lead, and how many stand before one item, the nearest."""

THE_QUESTION = "the question"
"""What the question is called where it is the source."""

LONGEST_NAME = 200
"""Characters of a document's name."""

Kind = Literal["prose", "item", "row", "heading", "line"]

_LINE = re.compile(r"[^\n]+")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_UNDERLINE = re.compile(r"\s{0,3}(?:={3,}|-{3,})\s*")
_RULE = re.compile(r"[\s|:+=*_-]+")
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+\u2022\u2023\u25e6\u2013]|\d{1,3}[.)])\s+(?=\S)")
_ROW = re.compile(r"\s*\||[^\t]*\t[^\t]*\t")
_PARTS = re.compile(r"[,;\t|]")
_ENDS = re.compile(r"[.!?\u2026:\u3002\uff01\uff1f\u0964\u061f\u06d4][\"'\u201d\u2019\u00bb)\]*_]*\s*$")
_END = re.compile(
    r"(?<![.!?\u2026\u061f\u06d4\u0964])[.!?\u2026\u061f\u06d4\u0964]++[\"'\u201d\u2019\u00bb)\]*_]*+(?=\s)"
    r"|[\u3002\uff01\uff1f]++[\u300d\u300f\u201d\u2019)\uff09]*+"  # these need no white space behind them
)
_UNFINISHED = re.compile(
    r"(?:^|[\s(\"'\u201c])"
    r"(?:mr|mrs|ms|dr|prof|st|mt|jr|sr|vs|cf|ca|approx|e\.g|i\.e|u\.s|u\.k|[^\W\d_])\.$",
    re.IGNORECASE,
)
_COUNTING = re.compile(r"(?:^|[\s(])(?:nos?|figs?|eqs?|vol|pp|p|art|sec|ch)\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 9


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its number among all, its document's place, and where it stands in that document's text."""

    number: int
    document: int
    start: int
    end: int
    text: str
    """As it stands there, to the letter."""
    kind: Kind = "prose"
    lead: str = ""

    @property
    def said(self) -> str:
        """Its words with those of its lead, on one line."""
        return " ".join(f"{self.lead} {self.text}".split())


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: Kind
    lead: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    kind: Kind | Literal["blank", "mark", "underline"]
    """A mark says how something is set and nothing else: a fence, a rule, a table's dashes."""
    depth: int = -1
    """How far a list item is indented."""


def sentences_of(documents: Sequence[Document]) -> tuple[Sentence, ...]:
    """Return the sentences of documents, numbered from 1 through all of them (I10)."""
    spans = ((place, document.text, span) for place, document in enumerate(documents) for span in _spans(document.text))
    return tuple(
        Sentence(number, place, span.start, span.end, text[span.start : span.end], span.kind, span.lead)
        for number, (place, text, span) in enumerate(spans, 1)
    )


def document_names(documents: Sequence[Document]) -> list[str]:
    """Return the name of each document as a source; those that several have, and that of the question, with its place.

    A question that stands alone is the one document and keeps its name.
    """
    short = [document.name[:LONGEST_NAME].strip() or "document" for document in documents]
    taken = Counter(short) + Counter([THE_QUESTION] if len(short) > 1 else [])
    return [f"{name} (document {place})" if taken[name] > 1 else name for place, name in enumerate(short, 1)]


def sentences_touching(sentences: Sequence[Sentence], document: int, start: int, end: int) -> tuple[Sentence, ...]:
    """Return the sentences that a part of a document touches: the source of a given (A22)."""
    return tuple(item for item in sentences if item.document == document and item.start < end and start < item.end)


def shown_with_numbers(sentences: Sequence[Sentence]) -> str:
    """Return sentences as a member reads them, a line each with its number; a lead stands above as its own sentence."""
    return "\n".join(f"[{sentence.number}] {' '.join(sentence.text.split())}" for sentence in sentences)


def _spans(text: str) -> Iterator[_Span]:
    leads: tuple[tuple[int, str], ...] = ()
    head = ""
    for block in _blocks(_lines(text)):
        first, said = block[0], text[block[0].start : block[-1].end].strip()
        if first.kind in ("mark", "underline"):
            continue
        if first.kind == "row":
            yield from _cut(text, _Span(first.start, first.end, "row", head))
            head = head or _as_head(said)
            continue
        head = ""
        if first.kind == "blank":
            continue
        if first.kind == "item":
            leads = tuple(lead for lead in leads if lead[0] < first.depth)[-MOST_LEADS:]
            yield from _cut(text, _Span(first.start, block[-1].end, "item", " ".join(lead for _, lead in leads)))
            leads += _as_lead(said, first.depth)
            continue
        spans = [cut for span in _of_block(text, block) for cut in _cut(text, span)]
        yield from spans
        leads = _as_lead(text[spans[-1].start : spans[-1].end], -1) if spans else ()


def _as_lead(said: str, depth: int) -> tuple[tuple[int, str], ...]:
    return ((depth, said),) if said.endswith((":", "\uff1a")) and len(said) <= LONGEST_LEAD else ()


def _as_head(said: str) -> str:
    """A first row with numbers in it is a row as the others are."""
    return said if len(said) <= LONGEST_LEAD and not any(map(str.isdecimal, said)) else ""


def _of_block(text: str, block: Sequence[_Line]) -> Iterator[_Span]:
    first, lines = block[0], [text[line.start : line.end].strip() for line in block]
    if first.kind != "prose":
        yield _Span(first.start, first.end, "heading" if first.kind == "heading" else "line")
    elif len(block) == 1 or any(_ENDS.search(line[-_LONGEST_ABBREVIATION:]) for line in lines):
        yield from _prose(text, first.start, block[-1].end)
    else:
        widths = {len(_PARTS.findall(line)) for line in lines}
        is_table = len(widths) == 1 and widths != {0}
        head = _as_head(lines[0]) if is_table else ""
        for place, line in enumerate(block):
            yield _Span(line.start, line.end, "row" if is_table else "line", head if place else "")


def _prose(text: str, start: int, end: int) -> Iterator[_Span]:
    for found in _END.finditer(text, start, end):
        if not _goes_on(text, start, found):
            yield _Span(start, found.end(), "prose")
            start = found.end()
    yield _Span(start, end, "prose")


def _goes_on(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a sentence goes on behind a mark that ends most: an abbreviation, an initial, a number of a list."""
    following = text[found.end() : found.end() + _LONGEST_ABBREVIATION].lstrip()[:1]
    if following.islower():
        return True
    before = text[max(start, found.start() - _LONGEST_ABBREVIATION) : found.start() + 1]
    is_counting = following.isdecimal() and _COUNTING.search(before)
    return found.group() == "." and bool(
        is_counting or _UNFINISHED.search(before) or before.strip().removesuffix(".").isdecimal()
    )


def _cut(text: str, span: _Span) -> Iterator[_Span]:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST_SENTENCE:
        within = text[start : start + LONGEST_SENTENCE]
        at = max(within.rfind("\n"), 0) or max(within.rfind(" "), 0) or LONGEST_SENTENCE
        yield replace(span, start=start, end=start + len(within[:at].rstrip()))
        start += at
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield replace(span, start=start, end=end)


def _lines(text: str) -> Iterator[_Line]:
    """Return what each line is; where a heading or an item has a mark, its words start behind it."""
    is_code = False
    before = 0
    for found in _LINE.finditer(text):
        start, end, line = found.start(), found.end(), found.group()
        if text.count("\n", before, start) > 1:
            yield _Line(before, before, "blank")
        before = end
        if not line.strip():
            yield _Line(start, end, "blank")
        elif _FENCE.match(line):
            is_code = not is_code
            yield _Line(start, end, "mark")
        elif is_code:
            yield _Line(start, end, "line")
        elif heading := _HEADING.match(line):
            yield _Line(start + heading.end(), start + max(heading.end(), len(_unclosed(line))), "heading")
        elif _RULE.fullmatch(line):
            yield _Line(start, end, "underline" if _UNDERLINE.fullmatch(line) else "mark")
        elif item := _ITEM.match(line):
            yield _Line(start + item.end(), end, "item", len(item["indent"].expandtabs()))
        else:
            yield _Line(start, end, "row" if _ROW.match(line) else "prose")


def _unclosed(heading: str) -> str:
    """A heading without the hashes that close it; those of C# are no such hashes."""
    bare = heading.rstrip().rstrip("#")
    return bare if bare[-1:].isspace() else heading


def _blocks(lines: Iterator[_Line]) -> Iterator[list[_Line]]:
    """Return lines that belong together: prose with prose, and an item with the prose right beneath it."""
    block: list[_Line] = []
    for line in lines:
        if line.kind == "underline" and len(block) == 1 and block[0].kind == "prose":
            block = [replace(block[0], kind="heading")]
        if block and not (line.kind == "prose" and block[0].kind in ("prose", "item")):
            yield block
            block = []
        block.append(line)
    if block:
        yield block
