"""`single` with a scripted member, which replies in its order."""

from collections.abc import Mapping
from typing import Any

from moot.core.calls import Request
from moot.core.canonical import canonical, plain
from moot.core.events import Header
from moot.core.panel import seated
from moot.core.question import Question
from moot.protocols.single.protocol import SINGLE
from moot.protocols.single.schemas import SingleSettings
from tests.protocols.ended import Ended
from tests.protocols.vote_kit import SERVER
from tests.runtime.protocol import Course


def answered(*said: str | Mapping[str, Any], question: Question = SERVER) -> Ended:
    """Return a run of one answer, where the member says one thing after the other."""
    left = iter(said)

    def react(request: Request, number: int) -> str:
        now = next(left)
        return now if isinstance(now, str) else canonical(now)

    header = Header(
        question=question,
        protocol=SINGLE.name,
        protocol_version=SINGLE.version,
        moot_version="0",
        settings=plain(SingleSettings()),
        panel=seated(["script:0"]),
        budget=SINGLE.budget,
        seed=11,
    )
    course = Course(header=header, row=SINGLE, reactions={"script:0": react}, people={})
    return Ended(course.run(), course, [])
