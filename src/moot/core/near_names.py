"""The known name that somebody probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `did you mean …? ` where a known name is near, and nothing otherwise."""
    near = get_close_matches(name.lower(), list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
