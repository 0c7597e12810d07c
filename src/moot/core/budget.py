"""What a deliberation may spend, and what it has spent."""

from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits. None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent. A sum with an unknown part is unknown (None), never guessed."""

    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: float | None = 0.0
    seconds: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            calls=self.calls + other.calls,
            tokens_in=_sum(self.tokens_in, other.tokens_in),
            tokens_out=_sum(self.tokens_out, other.tokens_out),
            usd=_sum(self.usd, other.usd),
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a run is expected to take, before any call is made."""

    calls: int
    tokens_in: int
    tokens_out: int
    longest: int = 0
    """Tokens of the longest prompt, with the room that its reply may take."""
    note: str = ""


N = TypeVar("N", int, float)


def _sum(one: N | None, other: N | None) -> N | None:
    return None if one is None or other is None else one + other
