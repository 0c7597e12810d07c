"""Scripted members of a council: each knows its answer, and whom it ranks where by the answers' texts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from moot_council.protocol import COUNCIL
from moot_council.replies import Final
from moot_council.rules import Ballot, Entry, Spoilt, merged_entries
from moot_council.session import Session
from moot_council.verdicts import council_verdict

from moot import Result, ask_sync
from moot.protocol import Member, Missing, Panel, Verdict
from moot.provider import Failure, Request
from moot.testing import Scripted, scripted

PACKAGE = Path(__file__).parents[1]
QUESTION = "Which bridge is the oldest?"
REFUSED = Failure("refused", "it will not")
AWAY = Failure("unreachable", "nobody is there")

SHOWN = re.compile(r"^Answer (\w+)\n<<<(\w+)\n(.*?)\n\2>>>", re.MULTILINE | re.DOTALL)


def member(
    answer: str | Failure, ranks: Sequence[str] | str | Failure = (), final: str | Failure = "written"
) -> Scripted:
    """Return a member with an answer, an order of answers by their texts (or its letters as one text), and a final."""

    def reply(request: Request) -> Mapping[str, Any] | Failure:
        match request.step.partition("/")[0]:
            case "answer":
                return answer if isinstance(answer, Failure) else {"reasons": f"because {answer}", "answer": answer}
            case "chairman":
                return final if isinstance(final, Failure) else {"reasons": "so", "answer": final}
        if isinstance(ranks, Failure):
            return ranks
        return {"order": ranks if isinstance(ranks, str) else picked(request, ranks)}

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


def verdict_on(
    answers: Sequence[str],
    orders: Sequence[str] = (),
    final: str | None = "written",
    follows: str = "A",
    models: Sequence[str] = ("a", "b", "c", "d"),
) -> Verdict:
    """Return the verdict on a session; an empty order is an unusable ranking, no final text a missing chairman.

    The chairman sees the answers best first, so that A is the one ranked first.
    """
    seats = [f"m{number}" for number in range(1, len(answers) + 1)]
    session = Session(
        panel=Panel(tuple(Member(seat, model) for seat, model in zip(seats, models, strict=False))),
        entries=merged_entries(zip(seats, answers, answers, strict=True)),
        chairman="m1",
        is_named=False,
        papers=tuple(
            ballot(seat, order) if order else Spoilt(seat, "it puts A in two places")
            for seat, order in zip(seats, orders, strict=False)
        ),
    )
    if len(session.entries) == 1:
        return council_verdict(session)
    away = Missing("m1", "chairman", "unreachable")
    return council_verdict(session.with_final(away if final is None else Final(answer=final, follows=follows)))
