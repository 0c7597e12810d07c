"""Signing in at a page: by a key, by a one-time link; and what never happens to a key on the way."""

import asyncio
import contextlib
import logging
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from moot.core.errors import TooManyRequests
from moot.service.limits.paces import BURST_SECONDS, RateLimiter
from moot.web.app import create_app
from moot.web.pages.headers import POLICY
from moot.web.pages.signing import LONGEST_PATH, local_path
from moot.web.server import ATTEMPTS_A_SECOND, open_serving
from tests.web.kit import API, Site, at_site, environ

OWN = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
BY_HAND = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
WRONG = "moot_00000000_" + "x" * 43


@dataclass
class Browser:
    """Somebody at a browser, with the cookies and the history of their own."""

    site: Site
    cookies: dict[str, str] = field(default_factory=dict)
    history: list[httpx2.Response] = field(default_factory=list)

    async def open(self, path: str, **headers: str) -> httpx2.Response:
        return await self._send("GET", path, {**BY_HAND, **headers})

    async def send(self, path: str, form: dict[str, str] | None = None, **headers: str) -> httpx2.Response:
        return await self._send("POST", path, {**OWN, **headers}, data=form or {})

    async def _send(self, method: str, path: str, headers: dict[str, str], **body: Any) -> httpx2.Response:
        sent = {**headers, **({"Cookie": "; ".join(map("=".join, self.cookies.items()))} if self.cookies else {})}
        answer = await self.site.client.request(method, path, headers=sent, **body)
        self.site.client.cookies.clear()
        for line in answer.headers.get_list("set-cookie"):
            name, _, rest = line.partition("=")
            text = rest.partition(";")[0]
            self.cookies = {**self.cookies, name: text} if text.strip('"') else {}
        self.history.append(answer)
        return answer


def test_a_key_opens_a_session_that_pages_and_the_api_take(tmp_path: Path) -> None:
    async def scene(site):
        ada = Browser(site)
        asked = await ada.open("/in?to=/d/x%3Ftab%3Drounds")
        opened = await ada.send("/in", {"key": f" {site.keys['reviewer']}\n", "to": "/d/x?tab=rounds"})
        api = await ada.open(f"{API}/flags")
        back = await ada.open("/in?to=/ask")
        out = await ada.send("/out")
        return asked, opened, api, back, out, await ada.open(f"{API}/flags"), ada

    asked, opened, api, back, out, after, ada = at_site(tmp_path, scene)

    assert asked.status_code == 200 and 'value="/d/x?tab=rounds"' in asked.text
    assert (opened.status_code, opened.headers["location"]) == (303, "/d/x?tab=rounds")
    cookie = re.sub(r"=[\w-]{43};", "=TEXT;", opened.headers["set-cookie"])
    assert cookie == "moot_80=TEXT; HttpOnly; Max-Age=604800; Path=/; SameSite=strict"
    assert api.status_code == 200
    assert (back.status_code, back.headers["location"]) == (303, "/ask")
    assert (out.status_code, out.headers["location"]) == (303, "/in")
    assert ada.cookies == {}
    assert after.json()["code"] == "key_required"


def test_a_session_that_was_signed_out_is_over_for_whoever_kept_its_cookie(tmp_path: Path) -> None:
    async def scene(site):
        ada = Browser(site)
        await ada.send("/in", {"key": site.keys["admin"]})
        first = Browser(site, dict(ada.cookies))
        await ada.send("/in", {"key": site.keys["admin"]})
        second = Browser(site, dict(ada.cookies))
        await ada.send("/out")
        page = await second.open("/in?to=/ask")
        return [(await thief.open(f"{API}/claims")).json()["code"] for thief in (first, second)], page

    codes, page = at_site(tmp_path, scene)

    assert codes == ["signed_out", "signed_out"]
    assert page.status_code == 200 and "You have been signed out" in page.text


