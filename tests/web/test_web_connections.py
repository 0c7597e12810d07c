"""Connections: half-open ones end, keep nobody out, break nothing and fill no log; streams and long answers live."""

import asyncio
import contextlib
import errno
import json
import logging
import signal
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typing_extensions import override

from moot.service.background.log_lines import LinePace, pace_lines
from moot.web.connections import ConnectionLimits, Connections, ListeningSocket, limits_for
from moot.web.server import Server, open_serving
from tests.web.kit import at_site, environ, one_member

HALF = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "


@dataclass(eq=False)
class Peer:
    """A connection as the rules see it."""

    begun: bool = False
    dropped: bool = False

    def sends_body(self) -> bool:
        return self.begun

    def drop(self) -> None:
        self.dropped = True


@dataclass
class Watch:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Door:
    """Connections under a clock of the test's own."""

    limits: ConnectionLimits
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        self.connections = Connections(self.limits, self.watch)

    def come(self, *, with_request: bool = False) -> Peer | None:
        peer = Peer()
        if not self.connections.admit(peer):
            return None
        if with_request:
            self.connections.answer(peer)
        return peer


def dropped(peers: list[Peer | None]) -> list[bool]:
    return [peer is not None and peer.dropped for peer in peers]


def test_where_there_is_no_room_the_one_longest_without_a_request_goes() -> None:
    door = Door(ConnectionLimits(most=4, without_request=4))
    streams, idle = [door.come(with_request=True)], [door.come(), door.come(), door.come()]

    late = door.come()

    assert late is not None and len(door.connections) == 4
    assert dropped(streams + idle + [late]) == [False, True, False, False, False]


def test_those_without_a_request_are_fewer_than_all() -> None:
    door = Door(ConnectionLimits(most=10, without_request=2))

    peers = [door.come() for _ in range(5)]

    assert dropped(peers) == [True, True, True, False, False] and len(door.connections) == 2


def test_where_every_connection_has_a_request_the_next_is_refused() -> None:
    door = Door(ConnectionLimits(most=2, without_request=2))
    streams = [door.come(with_request=True), door.come(with_request=True)]

    assert door.come() is None
    assert dropped(streams) == [False, False]


def test_a_request_has_its_seconds_however_often_a_byte_of_it_comes() -> None:
    door = Door(ConnectionLimits(seconds=10))
    slow, begun, stream = door.come(), door.come(), door.come(with_request=True)
    assert slow and begun
    begun.begun = True
    for second in (4.0, 8.0, 9.9):
        door.watch.at = second
        door.connections.wait(slow)
    door.connections.drop_late()
    assert dropped([slow, begun, stream]) == [False, False, False]

    door.watch.at = 10.0
    door.connections.drop_late()

    assert dropped([slow, begun, stream]) == [True, False, False]


def test_a_connection_that_waits_again_has_its_seconds_anew() -> None:
    door = Door(ConnectionLimits(seconds=10))
    peer = door.come(with_request=True)
    assert peer
    door.watch.at = 100.0
    door.connections.wait(peer)
    door.connections.drop_late()

    assert not peer.dropped and len(door.connections) == 1


def test_a_connection_that_takes_nothing_of_its_answer_has_its_seconds() -> None:
    door = Door(ConnectionLimits(sending=30))
    stuck, slow = door.come(with_request=True), door.come(with_request=True)
    assert stuck and slow
    for peer in (stuck, slow):
        door.connections.fill(peer)
    door.watch.at = 20.0
    door.connections.empty(slow)
    door.connections.fill(slow)
    door.watch.at = 30.0

    door.connections.drop_late()

    assert dropped([stuck, slow]) == [True, False] and len(door.connections) == 1


