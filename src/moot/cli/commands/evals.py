"""`moot evals`: arms over items with known answers, at stated cost; and old results, shown."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group

if TYPE_CHECKING:
    from moot.evals.items.datasets import Dataset
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.estimating import Estimated
    from moot.evals.runs.harness import EvalOrder, Finished
    from moot.gateway.gateway import GatewayOptions

app = command_group("evals", "Measure whether deliberation pays: ways of answering, over questions with known answers.")

Concurrency = Annotated[
    int,
    typer.Option(
        "--concurrency", metavar="N", help="How many items are asked at once. With 1, the seconds of each are its own."
    ),
]
ByWorkers = Annotated[
    bool,
    typer.Option(
        "--workers",
        help="Let the workers of the PostgreSQL database run the items, as many at once as they have places for.",
    ),
]
Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder of a run, or its name among the evaluations.")
]
RunCalls = Annotated[
    int | None, typer.Option("--budget-calls", metavar="N", help="Make no more than N calls in the whole run.")
]
RunUsd = Annotated[
    float | None, typer.Option("--budget-usd", metavar="X", help="Spend no more than X dollars on the whole run.")
]

ItemCalls = Annotated[
    int | None,
    typer.Option("--budget-calls-per-item", metavar="N", help="Let an arm make no more than N calls for one item."),
]
Arms = Annotated[
    str,
    typer.Option(
        "--arms", metavar="A,B", help="The arms by name (`moot evals arms` lists them); `paper` stands for its six."
    ),
]
Data = Annotated[str, typer.Option("--data", metavar="FILE", help="A file of items, or `sample` for those of Moot.")]

FirstItems = Annotated[int | None, typer.Option("--limit", metavar="N", help="Ask only the first N items.")]
ResultsFolder = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FOLDER", help="The folder for the results; a run that was stopped there goes on."
    ),
]
Frontier = Annotated[
    str | None, typer.Option("--frontier", metavar="SPEC", help="The strong member of the arm `frontier`.")
]
ScreenFile = Annotated[
    Path | None,
    typer.Option("--screen", metavar="FILE", help="The file of `moot screen --out`; the goal G1 is measured by it."),
]
EvalSeed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed of everything that is drawn by chance.")]


@app.command("run")
def run(
    arms: Arms = "paper,self-consistency",
    data: Data = "sample",
    member: given.Members = None,
    panel: given.Panel = None,
    limit: FirstItems = None,
    set_: given.Settings = None,
    n: given.Runs = None,
    k: given.Lines = None,
    calls_per_item: ItemCalls = None,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    workers: ByWorkers = False,
    out: ResultsFolder = None,
    frontier: Frontier = None,
    screen: ScreenFile = None,
    seed: EvalSeed = 0,
    price: given.Prices = None,
    local: given.Local = False,
    dry_run: given.DryRun = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Put items to arms and grade the answers. A run that was stopped goes on in its folder and pays nothing twice."""
    import os
    import shlex
    import sys
    from datetime import UTC, datetime

    from moot.core.errors import BadSetting
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import EvalOrder
    from moot.service.configuring import evals_folder

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
    folder = out or evals_folder(os.environ) / now.strftime("%Y%m%dT%H%M%SZ")
    limits = RunLimits(budget_calls, budget_usd, concurrency)
    reach = given.options_from(local=local, prices=price)
    if dry_run:
        _show_estimate(order, folder, limits, reach, as_json=as_json)
    else:
        _evaluate(order, folder, limits, reach, workers=workers, yes=yes, as_json=as_json)


