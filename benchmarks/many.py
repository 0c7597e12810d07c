"""Four replies to one prompt beside one, on the embedded model: `python benchmarks/many.py`, on an idle machine.

Each way is asked twice in turn with a prompt of its own, so that no prompt is in the cache, and the best counts.
CPU seconds stand beside the clock: where they are far from the cores' time, others were at work.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import psutil

from moot.core.calls import Completion, Failure, Message, Request
from moot.gateway.gateway import Gateway
from moot.service.opening import gateway_options

REPLIES, WRITTEN, READ = 4, 40, 590
BOUND = 1.4
ROUNDS = 2
FACTS = (
    "Rack {n} holds server x{n}, which runs Linux and was patched on day {n}.",
    "Server x{n} serves {n} users of the harbour office.",
)


@dataclass(frozen=True)
class Taken:
    """What one way took."""

    seconds: float
    cpu: float
    tokens_in: int
    tokens_out: int


def request(mark: int, n: int) -> Request:
    """A prompt of about 590 tokens that begins like no other, and replies that go on to their end."""
    facts = " ".join(fact.format(n=mark * 100 + number) for number in range(12) for fact in FACTS)
    text = f"Case {mark}. {facts}\n\nWrite a long story about the harbour office, its racks and its servers."
    return Request("draw", "m1", "", (Message("user", text),), 0.8, WRITTEN, seed=mark, schema=None, n=n)


async def allowed(_number: int) -> bool:
    return True


async def asked(gateway: Gateway, spec: str, mark: int, n: int) -> list[Completion]:
    model = gateway.model(spec)
    wanted = request(mark, n)
    if model.at_once(wanted) < n:
        sys.exit(f"{spec} writes fewer than {n} replies at once; unset MOOT_SLOTS and MOOT_CONTEXT")
    reply = await model.complete(wanted, before_retry=allowed)
    if isinstance(reply, Failure):
        sys.exit(f"{spec}: {reply.detail}")
    return [reply, *reply.more]


async def timed(ask: Callable[[], Awaitable[list[Completion]]]) -> Taken:
    before, begun = cpu_seconds(), time.perf_counter()
    replies = await ask()
    seconds, cpu = time.perf_counter() - begun, cpu_seconds() - before
    usages = [reply.usage for reply in replies]
    return Taken(seconds, cpu, sum(one.tokens_in or 0 for one in usages), sum(one.tokens_out or 0 for one in usages))


def cpu_seconds() -> float:
    """What this process and the model's have worked."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in processes)


async def in_turn(gateway: Gateway, spec: str, mark: int) -> list[Completion]:
    """Ask for the same number one after another: each but the first finds its prompt in the cache."""
    replies = [await asked(gateway, spec, mark, 1) for _ in range(REPLIES)]
    return [reply for (reply,) in replies]


async def measure(spec: str) -> int:
    async with Gateway(os.environ, replace(gateway_options(os.environ), offline=True)) as gateway:
        await gateway.start([spec])
        await asked(gateway, spec, 1, 1)
        ways: dict[str, Callable[[int], Awaitable[list[Completion]]]] = {
            "one reply": lambda mark: asked(gateway, spec, mark, 1),
            f"{REPLIES} replies by one request": lambda mark: asked(gateway, spec, mark, REPLIES),
            f"{REPLIES} replies in turn": lambda mark: in_turn(gateway, spec, mark),
        }
        best: dict[str, Taken] = {}
        for turn in range(ROUNDS):
            for place, (name, way) in enumerate(ways.items()):
                mark = 2 + turn * len(ways) + place
                taken = await timed(lambda way=way, mark=mark: way(mark))
                best[name] = min(best.get(name, taken), taken, key=lambda one: one.seconds)
    return report(best)


def report(best: dict[str, Taken]) -> int:
    one, several, *_ = best.values()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; best of {ROUNDS}")
    for name, taken in best.items():
        print(
            f"{name:<28} {taken.seconds:6.1f} s  {taken.cpu:6.1f} s CPU  {taken.tokens_in} tokens read, "
            f"{taken.tokens_out} written  {taken.seconds / one.seconds:.2f} times one"
        )
    ratio = several.seconds / one.seconds
    print(f"{ratio:.2f} times as long as one reply; at most {BOUND}")
    return int(ratio > BOUND)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--member", default="embedded", help="an embedded member")
    sys.exit(asyncio.run(measure(parser.parse_args().member)))