def test_behind_a_proxy_with_https_the_cookie_goes_no_other_way(tmp_path: Path) -> None:
    async def scene(site):
        ada = Browser(site)
        opened = await ada.send("/in", {"key": site.keys["admin"]})
        plain = Browser(site, {"moot_80": next(iter(ada.cookies.values()))})
        codes = [(await browser.open(f"{API}/claims")).status_code for browser in (ada, plain)]
        return opened.headers["set-cookie"], codes, (await ada.send("/out")).headers["set-cookie"]

    opened, codes, dropped = at_site(tmp_path, scene, environ_=environ(tmp_path, serve_https="1"))

    assert opened.startswith("__Host-moot_443=") and opened.endswith("; Path=/; SameSite=strict; Secure")
    assert codes == [200, 401]
    assert dropped.startswith("__Host-moot_443=") and "Max-Age=0" in dropped and "Secure" in dropped


@pytest.mark.parametrize(
    "to",
    [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "javascript:alert(1)",
        "evil.example",
        "///evil.example",
        "//[",
        "/in",
        "/in/token",
        "/out",
        f"{API}/claims",
        "/" + "x" * LONGEST_PATH,
        "/d/x\u202e",
        "",
    ],
)
def test_whoever_signs_in_is_sent_nowhere_else(to: str) -> None:
    assert local_path(to) == "/"


@pytest.mark.parametrize("to", ["/", "/ask", "/d/abc/argument?refute=c1&tab=x", "/inside", "/d/ü?q=a%20b"])
def test_whoever_signs_in_goes_on_where_they_wanted_to(to: str) -> None:
    assert local_path(to) == to


def test_an_address_that_leads_elsewhere_is_neither_followed_nor_shown(tmp_path: Path) -> None:
    async def scene(site):
        ada = Browser(site)
        asked = await ada.open("/in?to=https://evil.example/")
        opened = await ada.send("/in", {"key": site.keys["admin"], "to": "//evil.example"})
        return asked.text, opened.headers["location"], (await ada.open("/in?to=//evil.example")).headers["location"]

    asked, opened, again = at_site(tmp_path, scene)

    assert "evil.example" not in asked
    assert (opened, again) == ("/", "/")


def test_a_key_is_never_in_an_address_a_page_or_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def scene(site):
        ada = Browser(site)
        for key in (WRONG, site.keys["admin"]):
            await ada.send("/in", {"key": key, "to": "/ask"})
            await ada.open("/in")
        await ada.open(f"/in/{site.serving.links.make(await site.serving.keys.first_admin())}")
        await ada.send("/out")
        return ada, [site.keys["admin"], WRONG]

    ada, keys = at_site(tmp_path, scene, pause=0.0)

    [wrong] = [answer for answer in ada.history if answer.status_code == 401]
    answers = [f"{answer.url} {answer.headers} {answer.text}" for answer in ada.history]
    logged = [record.getMessage() for record in caplog.records]
    assert "This key opens nothing here" in wrong.text
    for key in keys:
        assert not [text for text in (*answers, *logged) if key[14:] in text]


def test_a_wrong_key_is_answered_late_and_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = []

    async def noted(seconds: float) -> None:
        waited.append(seconds)

    async def scene(site):
        ada = Browser(site)
        monkeypatch.setattr("moot.web.access.asyncio.sleep", noted)
        answers = [await ada.send("/in", {"key": key}) for key in (WRONG, "", site.keys["admin"])]
        return [answer.status_code for answer in answers]

    assert at_site(tmp_path, scene, pause=7.0) == [401, 401, 303]
    assert waited == [7.0, 7.0]


class HeldClock:
    time = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


def test_wrong_keys_are_paced_by_address_and_right_ones_are_not(tmp_path: Path) -> None:
    clock = HeldClock()

    async def scene() -> tuple[Any, ...]:
        async with open_serving(environ(tmp_path)) as serving:
            limits = replace(serving.limits, pause=0.0)
            app = create_app(replace(serving, limits=limits, attempts=RateLimiter(1.0, clock)))
            async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost") as client:
                key = (await serving.keys.make("Ada", ["agent"]))[1]

                async def tried(text: str) -> httpx2.Response:
                    client.cookies.clear()
                    return await client.post("/in", data={"key": text}, headers=OWN)

                right = [(await tried(key)).status_code for _ in range(9)]
                wrong = await asyncio.gather(*(tried(WRONG) for _ in range(100)))
                refused = await tried(key)
                clock.time += 1
                return right, wrong, refused, [(await tried(text)).status_code for text in (key, key, WRONG, WRONG)]

    right, wrong, refused, later = asyncio.run(scene())

    assert right == [303] * 9
    assert Counter(answer.status_code for answer in wrong) == {401: 4, 429: 96}
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "Wait 1 s" in refused.text and "set-cookie" not in refused.headers
    assert later == [303, 303, 401, 429]


