"""Every endpoint with no key, a wrong key, and a key of each scope, as a table; and what a key may not reach."""

from pathlib import Path

import pytest

from tests.web.kit import API, SCOPES, Site, at_site

ALL, ASKING, ADMIN = set(SCOPES), {"agent", "reviewer", "admin"}, {"admin"}
AGENTS, REVIEWERS = {"agent", "admin"}, {"reviewer", "admin"}
CLAIM, SLOT = "/claims/{id}", "/claims/{id}/stage-slots/{slot}"
STEP = "/deliberations/{id}/open-steps/{step}"
ONE, GRAPH = "/deliberations/{id}", "/graphs/{graph_id}"

TABLE = {
    ("POST", "/claims"): ASKING,
    ("GET", "/claims"): ALL,
    ("GET", CLAIM): ALL,
    ("GET", f"{CLAIM}/pipeline"): ALL,
    ("GET", "/claims/{id}/documents"): ALL,
    ("GET", "/claims/{id}/documents/{number}"): ALL,
    ("GET", "/claims/{id}/verify"): ALL,
    ("GET", "/jobs/work"): AGENTS,
    ("GET", SLOT): ALL,
    ("POST", f"{SLOT}/take"): AGENTS,
    ("POST", f"{SLOT}/renew"): AGENTS,
    ("POST", f"{SLOT}/release"): AGENTS,
    ("POST", f"{SLOT}/done"): AGENTS,
    ("GET", "/flags"): REVIEWERS,
    ("POST", "/flags/{id}/clear"): REVIEWERS,
    ("GET", "/protocols"): ALL,
    ("GET", "/offers"): ALL,
    ("POST", "/deliberations"): ASKING,
    ("POST", "/deliberations/plan"): ASKING,
    ("GET", "/deliberations"): ALL,
    ("GET", ONE): ALL,
    ("DELETE", ONE): ADMIN,
    ("GET", f"{ONE}/events"): ALL,
    ("GET", f"{ONE}/record"): ALL,
    ("GET", f"{ONE}/steps/{{step}}"): ALL,
    ("GET", f"{ONE}/graph"): ALL,
    ("GET", f"{ONE}/acts"): ALL,
    ("POST", f"{ONE}/cancel"): ASKING,
    ("POST", f"{ONE}/resume"): ASKING,
    ("POST", f"{ONE}/fork"): ASKING,
    ("POST", f"{ONE}/contest"): REVIEWERS,
    ("GET", f"{ONE}/export"): ALL,
    ("GET", "/compare"): ALL,
    ("GET", "/open-steps"): ALL,
    ("GET", f"{ONE}/open-steps"): ALL,
    ("GET", STEP): ALL,
    ("POST", f"{STEP}/take"): ASKING,
    ("POST", f"{STEP}/renew"): ASKING,
    ("POST", f"{STEP}/release"): ASKING,
    ("POST", f"{STEP}/fill"): ASKING,
    ("GET", "/graphs"): ALL,
    ("GET", GRAPH): ALL,
    ("POST", f"{GRAPH}/assert_graph"): ALL,
    ("POST", f"{GRAPH}/merge_duplicates"): ALL,
    ("POST", f"{GRAPH}/keep_apart"): ALL,
    ("GET", f"{GRAPH}/check_structure"): ALL,
    ("GET", f"{GRAPH}/critical_links"): ALL,
    ("GET", f"{GRAPH}/support_width"): ALL,
    ("GET", f"{GRAPH}/resilience"): ALL,
    ("GET", f"{GRAPH}/surviving_claims"): ALL,
    ("POST", f"{GRAPH}/mark_refuted"): ALL,
    ("POST", f"{GRAPH}/undo_refuted"): ALL,
    ("GET", f"{GRAPH}/disputed_nodes"): ALL,
    ("GET", "/evals"): REVIEWERS,
    ("GET", "/evals/{run}"): REVIEWERS,
    ("GET", "/evals/{run}/rows"): REVIEWERS,
    ("GET", "/usage"): ALL,
    ("GET", "/workers"): ADMIN,
    ("POST", "/agents"): ADMIN,
    ("GET", "/agents"): ADMIN,
    ("DELETE", "/agents/{prefix}"): ADMIN,
    ("GET", "/metrics"): ADMIN,
}
PUBLIC = {("GET", "/health")}
NOWHERE = {
    "id": "ffffffffff",
    "number": "1",
    "step": "turn~1",
    "slot": "L1.1~work~1",
    "graph_id": "none",
    "run": "none",
    "prefix": "moot_00000000",
}
WRONG = "moot_00000000_" + "x" * 43


