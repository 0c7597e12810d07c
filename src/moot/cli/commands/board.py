"""`moot board`: claims, their slots and flags, for people at a terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group
from moot.core.errors import UsageError

if TYPE_CHECKING:
    from moot.core.ports import OpenStep

app = command_group("board", "Put claims on a board, fill their slots, and review their flags.")

CHANGED = 1

Claim = Annotated[str, typer.Argument(metavar="ID", help="The claim; the start of its id is enough.")]
Step = Annotated[str, typer.Argument(metavar="STEP", help="A slot, as `moot board show` names it.")]
Lease = Annotated[float, typer.Option("--lease", metavar="SECONDS", help="For how many seconds the slot is yours.")]


@app.command()
def add(
    claim: Annotated[str | None, typer.Argument(metavar="CLAIM", help="The claim. Without it, stdin is read.")] = None,
    table: Annotated[
        str | None,
        typer.Option(
            "--table", metavar="NAME", help="The table of its layers: prism-v1, prism-v1-solo, or a TOML or JSON file."
        ),
    ] = None,
    doc: given.Documents = None,
    member: given.Members = None,
    panel: given.Panel = None,
    set_: given.Settings = None,
    budget_calls: given.BudgetCalls = None,
    budget_tokens: given.BudgetTokens = None,
    budget_usd: given.BudgetUsd = None,
    budget_seconds: given.BudgetSeconds = None,
    price: given.Prices = None,
    local: given.Local = False,
    dry_run: given.DryRun = False,
    yes: given.Yes = False,
    as_json: given.Json = False,
) -> None:
    """Put a claim on the board. Without --member or --panel, its slots wait for people and agents."""
    from moot.cli.questions import asked_question
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import draw
    from moot.cli.terminal.plan import announce, show_plan
    from moot.cli.terminal.progress import shown_progress
    from moot.service.board import PRISM, Board
    from moot.service.orders import Order

    house = "all" if member or panel else "none"
    chosen = {"house": house, **given.settings_from(set_), **given.words_from(table=table)}
    asked = asked_question(claim, None, None, doc or [], "")
    budget = given.budget_from(budget_calls, budget_tokens, budget_usd, budget_seconds)
    order = Order(asked, PRISM, tuple(member or ()), chosen, budget, panel=panel)
    options = given.options_from(local=local, prices=price)
    if dry_run:
        show_plan(order, options, as_json=as_json)
        return
    with shown_progress() as on_progress, session(options, on_progress) as here:
        plan = here.run(here.service.planner.plan(order))
        if len(plan.panel):
            announce([plan], on_progress, yes=yes or as_json)
        result = here.run(here.service.ask(plan, on_progress=on_progress, on_created=here.on_created))
        added = here.run(Board(here.service).claim(result.id))
    if as_json:
        print_json(added.json())
    else:
        draw(added)


@app.command("list")
def list_(as_json: given.Json = False) -> None:
    """List the claims, newest first, and say where each of them stands."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import list_claims
    from moot.service.board import Board

    with session() as here:
        claims = here.run(Board(here.service).claims())
    if as_json:
        print_json([claim.json() for claim in claims])
    else:
        list_claims(claims)


@app.command()
def show(id_: Claim, as_json: given.Json = False) -> None:
    """Draw a claim with its layers: who filled which slot, how sure they are, and which flags wait."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import draw
    from moot.service.board import Board

    with session() as here:
        claim = here.run(Board(here.service).claim(id_))
    if as_json:
        print_json(claim.json())
    else:
        draw(claim)


@app.command()
def take(
    id_: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The claim. Without it, the oldest slot of any claim is taken.")
    ] = None,
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="The slot. Without it, the oldest that you may take.")
    ] = None,
    name: given.As = "",
    layer: Annotated[int | None, typer.Option("--layer", metavar="N", help="Take only a slot of this layer.")] = None,
    role: Annotated[str | None, typer.Option("--role", metavar="ROLE", help="Take only a slot for this role.")] = None,
    type_: Annotated[
        str | None, typer.Option("--type", metavar="work|consensus", help="Take only a slot of this type.")
    ] = None,
    lease: Lease = 300,
    as_json: given.Json = False,
) -> None:
    """Take a slot and see what it asks for. Taking your own slot again gives you more time."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import say_how_to_submit, show_slot
    from moot.core.canonical import plain
    from moot.core.moments import with_iso_moments
    from moot.service.board import Board

    who = given.login_or(name)
    with session() as here:
        board = Board(here.service)
        if id_ and step:
            taken = here.run(board.take(id_, step, who, lease=lease))
        else:
            taken = here.run(board.take_next(who, lease=lease, claim=id_, layer=layer, role=role, type_=type_))
        if taken is None:
            raise UsageError(_none_to_take(who, here.run(board.held(who, id_))))
    if as_json:
        print_json(with_iso_moments(plain(taken), "lease_until"))
    else:
        show_slot(taken)
        say_how_to_submit(taken)