@app.command("resume")
def resume(
    folder: Folder,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    workers: ByWorkers = False,
    price: given.Prices = None,
    local: given.Local = False,
    dry_run: given.DryRun = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Go on with a run that was stopped. Nothing is paid twice."""
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import EvalOrder
    from moot.evals.runs.results import Results

    folder = _found(folder)
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
    reach = given.options_from(local=local, prices=price)
    if dry_run:
        _show_estimate(order, folder, limits, reach, as_json=as_json)
    else:
        _evaluate(order, folder, limits, reach, workers=workers, yes=yes, as_json=as_json)


@app.command("show")
def show(folder: Folder, as_json: given.Json = False) -> None:
    """Show the results of a run, also of an old one. No model is called."""
    from moot.evals.runs.harness import finished
    from moot.evals.runs.results import Results

    _tell(finished(Results(_found(folder))), as_json=as_json, written=False)


@app.command("arms")
def arms_(as_json: given.Json = False) -> None:
    """List the arms: the ways of answering that can be compared."""
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


def _found(folder: Path) -> Path:
    """Return the folder that is meant: one of this name among the evaluations, where there is none here."""
    import os

    from moot.service.configuring import evals_folder

    kept = evals_folder(os.environ) / folder
    return kept if not folder.exists() and kept.exists() else folder


def _show_estimate(
    order: "EvalOrder", folder: Path, limits: "RunLimits", reach: "GatewayOptions", *, as_json: bool
) -> None:
    from moot.cli.terminal.estimates import show_estimates
    from moot.evals.items.datasets import load

    dataset = load(order.data, limit=order.limit)
    estimated = _estimated(order, dataset, folder, limits, reach)
    facts = {"items": len(dataset.items), "too_long": estimated.too_long}
    show_estimates(
        estimated.parts, part="arm", why=estimated.why, as_json=as_json, most_calls=limits.calls, facts=facts
    )


def _estimated(
    order: "EvalOrder", dataset: "Dataset", folder: Path, limits: "RunLimits", reach: "GatewayOptions"
) -> "Estimated":
    import asyncio
    import os

    from moot.evals.runs.estimating import estimate_run
    from moot.evals.runs.harness import Access
    from moot.evals.runs.results import Results

    return asyncio.run(estimate_run(order, dataset, Results(folder), reach=Access(os.environ, reach), limits=limits))


def _evaluate(
    order: "EvalOrder",
    folder: Path,
    limits: "RunLimits",
    reach: "GatewayOptions",
    *,
    workers: bool,
    yes: bool,
    as_json: bool,
) -> None:
    import asyncio
    import os

    from moot.cli.session import DEGRADED
    from moot.cli.terminal.estimates import announce_estimates
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
    announce_estimates(_estimated(order, dataset, folder, limits, reach).parts, yes=yes or as_json)
    results = Results(folder)
    try:
        with shown_evaluation() as (listener, fetching):
            reached = Access(os.environ, reach, fetching=fetching, workers=workers)
            done = asyncio.run(evaluate(order, dataset, results, reach=reached, limits=limits, listener=listener))
    except KeyboardInterrupt:
        raise Interrupted(go_on=f"moot evals resume {folder}" if results.exists else None) from None
    write_summary(done)
    _tell(done, as_json=as_json, written=True)
    raise typer.Exit(DEGRADED if done.unasked else 0)


def _tell(done: "Finished", *, as_json: bool, written: bool) -> None:
    from moot.cli.session import print_json

    if as_json:
        print_json(_as_json(done))
        return
    _print(done)
    if written:
        typer.echo(f"\n{done.folder / 'summary.md'}, rows in {done.folder / 'arms'}")


def _as_json(done: "Finished") -> dict[str, Any]:
    from moot.core.canonical import plain
    from moot.evals.report.folder import summary_of
    from moot.evals.report.summary_json import summary_json

    return {
        "folder": str(done.folder),
        "run": plain(done.info),
        "items": done.info.items,
        **summary_json(summary_of(done), done.rows),
        "problems": list(done.problems),
        "unasked": done.unasked,
    }


def _print(done: "Finished") -> None:
    """Tables that fit on a terminal, and elsewhere the Markdown of summary.md."""
    from moot.cli.terminal.consoles import out
    from moot.cli.terminal.figures import print_sections
    from moot.evals.report.folder import summary_of, summary_text
    from moot.evals.report.parts import summary_sections

    console = out()
    if console.is_terminal:
        print_sections(summary_sections(summary_of(done)), console)
    else:
        typer.echo(summary_text(done))
