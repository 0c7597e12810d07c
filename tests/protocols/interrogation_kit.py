"""Interrogations with scripted members: what runs and verifications reply is a pure function of the request."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.events import Answered, Header, Unanswered, event_from
from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.protocols.interrogation.protocol import INTERROGATION
from moot.protocols.interrogation.schemas import InterrogationSettings
from tests.runtime.protocol import Course

LOG = Document(
    name="log.txt",
    text="Kestrel left the harbour on Monday. The pilot signed the crew list at noon. The radio was silent all night.",
)
PORT = Document(
    name="port.txt",
    text="The harbour master saw Kestrel go. Osprey had 12 crates aboard. No other vessel asked for a tug that day.",
)
DOCUMENTS = (LOG, PORT)
ASKED = "Which ship went to sea?"

LEFT = "Kestrel left the harbour on Monday."
SEEN = "The harbour master saw Kestrel go."
SILENT = "The radio was silent all night."
LOUD = "The radio was not silent all night."
PILOT = "The pilot signed the crew list at noon."
CRATES = "Osprey had 12 crates aboard."
IS_KESTREL = "The ship at sea is Kestrel."
IS_OSPREY = "The ship at sea is Osprey."

Said = str | Mapping[str, Any] | Failure


def given(name: str, claim: str, document: Any = None, quote: str | None = None) -> dict[str, Any]:
    """A claim that a document states, quoted in its own words unless told otherwise."""
    number = next((place for place, item in enumerate(DOCUMENTS, 1) if claim in item.text), 1)
    return {
        "type": "given",
        "id": name,
        "document": number if document is None else document,
        "quote": claim if quote is None else quote,
        "claim": claim,
    }


def inference(name: str, claim: str) -> dict[str, Any]:
    return {"type": "inference", "id": name, "claim": claim}


def conclusion(claim: str, name: str = "c") -> dict[str, Any]:
    return {"type": "conclusion", "id": name, "claim": claim}


def edge(source: str, target: str, relation: str = "supports") -> dict[str, Any]:
    return {"from": source, "to": target, "relation": relation}


def argument(
    answer: str, claim: str, *reasons: Mapping[str, Any], edges: Sequence[Any] | None = None
) -> dict[str, Any]:
    """A run's reply: every reason speaks for the conclusion, unless the edges say otherwise."""
    return {
        "reasoning": f"Private thoughts about {answer}.",
        "documents_say": True,
        "answer": answer,
        "conclusion_node": "c",
        "nodes": [conclusion(claim), *reasons],
        "edges": [edge(str(reason["id"]), "c") for reason in reasons] if edges is None else list(edges),
    }


UNKNOWN = {"reasoning": "", "documents_say": False, "answer": "", "conclusion_node": "", "nodes": [], "edges": []}
KESTREL = argument("Kestrel", IS_KESTREL, given("a", LEFT), given("b", SEEN))
OSPREY = argument("Osprey", IS_OSPREY, given("a", CRATES))
CONTRADICTED = argument("Kestrel", IS_KESTREL, given("a", LEFT), given("s", SILENT))
CONTRADICTING = argument("Osprey", IS_OSPREY, inference("n", LOUD), given("g", CRATES))


@dataclass
class Interrogated:
    """An interrogation that has ended."""

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
    def runs(self) -> list[Request]:
        return [request for request in self.requests if request.step.startswith("run/")]

    @property
    def verifications(self) -> list[Request]:
        return [request for request in self.requests if request.step.startswith("verify/")]

    @property
    def verified(self) -> list[str]:
        """The claims that were re-interrogated, in order."""
        return list(dict.fromkeys(claim_of(request) for request in self.verifications))

    def node(self, claim: str) -> Mapping[str, Any]:
        return next(node for node in self.detail["graph"]["nodes"] if node["claim"] == claim)

    def notes(self, name: str) -> list[Any]:
        return [note.data for note in self.record.notes if note.name == name]

    def steps(self, kind: type[Answered] | type[Unanswered]) -> list[str]:
        return [event.step for event in self.record.asked if isinstance(event, kind)]


def claim_of(request: Request) -> str:
    """The claim that a verification shows, between its fences."""
    return request.messages[1].content.rsplit("<<<", 1)[1].split("\n", 1)[1].rsplit("\n", 1)[0]


def answering(runs: Sequence[Said], verdicts: Mapping[str, str | Sequence[str]] | None = None, default="supported"):
    """Return a function of the request: the runs reply in their order, verifications by the claim they are shown."""

    def reply(request: Request) -> Said:
        kind, *rest = request.step.split("/")
        if kind == "run":
            return runs[(int(rest[0][1:]) - 1) % len(runs)]
        said = (verdicts or {}).get(claim_of(request), default)
        verdict = said if isinstance(said, str) else said[int(rest[-1]) - 1]
        return {"reason": f"{verdict}, says the log", "verdict": verdict} if verdict != "talk" else "Hard to say."

    return reply


def header(
    *,
    documents: Sequence[Document] = DOCUMENTS,
    question: str = ASKED,
    budget: Budget | None = None,
    seats: int = 1,
    **settings: Any,
) -> Header:
    return Header(
        question=Question(text=question, documents=tuple(documents)),
        protocol=INTERROGATION.name,
        protocol_version=INTERROGATION.version,
        moot_version="0",
        settings=InterrogationSettings(**settings).model_dump(),
        panel=seated([f"script:{number}" for number in range(seats)]),
        budget=INTERROGATION.budget if budget is None else budget,
        seed=11,
    )


def course(reply: Any, seen: list[Request] | None = None, **options: Any) -> Course:
    """Return the course of an interrogation whose members reply so; what they are sent is added to `seen`."""
    heard: list[Request] = [] if seen is None else seen

    def react(request: Request, number: int) -> Any:
        heard.append(request)
        said = reply(request)
        return json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said

    made = header(**options)
    return Course(header=made, row=INTERROGATION, reactions={member.model: react for member in made.panel})


def interrogated(
    *runs: Said, verdicts: Mapping[str, str | Sequence[str]] | None = None, default="supported", **options: Any
) -> Interrogated:
    """Run an interrogation whose runs reply as given, one after the other."""
    options.setdefault("n", len(runs))
    seen: list[Request] = []
    made = course(answering(runs, verdicts, default), seen, **options)
    return Interrogated(made.run(), made, seen)
