"""A deliberation whose protocol is not in this install: it is read as ever, and nothing is made of it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import PluginBroken, ProtocolNotInstalled
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.verdict import Status
from moot.service.contests import contest_lines
from moot.service.open_steps import OpenSteps
from moot.service.opening import open_service
from moot.service.orders import Fork, Order
from moot.service.protocol_part import protocol_part
from moot.service.service import Format, Service
from tests.service.council import ANSWER, FILE, PREMISE, REPORT, with_council

ABSENCE = "its protocol council is not installed here: shown without its report"


def at(folder: Path, use: Callable[[Service], Awaitable[Any]], **options: Any) -> Any:
    """Return what is made of a service, which finds Moot's own protocols where nothing else is said."""

    async def within() -> Any:
        async with open_service({"MOOT_HOME": str(folder), "MOOT_CONFIG": "none"}, **options) as service:
            return await use(service)

    return asyncio.run(within())


def stored(folder: Path, **settings: Any) -> str:
    """Return the id of a deliberation that was run where its protocol was installed."""
    order = Order(Question(text="Does the vote count?"), "council", settings=settings)
    return at(folder, lambda service: service.ask(order), protocols=with_council).id


def test_it_is_shown_with_its_answer_and_a_line_for_the_report(tmp_path: Path) -> None:
    id_ = stored(tmp_path)

    async def shown(service: Service) -> tuple[Any, str]:
        shown = await service.show(id_)
        return shown, protocol_part(shown.record, service.find_protocol).report

    here, line = at(tmp_path, shown)
    there, report = at(tmp_path, shown, protocols=with_council)

    assert (here.answer, here.status) == (ANSWER, Status.COMPLETE)
    assert here == there
    assert (line, report) == (ABSENCE, REPORT)


@pytest.mark.parametrize("form", ["md", "html", "files"])
def test_it_is_exported_with_a_line_in_the_place_of_its_report_and_without_its_own_files(
    form: Format, tmp_path: Path
) -> None:
    id_ = stored(tmp_path)

    here = at(tmp_path, lambda service: service.export(id_, form))
    there = at(tmp_path, lambda service: service.export(id_, form), protocols=with_council)

    assert sum(ABSENCE in text for text in here.values()) == 1
    assert any(ANSWER in text for text in here.values())
    assert not any(ABSENCE in text for text in there.values())
    assert set(there) - set(here) == ({FILE} if form == "files" else set())


def test_its_json_export_lacks_nothing(tmp_path: Path) -> None:
    id_ = stored(tmp_path)

    here = at(tmp_path, lambda service: service.export(id_, "json"))
    there = at(tmp_path, lambda service: service.export(id_, "json"), protocols=with_council)

    assert here == there
    assert json.loads(here[f"{id_}.json"])["result"]["answer"] == ANSWER


def test_it_is_contested(tmp_path: Path) -> None:
    id_ = stored(tmp_path)

    async def contested(service: Service) -> tuple[Any, Any]:
        contest = await service.contest(id_, PREMISE, author="Ada", reason="half of them were away")
        return contest, await contest_lines(service.store, await service.show(id_))

    contest, lines = at(tmp_path, contested)

    assert (contest.before.answer, contest.after.answer) == (ANSWER, None)
    assert lines == [f"Ada: {PREMISE} (half of them were away)", "with that, no answer stands"]


GOING_ON: dict[str, Callable[[Service, str], Awaitable[Any]]] = {
    "resume": lambda service, id_: service.resume(id_),
    "run": lambda service, id_: service.run(id_),
    "replay": lambda service, id_: service.replay(id_),
    "fork": lambda service, id_: service.fork(id_, Fork("turn 0")),
    "start_fork": lambda service, id_: service.start_fork(id_, Fork("turn 0")),
    "submit": lambda service, id_: service.submit(id_, "turn 0", "Ada", {"text": "Aye."}),
}


@pytest.mark.parametrize("name", GOING_ON)
def test_whatever_would_make_something_of_it_is_refused_by_name_with_the_way_out(name: str, tmp_path: Path) -> None:
    id_ = stored(tmp_path, people=1)

    async def refused(service: Service) -> tuple[str, Any, list[str]]:
        with pytest.raises(ProtocolNotInstalled) as error:
            await GOING_ON[name](service, id_)
        return str(error.value), await service.show(id_), [row.id for row in await rows(service)]

    message, shown, ids = at(tmp_path, refused)

    assert f"deliberation {id_} was made by the protocol council, which is not installed here" in message
    assert f"`moot show {id_}`" in message
    assert (shown.status, [step.state for step in shown.waiting], ids) == (Status.PAUSED, ["open"], [id_])


async def rows(service: Service) -> list[Any]:
    return await service.store.deliberations.newest()


def test_its_open_steps_are_listed_and_can_not_be_taken(tmp_path: Path) -> None:
    id_ = stored(tmp_path, people=1)

    async def taken(service: Service) -> list[str]:
        steps = OpenSteps(service)
        [waiting] = await steps.waiting(id_)
        with pytest.raises(ProtocolNotInstalled):
            await steps.take(waiting, "Ada")
        return [step.state for step in await steps.waiting(id_)]

    assert at(tmp_path, taken) == ["open"]


def test_with_its_protocol_back_it_goes_on_where_it_stood(tmp_path: Path) -> None:
    id_ = stored(tmp_path, people=1)

    async def filled(service: Service) -> Any:
        steps = OpenSteps(service)
        [waiting] = await steps.waiting(id_)
        await steps.take(waiting, "Ada")
        await steps.fill(waiting, "Ada", {"text": "Aye."})
        return await service.show(id_)

    assert at(tmp_path, filled, protocols=with_council).answer == ANSWER


def test_of_a_protocol_that_is_installed_and_broken_the_line_says_that_it_cannot_be_used(tmp_path: Path) -> None:
    def broken(name: str) -> ProtocolSpec:
        raise PluginBroken(what="protocol", name=name, origin="moot-council 1.0", problem="it cannot be imported")

    id_ = stored(tmp_path)

    texts = at(tmp_path, lambda service: service.export(id_, "md"), protocols=broken)

    assert "its protocol council cannot be used here: shown without its report" in texts[f"{id_}.md"]
    with pytest.raises(PluginBroken, match="cannot be imported"):
        at(tmp_path, lambda service: service.replay(id_), protocols=broken)
