"""How figures and states are put into words, the same on every surface."""

import re
from collections.abc import Callable, Sequence

from moot.core.absence import Absence, absences
from moot.core.budget import Spent, limit_named
from moot.core.calls import Missing
from moot.core.confidence import Confidence
from moot.core.data_files import DataFiles
from moot.core.record import Record
from moot.core.telling import Narrator
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


_ADVICE = {
    Status.RUNNING: "It is being worked on: look again later.",
    Status.PAUSED: "Answer what it waits for: moot resume {id} --join",
    Status.PARTIAL: "Read what is missing before you rely on it; more or better members may complete it.",
    Status.FORCED: "Weigh the answers below yourself: the members did not agree.",
    Status.FLAGGED: "Read why it is flagged, and decide as a person before anybody relies on it.",
    Status.EXHAUSTED: "Go on with a larger budget: moot resume {id} --budget-{limit} N",
    Status.CANCELLED: "Nothing more will come of it; ask again.",
    Status.FAILED: "See why it stopped; moot doctor says which members can be reached.",
}
_STALLED = "Nobody works on it: moot resume {id} goes on."
_STOPPED = "It was stopped: moot resume {id} goes on."


def advice_words(
    deliberation: str,
    status: Status,
    missing: Sequence[Missing] = (),
    *,
    stalled: bool = False,
    stopped: bool = False,
) -> str:
    """Return what to do about a status; nothing where there is nothing to do. `missing` tells which limit ended it."""
    limits = [limit_named(item.detail) for item in missing if item.reason == "budget"]
    words = _STOPPED if stopped else _STALLED if stalled else _ADVICE.get(status, "")
    return words.format(id=deliberation, limit=next(filter(None, limits), "calls"))


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


def setting_value_words(value: object) -> str:
    """Return the value of a setting as people read it."""
    if isinstance(value, DataFiles):
        return value.path
    if value is None or value == ():
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def agreement_words(answers: Sequence[str], asked: int, same: Callable[[str], str] | None = None) -> str:
    """Return how many of those asked give which answer so far, in a sentence; `same` is what equal answers share."""
    groups: dict[str, list[str]] = {}
    for answer in answers:
        groups.setdefault(same(answer) if same else flat(answer).casefold(), []).append(answer)
    if not groups:
        return ""
    first = max(groups.values(), key=len)
    line = one_line(first[0], 80)
    said, end = f"“{line}”", "" if line.endswith(tuple(".!?…")) else "."
    if len(answers) == 1:
        return f"1 of {asked} has answered: {said}{end}" if asked > 1 else ""
    if len(first) == 1:
        return f"{len(groups)} different answers: no two are the same in words."
    others = counted(len(groups) - 1, "other answer")
    return f"{len(first)} of {asked} say {said}" + (f", with {others} beside." if len(groups) > 1 else end)


def took_words(record: Record) -> str:
    """Return what a record says that its run took; one that has not ended knows only of the steps that have."""
    return cost_words(record.spent) + ("" if record.verdict else " in the steps that have ended")


def missing_rows(verdict: Verdict, narrator: Narrator | None = None) -> list[str]:
    """Return who is missing where and why, equal causes once; one that ended the run is not said again (ruling G9).

    Where is said in the words of the protocol's phases by a narrator, and else by the names of steps.
    """
    return [_absence_words(item, verdict.stop_reason, narrator) for item in absences(verdict.missing)]


def _absence_words(absence: Absence, stop_reason: str, narrator: Narrator | None) -> str:
    places: dict[str, list[str]] = {}
    for seat, steps in absence.steps.items():
        # A step is often named after its seat, and seats with the same lot are to stand together.
        where = map(narrator.place, steps) if narrator else [step.removesuffix(f"/{seat}") for step in steps]
        places.setdefault(_places_words(list(dict.fromkeys(where)), len(steps)), []).append(seat)
    who = "; ".join(f"{', '.join(seats)} at {where}" for where, seats in places.items())
    return f"{who} ({absence.reason if absence.cause in stop_reason else flat(absence.cause)})"


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


def _places_words(places: Sequence[str], steps: int) -> str:
    if len(places) <= FEW_STEPS:
        return ", ".join(places)
    return f"{steps} steps from {places[0]} to {places[-1]}"


def _tokens(number: int | None, noun: str, unknown: int) -> str:
    """Return tokens as far as they are known, and of how many calls they are not (ruling G10)."""
    if number is None:
        return f"unknown {noun}"
    return f"{number:,} {noun}" + (f" and {counted(unknown, 'call')} unknown" if unknown else "")
