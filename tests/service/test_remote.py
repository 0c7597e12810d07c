"""A server as its client meets it: answers that are lost, streams that are cut, and servers that say no."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from typing_extensions import override

from moot.core.budget import Budget
from moot.core.errors import NotFound, ServerRefused, ServerUnreachable, UsageError
from moot.core.ports import ProgressEvent
from moot.core.question import Document, Question
from moot.service.orders import Order
from moot.service.remote import WAITS, Remote, open_remote
from moot.service.service import no_progress

ID = "0123456789"
ORDER = Order(
    Question(text="Is 97 prime?", documents=(Document(name="a.txt", text="It is."),)),
    protocol="single",
    members=("embedded",),
    budget=Budget(calls=3),
)
PRINTED = {
    "id": ID,
    "protocol": "single",
    "status": "complete",
    "stop_reason": "",
    "answer": "yes",
    "confidence": {},
    "dissent": [],
    "caveats": [],
    "missing": [],
    "cost": {},
    "backends": {},
    "detail": {},
}
VIEW = {**PRINTED, "question": "Is 97 prime?", "here": None, "stalled": False, "left_alone": False, "waiting": []}
RUNNING = {**VIEW, "status": "running", "answer": None, "here": "running"}


class Server:
    """A server that gives what it is told to, in order, and the last of it for ever; it keeps what it was asked."""

    def __init__(self, **answers: list[Any]) -> None:
        self.answers = answers
        self.asked: list[httpx2.Request] = []
        self.slept: list[float] = []

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        last = request.url.path.rpartition("/")[2]
        kind = last if request.method == "POST" or last in ("events", "health") else "look"
        answers = self.answers[kind]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        answer = answer() if callable(answer) else answer
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx2.Response) else httpx2.Response(200, json=answer)

    def sent(self, kind: str) -> list[httpx2.Request]:
        return [request for request in self.asked if request.url.path.endswith(kind)]

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


def using(server: Server, scene: Callable[[Remote], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        transport = httpx2.MockTransport(server)
        async with httpx2.AsyncClient(transport=transport, base_url="http://moot.test/api/v1/") as http:
            return await scene(Remote(http, sleep=server.sleep))

    return asyncio.run(run())


async def deliberated(remote: Remote, told: list[Any] | None = None) -> Any:
    told = [] if told is None else told

    def hear(event: ProgressEvent) -> None:
        told.append((event.kind, event.step, event.seat, event.note))

    ended = await remote.deliberate(ORDER, on_progress=hear, on_created=told.append)
    return ended, told


def stream(*events: str) -> httpx2.Response:
    return httpx2.Response(200, text="".join(events), headers={"content-type": "text/event-stream"})


def run_event(seq: int) -> str:
    return f"id: {seq}\nevent: run\ndata: {{}}\n\n"


def progress_event(kind: str, seat: str) -> str:
    return f"event: progress\ndata: {json.dumps({'kind': kind, 'step': 'answer', 'seat': seat, 'note': ''})}\n\n"


def problem(status: int, code: str, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json={"code": code, "detail": f"why: {code}."}, headers=headers)


END = 'event: end\ndata: {"status": "complete"}\n\n'


def test_a_deliberation_is_sent_whole_and_returned_as_it_is_printed() -> None:
    server = Server(deliberations=[VIEW], events=[httpx2.Response(204)])

    ended, told = using(server, deliberated)

    assert (ended, told) == (PRINTED, [ID])
    assert json.loads(server.sent("deliberations")[0].content) == {
        "question": "Is 97 prime?",
        "documents": [{"name": "a.txt", "text": "It is."}],
        "protocol": "single",
        "members": ["embedded"],
        "settings": {},
        "budget": {"calls": 3, "tokens": None, "usd": None, "seconds": None},
    }


def test_a_request_whose_answer_is_lost_is_sent_again_under_its_own_key() -> None:
    lost = httpx2.ReadError("cut")
    again = problem(409, "still_under_way", **{"retry-after": "3"})
    server = Server(deliberations=[lost, again, VIEW], events=[httpx2.Response(204)])

    ended, _ = using(server, deliberated)

    keys = [request.headers["idempotency-key"] for request in server.sent("deliberations")]
    assert ended == PRINTED
    assert (len(keys), len(set(keys))) == (3, 1)
    assert server.slept[:2] == [WAITS[0], 3]


@pytest.mark.parametrize("names", [("stalled",), ("left_alone",), ("stalled", "left_alone")])
def test_whether_nobody_works_on_it_is_told_by_its_name_also_of_a_server_that_has_the_old_one(names) -> None:
    told = {name: value for name, value in VIEW.items() if name not in ("stalled", "left_alone")}
    server = Server(look=[{**told, **dict.fromkeys(names, True)}])

    status = using(server, lambda remote: remote.status(ID))

    assert status["stalled"] is True


def test_a_server_that_is_busy_is_asked_again_and_one_that_says_no_is_not() -> None:
    busy = Server(look=[problem(503, "server_busy"), problem(429, "too_many_requests"), VIEW])
    firm = Server(look=[problem(403, "not_yours")])

    shown = using(busy, lambda remote: remote.status(ID))
    with pytest.raises(ServerRefused, match="why: not_yours") as refused:
        using(firm, lambda remote: remote.status(ID))

    assert shown == {name: value for name, value in VIEW.items() if name != "here"}
    assert (len(busy.asked), len(firm.asked), refused.value.problem) == (3, 1, "not_yours")


def test_a_server_that_nobody_answers_at_is_named_after_every_try() -> None:
    server = Server(look=[httpx2.ConnectError("refused")])

    with pytest.raises(ServerUnreachable, match=r"moot\.test.*moot serve"):
        using(server, lambda remote: remote.status(ID))

    assert server.slept == list(WAITS)


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200, text="<html>"),
        httpx2.Response(200, json=[1]),
        httpx2.Response(500, json={}),
        httpx2.Response(302, headers={"location": "http://elsewhere.test/"}),
    ],
    ids=["a page", "a list", "no problem document", "elsewhere"],
)
def test_what_is_no_answer_of_a_moot_server_is_refused_and_not_followed(answer) -> None:
    server = Server(look=[answer])

    with pytest.raises(ServerRefused, match="nothing that Moot knows"):
        using(server, lambda remote: remote.status(ID))

    assert {request.url.host for request in server.asked} == {"moot.test"}


def test_a_stream_that_is_cut_goes_on_after_its_last_event() -> None:
    events = [
        stream(run_event(0), progress_event("asking", "m1"), run_event(4)),
        httpx2.ReadError("cut"),
        stream(progress_event("answered", "m1"), END),
    ]
    told: list[Any] = []
    server = Server(deliberations=[RUNNING], events=events, look=[lambda: VIEW if len(told) > 2 else RUNNING])

    ended, _ = using(server, lambda remote: deliberated(remote, told))

    assert ended == PRINTED
    assert [words[0] for words in told[1:]] == ["asking", "answered"]
    assert [request.headers.get("last-event-id") for request in server.sent("events")] == [None, "4", "4"]


def test_a_deliberation_that_somebody_stopped_on_the_server_says_how_to_go_on() -> None:
    stopped = {**RUNNING, "here": None}
    server = Server(deliberations=[RUNNING], events=[stream()], look=[stopped], health=[{"status": "ok"}])

    ended, _ = using(server, deliberated)

    assert ended["status"] == "running"
    assert ended["stop_reason"] == f"the server has stopped working on it; resume {ID} goes on"


def test_one_that_ended_while_it_was_looked_at_is_not_taken_for_stopped() -> None:
    looks = [{**RUNNING, "here": None}, VIEW]
    server = Server(deliberations=[RUNNING], events=[stream()], look=looks, health=[{"status": "ok"}])

    ended, _ = using(server, deliberated)

    assert ended == PRINTED


def test_a_server_that_is_started_again_is_waited_for() -> None:
    ending, gone = {**RUNNING, "here": None}, httpx2.ConnectError("refused")
    looks = [RUNNING, ending, ending, ending, gone, gone, RUNNING, VIEW]
    server = Server(deliberations=[RUNNING], events=[gone], look=looks, health=[{"status": "stopping"}])

    ended, _ = using(server, deliberated)

    assert ended == PRINTED


def test_a_call_that_is_taken_back_while_its_request_is_on_its_way_is_stopped_on_the_server() -> None:
    reached, answers = asyncio.Event(), asyncio.Event()
    heard: list[str] = []

    class Slow(Server):
        @override
        async def __call__(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.path.endswith("deliberations"):
                reached.set()
                await answers.wait()
            return await super().__call__(request)

    async def scene(remote: Remote) -> Any:
        calling = asyncio.ensure_future(remote.deliberate(ORDER, on_progress=no_progress, on_created=heard.append))
        await reached.wait()
        calling.cancel()
        answers.set()
        await asyncio.wait([calling])
        return calling.cancelled()

    server = Slow(deliberations=[RUNNING], cancel=[RUNNING])
    was_cancelled = using(server, scene)

    assert was_cancelled and heard == [ID]
    assert [request.url.path for request in server.asked] == [
        "/api/v1/deliberations",
        f"/api/v1/deliberations/{ID}/cancel",
    ]


@pytest.mark.parametrize("name", ["a/b", "../../agents", "a?b#c", "é"])
def test_a_name_is_one_part_of_the_address_whatever_it_holds(name) -> None:
    server = Server(mark_refuted=[{}])

    using(server, lambda remote: remote.graph("mark_refuted", name, {"node_id": "n", "reason": "r"}))

    path = server.asked[0].url.raw_path.decode()
    assert path.startswith("/api/v1/graphs/") and path.count("/") == 5


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_name_that_would_lead_elsewhere_is_nowhere(name) -> None:
    server = Server(look=[VIEW])

    with pytest.raises(NotFound):
        using(server, lambda remote: remote.status(name))

    assert not server.asked


@pytest.mark.parametrize(
    ("url", "key", "says"),
    [
        ("http://127.0.0.1:8017", "", "MOOT_SERVER_KEY"),
        ("http://127.0.0.1:8017", "a secret", "MOOT_SERVER_KEY"),
        ("127.0.0.1:8017", "moot_1_s", "no address"),
        ("ftp://127.0.0.1", "moot_1_s", "no address"),
        ("http://user:pass@127.0.0.1", "moot_1_s", "no address"),
        ("http://127.0.0.1:99999", "moot_1_s", "no address"),
        ("http://127.0.0.1/?key=1", "moot_1_s", "no address"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_told_without_showing_it(url, key, says) -> None:
    async def scene() -> None:
        async with open_remote(url, {"MOOT_SERVER_KEY": key}):
            pass

    with pytest.raises(UsageError, match=says) as refused:
        asyncio.run(scene())

    assert "secret" not in str(refused.value) and "pass" not in str(refused.value)


STEP = {
    "deliberation_id": ID,
    "step": "turn/1",
    "kind": "step",
    "role": "person",
    "title": "Say something.",
    "state": "done",
    "agent": "ada",
    "lease_until": None,
    "context": {},
    "reply_schema": {},
}
ON_THE_SERVER = {**STEP, "address": f"/api/v1/deliberations/{ID}/open-steps/turn~1"}
PAUSED = {**VIEW, "status": "paused", "answer": None}


async def filled(remote: Remote) -> Any:
    return await remote.fill_open_step(
        ID, "turn/1", {"text": "yes"}, on_progress=no_progress, on_created=lambda id_: None
    )


def test_a_step_is_taken_and_filled_and_what_goes_on_by_itself_is_waited_for() -> None:
    about_to_go_on = {**PAUSED, "waiting": []}
    server = Server(
        take=[ON_THE_SERVER],
        fill=[ON_THE_SERVER],
        look=[about_to_go_on, RUNNING, VIEW],
        events=[httpx2.Response(204)],
        health=[{"status": "ok"}],
    )

    ended = using(server, filled)

    paths = [request.url.path for request in server.asked if request.method == "POST"]
    assert ended == PRINTED
    assert paths == [f"/api/v1/deliberations/{ID}/open-steps/turn~1/{act}" for act in ("take", "fill")]
    assert json.loads(server.sent("fill")[0].content) == {"reply": {"text": "yes"}}


def test_one_that_waits_again_is_told_with_what_it_waits_for() -> None:
    waiting = {**PAUSED, "waiting": [ON_THE_SERVER]}
    server = Server(take=[ON_THE_SERVER], fill=[ON_THE_SERVER], look=[waiting], events=[httpx2.Response(204)])

    told = using(server, filled)

    assert (told["status"], told["waiting"]) == ("paused", [STEP])


def test_a_reply_to_what_another_asked_is_kept_although_its_outcome_is_not_for_this_key() -> None:
    server = Server(take=[ON_THE_SERVER], fill=[ON_THE_SERVER], look=[problem(403, "not_yours")])
    refused = Server(take=[ON_THE_SERVER], fill=[problem(422, "bad_submission")])

    assert using(server, filled) == STEP
    with pytest.raises(ServerRefused, match="bad_submission"):
        using(refused, filled)
