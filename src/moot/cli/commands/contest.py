"""`moot contest`: refute a claim of a stored deliberation, with no model call, and take that back."""

from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import options as given
from moot.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moot.service.contests import Contest


def contest(
    id_: given.Id,
    claim: Annotated[
        str,
        typer.Argument(
            metavar="[CLAIM]",
            help="The id of a claim or of a sentence beneath one (survey.md#4), or words that only it has. Without it, "
            "Moot says what would fall with each sentence that the answer rests on, and keeps nothing.",
        ),
    ] = "",
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="Why the claim is wrong. A contest needs it.")
    ] = "",
    name: given.As = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the latest contest of this claim back.")] = False,
    as_json: given.Json = False,
) -> None:
    """Say that a claim is wrong, and see whether the answer still stands. No model is called."""
    from dataclasses import asdict

    from moot.cli.session import print_json, session

    if not claim.strip() and (undo or note.strip()):
        raise UsageError(f"say which claim: `moot contest {id_}` lists what the answer rests on.")
    if not claim.strip():
        with session() as here:
            supposed = here.run(here.service.suppositions(id_))
        print_json([asdict(each) for each in supposed]) if as_json else _print_suppositions(supposed)
        return
    if not undo and not note.strip():
        raise UsageError("a contest needs its reason: add --note TEXT.")
    who = given.login_or(name)
    with session() as here:
        if undo:
            done = here.run(here.service.uncontest(id_, claim, author=who))
        else:
            done = here.run(here.service.contest(id_, claim, author=who, reason=note.strip()))
    print_json(asdict(done)) if as_json else _print_contest(done, undo=undo)


def _print_contest(done: "Contest", *, undo: bool) -> None:
    from moot.service.contests import standing_words
    from moot.views.words import one_line

    typer.echo(f"{'no longer contested' if undo else 'contested'}: {done.node}  {one_line(done.claim, 200)}")
    typer.echo(f"  before  {one_line(standing_words(done.before), 300)}")
    typer.echo(f"  after   {one_line(standing_words(done.after), 300)}")
    fallen = [item for item in done.before.surviving if item not in done.after.surviving]
    risen = [item for item in done.after.surviving if item not in done.before.surviving]
    for name, items in (("falls", fallen), ("stands again", risen)):
        for item in items:
            typer.echo(f"  {name}  {one_line(item, 200)}")


def _print_suppositions(supposed: "Sequence[Contest]") -> None:
    from shutil import get_terminal_size

    from moot.views.sections import wrapped
    from moot.views.words import one_line

    if not supposed:
        typer.echo("No line of support leads to the answer, so there is no sentence that it could fall with.")
        return
    width = get_terminal_size().columns
    typer.echo(wrapped("If one of these were wrong (no model is called, and nothing is kept):", width))
    for each in supposed:
        typer.echo(wrapped(f"- {each.node}: {one_line(each.claim, 400)}", width))
        typer.echo(wrapped(f"  then {_what_then(each)}", width))


def _what_then(each: "Contest") -> str:
    before, after = each.before, each.after
    if after.answer is None:
        return f"no answer stands: “{before.answer}” falls"
    if after.answer != before.answer:
        return f"“{before.answer}” falls; next is “{after.answer}”, with {after.support}"
    return f"“{after.answer}” still stands, with {after.support}"
