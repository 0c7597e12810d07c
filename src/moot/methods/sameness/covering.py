"""Whether sentences cover a claim: as far as the program goes in finding a claim in a source (rulings I12 and D13).

Covered is most of the claim by weight, with every number, name and identifier of it, and with no guard against it. Rare
words weigh more, the question's own half as much. Overlap is not entailment: no surface calls it so.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from moot.argument.folding import fold_inflection
from moot.argument.guards import opposing_guard, separating_guard
from moot.argument.languages import ENGLISH, function_words
from moot.argument.normal_form import canonical_number
from moot.methods.sameness.texts import guarded_form
from moot.oracles.numerals import with_digits

ENOUGH = 0.60
"""The share of a claim, by weight, that has to stand in the sentences."""

OF_THE_QUESTION = 0.5
"""The weight of a word that the question has too."""

LONGEST_CLAIM = 2_000
"""Characters. A longer text is no claim."""

MOST_TRIED = 40
"""Choices of sentences that are looked at closely, the best by weight first."""

TOO_MANY = f"none of the {MOST_TRIED} sentences nearest to it covers it"

_NUMBER = re.compile(r"(?:(?<!\w)-)?\d[\d,]*(?:\.\d+)?")
_LONE_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?!\w)")
_WORD = re.compile(r"[^\W_][\w'\u2019-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_GOING_ON = re.compile(
    r"(?:it|its|he|him|his|she|her|they|their|this|these|that|those|both|the|there)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[,;:](?!\d)|[()]|\s(?:and|but|which|while|although|though|because|yet)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How many of the sentences of the documents have a word, and which words are only ever written like names."""

    total: int = 0
    having: Mapping[str, int] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def weight(self, word: str) -> float:
        """Return what a word counts: the rarer it is, the more."""
        having = self.having.get(word, 0)
        return math.log(1 + (self.total - having + 0.5) / (having + 0.5))


@dataclass(frozen=True, slots=True)
class Cover:
    """How far sentences cover a claim, which of them do, and what is wrong where they do not."""

    share: float
    places: tuple[int, ...] = ()
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether the claim is covered."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Indexed:
    """Sentences with what each says, worked out once for many claims; `having` has the places of each word."""

    texts: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    names: tuple[frozenset[str], ...]
    having: Mapping[str, tuple[int, ...]]


def indexed(sentences: Sequence[str]) -> Indexed:
    """Return sentences ready to be searched for many claims."""
    words = tuple(map(_words, sentences))
    having: dict[str, list[int]] = {}
    for place, known in enumerate(words):
        for word in known:
            having.setdefault(word, []).append(place)
    names = tuple(frozenset(map(_bare, _names(sentence, Rarity()))) for sentence in sentences)
    return Indexed(tuple(sentences), words, names, {word: tuple(places) for word, places in having.items()})


