"""The checkable claims in plain sentences: each whole sentence or clause that an oracle understands (ruling S7).

Conservative: a question, a supposition, a denial that no oracle knows, or a sentence with one word too many gives
nothing. A claim that is read is a claim that was made.
"""

import re
from collections.abc import Iterator
from itertools import islice

from moot.oracles.table import ORACLES, OracleCheck

MOST_CHARACTERS = 20_000
MOST_SENTENCE = 400
MOST_SENTENCES = 200
MOST_CHECKS = 100

_SENTENCE = re.compile(r"(?<!\.)[.;]\s|\n|!\s(?=[A-Z])|\?")
_CLAUSE = re.compile(
    r", (?:and|so|thus|therefore|hence|which means|but|since|because) |, (?![0-9]{4}\b)| (?:so|because|since) "
)
# A clause of a sentence with one of these may be supposed, denied or reported rather than claimed.
_NOT_PLAIN = re.compile(
    r"\b(?:if|unless|suppose|assum\w*|let|would|were|not|never|no|cannot|false|wrong|incorrect\w*|untrue|say|says|said|claim\w*"
    r"|think\w*|believ\w*|maybe|perhaps|might|could|whether|when|where|mistake\w*|error|deny|denies|instead)\b|n't",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:so|thus|therefore|hence|since|because|then|and|but|also|indeed|clearly|first|second|next|finally|now|note that"
    r"|recall that|we know that|it follows that|this means that|in fact|for example|as we know|correct|yes)[,:]? ",
    re.IGNORECASE,
)
_TWO_WAYS = re.compile(r"^- [0-9.(]|[0-9)]!$")
_TEX = {
    r"\times": "*",
    r"\cdot": "*",
    r"\div": "/",
    r"\leq": "<=",
    r"\geq": ">=",
    r"\neq": "!=",
    r"\approx": "≈",
    **dict.fromkeys((r"\(", r"\)", r"\[", r"\]", "**", "__"), ""),
}


def claim_checks(text: str) -> tuple[OracleCheck, ...]:
    """Return a check for each claim that an oracle understands in the first two hundred sentences, in order."""
    checks: list[OracleCheck] = []
    for sentence in islice(_sentences(text[:MOST_CHARACTERS]), MOST_SENTENCES):
        checks += _read(sentence)
    return tuple(checks[:MOST_CHECKS])


def _sentences(text: str) -> Iterator[str]:
    place = 0
    for end in _SENTENCE.finditer(text):
        if end.group() != "?":
            yield text[place : end.start()]
        place = end.end()
    yield text[place:]


def _read(sentence: str) -> list[OracleCheck]:
    if len(sentence) > MOST_SENTENCE:
        return []
    whole = _understood(_plain(sentence))
    if whole is not None:
        return [whole]
    if _NOT_PLAIN.search(sentence):
        return []
    clauses = [_understood(_plain(clause)) for clause in _CLAUSE.split(sentence)]
    return [check for check in clauses if check is not None]


def _plain(sentence: str) -> str:
    """The sentence without what leads to it and marks it: bullets, "so", TeX, spaces, a full stop."""
    for mark, meaning in _TEX.items():
        sentence = sentence.replace(mark, meaning)
    flat = " ".join(sentence.split()).rstrip(" ,:;")
    flat = flat if flat.endswith("..") else flat.removesuffix(".")
    # A dash before a number may be a bullet or a minus, and a mark after one an emphasis or a factorial.
    if _TWO_WAYS.search(flat):
        return ""
    flat = flat.removesuffix("!")
    flat = flat[2:] if flat[:2] in ("- ", "* ", "• ") else flat
    for _ in range(2):
        lead = _LEADS.match(flat)
        flat = flat[lead.end() :] if lead else flat
    return flat


def _understood(sentence: str) -> OracleCheck | None:
    readings = (row.read(sentence) for row in ORACLES.values())
    return next((check for check in readings if check is not None), None) if sentence else None
