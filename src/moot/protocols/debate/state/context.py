"""What a debate is held in: the paper's `DebateContext` (debate 3.2), its rounds as packets (7.1), its budgets (7.5).

All of it is values. A round takes a context and returns the next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.errors import BadSetting
from moot.core.panel import Panel
from moot.core.question import Question
from moot.core.tokens import BYTES_PER_TOKEN
from moot.protocols.debate.checks import Breaches
from moot.protocols.debate.modes import MODES, Mode, anchor_of
from moot.protocols.debate.rules import Figures, Suspicion, Vector
from moot.protocols.debate.safety import SafetyWatch, Withheld, standing_triggers
from moot.protocols.debate.schemas import DebateSettings
from moot.protocols.debate.state.fold import Heard
from moot.protocols.debate.state.speech import Agent, Speech
from moot.protocols.debate.state.state import DebateState

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens at most, part by part (debate 7.5)."""

    state: int = 2_500
    summary: int = 400
    previous: int = 5_000
    instructions: int = 200
    findings: int = 900


SQUEEZED = (
    Budgets(),
    Budgets(summary=300, previous=4_000),
    Budgets(state=2_000, summary=150, previous=3_500),
    Budgets(state=1_500, summary=0, previous=2_500, findings=700),
    Budgets(state=900, summary=0, previous=1_500, findings=500),
    Budgets(state=500, summary=0, previous=800, findings=300),
)
"""What is tried in turn until the whole prompt fits: the oldest material gives way first (debate 7.6, trigger 2)."""


@dataclass(frozen=True, slots=True)
class RoundPacket:
    """One round as it went: what was heard in order, and what a person said after it (debate 7.1, layer B)."""

    number: int
    heard: tuple[Heard, ...] = ()
    silent: Mapping[str, str] = field(default_factory=dict)
    """Who did not answer, and why."""
    withheld: tuple[Withheld, ...] = ()
    injections: Mapping[str, str] = field(default_factory=dict)
    """Who gave the others orders, and the words."""
    critical: bool = False
    person: str = ""
    person_focus: str = ""
    decisions: tuple[str, ...] = ()
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    revisions: int = 0

    @property
    def speeches(self) -> dict[str, Speech]:
        """What was said, by who said it."""
        return {item.speech.agent: item.speech for item in self.heard}


@dataclass(frozen=True, slots=True)
class DebateContext:
    """A debate as the next round finds it (debate 3.2)."""

    question: Question
    settings: DebateSettings
    mode: Mode
    agents: tuple[Agent, ...]
    evaluator: str
    """The seat that judges safety."""
    state: DebateState
    noted: DebateState
    """The state as the note of the last round found it."""
    current: RoundPacket
    """The round that is under way, as far as it has come."""
    packets: tuple[RoundPacket, ...] = ()
    """The rounds that are over."""
    figures: tuple[Figures, ...] = ()
    """What each of them measures to."""
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """The latest position of each agent as a vector."""
    suspicions: tuple[Suspicion, ...] = ()
    breaches: Breaches = field(default_factory=Breaches)
    watch: SafetyWatch = field(default_factory=SafetyWatch)
    bytes_per_token: float = BYTES_PER_TOKEN
    """By the member whose tokens are the shortest, where members have counted (ruling D10)."""
    focus: str = ""
    """What a person wants the round to look at."""
    tested: Suspicion | None = None
    """What the round puts to the test: then it is a critical objection round (decision 3)."""
    suspected: Suspicion | None = None
    """The trigger of groupthink that the last round fired for the first time (decision 3, ruling D4)."""

    @property
    def number(self) -> int:
        """The number of the round, from 1 (the paper's `currentRound`)."""
        return self.current.number

    @property
    def is_evaluated_by_debater(self) -> bool:
        """Whether the one who judges safety also debates (ruling D16)."""
        return any(agent.seat == self.evaluator for agent in self.agents)

    @property
    def focus_question(self) -> str:
        """What the round is to look at: a person's wish, else the setting, one for all or one a round."""
        chosen = self.settings.focus_question
        if self.focus or not chosen:
            return self.focus
        return chosen[0] if len(chosen) == 1 else chosen[self.number - 1] if self.number <= len(chosen) else ""

    @property
    def reply_tokens(self) -> int:
        """How long a reply may be, so that those of a round fit the budget of a round (ruling D10)."""
        texts = len(self.agents) * (2 if self.mode.order == "sequential" else 1)
        return min(self.settings.max_tokens, max(64, Budgets().previous // texts))

    @property
    def prompt_tokens(self) -> int:
        """How long the prompt of a round may be: a revision adds the reply and what is wrong with it."""
        return self.settings.context - (self.reply_tokens + 300 if self.settings.revise else 0)

    @property
    def concerns(self) -> tuple[str, ...]:
        """Every concern that was raised in a round before."""
        return tuple(
            item.speech.said.concern for past in self.packets for item in past.heard if item.speech.said.concern
        )

    def last_speech(self, agent: str) -> Speech | None:
        """Return what an agent said when it last spoke."""
        return next((past.speeches[agent] for past in reversed(self.packets) if agent in past.speeches), None)

    def others(self, agent: Agent) -> tuple[str, ...]:
        """Return the names of everybody else."""
        return tuple(item.name for item in self.agents if item is not agent)


def opening(question: Question, panel: Panel, settings: DebateSettings) -> DebateContext:
    """Return the context before anybody has spoken: roles, names and anchors by seat (decision 5, rulings D5 to D7).

    Raises:
        BadSetting: where the evaluator is to be a seat that does not exist.
    """
    mode = MODES[settings.mode]
    names = [member.name for member in panel]
    if settings.evaluator and settings.evaluator not in names:
        raise BadSetting(
            name="evaluator", problem=f"nobody sits as {settings.evaluator!r}; seats are {', '.join(names)}"
        )
    models = {member.name: member.model for member in panel}
    seats = [name for name in names if name != settings.evaluator]
    agents = tuple(
        Agent(seat, name, place, mode.role(place), models[seat])
        for place, (seat, name) in enumerate(seat_names(seats, mode).items())
    )
    judges = tuple(agent.name for agent in agents if agent.role.stance == "NEUTRAL")
    state = DebateState(topic=question.text, participants=tuple(agent.name for agent in agents), judges=judges)
    return DebateContext(
        question=question,
        settings=settings,
        mode=mode,
        agents=agents,
        evaluator=settings.evaluator or names[-1],
        state=state,
        noted=state,
        current=RoundPacket(1),
        watch=SafetyWatch(standing_triggers(mode, question.text, settings.audience)),
    )


def seat_names(seats: Sequence[str], mode: Mode) -> dict[str, str]:
    """Return the names by which the others know the seats that debate (ruling D6)."""
    return {seat: _pseudonym(place) if mode.anonymous else seat for place, seat in enumerate(seats)}


def anchors(agents: Sequence[Agent]) -> dict[str, str]:
    """Return the permanent perspective of each agent (decision 5)."""
    return {agent.name: anchor_of(agent.place).name for agent in agents}


def _pseudonym(place: int) -> str:
    return f"Expert {LETTERS[place]}" if place < len(LETTERS) else f"Expert {place + 1}"
