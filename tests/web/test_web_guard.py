"""What no request gets past: foreign hosts and pages, bodies too large, too deep or not text."""

import json
from pathlib import Path

import pytest

from tests.web.kit import at_site

CLAIMS = "/claims"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil", "[::1", "a b"])
def test_a_name_that_nobody_listed_is_refused(tmp_path: Path, host: str) -> None:
    async def scene(site):
        answer = await site.get(CLAIMS, headers={"Host": host})
        return answer.status_code, answer.json()["code"]

    assert at_site(tmp_path, scene) == (403, "foreign_host")


@pytest.mark.parametrize(
    "host", ["localhost", "moot-8017.localhost:8017", "127.0.0.1:1", "[::1]:8017", "10.0.0.7", "moot.lan"]
)
def test_this_machine_plain_addresses_and_listed_names_are_served(tmp_path: Path, host: str) -> None:
    async def scene(site):
        return (await site.get(CLAIMS, headers={"Host": host})).status_code

    assert at_site(tmp_path, scene, hosts=("moot.lan",)) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_web_page_cannot_drive_the_server(tmp_path: Path, headers: dict[str, str]) -> None:
    async def scene(site):
        answers = [await site.call(method, CLAIMS, headers=headers) for method in ("GET", "POST", "OPTIONS")]
        return {(answer.status_code, answer.json()["code"]) for answer in answers}

    assert at_site(tmp_path, scene) == {(403, "foreign_origin")}


def test_a_page_of_the_servers_own_origin_is_served(tmp_path: Path) -> None:
    async def scene(site):
        return (await site.get(CLAIMS, headers={"Origin": "http://localhost"})).status_code

    assert at_site(tmp_path, scene) == 200


def test_a_body_past_the_limit_is_refused_whether_announced_or_not(tmp_path: Path) -> None:
    async def chunks():
        for _ in range(20):
            yield b'"' + b"x" * 100

    async def scene(site):
        announced = await site.call("POST", CLAIMS, content=b"x" * 2000)
        streamed = await site.call("POST", CLAIMS, content=chunks())
        return [(answer.status_code, answer.json()["code"]) for answer in (announced, streamed)]

    assert at_site(tmp_path, scene, body=1000) == [(413, "body_too_large")] * 2


@pytest.mark.parametrize(
    "body",
    [
        b'{"claim": ' + b"[" * 500_000,
        b'{"claim": "x", "settings": ' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"}",
        b'{"claim": "x", "table": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"claim": "half \\ud800 a pair"}',
        b'{"claim": "a \\u0000 in it"}',
    ],
)
def test_a_body_that_nests_too_deep_or_is_no_text_is_refused(tmp_path: Path, body: bytes) -> None:
    async def scene(site):
        answer = await site.call("POST", CLAIMS, content=body, headers={"Content-Type": "application/json"})
        return (
            answer.status_code,
            (await site.get("/health", as_=None)).status_code,
            await site.serving.store.deliberations.newest(),
        )

    status, health, stored = at_site(tmp_path, scene)

    assert status in (400, 422) and health == 200 and stored == []


@pytest.mark.parametrize("body", [b"", b"{", b"nonsense", b'"text"', b"[]", b"null", b'{"claim": 5}', b'{"clam": "x"}'])
def test_a_body_of_the_wrong_shape_is_refused_with_where_it_is_wrong(tmp_path: Path, body: bytes) -> None:
    async def scene(site):
        answer = await site.call("POST", CLAIMS, content=body, headers={"Content-Type": "application/json"})
        return answer.status_code, answer.headers["content-type"], answer.json()

    status, media, problem = at_site(tmp_path, scene)

    assert status == 422 and media == "application/problem+json"
    assert problem["errors"] and problem["status"] == 422 and problem["instance"] == "/api/v1/claims"


def test_script_in_a_claim_comes_back_as_data_and_never_as_a_page(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> </textarea>"

    async def scene(site):
        made = await site.post(CLAIMS, {"claim": hostile})
        html = await site.get(f"/deliberations/{made.json()['id']}/export?format=html")
        return made, html

    made, html = at_site(tmp_path, scene)

    assert json.loads(made.text)["claims"]["text"] == hostile
    assert made.headers["content-type"] == "application/json" and made.headers["x-content-type-options"] == "nosniff"
    assert "<script>alert" not in html.text
    assert (
        html.headers["content-disposition"].startswith("attachment")
        and "sandbox" in html.headers["content-security-policy"]
    )


def test_pages_take_forms_and_nothing_else(tmp_path: Path) -> None:
    form = "application/x-www-form-urlencoded"
    kinds = (form, f"{form}; charset=utf-8", "application/json", "text/plain", "")

    async def scene(site):
        sent = {kind: await site.client.post("/in", content=b"key=x", headers={"Content-Type": kind}) for kind in kinds}
        large = await site.client.post("/in", content=b"key=" + b"x" * 2000, headers={"Content-Type": form})
        return {kind: answer.status_code for kind, answer in sent.items()}, large.status_code

    seen, large = at_site(tmp_path, scene, body=1000, pause=0.0)

    assert [seen[kind] for kind in kinds] == [401, 401, 422, 422, 422]
    assert large == 413


def test_pages_and_what_they_load_have_headers_of_their_own_and_the_api_keeps_its(tmp_path: Path) -> None:
    async def scene(site):
        return [(await site.client.get(path)).headers for path in ("/in", "/static/0/x.js", "/", "/api/v1/health")]

    *pages, api = at_site(tmp_path, scene)

    for headers in pages:
        assert headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
            "trusted-types moot"
        )
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]
        assert headers["cache-control"] == "no-store"
    assert api["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert api["referrer-policy"] == "no-referrer"


def test_what_the_api_has_not_is_told_as_programs_read_it(tmp_path: Path) -> None:
    async def scene(site):
        answers = [await site.get("/nothing"), await site.call("DELETE", "/claims"), await site.client.get("/api")]
        return [(answer.status_code, answer.json()["code"]) for answer in answers]

    assert at_site(tmp_path, scene) == [(404, "not_found"), (405, "method_not_allowed"), (404, "not_found")]
