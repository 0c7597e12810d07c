"""`moot compare`: one question through several protocols, side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import completing
from moot.cli import options as given

if TYPE_CHECKING:
    from moot.core.protocol import ProtocolSpec
    from moot.service.orders import Plan
    from moot.service.results import Result
    from moot.service.service import Service

USUAL = ("single", "interrogation")
NARROWEST = 30
"""Letters of a terminal's width for each protocol that stands beside others."""

Protocols = Annotated[
    list[str] | None,
    typer.Option(
        "--protocol",
        "-p",
        metavar="NAME",
        help="A protocol to compare (`moot protocols` lists them); several by commas, or given several times. "
        "Without it: single and interrogation.",
        autocompletion=completing.protocols,
    ),
]
EachCalls = Annotated[
    int | None, typer.Option("--budget-calls", metavar="N", help="Let each protocol make no more than N calls.")
]
EachTokens = Annotated[
    int | None, typer.Option("--budget-tokens", metavar="N", help="Let each protocol use no more than N tokens.")
]
EachUsd = Annotated[
    float | None, typer.Option("--budget-usd", metavar="X", help="Let each protocol spend no more than X dollars.")
]
EachSeconds = Annotated[
    float | None,
    typer.Option("--budget-seconds", metavar="S", help="Let each protocol work for no more than S seconds."),
]


def compare(
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="The question. Without it, stdin is read.")
    ] = None,
    protocol: Protocols = None,
    doc: given.Documents = None,
    form: given.Form = "",
    member: given.Members = None,
    panel: given.Panel = None,
    set_: given.Settings = None,
    budget_calls: EachCalls = None,
    budget_tokens: EachTokens = None,
    budget_usd: EachUsd = None,
    budget_seconds: EachSeconds = None,
    price: given.Prices = None,
    seed: given.Seed = None,
    local: given.Local = False,
    dry_run: given.DryRun = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Put one question through several protocols, and show their answers side by side."""
    from moot.cli.questions import asked_question
    from moot.cli.session import print_json, session
    from moot.cli.terminal.plan import announce
    from moot.cli.terminal.progress import shown_progress
    from moot.service.orders import Order

    asked = asked_question(question, None, None, doc or [], form)
    chosen = given.settings_from(set_)
    budget = given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds)
    with shown_progress() as on_progress, session(given.options_from(local=local, prices=price), on_progress) as here:
        service = here.service
        orders = [
            Order(asked, spec.name, _seated(member or [], spec.seats), _own(chosen, spec), budget, seed, panel=panel)
            for spec in _specs(protocol or USUAL, chosen, service)
        ]
        # All are planned before the first is begun: a wrong word costs nothing.
        plans = [here.run(service.planner.plan(order)) for order in orders]
        if dry_run:
            _show_plans(asked.text, plans, as_json=as_json)
            return
        announce(plans, on_progress, yes=yes or as_json)
        results = [here.run(service.ask(plan, on_progress=on_progress, on_created=here.on_created)) for plan in plans]
    if as_json:
        print_json({"question": asked.text, "results": [result.json() for result in results]})
    else:
        _print(results)
    raise typer.Exit(_exit_code(results))


def _show_plans(question: str, plans: "Sequence[Plan]", *, as_json: bool) -> None:
    from moot.cli.terminal.estimates import show_estimates
    from moot.service.estimates import estimate_of

    estimates = [estimate_of(plan.row.name, [plan]) for plan in plans]
    show_estimates(estimates, part="protocol", why=plans[0].why, as_json=as_json, facts={"question": question})


def _specs(protocols: Sequence[str], settings: dict[str, Any], service: "Service") -> "list[ProtocolSpec]":
    from moot.core.errors import BadSetting, UsageError
    from moot.core.near_names import did_you_mean

    words = (name.strip() for several in protocols for name in several.split(","))
    names = list(dict.fromkeys(name for name in words if name))
    if not names:
        raise UsageError("no protocol is named; give --protocol, as in --protocol single,interrogation.")
    specs = [service.find_protocol(name) for name in names]
    known = sorted({name for spec in specs for name in spec.settings.model_fields})
    if strange := next((name for name in settings if name not in known), None):
        meant = did_you_mean(strange, known)
        raise BadSetting(name=strange, problem=f"none of these protocols has it; {meant}they have {', '.join(known)}")
    return specs


def _own(settings: dict[str, Any], spec: "ProtocolSpec") -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name in spec.settings.model_fields}


def _seated(members: list[str], seats: int) -> tuple[str, ...]:
    """One member alone takes as many seats as the protocol has."""
    return tuple(members) * seats if len(members) == 1 and "*" not in members[0] else tuple(members)


def _print(results: "Sequence[Result]") -> None:
    """Print a column for each protocol, or a block for each where columns would be too narrow to read."""
    from rich.table import Table

    from moot.cli.terminal.consoles import out
    from moot.cli.terminal.figures import blocks
    from moot.evals.report.parts import table as rows_of
    from moot.views.words import harmless

    names, columns = [result.record.header.protocol for result in results], [_cells(result) for result in results]
    console = out()
    if console.is_terminal and console.width < NARROWEST * len(results):
        told = zip(names, columns, strict=True)
        rows = ((name, *(cell.replace("\n", "; ") for cell in cells.values())) for name, cells in told)
        console.print(blocks(rows_of(("", *columns[0]), rows)))
        return
    table = Table("", *names, show_lines=True)
    for name in columns[0]:
        table.add_row(name, *(harmless(column[name]) for column in columns))
    console.print(table) if console.is_terminal else console.print(table, soft_wrap=True)


def _cells(result: "Result") -> dict[str, str]:
    from moot.views.words import confidence_words, counted, one_line, usd_words

    verdict, spent = result.record.verdict, result.spent
    dissent = (
        [f"{', '.join(other.held_by)}: {one_line(other.answer, 120)}" for other in verdict.dissent] if verdict else []
    )
    panel = result.record.header.panel
    return {
        "answer": one_line(verdict.answer, 400) if verdict and verdict.answer else "none",
        "status": result.status.value,
        "stopped": one_line(verdict.stop_reason, 200) if verdict else "not ended",
        "confidence": one_line(confidence_words(verdict.confidence), 200) if verdict else "none",
        "dissent": "\n".join(dissent) or "none",
        "panel": f"{counted(len(panel), 'seat')}, {counted(len(panel.models), 'model')}",
        "calls": str(spent.calls),
        "cost": usd_words(spent.usd, spent.unknown.usd),
        "seconds": f"{spent.seconds:.1f}",
        "look further": f"moot show {result.id}",
    }


def _exit_code(results: "Sequence[Result]") -> int:
    """0 where all are complete, 1 where none has an answer, 3 otherwise."""
    from moot.cli.session import COMPLETE, DEGRADED, FAILURE, exit_code

    codes = {exit_code(result) for result in results}
    return codes.pop() if codes in ({COMPLETE}, {FAILURE}) else DEGRADED
