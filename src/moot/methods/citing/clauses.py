"""The parts of a claim that say one thing each, so that each can stand in a sentence of its own (ruling I12).

"Ada and Bo are Danish" says two things, and so does "Ada is Danish, and she paints". A part that does not begin with a
name speaks of what the claim began with: that is put before it, so that nobody else's sentence covers it.
"""

import re
from collections.abc import Iterator

from moot.methods.sameness import content_words, names_in

MOST_PARTS = 4

FEWEST_WORDS = 2
"""Words of its own that a part has; fewer belong to the part before."""

_JOINT = re.compile(
    r"(;|,?\s(?:and|but|while|whereas|because|since|although|though|which|who|where|so|as well as)(?=\s)"
    r"|,(?=\s(?:making|meaning|including|being|known|located|born|not)\s))\s+",
    re.IGNORECASE,
)
_OF_THE_LAST = re.compile(r",?\s(?:which|who|where)|,", re.IGNORECASE)
"""What speaks of the name right before it: "the job goes to x9, which runs Linux"."""

_NAME = r"(?:[A-Z][\w'\u2019.&-]*|[A-Za-z]*\d\w*)"
_NAMES = rf"(?:[Tt]he\s)?{_NAME}(?:\s(?:(?:of|the|de|von|van)\s)?{_NAME}){{0,6}}"
_BOTH = re.compile(rf"(?:Both\s)?(?P<one>{_NAMES}),?\sand\s(?P<other>{_NAMES})\s(?P<rest>[a-z].+)", re.DOTALL)
_OWN_SUBJECT = re.compile(r"(?:the|a|an)?\s?(?:[A-Z]|[^\W\d]*+\d[^\WA-Za-z]*+[A-Za-z]|[A-Za-z][^\W\d]*+\d)")
_PRONOUN = re.compile(r"\b(?:it|its|he|his|him|she|her|hers|they|their|them|which|who|whose|this)\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:both|each|all)\s", re.IGNORECASE)


def parts_of(claim: str) -> tuple[str, ...]:
    """Return the parts of a claim, each with its subject; one where it says one thing."""
    if joined := _BOTH.fullmatch(claim):
        rest = _TOGETHER.sub("", joined["rest"])
        return f"{joined['one']} {rest}", f"{joined['other']} {rest}"
    (first, _), *others = _clauses(claim)
    subject, *_ = before = list(_runs_of_names(first)) or [""]
    parts = [first]
    for part, joint in others:
        subject = before[-1] if _OF_THE_LAST.fullmatch(joint) else subject
        parts.append(_with(subject, part))
        before = list(_runs_of_names(part)) or [subject]
    return tuple(parts)


def _clauses(claim: str) -> list[tuple[str, str]]:
    """The clauses of a claim, each with what joins it to those before."""
    first, *rest = _JOINT.split(claim)
    clauses: list[tuple[str, str]] = [(first.strip(" ,;"), "")]
    for joint, part in zip(rest[::2], rest[1::2], strict=True):
        before, how = clauses[-1]
        if len(content_words(part)) < FEWEST_WORDS or len(clauses) >= MOST_PARTS:
            clauses[-1] = (f"{before} and {part}", how)
        elif len(clauses) == 1 and len(content_words(before)) < FEWEST_WORDS:
            clauses = [(f"{before} and {part.strip(' ,;')}", "")]
        else:
            clauses.append((part.strip(" ,;"), joint))
    return clauses


def _runs_of_names(clause: str) -> Iterator[str]:
    """The names of a clause, those side by side as one."""
    named = set(names_in(clause))
    words = re.findall(r"[^\W_][\w'\u2019-]*", clause)
    run: list[str] = []
    for place, word in enumerate(words):
        is_first = not place and word[0].isupper() and content_words(word) and not _PRONOUN.fullmatch(word)
        if word in named or is_first:
            run.append(word)
        elif run:
            yield " ".join(run)
            run = []
    if run:
        yield " ".join(run)


def _with(subject: str, part: str) -> str:
    if _OWN_SUBJECT.match(part) and not _PRONOUN.search(part):
        return part
    return f"{subject} {_PRONOUN.sub('', part, count=1)}".strip()
