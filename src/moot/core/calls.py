"""The values of a call: what is asked of a member, what comes back, what it took, or why nothing came."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

Role = Literal["system", "user", "assistant"]
AttemptState = Literal["intent", "reply", "bad", "failed", "lost"]
OutcomeKind = Literal["ok", "dropped", "refused", "timeout"]


class Reply(BaseModel):
    """What a member is asked to send. A subclass is the shape; raise `reply_version` when its meaning changes."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, populate_by_name=True)

    reply_version: ClassVar[int] = 1
    puts_forward: ClassVar[tuple[str, ...]] = ("answer", "position", "content", "text", "summary")
    """The fields in which its author answers: one that declines there has refused (ruling G8)."""


class Prose(Reply):
    """A reply that is text and nothing else: it is taken as it comes, and only emptiness is wrong."""

    text: str


R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Ask(Generic[R]):
    """One question to one member, under a step name that is used once in a deliberation."""

    step: str
    seat: str
    messages: tuple[Message, ...]
    reply: type[R]
    temperature: float = 0.0
    max_tokens: int = 1024
    n: int = 1
    """How many replies are wanted: each is a step of its own, and fails, is retried and is counted by itself."""

    def __post_init__(self) -> None:
        """Refuse to ask for nothing."""
        if self.n < 1:
            raise ValueError(f"step {self.step!r} asks for {self.n} replies; ask for at least 1")

    @property
    def each(self) -> "tuple[Ask[R], ...]":
        """An ask for each of its replies: the first under its own name, the second under `name#2`, and so on."""
        names = (self.step, *(f"{self.step}#{index}" for index in range(2, self.n + 1)))
        return tuple(replace(self, step=name, n=1) for name in names)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a member has no answer. A value, never an exception: the others go on."""

    seat: str
    step: str
    reason: Literal["budget", "timeout", "unusable", "unreachable", "refused", "withheld", "unattended"]
    """`refused`: it declined, or was not let; `withheld`: a guard kept it back; `unattended`: nobody came."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A call as the gateway sends it. `schema` is the JSON schema of the reply, or None for prose."""

    step: str
    seat: str
    model: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    seed: int
    schema: Mapping[str, Any] | None
    timeout: float | None = None
    """Seconds that the budget leaves for this call."""
    n: int = 1
    """How many replies are wanted of this one call: no more than the model's `at_once`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took. None means that nobody said."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model sent back."""

    text: str
    usage: Usage
    reasoning: str = ""
    finish: str = "stop"
    without: tuple[str, ...] = ()
    """What the model does not take and was sent without, such as a temperature."""
    more: "tuple[Completion, ...]" = ()
    """Further replies of the same call. Their usage is what they added to it, so that the sum is the call's."""
    model: str = ""
    """What the provider calls the model that answered, where it says so."""
    id: str = ""
    """What the provider calls this reply, where it says so."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that brought no reply, after the tries it was worth."""

    kind: Literal["timeout", "unreachable", "refused", "budget"]
    detail: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One row of the journal: one request text, and what became of it."""

    step: str
    attempt: int
    position: int
    """The step's place in the order of the program."""
    digest: str
    request: str
    state: AttemptState = "intent"
    text: str = ""
    reasoning: str = ""
    problem: str = ""
    usage: Usage = field(default_factory=Usage)
    started: float = 0.0
    seconds: float = 0.0
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step came to. Final."""

    step: str
    position: int
    kind: OutcomeKind
    reason: str = ""
    detail: str = ""
    salvaged: bool = False


@dataclass(frozen=True, slots=True)
class Vectors:
    """One vector for each text, and the backend that made them."""

    backend: str
    rows: tuple[tuple[float, ...], ...]