def test_whoever_sends_requests_and_reads_no_answer_is_let_go(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_serving(environ(tmp_path), models=one_member()) as serving:
            listener = ListeningSocket.at("127.0.0.1", 0)
            server = Server(serving, lambda: None)
            server._connections._limits = ConnectionLimits(sending=0.2)
            running = asyncio.ensure_future(server._serve(sockets=[listener]))
            greedy = socket.create_connection(listener.getsockname())
            greedy.settimeout(0)
            sent = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200
            await asyncio.get_running_loop().sock_sendall(greedy, sent)
            try:
                async with asyncio.timeout(20):
                    while not server._connections._full:  # noqa: ASYNC110 (a server says to nobody that it waits)
                        await asyncio.sleep(0.01)
                    while len(server._connections):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            finally:
                greedy.close()
                server.should_exit = True
                await running

    asyncio.run(scene())


@contextlib.asynccontextmanager
async def half_open(url: str, count: int, sent: bytes = HALF) -> AsyncGenerator[list[asyncio.StreamReader], None]:
    """Give connections that send the start of a request and nothing more."""
    host, port = url.removeprefix("http://").split(":")
    opened = [await asyncio.open_connection(host, int(port)) for _ in range(count)]
    for _, writer in opened:
        writer.write(sent)
    try:
        yield [reader for reader, _ in opened]
    finally:
        for _, writer in opened:
            writer.close()


def with_limits(monkeypatch: pytest.MonkeyPatch, limits: ConnectionLimits) -> None:
    monkeypatch.setattr("moot.web.server.limits_for", lambda wanted: limits)


def test_half_open_connections_keep_nobody_out_and_break_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_limits(monkeypatch, ConnectionLimits(most=40, without_request=20))

    async def scene(site):
        url = str(site.client.base_url).rstrip("/")
        async with half_open(url, 300) as readers:
            asked = await site.post("/deliberations", {"question": "Is 97 a prime number?", "protocol": "single"})
            health = await site.get("/health", None)
            ended = await site.ended(asked.json()["id"])
            await readers[0].read()
            return asked.status_code, health.status_code, ended["status"]

    assert at_site(tmp_path, scene, live=True) == (201, 200, "complete")


def test_a_connection_without_a_request_is_ended_and_a_stream_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_limits(monkeypatch, ConnectionLimits(seconds=0.2))
    body = b"POST /api/v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n"

    async def scene(site):
        claim = (await site.post("/claims", {"claim": "Crows remember faces.", "table": "prism-v1-solo"})).json()
        url = str(site.client.base_url).rstrip("/")
        async with (
            site.client.stream(
                "GET",
                f"/api/v1/deliberations/{claim['id']}/events",
                headers={"Authorization": f"Bearer {site.keys['admin']}"},
            ) as stream,
            half_open(url, 1) as [waits],
            half_open(url, 1, sent=body) as [refused],
        ):
            lines = stream.aiter_lines()
            first = await anext(lines)
            # A connection that goes on sending a body which was refused is without a request as well.
            gone = [await waits.read(), (await refused.read())[:12]]
            slot = f"/claims/{claim['id']}/stage-slots/L1.1~work~1"
            done = {"output": {"content": "It is about memory.", "confidence": 0.8}}
            answers = [
                (await site.post(f"{slot}/take")).status_code,
                (await site.post(f"{slot}/done", done)).status_code,
            ]
            while "filled" not in await anext(lines):
                pass
            return first, gone, answers

    first, gone, answers = at_site(tmp_path, scene, live=True)

    assert first.startswith("retry") and answers == [200, 204]
    assert gone == [b"", b"HTTP/1.1 413"]


def test_a_request_with_more_headers_than_anybody_sends_is_refused(tmp_path: Path) -> None:
    async def scene(site):
        many = await site.get("/health", None, headers=[(f"x-{number}", "1") for number in range(10_000)])
        long = await site.get("/health", None, headers={"x": "a" * 40_000})
        usual = await site.get("/health", None, headers=[(f"x-{number}", "1" * 200) for number in range(60)])
        return [(answer.status_code, answer.json().get("code")) for answer in (many, long, usual)]

    refused = (431, "headers_too_large")
    assert at_site(tmp_path, scene) == [refused, refused, (200, None)]


@pytest.mark.parametrize("sent", [b"GET /" + b"%F3" * 30_000 + b" HTTP/1.1\r\n", b"\x16\x03\x01 not HTTP\r\n\r\n"])
def test_what_is_no_request_is_refused_in_the_shape_of_every_refusal(tmp_path: Path, sent: bytes) -> None:
    async def scene(site):
        async with half_open(str(site.client.base_url).rstrip("/"), 1, sent) as [reader]:
            return await reader.read()

    head, _, body = at_site(tmp_path, scene, live=True).partition(b"\r\n\r\n")

    told = json.loads(body)
    assert head.startswith(b"HTTP/1.1 400 ") and b"content-type: application/problem+json" in head
    assert told["code"] == "bad_body" and told["status"] == 400


class Empty(socket.socket):
    """A socket from which no connection can be had for want of descriptors."""

    @override
    def accept(self):
        raise OSError(errno.EMFILE, "Too many open files")


def test_a_listener_without_descriptors_says_so_once_and_rests() -> None:
    listener = type("Starved", (ListeningSocket, Empty), {})()
    tried: list[str] = []

    # asyncio goes on through the whole backlog after such a failure.
    for _ in range(4):
        with pytest.raises(OSError) as failed:
            listener.accept()
        tried.append(type(failed.value).__name__)
    listener.close()

    assert tried == ["OSError", "BlockingIOError"] * 2


def test_a_log_has_so_many_lines_a_second_and_says_what_it_left_out() -> None:
    watch = Watch()
    pace = LinePace(most=3, now=watch)

    def line(text: str) -> str | None:
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "%s", (text,), None)
        return record.getMessage() if pace.filter(record) else None

    first = [line(f"line {number}") for number in range(600)]
    watch.at = 1.0
    after = [line("later"), line("and again")]

    assert first == ["line 0", "line 1", "line 2"] + [None] * 597
    assert after == ["(597 lines before this one are left out) later", "and again"]


@pytest.mark.parametrize("name", ["moot.worker", "moot.news", "moot.work", "moot.keys", "asyncio", "moot.made.later"])
def test_every_logger_of_a_server_or_worker_is_bounded(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with pace_lines():
        for number in range(100):
            logging.getLogger(name).warning("line %d", number)

    assert 10 <= len(caplog.records) < 100
    logging.getLogger(name).warning("after it")
    assert caplog.messages[-1] == "after it"


def test_connections_leave_descriptors_for_everything_else() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        few = limits_for(100)
        unraised = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        limits_for(1000)
        raised = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert (few.most, unraised) == (100, 1024)
    assert raised >= min(1256, hard if hard > 0 else 1256)


def test_a_signal_ends_the_process_also_where_nothing_else_has_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    armed: list[tuple[float, bool]] = []
    monkeypatch.setattr(
        "faulthandler.dump_traceback_later", lambda seconds, **how: armed.append((seconds, how["exit"]))
    )
    server = Server.__new__(Server)
    server.should_exit, server.force_exit, server._captured_signals = False, False, []

    server.handle_exit(signal.SIGTERM, None)
    server.handle_exit(signal.SIGTERM, None)

    assert armed == [(10, True)]
    assert server.should_exit


def test_what_a_server_accepts_is_sent_at_once() -> None:
    with ListeningSocket.at("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            # asyncio looks at this before it turns the waiting for more to send off.
            assert accepted.proto == socket.IPPROTO_TCP
