"""The rules of the pipeline once more, slowly and to the letter, for comparison."""

import unicodedata
from collections.abc import Sequence
from decimal import Decimal


def gate(confidences: Sequence[float], threshold: float) -> bool:
    total = Decimal(0)
    for confidence in confidences:
        total += Decimal(repr(confidence))
    return total >= Decimal(repr(threshold)) * len(confidences)


def domain(text: str) -> str:
    slug = ""
    for letter in unicodedata.normalize("NFD", text.lower()):
        if unicodedata.category(letter) == "Mn":
            continue
        if letter.isspace():
            letter = "-"
        if letter != "-" and not letter.isalnum():
            continue
        if letter == "-" and slug.endswith("-"):
            continue
        slug += letter
    return slug


def vote(votes: Sequence[tuple[str, float, int]]) -> str | None:
    best, best_key = None, None
    for slug in sorted({domain(text) for text, _, _ in votes}):
        if not slug.replace("-", ""):
            continue
        mine = [item for item in votes if domain(item[0]) == slug]
        key = (len(mine), sum(Decimal(repr(sure)) for _, sure, _ in mine), -min(filled for _, _, filled in mine))
        if best_key is None or key > best_key:
            best, best_key = slug, key
    return best


def recommendation(votes: Sequence[str]) -> str:
    counts = [(votes.count(option), option) for option in ("needs-more-evidence", "reject", "accept-with-caveats")]
    counts.append((votes.count("accept"), "accept"))
    most = max(count for count, _ in counts)
    return next(option for count, option in counts if count == most)
