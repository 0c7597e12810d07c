"""One answer inside another, as far as ruling G12 lets that count: "x9", "server x9", "Server x9 (rack 7)".

The shorter one stands in the longer one as whole words and has a name, a number or an identifier. The further words
stand in brackets, in the question, or beside the shorter answer in one sentence of a document, and none of them denies
or is on a list of the guards. An answer that repeats the question ("x9 can take a nightly job") says no more by it:
what stands there in the same order, three or more words before or behind the rest and without a denial, is passed over,
and so is a clause at its end that says why or which ("x9, which runs Linux").
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from moot.argument.guards import guarded_words
from moot.argument.wording.normal_form import denials, normal_form

LONGEST_ANSWER = 400
"""Characters of an answer that containment looks at: a longer one is an essay, and has room for everything."""

SHORTEST_ECHO = 3
"""Words that repeat the question in its order; fewer stand there by chance."""

_TOKEN = re.compile(r"[^\s\"“”«»,;:?]+")
_EDGES = ".!'\u2018\u2019…*`"
_ASIDE = re.compile(r"(?<=\s)(?:\([^()]*\)|\[[^\[\]]*\])")
_LISTING = re.compile(r"[,;&/]|\b(?:and|or|nor|but|versus|vs)\b", re.IGNORECASE)
_CLAUSE = re.compile(r",\s+(?:which|who|whose|because|since|where)\b.*$", re.IGNORECASE | re.DOTALL)
_POSSESSIVE = re.compile(r"['\u2019]s$")
_SENTENCE_END = re.compile(r"[.!?:]$")
# They carry an answer and are no part of it: "It is x9."
_CARRIERS = frozenset(["a", "an", "the", "it", "is", "was", "are", "were", "that", "this", "be", "its"])
# They tie an answer to where it is: "x9 in rack 7" of a sentence that has both.
_PLACING = frozenset(["in", "of", "at", "on", "from"])


@dataclass(frozen=True, slots=True)
class Setting:
    """What an answer was given to: the question, and the sentences of its documents."""

    question: str = ""
    sentences: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The question and every sentence."""
        return (self.question, *self.sentences)


def is_contained(first: str, second: str, setting: Setting) -> bool:
    """Return whether one answer is the other with words that the setting accounts for (ruling G12)."""
    if max(len(first), len(second)) > LONGEST_ANSWER:
        return False
    shorter, longer = sorted((first, second), key=lambda answer: (len(_core(_ASIDE.sub(" ", answer))), len(answer)))
    asides, plain = " ".join(found[1:-1] for found in _ASIDE.findall(longer)), _ASIDE.sub(" ", longer)
    inner, outer = _core(shorter), _core(plain)
    start = _place_of(inner, outer)
    if start is None or (_LISTING.search(plain) and not _LISTING.search(shorter)):
        return False
    extra = [*outer[:start], *outer[start + len(inner) :]]
    # "In 1961" has a preposition and no inches.
    if guarded_words(" ".join([*(word for word in extra if word != "in"), asides])):
        return False
    return is_telling(shorter, [longer, *setting.texts]) and _are_known(set(extra), inner, setting)


def without_echo(answer: str, question: str) -> str:
    """Return an answer without what it repeats of the question around a rest that the question does not have."""
    answer = _without_aside(answer)
    words = [word for word in tokens(answer) if word.casefold() not in _CARRIERS]
    asked, said = _core(question), [word.casefold() for word in words]
    if len(answer) > LONGEST_ANSWER or _LISTING.search(answer):
        return answer
    start = next((size for size in range(len(said), SHORTEST_ECHO - 1, -1) if _repeats(said[:size], asked)), 0)
    behind = range(start, len(said) - SHORTEST_ECHO + 1)
    end = next((place for place in behind if _repeats(said[place:], asked)), len(said))
    is_own = (start or end < len(said)) and not set(said[start:end]) <= set(asked)
    return " ".join(words[start:end]) if is_own else answer


def _without_aside(answer: str) -> str:
    """An answer without a clause at its end that says which or why; one that denies may take the answer back."""
    found = _CLAUSE.search(answer)
    return answer[: found.start()] if found and not normal_form(found[0]).tokens & denials() else answer


def is_telling(answer: str, elsewhere: Iterable[str] = ()) -> bool:
    """Return whether an answer has a name, a number or an identifier.

    A capital that begins the answer makes a name only where the word has one inside a sentence elsewhere.
    """
    words = list(tokens(answer))
    if any(_is_identifier(word) or (place and word[0].isupper()) for place, word in enumerate(words)):
        return True
    first = words[0] if words and words[0][0].isupper() else ""
    return bool(first) and any(first in _capitals_within(text) for text in elsewhere)


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text with their inner signs: C#, x9, O(n)."""
    return filter(None, (found.strip(_EDGES) for found in _TOKEN.findall(text)))


def _is_identifier(word: str) -> bool:
    return any(mark.isdigit() for mark in word) or sum(letter.isupper() for letter in word) > 1


def _capitals_within(text: str) -> set[str]:
    """The words of a text that are written with a capital where no sentence begins."""
    found: set[str] = set()
    begins = True
    for piece in text.split():
        word = next(tokens(piece), "")
        if word and word[0].isupper() and not begins:
            found.add(word)
        begins = bool(_SENTENCE_END.search(piece))
    return found


def _core(answer: str) -> list[str]:
    folded = (_POSSESSIVE.sub("", word.casefold()) for word in tokens(answer))
    return [word for word in folded if word not in _CARRIERS]


def _place_of(inner: Sequence[str], outer: Sequence[str]) -> int | None:
    width = len(inner)
    if not width:
        return None
    places = (start for start in range(len(outer) - width + 1) if outer[start : start + width] == inner)
    return next(places, None)


def _repeats(words: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether words stand in the question in this order, at least `SHORTEST_ECHO` of them, and none denies."""
    rest = iter(asked)
    in_order = all(word in rest for word in words)
    return len(words) >= SHORTEST_ECHO and in_order and not normal_form(" ".join(words)).tokens & denials()


def _are_known(extra: set[str], inner: Sequence[str], setting: Setting) -> bool:
    if extra <= _words(setting.question):
        return True
    needed = (extra | set(inner)) - _PLACING
    return any(needed <= _words(sentence) for sentence in setting.sentences)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in tokens(text)}
