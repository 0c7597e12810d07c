"""Moot from a program: the functions that `import moot` gives, each over a service that it opens and closes."""

import os
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from getpass import getuser
from pathlib import Path
from typing import Any

from moot.core.budget import Budget
from moot.core.errors import BadSetting
from moot.core.ports import Model, Progress
from moot.core.protocol import ProtocolSpec
from moot.core.question import Document, Question
from moot.gateway.documents import read_documents
from moot.protocols import BroughtProtocols
from moot.runtime.replay import Replayed
from moot.service.contests import Contest
from moot.service.listing import list_page
from moot.service.opening import gateway_options, open_service
from moot.service.orders import Fork, Order
from moot.service.results import Result
from moot.service.service import Service, no_progress
from moot.service.streaming import blocking, streaming
from moot.store.lists import Summary
from moot.views.formats import Format

Documents = str | Path | Document | Mapping[str, str] | Sequence[str | Path | Document]
"""A path, several paths or documents, or texts by their names."""

BudgetLimits = Budget | Mapping[str, float]
"""A budget, or its limits by name: `{"calls": 20, "usd": 0.5}`."""


async def ask(
    question: str,
    *,
    documents: Documents = (),
    form: str = "",
    protocol: str | ProtocolSpec | None = None,
    members: str | Sequence[str] = (),
    panel: str | None = None,
    settings: Mapping[str, Any] | None = None,
    budget: BudgetLimits | None = None,
    seed: int | None = None,
    local: bool = False,
    progress: Progress = no_progress,
    models: Mapping[str, Model] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Result:
    """Return what a panel makes of a question.

    Documents are paths, `Document` values, or texts by name. A protocol is a name, `package.module:NAME`, a file, or a
    `ProtocolSpec`. `models` brings models of one's own, under names that `members` may use. `panel` is one of moot.toml
    by its name; what is left open is as moot.toml has it.

    Raises:
        MootError: for whatever Moot can name; a member that does not answer is not an error but part of the result.
    """
    order = Order(
        question=Question(text=question, documents=_documents(documents), form=form),
        protocol=protocol.name if isinstance(protocol, ProtocolSpec) else protocol,
        members=_listed(members),
        settings=settings or {},
        budget=_budget(budget),
        seed=seed,
        panel=panel,
    )
    async with _service(environ, local=local, models=models, protocol=protocol) as service:
        return await service.ask(order, on_progress=progress)


async def resume(
    deliberation: str,
    *,
    budget: BudgetLimits | None = None,
    protocol: str | ProtocolSpec | None = None,
    local: bool = False,
    progress: Progress = no_progress,
    models: Mapping[str, Model] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Result:
    """Return what a stopped deliberation comes to when it goes on; nothing is paid twice.

    With a budget, one that its budget has ended goes on under a new id from the first step that was refused; what was
    spent counts. `protocol` brings the one that began it, where it came from a file or a module of one's own.

    Raises:
        MootError: for one that has ended otherwise, or that another version of its protocol or of a plugin began.
    """
    async with _service(environ, local=local, models=models, protocol=protocol) as service:
        if budget is not None:
            return await service.extend(deliberation, _budget(budget), on_progress=progress)
        return await service.resume(deliberation, on_progress=progress)


async def fork(
    deliberation: str,
    at: str,
    *,
    members: str | Sequence[str] = (),
    panel: str | None = None,
    settings: Mapping[str, Any] | None = None,
    budget: BudgetLimits | None = None,
    seed: int | None = None,
    protocol: str | ProtocolSpec | None = None,
    local: bool = False,
    progress: Progress = no_progress,
    models: Mapping[str, Model] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Result:
    """Return what a deliberation comes to when it goes another way from the step `at` on; its past is kept.

    Raises:
        MootError: for a step that it has not, or a setting that would change its past.
    """
    other = Fork(at, _listed(members), settings or {}, _budget(budget), seed, panel)
    async with _service(environ, local=local, models=models, protocol=protocol) as service:
        return await service.fork(deliberation, other, on_progress=progress)


async def replay(
    deliberation: str, *, protocol: str | ProtocolSpec | None = None, environ: Mapping[str, str] | None = None
) -> Replayed:
    """Return proof that a stored run gives the same record again to the byte; no model is called."""
    async with _service(environ, protocol=protocol) as service:
        return await service.replay(deliberation)


async def show(deliberation: str, *, environ: Mapping[str, str] | None = None) -> Result:
    """Return a stored deliberation as it stands, by its id or the start of it."""
    async with _service(environ) as service:
        return await service.show(deliberation)


async def contest(
    deliberation: str,
    claim: str,
    *,
    reason: str,
    author: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Contest:
    """Refute a claim of a stored deliberation, and return what stands before and after; no model is called.

    The claim is named by its id or by words that only it has. Without an author it is whoever runs the program.
    """
    async with _service(environ) as service:
        return await service.contest(deliberation, claim, author=author or getuser(), reason=reason)


async def export(
    deliberation: str,
    format: Format = "md",  # noqa: A002
    *,
    environ: Mapping[str, str] | None = None,
) -> Mapping[str, str]:
    """Return a deliberation as Markdown, JSON, a page or all its files: texts by the names of their files."""
    async with _service(environ) as service:
        return await service.export(deliberation, format)


async def list_deliberations(
    *,
    limit: int | None = None,
    protocol: str | None = None,
    status: str | None = None,
    search: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> list[Summary]:
    """Return the stored deliberations in one line each, newest first, and only those that fit.

    `search` is a text that the question or the answer holds.

    Raises:
        BadSetting: for a status that there is not, or a limit below 1.
    """
    async with _service(environ) as service:
        page = await list_page(service, limit=limit, protocol=protocol, status=status, search=search)
        return [row.summary for row in page.rows]


ask_sync = blocking(ask, name="ask_sync", words="Return what `ask` returns, from a program without an event loop.")
stream = streaming(
    ask, name="stream", words="Yield what happens in a deliberation as it happens, and at last its `Result`."
)


@asynccontextmanager
async def _service(
    environ: Mapping[str, str] | None,
    *,
    local: bool = False,
    models: Mapping[str, Model] | None = None,
    protocol: str | ProtocolSpec | None = None,
) -> AsyncGenerator[Service, None]:
    environ = os.environ if environ is None else environ
    options = replace(gateway_options(environ), local=local)
    protocols = BroughtProtocols(*([protocol] if isinstance(protocol, ProtocolSpec) else []))
    if isinstance(protocol, str):
        protocols(protocol)
    async with open_service(environ, options=options, models=models, protocols=protocols) as service:
        yield service


def _documents(given: Documents) -> tuple[Document, ...]:
    if isinstance(given, Mapping):
        return tuple(Document(name=name, text=text) for name, text in given.items())
    items = [given] if isinstance(given, str | Path | Document) else list(given)
    # A document keeps its place among those that are read: prompts show them in this order.
    return tuple(
        document
        for item in items
        for document in ([item] if isinstance(item, Document) else read_documents([item], sys.stdin.buffer))
    )


def _listed(members: str | Sequence[str]) -> tuple[str, ...]:
    return (members,) if isinstance(members, str) else tuple(members)


def _budget(given: BudgetLimits | None) -> Budget:
    if given is None or isinstance(given, Budget):
        return given or Budget()
    known = [limit.name for limit in fields(Budget)]
    if strange := next((name for name in given if name not in known), None):
        raise BadSetting(name=f"budget {strange}", problem=f"there is no such limit; there are {', '.join(known)}")
    return Budget(**dict[str, Any](given))
