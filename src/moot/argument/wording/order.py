"""Whether one claim says another with its ends exchanged: "Ajax beat Porto", "Porto beat Ajax" (ruling A18)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from moot.argument.wording.languages import ENGLISH, function_words
from moot.argument.wording.lists import folded_words, number_words, spellings, words
from moot.argument.wording.reading import Reading, Word

MAX_SHARED = 80
MAX_OTHER_INVERSIONS = 3

_LEFT_OUT = frozenset(
    [
        *("a", "an", "the", "and", "or", "on", "in", "at", "during"),
        *("is", "are", "was", "were", "be", "been", "being", "am"),
        *("i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them"),
        *("my", "your", "his", "its", "our", "their", "mine", "hers", "ours", "theirs"),
        *("this", "that", "these", "those", "who", "which"),
    ]
)
_MONTHS = frozenset(
    [
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    ]
)


@dataclass(frozen=True, slots=True)
class Token:
    """One thing in a claim's order: a word, a date or a list."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """What of one claim is needed to set its order beside another's."""

    tokens: tuple[Token, ...]
    once: frozenset[str]
    agents: int


def is_reversed(a: Reading, b: Reading, exchanged: tuple[str, str] | None = None) -> bool:
    """Return whether two words changed places around a third, and little else moved (A18).

    `exchanged` holds two folded words that count as one, so that "taller than" and "shorter than" can be compared.
    """
    if not exchanged and _in_one_order(a, b):
        return False
    first, second = ordered(a), ordered(b)
    if exchanged:
        first, second = _as_one(first, exchanged), _as_one(second, exchanged)
    shared = first.once & second.once
    if len(shared) < 2 or first.agents != second.agents:
        return False
    names = {token.text for token in (*first.tokens, *second.tokens) if token.kind == "name"}
    kinds = {token.text: "name" if token.text in names else token.kind for token in first.tokens}
    order = [token.text for token in first.tokens if token.text in shared][:MAX_SHARED]
    place = {token.text: at for at, token in enumerate(second.tokens)}
    return _has_reversal(order, [place[text] for text in order], kinds)


def _in_one_order(a: Reading, b: Reading) -> bool:
    """Whether the words that both claims have stand in the same order, so that nothing can have changed places."""
    ours, theirs = a.known, b.known
    return [word for word in a.folded if word in theirs] == [word for word in b.folded if word in ours]


@lru_cache(maxsize=4_096)
def ordered(claim: Reading) -> Ordered:
    """Return a claim's order: dates and lists as one, small words left out, inflection folded."""
    tokens = _order_tokens(claim.words)
    return Ordered(tokens, _once(tokens), _agents(claim.words))


def _order_tokens(claim: tuple[Word, ...]) -> tuple[Token, ...]:
    tokens: list[Token] = []
    place = 0
    while place < len(claim):
        date = _date(claim, place)
        listed = 0 if date else _list_end(claim, place)
        if date:
            parts = sorted(word.lower for word in claim[place:date])
            tokens.append(Token(" ".join(parts), "number"))
            place = date
        elif listed:
            items = sorted(word.folded for word in claim[place:listed] if word.lower not in ("and", "or"))
            tokens.append(Token(" ".join(items), "word"))
            place = listed
        else:
            if not is_small(claim[place], claim):
                tokens.append(Token(claim[place].folded, _kind(claim[place])))
            place += 1
    return tuple(tokens)


def is_small(word: Word, claim: Sequence[Word]) -> bool:
    """Return whether a word has no place in the order: articles, copulas, pronouns, and, or, in, on, at, during."""
    if word.lower not in _LEFT_OUT:
        return False
    # "A" inside a sentence, or beside another lone capital, is a name and no article.
    return not (word.spelled == "A" and (not word.leads or sum(_is_letter(other) for other in claim) > 1))


