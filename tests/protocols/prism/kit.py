"""Claims that go through `prism` with scripted agents of the house and people who fill what waits for them."""

import fnmatch
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Header, event_from
from moot.core.panel import seated
from moot.core.ports import OpenStep
from moot.core.question import Document, Question
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.protocols.prism.board import Pipeline, pipeline_of
from moot.protocols.prism.protocol import PRISM
from moot.protocols.prism.schemas import PrismSettings
from moot.runtime.house import Paused
from tests.runtime.protocol import Course

CLAIM = "Crows remember the faces of people who trapped them."
SURE = 0.8

OUTPUTS: Mapping[str, dict[str, Any]] = {
    "1": {"content": "The claim says that crows keep a memory of faces."},
    "2": {"content": "Animals and their minds.", "domain": "Cognitive Ethology"},
    "3": {
        "content": "Field studies with masks.",
        "keyPoints": ["Masked trappers were scolded for years afterwards."],
        "strength": "strong",
    },
    "4": {
        "content": "Few sites were studied.",
        "weaknesses": ["The studies come from one city."],
        "questions": ["Do other species do the same?"],
        "severity": "moderate",
    },
    "5": {
        "content": "Other sites agree.",
        "responseToWeaknesses": ["W1: Two further cities gave the same result."],
        "answeredQuestions": ["Q1: Magpies do."],
    },
    "6": {"content": "It holds up.", "verdict": "advance-to-synthesis", "caveats": ["Only adult birds were tested."]},
    "7": {
        "content": "The chain is sound.",
        "summary": "Crows remember dangerous faces for years.",
        "recommendation": "accept-with-caveats",
        "answer": "",
    },
}

Said = str | Mapping[str, Any] | Failure


def output(layer: int | str, confidence: float = SURE, **changed: Any) -> dict[str, Any]:
    """A submission in the shape of a layer of `prism-v1`."""
    return {**OUTPUTS[str(layer)], "confidence": confidence, **changed}


def by_step(replies: Mapping[str, Said | Sequence[Said]]):
    """Return what is said at a step: by the first pattern that fits, else what the layer's shape wants."""

    def reply(step: str) -> Said:
        for pattern, said in replies.items():
            if fnmatch.fnmatchcase(step, pattern):
                return said if isinstance(said, str | Mapping | Failure) else said[0]
        if step.endswith("/summary"):
            return {"summary": "All agree that crows remember."}
        if fnmatch.fnmatchcase(step, "L3.*/work/3*"):
            return output(3, keyPoints=["Crows scold any stranger near a nest."], strength="weak")
        return output(step[1 : step.index(".")])

    return reply


@dataclass
class Run:
    """A claim that has ended, or that waits."""

    course: Course
    requests: list[Request]
    verdict: Verdict | None = None
    waiting: tuple[OpenStep, ...] = ()
    record: Record = field(init=False)

    def __post_init__(self) -> None:
        self.record = Record(tuple(event_from(text) for text in self.course.disk.texts))

    @property
    def ended(self) -> Verdict:
        assert self.verdict is not None
        return self.verdict

    @property
    def steps(self) -> list[str]:
        return [request.step for request in self.requests]

    @property
    def slots(self) -> dict[str, OpenStep]:
        return dict(self.course.disk.steps)

    @property
    def pipeline(self) -> Pipeline:
        return pipeline_of(self.record, list(self.course.disk.steps.values()))

    def prompt(self, pattern: str) -> str:
        request = next(item for item in self.requests if fnmatch.fnmatchcase(item.step, pattern))
        return "\n".join(message.content for message in request.messages)

    def notes(self, name: str) -> list[Any]:
        return [note.data for note in self.record.notes if note.name == name]

    def go_on(self, step: str = "", agent: str = "", reply: Mapping[str, Any] | None = None) -> "Run":
        """Let somebody fill a step, and go on until the claim ends or waits."""
        if step:
            self.course.disk.fill(step, agent, dict(reply or {}))
        return went(self.course, self.requests)

    def review(self, decision: str, agent: str = "Ada", note: str = "I looked at it.") -> "Run":
        [step] = self.waiting
        return self.go_on(step.step, agent, {"decision": decision, "note": note})


def course(
    replies: Mapping[str, Said | Sequence[Said]] | None = None,
    *,
    seats: int = 1,
    claim: str = CLAIM,
    documents: Mapping[str, str] | None = None,
    form: str = "",
    budget: Budget | None = None,
    seen: list[Request] | None = None,
    **settings: Any,
) -> Course:
    """Return the course of a claim that has not begun."""
    said, requests = by_step(replies or {}), [] if seen is None else seen
    chosen = PrismSettings(**settings)

    def react(request: Request, number: int) -> Any:
        requests.append(request)
        answer = said(request.step)
        return json.dumps(answer, ensure_ascii=False) if isinstance(answer, Mapping) else answer

    named = tuple(Document(name=name, text=text) for name, text in (documents or {}).items())
    header = Header(
        question=Question(text=claim, documents=named, form=form),
        protocol=PRISM.name,
        protocol_version=PRISM.version,
        moot_version="0",
        settings=plain(chosen),
        panel=seated([f"script:{number}" for number in range(seats)]),
        budget=budget or PRISM.budget,
        seed=11,
        data=PRISM.made_from(chosen),
    )
    return Course(header=header, row=PRISM, reactions={member.model: react for member in header.panel}, people={})


def went(made: Course, requests: list[Request]) -> Run:
    """Run a course until the claim ends or waits."""
    try:
        verdict = made.run()
    except Paused as paused:
        return Run(made, requests, waiting=paused.steps)
    return Run(made, requests, verdict)


def run(replies: Mapping[str, Said | Sequence[Said]] | None = None, **options: Any) -> Run:
    """Put a claim through `prism` with agents of the house that say so."""
    seen: list[Request] = []
    return went(course(replies, seen=seen, **options), seen)
