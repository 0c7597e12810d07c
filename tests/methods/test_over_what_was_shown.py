"""What may be said of an answer where a part of the documents was shown (ruling I20)."""

import pytest

from moot.core.confidence import no_confidence
from moot.core.verdict import Status, Verdict
from moot.methods.search import over_what_was_shown

CAVEAT = "4 of 10 paragraphs shown."
ABSTAINING = ("The documents do not say.", "unknown", "The documents do not mention it. They speak of ships alone.")
ANSWERING = (
    "x9",
    "The documents do not say, but it must be x9.",
    "It is x9. The survey does not say more. It was made in May.",
    "The documents do not mention the cost. They list three piers. They were signed in June.",
)


def verdict(answer: str | None, status: Status = Status.COMPLETE) -> Verdict:
    return Verdict(answer, status, "answered", no_confidence("nobody was asked"), caveats=("One model's word.",))


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("answer", ABSTAINING)
@pytest.mark.parametrize("status", [Status.COMPLETE, Status.FORCED, Status.PARTIAL])
def test_that_a_part_does_not_say_is_partial_and_the_reason_says_that_it_was_a_part(
    answer: str, status: Status
) -> None:
    told = over_what_was_shown(verdict(answer, status), (CAVEAT,))

    assert (told.answer, told.status) == (answer, Status.PARTIAL)
    assert told.stop_reason == "what was shown does not say; answered"
    assert told.caveats == ("One model's word.", CAVEAT)


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("answer", ANSWERING)
def test_an_answer_keeps_its_status_and_carries_the_caveat(answer: str) -> None:
    told = over_what_was_shown(verdict(answer), (CAVEAT,))

    assert (told.status, told.stop_reason) == (Status.COMPLETE, "answered")
    assert told.caveats[-1] == CAVEAT


@pytest.mark.parametrize("status", [Status.FLAGGED, Status.CLOSED, Status.EXHAUSTED, Status.FAILED])
def test_an_end_without_the_panels_answer_keeps_its_name(status: Status) -> None:
    for answer in (None, "The documents do not say."):
        told = over_what_was_shown(verdict(answer, status), (CAVEAT,))

        assert (told.status, told.stop_reason) == (status, "answered")
        assert told.caveats[-1] == CAVEAT


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("answer", ABSTAINING)
def test_where_all_was_shown_that_the_documents_do_not_say_is_the_verdict(answer: str) -> None:
    assert over_what_was_shown(verdict(answer), ()) == verdict(answer)
