from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.calls import Missing
from moot.core.confidence import no_confidence
from moot.core.verdict import Status, Verdict
from moot.runtime.authority import with_authority
from moot.views.words import missing_rows

SAID = Verdict("yes", Status.COMPLETE, "voted", no_confidence(""))
SILENT = replace(SAID, answer=None)
TWO_THIRDS = Fraction(2, 3)
DOWN = [Missing(f"m{seat}", f"first/m{seat}", "unreachable", "nobody there") for seat in (1, 2)]


def heard(answered: int, asked: int) -> dict[str, bool]:
    return {f"m{seat}": seat < answered for seat in range(asked)}


@pytest.mark.clause("ruling:G8")
@pytest.mark.parametrize(
    ("answered", "asked", "quorum", "status"),
    [
        (2, 3, TWO_THIRDS, Status.COMPLETE),
        (3, 5, TWO_THIRDS, Status.PARTIAL),
        (4, 6, TWO_THIRDS, Status.COMPLETE),
        (3, 6, Fraction(1, 2), Status.COMPLETE),
        (2, 6, Fraction(1, 2), Status.PARTIAL),
        (1, 2, Fraction(1), Status.PARTIAL),
        (4, 5, Fraction(4, 5), Status.COMPLETE),
        (0, 0, Fraction(1), Status.COMPLETE),
    ],
)
def test_a_quorum_is_a_share_of_those_asked(answered: int, asked: int, quorum: Fraction, status: Status) -> None:
    verdict = with_authority(SAID, (), heard(answered, asked), quorum)

    assert verdict.status is status
    assert (verdict.answered, verdict.asked) == (answered, asked)
    assert (verdict.stop_reason == f"{answered} of {asked} seats answered; voted") is (status is Status.PARTIAL)


@pytest.mark.clause("ruling:G8")
def test_what_a_protocol_counts_itself_stands() -> None:
    counting = replace(SAID, asked=6, answered=2, counted="runs")

    verdict = with_authority(counting, (), heard(1, 1), Fraction(1, 2))

    assert (verdict.status, verdict.stop_reason) == (Status.PARTIAL, "2 of 6 runs answered; voted")


@pytest.mark.clause("ruling:G8")
@pytest.mark.parametrize("status", [Status.PARTIAL, Status.FORCED, Status.FLAGGED])
def test_a_quorum_takes_authority_from_complete_alone(status: Status) -> None:
    assert with_authority(replace(SAID, status=status), (), heard(0, 3), TWO_THIRDS).status is status


@pytest.mark.clause("ruling:G9")
@pytest.mark.parametrize("status", [Status.COMPLETE, Status.PARTIAL, Status.FORCED, Status.FAILED])
@pytest.mark.parametrize("answer", [None, "", "  \n"])
def test_no_answer_is_failed_whatever_a_protocol_calls_it(status: Status, answer: str | None) -> None:
    verdict = with_authority(replace(SAID, answer=answer, status=status), (), heard(3, 3), TWO_THIRDS)

    assert (verdict.status, verdict.answer) == (Status.FAILED, None)


@pytest.mark.clause("ruling:G9")
@pytest.mark.parametrize("status", [Status.CANCELLED, Status.CLOSED, Status.FLAGGED, Status.EXHAUSTED])
def test_the_other_ends_keep_their_names_without_an_answer(status: Status) -> None:
    assert with_authority(replace(SILENT, status=status), (), heard(0, 3), TWO_THIRDS).status is status


@pytest.mark.clause("ruling:G9")
def test_the_cause_stands_first_and_once() -> None:
    verdict = with_authority(SILENT, DOWN, heard(0, 2), TWO_THIRDS)

    assert verdict.stop_reason == "unreachable: nobody there; voted"
    assert missing_rows(verdict) == ["m1, m2 at first (unreachable)"]
    assert with_authority(verdict, DOWN, heard(0, 2), TWO_THIRDS).stop_reason == verdict.stop_reason


@pytest.mark.clause("ruling:G9")
def test_of_several_causes_the_one_that_cost_most_stands_first() -> None:
    verdict = with_authority(SILENT, [Missing("m3", "first/m3", "timeout", "too slow"), *DOWN], heard(0, 3), TWO_THIRDS)

    assert verdict.stop_reason.startswith("unreachable: nobody there")


def test_what_a_protocol_says_of_a_step_is_not_said_a_second_time() -> None:
    known = replace(SAID, missing=(Missing("m1", "first/m1", "withheld", "it tells how to"),))

    assert [item.reason for item in with_authority(known, DOWN, heard(2, 2), TWO_THIRDS).missing] == [
        "withheld",
        "unreachable",
    ]


VERDICTS = st.builds(
    lambda answer, status: replace(SAID, answer=answer, status=status),
    st.sampled_from([None, "", "yes"]),
    st.sampled_from([status for status in Status if status.ended]),
)
SHARES = st.fractions(0, 1)


@given(VERDICTS, st.integers(0, 9), st.integers(0, 9), SHARES)
def test_complete_has_an_answer_and_its_quorum(verdict: Verdict, answered: int, more: int, quorum: Fraction) -> None:
    asked = answered + more

    shown = with_authority(verdict, (), heard(answered, asked), quorum)

    if shown.status is Status.COMPLETE:
        assert shown.answer and answered >= quorum * asked
    assert shown.answer or shown.status not in (Status.COMPLETE, Status.PARTIAL, Status.FORCED)
