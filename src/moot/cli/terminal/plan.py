"""`moot ask --dry-run`: what a run would take, before anybody is asked."""

import typer

from moot.cli.session import print_json, session
from moot.core.canonical import plain
from moot.core.data_files import DataFiles
from moot.gateway.gateway import GatewayOptions
from moot.service.orders import Order, Plan
from moot.views.words import counted, usd_words


def show_plan(order: Order, options: GatewayOptions, *, as_json: bool) -> None:
    """Print what an order is resolved to and expected to take."""
    with session(options) as here:
        plan = here.run(here.service.planner.plan(order))
    if as_json:
        print_json(_plan_json(plan))
        return
    limits = ", ".join(f"{value:g} {name}" for name, value in plain(plan.budget).items() if value is not None)
    expected = plan.expected
    for name, value in (
        ("protocol", f"{plan.row.name} {plan.row.version}: {plan.row.summary}"),
        ("members", ", ".join(f"{member.name} = {member.model}" for member in plan.panel)),
        ("why these", plan.why or "they were named"),
        ("settings", ", ".join(f"{key}={_shown(value)}" for key, value in plan.settings)),
        ("budget", f"at most {limits}" if limits else "no limit"),
        (
            "expected",
            f"{counted(expected.calls, 'call')}, about {expected.tokens_in} tokens in and {expected.tokens_out} out",
        ),
        ("price", f"{usd_words(plan.usd)}{' at most, for these tokens' if plan.usd else ''}"),
    ):
        typer.echo(f"{name:>10}  {value}")
    if expected.note:
        typer.echo(f"{'':>10}  {expected.note}")
    typer.echo(f"{'':>10}  Nobody was asked.")


def _shown(value: object) -> object:
    return value.path if isinstance(value, DataFiles) else value


def _plan_json(plan: Plan) -> dict[str, object]:
    return {
        "protocol": plan.row.name,
        "protocol_version": plan.row.version,
        "members": plain(plan.panel)["members"],
        "settings": plain(plan.settings),
        "budget": plain(plan.budget),
        "expected": {**plain(plan.expected), "usd": plan.usd},
        "why": plan.why,
    }
