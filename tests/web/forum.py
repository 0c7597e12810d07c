"""A protocol whose steps are all for others: a person, and whoever audits. It needs no panel."""

from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Missing, Reply
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation, Invitation
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.verdict import Status, Verdict
from moot.protocols import find_protocol

CONTEXT = {"summary": "Two say yes.", "because": ["it is quick", "it is cheap"], "answer": {"text": "yes", "sure": 0.5}}
"""In an order that no sorting gives."""


class Word(Reply):
    """What somebody says."""

    text: str
    weight: int = 1


async def forum(question: Question, deliberation: Deliberation, settings: Settings) -> Verdict:
    """Return what two of whom one is a person have said, and a last word of a person."""
    said: list[Any] = []
    for steps in ((("turn/1", "person"), ("audit/1", "auditor")), (("last~word/2", "person"),)):
        invitations = [
            Invitation(step=step, group=steps[0][0], role=role, title=f"Say it ({role}).", context=CONTEXT, reply=Word)
            for step, role in steps
        ]
        filled = await deliberation.invite_all(invitations)
        said += [f"{one.agent}: {one.reply.text}" for one in filled if not isinstance(one, Missing)]
    return Verdict("; ".join(said), Status.COMPLETE, "all have spoken", no_confidence("nobody measured it"))


FORUM = ProtocolSpec(
    name="forum",
    version=1,
    summary="people speak",
    run=forum,
    settings=Settings,
    seats=0,
    minimum=0,
    budget=Budget(calls=1),
    expected=lambda question, panel, settings: Expectation(0, 0, 0),
    submissions=(Word,),
)


def with_forum(name: str) -> ProtocolSpec:
    """Find a protocol, this one among them."""
    return FORUM if name == "forum" else find_protocol(name)
