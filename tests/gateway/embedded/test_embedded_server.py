"""Starting the child: what is refused before, and what is said when it fails. No model is loaded here."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import BadSetting, EmbeddedFailed
from moot.gateway.embedded.catalogue import find
from moot.gateway.embedded.machine import Machine, this_machine
from moot.gateway.embedded.server import ChildEndpoint, EmbeddedServer
from tests.gateway.embedded.embedded_kit import World

GIGABYTE = 10**9

# A child that answers like the real one and stays until its stdin ends.
READY = "import sys; sys.stdin.readline(); print('{\"port\": 4321}', flush=True); sys.stdin.read()"


def with_memory(free: int) -> Machine:
    return Machine(cores=4, spare=4.0, free_memory=free)


def start(server: EmbeddedServer) -> ChildEndpoint:
    async def run() -> ChildEndpoint:
        async with server as endpoint:
            return endpoint

    return asyncio.run(run())


def tiny_server(world: World, script: str, **options: Any) -> EmbeddedServer:
    command = (sys.executable, "-c", script)
    idle: dict[str, Any] = {"machine": lambda: with_memory(GIGABYTE)}
    return EmbeddedServer(world.entry, Path("tiny.gguf"), command=command, **(idle | options))


def test_too_little_memory_is_refused_with_the_model_that_would_fit() -> None:
    server = EmbeddedServer(find("1.5b"), Path("x.gguf"), machine=lambda: with_memory(2 * GIGABYTE))

    with pytest.raises(
        EmbeddedFailed, match=r"needs about 2\.5 GB .* 2\.0 GB are free; `embedded:qwen2\.5-coder-0\.5b`"
    ):
        start(server)


def test_too_little_memory_for_any_model_says_so() -> None:
    server = EmbeddedServer(find("1.5b"), Path("x.gguf"), machine=lambda: with_memory(1000))

    with pytest.raises(EmbeddedFailed, match="no smaller model would fit"):
        start(server)


def test_a_longer_window_needs_more_memory_and_slots_that_share_it_do_not(world: World) -> None:
    scarce: dict[str, Any] = {"machine": lambda: with_memory(1_200_000_000), "command": (sys.executable, "-c", READY)}
    many = EmbeddedServer(find("0.5b"), Path("x.gguf"), slots=8, **scarce)
    long = EmbeddedServer(find("0.5b"), Path("x.gguf"), context=32_768, **scarce)

    assert start(many).model == "qwen2.5-coder-0.5b"
    with pytest.raises(EmbeddedFailed, match="32768 tokens"):
        start(long)


@pytest.mark.parametrize("settings", [{"slots": 0}, {"threads": 0}, {"context": 0}, {"context": 9000}])
def test_a_setting_that_makes_no_sense_is_named(settings: dict[str, Any]) -> None:
    server = EmbeddedServer(find("135m"), Path("x.gguf"), **settings)

    with pytest.raises(BadSetting, match=next(iter(settings))):
        start(server)


def test_the_endpoint_is_on_loopback_and_its_repr_hides_the_key(world: World) -> None:
    endpoint = start(tiny_server(world, READY))

    assert endpoint.base_url == "http://127.0.0.1:4321/v1"
    assert (endpoint.model, endpoint.context) == ("tiny", 1024)
    assert len(endpoint.key) > 30 and endpoint.key not in repr(endpoint)


def test_the_key_differs_at_every_start(world: World) -> None:
    server = tiny_server(world, READY)

    assert start(server).key != start(server).key


def test_starting_twice_shares_one_process(world: World) -> None:
    async def run() -> tuple[ChildEndpoint, ChildEndpoint]:
        server = tiny_server(world, READY)
        async with server as first:
            return first, await server.start()

    first, second = asyncio.run(run())

    assert first is second


def test_a_start_reports_what_it_loads_and_when_it_is_ready(world: World) -> None:
    told: list[str] = []

    async def run() -> None:
        server = tiny_server(world, READY, threads=3)
        await server.start(told.append)
        await server.stop()

    asyncio.run(run())

    assert told == ["loading Tiny (0 MiB, threads: 3, slots: 4)", "tiny is ready"]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("import sys; sys.exit('no such module')", "ended with code 1 while loading: no such module"),
        ('print(\'{"error": "RuntimeError: odd"}\')', "RuntimeError: odd"),
        ("print('what?')", "it gave no reason"),
        ("import sys; print('0.01 E load: the file is cut', file=sys.stderr)", "the file is cut"),
    ],
)
def test_a_child_that_does_not_start_gives_its_reason(world: World, script: str, problem: str) -> None:
    with pytest.raises(EmbeddedFailed, match=problem):
        start(tiny_server(world, script))


def test_a_server_whose_child_died_is_started_anew(world: World) -> None:
    dies = "import sys; sys.stdin.readline(); print('{\"port\": 4321}', flush=True)"

    async def run() -> tuple[ChildEndpoint, ChildEndpoint]:
        server = tiny_server(world, dies)
        first = await server.start()
        assert server._process
        await server._process.wait()
        second = await server.start()
        await server.stop()
        return first, second

    first, second = asyncio.run(run())

    assert first.key != second.key


def test_a_damaged_file_is_named_by_the_real_child(tmp_path: Path) -> None:
    file = tmp_path / "cut.gguf"
    file.write_bytes(b"GGUF")

    with pytest.raises(EmbeddedFailed, match="smollm2-135m"):
        start(EmbeddedServer(find("135m"), file, context=256))


@pytest.mark.parametrize(
    ("cores", "spare", "threads"), [(4, 3.9, 4), (4, 3.2, 3), (4, 2.0, 2), (2, 1.9, 2), (2, 1.3, 1), (2, 0.6, 1)]
)
def test_a_model_gets_as_many_threads_as_others_leave_cores(cores: int, spare: float, threads: int) -> None:
    assert Machine(cores=cores, spare=spare, free_memory=0).threads() == threads


def test_this_machine_has_a_core_and_some_memory() -> None:
    machine = this_machine()

    assert machine.cores >= 1 and machine.free_memory > 0
    assert 0 < machine.spare < machine.cores + 0.1
