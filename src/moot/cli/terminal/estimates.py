"""`--dry-run` of what asks several times: calls, tokens and dollars of each part, before anybody is asked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import typer

from moot.cli.session import print_json
from moot.cli.terminal.plan import NOBODY, confirm_cost, price_words
from moot.service.estimates import Estimate, sum_of
from moot.views.words import counted, harmless, usd_words


def show_estimates(
    estimates: Sequence[Estimate],
    *,
    part: str,
    why: str = "",
    as_json: bool,
    most_calls: int | None = None,
    facts: dict[str, Any] | None = None,
) -> None:
    """Print what each part is expected to take, and all of them; `part` says what they are.

    `most_calls` is a limit of the whole, beside those that each of them has.
    """
    total = sum_of(estimates)
    limits = [limit for limit in (total.most_calls, most_calls) if limit is not None]
    total = replace(total, most_calls=min(limits, default=None))
    if as_json:
        told = {"expected": total.json(), f"{part}s": [one.json() for one in estimates]}
        print_json({**(facts or {}), **told, "why": why, "asked": 0})
        return
    if why:
        typer.echo(why, err=True)
    for line in _table(part, [*estimates, total] if len(estimates) > 1 else estimates):
        typer.echo(line)
    limit = "no limit of calls" if total.most_calls is None else f"a limit of {total.most_calls:,} calls"
    typer.echo(f"This is what is expected, within {limit}. {NOBODY}")


def announce_estimates(estimates: Sequence[Estimate], *, yes: bool) -> None:
    """Say on stderr what is expected in all, before anybody is asked; ask first where it is dear.

    Raises:
        NotConfirmed: where the answer is no.
    """
    if not estimates:
        return
    total = sum_of(estimates)
    tokens = f"about {total.tokens_in:,} tokens in and {total.tokens_out:,} out"
    limit = "no limit" if total.most_calls is None else f"at most {total.most_calls:,} calls"
    typer.echo(
        f"expected: {counted(total.calls, 'call')}, {tokens}, {price_words(total.usd, total.known_usd)} ({limit})",
        err=True,
    )
    confirm_cost(total.known_usd, yes=yes)


def _table(part: str, estimates: Sequence[Estimate]) -> list[str]:
    head = (part, "calls", "tokens in", "out", "cost")
    rows = [head, *(_cells(one) for one in estimates)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cells(one: Estimate) -> tuple[str, ...]:
    cost = "unknown" if one.usd is None else usd_words(one.usd)
    return (harmless(one.name), f"{one.calls:,}", f"{one.tokens_in:,}", f"{one.tokens_out:,}", cost)
