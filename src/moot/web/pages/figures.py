"""Figures and moments as pages write them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from moot.core.verdict import Status

THOUSAND = 1000
MINUTE = 60

TONES = {
    Status.RUNNING: "now",
    Status.PAUSED: "now",
    Status.COMPLETE: "good",
    Status.PARTIAL: "warn",
    Status.FORCED: "warn",
    Status.EXHAUSTED: "warn",
    Status.FLAGGED: "bad",
    Status.FAILED: "bad",
    Status.CANCELLED: "soft",
    Status.CLOSED: "soft",
}
SEAT_HUES = 12


def status_word(status: str, *, stalled: bool) -> str:
    """Return the word for where a deliberation stands: what counts as running while nobody works on it is left."""
    return "left" if stalled else str(status)


def tone(status: str, *, stalled: bool = False) -> str:
    """Return what a status says beside its word."""
    return "warn" if stalled else TONES[Status(status)]


def compact(number: float | None) -> str:
    """Return a number that takes little room: `10.8k`; what is unknown is said to be."""
    if number is None:
        return "unknown"
    for size, letter in ((THOUSAND**3, "G"), (THOUSAND**2, "M"), (THOUSAND, "k")):
        if abs(number) >= size:
            return f"{number / size:.1f}{letter}"
    return f"{number:g}"


def added(numbers: Iterable[float | None]) -> float | None:
    """Return the sum of what is known; unknown where nothing is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def duration(seconds: float | None) -> str:
    """Return how long something took: `2.1 s`, `3 min 5 s`."""
    if seconds is None:
        return "unknown"
    if seconds < MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def countdown(seconds: float) -> str:
    """Return what is left of a time: `4:31`, `1:02:05`."""
    minutes, rest = divmod(max(0, int(seconds)), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def dollars(usd: float | None, unknown: int = 0) -> str:
    """Return an amount of dollars as far as it is known."""
    if usd is None or (unknown and not usd):
        return "unknown"
    known = "$0" if not usd else f"${usd:.4f}"
    return f"{known}+" if unknown else known


def moment(seconds: float) -> str:
    """Return a moment as a machine reads it, for the `datetime` of a time."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def aliased(seat: str, aliases: Mapping[str, str]) -> str:
    """Return the name that is shown in the place of a seat."""
    return aliases.get(seat, seat)


def seat_number(seat: str) -> str:
    """Return what stands in the badge of a seat: its number, or the first letter of a name."""
    digits = "".join(letter for letter in seat if letter.isdigit())
    return digits[-3:] or seat[:1].upper() or "?"


def seat_hue(seat: str) -> int:
    """Return which of the hues a seat has, the same everywhere."""
    digits = "".join(letter for letter in seat if letter.isdigit())
    number = int(digits[-6:]) if digits else sum(map(ord, seat))
    return (number - 1) % SEAT_HUES + 1
