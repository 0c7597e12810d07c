"""Counting: letters, vowels and words of a short text (rulings S7, S12).

Letters are told apart whatever their case; a letter with an accent is a letter of its own, so that a word with both é
and e is not decided for e. Words stand between spaces; what may be one word or two (`well-known`) is not counted.
"""

import re
import unicodedata
from typing import Literal

from typing_extensions import override

from moot.oracles.finding import Computed, Deniable, Line, Oracle, Passage, Uncomputable, bounded, shortened
from moot.oracles.reading.numerals import with_digits

MOST_CHARACTERS = 10_000

Relation = Literal["letter", "letters", "vowels", "words", "word"]

_WHOLE = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6}")
_VOWELS = frozenset("aeiou")
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC")
_AROUND = '.,;:!?()[]"“”«»…'
_INSIDE = "'\u2019"


class Counting(Deniable):
    """A claim that something occurs `claimed` times in `text`.

    letter: the letter `part`, whatever its case. letters: letters of any kind. vowels: a, e, i, o, u. words: words
    between spaces. word: the word `part`, whole and whatever its case.
    """

    kind: Literal["counting"] = "counting"
    relation: Relation
    text: Passage
    part: Line = ""
    claimed: Line

    @property
    @override
    def reading(self) -> str:
        """What is counted, and how capitals are taken."""
        text, part = shortened(self.text, 80), shortened(self.part, 40)
        counted = {
            "letter": f'the letter {part} in "{text}", upper and lower case alike',
            "letters": f'all letters of "{text}"',
            "vowels": f'the vowels a, e, i, o, u in "{text}"',
            "words": f'the words of "{text}"',
            "word": f'the whole word {part} in "{text}", upper and lower case alike',
        }[self.relation]
        return f"{counted}: {'not ' if self.negated else ''}{shortened(self.claimed, 20)}"


def decide(check: Counting) -> Computed:
    """Return whether there are as many as claimed."""
    text = unicodedata.normalize("NFC", bounded(check.text, MOST_CHARACTERS, "texts")).lower()
    part = unicodedata.normalize("NFC", bounded(check.part, MOST_CHARACTERS, "texts").strip()).lower()
    claimed = _claimed(check.claimed)
    count = {
        "letter": lambda: _letter(text, part),
        "letters": lambda: sum(map(str.isalpha, _composed(text))),
        "vowels": lambda: _vowels(_composed(text)),
        "words": lambda: len(_words(text)),
        "word": lambda: _words(text).count(_one_word(part)),
    }[check.relation]()
    return Computed(count == claimed, str(count), f"counted in a text of {len(check.text):,} characters")


def _claimed(text: str) -> int:
    said = with_digits(text.strip()[:40].lower())
    if said is None or not _WHOLE.fullmatch(said):
        raise Uncomputable("a claimed whole number of at most six digits")
    return int(said.replace(",", ""))


def _composed(text: str) -> str:
    if any(unicodedata.category(character).startswith("M") for character in text):
        raise Uncomputable("letters of one character each, without marks of their own")
    return text


def _letter(text: str, letter: str) -> int:
    if len(letter) != 1 or not letter.isalpha():
        raise Uncomputable("one letter to count")
    accented = {character for character in _composed(text) if character != letter and _plain(character) == letter}
    if accented:
        raise Uncomputable(f"{letter} alone, where {min(accented)} might be counted with it")
    return text.count(letter)


def _plain(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0]


def _vowels(text: str) -> int:
    letters = [character for character in text if character.isalpha()]
    if not all(character.isascii() for character in letters) or "y" in letters:
        raise Uncomputable("vowels of English words without y, which may be one")
    return sum(character in _VOWELS for character in letters)


def _words(text: str) -> list[str]:
    words = [word.strip(_AROUND).strip(_INSIDE) for word in text.split()]
    if not all(map(_is_word, words)):
        raise Uncomputable("words of letters between spaces, not what may be one word, several or none")
    return words


def _is_word(word: str) -> bool:
    letters = "".join(character for character in word if character not in _INSIDE)
    return bool(letters) and all(_is_alphabetic(character) for character in letters)


def _is_alphabetic(character: str) -> bool:
    return character.isalpha() and unicodedata.name(character, "").startswith(_ALPHABETS)


def _one_word(part: str) -> str:
    if not _is_word(part):
        raise Uncomputable("one word to count")
    return part


