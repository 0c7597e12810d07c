"""`moot ask`, `moot resume` and `moot fork`: what spends."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.core.ports import Progress
    from moot.gateway.gateway import GatewayOptions
    from moot.service.results import Result
    from moot.service.service import Created, Service

    Spending = Callable[[Service, Progress, Created], Awaitable[Result]]


def ask(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="Without it, read from stdin.")] = None,
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
    as_json: given.Json = False,
) -> None:
    """Put a question to a panel."""
    from moot.cli.questions import asked_question
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
    reach = given.options_from(local=local, prices=price)
    if dry_run:
        from moot.cli.terminal.plan import show_plan

        show_plan(order, reach, as_json=as_json)
        return

    async def use_case(service: "Service", heard: "Progress", begun: "Created") -> "Result":
        plan = await service.plan(order)
        if plan.why:
            typer.echo(plan.why, err=True)
        return await service.carry_out(plan, progress=heard, created=begun)

    _run(use_case, reach, as_json=as_json, with_report=report, join=join)


def resume(
    id_: given.Id,
    price: given.Prices = None,
    local: given.Local = False,
    join: given.Join = False,
    as_json: given.Json = False,
) -> None:
    """Go on with a deliberation that was stopped or waits; nothing is paid twice."""
    _run(
        lambda service, heard, begun: service.resume(id_, progress=heard, created=begun),
        given.options_from(local=local, prices=price),
        as_json=as_json,
        join=join,
    )


def fork(
    id_: given.Id,
    at: Annotated[str, typer.Option("--at", metavar="STEP", help="The step from which things go another way.")],
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
    as_json: given.Json = False,
) -> None:
    """Go another way from a step on: its past is kept, members, settings and budget may change."""
    from moot.service.orders import Fork

    other = Fork(
        at,
        members=tuple(member or ()),
        settings=given.settings_from(set_),
        budget=given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds),
        seed=seed,
        panel=panel,
    )
    _run(
        lambda service, heard, begun: service.fork(id_, other, progress=heard, created=begun),
        given.options_from(local=local, prices=price),
        as_json=as_json,
    )


def _run(
    use_case: "Spending", reach: "GatewayOptions", *, as_json: bool, with_report: bool = False, join: bool = False
) -> None:
    from moot.cli.session import Begun, exit_code, print_json, session
    from moot.cli.terminal.progress import shown_progress
    from moot.cli.terminal.results import print_report, print_result

    begun = Begun(joined=join)
    with shown_progress() as heard, session(options=reach, begun=begun, fetching=heard.fetch) as here:
        result = here.run(lambda service: use_case(service, heard, begun))
        if join:
            from moot.cli.terminal.join import take_part

            result = take_part(result, here, heard, begun)
    if as_json:
        print_json(result.json())
    else:
        if with_report:
            print_report(result)
        print_result(result)
    raise typer.Exit(exit_code(result))
