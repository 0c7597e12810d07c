"""With how much authority a verdict may be shown: one place behind every protocol (rulings G2, G8 and G9)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from moot.core.absence import absences
from moot.core.calls import Missing
from moot.core.verdict import Status, Verdict

CLAIMS_AN_ANSWER = (Status.COMPLETE, Status.PARTIAL, Status.FORCED, Status.FAILED)
"""What is `failed` without an answer; the other ends keep their names."""


def with_authority(
    verdict: Verdict, missing: Sequence[Missing], heard: Mapping[str, bool], quorum: Fraction
) -> Verdict:
    """Return the verdict with everybody who is missing, and with no better status than they leave it.

    `missing` is every step that was asked and not answered, `heard` whether the last ask of each seat was answered.
    """
    verdict = _counted(_with_missing(verdict, missing), heard)
    if refused := next((item for item in missing if item.reason == "budget"), None):
        return replace(verdict, status=Status.EXHAUSTED, stop_reason=f"budget: {refused.detail}")
    if not (verdict.answer or "").strip() and verdict.status in CLAIMS_AN_ANSWER:
        return replace(verdict, answer=None, status=Status.FAILED, stop_reason=_cause_first(verdict))
    if verdict.status is Status.COMPLETE and _is_below(verdict, quorum):
        return replace(verdict, status=Status.PARTIAL, stop_reason=_numbers_first(verdict))
    return verdict


def _with_missing(verdict: Verdict, missing: Sequence[Missing]) -> Verdict:
    """What a protocol says of a step stands: it may know better why it is of no use."""
    known = {item.step for item in verdict.missing}
    return replace(verdict, missing=(*verdict.missing, *(item for item in missing if item.step not in known)))


def _counted(verdict: Verdict, heard: Mapping[str, bool]) -> Verdict:
    if verdict.asked is not None and verdict.answered is not None:
        return verdict
    return replace(verdict, asked=len(heard), answered=sum(heard.values()))


def _is_below(verdict: Verdict, quorum: Fraction) -> bool:
    return (verdict.answered or 0) < quorum * (verdict.asked or 0)


def _numbers_first(verdict: Verdict) -> str:
    return f"{verdict.answered} of {verdict.asked} {verdict.counted} answered; {verdict.stop_reason}"


def _cause_first(verdict: Verdict) -> str:
    """Return why there is no answer: what kept most of those who were asked from giving one, then what came of it."""
    causes = absences(verdict.missing)
    if not causes or causes[0].cause in verdict.stop_reason:
        return verdict.stop_reason
    return f"{causes[0].cause}; {verdict.stop_reason}"
