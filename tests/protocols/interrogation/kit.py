"""Interrogations with scripted members: what runs and checks reply is a pure function of the request."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Answered, Header, Unanswered
from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.protocols.interrogation.protocol import INTERROGATION
from moot.protocols.interrogation.schemas import InterrogationSettings
from tests.protocols.ended import Ended
from tests.protocols.vote_kit import number_of
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
PILOT = "The pilot signed the crew list at noon."
SILENT = "The radio was silent all night."
SEEN = "The harbour master saw Kestrel go."
CRATES = "Osprey had 12 crates aboard."
SENTENCES = (LEFT, PILOT, SILENT, SEEN, CRATES, "No other vessel asked for a tug that day.")
LOUD = "The radio was not silent all night."
QUIET = "Kestrel left, and the radio was silent."
IS_KESTREL = "The ship at sea is Kestrel."
IS_OSPREY = "The ship at sea is Osprey."
TALK = "I would rather talk about the weather."

Said = str | Mapping[str, Any] | Failure


def step(name: str, claim: str, *because: Any) -> dict[str, Any]:
    """A step; a sentence of the documents rests on itself unless told otherwise."""
    stated = [SENTENCES.index(claim) + 1] if claim in SENTENCES else []
    return {"id": name, "claim": claim, "because": list(because) or stated}


def argument(
    answer: str, claim: str, *steps: Mapping[str, Any], lines: Sequence[Sequence[Any]] | None = None, **more: Any
) -> dict[str, Any]:
    """A run's reply in the form `graph`: every step is a line of its own to the conclusion, unless `lines` says so."""
    first, *others = [[one["id"]] for one in steps] if lines is None else map(list, lines)
    return {
        "reasoning": f"Private thoughts about {answer}.",
        "assumptions": [],
        "steps": [*steps, *(step(f"c{place}", claim, *line) for place, line in enumerate(others, 2))],
        "objections": [],
        "conclusion": {"claim": claim, "because": first},
        "answer": answer,
        **more,
    }


def states(answer: str, *reasons: str) -> str:
    """A run's reply in free text."""
    return "\n".join([*reasons, f"Answer: {answer}"])


NOT_STATED = "The documents do not say."
UNKNOWN = argument("not stated", "The documents do not name the ship.", lines=[()])
KESTREL = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("b", SEEN))
OSPREY = argument("Osprey", IS_OSPREY, step("a", CRATES))
CONTRADICTED = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("s", SILENT))
CONTRADICTING = argument("Osprey", IS_OSPREY, step("n", LOUD, "g"), step("g", CRATES))
INVENTED = "The tug towed Kestrel out at dawn."

TOLD_KESTREL = states("Kestrel", LEFT)
TOLD_OSPREY = states("Osprey", CRATES)


class Interrogated(Ended):
    """An interrogation that has ended."""

    @property
    def runs(self) -> list[Request]:
        return [request for request in self.requests if request.step.startswith("run/")]

    @property
    def verifications(self) -> list[Request]:
        return [request for request in self.requests if request.step.startswith("verify/")]

    @property
    def followed(self) -> list[Request]:
        """The checks of steps with their sentences alone."""
        return [request for request in self.requests if request.step.startswith("follows/")]

    @property
    def verified(self) -> list[str]:
        """The claims that were re-interrogated, in order."""
        return list(dict.fromkeys(claim_of(request) for request in self.verifications))

    def node(self, claim: str) -> Mapping[str, Any]:
        return next(node for node in self.detail["graph"]["nodes"] if node["claim"] == claim)

    def ended(self, kind: type[Answered] | type[Unanswered]) -> list[str]:
        """The steps that ended so."""
        return [event.step for event in self.record.asked if isinstance(event, kind)]

    def candidates(self, *figures: str) -> list[tuple[Any, ...]]:
        return [tuple(item[name] for name in figures) for item in self.detail["candidates"]]


