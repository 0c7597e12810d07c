"""A running Moot server as the place of an agent's deliberations and graphs, over its HTTP API.

Every POST carries an idempotency key, so that one whose answer was lost is sent again and done once.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from moot.core.canonical import plain
from moot.core.errors import MootError, NotFound, ServerRefused, ServerUnreachable, UsageError
from moot.core.ports import Progress, ProgressEvent
from moot.core.verdict import Status
from moot.gateway.keys import Secret, is_sendable, key_from
from moot.gateway.members import is_loopback
from moot.service.orders import Order
from moot.service.service import Created
from moot.service.workplace import GraphFunction, Payload
from moot.version import __version__

KEY_VARIABLE = "MOOT_SERVER_KEY"
CHANGES: frozenset[GraphFunction] = frozenset(
    ("assert_graph", "merge_duplicates", "mark_refuted", "undo_refuted", "keep_apart")
)

CONNECT_SECONDS, ANSWER_SECONDS = 10.0, 60.0
SILENCE_SECONDS = 45.0
"""A stream says something three times as often; one that is silent for so long is cut."""
LOOK_SECONDS = 2.0
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds between tries; a server that is started again within their sum is not missed."""
LARGEST_EVENT = 64 * 1024 * 1024
"""Bytes. The first event of a deliberation holds its documents."""

AGAIN = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_GATEWAY}
UNDER_WAY, NOT_YOURS = "still_under_way", "not_yours"
STALLED, ONCE_STALLED = "stalled", "left_alone"
"""What says that nobody works on a deliberation, and what says so on older servers."""
OF_THE_VIEW = ("question", STALLED, ONCE_STALLED, "waiting")
HERE = "here"
OF_THE_SERVER = (HERE, "problem", "acts")

Sleep = Callable[[float], Awaitable[None]]
log = logging.getLogger("moot.remote")