_COUNT = r"([0-9][0-9,]*|[a-z]+(?:-[a-z]+)?)"
_QUOTED = r"(?:'([^'\n]+)'|\"([^\"\n]+)\"|`([^`\n]+)`|“([^”\n]+)”|\u2018([^\u2019\n]+)\u2019)"
# A word processor, a word count and a word search have other letters and words than their own.
_COMPOUNDS = "bank|cloud|count|game|jumble|limit|list|order|problem|processor|puzzle|scramble|search|wall"
_NAMED = rf"(?:the word (?!(?:{_COMPOUNDS})\b)([^\W\d_]+(?:-[^\W\d_]+)?))"
_BARE = r"([^\W\d_]{2,})"
_THE_TEXT = rf"(?:(?:the (?:word|name|term|phrase|sentence|string|text) )?{_QUOTED}|{_NAMED}|{_BARE})"
_LETTER = r"((?:letters? )?['\"`\u2018“]?[^\W\d_]['\"`\u2019”]?s?)"
_QUOTED_LETTER = re.compile(
    r"(?:letters? )(.)(?:['\u2019]s)?|(?:letters? )?['\"`\u2018“](.)['\"`\u2019”](?:['\u2019]?s)?", re.IGNORECASE
)
_SEVERAL = re.compile(r"(.)['\u2019]s|([A-Z])s")
_TIMES = r"(once|twice|[0-9]+ times|[a-z]+(?:-[a-z]+)? times)"
_ADVERBS = {"once": "1", "twice": "2"}
_HAS = re.compile(rf"{_THE_TEXT} (?:has|contains) (?:exactly )?{_COUNT} (?:occurrences of )?{_LETTER}", re.IGNORECASE)
_THERE = re.compile(
    rf"there (?:are|is) (?:exactly )?{_COUNT} (?:occurrences of )?{_LETTER} in {_THE_TEXT}", re.IGNORECASE
)
_APPEARS = re.compile(
    rf"the letter ['\"`\u2018“]?([^\W\d_])['\"`\u2019”]? (?:appears|occurs) (?:exactly )?{_TIMES} in {_THE_TEXT}",
    re.IGNORECASE,
)
_CONTAINS = re.compile(
    rf"{_THE_TEXT} (?:has|contains) the letter ['\"`\u2018“]?([^\W\d_])['\"`\u2019”]? (?:exactly )?{_TIMES}",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    rf"{_THE_TEXT} (?:has|contains|consists of) (?:exactly )?{_COUNT} (letter|vowel|word)s?", re.IGNORECASE
)
_THERE_TOTAL = re.compile(
    rf"there (?:are|is) (?:exactly )?{_COUNT} (letter|vowel|word)s? in {_THE_TEXT}", re.IGNORECASE
)
_WORD_APPEARS = re.compile(
    rf"the word {_QUOTED} (?:appears|occurs) (?:exactly )?{_TIMES} in (?:the (?:phrase|sentence|text) )?{_QUOTED}",
    re.IGNORECASE,
)
_TOTALS: dict[str, Relation] = {"letter": "letters", "vowel": "vowels", "word": "words"}
_TEXTS = 7
"""Groups of `_THE_TEXT`: five kinds of quotes, a word that is named as one, a bare word."""


def read(sentence: str) -> Counting | None:
    """Return the count that a sentence claims as a whole, or nothing."""
    if found := _HAS.fullmatch(sentence):
        return _of_a_letter(found.groups()[:_TEXTS], found[_TEXTS + 1], found[_TEXTS + 2])
    if found := _THERE.fullmatch(sentence):
        return _of_a_letter(found.groups()[2:], found[1], found[2])
    if found := _APPEARS.fullmatch(sentence):
        return _counting("letter", _text(found.groups()[2:]), _times(found[2]), found[1])
    if found := _CONTAINS.fullmatch(sentence):
        return _counting("letter", _text(found.groups()[:_TEXTS]), _times(found[_TEXTS + 2]), found[_TEXTS + 1])
    if found := _TOTAL.fullmatch(sentence):
        return _of_all(found.groups()[:_TEXTS], found[_TEXTS + 1], found[_TEXTS + 2].lower())
    if found := _THERE_TOTAL.fullmatch(sentence):
        return _of_all(found.groups()[2:], found[1], found[2].lower())
    if found := _WORD_APPEARS.fullmatch(sentence):
        return _counting("word", _text(found.groups()[6:]), _times(found[6]), _text(found.groups()[:5]))
    return None


def _text(alternatives: tuple[str | None, ...]) -> str:
    return next(filter(None, alternatives), "")


def _of_a_letter(texts: tuple[str | None, ...], count: str, said: str) -> Counting | None:
    """Grades and teams have capitals and no quotes: of a bare word a small letter with its apostrophe is read alone."""
    quoted, several = _QUOTED_LETTER.fullmatch(said), _SEVERAL.fullmatch(said)
    single = len(said) == 1 and count.lower() in ("1", "one")
    letter = _text(quoted.groups()) if quoted else _text(several.groups()) if several else said if single else ""
    bare = bool(texts[-1])
    if not letter or (bare and not quoted and (single or letter != letter.lower())):
        return None
    return _counting("letter", _text(texts), count, letter)


def _of_all(texts: tuple[str | None, ...], count: str, counted: str) -> Counting | None:
    """A bare word may be what has the letters: an alphabet, a person, a language."""
    text = _text(texts)
    if texts[-1]:
        return None
    return _counting(_TOTALS[counted], text, count)


def _times(said: str) -> str:
    return _ADVERBS.get(said.lower(), said.split()[0])


def _counting(relation: Relation, text: str, count: str, part: str = "") -> Counting | None:
    said = "0" if count.lower() == "no" else with_digits(count.lower())
    if said is None or not _WHOLE.fullmatch(said):
        return None
    return Counting(relation=relation, text=text, part=part, claimed=said)


ORACLE = Oracle(
    kind="counting",
    takes=Counting,
    help="letters, vowels and words of a text, how often a letter or a word occurs",
    limit=f"texts of {MOST_CHARACTERS:,} characters; words of letters between spaces",
    decide=decide,
    read=read,
)
