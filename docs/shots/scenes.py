"""What is drawn: a deliberation under way, a result, a deliberation that is shown, and what is stored."""

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs.shots.replies import HEAVIER, SERVERS, STORED
from rich.console import Console
from rich.text import Text

from moot import Event, Result, ask_sync
from moot.cli.terminal.listing import list_lines
from moot.cli.terminal.progress import Board, Scrollback
from moot.cli.terminal.results import print_result
from moot.cli.terminal.standing import Standing
from moot.cli.terminal.transcript import print_deliberation
from moot.core.budget import Spent
from moot.protocols import find_protocol
from moot.service.listing import ListedDeliberation
from moot.service.protocol_part import protocol_part
from moot.store.deliberations import Summary
from moot.testing import scripted

DEMO = Path(__file__).parents[2] / "examples" / "demo"
SERVER = "Which server in the Tallow Street hall can take a nightly job?"
DENSITY = "Which is heavier, a litre of water or a litre of oil?"
TALL = 46
"""Lines of a screen at most; what is longer goes to a pager."""


def screen(width: int, command: str) -> Console:
    """Return a terminal that is recorded, with the command that a person has typed."""
    console = Console(
        record=True, width=width, force_terminal=True, color_system="truecolor", file=StringIO(), highlight=False
    )
    console.print(Text.assemble(("$ ", "dim"), (command, "bold")))
    return console


def result(width: int) -> Console:
    """Return the screen of a result over documents."""
    console = screen(width, 'moot ask "Which server … can take a nightly job?" -d survey.md -d handbook.md')
    shown = _servers()
    print_result(shown, protocol_part(shown.record, find_protocol).narrator, console)
    return console


def show(width: int) -> Console:
    """Return the first screen of a deliberation that is shown."""
    console, shown = screen(width, "moot show last"), _heavier()
    whole = Console(width=width, force_terminal=True, color_system="truecolor", highlight=False)
    with whole.capture() as captured:
        print_deliberation(shown, protocol_part(shown.record, find_protocol), whole)
    for line in captured.get().splitlines()[:TALL]:
        console.print(Text.from_ansi(line))
    return console


def live(width: int) -> Console:
    """Return the screen of a deliberation in its second round."""
    events: list[Event] = []
    _heavier(progress=events.append)
    console, standing = screen(width, 'moot ask "Which is heavier, …?" -m a -m b -m c'), Standing(Ticking())
    first = next(number for number, event in enumerate(events) if event.kind == "asking" and "loop" in event.phase)
    kept = Scrollback()
    for event in events[:first]:
        standing.hear(event)
        for row in kept.rows(standing.take_lines(), width):
            console.print(row)
    for event in _under_way(events[first:]):
        standing.hear(event)
    console.print(Board(standing))
    return console


def stored(width: int) -> Console:
    """Return the screen of what is stored."""
    console = screen(width, "moot list")
    for line in list_lines([_listed(*row) for row in STORED], 0.0, width):
        console.print(Text(line), soft_wrap=True)
    return console


def _listed(id_: str, protocol: str, status: str, question: str, minutes: int, usd: float) -> ListedDeliberation:
    summary = Summary(id_, protocol, status, question, started=-60.0 * minutes, parent=None, number=0, owner="")
    return ListedDeliberation(summary, Spent(calls=9, usd=usd), stalled=status == "running")


def _under_way(events: list[Event]) -> list[Event]:
    """The round at its middle: one speaks, and the others wait for it."""
    asking = [event for event in events if event.kind == "asking"][:3]
    return [*asking, Event("speaking", asking[0].step, asking[0].seat), Event("tokens", asking[0].step, note="31")]


class Ticking:
    """A clock of which every look takes a while, so that a scripted run looks like one that took its time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time, a little later than before."""
        self.now += 0.9
        return self.now


def _servers() -> Result:
    return _asked(
        SERVER,
        SERVERS,
        documents=[DEMO / "survey.md", DEMO / "handbook.md"],
        protocol="interrogation",
        settings={"form": "plain"},
        members="qwen",
    )


def _heavier(**options: Any) -> Result:
    return _asked(DENSITY, HEAVIER, protocol="spiral", members=list(HEAVIER), **options)


def _asked(question: str, replies: Mapping[str, Any], **options: Any) -> Result:
    models = {name: scripted(script) for name, script in replies.items()}
    with TemporaryDirectory() as home:
        environ = {"MOOT_HOME": home, "MOOT_CONFIG": "none"}
        return ask_sync(question, models=models, environ=environ, seed=1, **options)


SCENES: Mapping[str, Callable[[int], Console]] = {"live": live, "result": result, "show": show, "list": stored}