def claim_of(request: Request) -> str:
    """The claim that a check shows, between its fences."""
    return request.messages[1].content.split("<<<", 1)[1].split("\n", 1)[1].split(">>>", 1)[0].rsplit("\n", 1)[0]


def deciding(verdict: str, claim: str) -> int | None:
    """The sentence that a verification names: the claim's own words for it, a sentence about the same against it."""
    if verdict == "supported":
        return SENTENCES.index(claim) + 1 if claim in SENTENCES else None
    words = set(re.findall(r"\w{5,}", claim))
    others = (place for place, one in enumerate(SENTENCES, 1) if one != claim and words & set(re.findall(r"\w+", one)))
    return next(others, None) if verdict == "refuted" else None


def verification(verdict: str, claim: str, sentence: Any = None) -> Said:
    """What a verification replies, in the words it is asked for; `talk` is no verdict."""
    said = {"supported": "say this", "refuted": "say the contrary", "not_determinable": "do not say"}
    if verdict == "talk":
        return "Hard to say."
    named = deciding(verdict, claim) if sentence is None else sentence
    return {"reason": f"{verdict}, says the log", "sentence": named, "says": said[verdict]}


Verdicts = Mapping[str, str | Sequence[Any]]
"""What is said of a claim: by all, or one after the other; a verdict, or one with the sentence it names."""


def answering(
    runs: Sequence[Said],
    verdicts: Verdicts | None = None,
    default: str = "supported",
    follows: Mapping[str, str | Sequence[str]] | None = None,
    seats: int = 1,
) -> Callable[[Request], Said]:
    """Return a function of the request: the runs reply in their order, checks by the claim they are shown."""

    def reply(request: Request) -> Said:
        kind, *rest = request.step.split("/")
        if kind == "run":
            return runs[(number_of(request.step, seats) - 1) % len(runs)]
        claim, place = claim_of(request), int(rest[-1]) - 1
        if kind == "follows":
            said: Any = (follows or {}).get(claim, "yes")
            return {"reason": "as it is put", "follows": said if isinstance(said, str) else said[place]}
        said = (verdicts or {}).get(claim, default)
        said = said if isinstance(said, str) else said[place]
        return verification(said, claim) if isinstance(said, str) else verification(said[0], claim, said[1])

    return reply


def header(
    *,
    documents: Sequence[Document] = DOCUMENTS,
    question: str = ASKED,
    asked_as: str = "",
    budget: Budget | None = None,
    seats: int = 1,
    kind: str = "script",
    **settings: Any,
) -> Header:
    return Header(
        question=Question(text=question, documents=tuple(documents), form=asked_as),
        protocol=INTERROGATION.name,
        protocol_version=INTERROGATION.version,
        moot_version="0",
        settings=plain(InterrogationSettings.model_validate(settings)),
        panel=seated([f"{kind}:{number}" for number in range(seats)]),
        budget=INTERROGATION.budget if budget is None else budget,
        seed=11,
    )


def course(reply: Callable[[Request], Said], seen: list[Request] | None = None, **options: Any) -> Course:
    """Return the course of an interrogation whose members reply so; what they are sent is added to `seen`."""
    heard: list[Request] = [] if seen is None else seen

    def react(request: Request, number: int) -> Any:
        heard.append(request)
        said = reply(request)
        return json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said

    made = header(**options)
    return Course(header=made, row=INTERROGATION, reactions={member.model: react for member in made.panel})


def interrogated(
    *runs: Said,
    verdicts: Verdicts | None = None,
    default: str = "supported",
    follows: Mapping[str, str | Sequence[str]] | None = None,
    **options: Any,
) -> Interrogated:
    """Run an interrogation whose runs reply as given, one after the other; that many, unless `stop` says when."""
    if "stop" not in options:
        options.setdefault("n", len(runs))
    seen: list[Request] = []
    made = course(answering(runs, verdicts, default, follows, options.get("seats", 1)), seen, **options)
    return Interrogated(made.run(), made, seen)
