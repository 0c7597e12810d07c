"""The known name that somebody probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `did you mean …? ` where a known name is near, and nothing otherwise."""
    near = nearest(name, known)
    return f"did you mean {near}? " if near else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that is near to a name; empty where none is."""
    return next(iter(get_close_matches(name.lower(), list(known), n=1)), "")
