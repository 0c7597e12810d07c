"""`--dry-run` wherever something is spent: calls, tokens and dollars, and nobody is asked."""

import pytest

from tests.cli.kit import Moot

SPENDING = [
    ("ask", "Why?", "-p", "single"),
    ("compare", "Why?", "-p", "single", "-p", "vote"),
    ("board", "add", "Crows remember faces."),
    ("screen", "--limit", "2"),
    ("evals", "run", "--limit", "1", "--arms", "single-pass,vote"),
]


@pytest.mark.parametrize("words", SPENDING, ids=lambda words: words[0])
def test_a_dry_run_says_what_it_would_take_and_asks_and_keeps_nothing(moot: Moot, words: tuple[str, ...]) -> None:
    member = moot.script()

    done = moot.run(*words, "-m", member, "--dry-run")
    told = moot.json(*words, "-m", member, "--dry-run")

    assert (done.returncode, done.stdout.split()[-3:]) == (0, ["Nobody", "was", "asked."])
    assert "calls" in done.stdout and "$0" in done.stdout
    assert told["expected"]["calls"] > 0 and told["expected"]["tokens_in"] > 0 and told["expected"]["usd"] == 0
    assert moot.stored() == 0 and not (moot.folder / "evals").exists()


def test_the_parts_of_a_dry_run_add_up_and_a_price_that_nobody_knows_is_unknown(moot: Moot) -> None:
    words = ("compare", "Why?", "-p", "single,vote", "-m", "http://127.0.0.1:1/v1#x", "--dry-run")

    told = moot.json(*words)

    assert [part["name"] for part in told["protocols"]] == ["single", "vote"]
    assert sum(part["calls"] for part in told["protocols"]) == told["expected"]["calls"]
    assert told["expected"]["usd"] is None
    assert "unknown" in moot.run(*words).stdout


def test_a_budget_for_a_claim_on_the_board_is_kept(moot: Moot) -> None:
    told = moot.json("board", "add", "Crows remember faces.", "-m", moot.script(), "--budget-calls", "3", "--dry-run")

    assert told["budget"]["calls"] == 3


def test_going_on_and_going_another_way_say_what_is_kept_and_change_nothing(moot: Moot) -> None:
    words = ("ask", "Why?", "-p", "single", "-m", moot.script({"answer": ["no JSON at all"]}), "--budget-calls", "1")
    first = moot.json(*words)["id"]

    forked = moot.json("fork", first, "--at", "answer", "--budget-calls", "4", "--dry-run")
    extended = moot.json("resume", first, "--budget-calls", "4", "--dry-run")
    told = moot.run("resume", first, "--budget-calls", "4", "--dry-run")

    assert (forked["kept"]["calls"], forked["budget"]["calls"], forked["expected"]["calls"]) == (0, 4, 1)
    assert extended["budget"]["calls"] == 3, "the call that is asked again was spent, and counts"
    assert "not paid again" in told.stdout and "Nobody was asked." in told.stdout
    assert moot.stored() == 1


def test_an_evaluation_and_a_screen_say_what_they_will_take_before_they_take_it(moot: Moot) -> None:
    run = moot.run("evals", "run", "--limit", "1", "--arms", "single-pass", "-m", moot.script())
    screened = moot.run("screen", "--limit", "1", "--no-forms", "-m", moot.script())

    for done in (run, screened):
        assert done.stderr.startswith("expected: 1 call, about ")
