"""`moot ask`, `moot resume` and `moot fork`: what spends."""

from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.cli.session import Session
    from moot.cli.terminal.progress import ShownProgress
    from moot.service.results import Result


def ask(
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="The question. Without it, it is read from stdin.")
    ] = None,
    protocol: given.Protocol = None,
    task: given.Task = None,
    claim: given.Claim = None,
    doc: given.Documents = None,
    form: given.Form = "",
    member: given.Members = None,
    panel: given.Panel = None,
    set_: given.Settings = None,
    model: given.Model = None,
    n: given.Runs = None,
    k: given.Lines = None,
    temp: given.Temperature = None,
    budget_calls: given.BudgetCalls = None,
    budget_tokens: given.BudgetTokens = None,
    budget_usd: given.BudgetUsd = None,
    budget_seconds: given.BudgetSeconds = None,
    price: given.Prices = None,
    seed: given.Seed = None,
    local: given.Local = False,
    report: given.Report = False,
    dry_run: given.DryRun = False,
    join: given.Join = False,
    quiet: given.Quiet = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Put a question to a panel, and print its answer with what it is worth."""
    from moot.cli.questions import asked_question
    from moot.cli.session import session
    from moot.cli.terminal.plan import announce, show_plan
    from moot.cli.terminal.progress import shown_progress
    from moot.service.orders import Order

    order = Order(
        question=asked_question(question, task, claim, doc or [], form),
        protocol=protocol or ("interrogation" if claim else None),
        members=(*(member or ()), *given.members_from(model)),
        settings={**given.settings_from(set_), **given.words_from(n=n, k=k, temperature=temp, claim=claim)},
        budget=given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds),
        seed=seed,
        join=join,
        panel=panel,
    )
    options = given.options_from(local=local, prices=price)
    if dry_run:
        show_plan(order, options, as_json=as_json)
        return
    with shown_progress(quiet=quiet) as on_progress, session(options, on_progress, joined=join) as here:
        plan = here.run(here.service.planner.plan(order))
        announce([plan], on_progress, yes=yes or as_json, quiet=quiet)
        result = here.run(here.service.ask(plan, on_progress=on_progress, on_created=here.on_created))
        result = _taken_part(result, here, on_progress) if join else result
    _end(result, here, as_json=as_json, quiet=quiet, with_report=report)


def resume(
    id_: given.Id,
    budget_calls: given.BudgetCalls = None,
    budget_tokens: given.BudgetTokens = None,
    budget_usd: given.BudgetUsd = None,
    budget_seconds: given.BudgetSeconds = None,
    price: given.Prices = None,
    local: given.Local = False,
    join: given.Join = False,
    protocol: given.OwnProtocol = None,
    dry_run: given.DryRun = False,
    quiet: given.Quiet = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Go on with a deliberation that was stopped or that waits. Nothing is paid twice.

    With a larger budget, one that its budget ended goes on under a new id, from the first step that was refused. What
    was spent before counts towards the new budget, and the old record stays as it is.
    """
    from moot.cli.session import session
    from moot.cli.terminal.plan import announce_foreseen, print_foreseen
    from moot.cli.terminal.progress import shown_progress
    from moot.core.budget import Budget
    from moot.service.estimates import foresee_resumption

    larger = given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds)
    options = given.options_from(local=local, prices=price)
    with shown_progress(quiet=quiet) as on_progress, session(options, on_progress, joined=join) as here:
        here.bring_protocol(protocol)
        foreseen = here.run(foresee_resumption(here.service, id_, larger))
        if dry_run:
            print_foreseen(foreseen, as_json=as_json)
            return
        announce_foreseen(foreseen, on_progress, yes=yes or as_json, quiet=quiet)
        if larger == Budget():
            work = here.service.resume(id_, on_progress=on_progress, on_created=here.on_created)
        else:
            work = here.service.extend(id_, larger, on_progress=on_progress, on_created=here.on_created)
        result = here.run(work)
        if larger != Budget() and not quiet:
            typer.echo(f"{result.id} goes on from {id_} with a larger budget", err=True)
        result = _taken_part(result, here, on_progress) if join else result
    _end(result, here, as_json=as_json, quiet=quiet)


def fork(
    id_: given.Id,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="STEP",
            help="The step from which things change (`moot show ID --full` names the steps).",
        ),
    ],
    member: given.Members = None,
    panel: given.Panel = None,
    set_: given.Settings = None,
    budget_calls: given.BudgetCalls = None,
    budget_tokens: given.BudgetTokens = None,
    budget_usd: given.BudgetUsd = None,
    budget_seconds: given.BudgetSeconds = None,
    price: given.Prices = None,
    seed: given.Seed = None,
    local: given.Local = False,
    join: given.Join = False,
    protocol: given.OwnProtocol = None,
    dry_run: given.DryRun = False,
    quiet: given.Quiet = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Repeat a deliberation from one of its steps on with other members, settings or limits.

    What came before that step is kept and not paid for again. The old deliberation stays as it is.
    """
    from moot.cli.session import session
    from moot.cli.terminal.plan import announce_foreseen, print_foreseen
    from moot.cli.terminal.progress import shown_progress
    from moot.service.estimates import foresee_fork
    from moot.service.orders import Fork

    other = Fork(
        at,
        members=tuple(member or ()),
        settings=given.settings_from(set_),
        budget=given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds),
        seed=seed,
        panel=panel,
    )
    options = given.options_from(local=local, prices=price)
    with shown_progress(quiet=quiet) as on_progress, session(options, on_progress, joined=join) as here:
        here.bring_protocol(protocol)
        foreseen = here.run(foresee_fork(here.service, id_, other))
        if dry_run:
            print_foreseen(foreseen, as_json=as_json)
            return
        announce_foreseen(foreseen, on_progress, yes=yes or as_json, quiet=quiet)
        result = here.run(here.service.fork(id_, other, on_progress=on_progress, on_created=here.on_created))
        result = _taken_part(result, here, on_progress) if join else result
    _end(result, here, as_json=as_json, quiet=quiet)


def _taken_part(result: "Result", here: "Session", on_progress: "ShownProgress") -> "Result":
    """Return the result once the person at the terminal has filled what waits for one."""
    from moot.cli.terminal.join import take_part

    return take_part(result, here, on_progress)


def _end(
    result: "Result", here: "Session", *, as_json: bool, quiet: bool = False, with_report: bool = False
) -> NoReturn:
    """Print the result and end the command with its exit code."""
    from moot.cli.session import exit_code, print_json
    from moot.cli.terminal.consoles import beside
    from moot.cli.terminal.results import print_answer, print_report, print_result
    from moot.service.protocol_part import protocol_part

    if as_json:
        print_json(result.json())
    elif quiet:
        print_answer(result)
    else:
        own = protocol_part(result.record, here.service.find_protocol)
        if with_report:
            print_report(own, beside())
        print_result(result, own.narrator)
    raise typer.Exit(exit_code(result))
