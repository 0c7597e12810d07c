"""`moot oracle`: a claim in, a verdict with its reading and its reason out (ruling S12)."""

from pathlib import Path

import pytest

from moot.oracles import judged
from tests.cli.kit import Moot

FOUR = "Four times six is twenty-four."


@pytest.fixture
def moot(tmp_path: Path) -> Moot:
    return Moot(tmp_path)


@pytest.mark.clause("ruling:S12")
def test_a_claim_has_a_verdict_its_reading_and_how_it_was_computed(moot: Moot) -> None:
    printed = moot.run("oracle", FOUR)

    assert printed.returncode == 0
    assert printed.stdout.splitlines() == ["true", "  read as 4 * 6 = 24", "  arithmetic: 24 (the sides are 24 and 24)"]
    assert not printed.stderr


def test_what_is_not_decided_says_why_and_is_no_failure(moot: Moot) -> None:
    printed = moot.run("oracle", "In binary, 1 + 1 = 10.")

    assert printed.returncode == 0
    assert printed.stdout.startswith("not decided\n  “In binary” may change what the rest means")


@pytest.mark.parametrize("words", [(FOUR,), ("-",), ()], ids=["argument", "dash", "pipe"])
def test_the_claim_comes_as_an_argument_or_through_a_pipe_and_json_has_the_four_fields(
    moot: Moot, words: tuple[str, ...]
) -> None:
    told = moot.json("oracle", *words, stdin="" if words == (FOUR,) else f"{FOUR}\n")

    assert told == judged(FOUR).as_json()


def test_a_typed_check_and_a_claim_that_begins_with_a_minus_are_taken(moot: Moot) -> None:
    assert moot.json("oracle", '{"kind": "arithmetic", "claim": "7/2 = 4"}')["verdict"] == "false"
    assert moot.json("oracle", "-3 + 4 = 1")["verdict"] == "true"


@pytest.mark.parametrize("words", [(), ("-",), ("17 * 23 = 391", "91 is prime")], ids=["nothing", "empty", "two"])
def test_no_claim_or_two_is_wrong_usage(moot: Moot, words: tuple[str, ...]) -> None:
    printed = moot.run("oracle", *words)

    assert printed.returncode == 2
    assert "moot oracle" in printed.stderr
    assert not printed.stdout
