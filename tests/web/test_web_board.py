"""The board over HTTP: claims, the life of a slot, flags; and agents that may not do what they try."""

import hashlib
import sqlite3
from contextlib import closing
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
def test_an_output_of_the_wrong_shape_leaves_the_board_as_it_was(tmp_path: Path, bad: dict[str, Any]) -> None:
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
        path = f"/claims/{id_}/stage-slots/{slot}"
        return {(await site.post(f"{path}/take", as_="agent")).status_code, (await site.get(path)).status_code}

    assert at_site(tmp_path, scene) <= {404, 422}


@pytest.mark.clause("ruling:P8")
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


@pytest.mark.clause("ruling:P8")
def test_the_outputs_of_a_phase_are_shown_when_it_is_over_and_before_that_to_nobody(tmp_path: Path) -> None:
    names = ("ada", "bea", "cyd", "dov", "eli")

    async def scene(site):
        for name in names:
            await site.agent(name)
        id_ = (await site.post("/claims", {"claim": "Crows.", "settings": {"table": SHORT_TABLE}}, "ada")).json()["id"]
        path, seen = f"/claims/{id_}", []
        while True:
            for name in names:
                found = await site.get("/jobs/work", name)
                if found.status_code == 200:
                    break
            else:
                return seen
            slot = f"{path}/stage-slots/{found.json()['id']}"
            await site.post(f"{slot}/take", as_=name)
            said = {**short_output(found.json()["step"]), "content": f"secret of {found.json()['step']}"}
            assert (await site.post(f"{slot}/done", {"output": said}, name)).status_code == 204
            await site.serving.runs.finished(id_)
            slots = (await site.get(f"{path}/pipeline", "bea")).json()["claimStageSlots"]
            ones = [(await site.get(f"{path}/stage-slots/{one['id']}", "bea")).json() for one in slots]
            seen.append((slots, ones))

    seen = at_site(tmp_path, scene)

    assert len(seen) == 8
    for slots, ones in seen:
        unfinished = {one["step"][:-1] for one in slots if one["status"] == "open"}
        for slot, one in zip(slots, ones, strict=True):
            hidden = slot["step"][:-1] in unfinished
            assert (slot["output"] is None) is (one["output"] is None) is hidden, slot
            assert (slot["confidence"] is None) is (one["confidence"] is None) is hidden
            assert hidden or slot["output"]["content"] == one["output"]["content"] == f"secret of {slot['step']}"
            assert one["context"]["task"] and one["output_schema"]["properties"]["content"]


@pytest.mark.clause("ruling:P5")
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


async def flagged_claim(site: Site, *agents: str) -> tuple[str, str]:
    """Put a claim that two agents fill the first layer of without being sure; return it and its flag."""
    id_ = await new_claim(site)
    for name in agents:
        await work(site, name, 0.1)
    [flag] = (await site.get("/flags", "admin")).json()["items"]
    return id_, flag["id"]


@pytest.mark.clause("ruling:P12")
def test_nobody_clears_the_flag_of_an_attempt_that_they_filled_a_slot_of(tmp_path: Path) -> None:
    async def scene(site):
        for name in ("ada", "bea"):
            await site.agent(name, "agent", "reviewer")
        id_, flag = await flagged_claim(site, "ada", "bea")
        clear = {"decision": "redo", "note": "it is enough"}
        own = [await site.post(f"/flags/{flag}/clear", clear, name) for name in ("ada", "bea")]
        other = await site.post(f"/flags/{flag}/clear", clear, "reviewer")
        await work(site, "bea", 0.1)
        await work(site, "agent", 0.1)
        [again] = (await site.get("/flags", "ada")).json()["items"]
        later = await site.post(f"/flags/{again['id']}/clear", {**clear, "decision": "close"}, "ada")
        return own, other, later, await site.ended(id_)

    own, other, later, ended = at_site(tmp_path, scene)

    assert [(answer.status_code, answer.json()["code"]) for answer in own] == [(403, "review_of_own_work")] * 2
    assert own[0].json()["detail"].startswith("'ada' filled a slot of the attempt that 'L1.1/review' judges; ")
    assert (other.status_code, later.status_code) == (200, 200)
    assert not any("own agents" in caveat for caveat in ended["caveats"])


@pytest.mark.clause("ruling:P12")
def test_where_no_other_reviewer_has_a_key_an_agent_of_the_attempt_clears_it_and_is_marked(tmp_path: Path) -> None:
    async def scene(site):
        for name in ("ada", "bea"):
            await site.agent(name, "agent", "reviewer")
        id_, flag = await flagged_claim(site, "ada", "bea")
        for key in await site.serving.keys.list():
            if key.name in ("reviewer", "admin"):
                await site.serving.keys.revoke(key.prefix)
        cleared = await site.post(f"/flags/{flag}/clear", {"decision": "close", "note": "No."}, "ada")
        await site.serving.runs.finished(id_)
        return cleared, (await site.get(f"/deliberations/{id_}", "ada")).json()

    cleared, ended = at_site(tmp_path, scene)

    assert cleared.status_code == 200, cleared.text
    assert any("(cleared by one of its own agents)" in caveat for caveat in ended["caveats"])


@pytest.mark.parametrize(
    ("decision", "state"),
    [
        ("advance", {"layer": 2, "phase": "work", "status": "active"}),
        ("redo", {"layer": 1, "phase": "work", "status": "active"}),
        ("close", {"layer": 1, "phase": "review", "status": "closed"}),
    ],
)
@pytest.mark.clause("ruling:P5")
def test_the_answer_to_a_cleared_flag_is_where_the_claim_stands_then(tmp_path: Path, decision: str, state) -> None:
    async def scene(site):
        for name in ("ada", "bea"):
            await site.agent(name)
        _, flag = await flagged_claim(site, "ada", "bea")
        return (await site.post(f"/flags/{flag}/clear", {"decision": decision, "note": "x"}, "reviewer")).json()

    answer = at_site(tmp_path, scene)

    assert answer["claimPipelineState"] == state
    assert answer["claimFlags"][0]["cleared"]["decision"] == decision
    assert bool(answer["seal"]) is (decision == "close")