@app.command()
def submit(
    id_: Claim,
    step: Step,
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="The output as a JSON file. Without it, stdin is read.")
    ] = Path("-"),
    name: given.As = "",
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Submit the output of a slot that you hold. The claim goes on when all slots of its phase are filled."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import say_where
    from moot.cli.terminal.progress import shown_progress
    from moot.service.board import Board

    output, who = _read_output(file), given.login_or(name)
    with shown_progress() as on_progress, session(given.options_from(local=local, prices=price), on_progress) as here:
        board = Board(here.service)
        here.run(board.done(id_, step, who, output, on_progress=on_progress, on_stored=here.on_created))
        claim = here.run(board.claim(id_))
    if as_json:
        print_json(claim.json())
    else:
        typer.echo(f"{step} is done")
        say_where(claim)


@app.command()
def release(id_: Claim, step: Step, name: given.As = "", as_json: given.Json = False) -> None:
    """Give a slot back, so that somebody else can take it."""
    from moot.cli.session import print_json, session
    from moot.service.board import Board

    with session() as here:
        here.run(Board(here.service).release(id_, step, given.login_or(name)))
    if as_json:
        print_json({"released": step})
    else:
        typer.echo(f"{step} is open again")


@app.command()
def review(
    id_: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The claim. Without it, all flags are listed.")
    ] = None,
    decision: Annotated[
        str | None, typer.Argument(metavar="[advance|redo|close]", help="What to do. Without it, the flag is shown.")
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why you decide so. A review needs it.")] = "",
    name: given.As = "",
    price: given.Prices = None,
    local: given.Local = False,
    as_json: given.Json = False,
) -> None:
    """Clear a flag: let the layer advance, have it done again, or close the claim."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import say_where
    from moot.cli.terminal.progress import shown_progress
    from moot.service.board import Board

    if id_ is None or decision is None:
        _show_flags(id_, as_json=as_json)
        return
    who = given.login_or(name)
    if not note.strip():
        raise UsageError("a review needs its reason: add --note TEXT.")
    with shown_progress() as on_progress, session(given.options_from(local=local, prices=price), on_progress) as here:
        board = Board(here.service)
        here.run(board.clear(id_, who, decision, note, on_progress=on_progress, on_stored=here.on_created))
        claim = here.run(board.claim(id_))
    if as_json:
        print_json(claim.json())
    else:
        say_where(claim)


@app.command()
def verify(
    id_: Claim,
    seal: Annotated[
        str | None, typer.Option("--seal", metavar="SHA256", help="The seal as you noted it, to compare with.")
    ] = None,
    as_json: given.Json = False,
) -> None:
    """Check a claim that has ended against its seal, and name every slot that was changed since."""
    from moot.cli.session import print_json, session
    from moot.service.board import Board

    with session() as here:
        verified = here.run(Board(here.service).verify(id_, seal))
    if as_json:
        print_json(verified.json())
    elif verified.changed:
        typer.echo(f"changed since it was sealed: {', '.join(verified.changed)}")
    else:
        typer.echo(f"unchanged: {verified.slots} slots")
        typer.echo(f"sha256 {verified.seal}")
    if verified.changed:
        raise typer.Exit(CHANGED)


def _none_to_take(who: str, held: "list[OpenStep]") -> str:
    problem = f"no slot is open that {who!r} may take, and nobody has two in one layer of a claim"
    if not held:
        return f"{problem}; `moot board list` shows where the claims stand."
    mine = ", ".join(f"{step.deliberation} {step.step}" for step in held)
    return f"{problem}: {who!r} holds {mine} already; `moot board submit` fills it, `moot board release` gives it back."


def _read_output(file: Path) -> dict[str, Any]:
    import json

    from moot.gateway.documents import read_document

    text = read_document(file, sys.stdin.buffer).text
    try:
        output = json.loads(text)
    except (ValueError, RecursionError):
        output = None
    if not isinstance(output, dict):
        raise UsageError(
            'the output is no JSON object; write {"content": "…", "confidence": 0.8} and what the slot wants.'
        )
    return output


def _show_flags(id_: str | None, *, as_json: bool) -> None:
    from moot.cli.session import print_json, session
    from moot.cli.terminal.claims import show_flags
    from moot.core.canonical import plain
    from moot.core.moments import with_iso_moments
    from moot.service.board import Board

    with session() as here:
        board = Board(here.service)
        claim = here.run(board.claim(id_)).id if id_ else None
        flags = [flag for flag in here.run(board.flags()) if claim in (None, flag.deliberation)]
    if as_json:
        print_json([with_iso_moments(plain(flag), "lease_until") for flag in flags])
    else:
        show_flags(flags, whole=id_ is not None)
