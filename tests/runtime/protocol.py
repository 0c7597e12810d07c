"""A protocol that uses the whole door, its members, and the course of a run over several processes.

Three rounds (a blind one, one whose asks depend on the answers, a last word), vectors, a finding, and three open
steps: for a person, for the house, and for whoever comes, which nobody waits for.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Missing, Prose, Reply, Request
from moot.core.canonical import canonical, rounded
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.deliberation import Deliberation, Invitation, PanelAgent
from moot.core.events import Header
from moot.core.panel import Panel, seated
from moot.core.ports import Embedder, Model, ProgressEvent
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Document, Question
from moot.core.verdict import Dissent, Status, Verdict
from moot.runtime.dispatch import Stopping, World, never_stopping
from moot.runtime.fork import fork_position, forked_header
from moot.runtime.house import Paused
from moot.runtime.replay import Replayed, replay
from moot.runtime.run import deliberate
from tests.runtime.members import Desk, LetterEmbedder, Reaction, Scripted
from tests.runtime.memory import Crash, Disk, KillSwitch, SettableClock


class Position(Reply):
    """An answer in the first round."""

    answer: str
    sure: float
    reasons: tuple[str, ...] = ()


class Rebuttal(Reply):
    """Whether a member keeps to its answer."""

    keeps: bool


class Review(Reply):
    """What somebody makes of it all."""

    grade: int
    remark: str = ""


class TrialSettings(Settings):
    """What the tests vary."""

    temperature: float = 0.5
    wording: str = "Is it so?"
    last_words: str = "Sum up."
    max_tokens: int = 64
    reviewed: bool = True


async def trial(question: Question, deliberation: Deliberation, settings: TrialSettings) -> Verdict:
    """Return what the panel makes of the question, by every call that the door has."""
    seats = [member.name for member in deliberation.panel]
    asks = [_ask(f"first:{seat}", seat, f"{settings.wording} {question.text}", Position, settings) for seat in seats]
    positions = {
        seat: reply
        for seat, reply in zip(seats, await deliberation.ask_all(asks), strict=True)
        if isinstance(reply, Position)
    }
    answers = sorted({reply.answer for reply in positions.values()})
    vectors = await deliberation.embed([reply.answer for reply in positions.values()], step="vectors")
    lengths = [rounded(sum(row)) for row in vectors.rows] if not isinstance(vectors, Missing) else []
    await deliberation.note(
        "answers", {"answers": answers, "lengths": lengths, "backend": getattr(vectors, "backend", "")}
    )

    if len(answers) > 1:
        asks = [
            _ask(f"rebut:{seat}", seat, f"Others say {', '.join(answers)}.", Rebuttal, settings) for seat in positions
        ]
        kept = await deliberation.ask_all(asks)
        positions = {
            seat: positions[seat]
            for seat, reply in zip(list(positions), kept, strict=True)
            if isinstance(reply, Missing) or reply.keeps
        }
        await deliberation.note("kept", sorted(positions))

    grades = await _reviews(deliberation, settings) if settings.reviewed else []
    last = await deliberation.ask(_ask("last", seats[0], settings.last_words, Prose, settings))
    return _verdict(positions, grades, last)


def _verdict(positions: Mapping[str, Position], grades: list[Any], last: Prose | Missing) -> Verdict:
    held: dict[str, list[str]] = {}
    for seat, reply in positions.items():
        held.setdefault(reply.answer, []).append(seat)
    ranked = sorted(held, key=lambda answer: (-len(held[answer]), answer))
    if not ranked:
        return Verdict(None, Status.FAILED, "nobody answered", no_confidence("nobody answered"))
    sure = [positions[seat].sure for seat in held[ranked[0]]]
    return Verdict(
        answer=ranked[0],
        status=Status.COMPLETE,
        stop_reason="answered",
        confidence=Confidence(rounded(sum(sure) / len(sure)), Basis.STATED, "the mean of what they say"),
        dissent=tuple(Dissent(answer, tuple(held[answer])) for answer in ranked[1:]),
        detail={"grades": grades, "last": last.text if isinstance(last, Prose) else None},
    )


async def _reviews(deliberation: Deliberation, settings: TrialSettings) -> list[Any]:
    first = deliberation.panel[0].name
    last = deliberation.panel[len(deliberation.panel) - 1].name
    prompt = (Message("system", "You review."), Message("user", "Grade it from 1 to 5."))
    house = (PanelAgent("gruff", last), PanelAgent("kind", first))

    def invitation(name: str, **more: Any) -> Invitation[Review]:
        return Invitation(
            step=f"review:{name}",
            group="review",
            role="reviewer",
            title=f"Grade the answers ({name})",
            context={"scale": [1, 5]},
            reply=Review,
            messages=prompt,
            max_tokens=settings.max_tokens,
            labels={"layer": "1"},
            **more,
        )

    invitations = [invitation("person"), invitation("house", house=house), invitation("spare", wait=False)]
    filled = await deliberation.invite_all(invitations)
    return [None if isinstance(item, Missing) else [item.agent, item.reply.grade] for item in filled]


def _ask(step: str, seat: str, text: str, reply: Any, settings: TrialSettings) -> Ask[Any]:
    messages = (Message("system", "You are a member of a panel."), Message("user", text))
    return Ask(step, seat, messages, reply, temperature=settings.temperature, max_tokens=settings.max_tokens)


TRIAL = ProtocolSpec(
    name="trial",
    version=1,
    summary="every call of the door",
    run=trial,
    settings=TrialSettings,
    seats=6,
    minimum=2,
    budget=Budget(calls=60),
    expected=lambda question, panel, settings: Expectation(20, 2000, 500),
)


def good(request: Request, number: int, *, answer: str = "yes") -> str:
    """Answer in shape."""
    kind = request.step.split(":")[0]
    return {
        "first": f'{{"answer": "{answer}", "sure": 0.75, "reasons": ["it is {answer}"]}}',
        "rebut": f'{{"keeps": {"true" if answer in request.messages[-1].content else "false"}}}',
        "review": '```json\n{"grade": 4, "remark": "sound"}\n```',
        "last": f"<think>what was it</think>All in all: {answer}.",
    }[kind]


def slow(request: Request, number: int) -> str | None:
    """Answer at the second try, after everybody else."""
    return good(request, number, answer="no") if number > 1 else None


def failing(request: Request, number: int) -> None:
    """Never answer."""


def stumbling(request: Request, number: int) -> str:
    """Answer in shape only when told what was wrong."""
    return good(request, number, answer="no") if is_retry(request) else 'Sure! {"answer": "no", "sure": "very"}'


def broken(request: Request, number: int) -> str:
    """Cut the object off, each time."""
    return good(request, number).rstrip("`\n").removesuffix("}")


def talking(request: Request, number: int) -> str:
    """Say anything but JSON."""
    return "I would rather talk about the weather."


REACTIONS: Mapping[str, Reaction] = {
    "script:good": good,
    "script:slow": slow,
    "script:failing": failing,
    "script:stumbling": stumbling,
    "script:broken": broken,
    "script:talking": talking,
}

PANEL = seated(list(REACTIONS))

BY_PEOPLE: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "review:person": ("Ada", {"grade": 5, "remark": "I agree"}),
    "review:house": ("Bea", {"grade": 3, "remark": "the house was silent"}),
}


def is_retry(request: Request) -> bool:
    """Whether the request quotes an earlier reply."""
    return any(message.role == "assistant" for message in request.messages)


def header(
    *, panel: Panel = PANEL, budget: Budget | None = None, protocol_version: int = TRIAL.version, **settings: Any
) -> Header:
    """Return the header of a run of the trial."""
    return Header(
        question=Question(text="Is water wet?", documents=(Document(name="a.txt", text="Water is wet."),)),
        protocol=TRIAL.name,
        protocol_version=protocol_version,
        moot_version="0",
        settings=TrialSettings(**settings).model_dump(),
        panel=panel,
        budget=budget or Budget(),
        seed=11,
        backends={"embeddings": "letters 1"},
    )


@dataclass
class Course:
    """A run over as many processes as it takes."""

    header: Header = field(default_factory=header)
    disk: Disk = field(default_factory=Disk)
    desk: Desk = field(default_factory=Desk)
    clock: SettableClock = field(default_factory=SettableClock)
    reactions: Mapping[str, Reaction] = field(default_factory=lambda: REACTIONS)
    people: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=lambda: BY_PEOPLE)
    row: ProtocolSpec = TRIAL
    embedder: Embedder | None = None
    stopping: Stopping = never_stopping
    heard: list[ProgressEvent] = field(default_factory=list)
    repeated: list[tuple[str, str]] = field(default_factory=list)
    """Calls that were sent although their end was journaled."""

    def model(self, name: str) -> Model:
        return Scripted(self.reactions[name], self.desk, slow=self.reactions[name] is slow)

    async def process(self, switch: KillSwitch | None = None) -> Verdict:
        """Return the verdict of one process that takes the run over and works on it."""
        journal, steps = self.disk.hold(switch)
        return await self.work(journal, steps)

    async def work(self, journal: Any, steps: Any) -> Verdict:
        settled, before = self.disk.settled, len(self.desk.sent)
        embedder = self.embedder or LetterEmbedder(self.desk)
        world = World(self.model, embedder, self.clock, self._hear, self.stopping)
        try:
            return await deliberate(
                self.row, self.header, journal=journal, steps=steps, world=world, budget=self.header.budget
            )
        finally:
            self.repeated += [sent.call for sent in self.desk.sent[before:] if sent.call in settled]

    def run(self, *kills: int | tuple[str, int]) -> Verdict:
        """Return the verdict of the whole course: killed at these points one after another, resumed each time."""
        switches = [KillSwitch(at=kill) for kill in kills]
        while True:
            switch = next((switch for switch in switches if not switch.dead), KillSwitch())
            try:
                return asyncio.run(self.process(switch))
            except Crash:
                continue
            except Paused as paused:
                self.answer(paused)

    def answer(self, paused: Paused) -> None:
        """Let the people fill what waits for them; where nobody comes, stay paused."""
        expected = [step.step for step in paused.steps if step.step in self.people]
        if not expected:
            raise paused
        for step in expected:
            self.disk.fill(step, *self.people[step])

    def points(self) -> list[str]:
        """Return the name of every kill point of the whole course."""
        switch = KillSwitch()
        while True:
            try:
                asyncio.run(self.process(switch))
            except Paused as paused:
                self.answer(paused)
            else:
                return switch.passed

    def replayed(self, **changed: Any) -> Replayed:
        """Go through the run again from its disk alone."""
        stored: dict[str, Any] = {
            "journaled": self.disk.journaled,
            "steps": list(self.disk.steps.values()),
            "events": self.disk.texts,
            "clock": SettableClock(now=0.0),
        }
        return asyncio.run(replay(self.row, self.header, **(stored | changed)))

    def fork(self, at: str, *, panel: Panel | None = None, budget: Budget | None = None, **settings: Any) -> "Course":
        """Return the course of a fork, which has not begun."""
        position = fork_position(at, self.disk.journaled, self.disk.steps.values())
        forked = forked_header(
            self.header,
            parent_id="d",
            at=at,
            position=position,
            protocol_version=self.row.version,
            moot_version="0",
            panel=panel,
            settings=settings,
            budget=budget,
            seed=12,
            backends=self.header.backends,
            data=self.header.data,
        )
        return replace(self, header=forked, disk=self.disk.branch(position), desk=Desk(), heard=[], repeated=[])

    def _hear(self, event: ProgressEvent) -> None:
        self.heard.append(event)


def without_calls(texts: Sequence[str]) -> list[str]:
    """Return the events without what the calls took."""
    events = [json.loads(text) for text in texts]
    return [canonical({key: value for key, value in event.items() if key != "calls"}) for event in events]
