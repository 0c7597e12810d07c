"""`moot screen`: which member answers from the documents?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import options as given
from moot.cli.commands.evals import Concurrency, RunCalls, RunUsd

if TYPE_CHECKING:
    from moot.evals.report.screen_report import ScreenReport
    from moot.evals.runs.estimating import Estimated
    from moot.evals.runs.screening import Done

Items = Annotated[int | None, typer.Option("--limit", metavar="N", help="Ask only N items, of each kind in turn.")]
Rows = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="The file for the rows, as JSON lines; a screen that was stopped goes on.",
    ),
]
WithForms = Annotated[
    bool,
    typer.Option("--forms/--no-forms", help="Ask seven further items in each form of answering, and recommend one."),
]


def screen(
    member: given.Members = None,
    panel: given.Panel = None,
    limit: Items = None,
    out: Rows = None,
    forms: WithForms = True,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    price: given.Prices = None,
    local: given.Local = False,
    dry_run: given.DryRun = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Find out which member answers from documents, which from memory, which abstains, and in which form to ask it."""
    import asyncio
    import os
    import shlex
    import sys
    from datetime import UTC, datetime

    from moot.cli.session import DEGRADED
    from moot.cli.terminal.estimates import announce_estimates
    from moot.cli.terminal.eval_progress import shown_evaluation
    from moot.core.errors import Interrupted
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.estimating import estimate_screen
    from moot.evals.runs.harness import Access
    from moot.evals.runs.screening import screen as put_screen

    file = out or Path("evals", "results", f"screen-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl")
    reach = given.options_from(local=local, prices=price)
    limits = RunLimits(budget_calls, budget_usd, concurrency)
    members = given.seated_by(panel, member)
    options = {"limits": limits, "limit": limit, "forms": forms}
    estimated = asyncio.run(estimate_screen(members, file, reach=Access(os.environ, reach), **options))
    if dry_run:
        _show_estimate(estimated, limits.calls, as_json=as_json)
        return
    announce_estimates(estimated.parts, yes=yes or as_json)
    try:
        with shown_evaluation() as (listener, fetching):
            reached = Access(os.environ, reach, fetching=fetching)
            put = put_screen(members, file, reach=reached, listener=listener, **options)
            done = asyncio.run(put)
    except KeyboardInterrupt:
        again = shlex.join(["moot", *sys.argv[1:], *([] if out else ["--out", str(file)])])
        raise Interrupted(go_on=again if file.exists() else None) from None
    _tell(done, file, as_json=as_json)
    raise typer.Exit(DEGRADED if done.unasked else 0)


def _show_estimate(estimated: "Estimated", most_calls: int | None, *, as_json: bool) -> None:
    from moot.cli.terminal.estimates import show_estimates

    facts = {"too_long": estimated.too_long}
    show_estimates(
        estimated.parts, part="member", why=estimated.why, as_json=as_json, most_calls=most_calls, facts=facts
    )


def _tell(done: "Done", file: Path, *, as_json: bool) -> None:
    from moot.cli.session import print_json
    from moot.evals.report.screen_report import screen_json, screen_report

    report = screen_report(done)
    if as_json:
        print_json({**screen_json(report), "rows": str(file)})
        return
    _print(report)
    if report.unasked:
        typer.echo(f"{report.unasked} answers are missing: {report.why_unasked}", err=True)
    typer.echo(f"rows in {file}")


def _print(report: "ScreenReport") -> None:
    """Tables that fit on a terminal, and Markdown elsewhere."""
    from moot.cli.terminal.consoles import out
    from moot.cli.terminal.figures import print_sections
    from moot.evals.report.markdown import sections_markdown
    from moot.evals.report.screen_report import screen_sections

    console = out()
    if console.is_terminal:
        print_sections(screen_sections(report), console)
    else:
        typer.echo(sections_markdown(screen_sections(report)))
