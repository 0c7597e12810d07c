"""`moot compare`: one question through several protocols, side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.core.protocol import ProtocolSpec
    from moot.service.results import Result
    from moot.service.service import Service


def compare(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="Without it, read from stdin.")] = None,
    protocols: Annotated[
        str, typer.Option("--protocols", metavar="A,B", help="The protocols to compare (`moot protocols`).")
    ] = "single,interrogation",
    doc: Annotated[
        list[str] | None,
        typer.Option("--doc", "-d", metavar="FILE", help="A document to answer from; may be given several times."),
    ] = None,
    form: Annotated[
        str, typer.Option("--form", metavar="TEXT", help="The form of the answer, such as 'a number'.")
    ] = "",
    member: given.Members = None,
    panel: given.Panel = None,
    set_: given.Settings = None,
    budget_calls: Annotated[
        int | None, typer.Option("--budget-calls", metavar="N", help="Calls of each protocol at most.")
    ] = None,
    budget_usd: Annotated[
        float | None, typer.Option("--budget-usd", metavar="X", help="Dollars of each protocol at most.")
    ] = None,
    price: given.Prices = None,
    seed: given.Seed = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Put one question through several protocols and show their answers side by side."""
    from moot.cli.questions import asked_question
    from moot.cli.session import print_json, session
    from moot.cli.terminal.progress import shown_progress
    from moot.service.orders import Order

    asked = asked_question(question, None, None, doc or [], form)
    chosen = given.settings_from(set_)
    budget = given.budget_from(budget_calls, None, budget_usd, None)
    with shown_progress() as on_progress, session(given.options_from(local=local, prices=price), on_progress) as here:
        service = here.service
        orders = [
            Order(asked, spec.name, _seated(member or [], spec.seats), _own(chosen, spec), budget, seed, panel=panel)
            for spec in _specs(protocols, chosen, service)
        ]
        # All are planned before the first is begun: a wrong word costs nothing.
        plans = [here.run(service.planner.plan(order)) for order in orders]
        if plans[0].why:
            typer.echo(plans[0].why, err=True)
        results = [here.run(service.ask(plan, on_progress=on_progress, on_created=here.on_created)) for plan in plans]
    if as_json:
        print_json({"question": asked.text, "results": [result.json() for result in results]})
    else:
        _print(results)
    raise typer.Exit(_exit_code(results))


def _specs(protocols: str, settings: dict[str, Any], service: "Service") -> "list[ProtocolSpec]":
    from moot.core.errors import BadSetting, UsageError

    names = list(dict.fromkeys(name.strip() for name in protocols.split(",") if name.strip()))
    if not names:
        raise UsageError("no protocol is named; give --protocols, as in --protocols single,interrogation.")
    specs = [service.find_protocol(name) for name in names]
    known = sorted({name for spec in specs for name in spec.settings.model_fields})
    if strange := next((name for name in settings if name not in known), None):
        raise BadSetting(name=strange, problem=f"none of these protocols has it; they have {', '.join(known)}")
    return specs


def _own(settings: dict[str, Any], spec: "ProtocolSpec") -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name in spec.settings.model_fields}


def _seated(members: list[str], seats: int) -> tuple[str, ...]:
    """One member alone takes as many seats as the protocol has."""
    return tuple(members) * seats if len(members) == 1 and "*" not in members[0] else tuple(members)


def _print(results: "Sequence[Result]") -> None:
    from rich.console import Console
    from rich.table import Table

    from moot.views.words import harmless

    table = Table("", *(result.record.header.protocol for result in results), show_lines=True)
    columns = [_cells(result) for result in results]
    for name in columns[0]:
        table.add_row(name, *(harmless(column[name]) for column in columns))
    console = Console(highlight=False, markup=False)
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
