"""A POST that is sent twice is done once, whatever happened to the first answer."""

import asyncio
import hashlib
import json
from pathlib import Path

from moot.store.served import Served
from tests.web.kit import at_site
from tests.web.test_web_deliberations import QUESTION

AGAIN = {"Idempotency-Key": "the same"}


def test_the_same_request_gets_the_same_answer_and_is_done_once(tmp_path: Path) -> None:
    async def scene(site):
        answers = [await site.post("/deliberations", QUESTION, "agent", headers=AGAIN) for _ in range(3)]
        return answers, await site.serving.store.deliberations.newest()

    answers, stored = at_site(tmp_path, scene)

    assert len(stored) == 1
    assert {answer.text for answer in answers} == {answers[0].text}
    assert {answer.headers["location"] for answer in answers} == {answers[0].headers["location"]}
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [None, "true", "true"]


def test_another_request_under_the_same_key_is_refused(tmp_path: Path) -> None:
    async def scene(site):
        await site.post("/deliberations", QUESTION, "agent", headers=AGAIN)
        other = await site.post("/deliberations", {**QUESTION, "seed": 5}, "agent", headers=AGAIN)
        elsewhere = await site.post("/claims", {"claim": "x"}, "agent", headers=AGAIN)
        return [(answer.status_code, answer.json()["code"]) for answer in (other, elsewhere)]

    assert at_site(tmp_path, scene) == [(422, "idempotency_mismatch")] * 2


def test_callers_do_not_share_their_keys(tmp_path: Path) -> None:
    async def scene(site):
        answers = [await site.post("/deliberations", QUESTION, who, headers=AGAIN) for who in ("agent", "reviewer")]
        return {answer.json()["id"] for answer in answers}

    assert len(at_site(tmp_path, scene)) == 2


def test_many_at_once_are_done_once(tmp_path: Path) -> None:
    async def scene(site):
        sent = [site.post("/deliberations", QUESTION, "agent", headers=AGAIN) for _ in range(20)]
        answers = await asyncio.gather(*sent)
        return [answer.status_code for answer in answers], await site.serving.store.deliberations.newest()

    codes, stored = at_site(tmp_path, scene)

    assert len(stored) == 1 and set(codes) <= {201, 409} and 201 in codes


def test_what_a_server_did_before_it_died_is_found_by_the_next(tmp_path: Path) -> None:
    async def died_before_it_answered(site):
        from moot.core.question import Question
        from moot.service.orders import Order

        await site.agent("ada")
        prefix = "_".join(site.keys["ada"].split("_")[:2])
        plan = await site.serving.service.planner.plan(Order(Question(text=QUESTION["question"]), "single"))
        body = json.dumps(QUESTION, ensure_ascii=False, separators=(",", ":")).encode()
        digest = hashlib.sha256(b"\0".join([b"/api/v1/deliberations", b"", body])).hexdigest()
        made = await site.serving.service.start(plan, served=Served(prefix, f"{prefix}/the same/{digest[:16]}"))
        answer = await site.post("/deliberations", QUESTION, "ada", headers=AGAIN)
        return made, answer, await site.serving.store.deliberations.newest()

    made, answer, stored = at_site(tmp_path, died_before_it_answered)

    assert answer.status_code == 201 and answer.json()["id"] == made and len(stored) == 1


def test_a_refusal_of_the_key_or_its_pace_is_not_kept(tmp_path: Path) -> None:
    async def scene(site):
        refused = await site.post("/agents", {"name": "ada"}, "agent", headers=AGAIN)
        done = await site.post("/deliberations", QUESTION, "agent", headers=AGAIN)
        return refused.status_code, done.status_code

    assert at_site(tmp_path, scene) == (403, 201)


def test_a_key_that_is_none_is_refused(tmp_path: Path) -> None:
    async def scene(site):
        texts = (b"", b"x" * 201, "é".encode(), b"a\tb")
        answers = [await site.post("/claims", {"claim": "x"}, headers={"Idempotency-Key": text}) for text in texts]
        return [answer.status_code for answer in answers]

    assert at_site(tmp_path, scene) == [422, 422, 422, 422]
