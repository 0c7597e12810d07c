"""Streams that keep pages up: what has changed and nothing else, once, and for whom it may be shown."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from moot.core.calls import Request
from moot.core.events import Noted, event_text
from moot.testing import scripted
from moot.web.access import Caller
from moot.web.pages.assets import digest
from moot.web.pages.heading import heading_of
from moot.web.pages.shown.answers import ANSWER_PARTS
from moot.web.pages.shown.panes import ROUNDS_PARTS
from moot.web.pages.shown.renderings import SHELL_PARTS, RenderedPage, Renderings
from tests.web.kit import MEMBER, SURE, Site, at_site
from tests.web.pages.html_kit import attribute, check_part, parsed
from tests.web.pages.records_kit import golden, keep

SECRET = "nobody else may hear this before the round is over"


@dataclass
class Listening:
    """What one tab of a browser is told."""

    told: list[tuple[str, Any, str | None]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def named(self, name: str) -> list[Any]:
        return [data for each, data, _ in self.told if each == name]

    async def until(self, fits: Callable[["Listening"], Any]) -> Any:
        """Wait until what was told fits, and return in what way."""
        async with asyncio.timeout(30):
            while not (found := fits(self)):
                self.news.clear()
                await self.news.wait()
        return found

    @property
    def parts(self) -> dict[str, str]:
        """The latest of each part."""
        return {id_: html for data in self.named("parts") for id_, html in data["parts"].items()}

    @property
    def text(self) -> str:
        return json.dumps(self.told)


async def events(site: Site, path: str, headers: dict[str, str], listening: Listening) -> int:
    async with site.client.stream("GET", path, headers=headers) as answer:
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            if "data" in event:
                listening.told.append((event["event"], json.loads(event["data"]), event.get("id")))
                listening.news.set()
            event = {}
        return answer.status_code


@asynccontextmanager
async def listening_to(
    site: Site, path: str, as_: str = "admin", **headers: str
) -> AsyncGenerator[tuple[Listening, "asyncio.Task[int]"]]:
    """Give what a signed-in browser hears of a stream while the block lasts."""
    heard = Listening()
    sent = {"Cookie": await site.cookie(as_), "Sec-Fetch-Site": "same-origin", **headers}
    task = asyncio.ensure_future(events(site, path, sent, heard))
    try:
        async with asyncio.timeout(60):
            yield heard, task
    finally:
        task.cancel()


def gated(gates: dict[str, asyncio.Event], said: dict[str, str]) -> dict[str, Any]:
    async def reply(request: Request) -> str:
        await gates.setdefault(request.seat, asyncio.Event()).wait()
        return said.get(request.seat, SURE)

    return {MEMBER: scripted(reply)}


async def begun(site: Site, members: int = 1, protocol: str = "single", as_: str = "admin") -> str:
    order = {"question": "Is 97 a prime number?", "protocol": protocol, "members": [f"{MEMBER}*{members}"]}
    made = await site.post("/deliberations", order, as_)
    assert made.status_code == 201, made.text
    return made.json()["id"]


def live(tmp_path: Path, scene: Callable[[Site], Awaitable[Any]], **options: Any) -> Any:
    return at_site(tmp_path, scene, live=True, **options)


def test_a_page_is_kept_up_until_its_end_by_the_parts_that_the_page_itself_is_made_of(tmp_path: Path) -> None:
    gates: dict[str, asyncio.Event] = {}

    async def scene(site: Site) -> tuple[Listening, BeautifulSoup, int, BeautifulSoup]:
        id_ = await begun(site)
        before = parsed(await site.page(f"/d/{id_}"))
        address, after = (attribute(before, "#connection", f"data-{name}") for name in ("live", "after"))
        async with listening_to(site, f"{address}&after={after}") as (heard, task):
            await heard.until(lambda one: one.named("now") and any(seat["doing"] for seat in one.named("now")[-1]))
            gates["m1"].set()
            await task
        last = [id_ for name, _, id_ in heard.told if name == "parts"][-1] or ""
        async with listening_to(site, f"/d/{id_}/live", **{"Last-Event-ID": last}) as (nothing, again):
            code = await again
        assert not nothing.told
        return heard, parsed(await site.page(f"/d/{id_}")), code, before

    heard, page, code, before = live(tmp_path, scene, models=gated(gates, {}))

    assert heard.told[0][:2] == ("hello", {"version": digest()})
    assert heard.told[-1][:2] == ("end", {"status": "complete"})
    assert "97 is prime" not in before.get_text() and "97 is prime" in heard.parts["part-answer"]
    assert set(heard.parts) == {*SHELL_PARTS, *ANSWER_PARTS}
    for id_, html in heard.parts.items():
        check_part(html)
        shown = page.find(id=id_)
        assert shown and squeezed(shown) == squeezed(BeautifulSoup(html, "html.parser")), id_
    assert said_by(heard)[-1] == "It has ended: complete."
    assert heard.named("parts")[-1]["title"] == "Is 97 a prime number?"
    seqs = [int(id_) for name, _, id_ in heard.told if name == "parts" and id_]
    assert seqs == sorted(seqs) and code == 204


def squeezed(part: Any) -> str:
    """The words of a part, without what every page makes afresh."""
    return " ".join(part.get_text(" ").split())


def test_what_has_not_changed_is_not_sent_again_and_many_events_come_together(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[Listening, int]:
        texts = golden("debate_flagged")
        await keep(site, texts[:6], "d")
        async with listening_to(site, "/d/d/live?tab=answer") as (heard, _):
            await heard.until(lambda one: one.named("parts"))
            async with site.serving.store.hold("d") as hold:
                for seq in range(6, 206):
                    await hold.journal.emit([(seq, event_text(Noted(f"note {seq}", {"n": seq})))])
            await heard.until(lambda one: one.named("parts")[-1]["seq"] == 205)
        return heard, 200

    heard, many = live(tmp_path, scene)

    later = heard.named("parts")[1:]
    assert 0 < len(later) < many / 2
    assert all("part-happened" in data["parts"] for data in later)
    assert not any("part-time" in data["parts"] or "part-why" in data["parts"] for data in later)
    assert later[-1]["events"] == 206


def test_who_speaks_is_said_and_what_was_said_only_once_the_last_of_its_round_is_in(tmp_path: Path) -> None:
    gates: dict[str, asyncio.Event] = {}
    said = {"m1": json.dumps({"reasoning": SECRET, "answer": SECRET, "confidence": 0.9})}

    async def scene(site: Site) -> tuple[str, list[Any], str]:
        id_ = await begun(site, 2, "vote")
        async with listening_to(site, f"/d/{id_}/live?tab=answer") as (heard, task):
            await heard.until(lambda one: doing(one, "m1") and doing(one, "m2"))
            gates["m1"].set()
            await heard.until(lambda one: doing(one, "m1") == "answered" and doing(one, "m2") in ("asking", "speaking"))
            page = (await site.page(f"/d/{id_}")).text
            before, now = heard.text + page, heard.named("now")[-1]
            gates["m2"].set()
            await task
        return before, now, heard.text

    before, now, after = live(tmp_path, scene, models=gated(gates, said))

    assert SECRET not in before and SECRET in after
    assert {seat["seat"] for seat in now} == {"m1", "m2"}
    assert all(set(seat) == {"seat", "doing", "words", "under_way"} for seat in now)


def test_panel_and_budget_tell_the_same_of_what_is_under_way(tmp_path: Path) -> None:
    gates: dict[str, asyncio.Event] = {}

    async def scene(site: Site) -> tuple[list[list[str]], list[str], list[str]]:
        id_ = await begun(site, 2, "vote")
        told = []
        async with listening_to(site, f"/d/{id_}/live?tab=answer") as (heard, task):
            for words in ("0 spent, 2 under way", "1 spent, 1 under way"):
                await heard.until(lambda one, words=words: words in one.parts.get("part-budget", ""))
                parts = parsed_parts(heard)
                told.append([*figures_of(parts), calls_of(parts)])
                gates.setdefault("m1", asyncio.Event()).set()
            page = parsed(await site.page(f"/d/{id_}"))
            gates["m2"].set()
            await task
        ended = parsed_parts(heard)
        return told, [*figures_of(page), calls_of(page)], [*figures_of(ended), calls_of(ended)]

    (asked, one_is_in), page, ended = live(tmp_path, scene, models=gated(gates, {}))

    assert asked == ["1 call under way", "1 call under way", "0 spent, 2 under way, of 24"]
    assert one_is_in == page == ["", "1 call under way", "1 spent, 1 under way, of 24"]
    assert all("call" in words and "under way" not in words for words in ended[:2]) and ended[2] == "8 of 24"


def parsed_parts(heard: Listening) -> BeautifulSoup:
    """The page as its parts have made it."""
    return BeautifulSoup("".join(f'<div id="{id_}">{html}</div>' for id_, html in heard.parts.items()), "html.parser")


def calls_of(page: BeautifulSoup) -> str:
    """What the budget says of calls."""
    said = page.select_one('#part-budget [data-key="Calls"] dd')
    return said.get_text(strip=True) if said else ""


def test_a_run_that_is_stopped_and_gone_on_with_stands_so_on_every_page_that_is_open(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[dict[str, str], dict[str, str], list[str]]:
        id_ = await begun(site)
        async with (
            listening_to(site, f"/d/{id_}/live?tab=answer") as (heard, _),
            listening_to(site, f"/d/{id_}/live?tab=transcript") as (other, _),
        ):
            await heard.until(lambda one: doing(one, "m1"))
            await site.serving.runs.cancel(id_)
            for each in (heard, other):
                await each.until(lambda one: "Resume" in one.parts.get("part-actions", ""))
            await heard.until(lambda one: one.named("now")[-1] == [])
            stopped = heard.parts
            await site.page(f"/d/{id_}/resume", form={"once": "1"})
            for each in (heard, other):
                await each.until(lambda one: "Stop" in one.parts["part-actions"])
        return stopped, heard.parts, said_by(heard)

    stopped, resumed, said = live(tmp_path, scene, models=gated({}, {}))

    assert badge_of(stopped["part-facts"]) == ("left", "tone-warn") and badge_of(stopped["part-answer"])[0] == "left"
    assert badge_of(resumed["part-facts"]) == ("running", "tone-now")
    assert "not asked yet" in stopped["part-panel"]
    assert "under way" not in stopped["part-panel"] + stopped["part-budget"]
    assert said == ["It was stopped.", "It goes on."]


def test_who_has_stopped_a_run_is_shown_it_stopped_at_once(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[dict[str, str]]:
        id_ = await begun(site)
        async with listening_to(site, f"/d/{id_}/live?tab=answer") as (heard, _):
            await heard.until(lambda one: doing(one, "m1"))
            await site.page(f"/d/{id_}/stop", form={"once": "1"})
            async with listening_to(site, f"/d/{id_}/live?tab=answer") as (again, _):
                await again.until(lambda one: one.named("parts"))
        return [data["parts"] for data in again.named("parts")]

    first, *_ = live(tmp_path, scene, models=gated({}, {}))

    assert "Resume" in first["part-actions"] and "Stop" not in first["part-actions"]


def test_what_is_announced_of_one_that_goes_on_is_what_a_person_would_say(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[str]:
        await keep(site, golden("debate_flagged")[:8], "d", status="paused")
        async with listening_to(site, "/d/d/live?tab=answer") as (heard, _):
            await heard.until(lambda one: one.named("parts"))
            async with site.serving.store.hold("d") as hold:
                await hold.set_status("running")
                await heard.until(lambda one: said_by(one)[-1:] == ["It goes on."])
                await hold.set_status("paused")
                await heard.until(lambda one: said_by(one)[-1:] == ["It waits for somebody."])
                await hold.set_status("running")
                await heard.until(lambda one: said_by(one)[-1:] == ["It goes on."])
            await heard.until(lambda one: said_by(one)[-1:] == ["It was stopped."])
        return said_by(heard)

    assert len(live(tmp_path, scene)) == 4


def said_by(heard: Listening) -> list[str]:
    return [data["say"] for data in heard.named("parts") if data["say"]]


def badge_of(html: str) -> tuple[str, str]:
    badge = BeautifulSoup(html, "html.parser").select_one(".badge")
    assert badge
    return badge.get_text(), str(badge["class"][-1])


def figures_of(page: BeautifulSoup) -> list[str]:
    """What the panel says that each seat has taken."""
    return [each.get_text(" ", strip=True) for each in page.select("#part-panel .seats-list .figure")]


def doing(heard: Listening, seat: str) -> str:
    return next((each["doing"] for each in (heard.named("now") or [[]])[-1] if each["seat"] == seat), "")


def test_a_reader_whose_key_is_revoked_or_who_signs_out_is_told_and_let_go(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[Any]:
        await keep(site, golden("debate_flagged")[:6], "d", owner="agent")
        ends = []
        revoked = await site.serving.keys.find(site.keys["reviewer"])
        assert revoked
        for who, path in (
            ("reviewer", "/d/d/live?tab=rounds"),
            ("admin", "/d/d/live?tab=calls"),
            ("agent", "/live?d=d"),
        ):
            async with listening_to(site, path, who) as (heard, task):
                await heard.until(lambda one: one.named("hello"))
                if who == "reviewer":
                    await site.serving.keys.revoke(revoked.prefix)
                else:
                    await site.page("/out", who, form={})
                await task
            ends.append(heard.told[-1][:2])
        return ends

    assert live(tmp_path, scene) == [("gone", {"words": "You have been signed out here:"})] * 3


def test_a_server_that_stops_and_a_deliberation_that_is_deleted_are_told_to_whoever_watches(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[Any]:
        texts = golden("debate_flagged")[:6]
        await keep(site, texts, "d")
        await keep(site, texts, "e")
        async with (
            listening_to(site, "/d/d/live") as (deleted, first),
            listening_to(site, "/d/e/live?tab=transcript") as (stopped, second),
            listening_to(site, "/live?d=e") as (listed, third),
        ):
            for each in (deleted, stopped, listed):
                await each.until(lambda one: one.named("parts"))
            await site.page("/d/d/delete", form={"confirm": "d"})
            await first
            await site.serving.runs.stop()
            await site.serving.watch.stop()
            await second
            await third
        return [each.told[-1][:2] for each in (deleted, stopped, listed)]

    deleted, stopped, listed = live(tmp_path, scene)

    assert deleted == ("gone", {"words": "This deliberation has been deleted:"})
    assert stopped[0] == listed[0] == "stopping"


def test_the_list_moves_by_one_stream_that_tells_each_reader_of_what_it_may_see(tmp_path: Path) -> None:
    gates: dict[str, asyncio.Event] = {}

    async def scene(site: Site) -> tuple[Listening, Listening, BeautifulSoup]:
        id_ = await begun(site)
        await keep(site, golden("debate_flagged")[:6], "other")
        page = parsed(await site.page("/"))
        address = attribute(page, "#connection", "data-live") or ""
        assert set(address.partition("?")[2].split("&")) == {f"d={id_}", "d=other"}
        async with listening_to(site, f"/live?d={id_}") as (heard, task):
            await heard.until(lambda one: one.parts)
            gates["m1"].set()
            await task
        async with listening_to(site, f"/live?d={id_}", "agent") as (agents, task):
            await task
        ids.append(id_)
        return heard, agents, parsed(await site.page("/"))

    ids: list[str] = []
    heard, agents, page = live(tmp_path, scene, models=gated(gates, {}))

    assert [name for name, *_ in agents.told] == ["hello", "end"]
    assert heard.told[-1][0] == "end" and set(heard.parts) == {f"row-{ids[0]}"}
    assert "97 is prime" in heard.parts[f"row-{ids[0]}"]
    assert squeezed(page.find(id=f"row-{ids[0]}")) == squeezed(check_part(heard.parts[f"row-{ids[0]}"]))


def test_readers_with_the_same_rights_share_what_is_rendered_and_others_do_not(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[RenderedPage], RenderedPage, RenderedPage]:
        await keep(site, golden("debate_flagged")[:6], "d", owner="agent")
        serving, renderings = site.serving, Renderings()
        folded, head = await serving.folds.read("d", 5), await serving.folds.head("d", 5)

        async def page(as_: str, tab: str = "answer") -> RenderedPage:
            key = await serving.keys.find(site.keys[as_])
            assert key
            heading = heading_of(head, Caller(key.name, key.prefix, key.scopes))
            return await renderings.page(serving, heading, tab, {}, folded)

        return (
            await asyncio.gather(*(page("admin") for _ in range(20))),
            await page("agent"),
            await page("admin", "rounds"),
        )

    admins, agents, rounds = at_site(tmp_path, scene)

    assert all(page is admins[0] for page in admins)
    assert "Delete" in admins[0].parts["part-actions"] and "Delete" not in agents.parts["part-actions"]
    assert set(rounds.parts) == {*SHELL_PARTS, *ROUNDS_PARTS}
