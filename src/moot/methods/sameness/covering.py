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
from itertools import chain, islice, pairwise

from moot.argument.guards import opposing_guard, separating_guard
from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.languages import ENGLISH, function_words
from moot.argument.wording.normal_form import canonical_number
from moot.methods.sameness.texts import guarded_form
from moot.oracles.reading.numerals import with_digits

ENOUGH = 0.60
"""The share of a claim, by weight, that has to stand in the sentences."""

HALF = 0.5
"""The share of what is said of one thing, by weight, that has to stand there: its name alone says nothing of it."""

OF_THE_QUESTION = 0.5
"""The weight of a word that the question has too."""

LONGEST_CLAIM = 2_000
"""Characters. A longer text is no claim."""

MOST_TRIED = 40
"""Choices of sentences that are looked at closely, the best by weight first."""

TOO_MANY = f"none of the {MOST_TRIED} sentences nearest to it covers it"

_NUMBER = re.compile(r"(?:(?<!\w)-)?\d[\d,]*(?:\.\d+)?")
_LETTERED = re.compile(r"[^\W\d_]\w*\d\w*|\d+[^\W\d_]\w*")
_LONE_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?!\w)")
_WORD = re.compile(r"[^\W_][\w'\u2019-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
# "It failed" and "The server failed" go on about something; "The ferry Heron left" and "The list: x9" begin anew.
_GOING_ON = re.compile(
    r"(?![^.,;]{0,80}:\s)"
    r"(?:(?:in|on|at|from|after|before|during|since|by|as|for|with)\b[^,.]{1,60}, )?"
    r"(?:(?:it|its|he|him|his|she|her|they|their|this|these|that|those|both|there)\b"
    r"|the\b(?!(?:\s+\w+)?\s+(?-i:[A-Z]|\w*\d)))",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:])0?(\d{1,2}):(\d\d)(?![\d:])")
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
    going_on: tuple[bool, ...]
    titles: tuple[str, ...]
    """What a sentence goes on about by the name of its document; empty where it names its own subject."""
    having: Mapping[str, tuple[int, ...]]


def indexed(sentences: Sequence[str], titles: Sequence[str] = ()) -> Indexed:
    """Return sentences ready to be searched for many claims; `titles` are the names of what they stand in."""
    going_on = tuple(_GOING_ON.match(text) is not None for text in sentences)
    named = titles or [""] * len(sentences)
    about = tuple(title if goes_on else "" for goes_on, title in zip(going_on, named, strict=True))
    words = tuple(_words(text) | _words(title) for text, title in zip(sentences, about, strict=True))
    having: dict[str, list[int]] = {}
    for place, known in enumerate(words):
        for word in known:
            having.setdefault(word, []).append(place)
    names = tuple(frozenset(map(_bare, _names(sentence, Rarity()))) for sentence in sentences)
    return Indexed(
        tuple(sentences), words, names, going_on, about, {word: tuple(places) for word, places in having.items()}
    )


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
    singles = _singles(index, weights)
    if not singles:
        return Cover(0.0, problem="nothing of it is there")
    pairs = _pairs(claim, index, singles, weights)
    tried = islice(chain(_enough(singles), _enough(pairs)), MOST_TRIED)
    if holding := next((one for one in tried if not _problem(claim, index, one, rarity, standing)), None):
        return holding
    best = max((*singles, *pairs), key=lambda choice: choice.share)
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
    # The minutes of 06:40 are no 40.
    times = {f"{hour}:{minute}" for hour, minute in _CLOCK.findall(text)}
    plain = _CLOCK.sub(r" \1 ", text).replace("\u2212", "-")
    return times | {canonical_number(found.replace(",", "")) for found in _NUMBER.findall(plain)}


def proper_names(claim: str) -> list[str]:
    """Return the words that are written like names: capitals that no sentence start explains."""
    return [word for word, starts in _placed_words(claim) if _is_shouted(word) or (_is_capital(word) and not starts)]


def _placed_words(text: str) -> Iterator[tuple[str, bool]]:
    """The words, and whether a sentence begins with each."""
    before = 0
    for found in _WORD.finditer(text):
        yield found.group(), bool(_SENTENCE_START.search(text[before : found.start()]))
        # The last letter of a word stays in sight, so that only the first one begins the text.
        before = found.end() - 1


def _is_capital(word: str) -> bool:
    return word[0].isupper() and len(word) > 1


def _is_shouted(word: str) -> bool:
    return sum(letter.isupper() for letter in word) > 1


