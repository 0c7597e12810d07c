"""The public test kit: members that follow a script, and a guard that forbids the network.

from moot import ask_sync
from moot.testing import no_network, scripted

optimist = scripted({"answer": {"reasoning": "…", "answer": "yes", "confidence": 0.9}})
with no_network():
    result = ask_sync("Will it hold?", protocol="single", members=["scripted:a"], models={"scripted:a": optimist})
assert optimist.requests[0].step == "answer"
"""

import ipaddress
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from moot.gateway.scripted import Script, Scripted

__all__ = ["NetworkForbidden", "Script", "Scripted", "no_network", "scripted"]


class NetworkForbidden(AssertionError):
    """Something tried to reach the network while that was forbidden."""


def scripted(replies: Script, *, name: str = "scripted", context: int | None = None) -> Scripted:
    """Return a member that says what its script says and keeps the requests it saw.

    A script is a function of the request, a list of replies in order, or a mapping from patterns of step names; the
    name of an ask stands for all of its replies.
    A reply is a text, a mapping that is sent as JSON, a `Completion`, or a `Failure`.
    """
    return Scripted(replies, name=name, context=context)


@contextmanager
def no_network(*, loopback: bool = True) -> Generator[None, None, None]:
    """Forbid every connection while the block runs; those to this machine are allowed unless `loopback` is False.

    Raises:
        NetworkForbidden: where something tries, naming where it wanted to go.
    """
    kept = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex", "sendto")}
    resolve = socket.getaddrinfo

    def guarded(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: socket.socket, *arguments: Any) -> Any:
            _check(self.family, arguments[-1], loopback=loopback)
            return original(self, *arguments)

        return call

    def looked_up(host: Any, *arguments: Any, **named: Any) -> Any:
        if not (loopback and _is_here(host)):
            raise NetworkForbidden(f"{host!r} was looked up while the network is forbidden")
        return resolve(host, *arguments, **named)

    try:
        for name, original in kept.items():
            setattr(socket.socket, name, guarded(original))
        socket.getaddrinfo = looked_up  # ty: ignore[invalid-assignment]
        yield
    finally:
        for name, original in kept.items():
            setattr(socket.socket, name, original)
        socket.getaddrinfo = resolve


def _check(family: int, address: Any, *, loopback: bool) -> None:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return
    host = address[0] if isinstance(address, tuple) else address
    if not (loopback and _is_here(host)):
        raise NetworkForbidden(f"{address!r} was contacted while the network is forbidden")


def _is_here(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