def test_the_table_names_every_endpoint_there_is(tmp_path: Path) -> None:
    async def scene(site):
        return (await site.get("/openapi.json", as_=None)).json()["paths"]

    paths = at_site(tmp_path, scene)

    told = {(method.upper(), path.removeprefix(API)) for path, methods in paths.items() for method in methods}
    assert told == set(TABLE) | PUBLIC


def test_every_endpoint_answers_by_key_and_scope(tmp_path: Path) -> None:
    async def scene(site):
        seen = {}
        for method, path in TABLE:
            for who in (None, WRONG, *SCOPES):
                answer = await site.call(method, path.format(**NOWHERE), who, json={} if method == "POST" else None)
                code = answer.json().get("code") if answer.status_code >= 400 else None
                seen[method, path, who] = (answer.status_code, code)
        return seen

    seen = at_site(tmp_path, scene)

    for (method, path), allowed in TABLE.items():
        assert seen[method, path, None] == (401, "key_required"), (method, path)
        assert seen[method, path, WRONG] == (401, "wrong_key"), (method, path)
        for scope in SCOPES:
            status, code = seen[method, path, scope]
            if scope in allowed:
                assert status in (200, 404, 422), (method, path, scope, status, code)
            else:
                assert (status, code) == (403, "missing_scope"), (method, path, scope)


def test_health_needs_no_key_and_says_nothing_but_how_it_is(tmp_path: Path) -> None:
    async def scene(site):
        return (await site.get("/health", as_=None)).json()

    assert set(at_site(tmp_path, scene)) == {"status", "moot", "running", "queued", "workers"}


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "Bearer moot_", "moot_00000000_x", "Bearer é"])
def test_a_header_that_is_no_key_is_a_wrong_key(tmp_path: Path, header: str) -> None:
    async def scene(site):
        answer = await site.get("/claims", as_=None, headers={"Authorization": header.encode()})
        return answer.status_code, answer.json()["code"], answer.headers["www-authenticate"]

    assert at_site(tmp_path, scene) == (401, "wrong_key", "Bearer")


def test_a_revoked_key_counts_for_nothing_at_once(tmp_path: Path) -> None:
    async def scene(site):
        made = (await site.post("/agents", {"name": "ada"})).json()
        before = await site.get("/claims", as_=made["key"])
        await site.call("DELETE", f"/agents/{made['prefix']}")
        return before.status_code, (await site.get("/claims", as_=made["key"])).json()["code"]

    assert at_site(tmp_path, scene) == (200, "wrong_key")


def test_a_key_is_shown_once_and_never_listed(tmp_path: Path) -> None:
    async def scene(site):
        again = {"Idempotency-Key": "k1"}
        made = await site.post("/agents", {"name": "ada"}, headers=again)
        repeated = await site.post("/agents", {"name": "ada"}, headers=again)
        return made.json(), repeated, (await site.get("/agents")).text

    made, repeated, listed = at_site(tmp_path, scene)

    assert made["key"].startswith(made["prefix"] + "_")
    assert (repeated.status_code, repeated.json()["code"]) == (409, "shown_once")
    assert made["key"] not in repeated.text
    assert made["key"] not in listed and made["prefix"] in listed


