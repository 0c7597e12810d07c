"""How a report is printed, on a terminal and elsewhere."""

from io import StringIO

import pytest
from rich.console import Console

from moot.cli.terminal.results import print_markdown, print_rows

WORDS = " ".join(f"word{number}" for number in range(60))
REPORT = f"**Lead**: {WORDS}\n\n- item: {WORDS}\n  - under: {WORDS}\n"


def printed(*, terminal: bool, width: int = 60) -> str:
    out = StringIO()
    print_markdown(REPORT, Console(file=out, width=width, force_terminal=terminal, color_system=None, highlight=False))
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80])
def test_a_report_on_a_terminal_is_wrapped_and_loses_no_word(width: int) -> None:
    text = printed(terminal=True, width=width)

    assert " ".join(text.replace("•", "").split()).count(WORDS) == 3
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


def test_a_report_that_goes_elsewhere_stays_as_it_is() -> None:
    assert printed(terminal=False) == f"{REPORT}\n"


class Shown:
    """A console whose text can be read."""

    def __init__(self, width: int, *, terminal: bool = True) -> None:
        self.out = StringIO()
        self.console = Console(
            file=self.out,
            width=width,
            force_terminal=terminal,
            color_system=None,
            highlight=False,
            legacy_windows=False,
        )


@pytest.mark.parametrize("width", [60, 80, 120])
def test_what_stands_beside_an_answer_is_wrapped_under_itself_and_loses_no_word(width: int) -> None:
    shown = Shown(width)

    print_rows([("caveat", WORDS), ("dissent", f"m1, m2: {WORDS}\x1b[2J")], shown.console)
    lines = shown.out.getvalue().splitlines()

    assert max(map(len, lines)) <= width
    assert " ".join(shown.out.getvalue().split()).count(WORDS) == 2
    assert all(line.startswith((" " * 13, "     caveat  ", "    dissent  ")) for line in lines)
    assert "\x1b[2J" not in shown.out.getvalue()


def test_what_stands_beside_an_answer_is_a_line_each_where_there_is_no_terminal() -> None:
    shown = Shown(60, terminal=False)

    print_rows([("caveat", WORDS)], shown.console)

    assert shown.out.getvalue() == f"     caveat  {WORDS}\n"
