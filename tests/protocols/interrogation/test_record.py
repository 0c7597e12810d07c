"""An interrogation goes on where it was, gives the same bytes again, and whatever order replies come in."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from moot import ask_sync
from moot.core.budget import Budget
from moot.core.canonical import canonical
from moot.service.opening import open_service
from moot.testing import no_network, scripted
from tests.protocols.interrogation.kit import (
    ASKED,
    CONTRADICTED,
    CONTRADICTING,
    DOCUMENTS,
    IS_KESTREL,
    LEFT,
    LOUD,
    QUIET,
    TALK,
    TOLD_KESTREL,
    TOLD_OSPREY,
    answering,
    argument,
    course,
    states,
    step,
)

ON_STEPS = argument("Kestrel", IS_KESTREL, step("a", QUIET, 1, 3), step("s", "The radio was silent all night."))
GRAPHS = {
    "reply": answering([ON_STEPS, TALK, CONTRADICTING, ON_STEPS], {LOUD: "refuted"}, follows={QUIET: "no"}),
    "n": 4,
    "k": 9,
    "budget": Budget(calls=60),
}
TOLD: dict[str, Any] = {
    "reply": answering([TOLD_KESTREL, TOLD_OSPREY, "no answer", states("Kestrel", "It was towed.", LEFT)]),
    "form": "both",
    "verify": "always",
    "stop": "lead",
    "budget": Budget(calls=60),
}
SCENES = pytest.mark.parametrize("scene", [GRAPHS, TOLD], ids=["graph", "free text"])


@SCENES
def test_a_replay_gives_the_same_bytes_and_asks_nobody(scene) -> None:
    made = course(**scene)
    made.run()
    sent = made.desk.calls

    assert made.replayed().events == len(made.disk.texts)
    assert made.desk.calls == sent


@SCENES
def test_a_run_that_is_killed_anywhere_goes_on_to_the_same_verdict(scene) -> None:
    verdict = course(**scene).run()
    points = course(**scene).points()

    for kill in range(0, len(points), 3):
        resumed = course(**scene)

        assert resumed.run(kill) == verdict
        assert resumed.repeated == []
        assert resumed.replayed().events == len(resumed.disk.texts)
    assert all(any(kind in name for name in points) for kind in ("run/", "verify/"))


@SCENES
@settings(max_examples=15, deadline=None)
@for_all(order=st.integers(0, 10_000))
def test_the_order_in_which_replies_come_changes_nothing(scene, order: int) -> None:
    first, second = course(**scene), course(**scene)
    second.desk = type(second.desk)(order=order)

    first.run()
    second.run()

    assert first.disk.texts == second.disk.texts


def test_several_replies_to_one_request_are_the_same_runs() -> None:
    one, many = course(**TOLD), course(**TOLD)
    many.desk = type(many.desk)(at_once=4)

    assert (one.run().answer, one.desk.calls) == (many.run().answer, many.desk.calls)
    assert many.replayed().events == len(many.disk.texts)


def test_a_replay_through_the_store_is_the_same_too(tmp_path: Path) -> None:
    member = scripted(answering([CONTRADICTED, TALK, CONTRADICTING, CONTRADICTED], {LOUD: "refuted"}))
    environ = {"MOOT_HOME": str(tmp_path)}
    with no_network(loopback=False):
        result = ask_sync(
            ASKED,
            documents=DOCUMENTS,
            protocol="interrogation",
            members=["scripted:a"],
            models={"scripted:a": member},
            settings={"n": 4},
            environ=environ,
        )

    async def again():
        async with open_service(environ) as service:
            return await service.replay(result.id)

    assert asyncio.run(again()).events == len(result.record.events)
    assert json.loads(canonical(result.json()))["detail"]["support_width"] == 2