def test_an_agent_reads_what_it_started_and_a_reviewer_reads_everything(tmp_path: Path) -> None:
    async def scene(site):
        await site.agent("ada")
        mine = (await site.post("/deliberations", {"question": "Is 97 prime?", "protocol": "single"}, "ada")).json()[
            "id"
        ]
        await site.serving.runs.finished(mine)
        seen = {}
        for who in ("ada", "agent", "reviewer", "admin"):
            one = [await site.get(f"/deliberations/{mine}{end}", who) for end in ("", "/events", "/export")]
            listed = (await site.get("/deliberations", who)).json()["items"]
            seen[who] = ([answer.status_code for answer in one], len(listed))
        return seen

    seen = at_site(tmp_path, scene)

    assert seen["agent"] == ([403, 403, 403], 0)
    assert seen["ada"] == seen["reviewer"] == seen["admin"] == ([200, 200, 200], 1)


def test_only_whoever_started_a_deliberation_stops_it_or_goes_on_with_it(tmp_path: Path) -> None:
    async def scene(site):
        mine = (await site.post("/deliberations", {"question": "Is 97 prime?", "protocol": "single"}, "agent")).json()[
            "id"
        ]
        await site.serving.runs.finished(mine)
        verbs, callers = ("cancel", "resume"), ("reviewer", "agent", "admin")
        return {
            (verb, who): (await site.post(f"/deliberations/{mine}/{verb}", as_=who)).status_code
            for verb in verbs
            for who in callers
        }

    seen = at_site(tmp_path, scene)

    assert {verb: seen[verb, "reviewer"] for verb in ("cancel", "resume")} == {"cancel": 403, "resume": 403}
    assert seen["cancel", "agent"] == seen["cancel", "admin"] == 200
    assert seen["resume", "agent"] == seen["resume", "admin"] == 409


def test_too_many_requests_are_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    async def scene(site):
        answers = [await site.get("/claims", "agent") for _ in range(5)]
        other = await site.get("/claims", "reviewer")
        return [answer.status_code for answer in answers], answers[-1], other.status_code

    codes, last, other = at_site(tmp_path, scene, rate=1.0)

    assert codes == [200, 200, 200, 200, 429]
    assert last.json()["code"] == "too_many_requests" and int(last.headers["retry-after"]) >= 1
    assert other == 200


