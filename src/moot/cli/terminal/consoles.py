"""Where the command line writes, and whether somebody sits there. One rule: a stream is a terminal where it is one."""

import sys

import typer
from rich.console import Console


def out() -> Console:
    """Return where the answer goes."""
    return Console(highlight=False, emoji=False, force_terminal=None if sys.stdout.isatty() else False)


def err() -> Console:
    """Return where goes what is no answer: progress, estimates, warnings."""
    return Console(stderr=True, highlight=False, emoji=False, force_terminal=None if sys.stderr.isatty() else False)


def beside() -> Console:
    """Return where goes what stands beside the answer: with it on a terminal; else the answer alone is on stdout."""
    return out() if sys.stdout.isatty() else err()


def is_somebody_there() -> bool:
    """Whether a person can be asked and can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def is_confirmed(question: str) -> bool:
    """Whether a person says yes; Ctrl-C and the end of the input are no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        typer.echo(err=True)
        return False
