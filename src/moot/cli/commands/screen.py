"""`moot screen`: which member answers from the documents?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.commands.evals import Concurrency, RunCalls, RunUsd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from moot.evals.figures.forms import Forms
    from moot.evals.figures.metrics import Proportion
    from moot.evals.figures.screen import Screened
    from moot.evals.runs.screening import Done


def screen(
    member: given.Members = None,
    panel: given.Panel = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="N items, the kinds in turn.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The rows as JSONL; a stopped screen goes on.")
    ] = None,
    forms: Annotated[
        bool, typer.Option("--forms/--no-forms", help="Ask seven further items in each form, to recommend one.")
    ] = True,
    budget_calls: RunCalls = None,
    budget_usd: RunUsd = None,
    concurrency: Concurrency = 1,
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Find out which member answers from documents, which from memory, which abstains, and in which form to ask it."""
    import asyncio
    import os
    import shlex
    import sys
    from datetime import UTC, datetime

    from moot.cli.session import DEGRADED
    from moot.cli.terminal.eval_progress import shown_evaluation
    from moot.core.errors import Interrupted
    from moot.evals.runs.budget import RunLimits
    from moot.evals.runs.harness import Access
    from moot.evals.runs.screening import screen as put_screen

    file = out or Path("evals", "results", f"screen-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl")
    reach = given.options_from(local=local, prices=price)
    limits = RunLimits(budget_calls, budget_usd, concurrency)
    try:
        with shown_evaluation() as (listener, fetching):
            reached = Access(os.environ, reach, fetching=fetching)
            put = put_screen(
                given.seated_by(panel, member),
                file,
                reach=reached,
                limits=limits,
                limit=limit,
                forms=forms,
                listener=listener,
            )
            done = asyncio.run(put)
    except KeyboardInterrupt:
        again = shlex.join(["moot", *sys.argv[1:], *([] if out else ["--out", str(file)])])
        raise Interrupted(go_on=again if file.exists() else None) from None
    _tell(done, file, as_json=as_json)
    raise typer.Exit(DEGRADED if done.unasked else 0)


def _tell(done: "Done", file: Path, *, as_json: bool) -> None:
    from moot.cli.session import print_json
    from moot.evals.figures.forms import formed
    from moot.evals.figures.screen import recommended, screened

    members = screened(done.rows)
    told = formed(done.forms)
    best, why = recommended(members, told) if members else (None, "nobody was asked")
    if as_json:
        print_json(
            {
                "members": [_as_json(one, told.get(one.member)) for one in members],
                "recommended": {"member": best.member if best else None, "reason": why},
                "unasked": done.unasked,
                "rows": str(file),
            }
        )
    else:
        _print(members, done.items)
        _print_forms(list(told.values()))
        typer.echo(f"\ndefault member: {best.member if best else 'none'}: {why}")
        if done.unasked:
            typer.echo(f"{done.unasked} answers are missing: {done.why_unasked}", err=True)
        typer.echo(f"rows in {file}")


def _as_json(one: "Screened", forms: "Forms | None") -> dict[str, Any]:
    from moot.core.canonical import plain

    shares = {label: plain(share) for label, share in one.shares.items()}
    cost = {"calls": one.calls, "usd": plain(one.known_usd), "seconds": one.seconds}
    told = {"member": one.member, "items": one.items, "right": plain(one.right), **shares, "failed": one.failed, **cost}
    return {**told, "forms": _forms_as_json(forms)} if forms else told


def _forms_as_json(forms: "Forms") -> dict[str, Any]:
    from moot.core.canonical import plain

    ways = {
        item.way: {"right": plain(item.right), "at_once": plain(item.at_once), "covered": plain(item.covered)}
        for item in forms.ways
    }
    return {**ways, "agree": plain(forms.agree), "recommended": forms.recommended, "reason": forms.why}


def _print(members: "Sequence[Screened]", items: int) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    from moot.evals.figures.screen import LABELS
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


def _print_forms(members: "Sequence[Forms]") -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    from moot.evals.figures.forms import WAY_WORDS, WAYS

    if not members:
        return
    table = Table("form", *(Column(Text(one.member), overflow="fold") for one in members))
    for way in WAYS:
        table.add_row(WAY_WORDS[way], *("; ".join(_way_words(one, way)) for one in members))
    table.add_row("same answer", *(f"{one.agree.right} of {one.agree.of}" for one in members))
    Console(highlight=False).print(table)
    typer.echo("right; read at once; claims covered. same answer: plain and the form below it, both readable")
    for one in members:
        typer.echo(f"form for {one.member}: {one.recommended or 'none'}: {one.why}")


def _way_words(one: "Forms", way: str) -> "Iterator[str]":
    for item in one.ways:
        if item.way == way:
            yield f"{item.right.right} of {item.right.of}"
            yield f"{item.at_once.right} of {item.at_once.of}"
            yield f"{item.covered.right} of {item.covered.of}"


def _share(share: "Proportion") -> str:
    return f"{100 * (share.value or 0):.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"
