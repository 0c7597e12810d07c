"""How seats and counts are written in a sentence."""

from collections.abc import Sequence


def listing(words: Sequence[str]) -> str:
    """Return words as a sentence has them: m1; m1 and m2; m1, m2 and m3."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def count_text(count: int, noun: str) -> str:
    """Return a count with its noun: 1 ranking, 3 rankings."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
