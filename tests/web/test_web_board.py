"""The board over HTTP: claims, the life of a slot, flags; and agents that may not do what they try."""

from pathlib import Path
from typing import Any

import pytest

from tests.protocols.prism.board_kit import SHORT, short_output
from tests.protocols.prism.kit import output
from tests.web.kit import MEMBER, Site, at_site

SHORT_TABLE = {"path": "short.toml", "texts": {"short.toml": SHORT}}
SOLO = {"claim": "Crows remember faces.", "table": "prism-v1-solo"}


async def new_claim(site: Site, **changed: Any) -> str:
    answer = await site.post("/claims", {**SOLO, **changed}, "reviewer")
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def work(site: Site, who: str, confidence: float = 0.8) -> str | None:
    """Find a slot, take it and fill it; None where there is none."""
    found = await site.get("/jobs/work", who)
    if found.status_code == 404:
        return None
    slot = found.json()
    path = f"/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
    assert (await site.post(f"{path}/take", as_=who)).status_code == 200
    done = await site.post(f"{path}/done", {"output": output(slot["layer"], confidence)}, who)
    assert done.status_code == 204, done.text
    await site.serving.runs.finished(slot["claim_id"])
    return slot["id"]


def test_a_claim_goes_through_all_its_layers_by_agents_over_http(tmp_path: Path) -> None:
    async def scene(site):
        for name in ("ada", "bea", "cyd"):
            await site.agent(name)
        id_ = await new_claim(site)
        filled = []
        while (slots := [await work(site, name) for name in ("ada", "bea", "cyd")]) != [None] * 3:
            filled += [slot for slot in slots if slot]
        return filled, (await site.get(f"/claims/{id_}/pipeline")).json()

    filled, claim = at_site(tmp_path, scene)

    assert claim["claimPipelineState"]["status"] == "complete"
    assert claim["claims"]["domain"] == "cognitive-ethology" and claim["seal"]
    assert len(filled) == len(claim["claimStageSlots"]) and len(set(filled)) == len(filled)


def test_work_comes_with_the_claim_its_context_and_the_shape_of_the_output(tmp_path: Path) -> None:
    async def scene(site):
        none = await site.get("/jobs/work", "agent")
        await new_claim(site)
        return none, (await site.get("/jobs/work", "agent")).json(), await site.get("/jobs/work?layer=2", "agent")

    none, slot, other_layer = at_site(tmp_path, scene)

    assert (none.status_code, none.json()["code"]) == (404, "no_slots")
    assert slot["context"]["claim"] == SOLO["claim"] and slot["context"]["task"]
    assert slot["output_schema"]["properties"]["confidence"]
    assert other_layer.status_code == 404


@pytest.mark.parametrize("query", ["role=king", "type=play", "layer=0", "layer=abc", "layer=99999999999999999999"])
def test_work_of_a_kind_that_no_slot_has_is_a_bad_request(tmp_path: Path, query: str) -> None:
    async def scene(site):
        return (await site.get(f"/jobs/work?{query}", "agent")).status_code

    assert at_site(tmp_path, scene) == 422


