"""Scripted members of a council: each knows its answer, and whom it ranks where by the answers' texts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from moot_council.protocol import COUNCIL
from moot_council.rules import Ballot, Entry

from moot import Result, ask_sync
from moot.provider import Failure, Request
from moot.testing import Scripted, scripted

QUESTION = "Which bridge is the oldest?"
REFUSED = Failure("refused", "it will not")
AWAY = Failure("unreachable", "nobody is there")

SHOWN = re.compile(r"^Answer (\w+)\n<<<(\w+)\n(.*?)\n\2>>>", re.MULTILINE | re.DOTALL)


def member(
    answer: str | Failure, ranks: Sequence[str] | Failure | str = (), final: str | Failure = "written"
) -> Scripted:
    """Return a member with an answer, an order of answers by their texts (or a raw one as a text), and a final text."""

    def reply(request: Request) -> Mapping[str, Any] | Failure:
        stage = request.step.partition("/")[0]
        if stage == "answer":
            return answer if isinstance(answer, Failure) else {"reasons": f"because {answer}", "answer": answer}
        if stage == "chairman":
            return final if isinstance(final, Failure) else {"reasons": "so", "answer": final}
        return (
            ranks
            if isinstance(ranks, Failure)
            else {"order": ranks if isinstance(ranks, str) else picked(request, ranks)}
        )

    return scripted(reply)


def shown_answers(request: Request) -> dict[str, str]:
    """Return the answers in a prompt by the letters that they stand under, in their order."""
    return {letter: text for letter, _, text in SHOWN.findall(request.messages[-1].content)}


def picked(request: Request, texts: Sequence[str]) -> list[str]:
    """Return the letters of these texts in a prompt."""
    letters = {text: letter for letter, text in shown_answers(request).items()}
    return [letters[text] for text in texts]


def held_council(
    members: Sequence[Scripted], *, seats: int | None = None, question: str = QUESTION, **options: Any
) -> Result:
    """Return what a council comes to; every member is a model of its own, unless one model takes several seats."""
    models = {f"scripted:{number}": each for number, each in enumerate(members, 1)}
    protocol = replace(COUNCIL, seats=seats or len(members))
    return ask_sync(question, protocol=protocol, members=list(models), models=models, **options)


def request_of(each: Scripted, step: str) -> Request:
    """Return what a member was asked at a step."""
    return next(request for request in each.requests if request.step == step)


def steps_of(each: Scripted) -> list[str]:
    """Return the steps that a member was asked at."""
    return [request.step for request in each.requests]


def entries(*holders: str) -> tuple[Entry, ...]:
    """Return entries with these holders, seats parted by spaces: the answer of "m1 m3" is "m1's"."""
    return tuple(Entry(f"{seats.split()[0]}'s", "", tuple(seats.split())) for seats in holders)


def ballot(ranker: str, order: str) -> Ballot:
    """Return a ranking written as "m2 m1=m3"."""
    return Ballot(ranker, tuple(tuple(tier.split("=")) for tier in order.split()))
