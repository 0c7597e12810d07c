"""`moot screen`: which member answers from the documents?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.evals import Concurrency, RunCalls, RunUsd

if TYPE_CHECKING:
    from moot.evals.metrics import Proportion
    from moot.evals.screen import Screened


def screen(
    member: given.Members = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="N items, the kinds in turn.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The rows as JSONL; a stopped screen goes on.")
    ] = None,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Find out which member answers from documents, which from memory, and which abstains."""
    import asyncio
    import os
    import shlex
    import sys
    from datetime import UTC, datetime

    from moot.cli.evaluating import shown_evaluation
    from moot.cli.running import DEGRADED, print_json
    from moot.core.errors import Interrupted
    from moot.evals.arms.purse import Limits
    from moot.evals.harness import Reach
    from moot.evals.screen import recommended, screened
    from moot.evals.screening import screen as put_screen

    file = out or Path("evals", "results", f"screen-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl")
    reach = given.options_from(local=local, prices=price)
    limits = Limits(budget_calls, budget_usd, concurrency)
    try:
        with shown_evaluation() as (listener, fetching):
            reached = Reach(os.environ, reach, fetching=fetching)
            put = put_screen(tuple(member or ()), file, reach=reached, limits=limits, limit=limit, listener=listener)
            done = asyncio.run(put)
    except KeyboardInterrupt:
        again = shlex.join(["moot", *sys.argv[1:], *([] if out else ["--out", str(file)])])
        raise Interrupted(go_on=again if file.exists() else None) from None
    members = screened(done.rows)
    best, why = recommended(members) if members else (None, "nobody was asked")
    if as_json:
        print_json(
            {
                "members": [_as_json(one) for one in members],
                "recommended": {"member": best.member if best else None, "reason": why},
                "unasked": done.unasked,
                "rows": str(file),
            }
        )
    else:
        _print(members, done.items)
        typer.echo(f"\ndefault member: {best.member if best else 'none'}: {why}")
        if done.unasked:
            typer.echo(f"{done.unasked} answers are missing: {done.why_unasked}", err=True)
        typer.echo(f"rows in {file}")
    raise typer.Exit(DEGRADED if done.unasked else 0)


def _as_json(one: "Screened") -> dict[str, Any]:
    from moot.core.canonical import plain

    shares = {label: plain(share) for label, share in one.shares.items()}
    cost = {"calls": one.calls, "usd": plain(one.known_usd), "seconds": one.seconds}
    return {"member": one.member, "items": one.items, "right": plain(one.right), **shares, "failed": one.failed, **cost}


def _print(members: "Sequence[Screened]", items: int) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    from moot.evals.screen import LABELS
    from moot.views.words import usd_words

    table = Table("", *(Column(Text(one.member), overflow="fold") for one in members))
    table.add_row("items", *(f"{one.items} of {items}" for one in members))
    table.add_row("right", *(_share(one.right) for one in members))
    for label in LABELS:
        table.add_row(label, *(_share(one.shares[label]) for one in members))
    table.add_row("no answer", *(str(one.failed) for one in members))
    table.add_row(
        "cost", *(usd_words(one.known_usd.total, one.known_usd.unknown, "item", of=one.items) for one in members)
    )
    table.add_row("seconds", *(f"{one.seconds:.1f}" for one in members))
    Console(highlight=False).print(table)
    typer.echo("percent with 95 % Wilson intervals; right: grounded, or abstained where the documents do not settle it")


def _share(share: "Proportion") -> str:
    return f"{100 * (share.value or 0):.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"
