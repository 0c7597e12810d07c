"""The checkable claims in plain text: sentences that an oracle understands whole, and nothing beside them (S7, S12).

A text is read only as a whole: every sentence of it, and every clause of a sentence, is understood by an oracle or is a
harmless aside. One phrase more, before, after or in the next sentence, may change what a claim means: then nothing is
read. What is read was claimed.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from moot.oracles.finding import FailedReading, Oracle, ReadingFailed
from moot.oracles.reading.numerals import with_digits
from moot.oracles.table import NO_MORE, ORACLES, OracleCheck

MOST_CHARACTERS = 20_000
MOST_SENTENCE = 400
MOST_CLAUSES = 100

_SENTENCE = re.compile(r"(?<!\.)\.\s+|\n+|!\s+(?=[A-Z])")
_CLAUSE = re.compile(
    r"; |, (?:and|so|thus|therefore|hence|but|since|because) |, (?![0-9]{4}\b)| (?:so|because|since|and) "
)
_LISTED = re.compile(r"(?m)^[ \t]*(?:[0-9]{1,2}\.|[*•])[ \t]+(?=\S)")
_LEAD = re.compile(
    r"(?:so|thus|therefore|hence|since|because|and|but|also|indeed|clearly|note that|recall that|we know that"
    r"|it follows that|this means that|in fact|as we know|correct|yes)[,:]? ",
    re.IGNORECASE,
)
# What may stand beside a claim without a bearing on it: that there is an answer, or that this is all.
_ASIDE = re.compile(
    r"(?:the |our |my )?(?:final |correct |right |exact )?"
    r"(?:answer|result|product|sum|difference|quotient|total|last digit) (?:is|must be|equals|=) "
    r"(?:[-\u2212]?[0-9][0-9.,]*|clear|correct|right)"
    r"|we are (?:done|finished)|(?:that|this|it) is (?:all|it|clear|correct|right)|done|qed|q\.e\.d",
    re.IGNORECASE,
)
# A dash before a number may be a bullet or a minus; behind one, a mark may be an emphasis or a factorial, and a number
# in brackets that of the equation or a factor.
_TWO_WAYS = re.compile(r"^[-\u2212] [0-9.(]|^[\u2013\u2014]|^--|[0-9)]!$|(?:[0-9)] ?|[a-z] )\([0-9]+\)$")
_QUOTING = re.compile(r"['\"`“”\u2018\u2019«»]")
_TEX = {
    r"\times": "*",
    r"\cdot": "*",
    r"\div": "/",
    r"\leq": "<=",
    r"\geq": ">=",
    r"\neq": "!=",
    r"\approx": "≈",
    **dict.fromkeys((r"\(", r"\)", r"\[", r"\]"), ""),
}


def claim_checks(text: str, more: Mapping[str, Oracle] = NO_MORE) -> tuple[OracleCheck | FailedReading, ...]:
    """Return a check for each claim of a text that is understood as a whole, in order; else nothing (S12).

    `more` are oracles beside Moot's own, which read a sentence only where none of these does. Where one of them fails,
    that is all that is returned.
    """
    try:
        return _checks(text, more)
    except ReadingFailed as failed:
        return (failed.reading,)


def _checks(text: str, more: Mapping[str, Oracle]) -> tuple[OracleCheck, ...]:
    if len(text) > MOST_CHARACTERS:
        return ()
    if (whole := _understood(_plain(text), more)) is not None:
        return (whole,)
    sentences = list(_sentences(text))
    if len(sentences) + len(_CLAUSE.findall(text)) > MOST_CLAUSES:
        return ()
    checks: list[OracleCheck] = []
    for sentence in sentences:
        read = _read(sentence, more)
        if read is None:
            return ()
        checks += read
    return tuple(checks)


def is_understood(text: str) -> bool:
    """Return whether a text is one claim that an oracle understands, as it stands."""
    return _understood(_plain(text), NO_MORE) is not None


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(_LISTED.sub("", text)):
        if sentence.strip():
            yield sentence


def _read(sentence: str, more: Mapping[str, Oracle]) -> list[OracleCheck] | None:
    """The claims of a sentence; nothing where a part of it is neither understood nor an aside."""
    if len(sentence) > MOST_SENTENCE:
        return None
    plain = _plain(sentence)
    if (whole := _understood(plain, more)) is not None:
        return [whole]
    checks: list[OracleCheck] = []
    for clause in map(_plain, _CLAUSE.split(plain)):
        check = _understood(clause, more)
        if check is None and not _ASIDE.fullmatch(clause):
            return None
        checks += [check] if check is not None else []
    return checks


def _plain(sentence: str) -> str:
    """The sentence without what leads to it and marks it: bullets, "so", TeX, spaces, a full stop."""
    if len(sentence) > MOST_SENTENCE:
        return ""
    for mark, meaning in _TEX.items():
        sentence = sentence.replace(mark, meaning)
    flat = _unmarked(" ".join(sentence.split()).rstrip(" ,:;"))
    flat = flat if flat.endswith("..") else flat.removesuffix(".")
    flat = _unmarked(flat)
    is_quoted_in_part = flat.count('"') % 2 == 1
    if _TWO_WAYS.search(flat) or flat.endswith("?") or is_quoted_in_part:
        return ""
    flat = flat.removesuffix("!")
    flat = flat[2:] if flat[:2] in ("- ", "* ", "• ") else flat
    for _ in range(2):
        lead = _LEAD.match(flat)
        flat = flat[lead.end() :] if lead else flat
    return flat


def _unmarked(sentence: str) -> str:
    """The sentence without marks around all of it: bold, which is a power elsewhere, and TeX, which is money."""
    for mark in ("**", "__", "$$", "$"):
        inner = sentence[len(mark) : -len(mark)]
        if sentence == f"{mark}{inner}{mark}" and mark not in inner:
            return inner
    return sentence


def _understood(sentence: str, more: Mapping[str, Oracle]) -> OracleCheck | None:
    """The check of the first oracle that understands a sentence, as written or with its numbers in digits."""
    check = _first_reading(sentence, more)
    if check is not None or not sentence or _QUOTING.search(sentence):
        return check
    digits = with_digits(sentence.lower())
    return _first_reading(digits, more) if digits and digits != sentence.lower() else None


def _first_reading(sentence: str, more: Mapping[str, Oracle]) -> OracleCheck | None:
    readings = (row.read(sentence) for row in ORACLES.values())
    check = next((check for check in readings if check is not None), None) if sentence else None
    if check is None and sentence:
        further = (_read_further(row, sentence) for row in more.values())
        return next((check for check in further if check is not None), None)
    return check


def _read_further(row: Oracle, sentence: str) -> Any:
    """What an oracle of another package reads; its failure is named, and costs this text alone."""
    try:
        return row.read(sentence)
    except Exception as error:
        raise ReadingFailed(FailedReading(oracle=row.kind, failure=type(error).__name__)) from error
