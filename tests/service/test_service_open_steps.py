"""Open steps seen from outside: a run that waits says for what, and goes on when somebody has filled it."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from moot.core.errors import BadAgentName, BadSubmission, OneAnswerPerAgent
from moot.core.question import Question
from moot.core.verdict import Status
from moot.service.open_steps import OpenSteps
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.testing import scripted
from tests.runtime.protocol import TRIAL, Review, good

ROW = replace(TRIAL, submissions=(Review,))


def told(tmp_path: Path, scene):
    """Run a scene with a service whose panel of two always answers well, up to the first open step."""

    async def run():
        models = {f"scripted:{name}": scripted(lambda request: good(request, 1)) for name in "ab"}
        environ = {"MOOT_HOME": str(tmp_path)}
        async with open_service(environ, models=models, protocols=lambda _: ROW) as service:
            order = Order(Question(text="Is it so?"), protocol="trial", members=tuple(models))
            return await scene(service, await service.ask(order))

    return asyncio.run(run())


def test_a_paused_run_says_what_it_waits_for_to_whoever_looks(tmp_path: Path) -> None:
    async def scene(service, paused):
        return paused, await service.show(paused.id)

    paused, shown = told(tmp_path, scene)

    assert shown.status is Status.PAUSED
    assert "review:person" in [step.step for step in shown.waiting]
    assert shown.waiting == paused.waiting


def test_a_run_goes_on_when_a_person_has_filled_its_step(tmp_path: Path) -> None:
    async def scene(service, paused):
        await service.store.steps.take(paused.id, "review:person", "Ada")
        await service.submit(paused.id, "review:person", "Ada", {"grade": 5, "remark": "sound"})
        return await service.resume(paused.id)

    result = told(tmp_path, scene)

    assert result.status is Status.COMPLETE
    assert ["Ada", 5] in result.json()["detail"]["grades"]
    assert result.waiting == ()


def test_a_submission_of_the_wrong_shape_is_refused_and_the_step_stays_taken(tmp_path: Path) -> None:
    async def scene(service, paused):
        await service.store.steps.take(paused.id, "review:person", "Ada")
        with pytest.raises(BadSubmission, match="grade"):
            await service.submit(paused.id, "review:person", "Ada", {"grade": "very good"})
        return (await service.show(paused.id)).waiting

    waiting = told(tmp_path, scene)

    assert next(step for step in waiting if step.step == "review:person").agent == "Ada"


def test_nobody_takes_two_steps_of_a_group_or_the_name_of_the_house(tmp_path: Path) -> None:
    async def scene(service, paused):
        await service.store.steps.take(paused.id, "review:person", "Ada")
        with pytest.raises(OneAnswerPerAgent):
            await service.store.steps.take(paused.id, "review:spare", "Ada")
        steps = OpenSteps(service)
        spare = await steps.find(paused.id, "review:spare")
        for name in ("house/m1", " ", "a\x1bb", "x" * 101):
            with pytest.raises(BadAgentName):
                await steps.take(spare, name)

    told(tmp_path, scene)


def test_a_misspelt_field_of_a_submission_is_named(tmp_path: Path) -> None:
    async def scene(service, paused):
        await service.store.steps.take(paused.id, "review:person", "Ada")
        with pytest.raises(BadSubmission, match="remarks"):
            await service.submit(paused.id, "review:person", "Ada", {"grade": 1, "remarks": "?"})

    told(tmp_path, scene)


def test_a_run_advances_only_when_nothing_waits_any_more(tmp_path: Path) -> None:
    async def scene(service, paused):
        await service.store.steps.take(paused.id, "review:person", "Ada")
        await service.resume_if_due(paused.id)
        before = (await service.show(paused.id)).status
        await service.submit(paused.id, "review:person", "Ada", {"grade": 5})
        await service.resume_if_due(paused.id)
        await service.resume_if_due(paused.id)
        return before, (await service.show(paused.id)).status

    assert told(tmp_path, scene) == (Status.PAUSED, Status.COMPLETE)


def test_whoever_fills_the_last_step_while_the_run_is_held_need_not_come_again(tmp_path: Path) -> None:
    async def scene(service, paused):
        store = service.store
        hold = store.hold

        @asynccontextmanager
        async def held_while_ada_submits(deliberation):
            async with hold(deliberation) as held:
                yield held
                store.hold = hold
                for step in await store.steps.search(deliberation=deliberation, state="open"):
                    await store.steps.take(deliberation, step.step, f"Ada {step.step}")
                    await service.submit(deliberation, step.step, f"Ada {step.step}", {"grade": 5})
                await service.resume_if_due(deliberation)

        store.hold = held_while_ada_submits
        return await service.resume(paused.id)

    assert told(tmp_path, scene).status is Status.COMPLETE
