"""A deliberation that is started by one call and run by another, as a server does it."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from moot.core.errors import AlreadyEnded, AlreadyRunning, ForkChangesHistory
from moot.core.question import Question
from moot.core.verdict import Status
from moot.runtime.dispatch import Stopped
from moot.service.opening import open_service
from moot.service.orders import Fork, Order
from moot.testing import scripted
from tests.runtime.protocol import TRIAL, Review, good

ROW = replace(TRIAL, submissions=(Review,))


def told(tmp_path: Path, scene):
    """Run a scene with a service whose panel of two always answers well, and the plan of a run without reviews."""

    async def run():
        members = {f"scripted:{name}": scripted(lambda request: good(request, 1)) for name in "ab"}
        async with open_service({"MOOT_HOME": str(tmp_path)}, models=members, protocols=lambda _: ROW) as service:
            order = Order(Question(text="Is it so?"), members=tuple(members), settings={"reviewed": False})
            return await scene(service, await service.planner.plan(order), members["scripted:a"])

    return asyncio.run(run())


def test_what_has_begun_is_there_and_nothing_has_been_sent(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        return await service.show(await service.start(plan)), member.requests

    shown, sent = told(tmp_path, scene)

    assert (shown.status, shown.record.header.question.text) == (Status.RUNNING, "Is it so?")
    assert sent == []


def test_what_has_begun_comes_to_its_end_when_it_is_gone_on_with_and_then_no_more(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        id_ = await service.start(plan)
        result = await service.run(id_)
        with pytest.raises(AlreadyEnded):
            await service.run(id_)
        return result

    assert told(tmp_path, scene).status is Status.COMPLETE


def test_what_somebody_else_is_at_is_refused_and_sends_nothing(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        id_ = await service.start(plan)
        async with service.store.hold(id_):
            with pytest.raises(AlreadyRunning):
                await service.run(id_)
            resumed = await service.resume_if_due(id_)
        return resumed, member.requests

    assert told(tmp_path, scene) == (False, [])


def test_a_fork_that_has_begun_has_sent_nothing_and_then_goes_its_own_way(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        parent = await service.ask(plan)
        before = len(member.requests)
        child = await service.start_fork(parent.id, Fork("last", settings={"last_words": "Be brief."}))
        unsent = len(member.requests) == before
        return parent, unsent, await service.run(child), member.requests[before:]

    parent, unsent, forked, sent = told(tmp_path, scene)

    assert unsent
    assert [request.step for request in sent] == ["last"]
    assert (forked.status, forked.record.header.parent.id) == (Status.COMPLETE, parent.id)


def test_a_run_that_is_to_stop_sends_nothing_more_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        id_ = await service.start(plan)
        with pytest.raises(Stopped):
            await service.run(id_, stopping=lambda: bool(member.requests))
        stopped = await service.show(id_), [request.step for request in member.requests]
        return stopped, await service.run(id_), [request.step for request in member.requests]

    (stopped, before), result, after = told(tmp_path, scene)

    assert (stopped.status, before) == (Status.RUNNING, ["first:m1"])
    assert (result.status, after) == (Status.COMPLETE, ["first:m1", "last"])
    assert result.spent.calls == 3


def test_a_fork_that_would_change_what_was_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async def scene(service, plan, member):
        parent = await service.ask(plan)
        with pytest.raises(ForkChangesHistory):
            await service.fork(parent.id, Fork("last", settings={"wording": "Really?"}))
        return parent.id, [row.id for row in await service.store.deliberations.newest()]

    parent, there = told(tmp_path, scene)

    assert there == [parent]
