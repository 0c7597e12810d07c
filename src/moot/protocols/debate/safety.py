"""Safety as part of the protocol (debate 2 P3, decision 2, ruling D9): three tiers.

Tier 1 looks for cheap patterns in every prompt and every answer, always. Tier 2 says when more is called for. Tier 3 is
an evaluator who reads what was said before others do, and leaves when a round is clear.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from moot.protocols.debate.modes import Mode

HARM: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "instructions for an attack",
            (
                r"\bstep[- ]by[- ]step\b[^.\n]{0,60}\b(?:exploit|hack|attack|break[- ]in|malware|bomb|weapon|poison)"
                r"|\b(?:exploit|payload|shellcode|malware) code\b[^.\n]{0,20}:"
                r"|\bhow to (?:build|make|assemble) (?:a |an )?(?:bomb|explosive|nerve agent|bioweapon|malware)"
            ),
        ),
        (
            "guidance to evade safeguards",
            (
                r"\b(?:bypass|evade|disable|circumvent)\b[^.\n]{0,40}\b(?:safety|safeguards?|security|content|detection)"
                r"[^.\n]{0,30}\b(?:by|using|with) (?:first|then|the following|these steps)"
            ),
        ),
        (
            "manipulation or harassment of a person",
            r"\b(?:blackmail|threaten|stalk|harass|groom|gaslight)\b[^.\n]{0,30}\b(?:him|her|them|the victim|your)\b",
        ),
        ("encouragement of self-harm", r"\b(?:you should|best way to|how to) (?:kill|hurt|harm) (?:yourself|oneself)"),
    )
)

TOPICS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("security", r"\b(?:security|vulnerabilit|exploit|malware|hack|phish|ransomware|password|weapon)\w*"),
        ("medical", r"\b(?:medical|medicine|diagnos|dosage|dose of|patient|symptom|treatment|surgery|drug)\w*"),
        ("legal", r"\b(?:legal|lawsuit|liabilit|statute|court|contract law|criminal)\w*"),
    )
)

VULNERABLE = re.compile(
    r"\b(?:child(?:ren)?|minors?|teenagers?|patients?|elderly|refugees?|addicts?|suicidal|disabled|pregnan\w+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Withheld:
    """A contribution that nobody else gets to see, by whom it was stopped, and why."""

    agent: str
    tier: int
    reason: str
    by: tuple[str, ...] = ()
    """The seats that blocked it; nobody where a pattern did."""


@dataclass(frozen=True, slots=True)
class SafetyWatch:
    """What the three tiers have come to so far (decision 2, ruling D9)."""

    why: tuple[str, ...] = ()
    """Why the evaluator is at work; nothing where it is not."""
    clear: tuple[bool, ...] = ()
    """What it found in this round, review by review."""
    unreviewed: tuple[int, ...] = ()
    """Rounds in which the evaluator was called for and did not answer."""
    reviewers: tuple[str, ...] = ()
    """The seats that have judged what others said."""
    unconfirmed: int = 0
    """Blocks of one who debates too that no second seat confirmed: they did not stand (ruling D16)."""

    def called_by(self, texts: Iterable[str]) -> "SafetyWatch":
        """Return the watch after tier 1 has looked at some texts: a harm in them calls the evaluator back."""
        return replace(self, why=tuple(dict.fromkeys((*self.why, *intent_triggers(texts)))))

    def after_round(self, number: int) -> "SafetyWatch":
        """Return the watch as the next round finds it: the evaluator leaves when every review of a round was clear."""
        leaves = bool(self.clear) and all(self.clear) and number not in self.unreviewed
        return replace(self, clear=(), why=() if leaves else self.why)


def harm_in(text: str) -> str | None:
    """Return which harm a text shows by tier 1's patterns, or None (decision 2, tier 1)."""
    return next((name for name, pattern in HARM if pattern.search(text)), None)


def standing_triggers(mode: Mode, topic: str, audience: str) -> tuple[str, ...]:
    """Return why an evaluator is called for before anybody has spoken (decision 2, tier 2)."""
    found = [f"mode: {mode.name}"] if mode.guarded else []
    found += [f"topic: {name}" for name, pattern in TOPICS if pattern.search(topic)]
    if harm := harm_in(topic):
        found.append(f"intent: {harm}")
    if VULNERABLE.search(f"{audience} {topic}"):
        found.append("audience: people who may be vulnerable")
    return tuple(found)


def intent_triggers(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the harms that answers show: they call the evaluator back (decision 2, tier 2)."""
    return tuple(dict.fromkeys(f"intent: {harm}" for text in texts if (harm := harm_in(text))))
