"""The passages of documents: paragraphs, under the headings that they stand beneath."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.core.question import Document, Question
from moot.methods.sameness import Setting
from moot.methods.sentences import Sentence, sentences_of

_BLANK = re.compile(r"\n\s*\n")
_EXTENSION = re.compile(r"\.\w{1,5}(?=$|\s\(\d+\)$)")

LONGEST_PASSAGE = 1_200
"""Characters; a longer paragraph is cut between sentences."""

_LONGEST_MARK = 80
"""Characters that may stand around a passage's sentences on their lines: a bullet, hashes, a closing bar."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, by its place in it."""

    document: int
    number: int
    text: str
    title: str = ""
    """The heading above it, else its document's name."""
    heading: str = ""
    """That heading, where it is not part of the text."""
    first: int = 0
    last: int = 0
    """The numbers of its first and last sentence among those of all documents (I10)."""


def passages_of(documents: Sequence[Document]) -> list[Passage]:
    """Return the paragraphs of documents, long ones cut between sentences.

    A heading is of one passage with the paragraph beneath it, words that end in a colon with what follows them.
    """
    sentences: list[list[Sentence]] = [[] for _ in documents]
    for sentence in sentences_of(documents):
        sentences[sentence.document].append(sentence)
    return [
        passage
        for place, document in enumerate(documents)
        for passage in _of_document(place, document, sentences[place])
    ]


def setting_of(question: Question) -> Setting:
    """Return what answers to a question are held against: its words, and the sentences of its documents (G12)."""
    return Setting(question.text, tuple(sentence.said for sentence in sentences_of(question.documents)))


def _of_document(place: int, document: Document, sentences: Sequence[Sentence]) -> Iterator[Passage]:
    title, heading = _EXTENSION.sub("", document.name), ""
    for number, part in enumerate(_parts(document.text, sentences)):
        is_headed = part[0].kind == "heading"
        if is_headed:
            title = heading = " ".join(part[0].text.split())
        text = _text(document.text, part)
        yield Passage(place, number, text, title, "" if is_headed else heading, part[0].number, part[-1].number)


def _parts(text: str, sentences: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    part: list[Sentence] = []
    for sentence in sentences:
        if part and _is_apart(text, part, sentence):
            yield part
            part = []
        part.append(sentence)
    if part:
        yield part


def _is_apart(text: str, part: Sequence[Sentence], sentence: Sentence) -> bool:
    if sentence.end - part[0].start > LONGEST_PASSAGE:
        return True
    last = part[-1]
    if last.kind == "heading" or last.text.endswith(":"):
        return sentence.kind == "heading" and last.kind != "heading"
    return sentence.kind == "heading" or bool(_BLANK.search(text, last.end, sentence.start))


def _text(text: str, part: Sequence[Sentence]) -> str:
    """The part as it is set, with a bullet before it or a bar behind it, where the rest of the line is no more."""
    start, end = part[0].start, part[-1].end
    before, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    marks = text[before:start], text[end : after if after >= 0 else len(text)]
    if len(marks[0]) <= _LONGEST_MARK and not any(map(str.isalpha, marks[0])):
        start = before
    if len(marks[1]) <= _LONGEST_MARK and not any(map(str.isalnum, marks[1])):
        end += len(marks[1])
    return text[start:end].strip()
