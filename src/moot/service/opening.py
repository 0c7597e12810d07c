"""Opening Moot over the store and the gateway that an environment asks for; and asking from a program."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from moot.core.budget import Budget
from moot.core.errors import BadSetting
from moot.core.ports import Model, Progress
from moot.core.protocol import ProtocolSpec
from moot.core.question import Document, Question
from moot.gateway.data_files import read_data_files
from moot.gateway.documents import read_documents
from moot.gateway.embedded.progress import ShowProgress
from moot.gateway.gateway import Gateway, GatewayOptions
from moot.protocols import find_protocol
from moot.service.orders import Order, Result
from moot.service.service import Service, no_progress
from moot.settings import BadValue, ProductSettings
from moot.store.store import Store


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()


@asynccontextmanager
async def open_service(
    environ: Mapping[str, str],
    *,
    options: GatewayOptions | None = None,
    fetching: ShowProgress | None = None,
    models: Mapping[str, Model] | None = None,
    protocols: Callable[[str], ProtocolSpec] = find_protocol,
    reads_files: bool = True,
) -> AsyncGenerator[Service, None]:
    """Give a service over the store and the gateway that an environment asks for, and close both.

    `models` are ready-made models by member string, such as `{"scripted:a": scripted([…])}`. Where `reads_files` is
    False, no setting may name a path: whoever asks may be elsewhere.
    """
    settings = ProductSettings.read(environ)
    options = options or gateway_options(environ)
    clock = SystemClock()
    gateway = Gateway(environ, options, progress=fetching, own=models)
    try:
        store = Store.open(settings.database, clock=clock)
        try:
            yield Service(
                store,
                gateway,
                clock=clock,
                environ=environ,
                local=options.local,
                embeddings=settings.values["embeddings"] or None,
                protocols=protocols,
                read_files=read_data_files if reads_files else None,
            )
        finally:
            await store.close()
    finally:
        await gateway.close()


def gateway_options(environ: Mapping[str, str]) -> GatewayOptions:
    """Return what the product's settings say of calls and of the embedded model.

    Raises:
        BadSetting: for one that is not the number it should be.
    """
    settings = ProductSettings.read(environ)
    try:
        return GatewayOptions(
            timeout=settings.number("timeout"),
            cache=settings.cache,
            embedded_threads=settings.whole("threads"),
            embedded_slots=settings.whole("slots"),
            embedded_context=settings.whole("context"),
        )
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None


async def ask(
    question: str,
    *,
    documents: Sequence[str | Path | Document] = (),
    form: str = "",
    protocol: str | None = None,
    members: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    seed: int | None = None,
    local: bool = False,
    progress: Progress = no_progress,
    models: Mapping[str, Model] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Result:
    """Return what a panel makes of a question.

    Documents may be paths or `Document` values. `models` brings models of one's own, by member string.

    Raises:
        MootError: for whatever Moot can name; a member that does not answer is not an error but part of the result.
    """
    given = [item for item in documents if isinstance(item, Document)]
    read = read_documents([item for item in documents if not isinstance(item, Document)], sys.stdin.buffer)
    order = Order(
        question=Question(text=question, documents=(*read, *given), form=form),
        protocol=protocol,
        members=tuple(members),
        settings=settings or {},
        budget=budget or Budget(),
        seed=seed,
    )
    environ = os.environ if environ is None else environ
    options = replace(gateway_options(environ), local=local)
    async with open_service(environ, options=options, models=models) as service:
        return await service.ask(order, progress=progress)


def ask_sync(question: str, **options: Any) -> Result:
    """Return what `ask` returns, from a program without an event loop."""
    return asyncio.run(ask(question, **options))
