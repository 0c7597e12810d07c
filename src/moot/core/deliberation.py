"""The door: a protocol's only way to the world.

Whatever a protocol learns from outside comes through one of these five calls, under a step name that it uses
once. That is why a run can be resumed, replayed and forked by running the protocol's function again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from moot.core.budget import Budget, Spent
from moot.core.calls import Ask, Message, Missing, R, Reply, Vectors
from moot.core.panel import Panel

R_co = TypeVar("R_co", bound=Reply, covariant=True)


HOUSE = "house/"
"""What the names of agents of the house begin with, where others may fill steps beside them; nobody else may use it."""


@dataclass(frozen=True, slots=True)
class PanelAgent:
    """A name under which a member of the panel may fill open steps.

    A protocol whose panel may be changed by a fork names its agents so that `seat_of` finds the seat again.
    """

    name: str
    seat: str


@dataclass(frozen=True, slots=True)
class Invitation(Generic[R]):
    """A step that whoever is entitled may fill: a person, an outside agent, or a house agent."""

    step: str
    group: str
    """Within a group each agent fills one step at most."""
    role: str
    title: str
    """What is wanted, in one line that a person reads."""
    context: Mapping[str, Any]
    """What the one who fills it gets to see; fixed when the step opens."""
    reply: type[R]
    messages: tuple[Message, ...] = ()
    """How a house agent is asked."""
    house: tuple[PanelAgent, ...] = ()
    """Who of the house may fill it, in order of preference."""
    wait: bool = True
    """Whether the run pauses for others when nobody of the house fills it; else the step comes back `Missing`, unless
    somebody has taken it: nobody's work is passed over."""
    temperature: float = 0.0
    max_tokens: int = 1024
    labels: Mapping[str, str] = field(default_factory=dict)
    """What a board may search by, such as layer and type."""


@dataclass(frozen=True, slots=True)
class Contribution(Generic[R_co]):
    """What somebody put into an open step."""

    agent: str
    reply: R_co
    filled: int = 0
    """The how-manieth of the deliberation's open steps to be filled."""
    model: str = ""
    """The model behind an agent of the house; empty for everybody else."""


def seat_of(agent: str) -> str:
    """Return the seat of an agent of the house: `house/m2.3` is the third seating of m2."""
    return agent.removeprefix(HOUSE).partition(".")[0]


class Deliberation(Protocol):
    """What a protocol is handed beside its question and its settings."""

    @property
    def panel(self) -> Panel:
        """Who may be asked."""
        ...

    @property
    def budget(self) -> Budget:
        """What this run may spend in all."""
        ...

    @property
    def spent(self) -> Spent:
        """What the steps so far have taken, lost and repeated calls included."""
        ...

    def bytes_per_token(self, seat: str) -> float | None:
        """Return how many bytes a token of this member is, by its own count of what it has read; None for no count."""
        ...

    async def ask(self, ask: Ask[R]) -> R | Missing:
        """Return one member's typed reply, or why there is none."""
        ...

    async def ask_all(self, asks: Sequence[Ask[R]]) -> list[R | Missing]:
        """Return the replies to a blind round, `n` for each ask, in the order of the list; they are in flight together.

        A member that sends `n` replies to one prompt reads it once; of another the first is awaited before the others
        are asked for, so that they find their prompt in its cache.
        """
        ...

    async def invite_all(self, invitations: Sequence[Invitation[R]]) -> list[Contribution[R] | Missing]:
        """Return what was put into the open steps, in order, once all are filled."""
        ...

    async def embed(self, texts: Sequence[str], *, step: str) -> Vectors | Missing:
        """Return a vector for each text, or why there is none."""
        ...

    async def note(self, name: str, data: Any) -> None:
        """Put a finding into the record."""
        ...
