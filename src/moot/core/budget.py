"""What a deliberation may spend, and what it has spent."""

from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a run is expected to take, before any call is made."""

    calls: int
    tokens_in: int
    tokens_out: int
    note: str = ""
