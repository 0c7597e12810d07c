"""Event streams over real connections: nothing missed, nothing twice, and no client that holds the server up."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from moot.core.moments import event_with_iso_moments
from moot.web.streams import last_seen
from tests.web.kit import API, MEMBER, Site, at_site
from tests.web.test_web_deliberations import asked

SPIRAL: dict[str, Any] = {"protocol": "spiral", "members": [f"{MEMBER}*3"]}


async def heard(
    site: Site, id_: str, after: str | None = None, most: int | None = None, began: asyncio.Event | None = None
) -> list[dict[str, str]]:
    """Read a stream to its end, or as many events as wanted, and hang up."""
    headers = {"Authorization": f"Bearer {site.keys['agent']}"} | ({"Last-Event-ID": after} if after else {})
    found: list[dict[str, str]] = []
    async with site.client.stream("GET", f"{API}/deliberations/{id_}/events", headers=headers) as answer:
        if answer.status_code == 204:
            return found
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            if "data" in event:
                found.append(event)
                if began and event["event"] == "run":
                    began.set()
            event = {}
            if most is not None and len([one for one in found if "id" in one]) >= most:
                return found
    return found


def runs(events: list[dict[str, str]]) -> list[tuple[int, Any]]:
    return [(int(event["id"]), json.loads(event["data"])) for event in events if event["event"] == "run"]


def test_a_stream_tells_every_event_in_order_and_then_that_it_ended(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        events = await heard(site, id_)
        stored = await site.serving.store.deliberations.events(id_)
        return events, stored, await heard(site, id_, events[-2]["id"])

    events, stored, after = at_site(tmp_path, scene, live=True)

    assert runs(events) == [(seq, event_with_iso_moments(json.loads(text))) for seq, text in stored]
    assert events[-1]["event"] == "end" and json.loads(events[-1]["data"]) == {"status": "complete"}
    progress = [event for event in events if event["event"] == "progress"]
    assert all("id" not in event for event in progress)
    # What was said is told by the run event, once its round is over: a round may be blind.
    assert all("said" not in json.loads(event["data"]) and "phase" in json.loads(event["data"]) for event in progress)
    assert after == []


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_a_stream_that_is_cut_and_resumed_misses_nothing_and_repeats_nothing(tmp_path: Path, cut: int) -> None:
    async def scene(site):
        id_ = await asked(site, **SPIRAL)
        seen: list[tuple[int, Any]] = []
        while True:
            events = await heard(site, id_, str(seen[-1][0]) if seen else None, cut)
            seen += runs(events)
            if not events or events[-1]["event"] == "end":
                return seen, await site.serving.store.deliberations.events(id_)

    seen, stored = at_site(tmp_path, scene, live=True)

    assert seen == [(seq, event_with_iso_moments(json.loads(text))) for seq, text in stored]


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "9" * 40, "0" * 20 + "9" * 40, "1; drop"])
def test_an_id_that_was_never_sent_is_refused(tmp_path: Path, text: str) -> None:
    async def scene(site):
        id_ = await asked(site)
        await site.ended(id_)
        answer = await site.get(f"/deliberations/{id_}/events", headers={"Last-Event-ID": text})
        return answer.status_code, answer.json()["code"]

    assert at_site(tmp_path, scene) == (422, "bad_setting")


def test_no_header_means_from_the_beginning() -> None:
    assert last_seen(None) == last_seen("") == -1
    assert last_seen("7") == 7


def test_a_client_that_never_reads_holds_nobody_up(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, **SPIRAL)
        _, writer = await asyncio.open_connection("127.0.0.1", site.client.base_url.port)
        path = f"{API}/deliberations/{id_}/events"
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {site.keys['agent']}\r\n\r\n".encode()
        )
        await writer.drain()
        shown = await site.ended(id_)
        healthy = await site.get("/health", as_=None)
        writer.close()
        return shown["status"], healthy.status_code

    status, healthy = at_site(tmp_path, scene, live=True)

    assert status not in ("running", "paused") and healthy == 200


def test_streams_end_when_the_server_does(tmp_path: Path) -> None:
    async def scene(site):
        id_ = (await site.post("/claims", {"claim": "Crows.", "table": "prism-v1-solo"}, "agent")).json()["id"]
        began = asyncio.Event()
        listening = asyncio.ensure_future(heard(site, id_, began=began))
        await began.wait()
        await site.serving.runs.stop()
        await site.serving.watch.stop()
        return await listening

    events = at_site(tmp_path, scene, live=True)

    assert runs(events)[0][0] == 0 and events[-1]["event"] != "end"


def test_hundreds_of_streams_on_one_server_all_hear_the_same(tmp_path: Path) -> None:
    count = 200

    async def scene(site):
        id_ = (await site.post("/claims", {"claim": "Crows.", "table": "prism-v1-solo"}, "agent")).json()["id"]
        listening = [asyncio.ensure_future(heard(site, id_, most=2)) for _ in range(count)]
        streams = await asyncio.gather(*listening)
        return [runs(events) for events in streams], await site.serving.store.deliberations.events(id_)

    streams, stored = at_site(tmp_path, scene, live=True)

    assert len(streams) == count
    assert all(
        seen == [(seq, event_with_iso_moments(json.loads(text))) for seq, text in stored[: len(seen)]]
        for seen in streams
    )
