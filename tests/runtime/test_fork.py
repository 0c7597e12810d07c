"""A fork keeps its parent's past before its step and has members, settings and budget of its own from it on."""

from dataclasses import replace
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.errors import ForkChangesHistory, NotFound
from moot.core.events import Era, event_from
from moot.core.panel import Panel, seated
from moot.core.verdict import Status
from tests.runtime.protocol import PANEL, Course, header, without_calls


def ended(**more: Any) -> Course:
    course = Course(**more)
    course.run()
    return course


def parrots(count: int = 6) -> Panel:
    return seated(["script:good"] * count)


def test_a_fork_that_changes_nothing_asks_anew_only_from_its_step_on() -> None:
    parent = ended()
    fork = parent.fork("rebut:m2")

    verdict = fork.run()

    asked = {sent.step for sent in fork.desk.sent}
    assert not [step for step in asked if step.startswith("first") or step == "rebut:m1"]
    assert {"rebut:m2", "rebut:m4", "rebut:m5", "last"} <= asked
    assert fork.desk.embedded == []
    assert verdict.answer == "no"
    assert without_calls(fork.disk.texts)[1:] == without_calls(parent.disk.texts)[1:]


def test_a_fork_has_its_new_members_from_its_step_on_and_the_old_ones_before() -> None:
    fork = ended().fork("rebut:m1", panel=parrots())

    fork.run()

    models = {event.step: event.model for text in fork.disk.texts if (event := event_from(text)).kind == "answered"}
    assert models["first:m2"] == "script:slow"
    assert models["rebut:m2"] == "script:good"
    assert models["last"] == "script:good"


def test_a_fork_at_the_first_step_shares_nothing() -> None:
    fork = ended().fork("first:m1", panel=parrots(2), wording="Tell me:")

    verdict = fork.run()

    assert verdict.answer == "yes"
    assert fork.header.history == ()
    assert len([sent for sent in fork.desk.sent if sent.step.startswith("first")]) == 2


def test_the_steps_of_a_fork_have_seeds_of_their_own() -> None:
    parent = ended()
    fork = parent.fork("last")

    fork.run()

    [theirs] = [sent.seed for sent in parent.desk.sent if sent.step == "last"]
    [ours] = [sent.seed for sent in fork.desk.sent if sent.step == "last"]
    assert ours != theirs


def test_a_setting_that_changes_a_later_step_alone_is_allowed() -> None:
    fork = ended().fork("last", last_words="In one word.")

    fork.run()

    assert [sent.step for sent in fork.desk.sent] == ["last"]
    assert "In one word." in fork.desk.sent[0].messages


@pytest.mark.parametrize(
    ("settings", "step"), [({"wording": "Really?"}, "first:m1"), ({"temperature": 0.9}, "first:m1")]
)
def test_a_setting_that_changes_an_earlier_step_is_an_error_that_names_it(settings, step) -> None:
    fork = ended().fork("last", **settings)

    with pytest.raises(ForkChangesHistory, match="comes before 'last'") as changed:
        fork.run()

    assert changed.value.step == step
    assert fork.desk.sent == []


def test_a_setting_that_takes_an_earlier_step_away_is_an_error_too() -> None:
    fork = ended().fork("last", reviewed=False)

    with pytest.raises(ForkChangesHistory):
        fork.run()

    assert fork.desk.sent == []


def test_a_setting_that_adds_steps_from_the_forks_place_on_is_allowed() -> None:
    fork = ended(header=header(reviewed=False)).fork("last", reviewed=True)

    verdict = fork.run()

    assert verdict.detail["grades"] == [["Ada", 5], ["kind", 4], None]


def test_an_earlier_open_step_that_was_never_filled_is_an_error_that_names_it() -> None:
    fork = ended().fork("last")
    del fork.disk.steps["review:person"]

    with pytest.raises(ForkChangesHistory, match="review:person"):
        fork.run()


def test_a_fork_of_a_fork_keeps_every_past() -> None:
    first = ended()
    second = first.fork("rebut:m1", panel=parrots())
    second.run()
    third = second.fork("last", panel=seated(["script:slow"] * 6), last_words="Once more.")

    third.run()

    models = {event.step: event.model for text in third.disk.texts if (event := event_from(text)).kind == "answered"}
    assert [models[step] for step in ("first:m4", "rebut:m2", "last")] == [
        "script:stumbling",
        "script:good",
        "script:slow",
    ]
    assert {sent.step for sent in third.desk.sent} == {"last"}
    assert third.replayed().events == len(third.disk.texts)


@pytest.mark.parametrize("at", ["first:m4", "vectors", "rebut:m1"])
def test_a_fork_of_a_fork_may_go_back_before_its_parents_step(at: str) -> None:
    second = ended().fork("rebut:m1", panel=parrots())
    second.run()
    third = second.fork(at)

    third.run()

    models = {event.step: event.model for text in third.disk.texts if (event := event_from(text)).kind == "answered"}
    assert models["first:m2"] == "script:slow"
    assert third.header.history[-1] == Era(third.header.forked_at, PANEL)
    assert not [sent for sent in third.desk.sent if sent.step == "first:m1"]


def test_a_fork_at_the_first_refused_step_with_more_budget_goes_on() -> None:
    parent = ended(header=header(budget=Budget(calls=6), reviewed=False, panel=parrots(4)))
    refused = [step for step, outcome in parent.disk.outcomes.items() if outcome.kind == "refused"]
    tight = ended(header=header(budget=Budget(calls=3), reviewed=False, panel=parrots(4)))
    first_refused = next(step for step, outcome in tight.disk.outcomes.items() if outcome.kind == "refused")

    fork = tight.fork(first_refused, budget=Budget(calls=20))
    verdict = fork.run()

    assert refused == []
    assert first_refused == "first:m4"
    assert verdict.status is Status.COMPLETE
    assert [sent.step for sent in fork.desk.sent] == ["first:m4", "last"]


def test_what_the_parent_spent_counts_in_the_fork() -> None:
    parent = ended(header=header(reviewed=False, panel=parrots(4)))

    fork = parent.fork("last", budget=Budget(calls=4))

    assert fork.run().status is Status.EXHAUSTED
    assert parent.fork("last", budget=Budget(calls=5)).run().status is Status.COMPLETE


def test_a_fork_survives_a_crash_at_any_write() -> None:
    parent = ended()
    undisturbed = parent.fork("rebut:m2", panel=parrots())
    points = undisturbed.points()

    for kill in range(len(points)):
        fork = parent.fork("rebut:m2", panel=parrots())
        fork.run(kill)

        assert without_calls(fork.disk.texts) == without_calls(undisturbed.disk.texts), points[kill]
        assert fork.repeated == []


def test_an_unknown_step_is_refused_with_the_steps_there_are() -> None:
    with pytest.raises(NotFound, match=r"no step 'nowhere'; the run has these: first:m1, .*last"):
        ended().fork("nowhere")


def test_a_house_call_names_the_place_of_its_open_step() -> None:
    parent = ended()

    assert parent.fork("review:house@kind").header.forked_at == parent.fork("review:house").header.forked_at


def test_a_try_before_the_fork_by_an_agent_whom_nobody_can_place_is_an_error_that_names_it() -> None:
    fork = ended().fork("last")
    known = fork.disk.outcomes["review:house@kind"]
    fork.disk.outcomes["review:house@stranger"] = replace(known, step="review:house@stranger")

    with pytest.raises(ForkChangesHistory, match="review:house@stranger"):
        fork.run()
