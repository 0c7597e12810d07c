"""Deliberations side by side over HTTP, and one deleted for good."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from moot.core.calls import Request
from moot.testing import scripted
from tests.web.comparing_kit import AT, DEBATE, forked_debate, turncoats
from tests.web.kit import MEMBER, SURE, Site, at_site
from tests.web.pages.argument_kit import kept_record, servers
from tests.web.pages.records_kit import golden, keep


def cells(view: dict[str, Any]) -> dict[str, list[str | None]]:
    return {row["claim"]: [cell and cell["stand"] for cell in row["cells"]] for row in view["claims"]}


def test_a_fork_beside_its_parent_says_where_it_left_and_what_was_said_from_there_on(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        parent, fork = await forked_debate(site)
        view = await site.get(f"/compare?ids={parent}&ids={fork}")
        swapped = await site.get(f"/compare?ids={fork},{parent}&base={parent[:8]}")
        return parent, fork, view.json(), swapped.json()

    parent, fork, view, swapped = at_site(tmp_path, scene, models=turncoats())

    assert view["base"] == swapped["base"] == parent
    assert [one["id"] for one in view["deliberations"]] == [parent, fork]
    assert [one["id"] for one in swapped["deliberations"]] == [fork, parent]
    [point] = view["forks"]
    assert (point["fork"], point["parent"], point["at"]) == (fork, parent, AT)
    assert (point["kept"], point["equal"], point["left_out"]) == (3, 0, 0)
    first = point["steps"][0]
    assert first["step"] == AT and "yes" in first["before"] and "no" in first["after"]
    assert swapped["forks"] == view["forks"]
    own, other = view["deliberations"]
    assert own["same_answer"] is None
    assert other["same_answer"] == {"outcome": "same", "decided_by": "equal", "reason": ""}
    assert own["factors"]["calls"] is None and other["factors"]["calls"] == other["cost"]["calls"] / 6
    assert [(setting["name"], setting["values"]) for setting in view["settings"]] == [("budget: calls", ["60", "50"])]
    assert view["same_question"] and not view["several_bases"]
    stands = cells(view)
    assert ["held", "not said"] in stands.values() and ["not said", "held"] in stands.values()


def test_whether_answers_are_the_same_is_said_with_who_decided_and_left_open_where_nobody_can(tmp_path: Path) -> None:
    answers = ("The bridge is safe.", "the bridge is safe", "The bridge is not safe.", "Engineers trust its cables.")

    async def scene(site: Site) -> Any:
        body = {"question": "Is the bridge safe?", "protocol": "single"}
        ids = []
        for question in (*[body["question"]] * len(answers), "And the pier?"):
            ids.append((await site.post("/deliberations", {**body, "question": question})).json()["id"])
            await site.serving.runs.finished(ids[-1])
        return (await site.get(f"/compare?ids={','.join(ids)}")).json()

    said = [{"reasoning": "It was looked at.", "answer": answer, "confidence": 0.9} for answer in answers]
    view = at_site(tmp_path, scene, models={MEMBER: scripted([*said, said[0]])})

    decided = [one["same_answer"] and one["same_answer"]["outcome"] for one in view["deliberations"]]
    assert decided == [None, "same", "opposed", "undecided", None]
    by = {one["answer"]: one["same_answer"]["decided_by"] for one in view["deliberations"] if one["same_answer"]}
    assert by == {answers[1]: "equal", answers[2]: "guard", answers[3]: "nobody"}


def test_claims_of_records_are_set_side_by_side_as_each_argument_has_them(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        for name in ("one", "two"):
            await keep(site, kept_record(servers()), name)
        await keep(site, golden("coherence_partial"), "none")
        await keep(site, golden("interrogation_whole")[:3], "running")
        graph = (await site.get("/deliberations/two/graph")).json()
        node = next(node for node in graph["argument"]["claims"] if node["claim"].startswith("The survey covers"))
        contested = await site.post("/deliberations/two/contest", {"claim": node["id"], "reason": "it is old"})
        views = [
            (await site.get(f"/compare?ids=one,two,none,running&{more}")).json() for more in ("", "start=2&limit=3")
        ]
        return contested.status_code, *views

    contested, view, part = at_site(tmp_path, scene)

    assert contested in (200, 201)
    stands = cells(view)
    assert stands["The survey covers every server in the hall."] == ["held", "refuted", None, None]
    assert stands["Server x9 can take the nightly job."][:2] == ["held", "held"]
    one, two, none, running = view["deliberations"]
    assert (one["contests"], two["contests"]) == (0, 1)
    assert one["claims"] == two["claims"] == view["claims_total"] and none["claims"] is None
    assert "came to no argument" in none["no_argument"] and running["no_argument"]
    assert view["several_bases"] is False and not view["same_question"]
    assert running["status"] == "running" and running["answer"] is None and running["stalled"]
    assert running["factors"] == {"calls": None, "tokens": None, "usd": None, "seconds": None}
    assert part["claims"] == view["claims"][2:5] and part["claims_total"] == view["claims_total"]


@pytest.mark.parametrize(
    ("query", "status", "detail"),
    [
        ("ids=one", 422, "1 deliberation cannot be compared; name 2 to 6"),
        ("ids=one&ids=one,one", 422, "1 deliberation cannot be compared; name 2 to 6"),
        ("ids=,", 422, "0 deliberations cannot be compared"),
        ("", 422, ""),
        ("ids=a1,a2,a3,a4,a5,one,two", 422, "7 deliberations cannot be compared; name 2 to 6"),
        ("ids=one,two&base=a1", 422, "'a1' is none of those compared: one, two"),
        ("ids=one,nowhere", 404, "there is no deliberation 'nowhere'"),
        ("ids=one,two&limit=0", 422, ""),
        ("ids=one,two&base_=two", 422, ""),
    ],
)
def test_what_cannot_be_compared_is_named_with_the_way_out(
    tmp_path: Path, query: str, status: int, detail: str
) -> None:
    async def scene(site: Site) -> Any:
        for name in ("one", "two", "a1", "a2", "a3", "a4", "a5"):
            await keep(site, golden("vote_decided"), name)
        return await site.get(f"/compare?{query}")

    answer = at_site(tmp_path, scene)

    assert answer.status_code == status, answer.text
    assert detail in answer.json()["detail"]


def test_what_is_anothers_is_as_unknown_as_what_does_not_exist(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        for name in ("own1", "own2"):
            await keep(site, golden("vote_decided"), name, owner="agent")
        for name in ("secret1", "secret2"):
            await keep(site, golden("vote_decided"), name)
        names = ("secret1", "secret", "nowhere")
        refused = [await site.get(f"/compare?ids=own1,{name}", "agent") for name in names]
        fine = await site.get("/compare?ids=own1,own2", "agent")
        return refused, fine.status_code, (await site.get("/compare?ids=own1,secret1", "reviewer")).status_code

    refused, own, reviewers = at_site(tmp_path, scene)

    told = [{**answer.json(), "detail": answer.json()["detail"].split("'")[2]} for answer in refused]
    assert told[0] == told[1] == told[2] and told[0]["status"] == 404
    assert not any("secret2" in answer.text for answer in refused)
    assert (own, reviewers) == (200, 200)


def test_an_admin_deletes_a_deliberation_for_good_and_one_that_runs_is_stopped_first(tmp_path: Path) -> None:
    speaks = asyncio.Event()

    async def slow(request: Request) -> str:
        await speaks.wait()
        return SURE

    async def scene(site: Site) -> Any:
        await keep(site, golden("vote_decided"), "ended", owner="agent")
        body = {"question": "Is 97 a prime number?", "protocol": "single"}
        running = (await site.post("/deliberations", body, "agent")).json()["id"]
        refused = [
            (await site.call("DELETE", "/deliberations/ended", who)).status_code for who in ("agent", "reviewer")
        ]
        deleted = [await site.call("DELETE", f"/deliberations/{id_}") for id_ in ("ended", running)]
        gone = [(await site.get(f"/deliberations/{id_}")).status_code for id_ in ("ended", running)]
        again = await site.call("DELETE", "/deliberations/ended")
        return refused, deleted, gone, again.status_code, (await site.get("/usage")).json()["lines"]

    refused, deleted, gone, again, lines = at_site(tmp_path, scene, models={MEMBER: scripted(slow)})

    assert refused == [403, 403]
    assert [(answer.status_code, answer.content) for answer in deleted] == [(204, b"")] * 2
    assert (gone, again) == ([404, 404], 404)
    assert lines == []


def test_what_another_process_works_on_is_not_deleted(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await keep(site, golden("vote_decided")[:-1], "held")
        async with site.serving.store.hold("held"):
            refused = await site.call("DELETE", "/deliberations/held")
        return refused.status_code, refused.json()["code"], (await site.get("/deliberations/held")).status_code

    assert at_site(tmp_path, scene) == (409, "already_running", 200)


def test_what_a_run_has_taken_so_far_is_told_and_measured_by_nothing(tmp_path: Path) -> None:
    speaks = asyncio.Event()

    async def slow(request: Request) -> Any:
        if request.step == AT and not speaks.is_set():
            reached.set()
            await speaks.wait()
        return SURE if request.step == "answer" else DEBATE.good(request)

    async def scene(site: Site) -> Any:
        question, settings = DEBATE.question.text, dict(DEBATE.settings)
        body = {"question": question, "protocol": "debate", "members": [MEMBER] * 3, "settings": settings}
        running = (await site.post("/deliberations", body)).json()["id"]
        await reached.wait()
        ended = (await site.post("/deliberations", {"question": question, "protocol": "single"})).json()["id"]
        await site.serving.runs.finished(ended)
        early = (await site.get(f"/compare?ids={ended},{running}")).json()["deliberations"][1]
        speaks.set()
        await site.serving.runs.finished(running)
        return early, (await site.get(f"/compare?ids={ended},{running}")).json()["deliberations"][1]

    reached = asyncio.Event()
    early, late = at_site(tmp_path, scene, models={MEMBER: scripted(slow)})

    assert early["status"] == "running" and early["cost"]["calls"] >= 3 and early["seconds"] is None
    assert set(early["factors"].values()) == {None}
    assert late["factors"]["calls"] == late["cost"]["calls"] > early["cost"]["calls"] - 1
