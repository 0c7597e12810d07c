"""What programs and pages read: lists, events by page, steps, arguments, acts, offers, plans, and who is asked now."""

import asyncio
import json
from pathlib import Path
from typing import Any

from moot.core.ports import ProgressEvent
from moot.service.reading.in_flight import BeingAsked, InFlight
from moot.testing import scripted
from moot.web.streams import last_seen, told_progress
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, KESTREL, LEFT, OSPREY, answering
from tests.web.kit import API, MEMBER, SURE, Site, at_site
from tests.web.test_web_deliberations import asked
from tests.web.test_web_streams import heard

ARGUED: dict[str, Any] = {
    "question": ASKED,
    "protocol": "interrogation",
    "members": [MEMBER],
    "settings": {"n": 4},
    "documents": [document.model_dump() for document in DOCUMENTS],
}


def arguing() -> dict[str, Any]:
    return {MEMBER: scripted(answering([KESTREL, KESTREL, OSPREY, OSPREY]))}


async def argued(site: Site) -> str:
    id_ = (await site.post("/deliberations", ARGUED, "agent")).json()["id"]
    await site.ended(id_)
    return id_


def test_a_list_tells_what_each_came_to_and_is_searched_and_sorted(tmp_path: Path) -> None:
    async def scene(site):
        ids = [await asked(site), await asked(site, question="Is 98 prime?")]
        for id_ in ids:
            await site.ended(id_)
        fork = await site.post(f"/deliberations/{ids[0]}/fork", {"at": "answer", "seed": 3}, "agent")
        await site.ended(fork.json()["id"])
        queries = ("q=NO%20SUCH", "q=98", "q=is%20prime", f"parent={ids[0]}", "model=scripted", "owner=agent",
                   "owner=ada", "since=2001-01-01", "until=2001-01-01", "sort=oldest", "protocol=vote",
                   "status=complete&limit=1")  # fmt: skip
        pages = [(await site.get(f"/deliberations?{query}", "agent")).json() for query in queries]
        wrong = [await site.get(f"/deliberations?{query}") for query in ("since=soon", "sort=best", "cursor=!")]
        await site.agent("ada")
        seen = [(await site.get("/deliberations", as_)).json()["total"] for as_ in ("agent", "reviewer", "ada")]
        return ids, dict(zip(queries, pages, strict=True)), wrong, seen

    ids, pages, wrong, seen = at_site(tmp_path, scene)

    found = {query: page["total"] for query, page in pages.items()}
    assert found == {
        "q=NO%20SUCH": 0, "q=98": 1, "q=is%20prime": 3, f"parent={ids[0]}": 1, "model=scripted": 3, "owner=agent": 3,
        "owner=ada": 0, "since=2001-01-01": 3, "until=2001-01-01": 0, "sort=oldest": 3, "protocol=vote": 0,
        "status=complete&limit=1": 3,
    }  # fmt: skip
    first = pages["sort=oldest"]["items"][0]
    assert first["id"] == ids[0] and first["answer"] == "97 is prime" and first["owner"] == "agent"
    assert (first["confidence"], first["basis"], first["calls"], first["forks"]) == (0.9, "stated", 1, 1)
    assert first["models"] == [MEMBER] and first["ended"] >= first["started"] and first["seconds"] is not None
    assert pages["status=complete&limit=1"]["next"]
    assert seen == [3, 3, 0]
    assert [(answer.status_code, answer.json()["code"]) for answer in wrong] == [
        (422, "bad_setting"), (422, "bad_request"), (422, "bad_setting"),
    ]  # fmt: skip


def test_a_parameter_that_nobody_knows_is_refused_on_every_endpoint(tmp_path: Path) -> None:
    paths = ("/deliberations", "/offers", "/health", "/claims", "/open-steps", "/graphs", "/deliberations/x/events")

    async def scene(site):
        return [await site.get(f"{path}?limt=3&zzz=1") for path in paths]

    answers = at_site(tmp_path, scene)

    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
        assert [error["field"] for error in answer.json()["errors"]] == ["query.limt", "query.zzz"]
    assert "did you mean limit" in answers[0].json()["errors"][0]["problem"]


