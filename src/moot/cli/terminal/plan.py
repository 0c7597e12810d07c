"""What a run would take: said before money is spent, confirmed where it is much, and all that `--dry-run` prints."""

import os
from collections.abc import Iterator, Sequence

import typer

from moot.cli.session import print_json, session
from moot.cli.terminal.consoles import is_confirmed, is_somebody_there, out
from moot.cli.terminal.progress import ShownProgress
from moot.cli.terminal.results import Row, print_rows
from moot.core.budget import Budget, Expectation
from moot.core.canonical import plain
from moot.core.errors import NotConfirmed
from moot.core.panel import Panel
from moot.gateway.gateway import GatewayOptions
from moot.service.configuring import read_configuration
from moot.service.estimates import Foreseen
from moot.service.orders import Order, Plan
from moot.views.words import cost_words, counted, setting_value_words, usd_words

NOBODY = "Nobody was asked."
CONFIRM_USD = 1.0
"""Dollars above which a terminal asks first, where moot.toml does not say."""


def announce(plans: Sequence[Plan], on_progress: ShownProgress, *, yes: bool, quiet: bool = False) -> None:
    """Say on stderr who is asked and what that is expected to take; ask first where it is dear and somebody is there.

    Raises:
        NotConfirmed: where the answer is no.
    """
    with on_progress.hidden():
        for line in [] if quiet else _announcement(plans):
            typer.echo(line, err=True)
        confirm_cost(sum(plan.known_usd for plan in plans), yes=yes)


def confirm_cost(usd: float, *, yes: bool) -> None:
    """Ask whether to go on where it is dear and somebody is there to say so.

    Raises:
        NotConfirmed: where the answer is no.
    """
    if yes or not is_somebody_there() or usd <= _confirm_usd():
        return
    if not is_confirmed(f"This is expected to cost {usd_words(usd)}. Go on?"):
        raise NotConfirmed(what="nobody was asked", without_asking="--yes")


def announce_foreseen(foreseen: Foreseen, on_progress: ShownProgress, *, yes: bool, quiet: bool) -> None:
    """Say on stderr what going on is expected to take, and what of it is spent; ask first where the rest is dear.

    Raises:
        NotConfirmed: where the answer is no.
    """
    kept, expected = foreseen.kept, expected_words(foreseen.expected, foreseen.usd, foreseen.known_usd)
    within = _within(foreseen.header.budget)
    with on_progress.hidden():
        if not quiet:
            typer.echo(f"expected in all: {expected} ({within}); {counted(kept.calls, 'call')} of it kept", err=True)
        confirm_cost(foreseen.known_usd - (kept.usd or 0.0), yes=yes)


def _announcement(plans: Sequence[Plan]) -> Iterator[str]:
    if plans[0].why:
        yield plans[0].why
    for plan in plans:
        name = f"{plan.row.name}, " if len(plans) > 1 else ""
        yield f"{name}{estimate_words(plan)}"
        yield from (f"warning: {_warning(plan, model)}" for model in plan.unmeasured)


def _confirm_usd() -> float:
    """The dollars above which a terminal asks first."""
    said = read_configuration(os.environ).confirm_usd
    return CONFIRM_USD if said is None else said.value


def estimate_words(plan: Plan) -> str:
    """Return what a plan is expected to take, and within which limits."""
    return f"expected: {expected_words(plan.expected, plan.usd, plan.known_usd)} ({_within(plan.budget)})"


def _within(budget: Budget) -> str:
    limits = limit_words(budget)
    return f"at most {limits}" if limits else "no limit"


def limit_words(budget: Budget) -> str:
    """Return the limits of a budget that there are."""
    named = [
        (budget.calls, "{:g} calls"),
        (budget.tokens, "{:,} tokens"),
        (budget.usd, "${:g}"),
        (budget.seconds, "{:g} s"),
    ]
    return ", ".join(words.format(value) for value, words in named if value is not None)


def show_plan(order: Order, options: GatewayOptions, *, as_json: bool) -> None:
    """Print what an order is resolved to and expected to take."""
    with session(options) as here:
        plan = here.run(here.service.planner.plan(order))
    if as_json:
        print_json(plan_json(plan))
    else:
        print_rows([*_rows(plan), ("", NOBODY)], out())


def print_foreseen(foreseen: Foreseen, *, as_json: bool) -> None:
    """Print what going on is expected to take in all, what of it is kept, and that nobody was asked."""
    if as_json:
        print_json(foreseen.json())
        return
    header = foreseen.header
    rows = [
        ("protocol", header.protocol),
        ("members", _members_words(header.panel)),
        ("expected", f"{expected_words(foreseen.expected, foreseen.usd, foreseen.known_usd)}, in all"),
        ("kept", f"{cost_words(foreseen.kept)}; it is not paid again"),
        ("at most", limit_words(header.budget) or "no limit"),
        ("", NOBODY),
    ]
    print_rows(rows, out())


def plan_json(plan: Plan) -> dict[str, object]:
    """Return a plan as `--json` prints it."""
    return {
        "protocol": plan.row.name,
        "protocol_version": plan.row.version,
        "members": plain(plan.panel)["members"],
        "settings": plain(plan.settings),
        "budget": plain(plan.budget),
        "expected": {**plain(plan.expected), "usd": plan.usd},
        "unmeasured": list(plan.unmeasured),
        "why": plan.why,
    }


def _rows(plan: Plan) -> Iterator[Row]:
    yield "protocol", f"{plan.row.name} {plan.row.version}: {plan.row.summary}"
    yield "members", _members_words(plan.panel)
    yield "why these", plan.why or "they were named"
    yield "settings", ", ".join(f"{key}={setting_value_words(value)}" for key, value in plan.settings)
    yield "expected", expected_words(plan.expected, plan.usd, plan.known_usd)
    yield "at most", _most_words(plan)
    for model in plan.unmeasured:
        yield "warning", _warning(plan, model)
    if plan.expected.note:
        yield "", plan.expected.note


def _members_words(panel: Panel) -> str:
    return ", ".join(f"{member.name} = {member.model}" for member in panel) or "nobody"


def expected_words(expected: Expectation, usd: float | None, known_usd: float) -> str:
    """Return what is expected: calls, tokens, and dollars as far as they are known."""
    tokens = f"about {expected.tokens_in:,} tokens in and {expected.tokens_out:,} out"
    return f"{counted(expected.calls, 'call')}, {tokens}, {price_words(usd, known_usd)}"


def price_words(usd: float | None, known_usd: float) -> str:
    """Return an expected price, as far as it is known."""
    return f"at least {usd_words(known_usd)}" if usd is None and known_usd else usd_words(usd)


def _most_words(plan: Plan) -> str:
    """The limits, and what as many calls as they allow would cost at the expected size."""
    limits, calls = limit_words(plan.budget), plan.budget.calls
    if not limits:
        return "no limit"
    if plan.usd and plan.budget.usd is None and calls and plan.expected.calls:
        return f"{limits}, about {usd_words(plan.usd * calls / plan.expected.calls)}"
    return limits


def _warning(plan: Plan, model: str) -> str:
    return (
        f"nobody knows how much {model} can read, and the longest prompt has about {plan.expected.longest:,} tokens; "
        "--set passages=N sends only the passages that bear on the question"
    )
