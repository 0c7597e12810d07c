"""Many agents who ask at once are shown different slots, and none is hidden for long."""

from moot.core.ports import OpenStep
from moot.web.api.assignments import RIVALS, SECONDS, Offers
from tests.runtime.memory import SettableClock


def slots(count: int) -> list[OpenStep]:
    return [OpenStep("claim", f"L1.1/work/{number}", number, "L1.1", "x", "x", {}, "X") for number in range(count)]


def test_agents_who_ask_at_once_are_shown_different_slots_oldest_first() -> None:
    offers, there = Offers(SettableClock()), slots(3)

    shown = [offers.choose(f"agent {number}", there) for number in range(3)]

    assert shown == there


def test_the_same_agent_is_shown_the_same_slot_again() -> None:
    offers, there = Offers(SettableClock()), slots(3)

    assert [offers.choose("ada", there) for _ in range(5)] == [there[0]] * 5


def test_one_slot_is_shown_to_a_few_at_once_and_then_to_nobody_for_a_moment() -> None:
    clock = SettableClock()
    offers, there = Offers(clock), slots(1)

    shown = [offers.choose(f"agent {number}", there) for number in range(RIVALS + 1)]
    clock.steady += SECONDS

    assert shown == [there[0]] * RIVALS + [None]
    assert offers.choose("late", there) == there[0]


def test_where_nothing_is_open_nothing_is_shown() -> None:
    assert Offers(SettableClock()).choose("ada", []) is None
