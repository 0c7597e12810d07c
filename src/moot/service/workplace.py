"""Where an agent's deliberations and argument graphs are kept and worked on: here in its own process.

`Workplace` is what an agent is offered; `service.remote` offers the same on a running server.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, Protocol

from moot.argument import GraphStore
from moot.core.canonical import plain
from moot.core.errors import NotFound, UsageError
from moot.core.ports import Model, Progress
from moot.service.board import Board
from moot.service.configuring import read_configuration
from moot.service.open_steps import OpenSteps, line_json, step_json
from moot.service.opening import open_service
from moot.service.orders import Order, check_offered
from moot.service.results import Result
from moot.service.service import Created, Service
from moot.settings import ProductSettings

GraphFunction = Literal[
    "assert_graph",
    "merge_duplicates",
    "check_structure",
    "critical_links",
    "support_width",
    "resilience",
    "surviving_claims",
    "mark_refuted",
    "disputed_nodes",
    "keep_apart",
    "undo_refuted",
]
Payload = dict[str, Any]

AUTHOR = "an agent over MCP"


class Workplace(Protocol):
    """What an agent is offered. Whoever cancels a call stops what it spends."""

    async def deliberate(self, order: Order, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a new deliberation comes to, as `moot ask --json` prints it; while it waits, with what for."""
        ...

    async def resume(self, id_: str, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a deliberation comes to that was stopped."""
        ...

    async def status(self, id_: str) -> Payload:
        """Return where a deliberation stands: the same object, the question, and what waits for whom."""
        ...

    async def open_step(self, id_: str, step: str) -> Payload:
        """Return a step that waits for somebody: what it is about, and the JSON schema of the reply."""
        ...

    async def fill_open_step(
        self, id_: str, step: str, reply: Mapping[str, Any], *, on_progress: Progress, on_created: Created
    ) -> Payload:
        """Put a reply into a step that is not the board's, and return what its deliberation then comes to."""
        ...

    async def contest(self, id_: str, claim: str, *, reason: str, undo: bool) -> Payload:
        """Refute a claim of a stored graph, or take that back; return what stands before and after."""
        ...

    async def verify(self, id_: str, seal: str | None) -> Payload:
        """Return whether a claim of the board is what it was sealed as, and which slots are not (ruling P9)."""
        ...

    async def graph(self, function: GraphFunction, graph_id: str, arguments: Mapping[str, Any]) -> Payload:
        """Return what a function of the argument graph gives (interrogation 3.2)."""
        ...

    async def show_graph(self, graph_id: str) -> Payload:
        """Return a graph as JSON: `nodes` and `edges` after merging, and what was asserted."""
        ...

    async def list_graphs(self) -> Payload:
        """Return the names of all graphs, in order, as `graphs`."""
        ...


class OwnProcess:
    """A workplace in this process. Its graphs live as long as it does; its deliberations are stored."""

    def __init__(self, service: Service, environ: Mapping[str, str]) -> None:
        self._service = service
        self._environ = environ
        self._graphs = GraphStore()

    async def deliberate(self, order: Order, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a new deliberation comes to.

        Raises:
            MemberNotAllowed: for a member that whoever started this process did not offer.
        """
        await self._check_members(order.members)
        return _printed(await self._service.ask(order, on_progress=on_progress, on_created=on_created))

    async def resume(self, id_: str, *, on_progress: Progress, on_created: Created) -> Payload:
        """Return what a deliberation comes to that was stopped."""
        return _printed(await self._service.resume(id_, on_progress=on_progress, on_created=on_created))

    async def status(self, id_: str) -> Payload:
        """Return where a deliberation stands."""
        shown = await self._service.show(id_)
        return {
            **shown.json(),
            "question": shown.record.header.question.text,
            "stalled": shown.stalled,
            # The old name of the line above, for one release.
            "left_alone": shown.stalled,
            "waiting": [line_json(step) for step in shown.waiting],
        }

    async def open_step(self, id_: str, step: str) -> Payload:
        """Return a step that waits for somebody."""
        asked = await OpenSteps(self._service).find(id_, step)
        return step_json(asked, await self._service.shape(asked))

    async def fill_open_step(
        self, id_: str, step: str, reply: Mapping[str, Any], *, on_progress: Progress, on_created: Created
    ) -> Payload:
        """Put a reply into a step, and resume its deliberation here."""
        steps = OpenSteps(self._service)
        asked = await steps.find(id_, step)
        await steps.take(asked, AUTHOR)
        await steps.fill(asked, AUTHOR, reply, on_progress=on_progress, on_stored=on_created)
        return _printed(await self._service.show(asked.deliberation))

    async def contest(self, id_: str, claim: str, *, reason: str, undo: bool) -> Payload:
        """Refute a claim of a stored graph, or take that back."""
        if undo:
            return plain(await self._service.uncontest(id_, claim, author=AUTHOR))
        return plain(await self._service.contest(id_, claim, author=AUTHOR, reason=reason))

    async def verify(self, id_: str, seal: str | None) -> Payload:
        """Return whether a claim of the board is what it was sealed as."""
        return (await Board(self._service).verify(id_, seal)).json()

    async def graph(self, function: GraphFunction, graph_id: str, arguments: Mapping[str, Any]) -> Payload:
        """Return what a function of the argument graph gives; a large graph keeps nobody else waiting."""
        if function != "assert_graph":
            self._find(graph_id)

        def answer() -> Payload:
            check_named(self._graphs, graph_id, arguments.get("conclusion_id", arguments.get("node_id")))
            return graph_answer(getattr(self._graphs, function)(graph_id, **arguments))

        return await asyncio.to_thread(answer)

    async def show_graph(self, graph_id: str) -> Payload:
        """Return a graph as JSON."""
        self._find(graph_id)
        return graph_answer(await asyncio.to_thread(self._graphs.to_json, graph_id))

    async def list_graphs(self) -> Payload:
        """Return the names of all graphs of this process."""
        return {"graphs": sorted(self._graphs.graph_ids())}

    def _find(self, graph_id: str) -> None:
        if graph_id not in self._graphs.graph_ids():
            raise no_graph(graph_id)

    async def _check_members(self, named: Sequence[str]) -> None:
        if not named:
            return
        # An agent that was talked into an address must not make this process call it.
        usual = await self._service.planner.usual_members()
        allowed = ProductSettings.read(self._environ).names("serve_members")
        check_offered(named, [*(member.spec for member in usual.members), *allowed])


def graph_answer(payload: Payload) -> Payload:
    """Return what a function of the graph gave.

    Raises:
        UsageError: where that is an error.
    """
    if "error" in payload:
        raise UsageError(f"{payload['error']}.")
    return payload


def no_graph(graph_id: str) -> NotFound:
    """Return the error that says that there is no such graph."""
    see = "`list_graphs` names those there are, and `assert_graph` makes it"
    return NotFound(what="graph", name=graph_id, see=see)


def check_named(store: GraphStore, graph_id: str, named: str | None) -> None:
    """Do nothing where nothing is named, or a claim or a sentence of the graph.

    Raises:
        NotFound: for another name.
    """
    if named is None or store.resolve(graph_id, named) is not None:
        return
    if all(sentence.id != named for sentence in store.sentences(graph_id)):
        raise NotFound(what="node", name=named, see="`show_graph` lists its claims")


def _printed(shown: Result) -> Payload:
    return {**shown.json(), **({"waiting": [line_json(step) for step in shown.waiting]} if shown.waiting else {})}


@asynccontextmanager
async def open_own_process(
    environ: Mapping[str, str], *, models: Mapping[str, Model] | None = None
) -> AsyncGenerator[OwnProcess, None]:
    """Give a workplace over the store and the gateway that an environment asks for, and close both.

    No setting may name a path: what an agent can read is for whoever runs the agent to decide.
    """
    configuration = read_configuration(environ)
    environ = configuration.environment(environ)
    async with open_service(environ, models=models, reads_files=False, configuration=configuration) as service:
        yield OwnProcess(service, environ)