def test_events_come_by_page_and_steps_with_their_prompts_once_they_are_over(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await argued(site)
        await site.agent("other")
        of = f"/deliberations/{id_}"
        return [
            await site.get(f"{of}/record?limit=2&after=0", "agent"),
            await site.get(f"{of}/record?kind=noted&q=kestrel", "agent"),
            await site.get(f"{of}/steps/run~r1", "agent"),
            await site.get(f"{of}/steps/run~r99", "agent"),
            await site.get(f"{of}/record", "other"),
            await site.get(f"{of}/steps/run~r1", "other"),
            await site.get(f"{of}/graph", "other"),
            await site.get(f"{of}/acts", "other"),
            await site.get(f"{of}/record?kind=spoken"),
        ]

    page, hits, step, nothing, *refused, no_kind = at_site(tmp_path, scene, models=arguing())

    assert [event["seq"] for event in page.json()["events"]] == [1, 2]
    assert page.json()["total"] == page.json()["last"] + 1 and page.json()["hits"] == []
    assert hits.json()["total"] == len(hits.json()["hits"]) > 0
    assert all(event["event"]["kind"] == "noted" for event in hits.json()["events"])
    [attempt] = step.json()["attempts"]
    assert any(ASKED in message["content"] for message in attempt["messages"]) and attempt["started"].endswith("+00:00")
    assert step.json()["outcome"]["kind"] == "ok" and step.json()["event"]["step"] == "run/r1"
    assert (nothing.status_code, nothing.json()["code"]) == (404, "not_found")
    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(403, "not_yours")}
    assert no_kind.status_code == 422