class Remote:
    """A workplace on a server."""

    def __init__(self, http: httpx2.AsyncClient, *, sleep: Sleep = asyncio.sleep, look: float = LOOK_SECONDS) -> None:
        """`look` is how often, in seconds, a deliberation under way is looked at beside what its stream tells."""
        self._http = http
        self._sleep = sleep
        self._look = look

    async def deliberate(self, order: Order, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a new deliberation on the server comes to; cancelled, it is stopped there too."""
        sent = {
            "question": order.question.text,
            "documents": plain(order.question.documents),
            "protocol": order.protocol,
            "members": list(order.members),
            "settings": dict(order.settings),
            "budget": plain(order.budget),
        }
        return await self._followed(self._answer("POST", "deliberations", sent), on_progress, on_created)

    async def resume(self, id_: str, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a deliberation on the server comes to that was stopped."""
        return await self._followed(self._answer("POST", f"deliberations/{_part(id_)}/resume"), on_progress, on_created)

    async def status(self, id_: str) -> Payload:
        """Return where a deliberation on the server stands."""
        view = await self._view(id_)
        told = {name: value for name, value in view.items() if name not in OF_THE_SERVER}
        return {**told, STALLED: view.get(STALLED, view.get(ONCE_STALLED)), "waiting": _waiting(view)}

    async def open_step(self, id_: str, step: str) -> Payload:
        """Return a step of a deliberation on the server that waits for somebody."""
        return _without_address(await self._answer("GET", _step_path(id_, step)))

    async def fill_open_step(
        self, id_: str, step: str, reply: Mapping[str, Any], *, on_progress: Progress, on_created: Created
    ) -> Payload:
        """Put a reply into a step, and return what its deliberation comes to, which goes on on the server."""
        path = _step_path(id_, step)
        await self._answer("POST", f"{path}/take")
        filled = await self._answer("POST", f"{path}/fill", {"reply": dict(reply)})
        try:
            return await self._followed(self._view(filled["deliberation_id"]), on_progress, on_created)
        except ServerRefused as refused:
            if refused.problem != NOT_YOURS:
                raise
            # Somebody else asked the question: the reply is kept, and what comes of it is not for this key.
            return _without_address(filled)

    async def contest(self, id_: str, claim: str, *, reason: str, undo: bool) -> Payload:
        """Refute a claim of a stored graph, or take that back; the server's key needs the scope `reviewer`."""
        sent = {"claim": claim, "reason": reason, "undo": undo}
        return await self._answer("POST", f"deliberations/{_part(id_)}/contest", sent)

    async def verify(self, id_: str, seal: str | None) -> Payload:
        """Return whether a claim on the server is what it was sealed as."""
        return await self._answer("GET", f"claims/{_part(id_)}/verify", params={"seal": seal} if seal else None)

    async def graph(self, function: GraphFunction, graph_id: str, arguments: Mapping[str, Any]) -> Payload:
        """Return what a function gives of a graph that the server keeps for this key."""
        path = f"graphs/{_part(graph_id)}/{function}"
        if function in CHANGES:
            return await self._answer("POST", path, arguments)
        return await self._answer("GET", path, params=arguments)

    async def show_graph(self, graph_id: str) -> Payload:
        """Return a graph that the server keeps for this key."""
        return await self._answer("GET", f"graphs/{_part(graph_id)}")

    async def list_graphs(self) -> Payload:
        """Return the names of the graphs that the server keeps for this key."""
        return {"graphs": (await self._answer("GET", "graphs"))["items"]}

    async def _followed(self, beginning: Awaitable[Payload], on_progress: Progress, on_created: Created) -> Payload:
        begun = asyncio.ensure_future(beginning)
        try:
            view = await asyncio.shield(begun)
            on_created(view["id"])
            view = await self._ended(view, on_progress)
        except asyncio.CancelledError:
            # Also where the request is still on its way: what it begins would go on spending.
            await self._stop(begun, on_created)
            raise
        return _as_printed(view)

    async def _ended(self, view: Payload, on_progress: Progress) -> Payload:
        """Return the deliberation once the server is no longer at it."""
        listening = asyncio.ensure_future(self._listen(view["id"], on_progress))
        seen = 0
        try:
            while not Status(view["status"]).ended:
                if view[HERE] is None and view["status"] != Status.RUNNING.value and view["waiting"]:
                    break
                # One that ended while it was looked at may seem to be stopped: once is not enough.
                seen = seen + 1 if await self._is_stopped(view) else 0
                if seen > 1:
                    break
                await self._pause(listening)
                view = await self._view(view["id"])
            # The last that it tells may still be on its way.
            await self._pause(listening)
        finally:
            listening.cancel()
            await asyncio.wait([listening])
        return view

    async def _is_stopped(self, view: Payload) -> bool:
        """Whether nobody on the server works on it; one that is ending itself goes on when it is started again."""
        return view[HERE] is None and (await self._answer("GET", "health"))["status"] == "ok"

    async def _pause(self, listening: asyncio.Future[None]) -> None:
        """Wait until it is time to look again, or the stream has ended."""
        waiting = asyncio.ensure_future(self._sleep(self._look))
        try:
            await asyncio.wait([waiting, *([] if listening.done() else [listening])], return_when="FIRST_COMPLETED")
        finally:
            waiting.cancel()

    async def _listen(self, id_: str, on_progress: Progress) -> None:
        """Pass progress on until the deliberation has ended; a stream that is cut goes on after its last event."""
        last: dict[str, str] = {}
        path, timeout = f"deliberations/{_part(id_)}/events", httpx2.Timeout(ANSWER_SECONDS, read=SILENCE_SECONDS)
        while True:
            try:
                async with self._http.sse(path, headers=last, timeout=timeout, max_event_size=LARGEST_EVENT) as stream:
                    if stream.response.status_code != HTTPStatus.OK and stream.response.status_code not in AGAIN:
                        return
                    async for event in stream:
                        if event.id:
                            last = {"Last-Event-ID": event.id}
                        if event.event == "progress":
                            _tell(event.data, on_progress)
                        if event.event == "end":
                            return
            except httpx2.TransportError as cut:
                log.debug("the stream of %s was cut (%s)", id_, type(cut).__name__)
            await self._sleep(self._look)

    async def _stop(self, begun: Awaitable[Payload], on_created: Created) -> None:
        try:
            id_ = (await begun)["id"]
            on_created(id_)
            await self._answer("POST", f"deliberations/{_part(id_)}/cancel")
        except MootError as error:
            # The caller has gone and can be told nothing.
            log.warning("a deliberation on the server may go on: %s", error)

    async def _view(self, id_: str) -> Payload:
        return await self._answer("GET", f"deliberations/{_part(id_)}")

    async def _answer(
        self, method: str, path: str, sent: Any = None, *, params: Mapping[str, Any] | None = None
    ) -> Payload:
        """Return the server's answer, asked again while it cannot be reached or has no room.

        Raises:
            ServerUnreachable, ServerRefused: where there is none, or it is a problem.
        """
        headers = {"Idempotency-Key": secrets.token_hex(16)} if method == "POST" else {}
        for wait in (*WAITS, None):
            try:
                response = await self._http.request(method, path, json=sent, params=params, headers=headers)
            except httpx2.TransportError as error:
                failure: MootError = ServerUnreachable(url=str(self._http.base_url), problem=type(error).__name__)
            else:
                told = _read(response)
                if not isinstance(told, ServerRefused):
                    return told
                failure = told
                if response.status_code not in AGAIN and failure.problem != UNDER_WAY:
                    break
                wait = wait and max(wait, _retry_after(response))
            if wait is not None:
                await self._sleep(wait)
        raise failure


@asynccontextmanager
async def open_remote(
    url: str, environ: Mapping[str, str], *, look: float = LOOK_SECONDS
) -> AsyncGenerator[Remote, None]:
    """Give a workplace on the server at an address, with the key that an environment holds, and close it.

    Raises:
        UsageError: for an address that is none, or no key.
    """
    address, secret = _address(url), _key(environ)
    headers = {"Authorization": f"Bearer {secret.reveal()}", "User-Agent": f"moot/{__version__}"}
    async with httpx2.AsyncClient(
        base_url=f"{address}/api/v1/",
        headers=headers,
        # A proxy stands between this machine and others, never between it and itself.
        trust_env=not is_loopback(urlsplit(address).hostname or ""),
        follow_redirects=False,
        timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
    ) as http:
        yield Remote(http, look=look)


def _address(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        parts, usable = urlsplit(""), False
    if not usable or "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError("this is no address of a server; write http://HOST:PORT, as `moot serve` prints it.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _key(environ: Mapping[str, str]) -> Secret:
    secret = key_from(environ, [KEY_VARIABLE])
    if secret is None or not is_sendable(secret):
        raise UsageError(f"a server wants a key: set {KEY_VARIABLE} to one that its `moot keys add NAME` has printed.")
    return secret


def _part(name: str) -> str:
    """Return a name as one part of a path, whatever it holds."""
    if not name.strip("."):
        raise NotFound(what="name", name=name, see="it must have other characters than dots")
    return quote(name, safe="")


def _step_path(id_: str, step: str) -> str:
    return f"deliberations/{_part(id_)}/open-steps/{_part(step.replace('/', '~'))}"


def _waiting(view: Payload) -> list[Payload]:
    return [_without_address(step) for step in view["waiting"]]


def _without_address(step: Payload) -> Payload:
    """Return a step without where it is on the server: an agent has tools for it, and no addresses."""
    return {name: value for name, value in step.items() if name != "address"}


def _read(response: httpx2.Response) -> Payload | ServerRefused:
    try:
        told = response.json()
    except ValueError:
        told = None
    if not isinstance(told, dict) or (not response.is_success and not isinstance(told.get("detail"), str)):
        return ServerRefused(problem="no_answer", detail=f"it sent {response.status_code} and nothing that Moot knows")
    if response.is_success:
        return told
    return ServerRefused(problem=str(told.get("code", response.status_code)), detail=told["detail"])


def _retry_after(response: httpx2.Response) -> float:
    text = response.headers.get("retry-after", "")
    return min(float(text), max(WAITS)) if text.isascii() and text.isdigit() else 0.0


def _tell(data: str, on_progress: Progress) -> None:
    told = json.loads(data)
    on_progress(ProgressEvent(told["kind"], told["step"], told["seat"], told["note"], told.get("phase", "")))


def _as_printed(view: Payload) -> Payload:
    """Return a view as `moot ask --json` prints it; where the server has been told to stop, with how to go on."""
    printed = {name: value for name, value in view.items() if name not in (*OF_THE_VIEW, *OF_THE_SERVER)}
    if waiting := _waiting(view):
        printed["waiting"] = waiting
    if view["status"] == Status.RUNNING.value:
        why = f" ({view['problem']})" if view.get("problem") else ""
        printed["stop_reason"] = f"the server has stopped working on it{why}; resume {view['id']} goes on"
    return printed