def covered(
    claim: str,
    sentences: Sequence[str] | Indexed,
    *,
    rarity: Rarity | None = None,
    question: str = "",
    standing: Collection[str] = (),
) -> Cover:
    """Return how the one or two sentences that do it best cover a claim; `standing` are numbers that stand anyway."""
    wanted = _words(claim) - set(standing)
    if not wanted or len(claim) > LONGEST_CLAIM:
        return Cover(0.0, problem="there is no claim that could be found")
    index = sentences if isinstance(sentences, Indexed) else indexed(sentences)
    rarity = rarity or rarity_of(index.texts)
    asked = _words(question)
    weights = {word: rarity.weight(word) * (OF_THE_QUESTION if word in asked else 1.0) for word in sorted(wanted)}
    choices = _choices(claim, index, weights)
    if not choices:
        return Cover(0.0, problem="nothing of it is there")
    enough = [choice for choice in choices if choice.share >= ENOUGH]
    for choice in sorted(enough, key=lambda choice: (len(choice.places), -choice.share))[:MOST_TRIED]:
        if not _problem(claim, index, choice, rarity, standing):
            return choice
    best = max(choices, key=lambda choice: choice.share)
    return replace(best, problem=_problem(claim, index, best, rarity, standing) or TOO_MANY)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a passage."""
    return tuple(part.strip() for part in _SENTENCE_END.split(text) if part.strip())


@lru_cache(maxsize=16)
def rarity_of(texts: tuple[str, ...]) -> Rarity:
    """Return how rare the words of these texts are among their sentences."""
    sentences = [sentence for text in texts for sentence in sentences_of(text)]
    found = [set(_WORD.findall(sentence)) for sentence in sentences]
    having = Counter(word for words in found for word in {fold_inflection(word.lower()) for word in words})
    spelled = set().union(*found)
    small = {word for word in spelled if not word[0].isupper()}
    names = frozenset(word for word in spelled if word[0].isupper() and word.casefold() not in small)
    return Rarity(len(sentences), dict(having), names)


def content_words(text: str) -> frozenset[str]:
    """Return what a text says: its words without small ones, inflection aside, its numbers in digits."""
    return _words(text)


def stated_numbers(text: str) -> set[str]:
    """Return the numbers of a text in their canonical form, also those that it writes in words."""
    return numbers(text) | numbers(_digits(text))


def names_in(claim: str) -> list[str]:
    """Return the names and identifiers of a claim, as they are written."""
    return _names(claim, Rarity())


def numbers(text: str) -> set[str]:
    """Return the numbers of a text, each in its canonical form."""
    return {canonical_number(found.replace(",", "")) for found in _NUMBER.findall(text.replace("\u2212", "-"))}


def proper_names(claim: str) -> list[str]:
    """Return the words that are written like names: capitals that no sentence start explains."""
    return [word for word, starts in _placed_words(claim) if _is_shouted(word) or (_is_capital(word) and not starts)]


def _placed_words(text: str) -> Iterator[tuple[str, bool]]:
    """The words, and whether a sentence begins with each."""
    for found in _WORD.finditer(text):
        yield found.group(), bool(_SENTENCE_START.search(text[: found.start()]))


def _is_capital(word: str) -> bool:
    return word[0].isupper() and len(word) > 1


def _is_shouted(word: str) -> bool:
    return sum(letter.isupper() for letter in word) > 1


def _choices(claim: str, index: Indexed, weights: Mapping[str, float]) -> list[Cover]:
    """Each sentence that has something of the claim, and each pair of neighbours that is about nothing else."""
    named = set(map(_bare, _names(claim, Rarity())))
    fitting = sorted({place for word in weights for place in index.having.get(word, ())})
    whole = sum(weights.values())

    def choice(*places: int) -> Cover:
        there = frozenset().union(*(index.words[place] for place in places))
        return Cover(round(sum(weight for word, weight in weights.items() if word in there) / whole, 6), places)

    neighbours = (pair for pair in pairwise(fitting) if pair[1] == pair[0] + 1)
    pairs = [pair for pair in neighbours if _belong_together(index, *pair, named)]
    return [*map(choice, fitting), *(choice(*pair) for pair in pairs)]


def _belong_together(index: Indexed, place: int, after: int, named: Set[str]) -> bool:
    """Whether two neighbours speak of what the claim names: the second goes on about it, or neither names aught else.

    Two sentences that each have a part of a claim and speak of two things say nothing together: "x9 runs Linux" and
    "x12 is on" are not "x12 runs Linux".
    """
    first, second = index.names[place], index.names[after]
    if _GOING_ON.match(index.texts[after]):
        return not first or not named or bool(first & named)
    return first <= named and second <= named


def _problem(claim: str, index: Indexed, choice: Cover, rarity: Rarity, standing: Collection[str]) -> str:
    text, share = " ".join(index.texts[place] for place in choice.places), choice.share
    words = {_bare(word) for word in _WORD.findall(text)}
    if absent := [name for name in _names(claim, rarity) if _bare(name) not in words]:
        return f"it does not have the name {absent[0]}"
    said = numbers(_digits(text))
    if missing := sorted(numbers(_digits(claim)) - said - {number.lstrip("-") for number in said} - set(standing)):
        return f"it does not have the number {missing[0]}"
    if share < ENOUGH:
        return f"it covers {100 * share:.0f}% of the claim and not {100 * ENOUGH:.0f}%"
    if standing:
        # A result is not in its sources, and their numbers are not in it: the guards go by the words alone.
        claim, text = _LONE_NUMBER.sub(" ", claim), _LONE_NUMBER.sub(" ", text)
    return "it says the opposite" if _is_opposed(claim, text) else ""


def _names(claim: str, rarity: Rarity) -> list[str]:
    """Names and identifiers: capitals within a sentence, words that are only ever names, letters with digits."""
    found = [*proper_names(claim)]
    found += [word for word in _WORD.findall(claim) if word in rarity.names or _is_identifier(word)]
    first = next(_placed_words(claim), ("", False))[0]
    aside = claim[claim.find(first) + len(first) :].startswith(",")
    unknown = first and _is_capital(first) and not _words(first) & rarity.having.keys()
    if unknown and rarity.total and not aside and first.casefold() not in function_words(ENGLISH):
        found.append(first)
    return list(dict.fromkeys(found))


def _is_identifier(word: str) -> bool:
    return any(mark.isdigit() for mark in word) and any(mark.isalpha() for mark in word)


def _is_opposed(claim: str, text: str) -> bool:
    """Whether a guard sets the claim against those clauses of the text that have something of it."""
    wanted = _words(claim)
    near = ", ".join(clause.strip() for clause in _CLAUSE_END.split(text) if _words(clause) & wanted)
    one, other = guarded_form(claim), guarded_form(near)
    # The numbers of the claim stand there; that the text has further ones opposes nothing.
    return opposing_guard(one, other) not in ("", "number") or bool(separating_guard(other, one))


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    """What a text says apart from negation, auxiliaries, small words and inflection."""
    key = guarded_form(_digits(text)).guard_key
    return frozenset(key.split()) - function_words(ENGLISH)


@lru_cache(maxsize=4_096)
def _digits(text: str) -> str:
    """The text with its number words in digits, where they can be read."""
    lower = with_digits(text.casefold())
    return text if lower is None or lower == text.casefold() else lower


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]s?$", "", word.casefold())
