"""What a deliberation may spend, and what it has spent."""

from dataclasses import asdict, dataclass, replace

from moot.core.canonical import rounded


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits. None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


def amounts(used: "Spent") -> dict[str, float]:
    """Return what was spent, by the names of the limits of a budget."""
    tokens = (used.tokens_in or 0) + (used.tokens_out or 0)
    return {"calls": used.calls, "tokens": tokens, "usd": used.usd or 0.0, "seconds": used.seconds}


def limit_named(words: str) -> str:
    """Return the limit of a budget that words such as `900 tokens` speak of; empty where they speak of none."""
    noun = words.rpartition(" ")[2]
    return {"calls": "calls", "tokens": "tokens", "dollars": "usd", "seconds": "seconds"}.get(noun, "")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of how many calls nobody knows what they took."""

    tokens_in: int = 0
    tokens_out: int = 0
    usd: int = 0

    def __add__(self, other: "Unknown") -> "Unknown":
        return Unknown(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.usd + other.usd)


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent: what is known of it, and of how many calls it is not (ruling G10). None: nothing is known."""

    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: float | None = 0.0
    seconds: float = 0.0
    unknown: Unknown = Unknown()

    @property
    def wholly_known(self) -> "Spent":
        """The same with None for every sum of which a part is unknown: what a ratio may be made of."""
        lacking = {name: None for name, calls in asdict(self.unknown).items() if calls}
        return replace(self, **lacking)

    def __add__(self, other: "Spent") -> "Spent":
        calls, unknown = self.calls + other.calls, self.unknown + other.unknown
        return Spent(
            calls=calls,
            tokens_in=None if 0 < calls == unknown.tokens_in else (self.tokens_in or 0) + (other.tokens_in or 0),
            tokens_out=None if 0 < calls == unknown.tokens_out else (self.tokens_out or 0) + (other.tokens_out or 0),
            usd=None if 0 < calls == unknown.usd else rounded((self.usd or 0.0) + (other.usd or 0.0)),
            seconds=self.seconds + other.seconds,
            unknown=unknown,
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
