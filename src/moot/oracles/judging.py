"""One text put to the oracles, and the one answer that a person gets: a verdict, its reading, and how (ruling S12)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from moot.oracles.claims import MOST_CHARACTERS, claim_checks, is_understood
from moot.oracles.finding import Finding, Oracle, shortened
from moot.oracles.table import NO_MORE, consult

Decision = Literal["true", "false", "true as rounded", "not decided"]

LONGEST_CLAIM = 400
"""Characters of a claim that a judgement repeats."""

_WORST_FIRST: tuple[Decision, ...] = ("false", "not decided", "true as rounded", "true")
_EDGE = re.compile(r"(?s)(?P<first>[^,:;]{1,200})[,:;]\s+(?P<rest>.{1,400})")
_LAST = re.compile(r"(?s)(?P<rest>.{1,400})[,:;]\s+(?P<last>[^,:;]{1,200})")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the oracles say of a text: `how` it was computed, or why it is not decided."""

    claim: str
    verdict: Decision
    reading: str
    how: str

    def as_json(self) -> dict[str, str]:
        """Return the four fields."""
        return {"claim": self.claim, "verdict": self.verdict, "reading": self.reading, "how": self.how}


def judged(text: str, more: Mapping[str, Oracle] = NO_MORE) -> Judgement:
    """Return what the oracles say of a claim in plain words, or of a typed check as a JSON object (S12).

    `more` are oracles beside Moot's own.

    Of several claims in one text one that is false makes it false, then one that is not decided makes it not decided.
    """
    claim = shortened(text.strip(), LONGEST_CLAIM)
    typed = _typed(text)
    checks = [typed] if typed is not None else claim_checks(text, more)
    findings = [consult(check, more) for check in checks]
    if not findings:
        return Judgement(claim, "not decided", "", _why_unread(text))
    decisions = [_decision(finding) for finding in findings]
    verdict = next(decision for decision in _WORST_FIRST if decision in decisions)
    return Judgement(
        claim, verdict, _joined([finding.reading for finding in findings]), _joined(list(map(_how, findings)))
    )


def _typed(text: str) -> Mapping[str, Any] | None:
    """The typed check that a text writes as JSON."""
    if not text.lstrip().startswith("{") or len(text) > MOST_CHARACTERS:
        return None
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return sent if isinstance(sent, dict) and "kind" in sent else None


def _decision(finding: Finding) -> Decision:
    return "not decided" if finding.verdict == "not computable" else finding.verdict


def _how(finding: Finding) -> str:
    if finding.limit:
        return finding.limit
    return f"{finding.oracle}: {finding.value} ({finding.explanation})"


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(part for part in parts if part))


def _why_unread(text: str) -> str:
    if not text.strip():
        return "there is no claim"
    if len(text) > MOST_CHARACTERS:
        return f"a text of at most {MOST_CHARACTERS:,} characters is read"
    if text.rstrip().endswith("?"):
        return "a question claims nothing"
    phrase = _beside(text)
    if phrase:
        return f"“{phrase}” may change what the rest means, so the rest is not judged alone"
    return "no oracle reads this as a whole sentence; a bare equation or a typed check is always read"


def _beside(text: str) -> str:
    """The phrase before or after a claim that would be read without it."""
    for pattern, phrase in ((_EDGE, "first"), (_LAST, "last")):
        found = pattern.fullmatch(text.strip().removesuffix("."))
        if found and is_understood(found["rest"]):
            return " ".join(found[phrase].split())
    return ""
