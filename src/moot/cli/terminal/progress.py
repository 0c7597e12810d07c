"""Live progress: who is speaking, for how long, how much has been spent. On a terminal a live block, else lines."""

import sys
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from moot.gateway.embedded.progress import FetchProgress
from moot.views.words import counted, one_line, usd_words

MEGA = 1_000_000
NOTHING = "nothing spent"


@dataclass(slots=True)
class Speaker:
    """A member who is being asked."""

    seat: str
    model: str
    since: float
    tokens: str = ""
    note: str = ""


@dataclass(slots=True)
class Board:
    """What is under way, as a terminal shows it."""

    speaking: dict[str, Speaker] = field(default_factory=dict)
    asked: int = 0
    answered: int = 0
    missing: int = 0
    spent: str = NOTHING
    fetching: FetchProgress | None = None
    spinner: Spinner = field(default_factory=lambda: Spinner("dots"))

    def clear(self) -> None:
        """Forget what was under way."""
        self.speaking.clear()
        self.asked = self.answered = self.missing = 0
        self.spent = NOTHING

    def __rich__(self) -> RenderableType:
        lines: list[RenderableType] = []
        if self.fetching and self.fetching.done < self.fetching.total:
            lines.append(Text(_fetch_line(self.fetching), style="dim"))
        if self.speaking:
            lines.append(self._speakers())
        if self.asked:
            missing = f", {self.missing} missing" if self.missing else ""
            lines.append(Text(f"{self.asked} asked, {self.answered} answered{missing}; {self.spent}", style="dim"))
        return Group(*lines)

    def _speakers(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for step, speaker in self.speaking.items():
            seconds = f"{time.monotonic() - speaker.since:.0f} s"
            tokens = f"{speaker.tokens} tokens" if speaker.tokens else speaker.note
            table.add_row(
                self.spinner, speaker.seat, Text(one_line(step, 40)), one_line(speaker.model, 40), seconds, tokens
            )
        return table


class LiveProgress:
    """Progress on a terminal."""

    def __init__(self, board: Board, live: Live) -> None:
        self._board = board
        self._live = live

    @contextmanager
    def hidden(self) -> Generator[None, None, None]:
        """Show nothing while a person is asked for something, and count anew then, as what is spent is."""
        self._live.stop()
        self._board.clear()
        try:
            yield
        finally:
            self._live.start()

    def __call__(self, kind: str, step: str, seat: str, note: str = "") -> None:
        """Hear of something under way."""
        board = self._board
        match kind:
            case "asking":
                board.asked += 1
                board.speaking[step] = Speaker(seat, note, time.monotonic())
            case "tokens" if step in board.speaking:
                board.speaking[step].tokens = note
            case "spent":
                calls, usd, unknown = note.split()
                paid = usd_words(None if usd == "unknown" else float(usd), int(unknown))
                board.spent = f"{counted(int(calls), 'call')}, {paid}"
            case "retrying" if step in board.speaking:
                board.speaking[step].note = note
            case "answered" | "missing":
                board.speaking.pop(step, None)
                board.answered += kind == "answered"
                board.missing += kind == "missing"

    def fetch(self, progress: FetchProgress) -> None:
        """Hear how far a model's weights are."""
        if progress.note:
            self._live.console.print(Text(progress.note, style="dim"))
        self._board.fetching = progress


class PlainProgress:
    """Progress where nobody looks: a line for each thing that begins or ends."""

    def __init__(self) -> None:
        self._tenth = -1

    def hidden(self) -> AbstractContextManager[None]:
        """Show nothing while a person is asked for something; lines are in nobody's way."""
        return nullcontext()

    def __call__(self, kind: str, step: str, seat: str, note: str = "") -> None:
        """Hear of something under way."""
        if kind not in ("tokens", "noted", "spent"):
            sys.stderr.write(f"{kind} {one_line(f'{seat} {step} {note}', 160).strip()}\n")

    def fetch(self, progress: FetchProgress) -> None:
        """Hear how far a model's weights are; say it at every tenth."""
        if progress.note:
            sys.stderr.write(f"{progress.note}\n")
        tenth = 10 * progress.done // max(progress.total, 1)
        if progress.total and tenth != self._tenth:
            self._tenth = tenth
            sys.stderr.write(f"{_fetch_line(progress)}\n")


ShownProgress = LiveProgress | PlainProgress


@contextmanager
def shown_progress() -> Generator[ShownProgress, None, None]:
    """Give what hears of progress: a live block on a terminal, lines elsewhere; nothing of it goes to stdout."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield PlainProgress()
        return
    board = Board()
    with Live(board, console=console, refresh_per_second=8, transient=True) as live:
        yield LiveProgress(board, live)


def _fetch_line(progress: FetchProgress) -> str:
    return f"{progress.model}: {progress.done / MEGA:.0f} of {progress.total / MEGA:.0f} MB from {progress.source}"
