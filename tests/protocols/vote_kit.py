"""Votes with scripted members: what a run replies is a pure function of its number."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Header
from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.protocols.vote.protocol import VOTE
from moot.protocols.vote.schemas import VoteSettings
from tests.protocols.ended import Ended
from tests.runtime.protocol import Course

EGGS = Question(
    text="Janet's ducks lay 16 eggs a day. She eats three and bakes with 4. She sells the rest at $2. How much a day?"
)
SERVER = Question(
    text="Which server runs Linux?", documents=(Document(name="racks", text="Rack 7 has server x9. It runs Linux."),)
)

Said = str | Failure


def states(answer: Any, before: str = "It follows.") -> str:
    return f"{before}\nAnswer: {answer}"


def computes(*lines: str) -> str:
    return "\n".join(lines)


def voting(said: Sequence[Said], question: Question = SERVER, **options: Any) -> Ended:
    """Return a vote that has ended; the runs reply in their order, and again from the first where there are more."""
    requests: list[Request] = []
    course = course_of(said, question, heard=requests, **options)
    return Ended(course.run(), course, requests)


def number_of(step: str, seats: int) -> int:
    """The number of a run by its step: the further replies to one prompt are the seat's next runs."""
    first, _, further = step.removeprefix("run/r").partition("#")
    return int(first) + (int(further or 1) - 1) * seats


def course_of(
    said: Sequence[Said],
    question: Question = SERVER,
    *,
    seats: int = 1,
    reads_little: bool = False,
    budget: Budget | None = None,
    heard: list[Request] | None = None,
    **chosen: Any,
) -> Course:
    """Return a vote that has not begun."""

    def react(request: Request, number: int) -> Said:
        if heard is not None:
            heard.append(request)
        return said[(number_of(request.step, seats) - 1) % len(said)]

    header = Header(
        question=question,
        protocol=VOTE.name,
        protocol_version=VOTE.version,
        moot_version="0",
        settings=plain(VoteSettings.model_validate(chosen)),
        panel=seated([f"{'embedded' if reads_little else 'script'}:{number}" for number in range(seats)]),
        budget=budget or VOTE.budget,
        seed=11,
    )
    reactions: Mapping[str, Any] = {member.model: react for member in header.panel}
    return Course(header=header, row=VOTE, reactions=reactions, people={})
