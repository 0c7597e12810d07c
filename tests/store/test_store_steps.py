"""Open steps: leases, one step per agent and group, and no step twice however many race (rulings P1, P2)."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from store_kit import header, invitation, with_steps

from moot.core.calls import Outcome
from moot.core.errors import (
    BadSetting,
    LeaseExpired,
    NotFound,
    NotYourStep,
    OneAnswerPerAgent,
    StepError,
    StepGone,
)


async def test_a_step_opens_with_all_that_was_said_of_it(store):
    await with_steps(store, "abc", invitation("slot", group="layer 1", role="work", layer="1", type="fact"))

    step = await store.steps.read("abc", "slot")

    assert (step.deliberation, step.step, step.position, step.group, step.role) == ("abc", "slot", 0, "layer 1", "work")
    assert (step.title, step.context, step.reply_type) == ("Fill slot", {"claim": "x"}, "Opinion")
    assert step.labels == {"layer": "1", "type": "fact"}
    assert (step.state, step.agent, step.lease_until, step.reply) == ("open", None, None, None)


async def test_opening_again_opens_only_what_is_not_there(store):
    await with_steps(store, "abc", invitation("one"))
    await store.steps.take("abc", "one", "ann")

    async with store.hold("abc") as hold:
        await hold.steps.open([(0, invitation("one")), (1, invitation("two"))])
        read = await hold.steps.read(["two", "one"])

    assert [(step.step, step.state, step.position) for step in read] == [("two", "open", 1), ("one", "taken", 0)]


async def test_a_step_that_nobody_opened_is_not_found(store):
    await store.deliberations.create("abc", header())

    for name in ("x", "\x00", "\ud83d"):
        for attempt in (
            store.steps.read("abc", name),
            store.steps.take("abc", name, "ann"),
            store.steps.submit("abc", name, "ann", {}),
        ):
            with pytest.raises(NotFound, match="no open step"):
                await attempt
    async with store.hold("abc") as hold:
        with pytest.raises(NotFound):
            await hold.steps.read(["x"])


async def test_steps_are_found_by_what_they_are_oldest_first(store):
    await with_steps(store, "z", invitation("one", layer="1"), invitation("two", role="consensus", layer="2"))
    await with_steps(store, "a", invitation("three", layer="1", type="x"))
    await store.steps.take("z", "two", "ann")

    async def found(**filters):
        return [step.step for step in await store.steps.search(**filters)]

    assert await found() == ["one", "two", "three"]
    assert await found(deliberation="z") == ["one", "two"]
    assert await found(role="consensus") == ["two"]
    assert await found(state="open") == ["one", "three"]
    assert await found(state="taken") == ["two"]
    assert await found(state="done") == []
    assert await found(labels={"layer": "1"}) == ["one", "three"]
    assert await found(labels={"layer": "1", "type": "x"}) == ["three"]
    assert await found(agent="ben") == ["one", "three"]
    assert await found(agent="ann") == ["three"]
    assert await found(agent="ann", deliberation="z", state="open") == []


async def test_a_step_is_taken_submitted_and_done(store, clock):
    await with_steps(store, "abc", invitation("slot"))

    taken = await store.steps.take("abc", "slot", "ann", lease=60)
    await store.steps.submit("abc", "slot", "ann", {"text": "yes", "why": [1, 2.5, None]})

    assert (taken.state, taken.agent, taken.lease_until) == ("taken", "ann", clock.time + 60)
    done = await store.steps.read("abc", "slot")
    assert (done.state, done.agent, done.lease_until) == ("done", "ann", None)
    assert done.reply == {"text": "yes", "why": [1, 2.5, None]}


async def test_a_step_that_somebody_has_is_gone_for_the_others(store):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann")

    with pytest.raises(StepGone, match="'slot' is taken"):
        await store.steps.take("abc", "slot", "ben")
    for attempt in (store.steps.submit("abc", "slot", "ben", {}), store.steps.renew("abc", "slot", "ben")):
        with pytest.raises(NotYourStep):
            await attempt
    with pytest.raises(NotYourStep):
        await store.steps.release("abc", "slot", "ben")
    assert (await store.steps.read("abc", "slot")).agent == "ann"


async def test_a_step_that_is_done_stays_as_it_is(store, clock):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann")
    await store.steps.submit("abc", "slot", "ann", {"text": "first"})
    clock.time += 10_000

    for agent in ("ann", "ben"):
        for attempt in (
            store.steps.take("abc", "slot", agent),
            store.steps.renew("abc", "slot", agent),
            store.steps.submit("abc", "slot", agent, {"text": "second"}),
            store.steps.release("abc", "slot", agent),
        ):
            with pytest.raises(StepGone, match="'slot' is done"):
                await attempt
    assert (await store.steps.read("abc", "slot")).reply == {"text": "first"}


async def test_an_agent_has_one_step_of_a_group(store):
    await with_steps(store, "abc", invitation("one"), invitation("two"), invitation("three", group="layer 2"))
    await store.steps.take("abc", "one", "ann")

    with pytest.raises(OneAnswerPerAgent, match="'ann' already has a step in 'layer 1'"):
        await store.steps.take("abc", "two", "ann")
    await store.steps.take("abc", "three", "ann")
    await store.steps.submit("abc", "one", "ann", {})
    with pytest.raises(OneAnswerPerAgent):
        await store.steps.take("abc", "two", "ann")


async def test_a_released_step_is_free_for_anybody(store):
    await with_steps(store, "abc", invitation("one"), invitation("two"))
    await store.steps.take("abc", "one", "ann")

    await store.steps.release("abc", "one", "ann")

    assert (await store.steps.take("abc", "two", "ann")).agent == "ann"
    assert (await store.steps.take("abc", "one", "ben")).agent == "ben"


async def test_a_lease_that_has_run_out_reads_as_open_and_frees_its_agent(store, clock):
    await with_steps(store, "abc", invitation("one"), invitation("two"))
    await store.steps.take("abc", "one", "ann", lease=60)

    clock.time += 59.9
    assert (await store.steps.read("abc", "one")).state == "taken"
    clock.time += 0.1

    step = await store.steps.read("abc", "one")
    assert (step.state, step.agent, step.lease_until) == ("open", None, None)
    assert [step.step for step in await store.steps.search(agent="ann")] == ["one", "two"]
    assert (await store.steps.take("abc", "two", "ann")).state == "taken"
    assert (await store.steps.take("abc", "one", "ben")).state == "taken"


async def test_a_late_submission_is_refused(store, clock):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann", lease=60)
    clock.time += 60

    with pytest.raises(LeaseExpired, match="take it again"):
        await store.steps.submit("abc", "slot", "ann", {"text": "late"})
    with pytest.raises(LeaseExpired):
        await store.steps.renew("abc", "slot", "ann")
    await store.steps.take("abc", "slot", "ben")
    with pytest.raises(NotYourStep):
        await store.steps.submit("abc", "slot", "ann", {"text": "later"})

    assert (await store.steps.read("abc", "slot")).agent == "ben"


async def test_a_lease_that_is_renewed_in_time_goes_on(store, clock):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann", lease=60)

    for _ in range(5):
        clock.time += 50
        renewed = await store.steps.renew("abc", "slot", "ann", lease=60)

    assert renewed.lease_until == clock.time + 60
    await store.steps.submit("abc", "slot", "ann", {})


async def test_taking_ones_own_step_again_renews_it(store, clock):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann", lease=60)
    clock.time += 30

    again = await store.steps.take("abc", "slot", "ann", lease=60)

    assert (again.agent, again.lease_until) == ("ann", clock.time + 60)


async def test_a_clock_that_jumps_back_breaks_nothing(store, clock):
    await with_steps(store, "abc", invitation("one"), invitation("two"))
    await store.steps.take("abc", "one", "ann", lease=60)
    clock.time -= 500

    with pytest.raises(StepGone):
        await store.steps.take("abc", "one", "ben")
    assert (await store.steps.renew("abc", "one", "ann", lease=60)).lease_until == clock.time + 60
    await store.steps.submit("abc", "one", "ann", {"text": "yes"})
    assert [step.state for step in await store.steps.search()] == ["done", "open"]


@pytest.mark.parametrize("lease", [0, -1, float("nan"), float("inf")])
async def test_a_lease_is_a_positive_number_of_seconds(store, lease):
    await with_steps(store, "abc", invitation("slot"))

    with pytest.raises(BadSetting, match="lease"):
        await store.steps.take("abc", "slot", "ann", lease=lease)
    assert (await store.steps.read("abc", "slot")).state == "open"


async def test_the_house_takes_and_fills_a_step(store):
    await with_steps(store, "abc", invitation("one"), invitation("two"))

    async with store.hold("abc") as hold:
        assert await hold.steps.take("one", "house 1")
        assert not await hold.steps.take("one", "house 2")
        assert not await hold.steps.take("two", "house 1")
        assert not await hold.steps.submit("one", "house 2", {})
        assert await hold.steps.submit("one", "house 1", {"text": "yes"})
        assert not await hold.steps.submit("one", "house 1", {"text": "no"})
        await hold.steps.release("one", "house 1")

    assert (await store.steps.read("abc", "one")).reply == {"text": "yes"}


async def test_the_house_gives_a_step_back(store):
    await with_steps(store, "abc", invitation("one"))

    async with store.hold("abc") as hold:
        await hold.steps.take("one", "house 1")
        await hold.steps.release("one", "house 1")

        assert await hold.steps.take("one", "house 2")


async def test_a_house_agent_finds_its_step_again_after_a_crash(url, store, open_store):
    await with_steps(store, "abc", invitation("one"))
    async with store.hold("abc") as hold:
        await hold.steps.take("one", "house 1")

    async with open_store(url).hold("abc") as hold:
        assert await hold.steps.take("one", "house 1")


async def test_a_slow_house_agent_loses_its_reply_only_to_somebody_else(store, clock):
    await with_steps(store, "abc", invitation("one"), invitation("two", group="layer 2"))

    async with store.hold("abc") as hold:
        await hold.steps.take("one", "house 1")
        await hold.steps.take("two", "house 1")
        clock.time += 10_000
        await store.steps.take("abc", "two", "ann")

        assert await hold.steps.submit("one", "house 1", {"text": "slow"})
        assert not await hold.steps.submit("two", "house 1", {"text": "slow"})


async def test_twenty_agents_who_race_for_ten_steps_get_one_each(url, store, open_store):
    names = [f"slot {number}" for number in range(10)]
    await with_steps(store, "abc", *(invitation(name) for name in names))
    stores = [open_store(url) for _ in range(4)]
    start = Barrier(20)

    def grab(number: int) -> list[tuple[str, str]]:
        async def all_of_them() -> list[tuple[str, str]]:
            got = []
            start.wait()
            for name in names[number % 3 :] + names[: number % 3]:
                try:
                    await stores[number % 4].steps.take("abc", name, f"agent {number}")
                except StepError:
                    continue
                got.append((name, f"agent {number}"))
            return got

        return asyncio.run(all_of_them())

    with ThreadPoolExecutor(20) as pool:
        got = [pair for pairs in await asyncio.to_thread(lambda: list(pool.map(grab, range(20)))) for pair in pairs]

    assert Counter(name for name, _ in got) == Counter(names)
    assert max(Counter(agent for _, agent in got).values()) == 1
    assert {(step.step, step.agent) for step in await store.steps.search()} == set(got)


async def test_one_agent_in_many_places_gets_one_step_of_a_group(url, store, open_store):
    await with_steps(store, "abc", *(invitation(f"slot {number}") for number in range(10)))
    second = open_store(url)

    results = await asyncio.gather(
        *((store, second)[number % 2].steps.take("abc", f"slot {number}", "ann") for number in range(10)),
        return_exceptions=True,
    )

    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert {type(result) for result in results if isinstance(result, Exception)} == {OneAnswerPerAgent}


async def test_processes_that_race_for_steps_never_share_one(url, store, process):
    await with_steps(store, "abc", invitation("one"), invitation("two"), invitation("three"))
    racers = [process("race", url, "abc", f"agent {number}") for number in range(5)]

    for racer in racers:
        racer.stdin.close()
    got = [racer.stdout.read().split() for racer in racers]

    assert sorted(step for steps in got for step in steps) == ["one", "three", "two"]
    assert max(map(len, got)) == 1


async def test_of_two_submissions_at_once_one_counts(store):
    await with_steps(store, "abc", invitation("slot"))
    await store.steps.take("abc", "slot", "ann")

    results = await asyncio.gather(
        *(store.steps.submit("abc", "slot", "ann", {"number": number}) for number in range(5)), return_exceptions=True
    )

    winners = [number for number, result in enumerate(results) if result is None]
    assert len(winners) == 1
    assert (await store.steps.read("abc", "slot")).reply == {"number": winners[0]}


NOBODY = ("dropped", "refused", "nobody came")


async def test_a_run_goes_on_without_a_step_only_while_nobody_has_it_or_has_filled_it(store, clock):
    await with_steps(store, "abc", *(invitation(name) for name in ("open", "taken", "lapsed", "done")))
    for name, agent in (("taken", "ann"), ("lapsed", "ben"), ("done", "cyd")):
        await store.steps.take("abc", name, agent, lease=60)
    await store.steps.submit("abc", "done", "cyd", {"text": "x"})
    clock.time += 61
    await store.steps.take("abc", "taken", "ann")

    async with store.hold("abc") as hold:
        left = [await hold.steps.leave(Outcome(name, 0, *NOBODY)) for name in ("open", "taken", "lapsed", "done")]
        journaled = [outcome.step for outcome in (await hold.journal.load()).outcomes]
    states = [(await store.steps.read("abc", name)).state for name in ("open", "taken", "lapsed", "done")]

    assert left == [True, False, True, False]
    assert journaled == ["lapsed", "open"]
    assert states == ["gone", "taken", "gone", "done"]


async def test_a_step_is_left_or_taken_and_never_both(store):
    names = [f"slot {number}" for number in range(20)]
    await with_steps(store, "abc", *(invitation(name, group=name) for name in names))

    async def taken(name: str) -> bool:
        try:
            await store.steps.take("abc", name, "ann")
        except StepGone:
            return False
        return True

    async with store.hold("abc") as hold:
        ways = [(taken(name), hold.steps.leave(Outcome(name, 0, *NOBODY))) for name in names]
        came = await asyncio.gather(*(way for both in ways for way in both))

    assert [sum(pair) for pair in zip(came[::2], came[1::2], strict=True)] == [1] * len(names)


async def test_a_step_that_its_run_went_on_without_is_gone_for_everybody(store):
    await with_steps(store, "abc", invitation("one"), invitation("two"))
    await store.steps.take("abc", "one", "ann", lease=60)
    await store.steps.release("abc", "one", "ann")

    async with store.hold("abc") as hold:
        assert await hold.steps.leave(Outcome("one", 0, *NOBODY))

    for attempt in (
        store.steps.take("abc", "one", "ben"),
        store.steps.submit("abc", "one", "ann", {}),
        store.steps.take("abc", "one", "ann"),
    ):
        with pytest.raises(StepGone, match="gone"):
            await attempt
    assert (await store.steps.read("abc", "one")).state == "gone"
    assert [step.step for step in await store.steps.search(state="gone")] == ["one"]
    assert [step.step for step in await store.steps.search(agent="cyd")] == ["two"]


async def test_a_filled_step_knows_the_how_manieth_of_its_deliberation_it_was(store):
    await with_steps(store, "abc", invitation("one", group="g"), invitation("two", group="h"))
    await with_steps(store, "other", invitation("one"))
    for step in ("two", "one"):
        await store.steps.take("abc", step, "ann")
        await store.steps.submit("abc", step, "ann", {"text": "x"})

    filled = {(step.deliberation, step.step): step.filled for step in await store.steps.search()}

    assert filled == {("abc", "one"): 2, ("abc", "two"): 1, ("other", "one"): 0}


async def test_a_search_by_labels_is_not_misled_by_quotes_and_can_stop_early(store):
    tricky = invitation("tricky", note='"layer":"3"', layer="%")
    await with_steps(store, "abc", tricky, invitation("one", layer="3"), invitation("two", layer="3"))

    found = await store.steps.search(labels={"layer": "3"})
    first = await store.steps.search(labels={"layer": "3"}, limit=1)

    assert [step.step for step in found] == ["one", "two"]
    assert [step.step for step in first] == ["one"]
    assert [step.step for step in await store.steps.search(labels={"layer": "%"})] == ["tricky"]


async def test_what_a_step_shows_keeps_the_order_in_which_it_was_given(store):
    shown = {"suspected": "ease", "because": [{"z": 1, "a": 2}], "answer": "yes"}
    await with_steps(store, "abc", replace(invitation("slot"), context=shown))

    context = (await store.steps.read("abc", "slot")).context

    assert list(context) == list(shown)
    assert list(context["because"][0]) == ["z", "a"]


async def test_waiting_steps_are_those_without_a_label_and_for_people_only_where_the_owner_asked(store):
    await with_steps(store, "abc", invitation("slot", role="person", board="slot"), invitation("turn", role="person"))
    await with_steps(store, "def", invitation("said", role="person", note='"board":'), invitation("free", role="work"))

    async def names(**wanted):
        return [step.step for step in await store.steps.waiting(unlabelled="board", **wanted)]

    assert await names() == ["turn", "said", "free"]
    assert await names(deliberation="def") == ["said", "free"]
    assert await names(closed_roles={"person"}, owner="moot_1") == ["free"]
    assert await names(after=(await store.steps.read("abc", "turn")).number, limit=1) == ["said"]


async def test_a_deliberation_that_has_ended_waits_for_no_step(store):
    await with_steps(store, "abc", invitation("turn"))
    async with store.hold("abc") as hold:
        await hold.set_status("complete")

    assert await store.steps.waiting(unlabelled="board") == []
