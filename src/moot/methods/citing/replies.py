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
_DIGITS = re.compile(r"\d+")
_LABEL = re.compile(
    r"(?:the\s+|my\s+)?(?:(?:step|point|fact|reason|premise|sentence|item)\s+\d{1,3}|reasoning|explanation|evidence|facts?|analysis"
    r"|solution|given|premises?|note|step[- ]by[- ]step|thoughts?|conclusion|summary|first|second|third|next|then"
    r"|finally)(?:\s+is)?\s*[:.]\s*",
    re.IGNORECASE,
)
_LONE_MARK = re.compile(r"\d{1,3}[.)]")
_LIST_MARK = re.compile(r"(?:\d{1,3}[.)]|[-*+\u2022\u2013>#]+)\s+")
_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence|then|also|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|finally|lastly|additionally"
    r"|furthermore|moreover|however|in conclusion|in summary|overall|as a result|consequently|in other words"
    r"|similarly|from this|this means(?: that)?|we know(?: that)?|it follows(?: that)?|note(?: that)?|now|and|but"
    r"|since|based on (?:this|that|these|those|the above)(?: \w+){0,3},"
    r"|(?:we|i|you|one) can (?:see|conclude|say|infer|deduce|determine) that|it is clear that)(?:\b|(?<=,)),?\s+)+",
    re.IGNORECASE,
)
_PLACE = (
    r"(?:the\s+|this\s+|these\s+)?(?:given\s+|provided\s+|above\s+)?"
    r"(?:information|documents?|sentences?|passages?|paragraphs?|texts?|context|facts?|statements?|details|question"
    r"|[\w-]{1,60}\.(?:md|txt|pdf|html?|docx?|csv))"
    r"(?:\s+(?:provided|given|above|\d{1,4}))*(?:(?:,|\s+and)\s+\d{1,4})*"
)
_SAYS = (
    r"(?:also\s+|clearly\s+|further\s+)?(?:states?|says?|mentions?|tells\s+us|shows?|indicates?|specif(?:y|ies)|notes?"
    r"|describes?|confirms?|explains?)(?:\s+this)?(?:\s+by\s+(?:saying|stating))?(?:\s+that|\s*[:,])?"
)
# Where a run says that it has something from is no part of what it says.
_POINTING = re.compile(
    r"(?:(?<=^)|(?<=[,;]\s)|(?<=\band\s))"
    r"(?:(?:according to|from|based on|as (?:stated|mentioned|given|noted) in|per|given|in)\s+"
    rf"{_PLACE}\s*,\s*(?:(?:we|it) (?:know|see|can see|find|is (?:stated|mentioned|clear)|states?|says?) that\s+)?"
    rf"|(?:{_PLACE}|it(?=\s+also\s))(?:\s+about\s+[^,.]{{1,60}}?)?\s+{_SAYS}\s+)"
    rf"|\s*\((?:from |see )?{_PLACE}\)"
    rf"|,?\s+(?:as (?:stated|mentioned|given|noted|described)|according to)\s+(?:in\s+)?{_PLACE}"
    rf"|(?<=^)(?:document|sentence|passage|paragraph)\s+\d{{1,4}}\s*,\s*",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]")


@dataclass(frozen=True, slots=True)
class ReplySentence:
    """A sentence of a reply: its claim, that claim without what only leads to it, and the numbers it cites."""

    claim: str
    bare: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reasons:
    """The sentences of a reply before its answer, and what of it was not read."""

    sentences: tuple[ReplySentence, ...]
    unread: str = ""


def reasons_of(text: str) -> Reasons:
    """Return the sentences of a reply that come before its answer."""
    whole = before_answer(text)
    plain = _STARS.sub(_spaced, without_tex(storable(whole[:MOST_CHARACTERS])))
    lines = "\n\n".join(map(_with_numbers_in_place, plain.splitlines()))
    sentences = [item for item in sentences_of([Document(name="reply", text=lines)]) if item.kind != "heading"]
    texts = [text for item in sentences if not (text := " ".join(item.text.split())).endswith(":")]
    in_round = bool(texts) and all(_ROUND.search(text) for text in texts)
    distinct = list(dict.fromkeys(texts))
    said = [said for text in distinct[:MOST_SENTENCES] if (said := _said(text, in_round=in_round)) is not None]
    unread = ""
    if len(whole) > MOST_CHARACTERS or len(distinct) > MOST_SENTENCES:
        unread = f"only its first {MOST_CHARACTERS:,} characters and {MOST_SENTENCES} sentences were read"
    return Reasons(tuple(said), unread)


def _spaced(mark: re.Match[str]) -> str:
    return " " if mark[0][:1].isspace() else ""


def _with_numbers_in_place(line: str) -> str:
    """The line with what it cites inside the sentence that cites it."""
    bare = line.strip()
    mark = _LIST_MARK.match(bare)
    if _CITED.match(bare, mark.end() if mark else 0):
        return bare[mark.end() :] if mark else line
    return _BEHIND.sub(_moved, line)


def _moved(end: re.Match[str]) -> str:
    """A number behind the full stop belongs to the sentence that ends there."""
    return f"{end[2]}{end[1]}"


def _said(text: str, *, in_round: bool) -> ReplySentence | None:
    pattern = _ROUND if in_round else _CITED
    cites = [int(digits) for group in pattern.finditer(text) for digits in _DIGITS.findall(group[0])]
    claim = " ".join(pattern.sub("", text).split())
    for mark in (_LIST_MARK, _LABEL):
        if lead := mark.match(claim):
            claim = claim[lead.end() :]
    claim = re.sub(r"\s+([.,;!?])", r"\1", claim).strip()
    if (not claim.strip(" .,;:!?") or _LONE_MARK.fullmatch(claim)) and not cites:
        return None
    return ReplySentence(claim, _bare(claim), tuple(dict.fromkeys(cites))[:MOST_CITED])


def _bare(claim: str) -> str:
    """The claim without what leads to it and without where it is from."""
    # One space where there are thousands: the patterns look at each anew.
    flat = " ".join(claim.split())
    lead = _LEAD.match(flat)
    bare = flat[lead.end() :] if lead else flat
    return _QUOTES.sub("", _POINTING.sub("", bare)).strip(" ,;:")