def test_a_slot_is_one_agents_until_it_is_released(tmp_path: Path) -> None:
    async def scene(site):
        for name in ("ada", "bea"):
            await site.agent(name)
        slot = f"/claims/{await new_claim(site)}/stage-slots/L1.1~work~1"
        answers = {
            "ada takes": await site.post(f"{slot}/take", {"lease": 60}, "ada"),
            "bea takes": await site.post(f"{slot}/take", as_="bea"),
            "bea renews": await site.post(f"{slot}/renew", as_="bea"),
            "bea releases": await site.post(f"{slot}/release", as_="bea"),
            "bea submits": await site.post(f"{slot}/done", {"output": output(1)}, "bea"),
            "ada renews": await site.post(f"{slot}/renew", {"lease": 600}, "ada"),
            "ada releases": await site.post(f"{slot}/release", as_="ada"),
            "ada submits late": await site.post(f"{slot}/done", {"output": output(1)}, "ada"),
            "bea takes then": await site.post(f"{slot}/take", as_="bea"),
            "bea is done": await site.post(f"{slot}/done", {"output": output(1)}, "bea"),
            "bea is done twice": await site.post(f"{slot}/done", {"output": output(1)}, "bea"),
        }
        return {name: (a.status_code, a.json()["code"] if a.status_code > 299 else "") for name, a in answers.items()}

    assert at_site(tmp_path, scene) == {
        "ada takes": (200, ""),
        "bea takes": (409, "step_gone"),
        "bea renews": (403, "not_your_step"),
        "bea releases": (403, "not_your_step"),
        "bea submits": (403, "not_your_step"),
        "ada renews": (200, ""),
        "ada releases": (204, ""),
        "ada submits late": (403, "not_your_step"),
        "bea takes then": (200, ""),
        "bea is done": (204, ""),
        "bea is done twice": (409, "step_gone"),
    }


@pytest.mark.parametrize(
    "bad",
    [
        {"output": {**output(1), "confidence": 1.2}},
        {"output": {**output(1), "confidence": "high"}},
        {"output": {"content": "no confidence"}},
        {"output": {**output(1), "extra": 1}},
        {"output": []},
        {"output": {}},
        {},
        {"output": {**output(1), "content": "x" * 500_000}},
    ],
)
def test_an_output_of_the_wrong_shape_leaves_the_board_as_it_was(tmp_path: Path, bad: dict) -> None:
    async def scene(site):
        id_ = await new_claim(site)
        slot = f"/claims/{id_}/stage-slots/L1.1~work~1"
        await site.post(f"{slot}/take", as_="agent")
        before = (await site.get(f"/claims/{id_}/pipeline")).json()
        answer = await site.post(f"{slot}/done", bad, "agent")
        return answer, before, (await site.get(f"/claims/{id_}/pipeline")).json()

    answer, before, after = at_site(tmp_path, scene)

    assert answer.status_code == 422 and answer.json()["detail"]
    assert before == after


@pytest.mark.parametrize(
    "slot", ["L9.9~work~1", "nothing", "L1.1~review", "~", "..%2f..%2fetc", "L1.1~work~1'--", "a" * 300, "%00"]
)
def test_what_is_no_slot_is_nowhere(tmp_path: Path, slot: str) -> None:
    async def scene(site):
        id_ = await new_claim(site)
        return (await site.post(f"/claims/{id_}/stage-slots/{slot}/take", as_="agent")).status_code

    assert at_site(tmp_path, scene) in (404, 422)


def test_no_agent_reads_what_a_peer_said_in_an_unfinished_phase(tmp_path: Path) -> None:
    secret = "what Ada thinks of crows"

    async def scene(site):
        for name in ("ada", "bea"):
            await site.agent(name)
        id_ = (await site.post("/claims", {"claim": "Crows.", "settings": {"table": SHORT_TABLE}}, "bea")).json()["id"]
        slot = (await site.get("/jobs/work", "ada")).json()
        path = f"/claims/{id_}/stage-slots/{slot['id']}"
        await site.post(f"{path}/take", as_="ada")
        said = {**short_output(slot["step"]), "content": secret, "confidence": 0.91}
        assert (await site.post(f"{path}/done", {"output": said}, "ada")).status_code == 204
        await site.serving.runs.finished(id_)
        paths = [f"/claims/{id_}", f"/claims/{id_}/pipeline", "/claims", "/jobs/work", "/deliberations"]
        paths += [f"/deliberations/{id_}", *(f"/deliberations/{id_}/export?format={form}" for form in ("md", "json"))]
        return [await site.get(path, "bea") for path in paths]

    for answer in at_site(tmp_path, scene):
        assert secret not in answer.text and "0.91" not in answer.text, answer.url


