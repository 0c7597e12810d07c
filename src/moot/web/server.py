"""Starting and ending the server: its keys, its addresses, and a graceful way out."""

import asyncio
import contextlib
import faulthandler
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from types import FrameType
from typing import Any, cast

import uvicorn
from typing_extensions import override

from moot.core.errors import BadSetting, UsageError
from moot.core.ports import Clock, Model
from moot.core.protocol import ProtocolSpec
from moot.gateway.members import is_loopback, parse_members
from moot.protocols import find_protocol
from moot.service.background.log_lines import pace_lines
from moot.service.background.queued import QueuedRuns
from moot.service.background.work import WorkWaiters
from moot.service.background.worker import process_name, shared_queue, worker_over
from moot.service.background.workforce import silence_of
from moot.service.board import Board
from moot.service.configuring import read_configuration
from moot.service.limits.days import read_day_limits
from moot.service.limits.paces import RateLimiter
from moot.service.open_steps import OpenSteps
from moot.service.opening import open_service
from moot.service.reading.folds import Folds
from moot.service.runs import Runs
from moot.service.service import Service
from moot.service.signing.keys import Keys
from moot.service.signing.links import OneTimeLinks
from moot.service.signing.revoking import Revocations
from moot.service.signing.sessions import Sessions
from moot.service.watching import Watch
from moot.settings import BadValue, ProductSettings
from moot.store.keys import Key
from moot.store.locks import hold_server_lock
from moot.web.access import ADMIN, SIGN_IN
from moot.web.api.assignments import Offers
from moot.web.app import create_app
from moot.web.connections import AT_ONCE, Connection, Connections, ListeningSocket, limits_for
from moot.web.evaluations import Evaluations
from moot.web.serving import ServerLimits, Serving

FIRST = "admin"
END_SECONDS = 10
"""After a signal the process is gone by then, whatever still runs."""
RUN_SECONDS, GRACE_SECONDS = 6.0, 2
"""Of these, what calls under way have to be answered and journaled, and then connections to be finished."""
ATTEMPTS_A_SECOND = 1.0
RESOLVING_SECONDS = 2.0
SAFARIS = "darwin"
"""The platform whose own browser leaves names below `localhost` to the resolver."""
ANY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - a server is asked to listen there, or not

