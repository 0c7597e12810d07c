"""The one door to the model: a small protocol that draws so many replies to each of a few prompts, and judges nothing.

Each draw is a deliberation like any other: journaled, resumed where it was killed, never paid twice. Prompts go one
after another, so that what each took can be told.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Prose, Role
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.protocols import PROTOCOLS, find_protocol

DRAW = "evidence-draw"


class Prompt(BaseModel):
    """A prompt and how many replies to it are wanted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    messages: tuple[tuple[Role, str], ...]
    n: int = Field(ge=1)

    def asked(self) -> tuple[Message, ...]:
        """Return it as it is sent."""
        return tuple(Message(role, content) for role, content in self.messages)


class DrawSettings(Settings):
    """What is drawn, and how freely."""

    prompts: tuple[Prompt, ...]
    temperature: float
    max_tokens: int


def prompt(name: str, messages: Sequence[Message], n: int) -> Prompt:
    """Return the prompt of these messages."""
    return Prompt(name=name, messages=tuple((message.role, message.content) for message in messages), n=n)


async def draw(question: Question, deliberation: Deliberation, settings: DrawSettings) -> Verdict:
    """Draw the replies; the record has them."""
    seat = deliberation.panel[0].name
    for wanted in settings.prompts:
        messages, how = wanted.asked(), (settings.temperature, settings.max_tokens)
        await deliberation.ask_all([Ask(wanted.name, seat, messages, Prose, *how, n=wanted.n)])
    return Verdict(None, Status.COMPLETE, "drawn", no_confidence("nothing was judged"))


def expected(question: Question, panel: Panel, settings: DrawSettings) -> Expectation:
    """Return what the draw takes at most."""
    calls = sum(wanted.n for wanted in settings.prompts)
    lengths = [prompt_tokens(wanted.asked()) for wanted in settings.prompts]
    return Expectation(calls, sum(lengths), calls * settings.max_tokens, max(lengths) + settings.max_tokens)


DRAW_ROW = ProtocolSpec(
    name=DRAW,
    version=1,
    summary="replies to given prompts, kept and not judged",
    run=draw,
    settings=DrawSettings,
    seats=1,
    minimum=1,
    budget=Budget(),
    expected=expected,
    quorum=Fraction(0),
)


def find_with_draw(name: str) -> ProtocolSpec:
    """Return the protocol of this name, of Moot or of the benchmark."""
    known: dict[str, Any] = {DRAW: DRAW_ROW}
    return known[name] if name in known and name not in PROTOCOLS else find_protocol(name)