def test_a_flag_waits_for_a_reviewer_and_no_agent_clears_it(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await new_claim(site)
        for name in ("ada", "bea"):
            await site.agent(name)
            await work(site, name, 0.1)
        [flag] = (await site.get("/flags", "reviewer")).json()["items"]
        clear = {"decision": "advance", "note": "it is enough"}
        agent = await site.post(f"/flags/{flag['id']}/clear", clear, "agent")
        wrong = await site.post(f"/flags/{flag['id']}x/clear", clear, "reviewer")
        bad = await site.post(f"/flags/{flag['id']}/clear", {**clear, "decision": "burn"}, "reviewer")
        cleared = await site.post(f"/flags/{flag['id']}/clear", clear, "reviewer")
        again = await site.post(f"/flags/{flag['id']}/clear", clear, "reviewer")
        await site.serving.runs.finished(id_)
        return flag, agent, wrong, bad, cleared, again, (await site.get(f"/claims/{id_}")).json()

    flag, agent, wrong, bad, cleared, again, claim = at_site(tmp_path, scene)

    assert flag["claim_id"] == claim["id"] and "10 % < " in flag["title"]
    assert [a.status_code for a in (agent, wrong, bad, cleared, again)] == [403, 404, 422, 200, 404]
    assert claim["claimFlags"][0]["cleared"]["by"] == "reviewer"


def test_a_claim_with_members_is_worked_on_by_the_house(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await new_claim(site, members=[MEMBER])
        await site.serving.runs.finished(id_)
        return (await site.get(f"/claims/{id_}/pipeline")).json()

    claim = at_site(tmp_path, scene)

    assert claim["claimPipelineState"]["status"] != "active" or claim["claimStageSlots"][0]["agent"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"table": "prism-v9"}, "bad_setting"),
        ({"table": "/etc/passwd"}, "bad_setting"),
        ({"table": {"name": "x", "layers": []}}, None),
        ({"settings": {"house": "everybody"}}, "bad_setting"),
        ({"settings": {"nonsense": 1}}, "bad_setting"),
        ({"members": ["http://169.254.169.254/v1#x"]}, "member_not_allowed"),
        ({"members": ["openai:gpt-5"]}, "member_not_allowed"),
        ({"members": ["scripted:/etc/passwd"]}, "member_not_allowed"),
        ({"members": [MEMBER + "*99"]}, "over_budget"),
        ({"members": ["nonsense"]}, "bad_member"),
        ({"claim": "  "}, "empty_question"),
        ({"claim": "x" * 300_000}, "bad_request"),
    ],
)
def test_a_claim_that_cannot_be_is_refused_and_nothing_is_stored(
    tmp_path: Path, changed: dict, code: str | None
) -> None:
    async def scene(site):
        answer = await site.post("/claims", {**SOLO, **changed}, "agent")
        return answer.status_code, answer.json(), await site.serving.store.list()

    status, problem, stored = at_site(tmp_path, scene)

    assert status in (403, 422) and stored == []
    assert code is None or problem["code"] == code


def test_lists_come_in_pages_that_stay_right_while_claims_arrive(tmp_path: Path) -> None:
    async def scene(site):
        ids = [await new_claim(site) for _ in range(5)]
        first = (await site.get("/claims?limit=2")).json()
        await new_claim(site)
        rest = []
        cursor = first["next"]
        while cursor:
            page = (await site.get(f"/claims?limit=2&cursor={cursor}")).json()
            rest += page["items"]
            cursor = page["next"]
        bad = [await site.get(f"/claims?cursor={text}") for text in ("x", "%00", "bjk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk")]
        return ids, [claim["id"] for claim in (*first["items"], *rest)], [answer.status_code for answer in bad]

    ids, seen, bad = at_site(tmp_path, scene)

    assert seen == ids[::-1]
    assert bad == [422, 422, 422]
