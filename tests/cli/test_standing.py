"""How a deliberation stands while it runs, as a person at a terminal is told."""

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console
from rich.live import Live

from moot.cli.terminal.progress import Board, LiveProgress
from moot.cli.terminal.standing import Standing, time_words
from moot.core.budget import Budget, Expectation, Spent
from moot.core.ports import Begun, ProgressEvent, ProgressKind

BEGUN = Begun("0123456789", "Which is heavier?", "spiral", Budget(calls=20), Expectation(8, 100, 100))
LOOP = "loop 2 of 7: physical axioms"


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def event(kind: ProgressKind, seat: str, note: str = "", said: str = "") -> ProgressEvent:
    return ProgressEvent(kind, f"stretto/2/{seat}", seat, note, LOOP, said)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def standing(clock: Clock) -> Standing:
    standing = Standing(clock)
    standing.hear(ProgressEvent("begun", begun=BEGUN))
    return standing


def doing(standing: Standing) -> dict[str, str]:
    return {seat: words for seat, words, _ in standing.seats()}


def test_a_seat_that_was_asked_waits_for_a_slot_only_while_another_has_it(standing: Standing) -> None:
    for seat in ("m1", "m2", "m3"):
        standing.hear(event("asking", seat, "elsewhere" if seat == "m3" else "embedded:1.5b"))
    before = doing(standing)
    standing.hear(event("speaking", "m1"))

    assert before == {"m1": "asked", "m2": "asked", "m3": "asked"}
    assert doing(standing) == {"m1": "speaking for 0 s", "m2": "waiting for a slot", "m3": "asked"}


def test_the_seconds_of_a_speaker_are_counted_from_its_turn(standing: Standing, clock: Clock) -> None:
    standing.hear(event("asking", "m1", "a"))
    clock.now = 18.0
    standing.hear(event("speaking", "m1"))
    clock.now = 20.0
    standing.hear(event("tokens", "m1", "53"))

    assert doing(standing) == {"m1": "speaking for 2 s, 53 tokens"}


def test_one_that_is_tried_again_or_whose_reply_could_not_be_read_is_asked_again(standing: Standing) -> None:
    for seat in ("m1", "m2"):
        standing.hear(event("asking", seat, "a"))
    standing.hear(event("retrying", "m1", "try 2"))
    standing.hear(event("asking", "m2", "a"))

    assert doing(standing) == {"m1": "asked again", "m2": "asked again"}


def test_what_was_said_is_told_when_the_round_is_over_and_once(standing: Standing) -> None:
    for seat in ("m1", "m2"):
        standing.hear(event("asking", seat, "a"))
    standing.hear(event("answered", "m1", said="water (0.9)"))
    early = standing.take_lines()
    standing.hear(event("missing", "m2", "it timed out"))
    told = [(line.phase, line.seat, line.words) for line in standing.take_lines()]

    assert early == []
    assert told == [(LOOP, "m1", "water (0.9)"), (LOOP, "m2", "no answer: it timed out")]
    assert standing.take_lines() == []


def test_a_seat_that_is_asked_several_things_is_one_line(standing: Standing) -> None:
    for number in range(3):
        standing.hear(ProgressEvent("asking", f"run/{number}", "m1", "a", "six runs"))
    standing.hear(ProgressEvent("speaking", "run/0", "m1", "a"))
    standing.hear(ProgressEvent("answered", "run/0", "m1"))
    standing.hear(ProgressEvent("speaking", "run/1", "m1", "a"))

    assert doing(standing) == {"m1": "1 answered, 1 speaking, 1 waiting for a slot"}


def test_the_head_counts_calls_against_what_is_expected_and_what_is_allowed(standing: Standing, clock: Clock) -> None:
    first = standing.head()
    clock.now = 40.0
    for calls in (1, 2):
        standing.hear(ProgressEvent("spent", spent=Spent(calls=calls, usd=0.5)))

    assert first == "0 of about 8 calls (at most 20), nothing spent, 0 s"
    assert standing.head() == "2 of about 8 calls (at most 20), $0.5000, 40 s, about 2 min 00 s to go"


def test_an_expectation_with_a_note_is_what_it_takes_at_the_least(clock: Clock) -> None:
    standing = Standing(clock)
    expected = Expectation(8, 100, 100, note="where members agree at once")
    standing.hear(ProgressEvent("begun", begun=replace(BEGUN, expected=expected)))
    clock.now = 40.0
    for calls in (1, 2):
        standing.hear(ProgressEvent("spent", spent=Spent(calls=calls)))

    assert standing.head() == "2 of 8 or more calls (at most 20), $0, 40 s, at least 2 min 00 s to go"


def test_the_pace_of_a_resumed_run_is_that_of_the_calls_made_here(standing: Standing, clock: Clock) -> None:
    before = Spent(calls=4, usd=0.25)
    standing.hear(ProgressEvent("begun", begun=replace(BEGUN, spent=before)))
    first = standing.head()
    clock.now = 10.0
    for calls in (5, 6):
        standing.hear(ProgressEvent("spent", spent=Spent(calls=calls)))

    assert first == "4 of about 8 calls (at most 20), $0.2500, 0 s"
    assert standing.to_go == pytest.approx(10.0)


def test_a_second_deliberation_begins_anew(standing: Standing) -> None:
    standing.hear(event("asking", "m1", "a"))
    standing.hear(ProgressEvent("spent", spent=Spent(calls=7)))
    standing.hear(ProgressEvent("begun", begun=BEGUN))

    assert (doing(standing), standing.spent.calls) == ({}, 0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3600, "1 h 00 min"), (7800, "2 h 10 min")],
)
def test_a_length_of_time_is_told_as_people_read_it(seconds: float, words: str) -> None:
    assert time_words(seconds) == words


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_block_says_the_question_the_phase_and_what_each_seat_does(standing: Standing, width: int) -> None:
    out = StringIO()
    for seat in ("m1", "m2"):
        standing.hear(event("asking", seat, "a"))

    Console(file=out, width=width, color_system=None).print(Board(standing))

    assert [line.rstrip() for line in out.getvalue().splitlines()] == [
        "",
        "Which is heavier?",
        "spiral: 0 of about 8 calls (at most 20), nothing spent, 0 s",
        LOOP,
        " m1 asked",
        " m2 asked",
    ]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_an_answer_stays_in_the_scrollback_as_one_line_under_its_phase(standing: Standing, width: int) -> None:
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None, highlight=False)
    board = Board(standing)
    with Live(board, console=console, auto_refresh=False, transient=True) as live:
        progress = LiveProgress(board, live)
        for seat in ("m1", "m2"):
            progress(event("asking", seat, "a"))
        progress(event("answered", "m1", said="a long answer " * 30 + "\x1b[2J"))
        progress(event("answered", "m2", said="[red]water"))

    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", out.getvalue())
    kept = re.search(r"  m1  a long answer.*…(?=\n)", drawn)
    assert kept and len(kept.group()) == width
    assert "  m2  [red]water\n" in drawn[kept.end() :]
    assert LOOP in drawn[: kept.start()]
    assert "\x1b[2J" not in out.getvalue() and "stretto" not in out.getvalue()
