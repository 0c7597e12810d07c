"""A server in the test's own loop: callers with keys of every scope, over HTTP without a network."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from moot.core.ports import Model
from moot.core.protocol import ProtocolSpec
from moot.protocols import find_protocol
from moot.testing import scripted
from moot.web.app import create_app
from moot.web.connections import ListeningSocket
from moot.web.server import Server, open_serving
from moot.web.serving import Serving

T = TypeVar("T")

SCOPES = ("agent", "reviewer", "admin")
MEMBER = "scripted:one"
API = "/api/v1"
SURE = json.dumps({"reasoning": "No prime divides it.", "answer": "97 is prime", "confidence": 0.9})


@dataclass
class Site:
    """A server and whoever calls it."""

    serving: Serving
    client: httpx2.AsyncClient
    keys: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    async def call(self, method: str, path: str, as_: str | None = "admin", **options: Any) -> httpx2.Response:
        """Send a request with the key of a scope, or a key as it is."""
        headers = dict(options.pop("headers", {}))
        if as_ is not None:
            headers["Authorization"] = f"Bearer {self.keys.get(as_, as_)}"
        return await self.client.request(method, f"{API}{path}", headers=headers, **options)

    async def get(self, path: str, as_: str | None = "admin", **options: Any) -> httpx2.Response:
        return await self.call("GET", path, as_, **options)

    async def post(self, path: str, body: Any = None, as_: str | None = "admin", **options: Any) -> httpx2.Response:
        return await self.call("POST", path, as_, **({"json": body} if body is not None else {}), **options)

    async def page(
        self, path: str, as_: str = "admin", form: Mapping[str, Any] | None = None, **options: Any
    ) -> httpx2.Response:
        """Open a page in a browser that is signed in as a scope, or send a form from one of its pages."""
        headers = {"Cookie": await self.cookie(as_), "Sec-Fetch-Site": "same-origin", **options.pop("headers", {})}
        method = "GET" if form is None else "POST"
        return await self.client.request(method, path, headers=headers, data=form, **options)

    async def cookie(self, as_: str = "admin") -> str:
        """Return the cookie of a browser that has signed in with the key of a scope."""
        if as_ not in self.sessions:
            key = await self.serving.keys.find(self.keys[as_])
            assert key
            self.sessions[as_] = await self.serving.sessions.make(key)
        return f"moot_{self.client.base_url.port or 80}={self.sessions[as_]}"

    async def agent(self, name: str, *scopes: str) -> str:
        """Give somebody a key, and return it."""
        _, text = await self.serving.keys.make(name, scopes or ("agent",))
        self.keys[name] = text
        return text

    async def ended(self, id_: str) -> Mapping[str, Any]:
        """Wait until a deliberation is no longer run here, and return it."""
        await self.serving.runs.finished(id_)
        return (await self.get(f"/deliberations/{id_}")).json()


async def with_keys(made: Site) -> Site:
    """Give each scope a key by its name; a second server on a database has keys of its own."""
    taken = {key.name for key in await made.serving.keys.list()}
    for scope in SCOPES:
        made.keys[scope] = await made.agent(scope if scope not in taken else f"{scope} {len(taken)}", scope)
    return made


def environ(tmp_path: Path, **settings: str) -> dict[str, str]:
    """An environment with a database of its own and one member."""
    given = {"home": str(tmp_path), "members": MEMBER, "serve_members": MEMBER, "serve_rate": "100000", **settings}
    return {f"MOOT_{name.upper()}": value for name, value in given.items()}


def one_member(*replies: str) -> dict[str, Model]:
    return {MEMBER: scripted(list(replies) or (lambda request: SURE))}


@contextlib.asynccontextmanager
async def site(
    tmp_path: Path,
    models: Mapping[str, Model] | None = None,
    environ_: Mapping[str, str] | None = None,
    protocols: Callable[[str], ProtocolSpec] = find_protocol,
    **limits: Any,
) -> AsyncGenerator[Site]:
    """Give a server that is called without a network."""
    opening = open_serving(environ_ or environ(tmp_path), models=models or one_member(), protocols=protocols)
    async with opening as serving:
        serving = replace(serving, limits=replace(serving.limits, **limits))
        app = create_app(serving)
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
                yield await with_keys(Site(serving, client))


@contextlib.asynccontextmanager
async def live_site(
    tmp_path: Path, models: Mapping[str, Model] | None = None, environ_: Mapping[str, str] | None = None
) -> AsyncGenerator[Site]:
    """Give a server that listens on a port of this machine, for what needs a connection."""
    async with open_serving(environ_ or environ(tmp_path), models=models or one_member()) as serving:
        listener = ListeningSocket.at("127.0.0.1", 0)
        server = Server(serving, lambda: None)
        running = asyncio.ensure_future(server._serve(sockets=[listener]))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
                yield await with_keys(Site(serving, client))
        finally:
            server.should_exit = True
            await running


def at_site(tmp_path: Path, scene: Callable[[Site], Awaitable[T]], *, live: bool = False, **options: Any) -> T:
    """Return what a scene at a server comes to."""

    async def run() -> T:
        async with (live_site if live else site)(tmp_path, **options) as here:
            return await scene(here)

    return asyncio.run(run())
