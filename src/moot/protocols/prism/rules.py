"""The rules of the pipeline: gate, domain, recommendation, verdicts, seal (prism; rulings P3, P4, P6, P9, P10)."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from moot.core.canonical import canonical, digest
from moot.methods.sameness import answer_groups, strict_form

CALIBRATING = "calibrating"
"""The domain of a claim until its classification."""

CAUTIOUS_FIRST = ("needs-more-evidence", "reject", "accept-with-caveats", "accept")


def exact(confidence: float) -> Fraction:
    """Return a confidence as the decimal that was stated, so that 0.7 is 7/10 and nothing near it."""
    return Fraction(str(confidence))


def average(confidences: Sequence[float]) -> Fraction:
    """Return the exact mean of the consensus confidences."""
    return sum((exact(value) for value in confidences), Fraction(0)) / len(confidences)


def passes(confidences: Sequence[float], threshold: float) -> bool:
    """Whether the mean of the consensus slots reaches the threshold, compared without float error (ruling P3)."""
    return average(confidences) >= exact(threshold)


def compared(mean: Fraction, threshold: float) -> str:
    """Return the two as percentages, such as "62 % < 70 %", with as many places as tell them apart."""
    limit = exact(threshold)
    sign = "≥" if mean >= limit else "<"
    for places in range(7):
        shown = [f"{float(value * 100):.{places}f}" for value in (mean, limit)]
        if mean == limit or shown[0] != shown[1]:
            break
    return f"{shown[0]} % {sign} {shown[1]} %"


def normal_domain(text: str) -> str:
    """Return the slug of a domain by the paper's five steps, in its order (prism, layer 2)."""
    lowered = text.lower()
    decomposed = unicodedata.normalize("NFD", lowered)
    without_accents = "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")
    plain = "".join(letter for letter in without_accents if letter.isalnum() or letter.isspace() or letter == "-")
    dashed = re.sub(r"\s", "-", plain)
    return re.sub(r"-{2,}", "-", dashed)


@dataclass(frozen=True, slots=True)
class DomainVote:
    """One slot's vote for a domain; `filled` is its place in the order of submission."""

    domain: str
    confidence: float
    filled: int


def domain_vote(votes: Iterable[DomainVote]) -> str | None:
    """Return the domain with most votes, then the higher summed confidence, then submitted first (ruling P4)."""
    by_slug: dict[str, list[DomainVote]] = {}
    for vote in votes:
        slug = normal_domain(vote.domain)
        if slug.strip("-"):
            by_slug.setdefault(slug, []).append(vote)
    if not by_slug:
        return None
    return min(by_slug, key=lambda slug: _rank(by_slug[slug]))


def _rank(votes: Sequence[DomainVote]) -> tuple[int, Fraction, int]:
    summed = sum((exact(vote.confidence) for vote in votes), Fraction(0))
    return -len(votes), -summed, min(vote.filled for vote in votes)


def recommendation(votes: Sequence[str]) -> str:
    """Return what most recommend; a tie, an empty vote included, goes to the more cautious (ruling P6)."""
    return max(CAUTIOUS_FIRST, key=lambda option: (votes.count(option), -CAUTIOUS_FIRST.index(option)))


def vote_words(votes: Iterable[str]) -> str:
    """Return how many recommend what, most first, such as "2 accept, 1 reject"."""
    return ", ".join(f"{number} {option}" for option, number in Counter(votes).most_common())


def flag_by_verdicts(verdicts: Sequence[str]) -> str:
    """Return why the verdicts raise a flag, at least half of them being `flag` (ruling P10); "" where they do not."""
    against = verdicts.count("flag")
    return f"{against} of {len(verdicts)} verdicts say flag" if verdicts and 2 * against >= len(verdicts) else ""


def most_given(answers: Sequence[tuple[str, float]]) -> str:
    """Return the short answer that most give, then with the higher summed confidence, then first; "" for none."""
    given = [item for item in answers if strict_form(item[0])]
    groups = answer_groups([answer for answer, _ in given]).groups
    ranked = sorted(groups, key=lambda group: (-len(group.places), -sum(exact(given[at][1]) for at in group.places)))
    return ranked[0].answer.strip() if ranked else ""


def consensus_answer(consensus: Mapping[str, Any]) -> str:
    """Return the answer that a consensus record gives: the short one, else the recommendation with its summary."""
    return consensus["answer"] or f"{consensus['recommendation']}: {consensus['summary']}"


def slot_digest(
    step: str, *, role: str, labels: Mapping[str, str], context: Mapping[str, Any], agent: str, reply: Any
) -> str:
    """Return the SHA-256 of a slot as it was filled: what was shown, who filled it, with what."""
    return digest({"step": step, "role": role, "labels": labels, "context": context, "agent": agent, "reply": reply})


def seal(slots: Sequence[tuple[str, str]]) -> str:
    """Return the SHA-256 over the slots of a claim in order, each by its step and digest (ruling P9)."""
    return hashlib.sha256(canonical([list(slot) for slot in slots]).encode()).hexdigest()
