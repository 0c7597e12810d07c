"""The sentences of a reply that argue: marks, lists and empty lead-ins aside, each with the numbers that it cites (I9).

What a run cites stands in square brackets, before a sentence or behind it; in round ones only where every sentence has
such a number, since elsewhere they are a list's or an aside.
"""

import re
from dataclasses import dataclass

from moot.core.canonical import storable
from moot.core.question import Document
from moot.methods.equations import without_tex
from moot.methods.sentences import sentences_of
from moot.methods.votes import before_answer

MOST_CHARACTERS = 20_000
MOST_SENTENCES = 200
"""What is read of one reply; the rest of a longer one is not."""

MOST_CITED = 6
"""Sentences that one sentence can cite."""

_STARS = re.compile(r"(?<![\d)])\s?\*\*(?!\s)|\*\*(?!\s*[\d(])|(?<!\w)__|__(?!\w)|`+|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")
_CITED = re.compile(r"(?<![\w\]])\s?(?:\[(?:sentences?\s+)?(\d{1,6}(?:\s*(?:,|and|&|-)\s*\d{1,6})*)\])+", re.IGNORECASE)
_ROUND = re.compile(r"(?<!\w)\s?\((?:sentences?\s+)?(\d{1,6}(?:\s*(?:,|and|&)\s*\d{1,6})*)\)", re.IGNORECASE)
_BEHIND = re.compile(r"([.!?])(\s*(?:\[[^\]\n]{1,40}\])+)(?=\s|$|\.)\.?")
_BRACKETS = re.compile(r"[\[\]]")
_DIGITS = re.compile(r"\d+")
_LABEL = re.compile(
    r"(?:(?:step|point|fact|reason|premise|sentence|item)\s+\d{1,3}|reasoning|explanation|evidence|facts?|analysis"
    r"|solution|given|premises?|note|step[- ]by[- ]step|thoughts?|conclusion|summary|first|second|third|next|then"
    r"|finally)\s*[:.]\s*",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?:\d{1,3}[.)]|[-*+\u2022\u2013>#]+)\s+")
_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence|then|also|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|finally|lastly|additionally"
    r"|furthermore|moreover|however|in conclusion|in summary|overall|as a result|consequently|in other words|similarly"
    r"|from this|this means(?: that)?|we know(?: that)?|it follows(?: that)?|note(?: that)?|now|and|but|since)\b,?\s+)+"
    r"|(?:according to|from|based on|as (?:stated|mentioned|given|noted) in|per|given|in)\s+"
    r"(?:the\s+|this\s+|these\s+)?(?:given\s+|provided\s+|above\s+)?(?:information|documents?|sentences?|passages?|paragraphs?|texts?|context"
    r"|facts?|statements?|details|question)(?:\s+(?:provided|given|above|\d{1,4}))*\s*,\s*"
    r"(?:we (?:know|see|can see|find) that\s+)?"
    r"|(?:the\s+)?(?:information|documents?|sentences?|passages?|paragraphs?|texts?|context|survey)(?:\s+\d{1,4})?\s+"
    r"(?:clearly\s+)?(?:states?|says?|mentions?|tells us|shows?|indicates?|specif(?:y|ies))\s+that\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a reply: its claim, that claim without what only leads to it, and the numbers it cites."""

    claim: str
    bare: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reasons:
    """The sentences of a reply before its answer, and what of it was not read."""

    sentences: tuple[Said, ...]
    unread: str = ""


def reasons_of(text: str) -> Reasons:
    """Return the sentences of a reply that come before its answer."""
    whole = before_answer(text)
    plain = _STARS.sub(_spaced, without_tex(storable(whole[:MOST_CHARACTERS])))
    lines = "\n\n".join(
        _BEHIND.sub(_moved, line) if not _CITED.match(line.lstrip()) else line for line in plain.splitlines()
    )
    sentences = [item for item in sentences_of([Document(name="reply", text=lines)]) if item.kind != "heading"]
    texts = [text for item in sentences if not (text := " ".join(item.text.split())).endswith(":")]
    in_round = bool(texts) and all(_ROUND.search(text) for text in texts)
    said = [said for text in texts[:MOST_SENTENCES] if (said := _said(text, in_round=in_round)) is not None]
    unread = ""
    if len(whole) > MOST_CHARACTERS or len(texts) > MOST_SENTENCES:
        unread = f"only its first {MOST_CHARACTERS:,} characters and {MOST_SENTENCES} sentences were read"
    return Reasons(tuple(said), unread)


def _spaced(mark: re.Match[str]) -> str:
    return " " if mark[0][:1].isspace() else ""


def _moved(end: re.Match[str]) -> str:
    """A number behind the full stop belongs to the sentence that ends there."""
    return f"{end[2]}{end[1]}"


def _said(text: str, *, in_round: bool) -> Said | None:
    pattern = _ROUND if in_round else _CITED
    cites = [int(digits) for group in pattern.finditer(text) for digits in _DIGITS.findall(group[0])]
    claim = " ".join(pattern.sub("", text).split())
    for mark in (_LIST_MARK, _LABEL):
        if lead := mark.match(claim):
            claim = claim[lead.end() :]
    claim = re.sub(r"\s+([.,;!?])", r"\1", claim).strip()
    lead = _LEAD.match(claim)
    bare = claim[lead.end() :] if lead else claim
    if not claim.strip(" .,;:!?") and not cites:
        return None
    return Said(claim, bare, tuple(dict.fromkeys(cites))[:MOST_CITED])