def looks_like_name(word: Word) -> bool:
    """Return whether a word is written as a name; at the head of a sentence, whether it can hardly be anything else."""
    if not word.is_capital:
        return False
    if not word.leads:
        return True
    common = (
        word.lower in function_words(ENGLISH) or word.lower in number_words() or word.lower in spellings("quantifiers")
    )
    return not common and not word.lower.endswith(("s", "ly", "ing", "ren", "ple"))


def _is_letter(word: Word) -> bool:
    return len(word.spelled) == 1 and word.is_capital and word.spelled != "I"


def _kind(word: Word) -> str:
    if word.is_number:
        return "number"
    if any(letter.isdecimal() for letter in word.lower) or (word.is_capital and not word.leads):
        return "name"
    return "word"


def _date(claim: Sequence[Word], place: int) -> int:
    """Where a date that begins here ends, day and month in either order, a year behind them; 0 for none."""
    pair = claim[place : place + 2]
    if len(pair) < 2 or not any(word.lower in _MONTHS for word in pair) or not any(_is_day(word) for word in pair):
        return 0
    end = place + 2
    has_year = end < len(claim) and claim[end].is_number and len(claim[end].lower) == 4
    return end + 1 if has_year else end


def _is_day(word: Word) -> bool:
    return word.is_number and len(word.lower.rstrip("stndrh")) <= 2


def _list_end(claim: Sequence[Word], place: int) -> int:
    """Where a list of three or more items that begins here ends; 0 for none."""
    separators, end = 0, place + _item(claim, place)
    while end < len(claim) and end > place:
        joined = claim[end].lower in ("and", "or")
        if not (joined or claim[end].parted):
            break
        step = end + 1 if joined else end
        length = _item(claim, step)
        if not length:
            break
        separators, end = separators + 1, step + length
        if joined:
            break
    # Two commas may part clauses; two and an "and", or three, part a list.
    closed = any(word.lower in ("and", "or") for word in claim[place:end])
    return end if separators >= (2 if closed else 3) else 0


def _item(claim: Sequence[Word], place: int) -> int:
    """How many words the item of a list has that begins here: a name of up to four words, or one word."""
    if place >= len(claim) or claim[place].lower in _LEFT_OUT:
        return 0
    length = 1
    while (
        length < 4
        and place + length < len(claim)
        and claim[place].is_capital
        and claim[place + length].is_capital
        and not claim[place + length].parted
    ):
        length += 1
    return length


def _as_one(claim: Ordered, exchanged: tuple[str, str]) -> Ordered:
    tokens = tuple(Token(exchanged[0], token.kind) if token.text in exchanged else token for token in claim.tokens)
    return Ordered(tokens, _once(tokens), claim.agents)


def _once(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(text for text, times in Counter(token.text for token in tokens).items() if times == 1)


def _agents(claim: Sequence[Word]) -> int:
    """How many passive agents a claim names: "was won by Porto"."""
    irregular = words("participles")
    return sum(
        word.lower == "by" and any(_is_participle(one.lower, irregular) for one in claim[max(place - 2, 0) : place])
        for place, word in enumerate(claim)
    )


def _is_participle(word: str, irregular: frozenset[str]) -> bool:
    return (len(word) > 3 and word.endswith("ed")) or word in irregular


def _has_reversal(order: Sequence[str], places: Sequence[int], kinds: dict[str, str]) -> bool:
    size = len(places)
    inverted = [[places[a] > places[b] for b in range(size)] for a in range(size)]
    moved = [
        sum(inverted[other][at] for other in range(at)) + sum(inverted[at][other] for other in range(at + 1, size))
        for at in range(size)
    ]
    total = sum(moved) // 2
    for u, v in combinations(range(size), 2):
        others = total - moved[u] - moved[v] + 1
        if inverted[u][v] and others <= MAX_OTHER_INVERSIONS and kinds[order[u]] == kinds[order[v]]:
            around = [order[q] for q in range(u + 1, v) if inverted[u][q] and inverted[q][v]]
            if around and not any(text in folded_words("symmetric") for text in order[u + 1 : v]):
                return True
    return False
