"""Spirals with scripted members and the real static vectors: replies are a pure function of the request."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Header
from moot.core.panel import seated
from moot.core.ports import Embedder
from moot.core.question import Question
from moot.gateway.embeddings import StaticEmbedder
from moot.protocols.spiral.protocol import SPIRAL
from moot.protocols.spiral.schemas import SpiralSettings
from tests.protocols.ended import Ended
from tests.runtime.protocol import Course

VECTORS = StaticEmbedder()
ASKED = "How much is 17 times 23?"

Said = str | Mapping[str, Any] | Failure
Reply = Callable[[Request], Said]

EQUIVALENT = {"reasoning": "", "a_to_b": "entails", "b_to_a": "entails", "same": [], "contradicting": []}
OPPOSED = {**EQUIVALENT, "a_to_b": "contradicts", "b_to_a": "contradicts"}
NEUTRAL = {**EQUIVALENT, "a_to_b": "neutral", "b_to_a": "neutral"}
ACCEPTS = {answer: {"why": "So it seems.", "accepts": answer} for answer in (True, False)}
NOTHING_DENIED = {"why": "", "denies": False, "axiom": ""}
UNREACHABLE = Failure("unreachable", "nobody there")


def position(answer: str, *claims: str) -> dict[str, Any]:
    return {"reasoning": "So it seems.", "why": "So it seems.", "answer": answer, "claims": list(claims)}


@dataclass(frozen=True)
class Member:
    """What a member says at the exposition, and by the step where it changes its mind; till then it stays."""

    first: Said
    later: Mapping[str, Said] = field(default_factory=dict)
    """By the beginning of a step's name without the seat, such as `revise/1` or `stretto/6`."""
    checks: Sequence[Mapping[str, Any]] = ()
    accepts: Said = field(default_factory=lambda: ACCEPTS[False])
    """What it says to a draft."""


def panel_of(
    *members: Member,
    judge: Callable[[str], Said] | None = None,
    examiner: Callable[[str], Said] | None = None,
) -> Reply:
    """Return the replies of a panel. `judge` gets the prompt of a comparison; without it, what differs is neutral.

    `examiner` gets the prompt of an examination for self-reference; without it, nothing is denied.
    """
    order = ("revise", "synthesis", "solo", "stretto")

    def reply(request: Request) -> Said:
        kind, *rest = request.step.split("/")
        member = members[int(request.seat[1:]) - 1]
        if kind == "judge":
            return judge(request.messages[1].content) if judge else NEUTRAL
        if kind == "self":
            return examiner(request.messages[1].content) if examiner else NOTHING_DENIED
        if kind == "accept":
            return member.accepts
        if kind == "oracles":
            return {"checks": list(member.checks)}
        if kind == "exposition":
            return member.first
        loop = int(rest[0])
        told = [
            (int(name.split("/")[1]), order.index(name.split("/")[0]) == len(order) - 1, said)
            for name, said in member.later.items()
            if (int(name.split("/")[1]), name.split("/")[0] == "stretto") <= (loop, kind == "stretto")
        ]
        return max(told, key=lambda item: item[:2])[2] if told else member.first

    return reply


def course(
    reply: Reply,
    seen: list[Request],
    *,
    question: str | Question = ASKED,
    seats: int = 3,
    models: int | None = None,
    budget: Budget | None = None,
    embedder: Embedder | None = VECTORS,
    **settings: Any,
) -> Course:
    chosen = SpiralSettings(**settings)

    def react(request: Request, number: int) -> Any:
        seen.append(request)
        said = reply(request)
        return json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said

    header = Header(
        question=Question(text=question) if isinstance(question, str) else question,
        protocol=SPIRAL.name,
        protocol_version=SPIRAL.version,
        moot_version="0",
        settings=plain(chosen),
        panel=seated([f"script:{number % (models or seats)}" for number in range(seats)]),
        budget=SPIRAL.budget if budget is None else budget,
        seed=11,
        data=SPIRAL.made_from(chosen),
    )
    reactions = {member.model: react for member in header.panel}
    return Course(header=header, row=SPIRAL, reactions=reactions, embedder=embedder)


def spiralled(reply: Reply, **options: Any) -> Ended:
    """Run a spiral whose members reply so."""
    seen: list[Request] = []
    made = course(reply, seen, **options)
    return Ended(made.run(), made, seen)
