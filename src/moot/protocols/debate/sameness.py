"""When two claims are one (interrogation 3.3): the argument guards, then similarity. Shared by all that merges here."""

from functools import lru_cache

from moot.argument.dedup import Thresholds, comparable, contradicts, similar
from moot.argument.normal_form import NormalForm, normal_form

THRESHOLDS = Thresholds()


def same_claim(earlier: NormalForm, later: NormalForm) -> bool:
    """Return whether two claims are one by the argument guards and similarity (interrogation 3.3)."""
    if not earlier.text or not later.text or contradicts(earlier, later):
        return False
    return earlier.text == later.text or (comparable(earlier, later) and similar(earlier, later, THRESHOLDS))


@lru_cache(maxsize=4_096)
def form_of(text: str) -> NormalForm:
    """Return the normal form of a claim, with names such as "rack 7" kept together (ruling A4)."""
    return normal_form(text, identifiers=True)
