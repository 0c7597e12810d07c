"""Deliberations over HTTP: put, watched, stopped, gone on with, forked, contested, exported."""

from pathlib import Path
from typing import Any

import pytest

from moot.testing import scripted
from tests.web.kit import MEMBER, SURE, Site, at_site, environ

QUESTION = {"question": "Is 97 a prime number?", "protocol": "single"}


async def asked(site: Site, as_: str = "agent", **changed: Any) -> str:
    answer = await site.post("/deliberations", {**QUESTION, **changed}, as_)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/api/v1/deliberations/{answer.json()['id']}"
    return answer.json()["id"]


def test_a_question_is_answered_in_the_background_with_what_ask_prints(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        return await site.ended(id_)

    shown = at_site(tmp_path, scene)

    assert shown["status"] == "complete" and shown["answer"] == "97 is prime"
    assert shown["cost"]["calls"] == 1 and shown["cost"]["usd"] == 0
    assert shown["here"] is None and not shown["stalled"] and shown["question"] == QUESTION["question"]
    assert shown["confidence"]["basis"]


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"question": ""}, 422, "empty_question"),
        ({"protocol": "seance"}, 422, "unknown_protocol"),
        ({"settings": {"axioms": "/etc"}, "protocol": "spiral"}, 422, "bad_setting"),
        ({"members": ["http://127.0.0.1:1/v1#x"]}, 403, "member_not_allowed"),
        ({"budget": {"calls": 0}}, 422, "bad_request"),
        ({"budget": {"calls": 99_999}}, 403, "over_budget"),
        ({"budget": {"calls": "many"}}, 422, "bad_request"),
        ({"documents": [{"name": "a", "text": "b", "path": "/etc/passwd"}]}, 422, "bad_request"),
        ({"seed": -1}, 422, "bad_request"),
    ],
)
def test_an_order_that_cannot_be_is_refused_and_nothing_is_stored(
    tmp_path: Path, changed: dict[str, Any], status: int, code: str
) -> None:
    async def scene(site):
        answer = await site.post("/deliberations", {**QUESTION, **changed}, "agent")
        return answer.status_code, answer.json()["code"], await site.serving.store.deliberations.newest()

    assert at_site(tmp_path, scene) == (status, code, [])


def test_an_empty_question_is_told_in_the_words_of_a_program(tmp_path: Path) -> None:
    async def scene(site):
        empty = {**QUESTION, "question": " "}
        refused = await site.post("/deliberations", empty, "agent")
        planned = await site.post("/deliberations/plan", empty, "agent")
        return refused.json()["detail"], planned.json()["refusals"][0]["problem"]

    assert at_site(tmp_path, scene) == ("the question is empty; give it as `question`.",) * 2


def test_a_server_that_names_a_limit_lets_nobody_past_it(tmp_path: Path) -> None:
    async def scene(site):
        over = await site.post("/deliberations", {**QUESTION, "budget": {"calls": 3}}, "admin")
        id_ = await asked(site)
        return over.json()["code"], (await site.serving.store.deliberations.header(id_)).budget.calls

    assert at_site(tmp_path, scene, calls=2) == ("over_budget", 2)


def test_a_stopped_deliberation_keeps_what_it_has_and_goes_on_when_told(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, protocol="spiral", members=[f"{MEMBER}*3"])
        stopped = await site.post(f"/deliberations/{id_}/cancel", as_="agent")
        resumed = await site.post(f"/deliberations/{id_}/resume", as_="agent")
        shown = await site.ended(id_)
        again = await site.post(f"/deliberations/{id_}/resume", as_="agent")
        return stopped, resumed, shown, again

    stopped, resumed, shown, again = at_site(tmp_path, scene)

    assert stopped.status_code == 200 and stopped.json()["here"] is None
    assert resumed.status_code == 202
    assert shown["status"] not in ("running", "paused")
    assert (again.status_code, again.json()["code"]) == (409, "already_ended")


def test_what_was_stopped_is_told_so_and_not_as_left_by_a_crash(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, protocol="spiral", members=[f"{MEMBER}*3"])
        other = await asked(site, protocol="spiral", members=[f"{MEMBER}*3"])
        for each in (id_, other):
            await site.post(f"/deliberations/{each}/cancel", as_="agent")
        shown = (await site.get(f"/deliberations/{id_}")).json()
        pages = [(await site.page(path)).text for path in (f"/d/{id_}", "/", f"/compare?d={id_}&d={other}")]
        await site.serving.store.served.set_wanted(id_, wanted=True)
        crashed = (await site.get(f"/deliberations/{id_}")).json()
        return shown, pages, crashed

    shown, pages, crashed = at_site(tmp_path, scene)

    assert shown["stalled"] and shown["stop_reason"] == "it was stopped; resume goes on"
    for page in pages:
        assert "it was stopped" in page and "obody works on it" not in page
    assert crashed["stalled"] and crashed["stop_reason"] == ""


