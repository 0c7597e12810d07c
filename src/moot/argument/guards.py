"""The guards: which claims attack each other, and which similarity may never merge (rulings A2 to A4, A18 to A20).

All are pure functions of two normal forms; the lists they go by are data files. What no guard holds against a pair is
left to the similarity, or to whoever is asked.
"""

from collections.abc import Iterable, Iterator, Set
from decimal import Decimal
from typing import Any

from moot.argument.wording.languages import ENGLISH, function_words, has_negations, negations
from moot.argument.wording.lists import multiples, number_words, words
from moot.argument.wording.normal_form import NormalForm, denials, normal_form
from moot.argument.wording.opposites import are_opposites, family, is_listed, on_opposite_sides
from moot.argument.wording.order import is_reversed, is_small, looks_like_name
from moot.argument.wording.reading import ENTRY_LISTS, Reading, Word, phrases_on_lists, read

_OF_A_COUNTRY = ("n", "an", "ian", "ese", "ish", "ic", "i", "s", "es", "y")
_OPERATORS = frozenset("=<>+^*/!'\u2260\u2264\u2265\u00b1\u00d7\u00f7")


def opposing_guard(a: NormalForm, b: NormalForm) -> str:
    """Return the guard by which two claims attack each other: negation (A2), number (A4), opposites (A19), or none."""
    if a.guard_key and a.guard_key == b.guard_key and a.negations % 2 != b.negations % 2:
        return "negation"
    if a.numbers and b.numbers and a.words == b.words and a.numbers != b.numbers and not _equal_shares(a, b):
        return "number"
    return "opposites" if _say_opposites(a, b) else ""


def separating_guard(earlier: NormalForm, later: NormalForm) -> str:
    """Return why similarity may never merge two claims, or nothing: A3's counts and signs, A18, A19, A20."""
    if not earlier.text or not later.text:
        return "empty"
    if earlier.denials != later.denials:
        return "negations"
    if _each_lacks(earlier.digits, later.digits):
        return "numbers"
    if _each_lacks(earlier.symbols, later.symbols) or (earlier.symbols ^ later.symbols) & _OPERATORS:
        return "signs"
    if earlier.text == later.text:
        return ""
    a, b = read(earlier.claim), read(later.claim)
    return _language_guard(a, b) or _list_guard(a, b) or _name_guard(a, b) or _order_guard(a, b)


def guarded_words(text: str) -> frozenset[str]:
    """Return the words and phrases of a text that deny, or that stand on a list of ruling A19."""
    denying = normal_form(text).tokens & denials()
    return frozenset((*denying, *phrases_on_lists(text), *_words_on_lists(read(text))))


def opposing_keys(form: NormalForm) -> list[str]:
    """Return what a claim's guard key becomes where a word gives way to the family of its opposites (A19).

    Two claims that the guard `opposites` sets against each other share such a key, or one has it as its guard key.
    """
    kinds = form.guard_key.split(" ")
    marked = [(place, mark) for place, mark in enumerate(map(family, kinds)) if mark != kinds[place]]
    return [" ".join(sorted((*kinds[:place], *kinds[place + 1 :], mark))) for place, mark in marked]


def _equal_shares(a: NormalForm, b: NormalForm) -> bool:
    """Whether the numbers are the same once 25% is read as 0.25."""
    if not any(number.endswith("%") for number in a.numbers ^ b.numbers):
        return False
    return _shares(a.numbers) == _shares(b.numbers)


def _shares(numbers: Iterable[str]) -> set[Decimal]:
    return {Decimal(number[:-1]) / 100 if number.endswith("%") else Decimal(number) for number in numbers}


def opposed_words(one_key: str, other_key: str) -> tuple[str, str] | None:
    """Return the two opposites by which alone two guard keys differ, if they do."""
    one, other = set(one_key.split(" ")), set(other_key.split(" "))
    if len(one) != len(other) or len(one - other) != 1:
        return None
    u, v = *(one - other), *(other - one)
    return (u, v) if are_opposites(u, v) else None


def _say_opposites(a: NormalForm, b: NormalForm) -> bool:
    """Whether the claims are equal but for two opposites, and neither leaves room for the other."""
    if a.denials or b.denials or not (words_apart := opposed_words(a.guard_key, b.guard_key)):
        return False
    u, v = words_apart
    first, second = read(a.claim), read(b.claim)
    if not (first.language == second.language == ENGLISH and u in first.free and v in second.free):
        return False
    hedged = any(word.lower in words("hedges") for word in (*first.words, *second.words))
    return not hedged and not is_reversed(first, second, exchanged=(u, v))


def _language_guard(a: Reading, b: Reading) -> str:
    """A20: without the lists of its language a claim merges with its equal alone."""
    languages = {a.language, b.language} - {ENGLISH}
    if not languages:
        return ""
    if not all(map(has_negations, languages)):
        return "language"
    small: set[str] = set()
    for language in languages:
        if _denied(a, language) != _denied(b, language):
            return "negations"
        small |= function_words(language)
    # Without a list of opposites, a word put in another's place may be one.
    one, other = ({word.lower for word in reading.words} - small for reading in (a, b))
    return "language" if _each_lacks(one, other) else ""


def _denied(reading: Reading, language: str) -> int:
    return sum(word.lower in negations(language) for word in reading.words)


def _list_guard(a: Reading, b: Reading) -> str:
    """A19: the list of which each claim has an entry that the other lacks."""
    if _each_lacks(a.amounts, b.amounts):
        return "number words"
    for name in ENTRY_LISTS:
        one, other = a.entries.get(name, frozenset()), b.entries.get(name, frozenset())
        if _each_lacks(one, other) or (name == "limits" and one != other):
            return name
    one, other = a.free - b.free, b.free - a.free
    if any(are_opposites(u, v) for u in one for v in other):
        return "opposites"
    return "converses" if any(on_opposite_sides("converses", u, v) for u in one for v in other) else ""


def _name_guard(a: Reading, b: Reading) -> str:
    """Names: the claims differ in names alone, and each has one that the other lacks."""
    one, other = _own_words(a, b), _own_words(b, a)
    if not one or not other or not all(map(looks_like_name, (*one, *other))):
        return ""
    return "" if any(_one_name(x.spelled, y.spelled) for x in one for y in other) else "names"


def _own_words(reading: Reading, other: Reading) -> list[Word]:
    if reading.known <= other.known:
        return []
    return [word for word in reading.words if word.folded not in other.known and not is_small(word, reading.words)]


def _one_name(a: str, b: str) -> bool:
    """Whether two spellings may be of one name: an initial, letters that go on (US, USA), a country and its people."""
    short, long = sorted((a.lower(), b.lower()), key=len)
    if len(short) == 1 or (a.isupper() and b.isupper()):
        return long.startswith(short) and long.isalpha() and short != long
    return any(long in (short + ending, short[:-1] + ending) for ending in _OF_A_COUNTRY)


def _order_guard(a: Reading, b: Reading) -> str:
    return "reversed" if is_reversed(a, b) else ""


def _words_on_lists(reading: Reading) -> Iterator[str]:
    counting = {*number_words(), *multiples(), *words("negated_words")}
    denying = negations(reading.language) if reading.language != ENGLISH and has_negations(reading.language) else ()
    for word in reading.words:
        paired = word.folded in reading.free and (
            is_listed("opposites", word.folded) or is_listed("converses", word.folded)
        )
        if paired or word.lower in counting or word.lower in denying:
            yield word.lower


def _each_lacks(one: Set[Any], other: Set[Any]) -> bool:
    return not (one <= other or other <= one)
