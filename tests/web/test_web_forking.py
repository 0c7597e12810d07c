"""Forks over HTTP: checked like questions, and within the limits of what they come from. Ids of others stay theirs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.question import Question
from moot.service.orders import Order
from moot.testing import scripted
from tests.web.kit import MEMBER, SURE, Site, at_site, environ, one_member
from tests.web.test_web_deliberations import asked

HIDDEN = "scripted:hidden"


async def forked(site: Site, id_: str, as_: str = "agent", **changed: Any) -> Any:
    return await site.post(f"/deliberations/{id_}/fork", {"at": "answer", **changed}, as_)


async def at_the_command_line(site: Site, member: str) -> str:
    """Ask a member that the server does not offer, as whoever runs the server may."""
    order = Order(Question(text="Is 97 a prime number?"), "single", (member,), seed=1)
    return (await site.serving.service.ask(order)).id


@pytest.mark.parametrize("as_", ["reviewer", "admin"])
def test_a_fork_does_not_call_a_member_of_its_parent_that_is_not_offered(tmp_path: Path, as_: str) -> None:
    async def scene(site):
        id_ = await at_the_command_line(site, HIDDEN)
        kept = await forked(site, id_, as_)
        page = await site.page(f"/d/{id_}/fork", as_, form={"at": "answer"})
        other = await forked(site, id_, as_, members=[MEMBER])
        return kept.json()["code"], page.status_code, other.status_code

    models = {**one_member(), HIDDEN: scripted(lambda request: SURE)}
    assert at_site(tmp_path, scene, models=models) == ("member_not_allowed", 422, 201)


def test_a_fork_keeps_the_servers_own_members_though_no_caller_may_name_them(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        await site.ended(id_)
        return (await forked(site, id_)).status_code

    assert at_site(tmp_path, scene, environ_=environ(tmp_path, serve_members="")) == 201


def test_a_fork_and_what_it_comes_from_share_one_limit(tmp_path: Path) -> None:
    async def scene(site):
        budgets, id_ = [], await asked(site)
        await site.ended(id_)
        while (answer := await forked(site, id_)).status_code == 201:
            id_ = answer.json()["id"]
            budgets.append((await site.serving.store.deliberations.header(id_)).budget.calls)
            await site.ended(id_)
        return budgets, answer

    budgets, refused = at_site(tmp_path, scene, environ_=environ(tmp_path, serve_calls="3"))

    assert budgets == [2, 1]
    assert (refused.status_code, refused.json()["code"]) == (403, "used_up")


class Gate:
    """Somebody who answers so many times, and then only when let."""

    def __init__(self, open_for: int) -> None:
        self.asked = 0
        self._open_for = open_for
        self.reached, self.let = asyncio.Event(), asyncio.Event()

    async def say(self, request: Any) -> str:
        self.asked += 1
        if self.asked > self._open_for:
            self.reached.set()
            await self.let.wait()
        # Where nobody agrees, a spiral asks again.
        return SURE.replace("97 is prime", f"it is {'no' * self.asked}")

    async def stopped(self, site: Site) -> str:
        """Begin what is stopped while its fourth call is under way."""
        id_ = await asked(site, protocol="spiral", members=[f"{MEMBER}*2"])
        await self.reached.wait()
        await site.post(f"/deliberations/{id_}/cancel", as_="agent")
        self.let.set()
        return id_

    def options(self, tmp_path: Path) -> dict[str, Any]:
        return {"models": {MEMBER: scripted(self.say)}, "environ_": environ(tmp_path, serve_calls="6")}


async def budget_of(site: Site, answer: Any) -> int | None:
    assert answer.status_code == 201, answer.text
    return (await site.serving.store.deliberations.header(answer.json()["id"])).budget.calls


async def first_step(site: Site, id_: str) -> str:
    journaled = await site.serving.store.journals.read(id_)
    return journaled.attempts[0].step


@pytest.mark.parametrize("by_page", [False, True], ids=["over HTTP", "from its page"])
def test_a_stopped_parent_is_not_resumed_beyond_what_its_fork_has_left(tmp_path: Path, by_page: bool) -> None:
    gate = Gate(3)

    async def scene(site):
        id_ = await gate.stopped(site)
        fork = await forked(site, id_, at=await first_step(site, id_))
        budget = await budget_of(site, fork)
        early = await site.post(f"/deliberations/{id_}/resume", as_="agent")
        await site.ended(fork.json()["id"])
        if by_page:
            return budget, early, (await site.page(f"/d/{id_}/resume", "agent", form={})).status_code
        late = await site.post(f"/deliberations/{id_}/resume", as_="agent")
        await site.serving.runs.finished(id_)
        return budget, early, late.status_code

    budget, early, late = at_site(tmp_path, scene, **gate.options(tmp_path))

    assert (budget, early.json()["code"], late) == (2, "used_up", 403)
    assert gate.asked == 6


def test_a_stopped_parent_without_forks_goes_on_within_its_own_limit(tmp_path: Path) -> None:
    gate = Gate(3)

    async def scene(site):
        id_ = await gate.stopped(site)
        resumed = await site.post(f"/deliberations/{id_}/resume", as_="agent")
        await site.ended(id_)
        return resumed.status_code

    assert at_site(tmp_path, scene, **gate.options(tmp_path)) == 202
    assert gate.asked == 6


def test_forks_that_are_begun_at_once_share_what_is_left(tmp_path: Path) -> None:
    gate = Gate(3)

    async def scene(site):
        id_ = await gate.stopped(site)
        step = await first_step(site, id_)
        answers = await asyncio.gather(*(forked(site, id_, at=step, seed=seed) for seed in range(3)))
        for answer in answers:
            if answer.status_code == 201:
                await site.ended(answer.json()["id"])
        return sorted((answer.status_code, answer.json().get("code")) for answer in answers)

    answers = at_site(tmp_path, scene, **gate.options(tmp_path))

    assert answers == [(201, None), (403, "used_up"), (403, "used_up")]
    assert gate.asked == 6


def test_what_a_running_parent_may_still_spend_is_not_its_forks(tmp_path: Path) -> None:
    gate = Gate(0)

    async def scene(site):
        id_ = await asked(site, protocol="spiral", members=[f"{MEMBER}*2"])
        await gate.reached.wait()
        early = await forked(site, id_, at=await first_step(site, id_))
        gate.let.set()
        await site.ended(id_)
        return early.json().get("code")

    assert at_site(tmp_path, scene, **gate.options(tmp_path)) == "used_up"


def test_a_fork_from_where_its_stopped_parent_stands_has_what_is_left(tmp_path: Path) -> None:
    gate = Gate(3)

    async def scene(site):
        id_ = await gate.stopped(site)
        further = await forked(site, id_, at="")
        await site.ended(further.json()["id"])
        return await budget_of(site, further)

    assert at_site(tmp_path, scene, **gate.options(tmp_path)) == 6
    assert gate.asked == 6


def test_a_fork_may_not_ask_for_more_than_its_parent_has_left(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        await site.ended(id_)
        answers = [await forked(site, id_, budget={"calls": calls}) for calls in (6, 5)]
        by_admin = await forked(site, id_, "admin", budget={"calls": 60})
        return [answer.status_code for answer in (*answers, by_admin)]

    assert at_site(tmp_path, scene) == [403, 201, 201]


def test_a_fork_by_somebody_else_has_no_more_than_a_question_would(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, "admin", budget={"calls": 50})
        await site.ended(id_)
        answer = await forked(site, id_, "reviewer")
        return (await site.serving.store.deliberations.header(answer.json()["id"])).budget

    assert at_site(tmp_path, scene) == Budget(calls=5)


def test_the_start_of_anothers_id_finds_nothing_and_names_nothing(tmp_path: Path) -> None:
    async def scene(site):
        own, others = await asked(site), [await asked(site, "admin", seed=seed) for seed in range(40)]
        starts = {other[:1] for other in others} | {other[:4] for other in others}
        paths = ("/deliberations/{}", "/claims/{}", "/deliberations/{}/open-steps", "/deliberations/{}/journal")
        answers = [
            await site.get(path.format(start), "agent")
            for start in sorted(starts - {own[:1], own[:4]})
            for path in paths
        ]
        whole = await site.get(f"/deliberations/{others[0]}", "agent")
        mine = await site.get(f"/deliberations/{own[:6]}", "agent")
        return others, answers, whole, mine

    others, answers, whole, mine = at_site(tmp_path, scene)

    assert answers and {answer.status_code for answer in answers} == {404}
    assert not [answer for answer in answers for other in others if other in answer.text]
    assert (whole.status_code, whole.json()["code"], mine.status_code) == (403, "not_yours", 200)


def test_reviewers_find_a_deliberation_by_the_start_of_its_id(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, "admin")
        return (await site.get(f"/deliberations/{id_[:6]}", "reviewer")).status_code

    assert at_site(tmp_path, scene) == 200