DOCUMENT = {"name": "field notes.txt", "text": "Masks were worn, and the jackdaw in question was called Quill."}


@pytest.mark.clause("ruling:P11")
def test_whoever_may_take_a_slot_of_a_claim_reads_its_documents_in_full(tmp_path: Path) -> None:
    async def scene(site):
        path = f"/claims/{await new_claim(site, documents=[DOCUMENT])}/documents"
        listed = (await site.get(path, "agent")).json()["items"]
        whole = (await site.get(f"{path}/1", "agent")).json()
        parts = [(await site.get(f"{path}/1?start={start}&limit=40", "agent")).json() for start in (0, 40, 80)]
        return listed, whole, parts, (await site.get(f"{path}/2", "agent")).status_code

    [line], whole, parts, beyond = at_site(tmp_path, scene)

    digest = hashlib.sha256(DOCUMENT["text"].encode()).hexdigest()
    assert line == {"number": 1, "name": DOCUMENT["name"], "characters": len(DOCUMENT["text"]), "sha256": digest}
    assert whole == {**line, "text": DOCUMENT["text"], "next": None}
    assert ["".join(part["text"] for part in parts), *(part["next"] for part in parts)] == [
        *(DOCUMENT["text"], 40, None, None)
    ]
    assert beyond == 404


@pytest.mark.clause("ruling:P11")
def test_documents_are_for_those_who_hold_or_may_take_a_slot_who_put_the_claim_and_who_review(tmp_path: Path) -> None:
    async def scene(site):
        for name in ("owner", "ada", "bea", "cyd"):
            await site.agent(name)
        sent = {"claim": "Crows.", "documents": [DOCUMENT], "settings": {"table": SHORT_TABLE}}
        id_ = (await site.post("/claims", sent, "owner")).json()["id"]
        slots, documents = f"/claims/{id_}/stage-slots", f"/claims/{id_}/documents"

        async def may_read() -> list[str]:
            names = ("ada", "bea", "cyd", "owner", "reviewer", "admin")
            read = {name: [await site.get(f"{documents}{path}", name) for path in ("", "/1")] for name in names}
            assert all(len({answer.status_code for answer in answers}) == 1 for answers in read.values())
            return [name for name, answers in read.items() if answers[0].status_code == 200]

        anybody = await may_read()
        await site.post(f"{slots}/L1.1~work~1/take", as_="ada")
        await site.post(f"{slots}/L1.1~work~2/take", as_="bea")
        holders = await may_read()
        done = {"output": short_output("L1.1/work/1")}
        assert (await site.post(f"{slots}/L1.1~work~1/done", done, "ada")).status_code == 204
        still_at_work = await may_read()
        assert (await site.post(f"{slots}/L1.1~work~2/done", done, "bea")).status_code == 204
        await site.serving.runs.finished(id_)
        judges = await may_read()
        return anybody, holders, still_at_work, judges, await site.get(documents, "ada")

    *who, refused = at_site(tmp_path, scene)

    always = ["owner", "reviewer", "admin"]
    assert who == [["ada", "bea", "cyd", *always], ["ada", "bea", *always], ["bea", *always], ["cyd", *always]]
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
    assert "take a slot of this claim when one is open to you" in refused.json()["detail"]


@pytest.mark.clause("ruling:P9")
def test_a_seal_is_verified_over_http_and_a_changed_slot_is_named(tmp_path: Path) -> None:
    async def scene(site):
        id_, flag = await flagged_claim(site, "agent", "admin")
        path = f"/claims/{id_}/verify"
        early = await site.get(path, "agent")
        await site.post(f"/flags/{flag}/clear", {"decision": "close", "note": "No."}, "reviewer")
        sound = await site.get(path, "agent")
        other = await site.get(f"{path}?seal={'0' * 64}", "agent")
        with closing(sqlite3.connect(tmp_path / "moot.db")) as database:
            database.execute("UPDATE steps SET reply = replace(reply, 'keep', 'lose') WHERE step = 'L1.1/work/1'")
            database.commit()
        return early, sound.json(), other.json(), (await site.get(path, "agent")).json()

    early, sound, other, changed = at_site(tmp_path, scene)

    assert (early.status_code, early.json()["code"]) == (409, "not_ended")
    assert (sound["slots"], sound["changed"]) == (3, [])
    assert other["changed"] == ["seal"]
    assert changed["changed"] == ["L1.1/work/1"]


@pytest.mark.clause("prism:one-slot")
def test_an_agent_that_has_a_slot_already_is_told_which(tmp_path: Path) -> None:
    async def scene(site):
        slots = f"/claims/{await new_claim(site, table='prism-v1')}/stage-slots"
        await site.post(f"{slots}/L1.1~work~1/take", as_="agent")
        return await site.post(f"{slots}/L1.1~work~2/take", as_="agent")

    refused = at_site(tmp_path, scene)

    assert (refused.status_code, refused.json()["code"]) == (409, "one_answer_per_agent")
    assert "'L1.1/work/1'" in refused.json()["detail"]


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
    tmp_path: Path, changed: dict[str, Any], code: str | None
) -> None:
    async def scene(site):
        answer = await site.post("/claims", {**SOLO, **changed}, "agent")
        return answer.status_code, answer.json(), await site.serving.store.deliberations.newest()

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