log = logging.getLogger("moot.web")


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server can be reached by programs and by people; the first key where it has just been made."""

    url: str
    pages: str
    first_key: str | None
    link: str | None = None
    """A one-time link by which a browser signs in."""
    link_name: str = ""
    """Whom the link signs in."""


@contextlib.asynccontextmanager
async def open_serving(
    environ: Mapping[str, str],
    *,
    models: Mapping[str, Model] | None = None,
    protocols: Callable[[str], ProtocolSpec] = find_protocol,
    work: bool = False,
) -> AsyncGenerator[Serving, None]:
    """Give what a server works with, as an environment asks for it, and close it.

    Of moot.toml the product's settings and the prices hold, and panels can be named: what is asked is for its callers
    to say. On PostgreSQL workers run what is asked; with `work`, this process is one of them.
    """
    configuration = read_configuration(environ).for_a_server()
    environ = configuration.environment(environ)
    settings = ProductSettings.read(environ)
    limits, at_once, queue = read_limits(settings)
    read_day_limits(environ)
    opening = open_service(environ, models=models, protocols=protocols, reads_files=False, configuration=configuration)
    async with opening as service:
        clock = service.store.clock
        for name, problem in service.planner.panels.items():
            if problem:
                log.warning("the panel %r cannot be asked here: %s", name, problem)
        watch = Watch(service.store.deliberations, now=clock.now)
        runs: Runs | QueuedRuns
        if service.store.file is None:
            runs = queued_runs(service, settings, watch=watch, clock=clock, most=at_once + queue, work=work)
        else:
            runs = Runs(service, at_once=at_once, queue=queue, watch=watch, patience=RUN_SECONDS)
        board = Board(service, resume_if_due=runs.resume_if_due)
        steps = OpenSteps(service, resume_if_due=runs.resume_if_due)
        keys = Keys(service.store.callers, clock)
        offers = Offers(clock)
        yield Serving(
            service=service,
            board=board,
            open_steps=steps,
            runs=runs,
            watch=watch,
            folds=Folds(service, clock),
            keys=keys,
            sessions=Sessions(service.store.sessions, keys, clock),
            revocations=Revocations(service.store.callers, keys, watch, runs),
            links=OneTimeLinks(keys, clock),
            attempts=RateLimiter(ATTEMPTS_A_SECOND, clock),
            clock=clock,
            limits=limits,
            offers=offers,
            work=WorkWaiters(board.open_places, offers.choose),
            evals=Evaluations(settings.evals, environ, clock),
        )


def queued_runs(
    service: Service, settings: ProductSettings, *, watch: Watch, clock: Clock, most: int, work: bool
) -> QueuedRuns:
    """Return what a server on PostgreSQL puts its deliberations into."""
    queue, workers = shared_queue(service)
    worker = None
    if work:
        worker = worker_over(
            service, settings, name=f"server {process_name()}", hear=watch.progress_of, over=watch.run_over
        )
    silent = silence_of(settings)
    return QueuedRuns(service, queue, workers, watch=watch, clock=clock, most=most, silent=silent, worker=worker)


def read_limits(settings: ProductSettings) -> tuple[ServerLimits, int, int]:
    """Return what callers may ask for, how many deliberations run at once, and how many may wait.

    Raises:
        BadSetting, BadMember: for a setting that cannot be used.
    """
    try:
        members, hosts = settings.names("serve_members"), settings.names("serve_hosts")
        parse_members(members)
        limits = ServerLimits(
            members=members,
            hosts=tuple(host.lower() for host in hosts),
            rate=settings.number("serve_rate") or 1,
            body=settings.whole("serve_body") or 1,
            usd=settings.number("serve_usd"),
            calls=settings.whole("serve_calls"),
            https=settings.flag("serve_https"),
            connections=settings.whole("serve_connections") or 1,
            silent=silence_of(settings),
        )
        return limits, settings.whole("serve_runs") or 1, settings.whole("serve_queue") or 1
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None


async def serve(
    serving: Serving,
    host: str,
    port: int,
    on_listening: Callable[[Listening], None],
    *,
    with_link: bool = False,
    link_name: str | None = None,
) -> None:
    """Serve until a signal ends it. `on_listening` hears where, once it does.

    With a link, a browser signs in as the key of a name, or as the oldest admin.

    Raises:
        UsageError: for an address that others can reach while there is no key, one that cannot be had, or a link for
            a key that there is not.
        ServerAlreadyThere: where another is at the same SQLite file.
    """
    with contextlib.ExitStack() as stack:
        if serving.store.file is not None:
            stack.enter_context(hold_server_lock(serving.store.file))
        await _serve(serving, host, port, on_listening, with_link=with_link, link_name=link_name)


async def _serve(
    serving: Serving,
    host: str,
    port: int,
    on_listening: Callable[[Listening], None],
    *,
    with_link: bool,
    link_name: str | None,
) -> None:
    keyless = not await serving.keys.any()
    if keyless and not is_loopback(host):
        raise UsageError(
            f"others can reach {host} and there is no key yet; make one with `moot keys add NAME --scope admin`, "
            "or serve on 127.0.0.1."
        )
    # A first key that is made and never shown would lock everybody out.
    holder = (
        await _holder(serving.keys, link_name) if with_link and not (keyless and link_name in (None, FIRST)) else None
    )
    listener = _listener(host, port)
    try:
        first, text = await serving.keys.make(FIRST, [ADMIN]) if keyless else (None, None)
        port = listener.getsockname()[1]
        where = Listening(f"http://{_shown(host)}:{port}", await page_address(host, port), text)
        if with_link and (chosen := holder or first):
            link = f"{where.pages}{SIGN_IN}/{serving.links.make(chosen)}"
            where = replace(where, link=link, link_name=chosen.name)
        with pace_lines():
            await Server(serving, lambda: on_listening(where)).serve(sockets=[listener])
    finally:
        listener.close()


async def page_address(
    host: str,
    port: int,
    is_known: Callable[[str, int], Awaitable[bool]] | None = None,
    platform: str = sys.platform,
) -> str:
    """Return where a browser of this machine opens the server.

    Cookies do not know ports, so each server has a name of its own. Chromium and Firefox know names below `localhost`
    by themselves, whatever the machine's resolver says of them; Safari asks the resolver, and that of an older macOS
    does not know them: there the plain address has to do.
    """
    if not is_loopback(host) and host not in ANY_ADDRESS:
        return f"http://{_shown(host)}:{port}"
    name = f"moot-{port}.localhost"
    if platform != SAFARIS or await (is_known or _is_known)(name, port):
        return f"http://{name}:{port}"
    return f"http://{_shown(host) if is_loopback(host) else '127.0.0.1'}:{port}"


async def _holder(keys: Keys, name: str | None) -> Key:
    key = await (keys.first_admin() if name is None else keys.named(name))
    if key is None:
        lacking = "live key with the scope admin" if name is None else f"live key {name[:100]!r}"
        raise UsageError(
            f"there is no {lacking} to open a browser with; `moot keys list` shows the keys, and --as NAME chooses one."
        )
    return key


async def _is_known(name: str, port: int) -> bool:
    asking = asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    try:
        answers = await asyncio.wait_for(asking, RESOLVING_SECONDS)
    except (OSError, TimeoutError):
        return False
    return bool(answers) and all(ipaddress.ip_address(address[0]).is_loopback for *_, address in answers)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Server(uvicorn.Server):
    """A server that ends what it runs before it lets go of its connections."""

    def __init__(self, serving: Serving, started: Callable[[], None]) -> None:
        self._connections = connections = Connections(limits_for(serving.limits.connections), monotonic)
        config = uvicorn.Config(
            create_app(serving),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=cast("Any", partial(Connection, connections=connections)),
            ws="none",
            backlog=AT_ONCE,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self._serving = serving
        self._started = started

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        if not self.should_exit:
            self._started()

    @override
    async def on_tick(self, counter: int) -> bool:
        """Look, ten times a second, who has been too long without a request, and whether to end."""
        self._connections.drop_late()
        return await super().on_tick(counter)

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, and see to it that the process does: a watchdog needs neither the event loop nor a thread."""
        if not self.should_exit:
            faulthandler.dump_traceback_later(END_SECONDS, exit=True, file=sys.__stderr__ or sys.stderr)
        super().handle_exit(sig, frame)

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new work, journal what is under way, end the streams, and then the connections."""
        await self._serving.runs.stop()
        await self._serving.watch.stop()
        self._serving.work.stop()
        await super().shutdown(sockets)

    @override
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Let a signal end the server and nothing else: to end when told to is no failure."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def _listener(host: str, port: int) -> ListeningSocket:
    try:
        return ListeningSocket.at(host, port)
    except (OSError, OverflowError) as error:
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise UsageError(f"{host}:{port} cannot be served ({why}); choose another --host or --port.") from None