def _singles(index: Indexed, weights: Mapping[str, float]) -> list[Cover]:
    """Each sentence that has something of the claim."""
    fitting = sorted({place for word in weights for place in index.having.get(word, ())})
    return [Cover(_share(index.words[place], weights), (place,)) for place in fitting]


def _pairs(claim: str, index: Indexed, singles: Sequence[Cover], weights: Mapping[str, float]) -> list[Cover]:
    """Each pair of neighbours that is about nothing else, where the two may have enough together."""
    named = frozenset(map(_bare, _names(claim, Rarity())))
    return [
        Cover(_share(index.words[one.places[0]] | index.words[other.places[0]], weights), one.places + other.places)
        for one, other in pairwise(singles)
        if other.places[0] == one.places[0] + 1
        and one.share + other.share >= ENOUGH
        and _belong_together(index, *one.places, *other.places, named)
    ]


def _share(there: Set[str], weights: Mapping[str, float]) -> float:
    return round(sum(weight for word, weight in weights.items() if word in there) / sum(weights.values()), 6)


def _enough(choices: Sequence[Cover]) -> list[Cover]:
    """The choices that have enough of the claim, the best first."""
    return sorted((choice for choice in choices if choice.share >= ENOUGH), key=lambda choice: -choice.share)


def _belong_together(index: Indexed, place: int, after: int, named: Set[str]) -> bool:
    """Whether the second of two neighbours goes on about the first, and the first is about what the claim names.

    Two sentences that each have a part of a claim and speak of two things say nothing together: "x9 runs Linux" and
    "x12 is on" are not "x12 runs Linux".
    """
    return index.going_on[after] and (not named or bool(index.names[place] & named))


def _problem(claim: str, index: Indexed, choice: Cover, rarity: Rarity, standing: Collection[str]) -> str:
    text, share = " ".join(index.texts[place] for place in choice.places), choice.share
    named = " ".join((text, *(index.titles[place] for place in choice.places)))
    words = {_bare(word) for word in _WORD.findall(named)}
    if absent := [name for name in _names(claim, rarity) if _bare(name) not in words]:
        return f"it does not have the name {absent[0]}"
    said = numbers(_digits(text))
    if missing := sorted(numbers(_digits(claim)) - said - {number.lstrip("-") for number in said} - set(standing)):
        return f"it does not have the number {missing[0]}"
    if share < ENOUGH:
        return f"it covers {100 * share:.0f}% of the claim and not {100 * ENOUGH:.0f}%"
    if _is_of_one_thing(claim, rarity) and _share_of_the_rest(claim, index, choice, rarity) < HALF:
        return "it has what the claim is about, and not what is said of it"
    if standing:
        # A result is not in its sources, and their numbers are not in it: the guards go by the words alone.
        claim, text = _LONE_NUMBER.sub(" ", claim), _LONE_NUMBER.sub(" ", text)
    return "it says the opposite" if _is_opposed(claim, text) else ""


def _is_of_one_thing(claim: str, rarity: Rarity) -> bool:
    """Whether a claim names one thing at most: of two, or of one and a number, it says how they go together."""
    named = set(_names(claim, rarity))
    things = len(numbers(_LETTERED.sub(" ", _digits(claim))))
    is_going = False
    for word in _WORD.findall(claim):
        things += word in named and not is_going
        is_going = word in named
    return things <= 1


def _share_of_the_rest(claim: str, index: Indexed, choice: Cover, rarity: Rarity) -> float:
    """How much of a claim stands in the sentences besides its names, by weight."""
    named = frozenset().union(*map(_words, _names(claim, rarity)))
    weights = {word: rarity.weight(word) for word in sorted(_words(claim) - named - numbers(claim))}
    there = frozenset().union(*(index.words[place] for place in choice.places))
    return _share(there, weights) if weights else 1.0


def _names(claim: str, rarity: Rarity) -> list[str]:
    """Names and identifiers: capitals within a sentence, words that are only ever names, letters with digits."""
    found = [*proper_names(claim)]
    found += [word for word in _WORD.findall(claim) if word in rarity.names or _is_identifier(word)]
    found = [word for word in found if _is_shouted(word) or word.casefold() not in function_words(ENGLISH)]
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
    key = guarded_form(_CLOCK.sub(r"\1h\2", _digits(text))).guard_key
    return frozenset(key.split()) - function_words(ENGLISH)


@lru_cache(maxsize=4_096)
def _digits(text: str) -> str:
    """The text with its number words in digits, where they can be read."""
    lower = with_digits(text.casefold())
    return text if lower is None or lower == text.casefold() else lower


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]s?$", "", word.casefold())
