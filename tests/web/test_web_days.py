"""What a key may spend in a day, over every server on one database."""

from pathlib import Path
from typing import Any

from moot.testing import scripted
from tests.web.kit import MEMBER, SURE, Site, at_site, environ, site
from tests.web.test_web_deliberations import QUESTION, asked
from tests.web.test_web_forking import at_the_command_line

SPIRAL: dict[str, Any] = {"protocol": "spiral", "members": [f"{MEMBER}*3"]}


def test_a_key_that_has_spent_its_day_is_refused_at_every_server_and_told_until_when(tmp_path: Path) -> None:
    few = environ(tmp_path, serve_day_calls="2")

    async def scene(here: Site) -> Any:
        async with site(tmp_path, environ_=few) as there:
            for _ in range(2):
                await here.ended(await asked(here))
            there.keys["agent"] = here.keys["agent"]
            refused = [await each.post("/deliberations", QUESTION, "agent") for each in (here, there)]
            fork = await here.post(f"/deliberations/{await newest(here)}/fork", {"at": "answer"}, "agent")
            return [*refused, fork], await asked(here, "reviewer")

    refused, other = at_site(tmp_path, scene, environ_=few)

    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(429, "day_used_up")}
    assert all(0 < int(answer.headers["retry-after"]) <= 86_400 for answer in refused)
    assert other


async def newest(here: Site) -> str:
    [row, *_] = await here.serving.store.deliberations.newest(1)
    return row.id


def test_a_deliberation_stops_before_the_call_that_its_key_may_not_make_today(tmp_path: Path) -> None:
    calls = []

    def say(request: Any) -> str:
        calls.append(request.step)
        return SURE.replace("97 is prime", f"{request.seat} says {len(calls)}")

    async def scene(here: Site) -> Any:
        id_ = await asked(here, **SPIRAL)
        return await here.ended(id_)

    left = at_site(tmp_path, scene, models={MEMBER: scripted(say)}, environ_=environ(tmp_path, serve_day_calls="4"))

    assert calls == [f"exposition/m{number}" for number in (1, 2, 3)]
    assert (left["status"], left["stalled"]) == ("running", True)
    assert left["problem"].startswith("day_used_up: this key has taken")


def test_what_the_command_line_asks_is_no_keys_and_has_no_day(tmp_path: Path) -> None:
    async def scene(here: Site) -> Any:
        return [await at_the_command_line(here, MEMBER) for _ in range(3)]

    assert len(at_site(tmp_path, scene, environ_=environ(tmp_path, serve_day_calls="1"))) == 3
