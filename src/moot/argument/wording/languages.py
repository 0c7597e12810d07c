"""Which language a claim is in, as far as its letters and small words tell (ruling A20)."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache

from moot.argument.wording.lists import lines

ENGLISH = "english"
OTHER_SCRIPT = "another script"
LANGUAGES = (
    "german", "french", "spanish", "italian", "portuguese", "dutch", "norwegian", "danish", "swedish", "finnish",
    "polish", "czech", "hungarian", "romanian", "turkish", "indonesian", "catalan", "vietnamese", "swahili",
)  # fmt: skip


def language_of(words: Sequence[str]) -> str:
    """Return the language of a claim by its lower-case words; without evidence it counts as English (A20)."""
    if any(_is_foreign(word) for word in words if not word.isascii()):
        return OTHER_SCRIPT
    spoken_in = _languages_by_word()
    counts = Counter(language for word in words if word in spoken_in for language in spoken_in[word])
    # The first of equals counts, and English stands first.
    return max((ENGLISH, *LANGUAGES), key=counts.__getitem__)


def has_negations(language: str) -> bool:
    """Return whether the words that deny in this language are shipped."""
    return language == ENGLISH or (language != OTHER_SCRIPT and bool(negations(language)))


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the small words of a language, those that deny included."""
    return frozenset(word for line in lines(f"languages/{language}") for word in line.removeprefix("not:").split())


@cache
def negations(language: str) -> frozenset[str]:
    """Return the words that deny in a language other than English; none where they are not shipped."""
    denying = (line for line in lines(f"languages/{language}") if line.startswith("not:"))
    return frozenset(word for line in denying for word in line.removeprefix("not:").split())


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """In which languages a word is a small one; a single letter is no evidence of any."""
    found: dict[str, tuple[str, ...]] = {}
    for language in (ENGLISH, *LANGUAGES):
        for word in function_words(language):
            if len(word) > 1:
                found[word] = (*found.get(word, ()), language)
    return found


def _is_foreign(word: str) -> bool:
    """Whether a word has letters of another script; a lone Greek letter is a symbol."""
    foreign = [letter for letter in word if letter.isalpha() and not _is_latin(letter)]
    return bool(foreign) and not (len(word) == 1 and _script(foreign[0]) == "GREEK") and foreign != ["µ"]


def _is_latin(letter: str) -> bool:
    return letter.isascii() or _script(letter) == "LATIN"


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]
