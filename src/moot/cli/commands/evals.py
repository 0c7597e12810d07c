"""`moot evals`: arms over items with known answers, at stated cost; and old results, shown."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import EvalOrder, Finished
    from moot.gateway.gateway import GatewayOptions

app = typer.Typer(
    help="Ask whether deliberation pays: arms over items with known answers.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Concurrency = Annotated[
    int, typer.Option("--concurrency", metavar="N", help="Items in flight; 1 leaves each its own seconds.")
]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The results of a run.")]
RunCalls = Annotated[int | None, typer.Option("--budget-calls", metavar="N", help="Calls of the whole run at most.")]
RunUsd = Annotated[float | None, typer.Option("--budget-usd", metavar="X", help="Dollars of the whole run at most.")]

ItemCalls = Annotated[
    int | None, typer.Option("--budget-calls-per-item", metavar="N", help="Calls of an arm for one item at most.")
]
Arms = Annotated[
    str, typer.Option("--arms", metavar="A,B", help="Arms by name; `paper` is its six (`moot evals arms`).")
]
Data = Annotated[str, typer.Option("--data", metavar="FILE", help="A file of items, or `sample` for Moot's own.")]


@app.command("run")
def run(
    arms: Arms = "paper,self-consistency",
    data: Data = "sample",
    member: given.Members = None,
    panel: given.Panel = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="The first N items.")] = None,
    set_: given.Settings = None,
    n: Annotated[int | None, typer.Option("--n", metavar="N", help="The same as --set n=N: independent runs.")] = None,
    k: Annotated[
        int | None, typer.Option("--k", metavar="K", help="The same as --set k=K: lines of support that are enough.")
    ] = None,
    calls_per_item: ItemCalls = None,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Where results go; an old run goes on there.")
    ] = None,
    frontier: Annotated[
        str | None, typer.Option("--frontier", metavar="SPEC", help="The strong member of the arm `frontier`.")
    ] = None,
    screen: Annotated[
        Path | None, typer.Option("--screen", metavar="FILE", help="The rows of `moot screen`, for goal G1.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of everything sampled.")] = 0,
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Run arms over items; a run that was stopped goes on in its folder and pays nothing twice."""
    import shlex
    import sys
    from datetime import UTC, datetime

    from moot.core.errors import BadSetting
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import EvalOrder

    if calls_per_item is not None and calls_per_item < 1:
        raise BadSetting(name="budget-calls-per-item", problem=f"{calls_per_item} is too few; give 1 or more")
    now = datetime.now(UTC)
    order = EvalOrder(
        data=str(Path(data).resolve()) if Path(data).is_file() else data,
        arms=tuple(arms.split(",")),
        members=given.seated_by(panel, member),
        limit=limit,
        settings={**given.settings_from(set_), **given.words_from(n=n, k=k)},
        calls_per_item=calls_per_item,
        frontier=frontier,
        seed=seed,
        screen=str(screen.resolve()) if screen else "",
        command=shlex.join(["moot", *sys.argv[1:]]),
        started=now.isoformat(timespec="seconds"),
    )
    folder = out or Path("evals", "results", now.strftime("%Y%m%dT%H%M%SZ"))
    limits = RunLimits(budget_calls, budget_usd, concurrency)
    _evaluate(order, folder, limits, given.options_from(local=local, prices=price), as_json=as_json)


@app.command("resume")
def resume(
    folder: Folder,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Go on with a run that was stopped; nothing is paid twice."""
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import EvalOrder
    from moot.evals.runs.results import Results

    info = Results(folder).info()
    order = EvalOrder(
        data=info.data,
        arms=tuple(info.arms),
        members=info.members,
        limit=info.limit,
        settings=info.settings,
        defaults=info.defaults,
        calls_per_item=info.calls_per_item,
        frontier=info.frontier,
        seed=info.seed,
    )
    limits = RunLimits(budget_calls, budget_usd, concurrency)
    _evaluate(order, folder, limits, given.options_from(local=local, prices=price), as_json=as_json)


@app.command("show")
def show(folder: Folder, as_json: given.Json = False) -> None:
    """Show the results of a run, of today or of old; no model is called."""
    from moot.evals.runs.harness import finished
    from moot.evals.runs.results import Results

    _tell(finished(Results(folder)), as_json=as_json, written=False)


@app.command("arms")
def arms_(as_json: given.Json = False) -> None:
    """List the arms."""
    from moot.cli.session import print_json
    from moot.evals.arms.table import all_arms
    from moot.protocols import all_protocols

    rows = all_arms().values()
    for problem in all_protocols()[1]:
        typer.echo(f"moot: {problem}", err=True)
    if as_json:
        print_json([{"name": arm.name, "number": arm.number, "summary": arm.row.summary} for arm in rows])
        return
    for arm in rows:
        typer.echo(f"{arm.number or '-':>2}  {arm.name:<17} {arm.row.summary.removeprefix(f'arm {arm.number}: ')}")


def _evaluate(order: "EvalOrder", folder: Path, limits: "RunLimits", reach: "GatewayOptions", *, as_json: bool) -> None:
    import asyncio
    import os

    from moot.cli.session import DEGRADED
    from moot.cli.terminal.eval_progress import shown_evaluation
    from moot.core.errors import Interrupted
    from moot.evals.items.datasets import load
    from moot.evals.report.folder import write_summary
    from moot.evals.runs.harness import Access
    from moot.evals.runs.harness import run as evaluate
    from moot.evals.runs.results import Results

    dataset = load(order.data, limit=order.limit)
    for problem in dataset.problems:
        typer.echo(f"left out, {problem}", err=True)
    results = Results(folder)
    try:
        with shown_evaluation() as (listener, fetching):
            reached = Access(os.environ, reach, fetching=fetching)
            done = asyncio.run(evaluate(order, dataset, results, reach=reached, limits=limits, listener=listener))
    except KeyboardInterrupt:
        raise Interrupted(go_on=f"moot evals resume {folder}" if results.exists else None) from None
    write_summary(done)
    _tell(done, as_json=as_json, written=True)
    raise typer.Exit(DEGRADED if done.unasked else 0)


def _tell(done: "Finished", *, as_json: bool, written: bool) -> None:
    from moot.cli.session import print_json
    from moot.evals.report.folder import summary_text

    if as_json:
        print_json(_as_json(done))
        return
    _print_markdown(summary_text(done))
    if written:
        typer.echo(f"\n{done.folder / 'summary.md'}, rows in {done.folder / 'arms'}")


def _as_json(done: "Finished") -> dict[str, Any]:
    from moot.core.canonical import plain
    from moot.evals.figures.metrics import known

    arms: dict[str, Any] = {}
    for arm in done.info.arms:
        rows = [row for row in done.rows if row.arm == arm]
        arms[arm] = {
            "asked": len(rows),
            "correct": sum(row.correct for row in rows),
            "failed": sum(bool(row.problem) for row in rows),
            "calls": sum(row.calls for row in rows),
            "usd": plain(known(row.usd for row in rows)),
            "seconds": sum(row.seconds for row in rows),
        }
    return {
        "folder": str(done.folder),
        "run": plain(done.info),
        "items": done.info.items,
        "arms": arms,
        "problems": list(done.problems),
        "unasked": done.unasked,
    }


def _print_markdown(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        typer.echo(text)
