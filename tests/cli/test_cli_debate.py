"""`moot ask --protocol debate` as a user runs it: scripted members, a person who joins, what is shown."""

import pytest

from tests.cli.kit import Moot
from tests.protocols.debate.kit import response

SCRIPT = {"round/*/safety*": {"reasoning": "", "blocks": [], "clear": True}, "round/*": response(confidence=0.75)}
ASKED = ("ask", "Should we build a pier?", "--protocol", "debate")


@pytest.fixture
def member(moot: Moot) -> str:
    return f"{moot.script(SCRIPT)}*3"


def test_a_debate_ends_with_its_answer_and_shows_its_rounds(moot: Moot, member: str) -> None:
    done = moot.run(*ASKED, "--member", member)
    identity = done.stderr.split("moot show ")[1].split()[0]

    shown = moot.run("show", identity).stdout

    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "yes")
    assert "## Round 2 summary" in shown
    assert "consensus: 3 of 3 agents accept P2" in shown


def test_a_person_who_joins_is_asked_between_rounds_and_the_debate_goes_on(moot: Moot, member: str) -> None:
    done = moot.run(*ASKED, "--member", member, "--join", stdin="Think of the ice.\nWhat about March?\n")

    identity = done.stderr.split("moot show ")[1].split()[0]
    detail = moot.json("show", identity)["detail"]

    assert done.returncode == 0, done.stderr
    assert "Round 1 is over" in done.stderr
    assert "=== ROUND 1 SUMMARY ===" in done.stderr
    assert detail["rounds"] == 2
    assert "Think of the ice." in moot.run("show", identity).stdout


def test_a_person_who_leaves_finds_the_debate_waiting_and_comes_back(moot: Moot, member: str) -> None:
    left = moot.run(*ASKED, "--member", member, "--join", stdin="")
    identity = left.stderr.split("moot show ")[1].split()[0]

    back = moot.run("resume", identity, "--join", stdin="\n\n")

    assert left.returncode == 3
    assert f"moot resume {identity} --join" in left.stderr
    assert "turn/1 for person" in left.stderr
    assert (back.returncode, back.stdout.splitlines()[0]) == (0, "yes")


def test_a_wrong_answer_to_an_open_step_is_refused_and_asked_again(moot: Moot) -> None:
    sure = moot.script({"round/*": response(confidence=0.9)}, "sure.json")
    turns = "\n\n" * 2

    done = moot.run(*ASKED, "--member", f"{sure}*3", "--join", stdin=f"{turns}perhaps\nwhy\naccept\nfine\n")

    assert "decision" in done.stderr
    assert "accepted the answer: fine" in done.stderr


def test_join_is_refused_where_a_protocol_has_no_step_for_a_person(moot: Moot) -> None:
    done = moot.run("ask", "Why?", "--protocol", "single", "--member", moot.script(), "--join")

    assert done.returncode == 2
    assert "has no step that a person could fill" in done.stderr
    assert moot.stored() == 0


def test_too_few_seats_for_the_mode_are_a_usage_error(moot: Moot) -> None:
    done = moot.run(*ASKED, "--member", f"{moot.script(SCRIPT)}*2", "--set", "mode=devils-advocate")

    assert done.returncode == 2
    assert "debate needs at least 3 members and got 2" in done.stderr


def test_a_dry_run_says_what_a_debate_takes(moot: Moot, member: str) -> None:
    planned = moot.json(*ASKED, "--member", member, "--dry-run")

    assert planned["expected"]["calls"] == 15
    assert planned["budget"]["calls"] == 60
