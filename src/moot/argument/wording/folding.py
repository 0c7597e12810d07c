"""One spelling for the plain inflections of an English word (ruling A2)."""

import re
from functools import lru_cache

_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=65_536)
def fold_inflection(word: str) -> str:
    """Return one spelling for the plain inflections of an English word: run, runs, running (A2)."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    if word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and not word.endswith("eed") and len(stem) > 1 and _VOWEL.search(stem):
            word = stem
            break
    if word[-1] == "e" and len(word) > 2:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and len(word) > 2 else word
