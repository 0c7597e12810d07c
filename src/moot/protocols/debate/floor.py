"""The floor of a debate: who sits where, what has been said so far, and what the program has counted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from moot.core.errors import BadSetting
from moot.core.panel import Panel
from moot.core.question import Question
from moot.protocols.debate.context import Budgets
from moot.protocols.debate.contract import Breach
from moot.protocols.debate.exits import Figures, Vector
from moot.protocols.debate.groupthink import Suspicion
from moot.protocols.debate.modes import MODES, Mode, anchor_of
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.safety import Withheld, standing_triggers
from moot.protocols.debate.settings import DebateSettings
from moot.protocols.debate.speech import Agent, Speech
from moot.protocols.debate.state import DebateState
from moot.protocols.debate.verification import Checked

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(slots=True)
class Floor:
    """A debate under way."""

    question: Question
    settings: DebateSettings
    mode: Mode
    agents: tuple[Agent, ...]
    evaluator: str
    """The seat that judges safety."""
    state: DebateState
    watching: tuple[str, ...]
    """Why the safety evaluator is at work; nothing where it is not (decision 2)."""
    logs: list[RoundLog] = field(default_factory=list)
    figures: list[Figures] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    """The latest position of each agent as a vector."""
    suspicions: list[Suspicion] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    clear: list[bool] = field(default_factory=list)
    """What the evaluator found in this round, review by review."""
    unreviewed: list[int] = field(default_factory=list)
    """Rounds in which the evaluator was called for and did not answer."""
    breaches: dict[str, Counter[str]] = field(default_factory=dict)
    checks: dict[str, Counter[str]] = field(default_factory=dict)
    revisions: int = 0
    tool_calls: list[Mapping[str, object]] = field(default_factory=list)
    focus: str = ""
    """What a person wants the next round to look at."""
    _told: dict[str, set[str]] = field(default_factory=dict)
    _to_tell: dict[str, list[str]] = field(default_factory=dict)

    @property
    def round(self) -> int:
        """The number of the last round."""
        return len(self.logs)

    @property
    def reply_tokens(self) -> int:
        """How long a reply may be, so that those of a round fit the budget of a round (ruling D10)."""
        texts = len(self.agents) * (2 if self.mode.order == "sequential" else 1)
        return min(self.settings.max_tokens, max(64, Budgets().previous // texts))

    @property
    def prompt_tokens(self) -> int:
        """How long the prompt of a round may be: a revision adds the reply and what is wrong with it."""
        return self.settings.context - (self.reply_tokens + 300 if self.settings.revise else 0)

    def last_speech(self, agent: str) -> Speech | None:
        """Return what an agent said when it last spoke."""
        spoken = (item.speech for log in reversed(self.logs) for item in log.heard if item.speech.agent == agent)
        return next(spoken, None)

    @property
    def concerns(self) -> tuple[str, ...]:
        """Every concern that was raised in a round before."""
        return tuple(item.speech.said.concern for log in self.logs for item in log.heard if item.speech.said.concern)

    def others(self, agent: Agent) -> tuple[str, ...]:
        """Return the names of everybody else."""
        return tuple(item.name for item in self.agents if item is not agent)

    def focus_question(self, number: int) -> str:
        """Return what a round is to look at: a person's wish, else the setting, one for all or one a round."""
        chosen = self.settings.focus_question
        if self.focus or not chosen:
            return self.focus
        return chosen[0] if len(chosen) == 1 else chosen[number - 1] if number <= len(chosen) else ""

    def count_breaches(self, agent: str, found: Iterable[Breach]) -> list[str]:
        """Count breaches and return the words for those kinds that the agent has not been told of yet (ruling D7)."""
        told = self._told.setdefault(agent, set())
        fresh: list[str] = []
        for breach in found:
            self.breaches.setdefault(agent, Counter())[breach.kind] += 1
            if breach.kind not in told:
                told.add(breach.kind)
                fresh.append(breach.told)
        return fresh

    def tell_later(self, agent: str, words: Iterable[str]) -> None:
        """Keep what the agent is to be told when it is asked next."""
        self._to_tell.setdefault(agent, []).extend(words)

    def tell_now(self, agent: str) -> tuple[str, ...]:
        """Return what the agent is to be told, once."""
        return tuple(self._to_tell.pop(agent, ()))

    def count_checks(self, agent: str, outcomes: Iterable[Checked]) -> None:
        """Count the questions that a response does not meet."""
        for item in outcomes:
            if not item.passed:
                self.checks.setdefault(agent, Counter())[item.name] += 1

    def is_clear(self) -> bool:
        """Return whether the evaluator may leave: it looked at the round and all was clear (decision 2, ruling D9)."""
        found, self.clear = self.clear, []
        return bool(found) and all(found) and self.round not in self.unreviewed

    def note_person(self, text: str) -> None:
        """Put a person's words behind the last round."""
        self.logs[-1] = replace(self.logs[-1], person=text)


def seated_floor(question: Question, panel: Panel, settings: DebateSettings) -> Floor:
    """Return the floor before anybody has spoken: roles, names and anchors by seat (decision 5, rulings D5 to D7).

    Raises:
        BadSetting: where the evaluator is to be a seat that does not exist.
    """
    mode = MODES[settings.mode]
    names = [member.name for member in panel]
    if settings.evaluator and settings.evaluator not in names:
        raise BadSetting(
            name="evaluator", problem=f"nobody sits as {settings.evaluator!r}; seats are {', '.join(names)}"
        )
    seats = [name for name in names if name != settings.evaluator]
    agents = tuple(
        Agent(seat, _pseudonym(place) if mode.anonymous else seat, place, mode.role(place))
        for place, seat in enumerate(seats)
    )
    judges = tuple(agent.name for agent in agents if agent.role.stance == "NEUTRAL")
    return Floor(
        question=question,
        settings=settings,
        mode=mode,
        agents=agents,
        evaluator=settings.evaluator or names[-1],
        state=DebateState(topic=question.text, participants=tuple(agent.name for agent in agents), judges=judges),
        watching=standing_triggers(mode, question.text, settings.audience),
    )


def anchors(agents: Sequence[Agent]) -> dict[str, str]:
    """Return the permanent perspective of each agent (decision 5)."""
    return {agent.name: anchor_of(agent.place).name for agent in agents}


def _pseudonym(place: int) -> str:
    return f"Expert {LETTERS[place]}" if place < len(LETTERS) else f"Expert {place + 1}"
