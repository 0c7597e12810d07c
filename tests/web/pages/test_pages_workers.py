"""`/workers`, for admins: the page, and the same for programs."""

from pathlib import Path

import pytest

from moot.service.background.queued import QueuedRuns
from moot.store.queue.workers import NewWorker
from tests.web.kit import MEMBER, Site, at_site, environ

pytest.importorskip("procrastinate", reason="procrastinate is not installed")


def test_a_server_that_does_all_itself_says_so_and_shows_it_to_admins_alone(tmp_path: Path) -> None:
    async def scene(here: Site) -> None:
        shown = await here.page("/workers")
        refused = await here.page("/workers", as_="reviewer")
        told = await here.get("/workers")
        health = (await here.get("/health")).json()

        assert shown.status_code == 200 and "runs every deliberation itself" in shown.text
        assert refused.status_code == 403
        assert told.json() == {"workers": [], "waiting": {}, "left": {}}
        assert (await here.get("/workers", as_="agent")).status_code == 403
        assert (health["status"], health["workers"]) == ("ok", None)

    at_site(tmp_path, scene)


def test_workers_are_shown_with_what_nobody_can_run(tmp_path: Path, postgres_url: str) -> None:
    async def scene(here: Site) -> None:
        workers = here.serving.store.workers
        assert workers is not None
        await workers.add(7, NewWorker("<b>machine</b>:4", "0.9", ("now:other:1:1",), 3, "session"), 1000.0)
        beating(postgres_url, 7)
        asked = {"question": "Is 97 prime?", "protocol": "single", "members": [MEMBER]}
        made = (await here.post("/deliberations", asked)).json()

        page = (await here.page("/workers")).text
        told = (await here.get("/workers")).json()
        metrics = (await here.get("/metrics")).text
        waits = (await here.page(f"/d/{made['id']}")).text

        assert "&lt;b&gt;machine&lt;/b&gt;:4" in page and "0 of 3" in page and "idle" in page
        assert "1 of single" in page and "left" in page
        assert [worker["name"] for worker in told["workers"]] == ["<b>machine</b>:4"]
        assert list(told["left"].values()) == [1]
        assert made["here"] == "queued" and not made["stalled"]
        assert "moot_workers" in metrics and "moot_deliberations_left" in metrics
        assert "Is 97 prime?" in waits

    at_site(tmp_path, scene, environ_=environ(tmp_path, database=postgres_url))


def test_an_asker_is_told_where_no_worker_is_seen(tmp_path: Path, postgres_url: str) -> None:
    async def scene(here: Site) -> None:
        runs = here.serving.runs
        assert isinstance(runs, QueuedRuns)
        asked = {"question": "Is 97 prime?", "protocol": "single", "members": [MEMBER]}
        made = (await here.post("/deliberations", asked)).json()
        assert made["problem"] is None
        runs._seen -= 31

        view = (await here.get(f"/deliberations/{made['id']}")).json()
        page = (await here.page(f"/d/{made['id']}")).text
        listed = (await here.page("/workers")).text
        health = (await here.get("/health")).json()

        assert view["problem"].startswith("no_worker: ") and "moot worker" in view["problem"]
        assert "none has been seen for 30 s" in page
        assert "No worker has been seen" in listed
        assert (health["status"], health["workers"]) == ("no_workers", 0)

        runs._seen, runs._missed = runs._clock.monotonic(), frozenset({"now:single:1:1"})
        assert (await here.get("/health")).json()["status"] == "left"

    at_site(tmp_path, scene, environ_=environ(tmp_path, database=postgres_url))


def beating(url: str, number: int) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO moot_queue.procrastinate_workers (id) OVERRIDING SYSTEM VALUE VALUES (%s)", [number]
        )
