"""What a chat is refused: by key and scope, by limit, by the table of parameters; in its clients' shape."""

from pathlib import Path
from typing import Any

import openai as library
import pytest

from moot.core.errors import BadParameter
from moot.web.chat.parameters import PARAMETERS, check_others
from tests.web.chat.kit import QUESTION, SINGLE, call, openai, post
from tests.web.kit import SCOPES, at_site

WRONG = "moot_00000000_" + "x" * 43
TABLE = {("GET", "/models"), ("GET", "/models/moot/single"), ("POST", "/chat/completions")}


def test_every_endpoint_answers_by_key_and_scope(tmp_path: Path) -> None:
    async def scene(site):
        seen = {}
        for method, path in TABLE:
            for who in (None, WRONG, *SCOPES):
                answer = await call(site, method, path, who, json=SINGLE if method == "POST" else None)
                code = answer.json()["error"]["code"] if answer.status_code >= 400 else None
                seen[method, path, who] = (answer.status_code, code)
        return seen

    seen = at_site(tmp_path, scene)

    for (_, _, who), outcome in seen.items():
        assert outcome == ((200, None) if who in SCOPES else (401, "invalid_api_key")), who


def test_the_client_names_each_failure_by_its_own_class(tmp_path: Path) -> None:
    async def scene(site):
        seen = []
        async with openai(site, WRONG) as client:
            with pytest.raises(library.AuthenticationError) as raised:
                await client.chat.completions.create(**SINGLE)
            seen.append(raised.value)
        async with openai(site) as client:
            for kind, changed in [
                (library.NotFoundError, {"model": "gpt-4"}),
                (library.BadRequestError, {"n": 2}),
                (library.BadRequestError, {"messages": []}),
                (library.PermissionDeniedError, {"extra_body": {"moot": {"members": ["openai:gpt-4"]}}}),
                (library.PermissionDeniedError, {"extra_body": {"moot": {"budget": {"calls": 99_999}}}}),
            ]:
                with pytest.raises(kind) as raised:
                    await client.chat.completions.create(**{**SINGLE, **changed})
                seen.append(raised.value)
        return seen, await site.serving.store.deliberations.newest()

    seen, stored = at_site(tmp_path, scene, live=True)

    assert [(error.code, error.param) for error in seen] == [
        ("invalid_api_key", None),
        ("model_not_found", "model"),
        ("unsupported_parameter", "n"),
        ("bad_request", "messages"),
        ("member_not_allowed", "moot.members"),
        ("over_budget", "moot.budget.calls"),
    ]
    assert seen[1].type == "invalid_request_error" and seen[4].type == "permission_error"
    assert stored == []


def test_too_many_chats_are_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    async def scene(site):
        return [await call(site, "GET", "/models/moot/single") for _ in range(8)][-1]

    last = at_site(tmp_path, scene, rate=1.0)

    assert (last.status_code, last.json()["error"]["type"]) == (429, "rate_limit_error")
    assert int(last.headers["retry-after"]) >= 1


IMAGE = {"type": "image_url", "image_url": {"url": "x"}}
TEXT = {"type": "json_schema", "json_schema": {"schema": {"type": "string"}}}
BAD = [
    ({"messages": [{"role": "assistant", "content": "x"}]}, "messages"),
    ({"messages": [*QUESTION, {"role": "tool", "content": "x", "tool_call_id": "1"}]}, "messages.1.role"),
    ({"messages": [{"role": "user", "content": ""}]}, "messages"),
    ({"messages": [{"role": "user", "content": [IMAGE]}]}, "messages.0.content.0"),
    ({"response_format": {"type": "json_object"}}, "response_format"),
    ({"response_format": {"type": "xml"}}, "response_format.type"),
    ({"temprature": 1}, "temprature"),
    ({"moot": {"foter": True}}, "moot.foter"),
    ({"moot": {"settings": {"axioms": "/etc"}}, "model": "moot/spiral"}, "moot.settings.axioms"),
    ({"moot": {"settings": {"loops": "many"}}, "model": "moot/spiral"}, "moot.settings.loops"),
    ({"moot": {"members": ["nobody at all"]}}, "moot.members"),
    ({"moot": []}, "moot"),
    ({"moot": {"footer": True}, "response_format": TEXT}, "moot.footer"),
    ({"moot": {"form": "a number"}, "response_format": TEXT}, "moot.form"),
]


