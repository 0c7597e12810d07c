"""How many lines hold a conclusion up and what must be wrong before it falls, in words (ruling A21)."""

from collections.abc import Mapping
from typing import Any


def support_words(resilience: Mapping[str, Any], falls: str = "the conclusion") -> str:
    """Return what `GraphStore.resilience` gives as one clause for people, such as

    "2 lines of support; the answer falls if any one of these 3 claims is wrong".
    """
    lines = resilience["lines"]
    told = f"{lines}{'' if resilience['lines_exact'] else ' or more'} line{'' if lines == 1 else 's'} of support"
    if resilience["uncuttable"]:
        return f"{told}; {falls} is itself given, and no other claim takes it away"
    if not lines:
        return f"no line of support: nothing given reaches {falls}"
    return f"{told}; {falls} falls if {_what_must_be_wrong(resilience)}"


def _what_must_be_wrong(resilience: Mapping[str, Any]) -> str:
    alone, together = resilience["any_one_of"], resilience["must_be_wrong"]
    if len(alone) == 1:
        return "this claim is wrong"
    if alone:
        return f"any one of these {len(alone)} claims is wrong"
    if resilience["exact"]:
        return f"these {len(together)} claims are wrong together, and not if fewer are"
    return f"these {len(together)} claims are wrong together; {resilience['resilience']} or more must be"
