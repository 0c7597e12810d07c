"""What calls took over HTTP: by day, model and key, for each caller what it may see."""

from pathlib import Path
from typing import Any

from sqlalchemy import update

from moot.core.calls import Completion, Usage
from moot.core.moments import iso_moment, moment_of
from moot.store import schema
from moot.testing import scripted
from tests.web.kit import MEMBER, SURE, Site, at_site, environ

UNPRICED = "scripted:unpriced"


async def asked(site: Site, as_: str = "admin", member: str = MEMBER) -> str:
    body = {"question": "Is 97 a prime number?", "protocol": "single", "members": [member]}
    made = await site.post("/deliberations", body, as_)
    assert made.status_code == 201, made.text
    await site.serving.runs.finished(made.json()["id"])
    return made.json()["id"]


async def send_on(site: Site, id_: str, day: str) -> None:
    """Write that the calls of a deliberation were sent on another day."""
    own = update(schema.attempts).where(schema.attempts.c.deliberation == id_)
    await site.serving.store.writer.run(
        lambda connection: connection.execute(own.values(sent=moment_of(day) + 3600)), alone="test"
    )


def lines(view: dict[str, Any]) -> dict[str, int]:
    return {line["name"]: line["calls"] for line in view["lines"]}


def test_usage_is_told_by_day_model_and_key_within_a_span(tmp_path: Path) -> None:
    async def scene(site: Site) -> dict[str, Any]:
        days = ("2026-01-30", "2026-01-31", "2026-02-01")
        ids = [await asked(site, as_) for as_ in ("admin", "agent", "agent")]
        for id_, day in zip(ids, days, strict=True):
            await send_on(site, id_, day)
        await asked(site, "agent")
        paths = ("", "?by=model", "?by=key", "?since=2026-01-31&until=2026-01-31", "?until=2026-01-30T01:30:00Z")
        views = {path: (await site.get(f"/usage{path}")).json() for path in (*paths, "?since=2999-01-01")}
        return {**views, "agent": (await site.get("/usage?by=key", "agent")).json(), "now": site.serving.clock.now()}

    views = at_site(tmp_path, scene)

    today = iso_moment(views["now"])[:10]
    assert lines(views[""]) == {"2026-01-30": 1, "2026-01-31": 1, "2026-02-01": 1, today: 1}
    assert lines(views["?by=model"]) == {MEMBER: 4}
    assert lines(views["?by=key"]) == {"agent": 3, "admin": 1}
    assert lines(views["agent"]) == {"agent": 3}
    assert lines(views["?since=2026-01-31&until=2026-01-31"]) == {"2026-01-31": 1}
    assert lines(views["?until=2026-01-30T01:30:00Z"]) == {"2026-01-30": 1}
    assert lines(views["?since=2999-01-01"]) == {}
    total = views[""]["total"]
    assert total["calls"] == 4 and total["unknown"] == {"tokens_in": 0, "tokens_out": 0, "usd": 0}
    assert all(line["key"].startswith("moot_") for line in views["?by=key"]["lines"])


def test_what_is_not_known_of_calls_is_counted_and_never_taken_for_nothing(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await asked(site)
        known = (await site.get("/usage")).json()["total"]
        await asked(site, member=UNPRICED)
        return known, (await site.get("/usage?by=model")).json()

    unpriced = scripted([Completion(SURE, usage=Usage(tokens_in=5, tokens_out=None, usd=None))])
    names = f"{MEMBER},{UNPRICED}"
    models = {MEMBER: scripted(lambda request: SURE), UNPRICED: unpriced}
    known, view = at_site(
        tmp_path, scene, models=models, environ_=environ(tmp_path, members=names, serve_members=names)
    )

    line = next(line for line in view["lines"] if line["name"] == UNPRICED)
    assert (line["tokens_in"], line["tokens_out"], line["usd"]) == (5, None, None)
    assert line["unknown"] == {"tokens_in": 0, "tokens_out": 1, "usd": 1}
    assert view["total"]["tokens_out"] == known["tokens_out"]
    assert view["total"]["unknown"] == line["unknown"]
