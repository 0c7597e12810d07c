"""What is refused or fails on the way to a page is told by a page, and to a program by a problem document."""

import logging
from pathlib import Path

import pytest

from moot.core.errors import StoreError
from tests.web.kit import API, Site, at_site
from tests.web.pages.html_kit import parsed, words

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
