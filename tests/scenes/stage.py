"""Every protocol with members who answer well, and what it takes to make some of them fail: who, how, from when on."""

import fnmatch
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Ask, Failure, Message, Missing, Prose, Reply, Request
from moot.core.canonical import plain
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.events import Header, event_from
from moot.core.panel import seated
from moot.core.ports import Embedder
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.evals.arms.protocols import find_eval_protocol
from moot.protocols.coherence.schemas import GraphFiles
from moot.runtime.house import Paused
from moot.service.results import Result
from tests.protocols import coherence_kit
from tests.protocols.debate import kit as debate_kit
from tests.protocols.interrogation import kit as interrogation_kit
from tests.protocols.prism import kit as prism_kit
from tests.protocols.spiral import kit as spiral_kit
from tests.runtime.protocol import Course

REFUSAL = "I'm sorry, but I cannot help with that."
TALK = "I would rather talk about the weather."

Said = str | Mapping[str, Any] | Failure


@dataclass(frozen=True)
class Act:
    """How a member fails, at the steps whose names fit."""

    how: str
    at: str = "*"

    def said(self, good: Said) -> Said:
        match self.how:
            case "refuses in JSON":
                return _declining(good)
            case "refuses":
                return REFUSAL
            case "is down":
                return Failure("unreachable", "nobody there")
            case "is late":
                return Failure("timeout", "too slow")
            case "talks":
                return TALK
        return json.loads(self.how)


@dataclass(frozen=True)
class Stage:
    """A protocol on which a scene is played: its question, settings, and members who all answer well."""

    row: ProtocolSpec
    question: Question
    good: Callable[[Request], Said]
    settings: Mapping[str, Any] = field(default_factory=dict)
    embedder: Embedder | None = None

    def play(self, acts: Mapping[str, Act], seats: int, budget: Budget | None, **more: Any) -> Result:
        """Return how the deliberation stands when it has ended or waits."""
        chosen = self.row.settings.model_validate({**self.settings, **more})

        def react(request: Request, number: int) -> Any:
            act, good = acts.get(request.seat), self.good(request)
            said = act.said(good) if act and fnmatch.fnmatchcase(request.step, act.at) else good
            return json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said

        header = Header(
            question=self.question,
            protocol=self.row.name,
            protocol_version=self.row.version,
            moot_version="0",
            settings=plain(chosen),
            panel=seated([f"script:{number}" for number in range(seats)]),
            budget=budget or self.row.budget,
            seed=11,
            data=self.row.made_from(chosen),
        )
        reactions = {member.model: react for member in header.panel}
        course = Course(header=header, row=self.row, reactions=reactions, people={}, embedder=self.embedder)
        waiting: tuple[Any, ...] = ()
        try:
            course.run()
        except Paused as paused:
            waiting = paused.steps
        record = Record(tuple(event_from(text) for text in course.disk.texts))
        return Result("d", record, record.status, record.spent, waiting)


def _declining(good: Said) -> Said:
    """The reply in good shape that answers with a refusal; where the shape has no place for one, the bare refusal."""
    if not isinstance(good, Mapping):
        return REFUSAL
    declined = {name: REFUSAL for name in good if name in Reply.puts_forward}
    return {**good, **declined} if declined else REFUSAL


async def council(question: Question, deliberation: Deliberation, settings: Settings) -> Verdict:
    """A protocol from outside that knows nothing of quorums: it takes the first answer and calls it complete."""
    asks = [
        Ask(f"opinion/{member.name}", member.name, (Message("user", question.text),), Prose)
        for member in deliberation.panel
    ]
    replies = await deliberation.ask_all(asks)
    answers = [reply.text for reply in replies if not isinstance(reply, Missing)]
    return Verdict(answers[0] if answers else None, Status.COMPLETE, "voted", no_confidence("nobody was asked for one"))


COUNCIL = ProtocolSpec("council", 1, "", council, Settings, 3, 1, Budget(calls=20), expected=lambda *_: None)  # ty: ignore[invalid-argument-type]


def _debate_reply(request: Request) -> Said:
    _, kind = debate_kit.parts(request.step)
    seat = request.seat
    said = debate_kit.response(concern=f"{seat} has a worry of its own", confidence=0.8)
    return debate_kit.DEFAULTS.get(kind, said)


def _interrogation_reply(request: Request) -> Said:
    told = interrogation_kit.KESTREL if request.schema else interrogation_kit.TOLD_KESTREL
    return interrogation_kit.answering([told])(request)


SOLO = "prism-v1-solo"

STAGES: Mapping[str, Stage] = {
    "single": Stage(
        find_eval_protocol("single"),
        Question(text="Which server?"),
        lambda request: {"reasoning": "It is written there.", "answer": "x9", "confidence": 0.8},
    ),
    "coherence": Stage(
        find_eval_protocol("coherence"),
        Question(text=coherence_kit.ASKED),
        lambda request: coherence_kit.answering()(request),
        {"graphs": GraphFiles(path="mine", texts=coherence_kit.GRAPHS)},
    ),
    "spiral": Stage(
        find_eval_protocol("spiral"),
        Question(text=spiral_kit.ASKED),
        spiral_kit.panel_of(*[spiral_kit.Member(spiral_kit.position("391", "17 times 23 is 391."))] * 9),
        embedder=spiral_kit.VECTORS,
    ),
    "interrogation": Stage(
        find_eval_protocol("interrogation"),
        Question(text=interrogation_kit.ASKED, documents=interrogation_kit.DOCUMENTS),
        _interrogation_reply,
        {"n": 6},
    ),
    "debate": Stage(
        find_eval_protocol("debate"), Question(text=debate_kit.TOPIC), _debate_reply, {"rounds": 3, "revise": False}
    ),
    "prism": Stage(
        find_eval_protocol("prism"),
        Question(text=prism_kit.CLAIM),
        lambda request: prism_kit.by_step({})(request.step),
        {"table": SOLO, "on_flag": "end"},
    ),
    "vote": Stage(
        find_eval_protocol("vote"),
        Question(text="How much is 6 times 7?"),
        lambda request: "answer = 6 * 7" if "program" in request.messages[-1].content else "Six sevens.\nAnswer: 42",
    ),
    "self-consistency": Stage(
        find_eval_protocol("self-consistency"),
        Question(text="How much is 6 times 7?", form="a number"),
        lambda request: "Six sevens.\nAnswer: 42",
        {"samples": 6},
    ),
    "council": Stage(COUNCIL, Question(text="Is it so?"), lambda request: f"Yes, says {request.seat}."),
}
