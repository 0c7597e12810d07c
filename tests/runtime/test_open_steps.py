"""Open steps: whoever is entitled fills them; the run waits, goes on without, or passes them to the next."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.calls import Message, Missing, Prose
from moot.core.confidence import no_confidence
from moot.core.deliberation import Invitation, PanelAgent
from moot.core.errors import ReplyMissing
from moot.core.events import Answered, Filled, Unanswered, event_from
from moot.core.panel import seated
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.runtime.house import Paused
from tests.runtime.memory import Crash, KillSwitch
from tests.runtime.protocol import TRIAL, Course, Review, header

GRADE = (Message("system", "You review."), Message("user", "Grade it."))


def opening(step: str, *agents: tuple[str, str], **more: Any) -> Invitation[Review]:
    house = tuple(PanelAgent(name, seat) for name, seat in agents)
    wanted: dict[str, Any] = {"group": "g", "role": "reviewer", "title": step, "context": {}}
    wanted |= {"reply": Review, "messages": GRADE}
    return Invitation(step=step, house=house, **(wanted | more))


def inviting(
    *invitations: Invitation[Any], models: tuple[str, ...] = ("script:good", "script:talking"), **more
) -> Course:
    """Return the course of a protocol that only invites, and tells who filled what."""

    async def run(question, deliberation, settings) -> Verdict:
        filled = await deliberation.invite_all(invitations)
        told = [item.reason if isinstance(item, Missing) else item.agent for item in filled]
        return Verdict(None, Status.COMPLETE, "done", no_confidence("none asked"), detail={"filled": told})

    row = replace(TRIAL, run=run)
    return Course(header(panel=seated(list(models)), **more), row=row, people={})


def events_of(course: Course) -> list[Any]:
    return [event_from(text) for text in course.disk.texts]


def test_a_run_pauses_at_a_step_for_a_person_and_goes_on_once_it_is_filled() -> None:
    course = inviting(opening("review:a"))

    with pytest.raises(Paused) as paused:
        course.run()
    waiting = Record(tuple(events_of(course)))
    course.disk.fill("review:a", "Ada", {"grade": 2})
    verdict = course.run()

    assert [step.step for step in paused.value.steps] == ["review:a"]
    assert waiting.status is Status.PAUSED
    assert verdict.detail["filled"] == ["Ada"]
    assert course.desk.sent == []


def asked_in(course: Course) -> list[str]:
    return list(dict.fromkeys(sent.step for sent in course.desk.sent))


def test_the_house_fills_what_it_may() -> None:
    course = inviting(opening("review:a", ("kind", "m1")))

    verdict = course.run()

    assert verdict.detail["filled"] == ["kind"]
    assert asked_in(course) == ["review:a@kind"]
    assert [event.kind for event in events_of(course)] == ["started", "opened", "answered", "filled", "ended"]


def test_each_agent_of_the_house_fills_one_step_of_a_group() -> None:
    agents = (("kind", "m1"), ("warm", "m1"))
    course = inviting(
        opening("review:a", *agents), opening("review:b", *agents), opening("review:c", *agents, wait=False)
    )

    verdict = course.run()

    assert verdict.detail["filled"] == ["kind", "warm", "refused"]


def test_an_agent_may_fill_one_step_in_each_of_two_groups() -> None:
    course = inviting(opening("review:a", ("kind", "m1")), opening("review:b", ("kind", "m1"), group="h"))

    verdict = course.run()

    assert verdict.detail["filled"] == ["kind", "kind"]


def test_an_agent_of_the_house_that_fails_passes_the_step_on() -> None:
    course = inviting(opening("review:a", ("gruff", "m2"), ("kind", "m1")))

    verdict = course.run()

    assert verdict.detail["filled"] == ["kind"]
    assert asked_in(course) == ["review:a@gruff", "review:a@kind"]
    assert ("review:a@gruff", "unusable") in {(missing.step, missing.reason) for missing in verdict.missing}


def test_a_step_that_the_whole_house_failed_at_waits_for_somebody_else() -> None:
    course = inviting(opening("review:a", ("gruff", "m2")))

    with pytest.raises(Paused):
        course.run()
    with pytest.raises(Paused):
        course.run()
    sent = len(course.desk.sent)
    course.disk.fill("review:a", "Ada", {"grade": 1})
    verdict = course.run()

    assert verdict.detail["filled"] == ["Ada"]
    assert len(course.desk.sent) == sent == 2
    assert course.replayed().events == len(course.disk.texts)


def test_a_step_that_nobody_waits_for_comes_back_missing() -> None:
    course = inviting(opening("review:a", wait=False))

    verdict = course.run()

    assert verdict.detail["filled"] == ["unattended"]
    assert verdict.missing == (Missing("person", "review:a", "unattended", "nobody was there to fill it"),)
    assert [event.kind for event in events_of(course)] == ["started", "opened", "unanswered", "ended"]
    assert Record(tuple(events_of(course)[:-1])).status is Status.RUNNING


@pytest.mark.parametrize("kill", [("after leave review:a", 1), ("after emit", 3), ("before emit", 4)])
def test_a_step_that_the_run_went_on_without_stays_missing_though_somebody_submits_later(kill) -> None:
    undisturbed = inviting(opening("review:a", wait=False))
    undisturbed.run()
    late = inviting(opening("review:a", wait=False))

    with pytest.raises(Crash):
        asyncio.run(late.process(KillSwitch(at=kill)))
    late.disk.fill("review:a", "Ada", {"grade": 5})
    late.run()

    assert late.disk.texts == undisturbed.disk.texts
    assert late.replayed().events == len(late.disk.texts)


@pytest.mark.parametrize("agents", [(), (("gruff", "m2"),)], ids=["nobody of the house", "a house that fails"])
def test_a_step_that_somebody_takes_as_the_run_would_go_on_without_it_is_waited_for(agents) -> None:
    course = inviting(opening("review:a", *agents, wait=False))
    journal, steps = course.disk.hold()

    async def ada_takes_it(step: str) -> None:
        course.disk.steps[step] = replace(course.disk.steps[step], state="taken", agent="Ada")

    steps.before_leaving = ada_takes_it
    with pytest.raises(Paused) as paused:
        asyncio.run(course.work(journal, steps))
    course.disk.fill("review:a", "Ada", {"grade": 4})
    verdict = course.run()

    assert [(step.step, step.agent) for step in paused.value.steps] == [("review:a", "Ada")]
    assert verdict.detail["filled"] == ["Ada"]
    assert course.replayed().events == len(course.disk.texts)


def test_a_step_that_is_filled_as_the_run_would_go_on_without_it_counts() -> None:
    course = inviting(opening("review:a", wait=False), opening("review:b", wait=False))
    journal, steps = course.disk.hold()

    async def ada_fills_it(step: str) -> None:
        if step == "review:b":
            course.disk.fill(step, "Ada", {"grade": 4})

    steps.before_leaving = ada_fills_it
    verdict = asyncio.run(course.work(journal, steps))

    assert verdict.detail["filled"] == ["unattended", "Ada"]
    assert course.replayed().events == len(course.disk.texts)


def test_a_house_call_that_was_overtaken_is_counted_and_does_not_count_as_the_answer() -> None:
    course = inviting(opening("review:a", ("kind", "m1")))
    journal, steps = course.disk.hold()

    async def ada_is_quicker(step: str) -> None:
        course.disk.fill(step, "Ada", {"grade": 1})

    steps.meanwhile = ada_is_quicker
    verdict = asyncio.run(course.work(journal, steps))

    [answered] = [event for event in events_of(course) if isinstance(event, Answered)]
    [filled] = [event for event in events_of(course) if isinstance(event, Filled)]
    assert verdict.detail["filled"] == ["Ada"]
    assert (filled.agent, filled.reply["grade"]) == ("Ada", 1)
    assert (answered.step, answered.calls[0].tries) == ("review:a@kind", 1)
    assert Record(tuple(events_of(course))).spent.calls == 1
    assert course.replayed().events == len(course.disk.texts)


def test_a_lost_house_call_is_counted_when_somebody_filled_the_step_meanwhile() -> None:
    course = inviting(opening("review:a", ("kind", "m1")))
    with pytest.raises(Crash):
        asyncio.run(course.process(KillSwitch(at=("before settle review:a@kind", 1))))
    course.disk.fill("review:a", "Ada", {"grade": 1})

    verdict = course.run()

    [event] = [event for event in events_of(course) if isinstance(event, Unanswered)]
    assert verdict.detail["filled"] == ["Ada"]
    assert [call.state for call in event.calls] == ["lost"]
    assert Record(tuple(events_of(course))).spent.usd is None
    assert len(course.desk.sent) == 1
    assert course.replayed().events == len(course.disk.texts)


def test_a_lease_that_ran_out_while_the_house_was_asked_is_taken_again_without_another_call() -> None:
    course = inviting(opening("review:a", ("kind", "m1")))
    journal, steps = course.disk.hold()

    async def lease_runs_out(step: str) -> None:
        steps.meanwhile = None
        course.disk.steps[step] = replace(course.disk.steps[step], state="open", agent=None)

    steps.meanwhile = lease_runs_out
    verdict = asyncio.run(course.work(journal, steps))

    assert verdict.detail["filled"] == ["kind"]
    assert len(course.desk.sent) == 1


def test_a_refused_house_leaves_the_step_to_others_and_the_verdict_is_exhausted() -> None:
    course = inviting(opening("review:a", ("kind", "m1"), ("warm", "m1")), budget=Budget(calls=0))

    with pytest.raises(Paused):
        course.run()
    course.disk.fill("review:a", "Ada", {"grade": 1})
    verdict = course.run()

    assert course.desk.sent == []
    assert verdict.detail["filled"] == ["Ada"]
    assert verdict.status is Status.EXHAUSTED


def test_a_replay_of_a_run_that_stopped_before_the_house_handed_in_names_the_step() -> None:
    course = inviting(opening("review:a", ("kind", "m1")))
    with pytest.raises(Crash):
        asyncio.run(course.process(KillSwitch(at=("before submit review:a", 1))))

    with pytest.raises(ReplyMissing, match="review:a"):
        course.replayed()


def test_prose_may_be_asked_of_a_person_too() -> None:
    course = inviting(opening("review:a", reply=Prose))
    with pytest.raises(Paused):
        course.run()
    course.disk.fill("review:a", "Ada", {"text": "I have nothing to add."})

    course.run()

    [filled] = [event for event in events_of(course) if isinstance(event, Filled)]
    assert filled.reply_type == "Prose"


def test_what_a_person_sees_is_fixed_when_the_step_opens() -> None:
    course = inviting(opening("review:a", context={"b": 1.00000001, "a": [1, "x"]}))

    with pytest.raises(Paused):
        course.run()

    assert course.disk.steps["review:a"].context == {"a": [1, "x"], "b": 1.0}


def test_an_agent_that_failed_has_had_its_turn_in_the_group() -> None:
    agents = (("gruff", "m2"), ("grim", "m2"), ("kind", "m1"))
    course = inviting(opening("review:a", *agents), opening("review:b", *agents, wait=False))

    verdict = course.run()

    assert verdict.detail["filled"] == ["kind", "refused"]
    assert asked_in(course) == ["review:a@gruff", "review:b@grim", "review:a@kind"]


def test_a_step_that_somebody_has_taken_is_waited_for_whether_or_not_it_has_to_be() -> None:
    course = inviting(opening("review:a", wait=False))
    with pytest.raises(Crash):
        asyncio.run(course.process(KillSwitch(at=("after open", 1))))
    course.disk.steps["review:a"] = replace(course.disk.steps["review:a"], state="taken", agent="Ada")

    with pytest.raises(Paused):
        course.run()
    course.disk.fill("review:a", "Ada", {"grade": 1})
    verdict = course.run()

    assert verdict.detail["filled"] == ["Ada"]


def test_a_step_that_the_budget_kept_the_house_from_says_so() -> None:
    course = inviting(opening("review:a", ("kind", "m1"), wait=False), budget=Budget(calls=0))

    verdict = course.run()

    assert verdict.detail["filled"] == ["budget"]
    assert verdict.status is Status.EXHAUSTED
    assert course.replayed().events == len(course.disk.texts)
