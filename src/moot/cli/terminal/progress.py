"""Live progress: where a deliberation stands and who does what; and, once a round is over, what everybody said.

On a terminal it is a block that is redrawn above the next line, with the answers kept in the scrollback; where nobody
looks, a line for each thing that ends. Nothing of it goes to stdout.
"""

import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from moot.cli.terminal.consoles import err
from moot.cli.terminal.standing import Line, Standing
from moot.core.ports import ProgressEvent
from moot.gateway.embedded.progress import FetchProgress
from moot.views.words import one_line

MEGA = 1_000_000
LONGEST_LINE = 400
"""Letters of an answer in a line, where there is no terminal whose width cuts it."""


class Board:
    """What is under way, as lines that are redrawn."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.fetching: FetchProgress | None = None
        self._spinner = Spinner("dots")

    def __rich__(self) -> RenderableType:
        lines: list[RenderableType] = []
        if self.fetching and self.fetching.done < self.fetching.total:
            lines.append(Text(_fetch_line(self.fetching), style="dim"))
        if begun := self.standing.begun:
            head = Text.assemble((one_line(begun.question, 400), "bold"), overflow="ellipsis", no_wrap=True)
            lines += [Text(), head, Text(f"{begun.protocol}: {self.standing.head()}", style="dim")]
        if self.standing.speakers:
            lines += [Text(one_line(self.standing.phase, 200), style="cyan"), self._seats()]
        return Group(*lines)

    def _seats(self) -> Table:
        table = Table.grid(padding=(0, 1))
        for seat, doing, at_it in self.standing.seats():
            table.add_row(self._spinner if at_it else "", Text(one_line(seat, 40)), Text(doing, style="dim"))
        return table


class Scrollback:
    """What is kept of rounds that are over: a line for each answer, under the phase that it was given in."""

    def __init__(self) -> None:
        self._headed = ""

    def rows(self, lines: Iterable[Line], width: int) -> Iterator[Text]:
        """Yield the lines as they are shown."""
        for line in lines:
            if line.phase != self._headed:
                self._headed = line.phase
                yield Text(one_line(line.phase, width), style="cyan")
            row = Text.assemble((f"  {one_line(line.seat, 40)}  ", "bold"), one_line(line.words, LONGEST_LINE))
            row.stylize("" if line.answered else "yellow")
            row.truncate(width, overflow="ellipsis")
            yield row


class LiveProgress:
    """Progress on a terminal. Without `keeps`, what is said is not kept in the scrollback."""

    def __init__(self, board: Board, live: Live, *, keeps: bool = True) -> None:
        self._board = board
        self._live = live
        self._keeps = keeps
        self._kept = Scrollback()

    @contextmanager
    def hidden(self) -> Generator[None, None, None]:
        """Show nothing while a person is asked for something."""
        self._live.stop()
        self._board.standing.forget_round()
        try:
            yield
        finally:
            self._live.start()

    def __call__(self, event: ProgressEvent) -> None:
        """Hear of something under way."""
        self._board.standing.hear(event)
        for row in self._kept.rows(self._board.standing.take_lines(), self._live.console.width):
            if self._keeps:
                self._live.console.print(row)

    def fetch(self, progress: FetchProgress) -> None:
        """Hear how far a model's weights are."""
        if progress.note:
            self._live.console.print(Text(progress.note, style="dim"))
        self._board.fetching = progress


class PlainProgress:
    """Progress where nobody looks: a line for each answer, once its round is over. A quiet one says nothing."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._standing = Standing()
        self._quiet = quiet
        self._tenth = -1

    def hidden(self) -> AbstractContextManager[None]:
        """Show nothing while a person is asked for something; lines are in nobody's way."""
        return nullcontext()

    def __call__(self, event: ProgressEvent) -> None:
        """Hear of something under way."""
        if self._quiet:
            return
        self._standing.hear(event)
        if event.kind in ("asking", "retrying"):
            sys.stderr.write(f"{one_line(f'{event.phase}: {event.kind} {event.seat} ({event.note})', 160)}\n")
        for line in self._standing.take_lines():
            sys.stderr.write(f"{one_line(f'{line.phase}: {line.seat}: {line.words}', LONGEST_LINE)}\n")

    def fetch(self, progress: FetchProgress) -> None:
        """Hear how far a model's weights are; say it at every tenth."""
        if self._quiet:
            return
        if progress.note:
            sys.stderr.write(f"{progress.note}\n")
        tenth = 10 * progress.done // max(progress.total, 1)
        if progress.total and tenth != self._tenth:
            self._tenth = tenth
            sys.stderr.write(f"{_fetch_line(progress)}\n")


ShownProgress = LiveProgress | PlainProgress


@contextmanager
def shown_progress(*, quiet: bool = False) -> Generator[ShownProgress, None, None]:
    """Give what hears of progress: a live block on a terminal, lines elsewhere, nothing where it is to be quiet."""
    console = err()
    if quiet or not console.is_terminal:
        yield PlainProgress(quiet=quiet)
        return
    board = Board(Standing())
    with Live(board, console=console, refresh_per_second=8, transient=True) as live:
        yield LiveProgress(board, live)


def _fetch_line(progress: FetchProgress) -> str:
    return f"{progress.model}: {progress.done / MEGA:.0f} of {progress.total / MEGA:.0f} MB from {progress.source}"
