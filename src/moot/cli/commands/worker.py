"""`moot worker` runs what servers put into the queue of a PostgreSQL database; `moot workers` shows who does."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.service.background.worker import QueueWorker

END_SECONDS = 10
"""After a signal the process is gone by then, whatever still runs."""


def worker(
    queues: Annotated[
        str,
        typer.Option(
            "--queues",
            metavar="NAMES",
            help="What it works on, by commas: `now` is what somebody waits for, `batch` what nobody does, "
            "`step` what calls no model.",
        ),
    ] = "now,batch,step",
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", metavar="N", min=1, help="Deliberations at once. Without it, MOOT_SERVE_RUNS, else 8."
        ),
    ] = None,
    as_json: given.Json = False,
) -> None:
    """Run the deliberations that servers put into the queue of a PostgreSQL database, until it is told to end.

    Any number of workers on any number of machines may share a database. What a worker had when it died starts
    elsewhere; nothing that was answered is asked again.
    """
    import asyncio
    import os

    from moot.evals.arms.protocols import EVAL_PROTOCOLS, find_eval_protocol
    from moot.service.background.worker import open_worker, process_name, read_lanes

    lanes = read_lanes(queues)
    # The arms of an evaluation are protocols too.
    opening = open_worker(
        os.environ,
        name=process_name(),
        lanes=lanes,
        at_once=concurrency,
        protocols=find_eval_protocol,
        beside={name: spec.version for name, spec in EVAL_PROTOCOLS.items()},
    )

    async def run() -> None:
        async with opening as opened:
            await _work(opened, lambda: _say_ready(opened, as_json=as_json))

    asyncio.run(run())


async def _work(opened: "QueueWorker", say_ready: Callable[[], None]) -> None:
    """Work until a signal; then give back what is under way, within some seconds."""
    import asyncio
    import faulthandler
    import signal
    import sys

    from moot.service.background.log_lines import pace_lines

    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def end(*_: object) -> None:
        # A watchdog needs neither the event loop nor a thread.
        faulthandler.dump_traceback_later(END_SECONDS, exit=True, file=sys.__stderr__ or sys.stderr)
        loop.call_soon_threadsafe(told.set)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
    with pace_lines():
        running, ending = asyncio.ensure_future(opened.run()), asyncio.ensure_future(told.wait())
        ready = asyncio.ensure_future(opened.ready.wait())
        await asyncio.wait([running, ending, ready], return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            say_ready()
        await asyncio.wait([running, ending], return_when=asyncio.FIRST_COMPLETED)
        for waiting in (ending, ready):
            waiting.cancel()
        await opened.stop()
        await running


def _say_ready(opened: "QueueWorker", *, as_json: bool) -> None:
    if as_json:
        from moot.cli.session import print_json

        print_json({"worker": opened.number, "name": opened.name, "queues": list(opened.queues)})
    else:
        typer.echo(f"worker {opened.number} ({opened.name}) works on what waits. Ctrl-C ends it.")


def workers(as_json: given.Json = False) -> None:
    """List the workers of a PostgreSQL database: what each does and since when, and what no worker can run."""
    import asyncio
    import os

    from moot.cli.session import print_json
    from moot.service.background.workforce import read_workforce

    told = asyncio.run(read_workforce(os.environ))
    if as_json:
        print_json(told.json())
        return
    for line in told.lines():
        typer.echo(line)
