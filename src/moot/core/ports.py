"""The ports: what `gateway` and `store` must offer, and `runtime` is handed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from moot.core.budget import Budget, Expectation, Spent
from moot.core.calls import Attempt, Completion, Failure, Outcome, Request
from moot.core.deliberation import Invitation

BeforeRetry = Callable[[int], Awaitable[bool]]
"""Told the number of the try that is about to be sent; False forbids it."""

OnTokens = Callable[[int], None]
"""Told how many tokens have come so far, and 0 once the call's turn has come."""

StepState = Literal["open", "taken", "done", "gone"]
"""`gone`: nobody filled it and the run has gone on without it."""

ProgressKind = Literal["begun", "asking", "speaking", "tokens", "retrying", "spent", "answered", "missing", "noted"]
"""`asking`: it is being sent, and may have to wait for its turn; `speaking`: its turn has come."""


class Model(Protocol):
    """A language model that can be called."""

    @property
    def context(self) -> int | None:
        """How many tokens prompt and reply may have together, where that is known."""
        ...

    @property
    def price(self) -> tuple[float, float] | None:
        """Dollars for a token in and a token out, where that is known."""
        ...

    def at_once(self, request: Request) -> int:
        """Return how many replies to this prompt one call may bring, of the `n` that are wanted."""
        ...

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return what the model sends, or why it sends nothing. Cancelling stops the spending.

        Where `n` replies are wanted it may send fewer: the others are asked for again.
        """
        ...


class Embedder(Protocol):
    """A backend that turns texts into vectors."""

    @property
    def name(self) -> str:
        """The backend with its version, as results name it."""
        ...

    @property
    def local(self) -> bool:
        """Whether it works on this machine, at no cost."""
        ...

    async def embed(self, texts: Sequence[str], *, before_retry: BeforeRetry) -> list[list[float]] | Failure:
        """Return a vector for each text. `before_retry` is asked before every call after the first."""
        ...


class Clock(Protocol):
    """Time, as a value that tests can hold still."""

    def now(self) -> float:
        """Return seconds since the epoch; it may jump."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...


@dataclass(frozen=True, slots=True)
class Journaled:
    """All that the journal knows of a deliberation."""

    attempts: tuple[Attempt, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    active: float = 0.0
    """Seconds that earlier processes have worked on it."""


class Journal(Protocol):
    """The journal of one deliberation, held by the one process that may write to it.

    Every write raises `Fenced` once another process has taken the deliberation over.
    """

    async def load(self) -> Journaled:
        """Return every row, in the order of the program."""
        ...

    async def intend(self, attempts: Sequence[Attempt], refused: Sequence[Outcome], *, active: float) -> None:
        """Write a wave's intents, and the outcomes of what the budget refused, in order, in one transaction."""
        ...

    async def count_try(self, step: str, attempt: int, tries: int) -> None:
        """Write that a further try of an attempt is about to be sent."""
        ...

    async def settle(self, attempt: Attempt, outcome: Outcome | None, *, active: float) -> None:
        """Write what became of an attempt and, where that decides it, of its step, in one transaction."""
        ...

    async def conclude(self, outcome: Outcome) -> None:
        """Write the outcome of a step that no further attempt will be made at."""
        ...

    async def emit(self, events: Sequence[tuple[int, str]]) -> None:
        """Write run events under their seq. One that is there already must be the same to the byte.

        Raises:
            RecordDiffers: for one that is not.
        """
        ...


@dataclass(frozen=True, slots=True)
class OpenStep:
    """An open step as it stands."""

    deliberation: str
    step: str
    position: int
    group: str
    role: str
    title: str
    context: Mapping[str, Any]
    reply_type: str
    labels: Mapping[str, str] = field(default_factory=dict)
    state: StepState = "open"
    agent: str | None = None
    lease_until: float | None = None
    reply: Mapping[str, Any] | None = None
    number: int = 0
    """Its place in the order in which steps were opened, of all deliberations."""
    filled: int = 0
    """The how-manieth of its deliberation to be filled; 0 while it is not."""
    waits: bool = True
    """Whether the run waits for it also while nobody has taken it."""


class Steps(Protocol):
    """The open steps of one deliberation, for the process that runs it."""

    async def open(self, invitations: Sequence[tuple[int, Invitation[Any]]]) -> None:
        """Open the steps that are not there yet, each with its position, in one transaction."""
        ...

    async def read(self, steps: Sequence[str]) -> list[OpenStep]:
        """Return the steps as they stand, in the order asked for; a lease that has run out reads as open."""
        ...

    async def take(self, step: str, agent: str) -> bool:
        """Give the step to an agent of the house; False where somebody has it or the agent has one of its group."""
        ...

    async def submit(self, step: str, agent: str, reply: Mapping[str, Any]) -> bool:
        """Put the agent's reply into the step; False where it no longer holds it."""
        ...

    async def release(self, step: str, agent: str) -> None:
        """Give the step back."""
        ...

    async def leave(self, outcome: Outcome) -> bool:
        """Journal why the run goes on without a step; False, and nothing, where somebody has it or has filled it."""
        ...


@dataclass(frozen=True, slots=True)
class Begun:
    """What is known of a deliberation before anybody is asked."""

    deliberation: str
    question: str
    protocol: str
    budget: Budget
    expected: Expectation
    spent: Spent = field(default_factory=Spent)
    """What it has taken before, where it goes on."""


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """Something under way. It is never stored."""

    kind: ProgressKind
    step: str = ""
    seat: str = ""
    note: str = ""
    """The model that is asked, the number of tokens so far, the number of the try, or why there is no answer."""
    phase: str = ""
    """The phase that the step belongs to, in its protocol's words."""
    said: str = ""
    """What was answered, or found, in one line."""
    spent: Spent | None = None
    """What the deliberation has taken so far, where the kind is `spent`."""
    begun: Begun | None = None
    """What is known beforehand, where the kind is `begun`."""


Progress = Callable[[ProgressEvent], None]
"""Who listens while a round is in flight."""
