"""Open steps over HTTP: a person's turn is listed, read, taken, filled and given back by whoever is entitled."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import NotYours
from moot.core.ports import OpenStep
from moot.service.watching import EventHeard
from moot.testing import scripted
from moot.web.access import Caller
from tests.protocols.debate.kit import response
from tests.web.forum import CONTEXT, FORUM, with_forum
from tests.web.kit import API, MEMBER, SCOPES, Site, at_site

TURN, AUDIT, LAST = "turn~1", "audit~1", "last~word~2"


async def opened(site: Site, as_: str = "ada") -> str:
    """Ask the forum as an agent of this name, and return the deliberation once it waits."""
    for name in ("ada", "bea", "cyd"):
        await site.agent(name)
    return await asked(site, as_)


async def asked(site: Site, as_: str) -> str:
    answer = await site.post("/deliberations", {"question": "Shall we?", "protocol": "forum"}, as_)
    assert answer.status_code == 201, answer.text
    id_ = answer.json()["id"]
    await site.serving.runs.finished(id_)
    return id_


def steps_of(id_: str) -> str:
    return f"/deliberations/{id_}/open-steps"


async def fill(site: Site, id_: str, step: str, who: str, text: str = "I agree.") -> dict[str, Any]:
    path = f"{steps_of(id_)}/{step}"
    taken = await site.post(f"{path}/take", as_=who)
    assert taken.status_code == 200, taken.text
    filled = await site.post(f"{path}/fill", {"reply": {"text": text}}, who)
    assert filled.status_code == 200, filled.text
    await site.serving.runs.finished(id_)
    return filled.json()


def at_forum(tmp_path: Path, scene, **options: Any) -> Any:
    return at_site(tmp_path, scene, protocols=with_forum, **options)


def codes(answers: dict[str, Any]) -> dict[str, tuple[int, str]]:
    return {name: (a.status_code, a.json()["code"] if a.status_code > 299 else "") for name, a in answers.items()}


def test_a_debate_that_waits_for_a_person_is_filled_over_http_and_goes_on_by_itself(tmp_path: Path) -> None:
    safe = {"reasoning": "", "blocks": [], "clear": True}
    member = scripted(lambda request: json.dumps(safe if "safety" in request.step else response(confidence=0.75)))
    order = {
        "question": "Should we build a pier?",
        "protocol": "debate",
        "members": [f"{MEMBER}*3"],
        "settings": {"join": True},
    }

    async def scene(site):
        id_ = (await site.post("/deliberations", order, "agent")).json()["id"]
        paused = await site.ended(id_)
        [waits] = paused["waiting"]
        path = waits["address"].removeprefix(API)
        read = (await site.get(path, "agent")).json()
        await site.post(f"{path}/take", as_="agent")
        await site.post(f"{path}/fill", {"reply": {"text": "Think of the ice."}}, "agent")
        done = await site.ended(id_)
        return paused, read, done, (await site.get(f"/deliberations/{id_}/export", "agent")).text

    paused, read, done, record = at_site(tmp_path, scene, models={MEMBER: member})

    assert (paused["status"], paused["waiting"][0]["role"]) == ("paused", "person")
    assert "summary" in read["context"] and "focus_question" in read["reply_schema"]["properties"]
    assert (done["status"], done["answer"], done["waiting"]) == ("complete", "yes", [])
    assert "Think of the ice" in record


def test_a_step_is_read_with_what_it_is_about_in_the_order_given_and_the_shape_of_its_reply(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        return id_, (await site.get(f"{steps_of(id_)}/{TURN}", "ada")).json()

    id_, step = at_forum(tmp_path, scene)

    assert step["deliberation_id"] == id_ and step["address"] == f"{API}{steps_of(id_)}/{TURN}"
    assert [step[name] for name in ("step", "role", "kind", "state", "agent", "lease_until")] == [
        *("turn/1", "person", "step", "open"),
        *(None, None),
    ]
    assert list(step["context"].items()) == list(CONTEXT.items())
    assert list(step["context"]["answer"]) == ["text", "sure"]
    assert set(step["reply_schema"]["properties"]) == {"text", "weight"}


def test_a_run_that_waits_for_several_goes_on_when_the_last_is_filled_and_says_who_said_what(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        await fill(site, id_, TURN, "ada", "yes")
        between = await site.ended(id_)
        await fill(site, id_, AUDIT, "bea", "no")
        asked_again = await site.ended(id_)
        filled = await fill(site, id_, LAST, "ada", "so be it")
        return between, asked_again, filled, await site.ended(id_)

    between, asked_again, filled, ended = at_forum(tmp_path, scene)

    assert [step["step"] for step in between["waiting"]] == ["audit/1"]
    assert [step["step"] for step in asked_again["waiting"]] == ["last~word/2"]
    assert (filled["state"], filled["agent"]) == ("done", "ada")
    assert (ended["status"], ended["answer"]) == ("complete", "ada: yes; bea: no; ada: so be it")


FILLED, REFUSED = {(200, "")}, {(403, "not_yours")}
ENTITLED = {
    # who asks, who comes: what becomes of a step for a person, and of one for auditors
    ("ada", "ada"): (FILLED, FILLED),
    ("ada", "bea"): (REFUSED, FILLED),
    ("ada", "reviewer"): (FILLED, FILLED),
    ("ada", "admin"): (FILLED, FILLED),
    ("reviewer", "bea"): (REFUSED, FILLED),
    ("reviewer", "reviewer"): (FILLED, FILLED),
    ("admin", "bea"): (REFUSED, FILLED),
}


async def tried(site: Site, asks: str, who: str, step: str) -> set[tuple[int, str]]:
    """Do all that can be done with a step of a new deliberation, and return what came of it."""
    path = f"{steps_of(await asked(site, asks))}/{step}"
    answers = {"read": await site.get(path, who), "take": await site.post(f"{path}/take", as_=who)}
    answers["renew"] = await site.post(f"{path}/renew", as_=who)
    answers["release"] = await site.post(f"{path}/release", as_=who)
    await site.post(f"{path}/take", as_=who)
    answers["fill"] = await site.post(f"{path}/fill", {"reply": {"text": "x"}}, who)
    return set(codes(answers).values())


def test_who_asked_and_who_reviews_may_fill_any_step_and_agents_those_that_are_not_for_people(tmp_path: Path) -> None:
    async def scene(site):
        await opened(site)
        return {pair: (await tried(site, *pair, TURN), await tried(site, *pair, AUDIT)) for pair in ENTITLED}

    assert at_forum(tmp_path, scene) == ENTITLED


@pytest.mark.parametrize("role", ["person", "reviewer", "auditor"])
@pytest.mark.parametrize("scopes", [("agent",), ("reviewer",), ("admin",), ("agent", "reviewer"), ()])
def test_an_agents_word_counts_as_a_persons_in_what_it_asked_and_never_as_a_reviewers(
    role: str, scopes: tuple[str, ...]
) -> None:
    step = OpenStep("0123456789", "turn/1", 0, "turn/1", role, "Say it.", {}, "Word")
    caller = Caller("ada", "moot_1", scopes)
    anybodys = bool({"reviewer", "admin"} & set(scopes)) or (role == "auditor" and bool(scopes))
    entitled = {"moot_1": anybodys or role != "reviewer", "moot_2": anybodys, None: anybodys}

    for owner, may in entitled.items():
        if may:
            caller.check_may_fill(step, owner=owner)
        else:
            with pytest.raises(NotYours, match="use the key that began it"):
                caller.check_may_fill(step, owner=owner)


def test_each_key_is_shown_the_steps_that_it_may_fill(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        names = {}
        for who in ("ada", "bea", *SCOPES):
            lists = [(await site.get(path, who)).json()["items"] for path in ("/open-steps", steps_of(id_))]
            names[who] = [[step["step"] for step in steps] for steps in lists]
        return names

    both, one = ["turn/1", "audit/1"], ["audit/1"]
    assert at_forum(tmp_path, scene) == {
        "ada": [both, both],
        "bea": [one, one],
        "agent": [one, one],
        "reviewer": [both, both],
        "admin": [both, both],
    }


def test_a_step_is_one_persons_until_it_is_released_and_is_filled_once(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        step, other, reply = f"{steps_of(id_)}/{TURN}", f"{steps_of(id_)}/{AUDIT}", {"reply": {"text": "yes"}}
        answers = {
            "ada fills what she has not taken": await site.post(f"{step}/fill", reply, "ada"),
            "ada takes": await site.post(f"{step}/take", {"lease": 60}, "ada"),
            "reviewer takes": await site.post(f"{step}/take", as_="reviewer"),
            "reviewer renews": await site.post(f"{step}/renew", as_="reviewer"),
            "reviewer releases": await site.post(f"{step}/release", as_="reviewer"),
            "reviewer fills": await site.post(f"{step}/fill", reply, "reviewer"),
            "ada takes a second of the group": await site.post(f"{other}/take", as_="ada"),
            "ada renews": await site.post(f"{step}/renew", {"lease": 600}, "ada"),
            "ada asks for a week": await site.post(f"{step}/renew", {"lease": 604_800}, "ada"),
            "ada releases": await site.post(f"{step}/release", as_="ada"),
            "ada fills late": await site.post(f"{step}/fill", reply, "ada"),
            "reviewer takes then": await site.post(f"{step}/take", as_="reviewer"),
            "reviewer fills then": await site.post(f"{step}/fill", reply, "reviewer"),
            "reviewer fills twice": await site.post(f"{step}/fill", reply, "reviewer"),
            "ada takes at last": await site.post(f"{step}/take", as_="ada"),
        }
        return codes(answers)

    assert at_forum(tmp_path, scene) == {
        "ada fills what she has not taken": (403, "not_your_step"),
        "ada takes": (200, ""),
        "reviewer takes": (409, "step_gone"),
        "reviewer renews": (403, "not_your_step"),
        "reviewer releases": (403, "not_your_step"),
        "reviewer fills": (403, "not_your_step"),
        "ada takes a second of the group": (409, "one_answer_per_agent"),
        "ada renews": (200, ""),
        "ada asks for a week": (422, "bad_request"),
        "ada releases": (200, ""),
        "ada fills late": (403, "not_your_step"),
        "reviewer takes then": (200, ""),
        "reviewer fills then": (200, ""),
        "reviewer fills twice": (409, "step_gone"),
        "ada takes at last": (409, "step_gone"),
    }


def test_a_lease_that_has_run_out_opens_the_step_and_a_late_reply_is_refused(tmp_path: Path) -> None:
    async def scene(site):
        step = f"{steps_of(await opened(site))}/{TURN}"
        await site.post(f"{step}/take", {"lease": 1e-9}, "ada")
        late = await site.post(f"{step}/fill", {"reply": {"text": "yes"}}, "ada")
        return late, (await site.get(step, "ada")).json()["state"]

    late, state = at_forum(tmp_path, scene)

    assert (late.status_code, late.json()["code"], state) == (409, "lease_expired", "open")


def test_a_bad_reply_names_every_field_and_keeps_the_step_taken(tmp_path: Path) -> None:
    async def scene(site):
        step = f"{steps_of(await opened(site))}/{TURN}"
        taken = (await site.post(f"{step}/take", as_="ada")).json()
        bad = await site.post(f"{step}/fill", {"reply": {"wieght": 2, "weight": "heavy"}}, "ada")
        return taken, bad, (await site.get(step, "ada")).json()

    taken, bad, after = at_forum(tmp_path, scene)

    assert (bad.status_code, bad.json()["code"]) == (422, "bad_submission")
    assert {item["field"] for item in bad.json()["errors"]} == {"text", "weight", "wieght"}
    assert after == taken and after["state"] == "taken"


def test_a_body_that_is_no_reply_is_a_bad_request(tmp_path: Path) -> None:
    bodies = [{}, {"reply": []}, {"reply": None}, {"text": "yes"}, {"reply": {}, "more": 1}]

    async def scene(site):
        step = f"{steps_of(await opened(site))}/{TURN}"
        await site.post(f"{step}/take", as_="ada")
        return [(await site.post(f"{step}/fill", body, "ada")).status_code for body in bodies]

    assert at_forum(tmp_path, scene) == [422] * len(bodies)


def test_the_same_fill_again_with_its_idempotency_key_gets_the_first_answer(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        step, again = f"{steps_of(id_)}/{TURN}", {"Idempotency-Key": "k"}
        await site.post(f"{step}/take", as_="ada")
        sent = [await site.post(f"{step}/fill", {"reply": {"text": "yes"}}, "ada", headers=again) for _ in range(2)]
        return [(answer.status_code, answer.json()["state"]) for answer in sent]

    assert at_forum(tmp_path, scene) == [(200, "done"), (200, "done")]


def test_what_is_no_open_step_is_nowhere(tmp_path: Path) -> None:
    names = ["turn~2", "nothing", "~", "..%2f..%2fetc", "turn~1'--", "a" * 400, "%00", "Turn~1"]

    async def scene(site):
        id_ = await opened(site)
        read = [await site.get(f"{steps_of(id_)}/{name}") for name in names]
        taken = [await site.post(f"{steps_of(id_)}/{name}/take") for name in names]
        return {answer.status_code for answer in (*read, *taken)}

    assert at_forum(tmp_path, scene) <= {404, 422}


def test_the_boards_slots_and_flags_are_filled_with_the_board_and_the_view_says_where(tmp_path: Path) -> None:
    async def scene(site):
        claim = {"claim": "Crows remember faces.", "table": "prism-v1-solo"}
        id_ = (await site.post("/claims", claim, "agent")).json()["id"]
        await site.serving.runs.finished(id_)
        waits = (await site.get(f"/deliberations/{id_}")).json()["waiting"]
        listed = (await site.get("/open-steps")).json()["items"] + (await site.get(steps_of(id_))).json()["items"]
        taken = await site.post(waits[0]["address"].removeprefix(API), as_="agent")
        return waits, listed, await site.post(f"{steps_of(id_)}/L1.1~work~1/take"), taken.status_code

    waits, listed, refused, taken = at_site(tmp_path, scene)

    assert (waits[0]["kind"], waits[0]["step"]) == ("slot", "L1.1/work/1")
    assert listed == []
    assert (refused.status_code, refused.json()["code"], taken) == (404, "not_found", 200)


def test_open_steps_come_in_pages(tmp_path: Path) -> None:
    async def scene(site):
        ids = [await opened(site), *[await asked(site, "ada") for _ in range(2)]]
        seen, cursor = [], ""
        while cursor is not None:
            page = (await site.get(f"/open-steps?limit=2{cursor and '&cursor='}{cursor}", "ada")).json()
            seen += [(step["deliberation_id"], step["step"]) for step in page["items"]]
            cursor = page["next"]
        return ids, seen

    ids, seen = at_forum(tmp_path, scene)

    assert seen == [(id_, step) for id_ in ids for step in ("turn/1", "audit/1")]


def test_nobody_is_told_what_another_has_put_into_a_step(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        await fill(site, id_, TURN, "ada", "a secret of Ada's")
        paths = [steps_of(id_), f"{steps_of(id_)}/{AUDIT}", "/open-steps", f"/deliberations/{id_}"]
        answers = [await site.get(path, who) for path in paths for who in ("ada", "bea")]
        return [*answers, await site.get(f"{steps_of(id_)}/{TURN}", "bea")]

    for answer in at_forum(tmp_path, scene):
        assert "secret" not in answer.text, answer.url


def test_an_event_stream_says_that_a_step_waits_and_that_it_was_filled(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        told = site.serving.watch.subscribe(id_)

        async def listen() -> list[dict[str, Any]]:
            return [json.loads(item.text) async for item in told if isinstance(item, EventHeard)]

        listening = asyncio.ensure_future(listen())
        for step, who in ((TURN, "ada"), (AUDIT, "bea"), (LAST, "ada")):
            await fill(site, id_, step, who)
        return await listening

    heard = at_forum(tmp_path, scene)

    kinds = [(event["kind"], event["step"]) for event in heard if event["kind"] in ("opened", "filled")]
    assert kinds == [
        *(("opened", "turn/1"), ("opened", "audit/1"), ("filled", "turn/1"), ("filled", "audit/1")),
        *(("opened", "last~word/2"), ("filled", "last~word/2")),
    ]
    assert next(event for event in heard if event["kind"] == "opened")["title"] == "Say it (person)."


def test_a_step_of_a_deliberation_that_was_cancelled_is_kept_and_the_run_goes_on_only_when_wanted(
    tmp_path: Path,
) -> None:
    async def scene(site):
        id_ = await opened(site)
        await site.post(f"/deliberations/{id_}/cancel", as_="ada")
        await fill(site, id_, TURN, "ada")
        await fill(site, id_, AUDIT, "bea")
        waits = (await site.get(steps_of(id_), "ada")).json()["items"]
        await site.post(f"/deliberations/{id_}/resume", as_="ada")
        return waits, [step["step"] for step in (await site.ended(id_))["waiting"]]

    assert at_forum(tmp_path, scene) == ([], ["last~word/2"])


def test_a_step_that_another_version_of_its_protocol_opened_is_not_taken_in_vain(tmp_path: Path) -> None:
    id_ = at_forum(tmp_path, opened)

    async def scene(site):
        return await site.post(f"{steps_of(id_)}/{TURN}/take")

    refused = at_site(tmp_path, scene, protocols=lambda _: replace(FORUM, version=2))

    assert (refused.status_code, refused.json()["code"]) == (409, "protocol_version_changed")


FORMS = ("md", "html", "json", "files")


def test_what_a_protocol_made_that_the_server_has_not_is_shown_and_exported_and_not_resumed(tmp_path: Path) -> None:
    id_ = at_forum(tmp_path, opened)

    async def scene(site: Site) -> tuple[Any, ...]:
        shown = (await site.get(f"/deliberations/{id_}")).json()
        exported = [await site.get(f"/deliberations/{id_}/export?format={form}") for form in FORMS]
        refused = [await site.post(path) for path in (f"/deliberations/{id_}/resume", f"{steps_of(id_)}/{TURN}/take")]
        return shown, exported, refused

    shown, exported, refused = at_site(tmp_path, scene)

    assert (shown["status"], shown["protocol"]) == ("paused", "forum")
    assert [answer.status_code for answer in exported] == [200] * len(FORMS)
    assert "its protocol forum is not installed here: shown without its report" in exported[0].text
    assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(409, "protocol_not_installed")] * 2


def test_of_many_who_take_a_step_at_once_one_has_it(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await opened(site)
        names = [f"agent {number}" for number in range(8)]
        for name in names:
            await site.agent(name)
        answers = await asyncio.gather(*(site.post(f"{steps_of(id_)}/{AUDIT}/take", as_=name) for name in names))
        return sorted(codes(dict(zip(names, answers, strict=True))).values())

    assert at_forum(tmp_path, scene) == [(200, ""), *[(409, "step_gone")] * 7]
