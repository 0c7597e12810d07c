"""A scripted run of a protocol that has ended, as the tests look at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.calls import Request
from moot.core.events import event_from
from moot.core.record import Record
from moot.core.verdict import Verdict
from tests.runtime.protocol import Course


@dataclass
class Ended:
    """What a run came to, how it went, and all that its members were sent."""

    verdict: Verdict
    course: Course
    requests: list[Request]
    record: Record = field(init=False)

    def __post_init__(self) -> None:
        self.record = Record(tuple(event_from(text) for text in self.course.disk.texts))

    @property
    def detail(self) -> Mapping[str, Any]:
        return self.verdict.detail

    @property
    def steps(self) -> list[str]:
        return [request.step for request in self.requests]

    def request(self, step: str) -> Request:
        return next(request for request in self.requests if request.step == step)

    def prompt(self, step: str) -> str:
        """All that a step was sent."""
        return "\n".join(message.content for message in self.request(step).messages)

    def notes(self, name: str) -> list[Any]:
        return [note.data for note in self.record.notes if note.name == name]
