"""A protocol that is not in every install: people speak in turn, and the answer rests on a graph of two claims."""

from pydantic import Field

from moot.argument import GraphStore
from moot.core.budget import Budget, Expectation
from moot.core.calls import Reply
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation, Invitation
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.verdict import Status, Verdict
from moot.protocols import find_protocol

PREMISE, ANSWER = "The quorum was there.", "The vote counts."
REPORT, FILE = "## What the council itself says", "minutes.txt"


class Word(Reply):
    """What somebody says."""

    text: str


class CouncilSettings(Settings):
    """How many people are waited for."""

    people: int = Field(default=0, description="how many speak")


async def council(question: Question, deliberation: Deliberation, settings: CouncilSettings) -> Verdict:
    """Return the one answer there is, once all have spoken."""
    for number in range(settings.people):
        await deliberation.invite_all([Invitation(f"turn {number}", f"turn {number}", "person", "Speak.", {}, Word)])
    return Verdict(ANSWER, Status.COMPLETE, "all have spoken", no_confidence("nobody measured it"), detail=_graph())


def _graph() -> dict[str, object]:
    graph = GraphStore()
    nodes = [
        {"id": "p", "claim": PREMISE, "type": "given", "confidence": 0.9},
        {"id": "a", "claim": ANSWER, "type": "conclusion", "confidence": 0.9},
    ]
    graph.assert_graph("graph", nodes, [{"src": "p", "dst": "a", "relation": "supports", "confidence": 0.9}])
    candidate = {"id": "a", "claim": ANSWER, "answer": ANSWER, "surviving_width": 1}
    return {"graph": graph.to_json("graph"), "candidates": [candidate]}


COUNCIL = ProtocolSpec(
    name="council",
    version=1,
    summary="people speak in turn",
    run=council,
    settings=CouncilSettings,
    seats=0,
    minimum=0,
    budget=Budget(calls=1),
    expected=lambda question, panel, settings: Expectation(0, 0, 0),
    submissions=(Word,),
    report=lambda record: REPORT,
    files=lambda record: {FILE: "all have spoken\n"},
)


def with_council(name: str) -> ProtocolSpec:
    """Find a protocol, this one among them."""
    return COUNCIL if name == "council" else find_protocol(name)
