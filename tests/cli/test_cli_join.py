"""`--join` in this process: what a person is shown, what is acknowledged, and one service for the whole command."""

import re
from getpass import getuser
from pathlib import Path
from typing import Any

import pytest

import moot.cli.session
from moot.service.opening import open_service
from tests.cli.test_cli_evals import Here
from tests.protocols.debate.kit import response
from tests.protocols.prism.kit import output

SAFE = {"reasoning": "", "blocks": [], "clear": True}
SURE = {"round/*/safety*": SAFE, "round/*": response(confidence=0.9)}
SPOKEN = ("ask", "Should we build a pier?", "--protocol", "debate", "--join", "--member")
FLAGGED = {"L1.1/consensus/*": output(1, 0.2), **{f"L{layer}.*": output(layer) for layer in range(1, 8)}}
CLAIM = ("ask", "Crows remember faces.", "--protocol", "prism", "--join", "--member")
PYTHON_VALUE = re.compile(r"[\[{(]['\"{]|': |\bNone\b|\bTrue\b|\bFalse\b")


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count the services that are opened."""
    opened: list[Any] = []

    def opening(*given: Any, **options: Any) -> Any:
        opened.append(given)
        return open_service(*given, **options)

    monkeypatch.setattr(moot.cli.session, "open_service", opening)
    return opened


def test_one_command_opens_the_service_once_however_often_a_person_speaks(here: Here, services: list[Any]) -> None:
    turns = "Think of the ice.\n\n" + "\n\n"

    done = here.run(*SPOKEN, f"{here.script(SURE)}*3", stdin=f"{turns}perhaps\nwhy\naccept\nfine\n")

    assert "accepted the answer: fine" in done.stderr
    assert "decision: Input should be" in done.stderr
    assert len(services) == 1


def test_a_debates_turn_and_ruling_are_shown_in_words_and_what_was_said_is_acknowledged(here: Here) -> None:
    typed = "Think of the ice.\n\n" + "\n\n" + "accept\n\n"

    done = here.run(*SPOKEN, f"{here.script(SURE)}*3", stdin=typed)

    assert done.returncode == 0, done.stderr
    assert "for person: Round 1 is over. Say something before round 2, or pass." in done.stderr
    assert f"{getuser()} says:\n  text: Think of the ice.\n" in done.stderr
    assert f"{getuser()} passes\n" in done.stderr
    assert f"{getuser()} says:\n  decision: accept\n" in done.stderr
    suspected, because, proposal = (done.stderr.index(f"\n{name}:") for name in ("suspected", "because", "proposal"))
    assert suspected < because < proposal
    assert "\nbecause:\n  - " in done.stderr
    assert not PYTHON_VALUE.search(done.stderr)


def test_a_flag_is_shown_as_board_review_shows_it(here: Here) -> None:
    member = here.script(FLAGGED)
    left = here.run(*CLAIM, member, stdin="")
    id_ = left.stderr.split("moot show ")[1].split()[0]

    reviewed = here.run("board", "review", id_).stdout
    told = [line for line in reviewed.splitlines() if not line.startswith("moot board review")]

    assert left.returncode == 3
    assert "\n".join(told) in left.stderr
    assert f"left open; go on with: moot resume {id_} --join" in left.stderr
    assert not PYTHON_VALUE.search(left.stderr)


def test_a_slot_is_shown_as_board_take_shows_it(here: Here) -> None:
    added = ("board", "add", "Crows remember faces.", "--table", "prism-v1-solo", "--set", "house=none")
    id_ = here.json(*added)["id"]

    left = here.run("resume", id_, "--join", stdin="")
    taken = here.run("board", "take", id_, "--as", "Ada").stdout

    assert "Your task: " in left.stderr
    assert taken.split("yours until")[0].strip() in left.stderr
    assert not PYTHON_VALUE.search(left.stderr)


def test_a_flag_that_is_cleared_at_the_terminal_follows_the_rules_of_the_board(here: Here) -> None:
    done = here.run(*CLAIM, here.script(FLAGGED), stdin="close\nIt is not worth it.\n")

    id_ = done.stderr.split("moot show ")[1].split()[0]
    [flag] = here.json("board", "show", id_)["claimFlags"]

    assert (flag["cleared"]["by"], flag["cleared"]["note"]) == (getuser(), "It is not worth it.")
    assert f"{getuser()} says:\n  decision: close\n  note: It is not worth it.\n" in done.stderr


def test_ctrl_c_at_the_question_says_how_to_go_on(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(words: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("moot.cli.terminal.join._line", pressed)

    done = here.run(*SPOKEN, f"{here.script(SURE)}*3")

    assert re.search(r"moot resume \w+ --join", done.stderr), done.stderr
    assert done.returncode == 130


def test_who_nobody_knows_is_told_what_to_set(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("moot.cli.terminal.join.getuser", nobody)

    assert "set LOGNAME" in here.run(*SPOKEN, f"{here.script(SURE)}*3").stderr


def test_what_is_too_long_to_be_kept_is_said_to_be_cut(here: Here) -> None:
    done = here.run(*SPOKEN, f"{here.script(SURE)}*3", stdin=f"{'ice ' * 1000}\n\n")

    said = done.stderr.split(f"{getuser()} says:")[1]
    assert "(text: the first 3000 letters are kept)" in said
    assert 740 < said.split("(text:")[0].count("ice") <= 750
