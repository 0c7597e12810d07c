"""Figures and states in words."""

import pytest

from moot.core.budget import Spent, Unknown
from moot.core.calls import Missing
from moot.core.confidence import no_confidence
from moot.core.telling import Narrator
from moot.core.verdict import Status, Verdict
from moot.protocols.vote.telling import VOTE_TELLING
from moot.views.words import advice_words, cost_words, missing_rows


@pytest.mark.clause("ruling:G10")
def test_a_cost_says_what_is_known_and_of_how_many_calls_it_is_not() -> None:
    spent = Spent(3, 5050, 120, 0.25, 1.5, Unknown(tokens_in=1, usd=2))

    assert cost_words(spent) == (
        "$0.2500 and 2 calls unknown, 3 calls, 5,050 tokens in and 1 call unknown, 120 out, 1.5 s"
    )
    assert cost_words(Spent(1, None, None, None, 1.0, Unknown(1, 1, 1))) == (
        "cost unknown, 1 call, unknown tokens in, unknown out, 1.0 s"
    )


@pytest.mark.clause("ruling:G8")
def test_who_is_missing_is_told_by_its_cause_with_seats_and_steps_together() -> None:
    gone = [Missing("m1", f"run/r{number}", "unreachable", "nobody there") for number in range(1, 7)]
    late = [Missing(seat, f"exposition/{seat}", "timeout", "too slow") for seat in ("m2", "m3")]
    verdict = Verdict("yes", Status.PARTIAL, "1 of 3 seats answered", no_confidence(""), missing=(*late, *gone))

    assert missing_rows(verdict) == [
        "m1 at 6 steps from run/r1 to run/r6 (unreachable: nobody there)",
        "m2, m3 at exposition (timeout: too slow)",
    ]


@pytest.mark.clause("ruling:G8")
def test_of_a_wave_of_runs_only_those_are_named_that_are_missing() -> None:
    gone = [Missing("m2", step, "timeout", "too slow") for step in ("run/r2", "run/r2#2")]
    verdict = Verdict("yes", Status.PARTIAL, "2 of 4 runs answered", no_confidence(""), missing=tuple(gone))
    narrator = Narrator(VOTE_TELLING, {"most": 8, "n": None, "stop": "decided"})

    assert missing_rows(verdict, narrator) == ["m2 at run 2, run 2 (reply 2) (timeout: too slow)"]


def test_what_was_stopped_is_told_to_go_on_and_not_that_nobody_works_on_it() -> None:
    left, stopped = (
        advice_words("0a1b", Status.RUNNING, stalled=True, stopped=was_stopped) for was_stopped in (False, True)
    )

    assert left == "Nobody works on it: moot resume 0a1b goes on."
    assert stopped == "It was stopped: moot resume 0a1b goes on."
