"""The connections of a server: so many at a time, each with some seconds to send a request, the idle ones first to go.

A connection without a whole request costs its holder nothing, and so it never keeps anybody else out: where there is no
room, the one that has been without a request for the longest is closed. Streams and long polls have a request under
way, and live as long as they like.
"""

import errno
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from typing_extensions import override
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from moot.core.errors import BadBody
from moot.web.problems import MEDIA_TYPE, document
from moot.web.streams import SEND_SECONDS

REQUEST_SECONDS = 10.0
"""How long a connection may be without a request, whatever it sends; an idle one is closed by uvicorn after five."""

RESERVE = 256
"""Descriptors that are kept for the database, for locks, and for calls to members."""

FEWEST = 16
BACKLOG = 2048
AT_ONCE = 64
"""Connections that are accepted before any of them is looked at."""

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n"
    b"the server has as many connections as it takes; try again in a few seconds.\n"
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections there may be, how many of them without a request, and for how many seconds."""

    most: int = 1000
    without_request: int = 500
    seconds: float = REQUEST_SECONDS
    sending: float = SEND_SECONDS
    """How long a connection may take nothing of what is sent to it."""


class PeerConnection(Protocol):
    """What is known of a connection from outside."""

    def sends_body(self) -> bool:
        """Whether its request has begun: for the rest of it, the guard keeps the time."""
        ...

    def drop(self) -> None:
        """End the connection at once."""
        ...


class Connections:
    """The open connections: those with a whole request, and those without, the longest so first."""

    def __init__(self, limits: ConnectionLimits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._answered: set[PeerConnection] = set()
        self._waiting: dict[PeerConnection, float] = {}
        self._full: dict[PeerConnection, float] = {}

    def __len__(self) -> int:
        return len(self._answered) + len(self._waiting)

    def admit(self, connection: PeerConnection) -> bool:
        """Take a connection in, and return whether there was room or could be made."""
        if len(self) >= self._limits.most and not self._drop_longest():
            return False
        self.wait(connection)
        return True

    def wait(self, connection: PeerConnection) -> None:
        """Hear that a connection is without a whole request; its time counts from when it began to be."""
        self._answered.discard(connection)
        if connection not in self._waiting:
            self._waiting[connection] = self._now()
        while len(self._waiting) > self._limits.without_request:
            self._drop_longest()

    def answer(self, connection: PeerConnection) -> None:
        """Hear that a connection has sent a whole request."""
        if self._waiting.pop(connection, None) is not None:
            self._answered.add(connection)

    def forget(self, connection: PeerConnection) -> None:
        """Hear that a connection is gone."""
        self._waiting.pop(connection, None)
        self._answered.discard(connection)
        self._full.pop(connection, None)

    def fill(self, connection: PeerConnection) -> None:
        """Hear that a connection has more to take than is kept for it, and that who sends more has to wait."""
        self._full[connection] = self._now()

    def empty(self, connection: PeerConnection) -> None:
        """Hear that a connection has taken what was sent."""
        self._full.pop(connection, None)

    def drop_late(self) -> None:
        """End every connection that has been without a request, or has taken nothing, for too long."""
        full = self._now() - self._limits.sending
        for connection in [each for each, since in self._full.items() if since <= full]:
            self.forget(connection)
            connection.drop()
        latest = self._now() - self._limits.seconds
        late = []
        for connection, since in self._waiting.items():
            if since > latest:
                break
            if not connection.sends_body():
                late.append(connection)
        for connection in late:
            del self._waiting[connection]
            connection.drop()

    def _drop_longest(self) -> bool:
        longest = next(iter(self._waiting), None)
        if longest is None:
            return False
        del self._waiting[longest]
        longest.drop()
        return True


class Connection(H11Protocol):
    """A connection of uvicorn that tells whether it has a whole request."""

    def __init__(
        self,
        *,
        connections: Connections,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: Any,
    ) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state, _loop=_loop)
        self._open = connections

    def sends_body(self) -> bool:
        """Whether its request has begun, and is not answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def drop(self) -> None:
        """End the connection without waiting for anything that is still to be sent."""
        self.transport.abort()

    @override
    def connection_made(self, transport: Any) -> None:
        """Begin, if there is room."""
        super().connection_made(transport)
        if not self._open.admit(self):
            transport.write(_FULL)
            transport.close()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._open.forget(self)
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._tell()

    @override
    def pause_writing(self) -> None:
        """Let whoever answers wait until something is taken."""
        super().pause_writing()
        self._open.fill(self)

    @override
    def resume_writing(self) -> None:
        """Let whoever answers go on."""
        super().resume_writing()
        self._open.empty(self)

    @override
    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request in the shape of every refusal, unless another is being answered."""
        if not self.sends_body():
            self.transport.write(_unreadable())
        self.transport.close()

    @override
    def on_response_complete(self) -> None:
        """Wait for the next request, or take the one that has come already."""
        super().on_response_complete()
        self._tell()

    def _tell(self) -> None:
        if self.transport.is_closing():
            self._open.forget(self)
        elif self.sends_body() and not self.cycle.more_body:
            self._open.answer(self)
        else:
            self._open.wait(self)


class ListeningSocket(socket.socket):
    """A listening socket that is emptied in small parts, and rests a second where descriptors have run out.

    asyncio accepts as many connections in one go as it lets wait, and where one fails for want of descriptors it tries,
    and logs, all the others too.
    """

    _resting = False

    @classmethod
    def at(cls, host: str, port: int) -> "ListeningSocket":
        """Return a socket that listens there.

        Raises:
            OSError, OverflowError: where it cannot.
        """
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
        # asyncio sends at once only on what is called TCP; else each answer on a kept connection waits 40 ms (Nagle).
        return cls(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())

    @override
    def listen(self, backlog: int = BACKLOG, /) -> None:
        """Let as many wait as may, however few are accepted in one go."""
        super().listen(BACKLOG)

    @override
    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection.

        Raises:
            BlockingIOError: where there is none, or after descriptors have run out.
        """
        if self._resting:
            self._resting = False
            raise BlockingIOError
        try:
            return super().accept()
        except OSError as error:
            self._resting = error.errno in _EXHAUSTED
            raise


def _unreadable() -> bytes:
    said = "what came is no HTTP request, or its address and headers are too long; put that right and send it again."
    body = bytes(document(400, BadBody.code, "The request cannot be read", said, "/").body)
    head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + body


def limits_for(wanted: int) -> ConnectionLimits:
    """Return limits that leave descriptors for everything else; where the system lets it, there are more of them."""
    most = max(FEWEST, min(wanted, _descriptors(wanted + RESERVE) - RESERVE))
    return ConnectionLimits(most, without_request=max(1, most // 2))


def _descriptors(wanted: int) -> int:
    """Return how many descriptors this process may have, after asking for so many."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    except (OSError, ValueError):
        return soft
    return more
