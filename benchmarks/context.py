"""A debate's context over twenty rounds beside the full-transcript way, and a parallel round beside one call.

Scripted members, no model: the first part counts tokens by Moot's upper estimate, the second measures the clock.
`python benchmarks/context.py`
"""

import argparse
import asyncio
import tempfile
import time

from moot.core.budget import Budget
from moot.core.calls import Request
from moot.core.question import Question
from moot.core.tokens import estimated_tokens, prompt_tokens
from moot.gateway.gateway import GatewayOptions
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.testing import Scripted, scripted

ROUNDS, AGENTS = 20, 6
BOUND = 10_000
SPEAKERS, DELAY = 8, 0.2
WORDS = (
    "harbour",
    "pier",
    "ship",
    "quay",
    "crane",
    "toll",
    "tide",
    "basin",
    "dredge",
    "crew",
    "cargo",
    "winter",
    "ice",
)


def said(request: Request) -> dict[str, object]:
    """A long response with new claims in every round, by an agent that changes its mind."""
    number, seat = int(request.step.split("/")[1]), int(request.seat[1:])
    mark = number * AGENTS + seat

    def sentence(place: int) -> str:
        picked = (WORDS[(mark * (place + 3) + step * (place + 1)) % len(WORDS)] for step in range(8))
        return f"{' '.join(picked)} {mark}{place}"

    return {
        "reasoning": " ".join(sentence(place) for place in range(24)),
        "position": f"In round {number} I hold that {sentence(1)}",
        "answer": "yes" if number % 2 else "no",
        "confidence": 0.4 + 0.5 * (number % 2),
        "epistemicClaims": {
            "facts": [f"{sentence(2)} [1]", f"{sentence(3)} [1]"],
            "inferences": [sentence(4), sentence(5)],
            "assumptions": [sentence(6)],
        },
        "references": [{"number": 1, "title": f"source {mark}", "quote": sentence(7)}],
        "vote": "BLOCKER" if number % 2 else "MINOR",
        "objection": sentence(8),
        "concern": sentence(9),
        "alternatives": [{"option": sentence(10), "rejectedBecause": sentence(11)}] * 2,
        "alignment": (seat % 3) - 1,
    }


async def debate(member: Scripted, seats: int, **settings: object) -> int:
    with tempfile.TemporaryDirectory() as home:
        options = GatewayOptions(calls_at_once=seats)
        async with open_service({"MOOT_HOME": home}, options=options, models={"scripted:a": member}) as service:
            order = Order(
                Question(text="Should the harbour build a second pier?"),
                protocol="debate",
                members=(f"scripted:a*{seats}",),
                settings=settings,
                budget=Budget(calls=10_000),
                seed=1,
            )
            result = await service.ask(order)
            return int(result.record.verdict.detail["rounds"]) if result.record.verdict else 0


def context() -> None:
    member = scripted(said)
    rounds = asyncio.run(debate(member, AGENTS, rounds=ROUNDS, context=BOUND, max_tokens=2_000))
    assert rounds == ROUNDS
    by_round: dict[int, list[Request]] = {}
    for request in member.requests:
        if request.step.count("/") == 2:
            by_round.setdefault(int(request.step.split("/")[1]), []).append(request)
    transcript = 0
    first = max(prompt_tokens(request.messages) for request in by_round[1])
    print(f"tokens of the longest prompt of a round, {AGENTS} agents, {ROUNDS} rounds")
    print(f"{'round':>5}  {'debate':>7}  {'full transcript':>15}  {'ratio':>5}")
    for number in range(1, ROUNDS + 1):
        longest = max(prompt_tokens(request.messages) for request in by_round[number])
        assert longest < BOUND, f"round {number} takes {longest} tokens"
        print(f"{number:>5}  {longest:>7}  {first + transcript:>15}  {(first + transcript) / longest:>5.1f}")
        transcript += sum(estimated_tokens(_text(request)) for request in by_round[number])


def _text(request: Request) -> str:
    reply = said(request)
    parts = (request.seat, reply["position"], reply["reasoning"], reply["confidence"], reply["references"])
    return "\n".join(map(str, parts))


def parallel() -> None:
    moments: list[float] = []

    async def slow(request: Request) -> dict[str, object]:
        moments.append(time.perf_counter())
        await asyncio.sleep(DELAY)
        moments.append(time.perf_counter())
        return said(request)

    async def span(seats: int) -> float:
        moments.clear()
        await debate(scripted(slow), seats, rounds=1, revise=False)
        return max(moments) - min(moments)

    async def one_call() -> float:
        begun = time.perf_counter()
        await slow(Request("round/1/m1", "m1", "", (), 0.0, 1, 0, None))
        return time.perf_counter() - begun

    single, together = asyncio.run(one_call()), asyncio.run(span(SPEAKERS))
    print(f"\na parallel round of {SPEAKERS} members at {1000 * DELAY:.0f} ms each, first call sent to last answered:")
    print(f"{1000 * together:.0f} ms beside {1000 * single:.0f} ms of one call, ratio {together / single:.2f}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    context()
    parallel()
