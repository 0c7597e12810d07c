"""What is refused or fails on the way to a page is told by a page, and to a program by a problem document."""

import logging
import re
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from moot.core.errors import StoreError
from tests.web.kit import API, MEMBER, Site, at_site
from tests.web.pages.html_kit import check_page, one, parsed, words

FOREIGN_ORIGIN = {"Origin": "http://elsewhere.example"}
FOREIGN_HOST = {"Host": "elsewhere.example"}


@pytest.mark.parametrize(
    ("headers", "said"), [(FOREIGN_ORIGIN, "elsewhere.example"), (FOREIGN_HOST, "MOOT_SERVE_HOSTS")]
)
def test_what_comes_from_elsewhere_is_refused_by_a_page(tmp_path: Path, headers: dict[str, str], said: str) -> None:
    async def scene(site: Site):
        client = site.client
        return await client.get("/", headers=headers), await client.get(f"{API}/flags", headers=headers)

    page, api = at_site(tmp_path, scene)

    assert said in words(parsed(page, 403), "main")
    assert (api.status_code, api.headers["content-type"]) == (403, "application/problem+json")


def test_whoever_asks_for_pages_too_fast_is_told_by_a_page_when_to_come_again(tmp_path: Path) -> None:
    async def scene(site: Site):
        while (page := await site.client.get("/in")).status_code == 200:
            pass
        return page, await site.client.get(f"{API}/flags")

    page, api = at_site(tmp_path, scene, rate=0.1)

    assert "try again" in words(parsed(page, 429), "main").lower()
    assert int(page.headers["retry-after"]) in range(1, 11)
    assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert api.json()["code"] == "too_many_requests"


def test_a_body_that_is_no_form_is_refused_by_a_page(tmp_path: Path) -> None:
    async def scene(site: Site):
        return await site.client.post("/in", json={"key": "x"})

    assert "a page takes forms" in words(parsed(at_site(tmp_path, scene), 422), "main").lower()


def test_a_fault_of_the_servers_own_is_a_page_that_tells_nothing_of_the_machine(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(site: Site):
        async def broken(*_: object) -> None:
            raise StoreError("/var/secret/moot.db is no database")

        site.serving.sessions.find = broken  # ty: ignore[invalid-assignment]
        return await site.client.get("/", headers={"Cookie": "moot_80=" + "x" * 43})

    with caplog.at_level(logging.ERROR):
        page = at_site(tmp_path, scene)

    assert words(parsed(page, 503), "main .card p") == "The server cannot do this just now; ask again in a while."
    assert "secret" not in page.text and "secret" in caplog.text


FOR_A_SHELL = re.compile(r"--[a-z]|`moot |(?:GET|POST) /")


def test_no_page_tells_its_reader_of_options_commands_or_endpoints_where_something_is_refused(tmp_path: Path) -> None:
    question = {"question": "Is 97 a prime number?", "protocol": "single", "member": MEMBER, "do": "ask"}
    costly = {**question, "member": [MEMBER, "scripted:unpriced"], "budget-usd": "1", "protocol": "vote"}

    async def scene(site: Site) -> dict[str, Response]:
        id_ = (await site.post("/deliberations", {"question": "Why?", "protocol": "single"})).json()["id"]
        await site.ended(id_)
        read = ["/d/none", "/d/none/fork", "/compare?d=none&d=other", "/board/none", f"/board/{id_}", "/board/x/L1.1"]
        read += [
            f"/d/{id_}/steps/zz",
            f"/d/{id_}/turns/zz",
            "/flags/none",
            "/evals/none",
            "/evals/none/a/i",
        ]
        sent: list[tuple[str, dict[str, Any]]] = [
            (f"/d/{id_}/resume", {}),
            ("/d/none/stop", {}),
            (f"/d/{id_}/fork", {"at": "nowhere", "members": "nobody", "once": "a"}),
            (f"/d/{id_}/argument/contest", {"claim": "none", "reason": "wrong"}),
            ("/board", {"claim": "", "once": "b"}),
            ("/keys/moot_none/revoke", {}),
            ("/ask", {**question, "question": "", "protocol": "none"}),
            ("/ask", costly),
            ("/ask", {**question, "protocol": "debate", "once": "c"}),
            ("/ask", {**question, "document-name": "a", "document-text": "long " * 100_000, "once": "d"}),
        ]
        answers = {path: await site.page(path) for path in read}
        return {**answers, **{f"{path} {form}"[:300]: await site.page(path, form=form) for path, form in sent}}

    pages = at_site(tmp_path, scene)

    told = {address: _words_of_a_refusal(page) for address, page in pages.items() if page.status_code >= 400}
    assert len(told) >= len(pages) - 2
    assert not {address: said for address, said in told.items() if FOR_A_SHELL.search(said)}


def _words_of_a_refusal(page: Response) -> str:
    """What a page says, but for what it offers as a command."""
    main = one(check_page(page.text), "main")
    for command in main.select("pre"):
        command.decompose()
    return " ".join(main.get_text(" ").split())
