"""How a reply in the form `graph` is taken: stripped, asked for again once, salvaged, dropped (interrogation 4.3)."""

import json

import pytest

from moot.core.calls import Request
from moot.core.events import Answered
from moot.core.verdict import Status
from moot.protocols.interrogation.report import markdown_report
from tests.protocols.interrogation.kit import KESTREL, TALK, Interrogated, course
from tests.runtime.protocol import is_retry

pytestmark = pytest.mark.clause("interrogation:4.3")

WHOLE = json.dumps(KESTREL)
CUT_OFF = WHOLE.rstrip("}")


def asked(first: str, again: str = TALK) -> Interrogated:
    seen: list[Request] = []
    made = course(lambda request: again if is_retry(request) else first, seen, n=1, verify="never")
    return Interrogated(made.run(), made, seen)


@pytest.mark.parametrize(
    "reply",
    [WHOLE, f"```json\n{WHOLE}\n```", f"Here it is: {WHOLE} I hope that helps.", f"<think>Hm.</think>{WHOLE}"],
    ids=["bare", "fenced", "among words", "after thoughts"],
)
def test_an_object_is_found_in_what_surrounds_it(reply: str) -> None:
    scene = asked(reply)

    assert (scene.verdict.answer, len(scene.requests)) == ("Kestrel", 1)


def test_a_reply_that_is_none_is_asked_for_once_more_with_the_error() -> None:
    scene = asked(TALK, WHOLE)

    assert (scene.verdict.answer, len(scene.requests)) == ("Kestrel", 2)
    assert TALK in scene.requests[1].messages[-2].content
    assert "JSON" in scene.requests[1].messages[-1].content
    assert "in 0 of 1 replies at once" in markdown_report(scene.record)


def test_what_is_cut_off_twice_is_salvaged_and_the_record_says_so() -> None:
    scene = asked(CUT_OFF, CUT_OFF)

    [event] = [event for event in scene.record.asked if isinstance(event, Answered)]
    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.COMPLETE)
    assert (event.salvaged, len(scene.requests)) == (True, 2)


def test_what_is_no_object_twice_is_dropped_and_nothing_crashes() -> None:
    scene = asked(TALK, TALK)

    assert (scene.verdict.answer, scene.verdict.status, len(scene.requests)) == (None, Status.FAILED, 2)
    assert [item.reason for item in scene.verdict.missing] == ["unusable"]
