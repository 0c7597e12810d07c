"""Every endpoint with no key, a wrong key, and a key of each scope, as a table; and what a key may not reach."""

from pathlib import Path

import pytest

from tests.web.kit import API, SCOPES, at_site

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
    ("POST", f"{SLOT}/take"): AGENTS,
    ("POST", f"{SLOT}/renew"): AGENTS,
    ("POST", f"{SLOT}/release"): AGENTS,
    ("POST", f"{SLOT}/done"): AGENTS,
    ("GET", "/flags"): REVIEWERS,
    ("POST", "/flags/{id}/clear"): REVIEWERS,
    ("GET", "/protocols"): ALL,
    ("POST", "/deliberations"): ASKING,
    ("GET", "/deliberations"): ALL,
    ("GET", ONE): ALL,
    ("GET", f"{ONE}/events"): ALL,
    ("POST", f"{ONE}/cancel"): ASKING,
    ("POST", f"{ONE}/resume"): ASKING,
    ("POST", f"{ONE}/fork"): ASKING,
    ("POST", f"{ONE}/contest"): REVIEWERS,
    ("GET", f"{ONE}/export"): ALL,
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
    ("GET", f"{GRAPH}/disputed_nodes"): ALL,
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

    assert set(at_site(tmp_path, scene)) == {"status", "moot", "running", "queued"}


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
