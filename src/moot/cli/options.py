"""The options that several commands share, and how their words become values."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.core.errors import BadSetting, NotFound

if TYPE_CHECKING:
    from moot.core.budget import Budget
    from moot.gateway.gateway import GatewayOptions


def _protocol_names(incomplete: str) -> list[str]:
    from moot.protocols import PROTOCOLS

    return [name for name in PROTOCOLS if name.startswith(incomplete)]


def _panel_names(incomplete: str) -> list[str]:
    import os

    from moot.service.configuring import look_for_configuration

    return [name for name in look_for_configuration(os.environ).panels if name.startswith(incomplete)]


Protocol = Annotated[
    str | None,
    typer.Option("--protocol", metavar="NAME", help="How to deliberate.", autocompletion=_protocol_names),
]
OwnProtocol = Annotated[
    str | None,
    typer.Option("--protocol", metavar="FILE", help="The file, or package.module:NAME, that its protocol came from."),
]
Task = Annotated[Path | None, typer.Option("--task", metavar="FILE", help="A JSON file with question and documents.")]
Claim = Annotated[
    str | None,
    typer.Option("--claim", metavar="TEXT", help="A claim to test instead: how much must be wrong for it to fail?"),
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--doc", "-d", metavar="FILE", help="A document to answer from; may be given several times. - is stdin."
    ),
]
Form = Annotated[str, typer.Option("--form", metavar="TEXT", help="The form of the answer, such as 'a number'.")]
Model = Annotated[
    str | None, typer.Option("--model", metavar="ID", help="The same as --member; a bare VENDOR/MODEL is OpenRouter's.")
]
Runs = Annotated[int | None, typer.Option("--n", metavar="N", help="The same as --set n=N: independent runs.")]
Lines = Annotated[int | None, typer.Option("--k", metavar="K", help="The same as --set k=K: lines of support wanted.")]
Temperature = Annotated[float | None, typer.Option("--temp", metavar="T", help="The same as --set temperature=T.")]
Report = Annotated[bool, typer.Option("--report", help="Print the protocol's report too.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would take, and ask nobody.")]
Members = Annotated[
    list[str] | None,
    typer.Option(
        "--member", "-m", metavar="SPEC", help="Who is asked; may be given several times. SPEC*3 seats three."
    ),
]
Panel = Annotated[
    str | None,
    typer.Option(
        "--panel", metavar="NAME", help="A panel of moot.toml, with what it brings.", autocompletion=_panel_names
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting of the protocol; may be given several times."),
]
BudgetCalls = Annotated[int | None, typer.Option("--budget-calls", metavar="N", help="Calls at most.")]
BudgetTokens = Annotated[int | None, typer.Option("--budget-tokens", metavar="N", help="Tokens at most.")]
BudgetUsd = Annotated[float | None, typer.Option("--budget-usd", metavar="X", help="Dollars at most.")]
BudgetSeconds = Annotated[float | None, typer.Option("--budget-seconds", metavar="S", help="Seconds of work at most.")]
Prices = Annotated[
    list[str] | None,
    typer.Option("--price", metavar="MODEL=IN,OUT", help="Dollars per million tokens in and out, where nobody knows."),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed of everything sampled.")]
Local = Annotated[bool, typer.Option("--local", help="Forbid everything that leaves this machine.")]
Join = Annotated[
    bool, typer.Option("--join", help="Take part: fill the steps that wait for a person, here at the terminal.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _newest(given: str) -> str:
    """The id that is meant by `last`: of the newest deliberation."""
    if given != "last":
        return given
    from moot.cli.session import session

    with session() as here:
        newest = here.run(here.service.store.deliberations.newest(1))
    if not newest:
        raise NotFound(what="deliberation", name=given, see="`moot ask` begins one")
    return newest[0].id


Id = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="A deliberation: its id, the start of it, or `last` for the newest.", callback=_newest
    ),
]


def budget_from(calls: int | None, tokens: int | None, usd: float | None, seconds: float | None) -> "Budget":
    """Return the limits that were given."""
    from moot.core.budget import Budget

    return Budget(calls=calls, tokens=tokens, usd=usd, seconds=seconds)


def settings_from(pairs: list[str] | None) -> dict[str, Any]:
    """Return what --set says.

    Raises:
        BadSetting: for one without a name or without a value.
    """
    chosen: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not name.strip() or not equals:
            raise BadSetting(name=pair, problem="it is written --set KEY=VALUE")
        chosen[name.strip()] = value
    return chosen


def words_from(**words: Any) -> dict[str, Any]:
    """Return the settings that options of their own name."""
    return {name: value for name, value in words.items() if value is not None}


def members_from(model: str | None) -> list[str]:
    """Return the member that --model names; an id without a provider is OpenRouter's (interrogation 4.4)."""
    if model is None:
        return []
    return [model if ":" in model or "/" not in model else f"openrouter:{model}"]


def seated_by(panel: str | None, member: list[str] | None) -> tuple[str, ...]:
    """Return who is named by --member, or else sits in the panel.

    Raises:
        NotFound: for a panel that no moot.toml has.
    """
    if panel is None:
        return tuple(member or ())
    import os

    from moot.service.configuring import read_configuration

    found = read_configuration(os.environ).find_panel(panel)
    return tuple(member or found.members)


def prices_from(pairs: list[str] | None) -> dict[str, tuple[float, float]]:
    """Return what --price says.

    Raises:
        BadSetting: for one that is not MODEL=IN,OUT.
    """
    prices: dict[str, tuple[float, float]] = {}
    for pair in pairs or []:
        model, _, figures = pair.rpartition("=")
        try:
            cost_in, cost_out = (float(figure) for figure in figures.split(","))
        except ValueError:
            cost_in = cost_out = -1.0
        if not (model and 0 <= cost_in < math.inf and 0 <= cost_out < math.inf):
            raise BadSetting(name="price", problem=f"{pair!r} is not MODEL=IN,OUT in dollars per million tokens")
        prices[model] = (cost_in, cost_out)
    return prices


def options_from(*, local: bool, prices: list[str] | None) -> "GatewayOptions":
    """Return how models are reached, as the environment and the command say."""
    import os
    from dataclasses import replace

    from moot.service.opening import gateway_options

    usual = gateway_options(os.environ)
    return replace(usual, local=local, prices={**usual.prices, **prices_from(prices)})
