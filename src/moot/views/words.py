"""How figures and states are put into words, the same on every surface."""

import re
from collections.abc import Mapping, Sequence

from moot.core.absence import Absence, absences
from moot.core.budget import Spent
from moot.core.calls import Missing
from moot.core.confidence import Confidence
from moot.core.record import Record
from moot.core.verdict import Status, Verdict

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

FEW_STEPS = 4
"""Steps that are listed one by one."""

MEANING = {
    Status.RUNNING: "not ended",
    Status.PAUSED: "waiting for somebody",
    Status.COMPLETE: "complete",
    Status.PARTIAL: "partial: less than a full answer, for the reason given",
    Status.FORCED: "forced: it ended without agreement",
    Status.FLAGGED: "flagged: a person should look at this",
    Status.EXHAUSTED: "exhausted: the budget ended it",
    Status.CANCELLED: "cancelled",
    Status.FAILED: "failed: there is no answer",
    Status.CLOSED: "closed",
}


def harmless(text: str) -> str:
    """Return the text without control characters, so that it cannot move a cursor or turn a line around."""
    return _CONTROL.sub("\ufffd", text)


def flat(text: str) -> str:
    """Return the whole text on one line."""
    return " ".join(harmless(text).split())


def one_line(text: str, width: int = 100) -> str:
    """Return the start of a text on one line."""
    line = flat(text)
    return line if len(line) <= width else f"{line[: width - 1]}…"


def escaped(text: str) -> str:
    """Return the text for Markdown: markup in a model's or a user's words stays words."""
    text = harmless(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{letter}" if letter in "\\`*_[]#|~" else letter for letter in text)


def confidence_words(confidence: Confidence) -> str:
    """Return a confidence with its basis, or why there is none."""
    if confidence.value is None:
        return f"none ({confidence.reason})" if confidence.reason else "none"
    reason = f": {confidence.reason}" if confidence.reason else ""
    return f"{confidence.value:.2f} {confidence.basis}{reason}"


def cost_words(spent: Spent) -> str:
    """Return what a run took, with what nobody knows said to be unknown."""
    unknown = spent.unknown
    tokens_in = _tokens(spent.tokens_in, "tokens in", unknown.tokens_in)
    tokens_out = _tokens(spent.tokens_out, "out", unknown.tokens_out)
    usd, calls = usd_words(spent.usd, unknown.usd), counted(spent.calls, "call")
    return f"{usd}, {calls}, {tokens_in}, {tokens_out}, {spent.seconds:.1f} s"


def usd_words(usd: float | None, unknown: int = 0, noun: str = "call", *, of: int | None = None) -> str:
    """Return an amount of dollars as far as it is known, or that nobody knows it: unknown of all of them."""
    if usd is None or 0 < unknown == of:
        return "cost unknown"
    known = f"${usd:.4f}" if usd else "$0"
    return f"{known} and {counted(unknown, noun)} unknown" if unknown else known


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there is not one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def took_words(record: Record) -> str:
    """Return what a record says that its run took; one that has not ended knows only of the steps that have."""
    return cost_words(record.spent) + ("" if record.verdict else " in the steps that have ended")


def missing_rows(verdict: Verdict) -> list[str]:
    """Return who is missing where and why, equal causes once; one that ended the run is not said again (ruling G9)."""
    return [absence_words(item, said=item.cause in verdict.stop_reason) for item in absences(verdict.missing)]


def missing_words(missing: Missing) -> str:
    """Return who is missing at one step, and why."""
    return absence_words(*absences((missing,)))


def absence_words(absence: Absence, *, said: bool = False) -> str:
    """Return who is missing at which steps, and why."""
    places: dict[str, list[str]] = {}
    for seat, steps in absence.steps.items():
        # A step is often named after its seat, and seats with the same lot are to stand together.
        places.setdefault(_steps_words([step.removesuffix(f"/{seat}") for step in steps]), []).append(seat)
    who = "; ".join(f"{', '.join(seats)} at {steps}" for steps, seats in places.items())
    return f"{who} ({absence.reason if said else one_line(absence.cause, 220)})"


def turnout_words(verdict: Verdict) -> str:
    """Return how many of those asked answered, where somebody did not."""
    if verdict.asked is None or verdict.asked == verdict.answered:
        return ""
    return f"{verdict.answered} of {verdict.asked} {verdict.counted}"


def coda_rows(verdict: Verdict) -> list[tuple[str, str]]:
    """Return the parts of an answer beneath it, by name: what all hold, what some add, what is disputed (S15)."""
    lines = [line.partition(": ") for line in str(verdict.detail.get("coda", "")).splitlines()]
    return [(name, text) for name, _, text in lines if text]


def other_caveats(verdict: Verdict) -> list[str]:
    """Return the caveats that do not already stand among the parts of the answer."""
    said = {f"{name}: {text}" for name, text in coda_rows(verdict)}
    return [caveat for caveat in verdict.caveats if caveat not in said]


def note_words(data: object) -> str:
    """Return a note in one line: its plain values as they are, and of what it lists how many; the record has it all."""
    if not isinstance(data, Mapping):
        return one_line(str(data), 300)
    told = [(name.replace("_", " "), _value_words(value)) for name, value in data.items()]
    return one_line(", ".join(f"{name} {words}" for name, words in told if words), 300)


def _value_words(value: object) -> str:
    if not isinstance(value, Mapping | list | tuple):
        return str(value)
    plain = not isinstance(value, Mapping) and all(isinstance(item, str | int | float) for item in value)
    return "; ".join(map(str, value)) if plain else f"({len(value)})"


def _steps_words(steps: Sequence[str]) -> str:
    if len(steps) <= FEW_STEPS:
        return ", ".join(steps)
    return f"{len(steps)} steps from {steps[0]} to {steps[-1]}"


def _tokens(number: int | None, noun: str, unknown: int) -> str:
    """Return tokens as far as they are known, and of how many calls they are not (ruling G10)."""
    if number is None:
        return f"unknown {noun}"
    return f"{number:,} {noun}" + (f" and {counted(unknown, 'call')} unknown" if unknown else "")
