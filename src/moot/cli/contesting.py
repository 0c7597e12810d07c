"""`moot contest`: refute a claim of a stored deliberation, with no model call, and take that back."""

from typing import Annotated

import typer

from moot.cli import options as given
from moot.core.errors import UsageError


def contest(
    id_: given.Id,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="A claim's id, or words that only it has.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why it is wrong.")] = "",
    author: Annotated[str, typer.Option("--author", metavar="NAME", help="Who says so; without it, you.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the latest contest of this claim back.")] = False,
    as_json: given.Json = False,
) -> None:
    """Refute a claim and see how width, survivors and the answer change; no model is called."""
    from dataclasses import asdict
    from getpass import getuser

    from moot.cli.running import execute, print_json
    from moot.service.contests import standing_words
    from moot.views.words import one_line

    if not undo and not reason.strip():
        raise UsageError("a contest needs its reason: add --reason TEXT.")
    try:
        who = author.strip() or getuser()
    except (KeyError, OSError):
        raise UsageError("nobody knows who you are here: add --author NAME.") from None
    done = execute(
        lambda service: (
            service.uncontest(id_, claim, author=who)
            if undo
            else service.contest(id_, claim, author=who, reason=reason.strip())
        ),
    )
    if as_json:
        print_json(asdict(done))
        return
    typer.echo(f"{'no longer contested' if undo else 'contested'}: {done.node}  {one_line(done.claim, 200)}")
    typer.echo(f"  before  {one_line(standing_words(done.before), 300)}")
    typer.echo(f"  after   {one_line(standing_words(done.after), 300)}")
    fallen = [item for item in done.before.surviving if item not in done.after.surviving]
    risen = [item for item in done.after.surviving if item not in done.before.surviving]
    for name, items in (("falls", fallen), ("stands again", risen)):
        for item in items:
            typer.echo(f"  {name}  {one_line(item, 200)}")
