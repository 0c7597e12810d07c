"""`moot show`: the verdict, the report, then who said what; every event; single steps; a pager."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from moot.cli.terminal.pager import paged, pager_command
from moot.cli.terminal.transcript import print_hung
from moot.core.errors import BadSetting
from tests.cli.kit import GOOD, SINGLE
from tests.cli.test_cli_evals import Here
from tests.protocols.prism.kit import output

RUNS = {"run/*": "The survey says so.\nAnswer: server x9"}
VOTE = ("ask", "Which server?", "--protocol", "vote", "--set", "n=3", "--member")
WORDS = " ".join(f"word{number}" for number in range(60))


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


def asked(here: Here, *words: str, **replies: Any) -> str:
    return here.json(*words, here.script(replies or RUNS))["id"]


def test_the_verdict_comes_first_then_the_report_then_who_said_what_by_phases(here: Here) -> None:
    id_ = asked(here, *VOTE)

    shown = here.run("show", id_).stdout

    parts = ["server x9\n", "status  complete", "**Votes**", "Who said what", "\n3 runs\n  m1: server x9\n"]
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert "      The survey says so.\n" in shown
    assert "\n    votes after 3 runs: “server x9” has 3 (r1, r2, r3)\n" in shown
    assert "moot show" not in shown
    assert "run/r1" not in shown.partition("Who said what")[2]


def test_with_full_every_event_is_there_as_json_and_harmless(here: Here) -> None:
    id_ = asked(here, "ask", "Which server?", *SINGLE, "--member", answer={**GOOD, "answer": "x9 \x1b[31m\u202e"})

    shown = here.run("show", id_, "--full").stdout

    assert "\x1b" not in shown and "\u202e" not in shown
    events, text = [], shown[shown.index("{") :]
    while text.strip():
        event, end = json.JSONDecoder().raw_decode(text)
        events, text = [*events, event], text[end:].lstrip()
    assert [event["kind"] for event in events] == ["started", "answered", "ended"]
    assert events[1]["calls"][0]["started"].endswith("+00:00")
    assert events[1]["reply"]["reasoning"] == GOOD["reasoning"]


def test_a_step_is_shown_with_its_request_its_reply_and_what_it_took(here: Here) -> None:
    id_ = asked(here, *VOTE)

    shown = here.run("show", id_, "--step", "run/r1#2", "--step", "run/r1").stdout
    [one] = here.json("show", id_, "--step", "run/r1")["steps"]

    second, first = shown.split("\n\nrun/r1  3 runs\n")
    assert second.startswith("run/r1#2  3 runs\n  attempt: 1 of 1: a reply came\n  request, system:\n")
    assert "    Question: Which server?" in first
    assert "  reply:\n    The survey says so.\n    Answer: server x9\n" in first
    assert "tokens in" in first and " s\n" in first
    assert "status" not in shown
    assert one["attempts"][0]["request"]["messages"][0]["role"] == "system"
    assert one["events"][0]["kind"] == "answered"


def test_a_step_that_is_not_there_is_answered_with_the_one_that_was_meant_and_all_there_are(here: Here) -> None:
    id_ = asked(here, *VOTE)

    refused = here.run("show", id_, "--step", "run/r1#9")

    assert refused.returncode == 2
    assert "there is no step 'run/r1#9'; did you mean run/r1#3? it has these: run/r1, run/r1#2, run/r1#3." in (
        refused.stderr
    )


def test_a_deliberation_that_waits_is_shown_with_what_it_waits_for_and_the_roles_of_those_who_spoke(here: Here) -> None:
    claim = ("ask", "Crows remember faces.", "--protocol", "prism", "--member")
    id_ = asked(here, *claim, **{"L1.1/consensus/*": output(1, 0.2), "L1.*": output(1)})

    shown = here.run("show", id_).stdout

    assert "status  waiting for somebody" in shown
    assert "\nlayer 1 of 7: Framing, work\n  m1 (contributor): The claim says" in shown
    assert "\nlayer 1 of 7: Framing, a reviewer clears the flag\n  open to reviewer: Framing (layer 1)" in shown
    assert shown.count("m1 (contributor)") == 2, "who fills a slot for the house has spoken once"


@pytest.mark.parametrize("width", [30, 60, 120])
def test_on_a_terminal_lines_are_wrapped_behind_a_hanging_indent_and_lose_no_word(width: int) -> None:
    out = StringIO()

    print_hung(Console(file=out, width=width, force_terminal=True, color_system=None), Text(f"{WORDS}\nend"), 6)

    lines = out.getvalue().splitlines()
    assert " ".join(out.getvalue().split()) == f"{WORDS} end"
    assert max(map(len, lines)) <= width
    assert {line[:8].strip() == "" for line in lines[1:]} == {True}
    assert lines[0][:7] == "      w"


def test_elsewhere_a_row_stays_on_its_line() -> None:
    out = StringIO()

    print_hung(Console(file=out, width=40), Text(f"{WORDS}\n\nend"), 2)

    assert out.getvalue() == f"  {WORDS}\n\n    end\n"


# The pager


@pytest.mark.parametrize(
    ("environ", "chosen", "command"),
    [
        ({}, "", ["less"]),
        ({"PAGER": "more -s"}, "", ["more", "-s"]),
        ({"PAGER": "more"}, "most --wrap", ["most", "--wrap"]),
        ({"PAGER": ""}, "", []),
        ({"PAGER": "more"}, "cat", []),
        ({"TERM": "dumb"}, "most", []),
    ],
)
def test_the_pager_is_moots_own_setting_else_that_of_the_environment_else_less(
    environ: dict[str, str], chosen: str, command: list[str]
) -> None:
    assert pager_command(environ, chosen) == command


def test_a_pager_that_is_no_command_is_refused_by_its_name() -> None:
    with pytest.raises(BadSetting, match="pager"):
        pager_command({}, "less '")


@pytest.fixture
def reader(tmp_path: Path) -> list[str]:
    """A pager that keeps what it is given, and the flags it would read."""
    keep = "import os, sys; open(sys.argv[1], 'w').write(os.environ['LESS'] + '|' + sys.stdin.read())"
    return [sys.executable, "-c", keep, str(tmp_path / "read")]


def test_on_a_terminal_the_pager_gets_the_text_and_less_its_flags(
    tmp_path: Path, reader: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LESS", raising=False)
    screen = StringIO()
    terminal = Console(file=screen, width=50, force_terminal=True, color_system=None)

    with paged(reader, terminal) as console:
        console.print("a long text")
        width = console.width

    assert (tmp_path / "read").read_text(encoding="utf-8") == "FRX|a long text\n"
    assert screen.getvalue() == ""
    assert width == 50


@pytest.mark.parametrize("terminal", [True, False])
def test_without_a_terminal_or_a_pager_that_starts_the_text_is_printed(
    tmp_path: Path, reader: list[str], *, terminal: bool
) -> None:
    command = [str(tmp_path / "no such pager")] if terminal else reader
    screen = StringIO()

    with paged(command, Console(file=screen, force_terminal=terminal, color_system=None)) as console:
        console.print("a long text")

    assert screen.getvalue() == "a long text\n"
    assert not (tmp_path / "read").exists()


def test_who_leaves_the_pager_early_has_seen_enough() -> None:
    with paged([sys.executable, "-c", ""], Console(file=StringIO(), force_terminal=True)) as console:
        console.print(WORDS * 2_000)
