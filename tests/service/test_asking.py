"""Before anybody is asked: what an order would come to, every refusal at its field, and what is offered."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.errors import OverBudget
from moot.core.question import Question
from moot.service.asking import AskingLimits, check_members, plan_order, within_limits
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.service.reading.offers import read_offers
from moot.service.service import Service
from moot.testing import no_network, scripted

MEMBER = "scripted:a"
LIMITS = AskingLimits((MEMBER,), calls=20, usd=1.0)


def served(tmp_path: Path, use: Callable[[Service], Awaitable[Any]]) -> Any:
    async def within():
        models = {MEMBER: scripted(["never asked"])}
        async with open_service({"MOOT_HOME": str(tmp_path), "MOOT_MEMBERS": MEMBER}, models=models) as service:
            return await use(service)

    with no_network(loopback=False):
        return asyncio.run(within())


def test_a_plan_says_who_is_asked_why_and_what_it_takes_and_stores_nothing(tmp_path: Path) -> None:
    async def use(service: Service):
        planned = await plan_order(service, Order(Question(text="Is 97 prime?"), "spiral"), LIMITS)
        return planned, await service.store.deliberations.newest()

    planned, stored = served(tmp_path, use)

    plan = planned.plan
    assert planned.refusals == () and stored == []
    assert [member.model for member in plan.panel] == [MEMBER] * 3 and "MOOT_MEMBERS" in plan.why
    assert plan.budget.calls == 20 and plan.expected.calls > 0
    told = planned.json()
    assert told["refusals"] == [] and told["expected"]["tokens_in"] == plan.expected.tokens_in and "usd" in told


def test_every_refusal_is_told_at_once_each_at_its_field(tmp_path: Path) -> None:
    order = Order(
        Question(text="  "),
        "debate",
        (MEMBER, "openai:x", "nonsense"),
        {"rounds": "many", "rouns": 2},
        Budget(calls=1000, usd=5.0),
    )

    planned = served(tmp_path, lambda service: plan_order(service, order, LIMITS))

    assert planned.plan is None
    assert [(refusal.field, refusal.code) for refusal in planned.refusals] == [
        ("question", "empty_question"),
        ("members.1", "member_not_allowed"),
        ("members.2", "bad_member"),
        ("settings.rounds", "bad_setting"),
        ("settings.rouns", "bad_setting"),
        ("budget.calls", "over_budget"),
        ("budget.usd", "over_budget"),
    ]
    assert "did you mean rounds" in planned.refusals[4].problem


@pytest.mark.parametrize(
    ("order", "field"),
    [
        (Order(Question(text="x"), "debat"), "protocol"),
        (Order(Question(text="x"), "spiral", (f"{MEMBER}*25",)), "members"),
        (Order(Question(text="x"), "spiral", settings={"loops": -1}), "settings.loops"),
    ],
)
def test_a_refusal_names_the_field_that_is_to_be_changed(tmp_path: Path, order: Order, field: str) -> None:
    planned = served(tmp_path, lambda service: plan_order(service, order, LIMITS))

    assert [refusal.field for refusal in planned.refusals] == [field]


def test_only_a_free_caller_goes_beyond_a_protocols_budget_and_nobody_beyond_the_servers() -> None:
    own, free = Budget(calls=10), AskingLimits((), calls=20, is_free=True)

    assert within_limits(Budget(), own, LIMITS) == Budget(calls=10, usd=1.0)
    assert within_limits(Budget(calls=15), own, free).calls == 15
    for asked, limits in ((15, LIMITS), (21, free)):
        with pytest.raises(OverBudget):
            within_limits(Budget(calls=asked), own, limits)
    with pytest.raises(OverBudget):
        check_members([f"{MEMBER}*25"], LIMITS)


def test_offers_tell_protocols_with_their_settings_members_and_limits(tmp_path: Path) -> None:
    offers = served(tmp_path, lambda service: read_offers(service, LIMITS, ("agent",)))

    protocols = {one.name: one for one in offers.protocols}
    assert {"single", "vote", "spiral", "interrogation", "debate", "coherence", "prism"} <= set(protocols)
    assert "rounds" in protocols["debate"].settings["properties"] and protocols["debate"].asks_people
    assert protocols["spiral"].fewest == 2 and "agreement" in protocols["spiral"].confidence
    assert protocols["coherence"].basis is None and all(one.confidence for one in offers.protocols)
    assert [(one.spec, one.problem) for one in offers.members] == [(MEMBER, "")]
    assert offers.usual_members == (MEMBER,) and offers.json()["limits"]["calls"] == 20
