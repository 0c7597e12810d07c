"""Moot as a model, asked by the real client: the answer with its authority, streamed, cancelled, asked again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import openai as library
import pytest

from moot.testing import scripted
from tests.web.chat.kit import QUESTION, SINGLE, Held, answering, openai, post
from tests.web.kit import MEMBER, SURE, at_site, environ

VOTED = "No prime divides it.\nAnswer: 97 is prime"


def test_the_client_gets_the_answer_its_authority_and_the_sum_of_tokens(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            reply = await client.chat.completions.create(**SINGLE)
        shown = (await site.get(f"/deliberations/{reply.moot['id']}", "agent")).json()
        page = await site.page(f"/d/{reply.moot['id']}", "admin")
        return reply, shown, page.status_code, str(site.client.base_url).rstrip("/")

    reply, shown, page, url = at_site(tmp_path, scene, live=True)

    assert reply.choices[0].message.content == "97 is prime" and reply.choices[0].finish_reason == "stop"
    assert (reply.object, reply.model) == ("chat.completion", "moot/single")
    for name in ("status", "stop_reason", "confidence", "dissent", "caveats", "missing"):
        assert reply.moot[name] == shown[name], name
    # Moments are kept to the microsecond, and a call that takes fifty of them may be told as one more or less.
    seconds = reply.moot["cost"].pop("seconds"), shown["cost"].pop("seconds")
    assert reply.moot["cost"] == shown["cost"] and seconds[0] == pytest.approx(seconds[1], abs=2e-6)
    assert reply.moot["confidence"]["basis"] == "stated"
    assert (reply.moot["address"], page) == (f"{url}/d/{shown['id']}", 200)
    assert reply.usage.prompt_tokens == shown["cost"]["tokens_in"] > 0
    assert reply.usage.total_tokens == shown["cost"]["tokens_in"] + shown["cost"]["tokens_out"]


def test_usage_is_the_sum_over_all_members(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            return await client.chat.completions.create(model="moot/spiral", messages=QUESTION)

    reply = at_site(tmp_path, scene, live=True)

    assert reply.moot["cost"]["calls"] > 2
    assert reply.usage.prompt_tokens == reply.moot["cost"]["tokens_in"]
    assert reply.usage.completion_tokens == reply.moot["cost"]["tokens_out"] > 0


def disagreeing(request):
    return SURE if "m1" in request.step else SURE.replace("97 is prime", "97 is composite")


def test_a_stream_tells_who_answered_in_words_and_then_the_answer(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            stream = await client.chat.completions.create(
                model="moot/spiral", messages=QUESTION, stream=True, stream_options={"include_usage": True}
            )
            return [chunk async for chunk in stream]

    chunks = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(disagreeing)})

    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    told = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas).splitlines()
    said = [delta.content for delta in deltas if delta.content]
    assert told[0].startswith("spiral begins; about ")
    assert told[1] == "m1 answered; exposition: each answers alone"
    assert "m2 answered; loop 5 of 7: stretto" in told
    assert not any("composite" in line or "No prime" in line for line in told)
    *_, last, usage = chunks
    assert said == [last.moot["answer"]] and deltas[0].role == "assistant"
    assert last.choices[0].finish_reason == "stop" and last.moot["dissent"]
    assert (usage.choices, usage.usage.prompt_tokens) == ([], last.moot["cost"]["tokens_in"])
    assert {chunk.id for chunk in chunks} == {f"chatcmpl-{last.moot['id']}"}


def test_a_stream_ends_with_its_mark_and_tells_the_usage_only_if_asked(tmp_path: Path) -> None:
    async def scene(site):
        return await post(site, {**SINGLE, "stream": True})

    answer = at_site(tmp_path, scene)

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.startswith("data: {") and answer.text.endswith("data: [DONE]\n\n")
    assert "usage" not in answer.text


@pytest.mark.parametrize("stream", [False, True])
def test_closing_the_connection_cancels_the_deliberation(tmp_path: Path, stream: bool) -> None:
    held = Held()

    async def scene(site):
        async with openai(site) as client:
            asking = asyncio.ensure_future(_read(client, stream=stream))
            await held.asked.wait()
            asking.cancel()
            await asyncio.wait([asking])
        await held.left.wait()
        [row] = await site.serving.store.deliberations.newest()
        await site.serving.runs.finished(row.id)
        return row.id

    async def next_server(site):
        shown = await site.ended(id_)
        return shown["status"], shown["cost"]["calls"], (await site.serving.store.served.read(id_)).wanted

    id_ = at_site(tmp_path, scene, live=True, models=held.models)

    assert at_site(tmp_path, next_server) == ("running", 1, False)


async def _read(client: Any, *, stream: bool) -> None:
    reply = await client.chat.completions.create(**SINGLE, stream=stream)
    if stream:
        async for _ in reply:
            pass


def test_a_chat_that_waits_takes_no_turn_of_others(tmp_path: Path) -> None:
    held = Held()

    async def scene(site):
        waiting = [asyncio.ensure_future(post(site, SINGLE)) for _ in range(20)]
        await held.asked.wait()
        others = (await site.get("/claims")).status_code
        held.free.set()
        return others, [(await one).status_code for one in waiting]

    assert at_site(tmp_path, scene, models=held.models) == (200, [200] * 20)


@pytest.mark.parametrize("stream", [False, True])
def test_the_same_key_gets_the_same_answer_and_pays_once(tmp_path: Path, stream: bool) -> None:
    async def scene(site):
        answers = [await post(site, {**SINGLE, "stream": stream}, idempotency_key="a") for _ in range(2)]
        others = [
            await post(site, {**SINGLE, **changed}, idempotency_key="a")
            for changed in ({"stream": stream, "seed": 1}, {"stream": not stream})
        ]
        return answers, others, await site.serving.store.deliberations.newest()

    (first, second), others, stored = at_site(tmp_path, scene)

    assert first.status_code == 200 and first.text == second.text and len(stored) == 1
    assert second.headers["idempotency-replayed"] == "true"
    for other in others:
        assert (other.status_code, other.json()["error"]["code"]) == (400, "idempotency_mismatch")


def test_the_same_key_while_the_first_request_is_answered_is_told_to_come_again(tmp_path: Path) -> None:
    held = Held()

    async def scene(site):
        first = asyncio.ensure_future(post(site, SINGLE, idempotency_key="a"))
        await held.asked.wait()
        second = await post(site, SINGLE, idempotency_key="a")
        held.free.set()
        await first
        return second

    second = at_site(tmp_path, scene, models=held.models)

    assert (second.status_code, second.json()["error"]["code"]) == (409, "still_under_way")
    assert second.headers["retry-after"] == "1"


def test_a_chat_that_was_left_goes_on_under_its_key_and_is_not_paid_twice(tmp_path: Path) -> None:
    calls: list[str] = []
    held = Held()

    async def reply(request):
        calls.append(request.step)
        return VOTED if len(calls) == 1 else await held.reply(request, VOTED)

    async def scene(site):
        key = {"Idempotency-Key": "the same"}
        body: dict[str, Any] = {"model": "moot/vote", "messages": QUESTION}
        async with openai(site) as client:
            left = asyncio.ensure_future(client.chat.completions.create(**body, extra_headers=key))
            await held.asked.wait()
            left.cancel()
            await asyncio.wait([left])
            await held.left.wait()
            [row] = await site.serving.store.deliberations.newest()
            await site.serving.runs.finished(row.id)
            held.free.set()
            again = await _when_free(client, body, key)
        return row.id, again, await site.serving.store.deliberations.newest()

    id_, again, stored = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(reply)})

    assert again.moot["id"] == id_ and len(stored) == 1
    assert calls.count(calls[0]) == 1


async def _when_free(client: Any, body: dict[str, Any], key: dict[str, str]) -> Any:
    """Send a request again until the server has let go of its first one."""
    while True:
        try:
            return await client.chat.completions.create(**body, extra_headers=key)
        except library.ConflictError:
            await asyncio.sleep(0)


def test_a_deliberation_without_an_answer_is_an_error_that_no_client_sends_again(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            with pytest.raises(library.UnprocessableEntityError) as whole:
                await client.chat.completions.create(**SINGLE)
            with pytest.raises(library.APIError) as streamed:
                await _read(client, stream=True)
        return whole.value, streamed.value

    whole, streamed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted({})})

    assert whole.code == streamed.code == "no_answer"
    for error in (whole, streamed):
        assert "came to no answer (failed:" in str(error)
        assert "; GET /api/v1/deliberations/" in str(error) and "`moot" not in str(error)


def test_a_footer_is_written_where_it_is_asked_for_and_nowhere_else(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            asked = await client.chat.completions.create(**SINGLE, extra_body={"moot": {"footer": True}})
            plain = await client.chat.completions.create(**SINGLE)
        return asked, plain

    asked, plain = at_site(tmp_path, scene, live=True)

    answer, _, footer = asked.choices[0].message.content.partition("\n\n---\n")
    assert answer == plain.choices[0].message.content == "97 is prime"
    assert footer.splitlines() == [
        "complete; confidence 0.90 stated: one model said so, and nobody checked",
        "caveat: This is one model's word: nothing in it was checked.",
        asked.moot["address"],
    ]


def test_a_footer_says_why_a_result_is_not_complete(tmp_path: Path) -> None:
    async def scene(site):
        asked = await post(site, {"model": "moot/spiral", "messages": QUESTION, "moot": {"footer": True}})
        return asked.json()["choices"][0]["message"]["content"]

    alone = scripted(lambda request: SURE if "m1" in request.step else "")
    content = at_site(tmp_path, scene, models={MEMBER: alone})

    assert content.partition("\n\n---\n")[2].splitlines()[:2] == [
        "partial: less than a full answer, for the reason given; confidence none (no agreement was measured)",
        "stopped because: 1 of 3 seats answered, and agreement takes two",
    ]


def test_a_pydantic_model_is_filled_from_the_verdict(tmp_path: Path) -> None:
    from typing import Literal

    from pydantic import BaseModel

    class Ruling(BaseModel):
        colour: Literal["red", "green"]
        confidence: float

    async def scene(site):
        async with openai(site) as client:
            return await client.chat.completions.parse(**SINGLE, response_format=Ruling)

    reply = at_site(tmp_path, scene, live=True, models=answering("Green."))

    assert reply.choices[0].message.parsed == Ruling(colour="green", confidence=0.9)


def test_an_answer_that_does_not_fit_its_form_is_a_refusal_with_the_reason(tmp_path: Path) -> None:
    number = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "integer"}}}

    async def scene(site):
        streamed = await post(site, {**SINGLE, "response_format": number, "stream": True})
        return (await post(site, {**SINGLE, "response_format": number})).json(), streamed.text

    reply, streamed = at_site(tmp_path, scene, models=answering("many"))

    message = reply["choices"][0]["message"]
    assert message["content"] is None and "'many' is no number" in message["refusal"]
    assert reply["moot"]["answer"] == "many"
    assert json.dumps(message["refusal"])[1:-1] in streamed


def test_the_form_is_asked_of_the_members(tmp_path: Path) -> None:
    models = answering("42")

    async def scene(site):
        number = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "integer"}}}
        return (await post(site, {**SINGLE, "response_format": number})).json()

    reply = at_site(tmp_path, scene, models=models)

    assert reply["choices"][0]["message"]["content"] == "42"
    assert "a whole number alone" in str(models[MEMBER].requests[0])


def test_context_and_documents_reach_the_members(tmp_path: Path) -> None:
    models = answering("1911")
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "We speak of Tarn."},
        {"role": "assistant", "content": "Very well."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "When was it dredged?"},
                {
                    "type": "file",
                    "file": {"filename": "tarn.txt", "file_data": "data:text/plain;base64,RHJlZGdlZCAxOTExLg=="},
                },
            ],
        },
    ]

    async def scene(site):
        reply = (await post(site, {"model": "moot/single", "messages": messages})).json()
        return await site.serving.store.deliberations.header(reply["moot"]["id"])

    header = at_site(tmp_path, scene, models=models)

    assert header.question.text.splitlines()[0] == "When was it dredged?"
    assert header.question.text.index("Be brief.") < header.question.text.index("user: We speak of Tarn.")
    assert [(one.name, one.text) for one in header.question.documents] == [("tarn.txt", "Dredged 1911.")]
    assert "Dredged 1911." in str(models[MEMBER].requests[0])


PANELS = """
[panels.council]
members = ["scripted:one*3"]
protocol = "vote"
budget = { calls = 7 }
[panels.single]
members = ["scripted:one"]
"""


def with_panels(tmp_path: Path, text: str = PANELS) -> dict[str, str]:
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    return {**environ(tmp_path), "MOOT_CONFIG": str(file)}


def test_protocols_modes_and_panels_are_the_models(tmp_path: Path) -> None:
    async def scene(site):
        async with openai(site) as client:
            listed = [model.id async for model in client.models.list()]
            one = await client.models.retrieve("moot/debate:delphi")
            with pytest.raises(library.NotFoundError) as unknown:
                await client.models.retrieve("moot/debate:delfi")
        return listed, one, unknown.value

    listed, one, unknown = at_site(tmp_path, scene, live=True, environ_=with_panels(tmp_path))

    assert {"moot/spiral", "moot/interrogation", "moot/debate:delphi", "moot/council"} <= set(listed)
    assert len(listed) == len(set(listed)) and listed.count("moot/single") == 1
    assert (one.id, one.object, one.owned_by) == ("moot/debate:delphi", "model", "moot")
    assert unknown.code == "model_not_found" and "did you mean moot/debate:delphi?" in str(unknown)


def test_a_panel_of_moot_toml_is_asked_by_its_name_within_its_own_limits(tmp_path: Path) -> None:
    models = {MEMBER: scripted(lambda request: SURE if request.step == "answer" else VOTED)}

    async def scene(site):
        reply = (await post(site, {"model": "moot/council", "messages": QUESTION})).json()
        header = await site.serving.store.deliberations.header(reply["moot"]["id"])
        of_a_protocol = (await post(site, SINGLE)).json()["moot"]["protocol"]
        return reply["moot"]["protocol"], len(header.panel), header.budget.calls, of_a_protocol

    assert at_site(tmp_path, scene, environ_=with_panels(tmp_path), models=models) == ("vote", 3, 7, "single")


def test_a_mode_is_a_setting_and_nobody_is_waited_for(tmp_path: Path) -> None:
    async def scene(site):
        delphi = await post(
            site, {"model": "moot/debate:delphi", "messages": QUESTION, "moot": {"settings": {"rounds": 1}}}
        )
        newest, *_ = await site.serving.store.deliberations.newest()
        return delphi.status_code, (await site.serving.store.deliberations.header(newest.id)).settings["mode"]

    status, mode = at_site(tmp_path, scene)

    assert mode == "delphi" and status in (200, 422)


@pytest.mark.parametrize(("said", "on_flag"), [("", "end"), ('settings = {prism = {on_flag = "wait"}}', "wait")])
def test_a_panel_waits_for_a_person_only_where_it_says_so(tmp_path: Path, said: str, on_flag: str) -> None:
    text = f'[panels.seven]\nprotocol = "prism"\nmembers = ["{MEMBER}"]\n{said}\n'

    async def scene(site):
        await post(site, {"model": "moot/seven", "messages": QUESTION})
        newest, *_ = await site.serving.store.deliberations.newest()
        return (await site.serving.store.deliberations.header(newest.id)).settings["on_flag"]

    assert at_site(tmp_path, scene, environ_=with_panels(tmp_path, text)) == on_flag


@pytest.mark.parametrize("wrong", ['protocol = "nosuch"', 'protocol = "vote"\nsettings = {vote = {sides = 2}}'])
def test_a_panel_that_cannot_be_asked_is_told_of_to_whoever_starts_the_server_and_offered_to_nobody(
    tmp_path: Path, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    text = f'[panels.broken]\nmembers = ["{MEMBER}"]\n{wrong}\n[panels.sound]\nmembers = ["{MEMBER}"]\n'

    async def scene(site):
        async with openai(site) as client:
            listed = [model.id async for model in client.models.list()]
        return listed, await post(site, {"model": "moot/broken", "messages": QUESTION})

    listed, refused = at_site(tmp_path, scene, live=True, environ_=with_panels(tmp_path, text))

    assert "moot/sound" in listed and "moot/broken" not in listed
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
    assert str(tmp_path) not in refused.text
    [line] = [record.getMessage() for record in caplog.records if "panel" in record.getMessage()]
    assert "'broken' cannot be asked" in line and "own.toml, panels.broken" in line
