"""`moot oracle`: put one claim to the oracles, and read what they computed or why they do not decide."""

import sys
from typing import Annotated

import typer

from moot.cli import options as given

STDIN = "-"


def oracle(
    claim: Annotated[
        str | None,
        typer.Argument(
            metavar="CLAIM", help="A claim, or a typed check as a JSON object. Without it, or with -, stdin is read."
        ),
    ] = None,
    oracles: Annotated[
        str,
        typer.Option(
            "--oracles",
            metavar="A,B",
            help="Oracles of installed packages that are asked beside those of Moot, by commas.",
        ),
    ] = "",
    as_json: given.Json = False,
) -> None:
    """Compute whether a claim is true, and say how it was read and computed, or why it cannot be decided."""
    from moot.cli.session import print_json
    from moot.methods.offering import further_oracles
    from moot.oracles import judged
    from moot.views.words import harmless

    further = further_oracles(name.strip() for name in oracles.split(",") if name.strip())
    judgement = judged(_given(claim), further)
    if as_json:
        print_json(judgement.as_json())
        return
    typer.echo(judgement.verdict)
    if judgement.reading:
        typer.echo(f"  read as {harmless(judgement.reading)}")
    typer.echo(f"  {harmless(judgement.how)}")


def _given(claim: str | None) -> str:
    from moot.core.errors import UsageError
    from moot.gateway.documents import plain_text

    if claim is not None and claim != STDIN:
        return claim
    piped = claim == STDIN or not sys.stdin.isatty()
    text = plain_text("the claim on stdin", sys.stdin.buffer.read()) if piped else ""
    if not text.strip():
        raise UsageError('there is no claim: write moot oracle "17 * 23 = 391", or pipe one in.')
    return text
