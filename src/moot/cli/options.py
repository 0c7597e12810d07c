"""The options that several commands share, and how their words become values."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import completing
from moot.core.errors import BadSetting, NotFound, UsageError

if TYPE_CHECKING:
    from moot.core.budget import Budget
    from moot.gateway.gateway import GatewayOptions


Protocol = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        "-p",
        metavar="NAME",
        help="How to deliberate: single, vote, coherence, spiral, interrogation, debate, prism, or one of your own as "
        "a FILE or package.module:NAME. Without it: interrogation where there are documents, else spiral.",
        autocompletion=completing.protocols,
    ),
]
OwnProtocol = Annotated[
    str | None,
    typer.Option(
        "--protocol", "-p", metavar="FILE", help="The file, or package.module:NAME, that its own protocol came from."
    ),
]
Task = Annotated[
    Path | None, typer.Option("--task", metavar="FILE", help="A JSON file that holds the question and its documents.")
]
Claim = Annotated[
    str | None,
    typer.Option(
        "--claim",
        metavar="TEXT",
        help="Test this claim instead of asking a question: what must be wrong for it to fail?",
    ),
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--doc", "-d", metavar="FILE", help="A document to answer from; - reads stdin. May be given several times."
    ),
]
Form = Annotated[
    str, typer.Option("--form", metavar="TEXT", help="The form that the answer should have, such as 'a number'.")
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="ID", help="The same as --member; a bare VENDOR/MODEL is OpenRouter's.")
]
Runs = Annotated[
    int | None, typer.Option("--n", metavar="N", help="The same as --set n=N: how many independent runs are made.")
]
Lines = Annotated[
    int | None, typer.Option("--k", metavar="K", help="The same as --set k=K: how many lines of support are enough.")
]
Temperature = Annotated[
    float | None,
    typer.Option("--temp", metavar="T", help="The same as --set temperature=T: how freely replies are drawn."),
]
Report = Annotated[bool, typer.Option("--report", help="Print the protocol's own report as well.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say how many calls, tokens and dollars it would take, and ask nobody.")
]
Members = Annotated[
    list[str] | None,
    typer.Option(
        "--member",
        "-m",
        metavar="SPEC",
        help="Who is asked, as PROVIDER:MODEL; SPEC*3 takes three seats. May be given several times.",
        autocompletion=completing.members,
    ),
]
Panel = Annotated[
    str | None,
    typer.Option(
        "--panel",
        metavar="NAME",
        help="A panel of moot.toml: its members, and the settings and limits that it brings.",
        autocompletion=completing.panels,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the protocol (`moot protocols` lists them). May be given several times.",
        autocompletion=completing.settings,
    ),
]
BudgetCalls = Annotated[
    int | None, typer.Option("--budget-calls", metavar="N", help="Make no more than N calls to models.")
]
BudgetTokens = Annotated[
    int | None, typer.Option("--budget-tokens", metavar="N", help="Use no more than N tokens, prompts and replies.")
]
BudgetUsd = Annotated[float | None, typer.Option("--budget-usd", metavar="X", help="Spend no more than X dollars.")]
BudgetSeconds = Annotated[
    float | None, typer.Option("--budget-seconds", metavar="S", help="Work for no more than S seconds.")
]
Prices = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        metavar="MODEL=IN,OUT",
        help="What a model costs where nobody knows it: dollars per million tokens in and out. May be given several "
        "times.",
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The seed of everything that is drawn by chance.")
]
Local = Annotated[bool, typer.Option("--local", help="Forbid everything that leaves this machine.")]
Join = Annotated[
    bool, typer.Option("--join", help="Take part: fill the steps that wait for a person, here at the terminal.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the answer alone, and no progress.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first, however much it is expected to cost.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value for programs; failures are JSON too.")]
As = Annotated[str, typer.Option("--as", metavar="NAME", help="Who you are. Without it, your login name.")]


def _newest(context: typer.Context, given: str) -> str:
    """The id that is meant by `last`: of the newest deliberation. While a word is completed, nothing is opened."""
    if given != "last" or context.resilient_parsing:
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
        metavar="ID",
        help="A deliberation: its id, the start of its id, or `last` for the newest.",
        callback=_newest,
        autocompletion=completing.deliberations,
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


def login_or(name: str) -> str:
    """Return who acts: the name that --as gives, or the login name.

    Raises:
        UsageError: where nobody knows either.
    """
    from getpass import getuser

    try:
        return name.strip() or getuser()
    except (KeyError, OSError):
        raise UsageError("nobody knows who you are here: add --as NAME.") from None


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
