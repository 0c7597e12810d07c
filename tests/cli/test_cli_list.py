"""`moot list`: what fits, what it took, how long ago; nothing wraps."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from rich.cells import cell_len

from moot.cli.terminal.listing import list_lines, rows_that_fit
from moot.core.budget import Spent, Unknown
from moot.service.listing import ListedDeliberation
from moot.store import Summary
from moot.views.ages import age_words
from tests.cli.kit import SINGLE, Moot

LONG = "Which of the servers in rack 7 can take a nightly job, \t一晚上的工作, and which of them should rather not?"


def row(number: int, *, question: str = LONG, stalled: bool = False, cost: Spent = Spent()) -> ListedDeliberation:  # noqa: B008
    summary = Summary(f"{number:010}", "interrogation", "exhausted", question, 1000.0, None, number, None)
    return ListedDeliberation(summary, cost, stalled)


@pytest.mark.parametrize("width", [40, 60, 80, 99, 100, 120])
def test_no_line_is_wider_than_the_terminal_and_every_deliberation_shows_its_question(width: int) -> None:
    rows = [row(1), row(2, stalled=True), row(3, question="工" * 30)]

    lines = list(list_lines(rows, 1000.0 + 59 * 60, width))

    assert max(map(cell_len, lines)) <= width
    assert sum("Which of the" in line for line in lines) == 2
    assert sum("59 min ago" in line for line in lines) == (3 if width >= 60 else 0)


def test_what_was_stopped_is_told_apart_from_what_nobody_works_on() -> None:
    left = row(1, stalled=True)

    lines = list(list_lines([left, replace(left, stopped=True)], 1000.0, None))

    assert lines[1::2] == [
        "  nobody works on it: moot resume 0000000001",
        "  it was stopped: moot resume 0000000001",
    ]


def test_without_a_terminal_a_deliberation_is_whole_and_on_one_line_without_tabs() -> None:
    [line] = list_lines([row(1)], 1000.0, None)

    assert line.endswith("and which of them should rather not?")
    assert "\t" not in line


def test_the_cost_is_what_is_known_and_says_where_it_is_not_all() -> None:
    costs = [
        Spent(2, usd=0.0123),
        Spent(2, usd=0.5, unknown=Unknown(usd=1)),
        Spent(2, usd=None, unknown=Unknown(usd=2)),
    ]

    lines = list(list_lines([row(number, cost=cost) for number, cost in enumerate(costs)], 1000.0, None))

    assert [re.split(r"  +", line)[3] for line in lines] == ["$0.0123", "at least $0.5000", "unknown"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (7199, "1 h ago"),
        (86_400 * 59, "59 days ago"),
        (86_400 * 61, "2 months ago"),
        (86_400 * 800, "2 years ago"),
    ],
)
def test_how_long_ago_it_was_is_said_in_the_largest_unit(seconds: float, words: str) -> None:
    assert age_words(seconds) == words


def test_as_many_rows_fit_as_the_screen_has_lines_for_them() -> None:
    assert (rows_that_fit(120, 24), rows_that_fit(80, 24), rows_that_fit(80, 6)) == (20, 10, 5)


def test_the_filters_hold_for_people_and_for_programs_and_the_last_line_says_how_many_more_there_are(
    moot: Moot,
) -> None:
    for question in ("Which 100% server?", "Which 1000 servers?", "Why?"):
        moot.run("ask", question, *SINGLE, "-m", moot.script())

    found = moot.json("list", "--search", "100%")
    cut = moot.run("list", "--limit", "1", "--search", "which 1")
    other = moot.run("list", "-p", "vote")

    assert [each["question"] for each in found] == ["Which 100% server?"]
    assert datetime.fromisoformat(found[0]["started"]).utcoffset() is not None
    assert (found[0]["cost"]["calls"], found[0]["cost"]["usd"]) == (1, 0.0)
    assert (len(cut.stdout.splitlines()), cut.stderr) == (1, "1 more: moot list --search 'which 1' --limit 2\n")
    assert [len(moot.json("list", "--status", status)) for status in ("complete", "failed")] == [3, 0]
    assert (other.stdout, "no deliberation fits" in other.stderr) == ("", True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--status", "compleet"), "there is no status 'compleet'; did you mean complete? there are running, paused"),
        (("--limit", "0"), "0 is no number of rows; give 1 to 1,000,000"),
        (("--limit", "9" * 30), "is no number of rows"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_named_with_the_way_out(moot: Moot, words: tuple[str, ...], told: str) -> None:
    done = moot.run("list", *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