def test_of_ten_thousand_wrong_keys_in_ten_seconds_a_few_are_looked_at() -> None:
    clock, looked_at = HeldClock(), 0
    pace = RateLimiter(ATTEMPTS_A_SECOND, clock)

    for _ in range(10_000):
        clock.time += 0.001
        with contextlib.suppress(TooManyRequests):
            pace.count("address 10.0.0.7")
            looked_at += 1

    # Whoever is refused and does not wait begins to wait anew.
    assert looked_at == BURST_SECONDS * ATTEMPTS_A_SECOND


def test_a_link_signs_in_once_however_often_it_is_fetched(tmp_path: Path) -> None:
    async def scene(site):
        ada, bea = Browser(site), Browser(site)
        link = f"/in/{site.serving.links.make(await site.serving.keys.named('reviewer'))}"
        shown = [await bea.open(link) for _ in range(20)]
        used = await ada.send(link)
        again = [await bea.send(link), await bea.open(link)]
        return shown, used, again, await ada.open(f"{API}/flags"), bea

    shown, used, again, flags, bea = at_site(tmp_path, scene)

    assert {answer.status_code for answer in shown} == {200}
    assert "Open Moot as reviewer" in shown[-1].text
    assert (used.status_code, used.headers["location"]) == (303, "/")
    assert flags.status_code == 200
    assert [answer.status_code for answer in again] == [410, 410]
    assert all("has been used" in answer.text and 'href="/in"' in answer.text for answer in again)
    assert bea.cookies == {}


def test_a_link_whose_key_was_revoked_is_refused_in_words(tmp_path: Path) -> None:
    async def scene(site):
        key = await site.serving.keys.named("admin")
        link = f"/in/{site.serving.links.make(key)}"
        await site.serving.keys.revoke(key.prefix)
        return await Browser(site).open(link), await Browser(site).send(link), await Browser(site).open("/in/nonsense")

    looked, used, nonsense = at_site(tmp_path, scene)

    assert [answer.status_code for answer in (looked, used, nonsense)] == [410, 410, 410]
    assert "has been revoked" in looked.text and "has been revoked" in used.text
    assert "set-cookie" not in used.headers


def test_a_page_that_nobody_may_see_leads_to_the_door_and_back(tmp_path: Path) -> None:
    async def scene(site):
        nobody = Browser(site)
        pages = [await nobody.open(path) for path in ("/", "/d/x?tab=1&q=a%20b", "/nothing/here", "/out")]
        late = await Browser(site, {"moot_80": "x" * 43}).open("/ask")
        api = await nobody.open(f"{API}/claims")
        sent = await nobody.send("/ask", {"question": "Why?"})
        static = await nobody.open("/static/0/moot.css")
        return [*pages, late], [answer.status_code for answer in (api, static)], sent

    pages, others, sent = at_site(tmp_path, scene)

    assert {answer.status_code for answer in pages} == {303}
    assert [answer.headers["location"] for answer in pages] == [
        "/in",
        "/in?to=/d/x%3Ftab%3D1%26q%3Da%2520b",
        "/in?to=/nothing/here",
        "/in?to=/out",
        "/in?to=/ask",
    ]
    assert others == [401, 404]
    assert sent.status_code in (401, 404, 405)


def test_the_door_has_the_headers_of_a_page_and_no_script_or_style_of_its_own(tmp_path: Path) -> None:
    async def scene(site):
        token = site.serving.links.make(await site.serving.keys.first_admin())
        return [await Browser(site).open(path) for path in ("/in", f"/in/{token}", "/in/gone")]

    pages = at_site(tmp_path, scene)

    for page in pages:
        assert page.headers["content-security-policy"] == POLICY
        assert page.headers["cache-control"] == "no-store"
        assert not re.search(r"<style|\sstyle=|<script(?![^>]* src=)|\son\w+=", page.text)
