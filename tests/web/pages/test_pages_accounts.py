"""What was spent, and who may come in: the pages of usage and of keys."""

import asyncio
import csv
import io
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import insert, select, update

from moot.core.moments import iso_moment
from moot.service.reading.usage import MOST_LINES
from moot.store import schema
from moot.web.pages.accounts.keys import SENT_BEFORE
from tests.web.kit import Site, at_site
from tests.web.pages.html_kit import attribute, one, parsed, words
from tests.web.test_web_usage import asked, send_on

KEY = re.compile(r"moot_[0-9a-f]{8}_[\w-]{43}")


def table(page: BeautifulSoup, selector: str = "#usage table") -> dict[str, list[str]]:
    return {
        words(row, "th"): [" ".join(cell.get_text(" ").split()) for cell in row.select("td")]
        for row in one(page, selector).select("tbody tr")
    }


# Usage


def test_usage_is_shown_by_day_model_and_key_as_a_chart_a_table_and_a_file(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[dict[str, BeautifulSoup], httpx2.Response]:
        for day in ("2026-01-30", "2026-01-30", "2026-02-02"):
            await send_on(site, await asked(site), day)
        paths = ("/usage", "/usage?by=model&show=tokens", "/usage?by=key&since=2026-01-31&until=2026-02-02")
        paths += ("/usage?show=dollars", "/usage?show=seconds", "/usage?since=2999-01-01")
        pages = {path: parsed(await site.page(path)) for path in paths}
        return pages, await site.page("/usage.csv?by=day&until=2026-01-31")

    pages, file = at_site(tmp_path, scene)

    by_day = pages["/usage"]
    assert {day: cells[0] for day, cells in table(by_day).items()} == {"2026-02-02": "1", "2026-01-30": "2"}
    assert words(by_day, "tfoot th") == "in all" and words(by_day, "tfoot td") == "3"
    label = attribute(by_day, "#usage svg", "aria-label")
    assert label == "calls by day: 3 in all, the most for 2026-01-30: 2"
    # A day on which nothing was asked has its place.
    assert len(by_day.select("#usage rect")) == 4
    assert "tokens by model" in (attribute(pages["/usage?by=model&show=tokens"], "#usage svg", "aria-label") or "")
    by_key = pages["/usage?by=key&since=2026-01-31&until=2026-02-02"]
    assert [(name.split()[0], cells[0]) for name, cells in table(by_key).items()] == [("admin", "1")]
    assert attribute(by_key, "#since", "value") == "2026-01-31" and attribute(by_key, "#until", "value") == "2026-02-02"
    assert attribute(by_key, "#usage-tabs [aria-current]", "href") == (
        "/usage?by=key&since=2026-01-31&until=2026-02-02"
    )
    assert "No call was made in this span" in words(pages["/usage?since=2999-01-01"], "#usage")
    rows = list(csv.reader(io.StringIO(file.text)))
    assert file.headers["content-disposition"] == 'attachment; filename="usage-by-day.csv"'
    assert rows[0][:3] == ["day", "calls", "tokens_in"] and [row[:2] for row in rows[1:]] == [["2026-01-30", "2"]]


def test_usage_of_nobody_is_a_sentence_and_an_agent_sees_its_own_alone(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup, str, BeautifulSoup]:
        empty = parsed(await site.page("/usage"))
        await asked(site, "admin")
        await asked(site, "agent")
        await asked(site, "agent")
        own = parsed(await site.page("/usage?by=key", "agent"))
        return empty, own, (await site.page("/usage.csv?by=key", "agent")).text, parsed(await site.page("/usage"))

    empty, own, file, all_ = at_site(tmp_path, scene)

    assert words(empty, ".empty") == "No call was made yet."
    assert [(name.split()[0], cells[0]) for name, cells in table(own).items()] == [("agent", "2")]
    assert "that you asked for" in words(own, ".head") and "that you asked for" not in words(all_, ".head")
    assert [line.split(",")[0] for line in file.splitlines()] == ["key", "agent"]
    assert words(all_, "tfoot td") == "3"


@pytest.mark.parametrize("query", ["since=soon", "until=2026-13-01", "since=99999-01-01"])
def test_a_day_that_there_is_not_is_told_at_the_form_that_keeps_what_was_typed(tmp_path: Path, query: str) -> None:
    async def scene(site: Site) -> Any:
        refused = parsed(await site.page(f"/usage?by=model&{query}"), 422)
        return refused, [(await site.page(path)).status_code for path in (f"/usage.csv?{query}", "/usage?by=week")]

    page, codes = at_site(tmp_path, scene)

    assert "is no day and no moment" in words(page, ".problem") or "end of time" in words(page, ".problem")
    assert codes == [422, 422]
    assert attribute(page, '[name="by"]', "value") == "model"


def test_a_model_whose_name_is_an_attack_is_a_name_on_the_page_and_no_formula_in_the_file(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, str]:
        id_ = await asked(site)
        named = update(schema.attempts).where(schema.attempts.c.deliberation == id_).values(model=attack)
        await site.serving.store.writer.run(lambda connection: connection.execute(named), alone="test")
        return parsed(await site.page("/usage?by=model")), (await site.page("/usage.csv?by=model")).text

    attack = "=cmd()|<img src=x onerror=alert(1)>"
    page, file = at_site(tmp_path, scene)

    assert next(iter(table(page))) == attack and not page.select("#usage img")
    assert next(csv.reader(file.splitlines()[1:]))[0] == f"'{attack}"


def test_of_more_lines_than_a_page_has_room_for_the_rest_is_counted(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        id_ = await asked(site)
        kept = schema.attempts

        def copy(connection: Any) -> None:
            row = connection.execute(select(kept).where(kept.c.deliberation == id_)).mappings().one()
            rows = [{**row, "step": f"s{n}", "sent": 86_400.0 * n, "position": n + 9} for n in range(1, MOST_LINES + 6)]
            connection.execute(insert(kept), rows)

        await site.serving.store.writer.run(copy, alone="test")
        return parsed(await site.page("/usage"))

    page = at_site(tmp_path, scene)

    assert "6 more are left out: earlier days" in words(page, "#usage")
    assert len(table(page)) == MOST_LINES
    assert words(page, "tfoot td") == str(MOST_LINES + 6)
    assert len(page.select("#usage rect")) == 92


# Keys


def test_a_key_is_made_shown_once_and_opens_at_once(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        empty = parsed(await site.page("/keys"))
        once = attribute(empty, ".new-key [name=once]", "value")
        form = {"name": " reader ", "scope": ["agent", "reviewer"], "once": once}
        answer = await site.page("/keys", form=form)
        again = await site.page("/keys", form=form)
        text = KEY.search(answer.text)
        assert text
        opened = await site.get("/flags", text[0])
        return answer, again, await site.page("/keys"), text[0], opened.status_code, await site.serving.keys.list()

    answer, again, later, text, opened, keys = at_site(tmp_path, scene)

    page = parsed(answer, 201)
    assert words(page, "#new-key") == text and attribute(page, "[data-copy]", "data-copy") == text
    assert answer.headers["cache-control"] == "no-store"
    assert opened == 200
    assert [key.name for key in keys] == ["agent", "reviewer", "admin", "reader"]
    assert words(parsed(again, 409), "#new-problem") == SENT_BEFORE
    secret = text.rpartition("_")[2]
    assert secret not in again.text and secret not in later.text
    assert "agent, reviewer" in words(parsed(later), f"#key-{keys[-1].prefix}")


@pytest.mark.parametrize(
    ("name", "scopes", "problem"),
    [
        ("agent", ["agent"], "there is or was a key 'agent'; choose another name, such as 'agent-2'"),
        ("", ["agent"], "name"),
        ("two\nlines", ["agent"], "name"),
        ("nobody", [], "scope"),
        ("nobody", ["root"], "root"),
        ("x" * 5_000, ["agent"], "name"),
    ],
)
def test_what_makes_no_key_is_told_and_nothing_that_was_typed_is_lost(
    tmp_path: Path, name: str, scopes: list[str], problem: str
) -> None:
    async def scene(site: Site) -> Any:
        answer = await site.page("/keys", form={"name": name, "scope": scopes, "once": "o"})
        fine = await site.page("/keys", form={"name": "other", "scope": ["agent"], "once": "o"})
        return answer, fine, len(await site.serving.keys.list())

    answer, fine, kept = at_site(tmp_path, scene)

    page = parsed(answer, 422)
    assert problem in words(page, "#new-problem")
    assert attribute(page, "#name", "value") == name.strip()[:100]
    checked = [str(box["value"]) for box in page.select("[name=scope]") if box.has_attr("checked")]
    assert checked == [scope for scope in scopes if scope != "root"]
    # What failed was not done: the same form may be sent again.
    assert fine.status_code == 201 and kept == 4


def test_a_revoked_key_opens_nothing_and_is_kept_in_the_list(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        key = await site.serving.keys.find(site.keys["agent"])
        assert key
        await site.page("/", "agent")
        before = parsed(await site.page("/keys"))
        done = await site.page(f"/keys/{key.prefix}/revoke", form={"once": "o"})
        twice = await site.page(f"/keys/{key.prefix}/revoke", form={"once": "p"})
        codes = [(await site.get("/flags", "agent")).status_code, (await site.page("/", "agent")).status_code]
        unknown = await site.page("/keys/moot_00000000/revoke", form={"once": "q"})
        return key, before, done, twice, codes, unknown.status_code, parsed(await site.page("/keys"))

    key, before, done, twice, codes, unknown, after = at_site(tmp_path, scene)

    row = words(before, f".keys #key-{key.prefix}")
    assert "1 session of a browser ends with it" in row and "It is your own" not in row and "No other key" not in row
    assert [(each.status_code, each.headers["location"]) for each in (done, twice)] == [(303, "/keys")] * 2
    assert codes == [401, 303] and unknown == 404
    assert not after.select(f".keys #key-{key.prefix}")
    assert "agent" in words(after, f"#key-{key.prefix}") and words(after, "#revoked-title + small") == "1"


def test_whoever_revokes_their_own_key_is_told_so_before_and_is_signed_out(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        key = await site.serving.keys.find(site.keys["admin"])
        assert key
        page = parsed(await site.page("/keys"))
        done = await site.page(f"/keys/{key.prefix}/revoke", form={"once": "o"})
        return words(page, f"#key-{key.prefix}"), done, await site.page("/keys"), await site.get("/usage")

    row, done, page, api = at_site(tmp_path, scene)

    assert "It is your own: you will be signed out." in row
    assert "No other key has the scope admin" in row
    assert done.status_code == 303
    assert (page.status_code, page.headers["location"]) == (303, "/in?to=/keys")
    assert api.status_code == 401


def test_keys_are_for_admins_alone_and_nobody_else_is_shown_the_way_there(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        key = await site.serving.keys.find(site.keys["admin"])
        assert key
        refused = []
        for scope in ("agent", "reviewer"):
            refused.append((await site.page("/keys", scope)).status_code)
            refused.append((await site.page("/keys", scope, form={"name": "mine", "scope": ["admin"]})).status_code)
            refused.append((await site.page(f"/keys/{key.prefix}/revoke", scope, form={})).status_code)
        rails = {scope: parsed(await site.page("/", scope)) for scope in ("agent", "reviewer", "admin")}
        return refused, rails, await site.serving.keys.list()

    refused, rails, keys = at_site(tmp_path, scene)

    assert refused == [403] * 6
    assert [key.revoked for key in keys] == [None] * 3
    shown = {scope: [str(link["href"]) for link in page.select("nav a")] for scope, page in rails.items()}
    assert all({"/compare", "/usage"} <= set(links) for links in shown.values())
    assert [scope for scope, links in shown.items() if "/keys" in links] == ["admin"]


def test_the_list_says_when_each_key_was_seen_last_and_never_of_one_that_was_not(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, float]:
        await site.get("/flags", "reviewer")
        return parsed(await site.page("/keys")), site.serving.clock.now()

    page, now = at_site(tmp_path, scene)

    seen = {words(row, "th"): row.select("td")[3] for row in page.select(".keys tbody tr")}
    assert {name: "never" in cell.get_text() for name, cell in seen.items()} == {
        "agent": True,
        "reviewer": False,
        "admin you": False,
    }
    assert str(one(seen["reviewer"], "time")["datetime"])[:13] == iso_moment(now)[:13]


def test_two_admins_who_give_one_name_at_once_make_one_key(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[int], int]:
        sent = [site.page("/keys", form={"name": "shared", "scope": "agent", "once": f"o{n}"}) for n in range(4)]
        codes = sorted(answer.status_code for answer in await asyncio.gather(*sent))
        return codes, sum(key.name == "shared" for key in await site.serving.keys.list())

    assert at_site(tmp_path, scene) == ([201, 422, 422, 422], 1)
