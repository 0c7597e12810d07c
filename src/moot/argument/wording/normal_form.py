"""The normal form of a claim: what dedup compares instead of the words as written (interrogation 3.3, A1 to A4)."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.lists import words as listed

STOPWORDS = frozenset(
    ["a", "an", "the", "is", "are", "was", "were", "of", "in", "on", "at", "to", "that", "this", "it", "and"]
)
NEGATIONS = frozenset(("not", "no", "never", "cannot", "n't", "without", "false"))
AUXILIARIES = frozenset(["do", "does", "did", "be", "been", "being", "has", "have", "had"])
IDENTIFIER_NOUNS = frozenset(["rack", "server", "step", "version", "page", "section", "room", "line", "chapter"])

# A control character cannot survive normalisation, so it can stand for the token n't until the end.
_NOT_MARK = "\x00"
_APOSTROPHES = {ord(mark): "'" for mark in "\u2018\u2019\u02bc\uff07"} | {0x2212: "-"}
_CONTRACTION = re.compile(r"\b(?:can't|won't)(?!\w)|(?<=\w)n't(?!\w)")
_EXPANSIONS = {"can't": "cannot", "won't": f"will {_NOT_MARK}"}
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SPACED_PERCENT = re.compile(r"(?<=\d)\s+(?=%)")
_SIGNS = {"!=": "\u2260", "/=": "\u2260", "<=": "\u2264", ">=": "\u2265", "==": "="}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_MARK = re.compile(r"[^\w\s]|_")
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)%?")
_DIGIT_RUN = re.compile(r"\d+(?:\.\d+)*")
_BARE = {"cannot": "can", "without": "with"}
_UNGUARDED = (NEGATIONS | AUXILIARIES) - _BARE.keys()
_PARTICLES = (["on"], ["in"])
_PLAIN_SYMBOLS = frozenset("<>=+$~|^")
_OPERATORS = frozenset("'*/!")
# An operand is a number, a single letter or a bracket: and/or is no division.
_OPERAND_BEFORE = re.compile(r"(?:\d|(?<!\w)[^\W\d_]|[)\]])$")
_OPERAND_AFTER = re.compile(r"\d|[^\W\d_](?!\w)|[(\[]")


@dataclass(frozen=True, slots=True)
class NormalForm:
    """One claim as the guards and the similarity see it; `guard_key` and `words` are sets, spelled in order.

    `claim` is the text as written, for the guards that go by order and by small words.
    """

    claim: str
    text: str
    tokens: frozenset[str]
    negations: int
    denials: int
    guard_key: str
    words: str
    numbers: frozenset[str]
    digits: frozenset[str]
    symbols: frozenset[str]


def normal_form(claim: str, *, identifiers: bool = False) -> NormalForm:
    """Return the normal form of a claim (interrogation 3.3, rulings A1, A2 and A4)."""
    spoken = _tokens(claim)
    tokens = [token for token in spoken if token not in STOPWORDS]
    kinds = frozenset(tokens)
    marked = [token for token in kinds if not token.isalpha()]
    numbers = {token for token in marked if _NUMBER.fullmatch(token)}
    words = kinds - numbers
    if identifiers and numbers:
        words, numbers = _named_apart(spoken)
    return NormalForm(
        claim=claim,
        text=" ".join(tokens),
        tokens=kinds,
        negations=sum(map(NEGATIONS.__contains__, tokens)),
        denials=sum(map(denials().__contains__, tokens)),
        # At the end of a claim these are no prepositions: the lights are on, the tide is in.
        guard_key=" ".join(sorted(guard_key(kinds.union(spoken[-1:]) if spoken[-1:] in _PARTICLES else kinds))),
        words=" ".join(sorted(words)),
        numbers=frozenset(numbers),
        digits=_digits(marked),
        symbols=frozenset(token for token in marked if token in _OPERATORS or (len(token) == 1 and _is_symbol(token))),
    )


@cache
def denials() -> frozenset[str]:
    """Return the words that deny: NEG, and those that keep similar claims apart as NEG does but make no attack (A3)."""
    return NEGATIONS | listed("denials")


def guard_key(tokens: Iterable[str]) -> set[str]:
    """Return what a claim says apart from its negation: NEG, auxiliaries and inflection taken away (A2)."""
    return {_BARE.get(token) or fold_inflection(token) for token in tokens if token not in _UNGUARDED}


def canonical_number(token: str) -> str:
    """Return a numeric token so that equal decimals are equal text: 3.0 as 3, .5 as 0.5 (A1)."""
    sign, body = ("-", token[1:]) if token.startswith("-") else ("", token)
    body, percent = (body[:-1], "%") if body.endswith("%") else (body, "")
    if not body.isascii():
        body = "".join(mark if mark == "." else str(unicodedata.decimal(mark)) for mark in body)
    whole, _, fraction = body.partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    number = f"{whole}.{fraction}" if fraction else whole
    return f"{'' if number == '0' else sign}{number}{percent}"


def _tokens(claim: str) -> list[str]:
    text = unicodedata.normalize("NFC", claim).lower().replace(_NOT_MARK, " ")
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    if "n't" in text:
        text = _CONTRACTION.sub(lambda found: _EXPANSIONS.get(found[0], f" {_NOT_MARK} "), text)
    if "=" in text:
        text = _SIGN.sub(lambda found: _SIGNS[found[0]], text)
    text = _SPACED_PERCENT.sub("", _THOUSANDS.sub("", text))
    return [_canonical(token) for token in _MARK.sub(_spaced, text).split()]


def _canonical(token: str) -> str:
    if token.isalpha():
        return token
    if _NUMBER.fullmatch(token):
        return canonical_number(token)
    return "n't" if token == _NOT_MARK else token


def _spaced(found: re.Match[str]) -> str:
    mark, text, at = found[0], found.string, found.start()
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if mark in "'*/!" and _is_operator(mark, text, at):
        return f" {mark} "
    if mark == "'":
        return ""
    if mark == _NOT_MARK:
        return mark
    if mark == ".":
        inside = before.isdecimal() or not (before.isalnum() or before == ".")
        return "." if after.isdecimal() and inside else " "
    if mark == "-":
        leads = after.isdecimal() or (after == "." and text[at + 2 : at + 3].isdecimal())
        return " -" if leads and not before.isalnum() else " "
    if mark == "#" and before.isalpha() and not after.isalnum():
        return "# "
    if mark == "%":
        return "% " if before.isdecimal() else " % "
    return _spaced_by_category(mark)


def _is_operator(mark: str, text: str, at: int) -> bool:
    """Whether a mark computes: between operands, as a factorial or a denial, or as the prime of a function."""
    before, after = text[max(0, at - 3) : at], text[at + 1 : at + 4]
    if mark == "!":
        return bool(_OPERAND_BEFORE.search(before)) or (after[:1].isalpha() and not before[-1:].isalnum())
    if mark == "'":
        return bool(_OPERAND_BEFORE.search(before)) and after.startswith("(")
    return bool(_OPERAND_BEFORE.search(before.rstrip()) and _OPERAND_AFTER.match(after.lstrip()))


def _spaced_by_category(mark: str) -> str:
    category = unicodedata.category(mark)
    if category[0] == "M":
        return mark
    if _is_symbol(mark):
        return f" {mark} "
    return "" if category == "Cf" else " "


def _is_symbol(mark: str) -> bool:
    return mark in _PLAIN_SYMBOLS or mark == "%" or unicodedata.category(mark) in ("Sm", "Sc", "So")


def _named_apart(spoken: list[str]) -> tuple[set[str], set[str]]:
    words: set[str] = set()
    numbers: set[str] = set()
    for before, token in zip(["", *spoken], spoken, strict=False):
        if token in STOPWORDS:
            continue
        if not _NUMBER.fullmatch(token):
            words.add(token)
        elif before in IDENTIFIER_NOUNS:
            words.add(f"{before}#{token}")
        else:
            numbers.add(token)
    return words, numbers


def _digits(marked: list[str]) -> frozenset[str]:
    """The numbers in and between letters: 9 of x9, 5 of 5kg, and whole numeric tokens."""
    found: set[str] = set()
    for token in marked:
        if _NUMBER.fullmatch(token):
            found.add(token)
        else:
            found.update(run if run.count(".") > 1 else canonical_number(run) for run in _DIGIT_RUN.findall(token))
    return frozenset(found)