async def by_cookie(site: Site, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Send a request with the cookie of a browser that has signed in as admin, and whatever else a browser says."""
    sent = {"Cookie": await site.cookie("admin"), **{name.replace("_", "-"): text for name, text in headers.items()}}
    body = {"claim": "Crows."} if method == "POST" else None
    answer = await site.client.request(method, f"{API}{path}", headers=sent, json=body)
    return answer.status_code, answer.json().get("code", "")


HOST, OTHER_PORT = "http://localhost", "http://localhost:9999"
FOREIGN = (403, "foreign_origin")


@pytest.mark.parametrize(
    ("headers", "reading", "writing"),
    [
        ({"Sec_Fetch_Site": "same-origin"}, (200, ""), (201, "")),
        ({"Sec_Fetch_Site": "same-origin", "Origin": HOST}, (200, ""), (201, "")),
        ({"Sec_Fetch_Site": "none"}, (200, ""), FOREIGN),
        ({"Sec_Fetch_Site": "same-site"}, FOREIGN, FOREIGN),
        ({"Sec_Fetch_Site": "same-site", "Origin": HOST}, FOREIGN, FOREIGN),
        ({"Sec_Fetch_Site": "cross-site"}, FOREIGN, FOREIGN),
        (
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
            FOREIGN,
            FOREIGN,
        ),
        ({"Sec_Fetch_Site": "nonsense"}, FOREIGN, FOREIGN),
        ({"Origin": HOST}, (200, ""), (201, "")),
        ({"Origin": OTHER_PORT}, FOREIGN, FOREIGN),
        ({"Origin": "null"}, FOREIGN, FOREIGN),
        ({}, (200, ""), FOREIGN),
    ],
)
def test_what_a_cookie_does_is_done_by_the_servers_own_pages_alone(
    tmp_path: Path, headers: dict[str, str], reading: tuple[int, str], writing: tuple[int, str]
) -> None:
    async def scene(site):
        seen = [await by_cookie(site, method, "/claims", **headers) for method in ("GET", "POST")]
        return seen, len(await site.serving.store.deliberations.newest())

    seen, stored = at_site(tmp_path, scene)

    assert seen == [reading, writing]
    assert stored == (writing == (201, ""))


def test_a_request_with_a_key_and_a_session_is_refused_and_either_alone_is_not(tmp_path: Path) -> None:
    async def scene(site):
        own, key = {"Sec_Fetch_Site": "same-origin"}, f"Bearer {site.keys['admin']}"
        both = await by_cookie(site, "GET", "/claims", Authorization=key, **own)
        wrong = await by_cookie(site, "GET", "/claims", Authorization="Bearer nonsense", **own)
        # The key of a proxy before the server is none of Moot's.
        of_a_proxy = await by_cookie(site, "GET", "/claims", Authorization="Basic YTpi", **own)
        alone = (await site.get("/claims", headers={"Sec-Fetch-Site": "same-site"})).status_code
        return both, wrong, of_a_proxy, alone

    both, wrong, of_a_proxy, alone = at_site(tmp_path, scene)

    assert both == wrong == (400, "two_credentials")
    assert (of_a_proxy, alone) == ((200, ""), 200)


def test_a_session_may_do_what_its_key_may_and_ends_with_it(tmp_path: Path) -> None:
    async def scene(site):
        async def seen(as_: str, path: str) -> tuple[int, str]:
            answer = await site.page(f"{API}{path}", as_)
            return answer.status_code, answer.json().get("code", "")

        before = [await seen("agent", "/claims"), await seen("agent", "/flags"), await seen("reviewer", "/flags")]
        key = await site.serving.keys.named("agent")
        await site.call("DELETE", f"/agents/{key.prefix}")
        return before, await seen("agent", "/claims"), (await site.page("/", "agent")).headers["location"]

    before, after, page = at_site(tmp_path, scene)

    assert before == [(200, ""), (403, "missing_scope"), (200, "")]
    assert after == (401, "signed_out")
    assert page == "/in"


def test_a_link_on_a_page_elsewhere_leads_to_the_door_and_its_cookie_counts_for_nothing(tmp_path: Path) -> None:
    async def scene(site):
        followed = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        seen = {}
        for where in ("cross-site", "same-site"):
            for dest in ("document", "iframe"):
                headers = {**followed, "Sec-Fetch-Site": where, "Sec-Fetch-Dest": dest}
                answer = await site.page("/nothing?q=1", headers=headers)
                seen[where, dest] = answer.status_code, answer.headers.get("location")
            sent = await site.page("/out", form={}, headers={**followed, "Sec-Fetch-Site": where})
            seen[where, "form"] = sent.status_code, sent.headers.get("location")
        nobody = await site.client.post(
            "/in", data={"key": site.keys["admin"]}, headers={"Sec-Fetch-Site": "same-site"}
        )
        door = await site.page("/in?to=/ask", headers={**followed, "Sec-Fetch-Site": "cross-site"})
        return seen, (await site.page(f"{API}/claims")).status_code, nobody.status_code, door.text

    seen, still, signed_in_from_elsewhere, door = at_site(tmp_path, scene)

    for where in ("cross-site", "same-site"):
        assert seen[where, "document"] == (303, "/in?to=/nothing%3Fq%3D1")
        assert seen[where, "iframe"] == seen[where, "form"] == (403, None)
    assert still == 200
    assert signed_in_from_elsewhere == 403
    assert 'Signed in already? <a href="/ask">' in door


def test_sessions_are_held_to_the_pace_of_their_key(tmp_path: Path) -> None:
    async def scene(site):
        by_session = [(await site.page(f"{API}/claims", "agent")).status_code for _ in range(3)]
        by_key = [(await site.get("/claims", "agent")).status_code for _ in range(2)]
        return by_session + by_key

    assert at_site(tmp_path, scene, rate=1.0) == [200, 200, 200, 200, 429]
