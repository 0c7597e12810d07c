"""The model that Moot runs by itself, as a member: fetched and started at its first call, and not before."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from moot.core.calls import Completion, Failure, Request
from moot.core.errors import EmbeddedFailed, MootError
from moot.core.ports import BeforeRetry, OnTokens
from moot.core.tokens import prompt_tokens
from moot.gateway.embedded.progress import FetchProgress, ShowProgress
from moot.gateway.keys import Secret
from moot.gateway.members import MemberSpec
from moot.gateway.openai_compatible import Endpoint, OpenAICompatible
from moot.gateway.pricing import Prices
from moot.gateway.requests import Grammar
from moot.gateway.retries import Retries

if TYPE_CHECKING:
    from moot.gateway.client import Client
    from moot.gateway.embedded.server import ChildEndpoint, EmbeddedServer
    from moot.gateway.embedded.speed import Speed


class ModelServer(Protocol):
    """What serves the model; `start` may be called before every call, and starts it again if it died."""

    async def start(self) -> "ChildEndpoint":
        """Return where the model is served."""
        ...

    async def stop(self) -> None:
        """End it."""
        ...


class FetchedServer:
    """A `Server` that fetches the weights before it starts the process."""

    def __init__(
        self,
        model: str,
        cache: Path,
        *,
        slots: int,
        context: int | None,
        threads: int | None,
        offline: bool,
        progress: ShowProgress,
    ) -> None:
        self._model = model
        self._cache = cache
        self._slots = slots
        self._context = context
        self._threads = threads
        self._offline = offline
        self._progress = progress
        self._server: EmbeddedServer | None = None

    async def start(self) -> "ChildEndpoint":
        """Return where the model is served, after fetching and starting what is not there.

        Raises:
            ModelFileError: the weights could not be had, or the process did not start.
            ExtraMissing: the embedded extra is not installed.
        """
        if self._server is None:
            self._server = await self._fetched()
        return await self._server.start(self._tell)

    async def stop(self) -> None:
        """End the process, if there is one."""
        if self._server is not None:
            await self._server.stop()

    async def _fetched(self) -> "EmbeddedServer":
        from moot.gateway.embedded.catalogue import find
        from moot.gateway.embedded.fetch import fetch
        from moot.gateway.embedded.server import EmbeddedServer, check_installed

        # Nobody should fetch a gigabyte to be told that it cannot be used.
        check_installed()
        entry = find(self._model)
        file = await fetch(entry, self._cache, progress=self._progress, offline=self._offline)
        return EmbeddedServer(entry, file, slots=self._slots, context=self._context, threads=self._threads)

    def _tell(self, note: str) -> None:
        self._progress(FetchProgress(self._model, "server", 0, 0, note))


class EmbeddedModel:
    """A `Model` that starts its server at the first call and shares it among all seats."""

    def __init__(
        self,
        member: MemberSpec,
        server: ModelServer,
        *,
        open_client: "Callable[[str, Secret], Client]",
        limit: AbstractAsyncContextManager[None],
        retries: Retries,
        timeout: float,
        prices: Prices,
        context: int,
        slots: int,
        grammar: Grammar | None,
    ) -> None:
        self._member = member
        self._server = server
        self._open_client = open_client
        self._limit = limit
        self._retries = retries
        self._timeout = timeout
        self._prices = prices
        self._grammar = grammar
        self._starting: asyncio.Task[ChildEndpoint] | None = None
        self._served: ChildEndpoint | None = None
        self._client: Client | None = None
        self._model: OpenAICompatible | None = None
        self._slots = slots
        self.context = context
        self.price = (0.0, 0.0)

    def at_once(self, request: Request) -> int:
        """Return how many replies to this prompt fit into the slots, and with the prompt into the window they share."""
        room = self.context - prompt_tokens(request.messages)
        return max(1, min(request.n, self._slots, room // max(1, request.max_tokens)))

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return what the model sends, or why it sends nothing; the first call waits for the model to start."""
        began = asyncio.get_running_loop().time()
        bound = asyncio.timeout(request.timeout)
        try:
            async with bound:
                model = await self.started()
        except TimeoutError:
            if not bound.expired():
                raise
            return Failure("timeout", f"{self._member.spec} did not start in the time that was left")
        except MootError as error:
            return Failure("unreachable", str(error))
        if request.timeout is not None:
            request = replace(request, timeout=request.timeout - (asyncio.get_running_loop().time() - began))
        return await model.complete(request, before_retry=before_retry, on_tokens=on_tokens)

    async def started(self) -> OpenAICompatible:
        """Return the running model, started first where it is not running.

        Raises:
            MootError: why it could not be.
        """
        # A call that is cancelled must not take the start away from the others that wait for it.
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._server.start())
        served = await asyncio.shield(self._starting)
        if self._model is None or served != self._served:
            before, self._served, self._model = self._client, served, self._reaching(served)
            if before is not None:
                await before.close()
        return self._model

    async def speed(self) -> "Speed":
        """Return how fast it reads and writes on this machine, started first where it is not running.

        Raises:
            MootError: why nobody can say.
        """
        from moot.gateway.call_errors import from_exception, site_of
        from moot.gateway.embedded.speed import measured_speed

        await self.started()
        if self._client is None or self._served is None:
            raise EmbeddedFailed(model=self._member.model, problem="it was closed meanwhile")
        try:
            return await measured_speed(self._client, self._served.model)
        except EmbeddedFailed:
            raise
        except Exception as error:
            trouble = from_exception(site_of(self._member, None), error)
            raise EmbeddedFailed(model=self._member.model, problem=trouble.detail) from None

    async def close(self) -> None:
        """End the server and close the connections to it."""
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._client is not None:
            client, self._client, self._model = self._client, None, None
            await client.close()
        await self._server.stop()

    def _reaching(self, served: "ChildEndpoint") -> OpenAICompatible:
        secret = Secret(served.key)
        client = self._open_client(served.base_url, secret)
        self._client = client
        member = replace(self._member, model=served.model, base_url=served.base_url)
        endpoint = Endpoint(lambda: client, secret, self._limit, self._retries, self._timeout)
        return OpenAICompatible(
            member, endpoint, self._prices, context=served.context, grammar=self._grammar, at_once=self._slots
        )
