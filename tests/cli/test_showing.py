"""How a report is printed, on a terminal and elsewhere."""

from io import StringIO

import pytest
from rich.console import Console

from moot.cli.terminal.results import print_markdown

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
