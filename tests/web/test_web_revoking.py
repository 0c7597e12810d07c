"""A key that is revoked reads nothing more, spends nothing more and holds nothing more, at every server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from moot.core.ports import Model
from moot.testing import scripted
from moot.web.api.bodies.addresses import slot_id
from tests.web.kit import MEMBER, SURE, Site, at_site, environ, site
from tests.web.test_web_board import new_claim
from tests.web.test_web_deliberations import asked


class Member:
    """Somebody who answers once they are let."""

    def __init__(self) -> None:
        self.asked = 0
        self.reached, self.let = asyncio.Event(), asyncio.Event()

    async def say(self, request: Any) -> str:
        self.asked += 1
        self.reached.set()
        await self.let.wait()
        return SURE

    def models(self) -> dict[str, Model]:
        return {MEMBER: scripted(self.say)}


async def prefix_of(here: Site, who: str) -> str:
    key = await here.serving.keys.find(here.keys[who])
    assert key
    return key.prefix


async def streaming(here: Site, id_: str, who: str) -> asyncio.Task[Any]:
    """Begin to listen to a deliberation, and return once the server knows of it."""
    before = here.serving.watch.streams
    listening = asyncio.ensure_future(here.get(f"/deliberations/{id_}/events", who))
    while here.serving.watch.streams == before:  # noqa: ASYNC110 (a server says to nobody that it has begun)
        await asyncio.sleep(0)
    return listening


@pytest.mark.parametrize("where", ["at this server", "at another"])
def test_revoking_a_key_ends_its_streams_and_stops_its_runs_and_no_other(tmp_path: Path, where: str) -> None:
    member = Member()

    async def scene(here: Site) -> Any:
        async with site(tmp_path, models=member.models()) as there:
            own, others = await asked(here, "agent"), await asked(here, "reviewer", seed=2)
            await member.reached.wait()
            cut, kept = await streaming(here, others, "reviewer"), await streaming(here, others, "admin")
            reached = here if where == "at this server" else there
            for who in ("agent", "reviewer"):
                deleted = await reached.call("DELETE", f"/agents/{await prefix_of(here, who)}")
                assert deleted.status_code == 200
            heard = await cut
            await here.serving.runs.finished(own)
            await here.serving.runs.finished(others)
            asked_before = member.asked
            member.let.set()
            resumed = await here.post(f"/deliberations/{others}/resume")
            ended = await here.ended(others)
            return heard, (await kept).text, asked_before, resumed.status_code, ended, await here.ended(own)

    heard, told, asked_before, resumed, ended, left = at_site(tmp_path, scene, models=member.models())

    assert heard.status_code == 200 and "event: end" not in heard.text
    assert "event: end" in told
    assert (asked_before, member.asked) == (2, 3)
    assert (resumed, ended["status"]) == (202, "complete")
    assert (left["status"], left["here"], left["stalled"]) == ("running", None, True)


def test_a_server_that_starts_leaves_alone_what_was_run_for_a_revoked_key(tmp_path: Path) -> None:
    member = Member()

    async def scene(here: Site) -> str:
        id_ = await asked(here)
        await member.reached.wait()
        await here.call("DELETE", f"/agents/{await prefix_of(here, 'agent')}")
        return id_

    async def later(here: Site) -> str | None:
        return (await here.serving.runs.standing(id_)).state

    id_ = at_site(tmp_path, scene, models=member.models())

    assert at_site(tmp_path, later, models=member.models()) is None
    assert member.asked == 1


def test_a_run_that_waits_for_its_turn_when_its_key_is_revoked_is_never_begun(tmp_path: Path) -> None:
    member = Member()

    async def scene(here: Site) -> str | None:
        first = await asked(here, "admin")
        await member.reached.wait()
        second = await asked(here, "agent")
        await here.call("DELETE", f"/agents/{await prefix_of(here, 'agent')}")
        member.let.set()
        await here.serving.runs.finished(first)
        await here.serving.runs.finished(second)
        return (await here.serving.runs.standing(second)).state

    one_at_once = environ(tmp_path, serve_runs="1")
    assert at_site(tmp_path, scene, models=member.models(), environ_=one_at_once) is None
    assert member.asked == 1


def test_a_stream_that_is_opened_while_its_key_is_revoked_ends(tmp_path: Path) -> None:
    member = Member()

    async def scene(here: Site) -> int:
        id_ = await asked(here, "admin")
        heard = here.serving.watch.subscribe(id_, reader="moot_gone")
        here.serving.watch.close_streams_of("moot_other")
        before = here.serving.watch.streams
        here.serving.watch.close_streams_of("moot_gone")
        with pytest.raises(StopAsyncIteration):
            await anext(heard)
        return before

    assert at_site(tmp_path, scene, models=member.models()) == 1


def test_revoking_a_key_frees_its_slots_and_no_others(tmp_path: Path) -> None:
    async def scene(here: Site) -> Any:
        await here.agent("ada")
        for who in ("agent", "ada"):
            id_ = await new_claim(here)
            [slot] = await here.serving.board.next_slots(who, 1, claim=id_)
            path = f"/claims/{id_}/stage-slots/{slot_id(slot.step)}"
            assert (await here.post(f"{path}/take", {"lease": 3600}, who)).status_code == 200
        await here.call("DELETE", f"/agents/{await prefix_of(here, 'agent')}")
        held = await here.serving.store.steps.search(state="taken")
        return [step.agent for step in held], (await here.post(f"{path}/take", as_="admin")).status_code

    assert at_site(tmp_path, scene) == (["ada"], 409)


def test_what_a_request_under_way_takes_after_the_revocation_is_freed_at_the_next_look(tmp_path: Path) -> None:
    async def scene(here: Site) -> Any:
        id_ = await new_claim(here)
        prefix = await prefix_of(here, "agent")
        await here.serving.keys.revoke(prefix)
        [slot, *_] = await here.serving.board.next_slots("agent", 1)
        await here.serving.board.take(id_, slot.step, "agent")
        await here.serving.revocations.look()
        return await here.serving.store.steps.search(deliberation=id_, state="taken")

    assert at_site(tmp_path, scene) == []


def test_an_admin_may_release_any_slot_and_nobody_else_may(tmp_path: Path) -> None:
    async def scene(here: Site) -> Any:
        await here.agent("ada")
        await new_claim(here)
        slot = (await here.get("/jobs/work", "agent")).json()
        path = f"/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
        await here.post(f"{path}/take", as_="agent")
        by_another = await here.post(f"{path}/release", as_="ada")
        by_admin = await here.post(f"{path}/release", as_="admin")
        again = await here.post(f"{path}/take", as_="ada")
        return by_another.json()["code"], by_admin.status_code, again.status_code

    assert at_site(tmp_path, scene) == ("not_your_step", 204, 200)


@pytest.mark.parametrize(("lease", "status"), [(3600, 200), (3600.1, 422), (86_400, 422)])
def test_a_lease_is_an_hour_at_most(tmp_path: Path, lease: float, status: int) -> None:
    async def scene(here: Site) -> Any:
        await new_claim(here)
        slot = (await here.get("/jobs/work", "agent")).json()
        path = f"/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
        return (await here.post(f"{path}/take", {"lease": lease}, "agent")).status_code

    assert at_site(tmp_path, scene) == status
