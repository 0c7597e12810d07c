"""What Moot adds to a call: CPU beside the bare SDK, start-up beside typer alone, memory over many calls.

Both sides make the same calls to the same fake server in the same run, and their replies are compared.
Run it on an idle machine: `make bench`.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Missing, Prose
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.verdict import Status, Verdict
from moot.gateway.gateway import GatewayOptions
from moot.runtime.steps import step_seed
from moot.service.opening import open_service
from moot.service.orders import Order

FAKE_SERVER = Path(__file__).parents[1] / "tests" / "fake_server.py"
MODEL = "well"
AT_A_TIME = 200
COMPARED = 2_000
SEED = 7


def prompt(number: int) -> str:
    return f"Question {number}: what is the capital of the country numbered {number}?"


@contextmanager
def fake_server(delay_ms: int) -> Generator[str]:
    command = [sys.executable, str(FAKE_SERVER), "--delay-ms", str(delay_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield json.loads(server.stdout.readline())["url"]
        server.terminate()


async def bare(url: str, calls: int) -> list[str]:
    """The SDK with its aiohttp transport, and nothing else."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    async def one(client: AsyncOpenAI, number: int) -> str:
        reply = await client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": prompt(number)}],
            temperature=0.0,
            max_tokens=64,
            seed=step_seed(SEED, f"call/{number}"),
        )
        return reply.choices[0].message.content or ""

    texts: list[str] = []
    async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=DefaultAioHttpClient()) as client:
        for start in range(0, calls, AT_A_TIME):
            numbers = range(start, min(start + AT_A_TIME, calls))
            texts += await asyncio.gather(*(one(client, number) for number in numbers))
    return texts


def rounds_of(calls: int, kept: list[str], watch: list[int]) -> ProtocolSpec:
    async def run(question: Question, deliberation: Deliberation, settings: Settings) -> Verdict:
        for start in range(0, calls, AT_A_TIME):
            asks = [
                Ask(f"call/{number}", "m1", (Message("user", prompt(number)),), Prose, 0.0, 64)
                for number in range(start, min(start + AT_A_TIME, calls))
            ]
            replies = await deliberation.ask_all(asks)
            if len(kept) < COMPARED:
                kept.extend(reply.text for reply in replies if not isinstance(reply, Missing))
            watch.append(resident())
        return Verdict("done", Status.COMPLETE, "all asked", no_confidence("a benchmark"))

    return ProtocolSpec(
        name="rounds",
        version=1,
        summary="rounds of calls",
        run=run,
        settings=Settings,
        seats=1,
        minimum=1,
        budget=Budget(calls=10 * calls),
        expected=lambda question, panel, settings: Expectation(calls, 0, 0),
    )


async def moot(url: str, calls: int, home: Path, watch: list[int]) -> list[str]:
    """The same calls through a protocol, with journal, events and parsing."""
    kept: list[str] = []
    row = rounds_of(calls, kept, watch)
    environ = {"MOOT_HOME": str(home)}
    options = GatewayOptions(calls_at_once=AT_A_TIME)
    async with open_service(environ, options=options, protocols=lambda _: row) as service:
        order = Order(Question(text="benchmark"), protocol="rounds", members=(f"{url}#{MODEL}",), seed=SEED)
        result = await service.ask(order)
    assert result.status is Status.COMPLETE
    return kept


def resident() -> int:
    with Path("/proc/self/statm").open() as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def cpu(work: Callable[..., Coroutine[Any, Any, list[str]]], *arguments: object) -> tuple[float, list[str]]:
    begun = time.process_time()
    texts = asyncio.run(work(*arguments))
    return time.process_time() - begun, texts


def per_call(calls: int, repeats: int) -> float:
    ratios = []
    with fake_server(100) as url:
        asyncio.run(bare(url, AT_A_TIME))
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as home:
                base, bare_texts = cpu(bare, url, calls)
                ours, moot_texts = cpu(moot, url, calls, Path(home), [])
            assert moot_texts == bare_texts[: len(moot_texts)]
            assert len(moot_texts) >= min(calls, COMPARED)
            ratios.append(ours / base)
            figures = f"bare SDK {1e3 * base / calls:.2f} ms a call, Moot {1e3 * ours / calls:.2f} ms"
            print(f"  {figures}, ratio {ratios[-1]:.2f}")
    return statistics.median(ratios)


def child_cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_up(repeats: int) -> float:
    moot_command = [str(Path(sys.executable).with_name("moot")), "--help"]
    typer_command = [sys.executable, "-c", "import typer"]
    pairs = [(child_cpu(typer_command), child_cpu(moot_command)) for _ in range(repeats)]
    alone, whole = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"  import typer {1e3 * alone:.0f} ms, moot --help {1e3 * whole:.0f} ms of CPU")
    return whole / alone


def memory(calls: int) -> float:
    watch: list[int] = []
    with fake_server(0) as url, tempfile.TemporaryDirectory() as home:
        asyncio.run(moot(url, calls, Path(home), watch))
    early, late = watch[len(watch) // 10], watch[-1]
    print(f"  after {calls // 10} calls {early / 1e6:.1f} MB, after {calls} calls {late / 1e6:.1f} MB")
    return late / early


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory-calls", type=int, default=20_000)
    given = parser.parse_args()
    print(f"CPU of {given.calls} calls, {AT_A_TIME} at a time, each answered after 100 ms")
    print(f"  ratio {per_call(given.calls, given.repeats):.2f}, at most 2")
    print("start-up")
    print(f"  ratio {start_up(11):.2f}, at most 1.5")
    print("memory")
    print(f"  ratio {memory(given.memory_calls):.2f}, flat is 1")


if __name__ == "__main__":
    main()
