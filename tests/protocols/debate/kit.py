"""Debates with scripted members: what an agent replies is a pure function of seat, round and kind of request."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Completion, Failure, Request, Usage
from moot.core.events import Answered, Header, Unanswered
from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.core.tokens import prompt_tokens
from moot.protocols.debate.protocol import DEBATE
from moot.protocols.debate.schemas import DebateSettings
from tests.protocols.ended import Ended
from tests.runtime.protocol import Course

TOPIC = "Should the harbour build a second pier?"
LOG = Document(
    name="log.txt",
    text="Twelve ships waited outside in June.\n\nThe old pier takes four ships a day.\n\nThe budget holds 900 crowns.",
)
COSTS = Document(name="costs.txt", text="A second pier costs 800 crowns.\n\nDredging the basin costs 300 crowns.")
DOCUMENTS = (LOG, COSTS)

Said = str | Mapping[str, Any] | Failure
CLEAR = {"reasoning": "Nothing here is dangerous.", "blocks": [], "clear": True}


def fact(text: str, number: int = 1) -> str:
    return f"{text} [{number}]"


def reference(number: int, title: str, quote: str) -> dict[str, Any]:
    return {"number": number, "title": title, "quote": quote}


def response(answer: str = "yes", confidence: float = 0.75, vote: str = "ACCEPT", **more: Any) -> dict[str, Any]:
    """A response without a breach: labelled, with a concern and an alternative."""
    return {
        "reasoning": f"I have weighed it and come to {answer}.",
        "position": f"My position is {answer} as things stand.",
        "answer": answer,
        "confidence": confidence,
        "epistemicClaims": {"facts": [], "inferences": [f"It follows that {answer} is right"], "assumptions": []},
        "vote": vote,
        "objection": "The cost is not shown." if vote == "BLOCKER" else "",
        "concern": f"Somebody may regret {answer}",
        "alternatives": [
            {"option": "wait a year", "rejectedBecause": "ships wait now"},
            {"option": "dredge", "rejectedBecause": "it does not last"},
        ],
        **more,
    }


class Debated(Ended):
    """A debate that has ended."""

    def context(self, step: str) -> Mapping[str, Any]:
        """What a round's prompt shows of the debate so far."""
        text = self.request(step).messages[1].content
        return json.loads(text.split("<<<", 1)[1].split("\n", 1)[1].split("\n", 1)[0])

    def claim(self, text: str) -> Mapping[str, Any]:
        return next(item for item in self.detail["debateState"]["claims"] if item["text"] == text)

    def unanswered(self) -> list[str]:
        return [event.step for event in self.record.asked if isinstance(event, Unanswered)]

    def answered(self) -> list[str]:
        return [event.step for event in self.record.asked if isinstance(event, Answered)]


Reply = Callable[[str, int, str], Said | None]
"""Seat, round, and what is asked: "" for a response, else lookup, revision, safety or mitigations."""

DEFAULTS: Mapping[str, Said] = {"lookup": {"calls": []}, "safety": CLEAR, "mitigations": {"mitigations": []}}


def parts(step: str) -> tuple[int, str]:
    _, number, *rest = step.split("/")
    return int(number), "safety" if rest[0] == "safety" else rest[1] if len(rest) > 1 else ""


def header(
    *,
    documents: Sequence[Document] = (),
    topic: str = TOPIC,
    budget: Budget | None = None,
    seats: int = 3,
    **chosen: Any,
) -> Header:
    return Header(
        question=Question(text=topic, documents=tuple(documents)),
        protocol=DEBATE.name,
        protocol_version=DEBATE.version,
        moot_version="0",
        settings=DebateSettings(**chosen).model_dump(),
        panel=seated([f"script:{number}" for number in range(seats)]),
        budget=DEBATE.budget if budget is None else budget,
        seed=11,
    )


def course(
    reply: Reply,
    seen: list[Request] | None = None,
    people: Any = None,
    bytes_per_token: float | None = None,
    **options: Any,
) -> Course:
    """Return the course of a debate whose members reply so; what they are sent is added to `seen`.

    With `bytes_per_token` they report what a tokenizer of their own makes of their prompts.
    """
    heard: list[Request] = [] if seen is None else seen

    def react(request: Request, number: int) -> Any:
        heard.append(request)
        round_number, kind = parts(request.step)
        said = reply(request.seat, round_number, kind)
        if said is None and kind == "revision":
            said = reply(request.seat, round_number, "")
        said = DEFAULTS.get(kind, "I would rather not.") if said is None else said
        text = json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said
        if bytes_per_token is None or not isinstance(text, str):
            return text
        return Completion(text, Usage(prompt_tokens(request.messages, bytes_per_token), 1, 0.0))

    made = header(**options)
    reactions = {member.model: react for member in made.panel}
    return Course(header=made, row=DEBATE, reactions=reactions, people=people or {})


def debated(reply: Reply | Mapping[str, Any], people: Any = None, **options: Any) -> Debated:
    """Run a debate; a mapping gives each seat one response for all rounds, or a list of them."""
    seen: list[Request] = []
    made = course(by_seat(reply) if isinstance(reply, Mapping) else reply, seen, people, **options)
    return Debated(made.run(), made, seen)


def by_seat(replies: Mapping[str, Any]) -> Reply:
    def reply(seat: str, number: int, kind: str) -> Said | None:
        if kind:
            return None
        said = replies[seat]
        return said[min(number, len(said)) - 1] if isinstance(said, list) else said

    return reply


def everybody(*rounds: Said) -> Reply:
    """Everybody says the same in a round; the last of the list goes on."""
    return lambda seat, number, kind: None if kind else rounds[min(number, len(rounds)) - 1]