@pytest.mark.parametrize(("changed", "param"), BAD, ids=lambda value: str(value)[:30])
def test_a_chat_that_cannot_be_is_refused_and_nothing_is_stored(
    tmp_path: Path, changed: dict[str, Any], param: str | None
) -> None:
    async def scene(site):
        answer = await post(site, {**SINGLE, **changed})
        return answer.status_code, answer.json()["error"], await site.serving.store.deliberations.newest()

    status, error, stored = at_site(tmp_path, scene)

    assert (status, error["type"], error["param"], stored) == (400, "invalid_request_error", param, [])
    assert set(error) == {"message", "type", "param", "code"}
    assert "body." not in error["message"]


def test_what_a_chat_has_to_hold_is_not_to_be_left_out(tmp_path: Path) -> None:
    async def scene(site):
        told = [
            await post(site, {**SINGLE, **changed})
            for changed in ({"messages": [{"role": "assistant", "content": "x"}]}, {"n": 2})
        ]
        return [one.json()["error"] for one in told]

    messages, other = at_site(tmp_path, scene)

    assert (messages["code"], other["code"]) == ("invalid_value", "unsupported_parameter")
    assert messages["message"] == "messages: the last message has to be the user's: it is the question."
    assert other["message"].endswith("; put that right, or leave it out.")


def test_a_client_is_told_nothing_of_a_shell(tmp_path: Path) -> None:
    async def scene(site):
        empty = await post(site, {**SINGLE, "messages": [{"role": "user", "content": " "}]})
        return [empty.json()["error"]["message"], (await post(site, SINGLE, None)).json()["error"]["message"]]

    empty, keyless = at_site(tmp_path, scene)

    assert empty == "the question is empty; the last message has to say what is asked."
    assert keyless == "this needs a key; send it as `Authorization: Bearer KEY`. Whoever runs this server makes one."


def test_what_a_client_sends_as_null_is_left_out(tmp_path: Path) -> None:
    async def scene(site):
        return (await post(site, {**SINGLE, "moot": None, "seed": None, "response_format": None})).status_code

    assert at_site(tmp_path, scene) == 200


@pytest.mark.parametrize(
    ("name", "meant"),
    [("moot/nope", ""), ("moot/spirl", "did you mean moot/spiral? "), ("spiral", "did you mean moot/spiral? ")],
)
def test_a_model_that_nobody_offers_is_compared_by_its_own_name(tmp_path: Path, name: str, meant: str) -> None:
    async def scene(site):
        return (await post(site, {**SINGLE, "model": name})).json()["error"]["message"]

    told = at_site(tmp_path, scene)

    assert told == f"there is no model {name!r}; {meant}GET /v1/models lists what this server offers."


def test_what_is_no_endpoint_and_no_json_is_told_in_the_same_shape(tmp_path: Path) -> None:
    async def scene(site):
        nowhere = await call(site, "GET", "/embeddings")
        headers = {"Authorization": f"Bearer {site.keys['agent']}", "Content-Type": "application/json"}
        broken = await site.client.post("/v1/chat/completions", headers=headers, content=b"{")
        foreign = await call(site, "GET", "/models", Origin="https://evil.example")
        return nowhere, broken, foreign

    nowhere, broken, foreign = at_site(tmp_path, scene)

    told = {"message", "type", "param", "code"}
    seen = [(one.status_code, set(one.json()["error"])) for one in (nowhere, broken, foreign)]
    assert seen == [(404, told), (400, told), (403, told)]
    assert "/v1/models and /v1/chat/completions" in nowhere.json()["error"]["message"]
    assert broken.json()["error"]["message"].startswith("the body is no JSON: Expecting ")
    assert broken.json()["error"]["param"] is None


@pytest.mark.parametrize("name", [name for name, one in PARAMETERS.items() if one.treatment == "refused"])
def test_what_is_refused_is_refused_with_its_reason_and_let_pass_where_it_asks_for_nothing(name: str) -> None:
    for harmless in (None, *PARAMETERS[name].harmless):
        check_others({name: harmless})

    with pytest.raises(BadParameter, match=PARAMETERS[name].why[:30]):
        check_others({name: {"anything": 1}})


def test_one_is_not_true_and_an_ignored_parameter_may_say_anything() -> None:
    check_others({"temperature": "hot", "user": {"x": 1}})

    for name, near_miss in (("n", True), ("n", 1.0), ("n", 0), ("logprobs", 0), ("tools", [{}]), ("modalities", [])):
        with pytest.raises(BadParameter):
            check_others({name: near_miss})


def test_a_parameter_that_nobody_knows_is_refused_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(BadParameter, match=r"did you mean temperature\?"):
        check_others({"temperatur": 1})
    with pytest.raises(BadParameter, match=r"there is no such parameter; put"):
        check_others({"xyzzy": 1})