def test_an_argument_is_told_by_ids_and_contests_are_in_the_view_and_the_list(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await argued(site)
        of = f"/deliberations/{id_}"
        plain = (await site.get(f"{of}/graph", "agent")).json()
        wrong = plain["argument"]["must_be_wrong"]
        supposed = (await site.get(f"{of}/graph", params=[("refute", claim) for claim in wrong])).json()
        unknown = await site.get(f"{of}/graph?refute=nothing%20like%20this")
        await site.post(f"{of}/contest", {"claim": LEFT, "reason": "forged"}, "reviewer")
        views = [(await site.get(f"{of}{path}", "agent")).json() for path in ("", "/acts", "?detail=0", "/graph")]
        return plain, supposed, unknown, views, (await site.get("/deliberations")).json()["items"][0]

    plain, supposed, unknown, (view, acts, light, contested), row = at_site(tmp_path, scene, models=arguing())

    argument = plain["argument"]
    ids = {claim["id"] for claim in argument["claims"]} | {one["id"] for one in argument["sentences"]}
    assert {node for path in argument["paths"] for node in path} <= ids
    assert supposed["argument"]["before"] == argument["figures"]
    assert supposed["argument"]["figures"]["answer"] == "Osprey" and plain["acts"] == supposed["acts"] == []
    assert unknown.status_code == 404
    assert view["acts"] == acts["items"] == contested["acts"] and acts["items"][0]["data"]["reason"] == "forged"
    assert contested["argument"]["uncontested"] == argument["figures"]
    assert row["contests"] == 1
    assert view["detail"]["graph"] and light["detail"] == {}
    assert light["answer"] == view["answer"] and light["cost"]["calls"] == view["cost"]["calls"]


def test_what_may_be_asked_is_offered_and_planned_before_anybody_pays(tmp_path: Path) -> None:
    async def scene(site):
        good = {"question": "Is 97 prime?", "protocol": "single", "members": [MEMBER]}
        bad = {"question": "", "protocol": "single", "members": ["openai:x"], "settings": {"zz": 1}}
        return (
            (await site.get("/offers", "agent")).json(),
            (await site.post("/deliberations/plan", good, "agent")).json(),
            await site.post("/deliberations/plan", bad, "agent"),
            (await site.get("/deliberations")).json()["total"],
        )

    offers, plan, refused, stored = at_site(tmp_path, scene)

    assert offers["scopes"] == ["agent"] and offers["most_bytes"] == 1_000_000
    assert [member["spec"] for member in offers["members"]] == [MEMBER]
    assert plan["refusals"] == [] and plan["members"] == [{"name": "m1", "model": MEMBER}] and stored == 0
    assert refused.status_code == 200 and refused.json()["protocol"] is None
    assert [item["field"] for item in refused.json()["refusals"]] == ["question", "members.0", "settings.zz"]


def test_a_stream_begins_with_who_is_asked_now_and_goes_on_after_what_the_url_says(tmp_path: Path) -> None:
    async def scene(site):
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow(request):
            begun.set()
            await go_on.wait()
            return SURE

        site.serving.service.gateway._own[MEMBER] = scripted(slow)
        id_ = await asked(site)
        await asyncio.wait_for(begun.wait(), 30)
        reading = asyncio.ensure_future(heard(site, id_, began=(opened := asyncio.Event())))
        await asyncio.wait_for(opened.wait(), 30)
        go_on.set()
        live = await reading
        await site.ended(id_)
        headers = {"Authorization": f"Bearer {site.keys['agent']}"}
        address = f"{API}/deliberations/{id_}/events"
        later = await site.client.get(f"{address}?after=0", headers=headers)
        header_wins = await site.client.get(f"{address}?after=0", headers={**headers, "Last-Event-ID": "1"})
        over = await site.client.get(f"{address}?after=99", headers=headers)
        return live, later.text, header_wins.text, over.status_code, site.serving.watch.being_asked(id_)

    live, later, header_wins, over, afterwards = at_site(tmp_path, scene, live=True)

    [now] = json.loads(live[0]["data"])
    assert live[0]["event"] == "now" and (now["seat"], now["step"], now["model"]) == ("m1", "answer", MEMBER)
    assert now["state"] in ("asking", "speaking") and now["since"].endswith("+00:00") and now["try"] == 1
    spent = [json.loads(event["data"]) for event in live if event["event"] == "progress"]
    assert [(one["calls"], one["usd"]) for one in spent if one["kind"] == "spent"] == [(1, 0.0)]
    assert later.index("event: now") < later.index("id: 1\n") and "id: 0\n" not in later and "data: []" in later
    assert "id: 1\n" not in header_wins and "id: 2\n" in header_wins
    assert over == 204 and afterwards == ()


def test_whoever_has_answered_is_no_longer_asked_and_a_further_try_counts() -> None:
    moments = iter([10.0, 11.0, 15.0])
    asked = InFlight(lambda: next(moments))
    for seat in ("m1", "m2"):
        asked.hear("d", ProgressEvent("asking", f"answer/{seat}", seat, "scripted:a"))
    for kind, note in (("speaking", "scripted:a"), ("tokens", "340"), ("retrying", "try 2")):
        asked.hear("d", ProgressEvent(kind, "answer/m2", "m2", note))
    asked.hear("d", ProgressEvent("answered", "answer/m1", "m1"))
    asked.hear("d", ProgressEvent("tokens", "answer/m1", "m1", "9"))

    assert asked.of("d") == (BeingAsked("m2", "answer/m2", "scripted:a", "speaking", 15.0, tokens=340, tries=2),)
    assert asked.of("other") == ()
    asked.hear("d", ProgressEvent("missing", "answer/m2", "m2", "timeout"))
    assert asked.of("d") == ()


def test_progress_tells_numbers_beside_its_words() -> None:
    assert told_progress(ProgressEvent("tokens", "s", "m1", "340"))["tokens"] == 340
    retry = told_progress(ProgressEvent("retrying", "s", "m1", "try 2"))
    assert (retry["try"], retry["note"]) == (2, "try 2")
    assert last_seen(None, 5) == 5 and last_seen("7", 5) == 7 and last_seen(None) == -1
