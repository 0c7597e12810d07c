"""A long text on a terminal goes to a pager, as `git` and `gh` do it: one that fits on the screen is simply there."""

import os
import shlex
import signal
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console

from moot.cli.terminal.consoles import out
from moot.core.errors import BadSetting

LESS = {"LESS": "FRX", "LV": "-c"}
"""Quit where it fits on one screen, keep colours, leave the text on the screen; what the user has set holds instead."""

AS_IT_IS = "cat"


def pager_command(environ: Mapping[str, str], chosen: str) -> list[str]:
    """Return the words of the pager: Moot's own setting, else $PAGER, else less; none where it is to be as it is.

    Raises:
        BadSetting: for one that cannot be read as a command.
    """
    text = chosen or environ.get("PAGER", "less")
    try:
        words = shlex.split(text)
    except ValueError:
        raise BadSetting(name="pager", problem=f"{text!r} is no command: a quotation mark is left open") from None
    return [] if not words or words[0] == AS_IT_IS or environ.get("TERM") == "dumb" else words


@contextmanager
def paged(command: Sequence[str], console: Console | None = None) -> Generator[Console, None, None]:
    """Give a console whose text the pager shows at the end; without a pager or a terminal it is stdout's own."""
    plain = console or out()
    if not command or not plain.is_terminal:
        yield plain
        return
    whole = Console(force_terminal=True, width=plain.width, highlight=False, emoji=False)
    with whole.capture() as captured:
        yield whole
    if not _shown_by(command, captured.get()):
        plain.file.write(captured.get())


def _shown_by(command: Sequence[str], text: str) -> bool:
    """Whether the pager could be started; whoever leaves it early has seen enough."""
    environ = {**LESS, **os.environ}
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environ, text=True, encoding="utf-8")
    except OSError:
        return False
    # Ctrl-C belongs to the pager, which goes on, also while it still reads.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(BrokenPipeError):
            pager.communicate(text)
    finally:
        signal.signal(signal.SIGINT, before)
    return True