def test_a_fork_goes_another_way_and_its_parent_stays(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        await site.ended(id_)
        forked = await site.post(f"/deliberations/{id_}/fork", {"at": "answer", "seed": 7}, "agent")
        unknown = await site.post(f"/deliberations/{id_}/fork", {"at": "nowhere"}, "agent")
        foreign = await site.post(f"/deliberations/{id_}/fork", {"at": "answer", "members": ["openai:x"]}, "agent")
        child = await site.ended(forked.json()["id"])
        lines = (await site.get("/deliberations")).json()["items"]
        return id_, forked, unknown, foreign, child, lines

    id_, forked, unknown, foreign, child, lines = at_site(tmp_path, scene)

    assert forked.status_code == 201 and child["status"] == "complete"
    assert [line["parent"] for line in lines] == [id_, None]
    assert unknown.status_code in (404, 409, 422) and foreign.json()["code"] == "member_not_allowed"


@pytest.mark.parametrize("id_", ["ffffffffff", "..", "'", "%F0%9F%A6%89", "0" * 90])
def test_an_id_that_is_none_is_nowhere(tmp_path: Path, id_: str) -> None:
    async def scene(site):
        return [(await site.get(f"/deliberations/{id_}{end}")).status_code for end in ("", "/events", "/export")]

    assert set(at_site(tmp_path, scene)) == {404}


def test_a_deliberation_is_exported_in_every_format(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        await site.ended(id_)
        forms = ("md", "json", "html", "files")
        return {form: await site.get(f"/deliberations/{id_}/export?format={form}", "agent") for form in forms}

    exports = at_site(tmp_path, scene)

    assert {form: answer.headers["content-type"].split(";")[0] for form, answer in exports.items()} == {
        "md": "text/markdown",
        "json": "application/json",
        "html": "text/html",
        "files": "application/json",
    }
    assert all("97 is prime" in answer.text for answer in exports.values())


def test_what_was_under_way_when_a_server_ended_goes_on_with_the_next_and_is_not_paid_twice(tmp_path: Path) -> None:
    calls: list[str] = []

    def reply(request):
        calls.append(request.step)
        return SURE

    async def look(site):
        return await site.ended(id_)

    id_ = at_site(tmp_path, _begun_only)
    shown = at_site(tmp_path, look, models={MEMBER: scripted(reply)})

    assert shown["status"] == "complete" and len(calls) == 1


async def _begun_only(site: Site) -> str:
    """Begin a deliberation as the endpoint does, and run nothing of it."""
    from moot.core.question import Question
    from moot.service.orders import Order
    from moot.store.served import Served

    plan = await site.serving.service.planner.plan(Order(Question(text="Is 97 prime?"), "single"))
    return await site.serving.service.start(plan, served=Served("moot_00000000", None))


def test_a_server_that_runs_all_it_can_refuses_more_with_the_time_to_wait(tmp_path: Path) -> None:
    async def scene(site):
        await site.serving.runs.stop()
        answer = await site.post("/deliberations", QUESTION, "agent")
        health = await site.get("/health", as_=None)
        return answer, health.json()["status"], await site.serving.store.deliberations.newest()

    answer, health, stored = at_site(tmp_path, scene)

    assert (answer.status_code, answer.json()["code"]) == (503, "server_busy")
    assert int(answer.headers["retry-after"]) >= 1 and health == "stopping" and stored == []


def test_metrics_tell_requests_by_operation_and_what_is_stored(tmp_path: Path) -> None:
    async def scene(site):
        await site.ended(await asked(site))
        await site.get("/nothing/like/it")
        return (await site.get("/metrics")).text

    text = at_site(tmp_path, scene)

    assert 'moot_http_requests_total{operation="put_question",status="201"} 1.0' in text
    assert 'moot_deliberations{protocol="single",status="complete"} 1.0' in text
    assert 'operation="none",status="404"' in text and "nothing" not in text


def test_a_deliberation_of_the_command_line_is_the_reviewers_to_see_and_not_the_servers_to_run(tmp_path: Path) -> None:
    from moot.core.question import Question
    from moot.service.orders import Order

    async def scene(site):
        plan = await site.serving.service.planner.plan(Order(Question(text="Is 97 prime?"), "single"))
        return await site.serving.service.start(plan)

    async def look(site):
        agent = await site.get(f"/deliberations/{id_}", "agent")
        return agent.status_code, (await site.get(f"/deliberations/{id_}", "reviewer")).json()

    id_ = at_site(tmp_path, scene)
    agent, shown = at_site(tmp_path, look, environ_=environ(tmp_path))

    assert agent == 403
    assert shown["status"] == "running" and shown["stalled"] and shown["cost"]["calls"] == 0
    assert shown["left_alone"] is shown["stalled"]
