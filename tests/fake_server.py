"""A fake OpenAI-compatible server on loopback, for tests and benchmarks.

What it does with a request is chosen by the model's name, or by `behaviours`, a mapping from model names to
behaviours. A behaviour is one of the words in `BEHAVIOURS`, or several joined by commas, such as `429,500,well`:
the first is for the first time a request comes, the second for the second, and the last for all later ones.
A reply depends on the request (and on how often that very request came) and on nothing else, so that a run is
the same in any order of completion. An unknown word answers well.

In a test:      async with FakeServer() as server: … server.url …
By itself:      python tests/fake_server.py --delay-ms 100     prints {"url": …} and serves until stdin ends
"""

import argparse
import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

LONG = 1_000_000

BEHAVIOURS = {
    "well": "a valid reply to the schema, or prose where there is none",
    "slow": "waits until `release` is set",
    "hang": "never answers",
    "429": "too many requests, with Retry-After: 7",
    "429-date": "too many requests, with Retry-After as an HTTP date",
    "quota": "too many requests, because there is no credit",
    "500": "a server error",
    "503": "another server error",
    "cut": "the connection breaks before the reply",
    "cut-late": "the connection breaks in the middle of the reply",
    "fenced": "the JSON inside a Markdown fence, with words around it",
    "truncated": "the first half of the JSON",
    "think": "a <think> block before the JSON",
    "reasoning": "reasoning_content beside the JSON",
    "openrouter-reasoning": "reasoning beside the JSON, as OpenRouter names it",
    "prose": "no JSON at all",
    "wrong-schema": "JSON of another shape",
    "empty": "an empty text",
    "null": "no text at all",
    "refusal": "a refusal instead of a text",
    "long": "a megabyte of text",
    "endless": "more than any reply needs",
    "parts": "the text as a list of parts",
    "no-usage": "no usage",
    "wrong-usage": "usage that cannot be true",
    "cost": "usage with the provider's own cost",
    "400": "a bad request",
    "401": "the key is wrong, and the server quotes it",
    "401-partly": "the key is wrong, and the server quotes a part of it",
    "403": "the key may not",
    "404": "no such model",
    "error-200": "status 200 with an error inside",
    "echo-key": "the key, as the text of the reply",
    "not-json": "a web page",
    "no-choices": "JSON that is no chat completion",
    "nested": "JSON nested beyond any reader",
    "redirect": "another address",
    "no-temperature": "rejects the parameter temperature",
    "no-seed": "rejects the parameter seed",
    "no-schema": "rejects the parameter response_format",
    "no-max-tokens": "wants max_completion_tokens",
    "no-seed-detail": "rejects the parameter seed, as a server with strict types does",
    "no-seed-list": "rejects the parameter seed inside a list",
    "picky": "rejects temperature, seed, response_format and max_tokens, one after the other",
    "listed": "a server error inside a list",
    "quoting": "a bad request that quotes a prompt in which a parameter's name stands",
    "too-long": "says that max_tokens is too large",
    "no-n": "rejects the parameter n",
    "one-of-n": "sends one reply, whatever n is",
    "timed": "says how many tokens a second it read and wrote",
    "llama": "counts in its usage one reply alone; in a stream it sends each one's behind its end",
}


@dataclass(slots=True)
class Call:
    """One request as it came."""

    path: str
    key: str
    headers: dict[str, str]
    body: dict[str, Any]
    disconnected: bool = False


class FakeServer:
    """The server, as an async context manager. `calls` has every request, `counts` how often each one came."""

    def __init__(
        self, behaviours: Mapping[str, str] | None = None, *, delay: float = 0.0, dimensions: int = 8, keep: bool = True
    ) -> None:
        self.behaviours = dict(behaviours or {})
        self.delay = delay
        self.dimensions = dimensions
        self.keep = keep
        """Whether `calls` is filled; a benchmark would only fill memory with it."""
        self.calls: list[Call] = []
        self.counts: Counter[str] = Counter()
        self.release = asyncio.Event()
        self.arrived = asyncio.Event()
        """Set when a call waits for `release` or hangs."""
        self.left = asyncio.Event()
        """Set when a client went away before its reply."""
        self.in_flight = 0
        self.most_in_flight = 0
        self.catalogue: list[dict[str, Any]] = []
        """What /v1/models lists."""
        self.tags: list[str] | None = None
        """What an Ollama's /api/tags lists."""
        self.url = ""

    async def __aenter__(self) -> "FakeServer":
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/api/tags", self._tags)
        app.router.add_get("/counts", self._counts)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.release.set()
        await self._runner.cleanup()

    def member(self, model: str = "well") -> str:
        """The string that names this server's model as a member."""
        return f"{self.url}#{model}"

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        call = self._noted(request, await request.json())
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            word = self._behaviour(call)
            await self._wait(word)
            return await _answer(word, request, call)
        except asyncio.CancelledError:
            call.disconnected = True
            self.left.set()
            raise
        finally:
            self.in_flight -= 1

    async def _wait(self, word: str) -> None:
        if self.delay:
            await asyncio.sleep(self.delay)
        if word == "slow":
            self.arrived.set()
            await self.release.wait()
        if word == "hang":
            self.arrived.set()
            await asyncio.Event().wait()

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        call = self._noted(request, await request.json())
        word = self._behaviour(call)
        await self._wait(word)
        if word in STATUSES:
            return STATUSES[word](request)
        texts = call.body["input"]
        rows: list[dict[str, Any]] = [
            {"index": place, "embedding": vector(text, self.dimensions)} for place, text in enumerate(texts)
        ]
        if word == "wrong-schema":
            rows = rows[1:]
        if word == "nan":
            rows[0]["embedding"][0] = "x"
        return web.json_response({"object": "list", "data": rows[::-1], "usage": {"prompt_tokens": len(texts)}})

    async def _models(self, request: web.Request) -> web.Response:
        self._noted(request, {})
        return web.json_response({"data": self.catalogue})

    async def _tags(self, request: web.Request) -> web.Response:
        if self.tags is None:
            raise web.HTTPNotFound
        return web.json_response({"models": [{"name": name} for name in self.tags]})

    async def _counts(self, request: web.Request) -> web.Response:
        return web.json_response(dict(self.counts))

    def _noted(self, request: web.Request, body: dict[str, Any]) -> Call:
        call = Call(request.path, key_of(body), dict(request.headers) if self.keep else {}, body)
        self.counts[call.key] += 1
        if self.keep:
            self.calls.append(call)
        return call

    def _behaviour(self, call: Call) -> str:
        model = str(call.body.get("model", "well"))
        words = self.behaviours.get(model, model).split(",")
        return words[min(self.counts[call.key], len(words)) - 1]


def key_of(body: Mapping[str, Any]) -> str:
    """The same for the same question, whatever parameters go with it."""
    asked = [body.get("model"), body.get("messages"), body.get("seed"), body.get("input")]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def _cut(request: web.Request) -> None:
    assert request.transport is not None
    request.transport.close()


async def _answer(word: str, request: web.Request, call: Call) -> web.StreamResponse:
    if word in STATUSES:
        return STATUSES[word](request)
    if word in REJECTED and (rejection := _rejection(word, call.body)):
        return rejection
    if word == "cut":
        _cut(request)
        return web.Response()
    reply = completion(word, call)
    if word == "cut-late":
        response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "100000"})
        await response.prepare(request)
        await response.write(json.dumps(reply).encode()[:40])
        _cut(request)
        return response
    return (
        await _streamed(request, reply, each=word == "llama") if call.body.get("stream") else web.json_response(reply)
    )


def _chunks(choice: dict[str, Any], *, counted: bool) -> list[dict[str, Any]]:
    message, index = choice["message"], choice["index"]
    deltas = [{"reasoning_content": message["reasoning_content"]}] if message.get("reasoning_content") else []
    text = message["content"] or ""
    deltas += [{"content": text[start : start + 4]} for start in range(0, len(text), 4)]
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": index, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({"choices": [{"index": index, "delta": {}, "finish_reason": "stop"}]})
    if counted:
        chunks.append({"choices": [], "usage": {"prompt_tokens": 40, "completion_tokens": 11 + index}})
    return chunks


async def _streamed(request: web.Request, reply: dict[str, Any], *, each: bool) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    # The last choice ends first, as it may.
    chunks = [chunk for choice in reversed(reply["choices"]) for chunk in _chunks(choice, counted=each)]
    for chunk in chunks if each else [*chunks, {"choices": [], "usage": reply.get("usage")}]:
        named = {name: reply[name] for name in ("id", "model") if name in reply}
        await response.write(f"data: {json.dumps({**named, **chunk})}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    return response


def completion(word: str, call: Call) -> dict[str, Any]:
    """The chat completion that this behaviour sends."""
    right = right_text(call.body)
    message: dict[str, Any] = {"role": "assistant", "content": right}
    texts = {
        "fenced": f"Here it is:\n```json\n{right}\n```\nI hope it helps.",
        "truncated": right[: len(right) // 2],
        "think": f"<think>Let me see.</think>{right}",
        "prose": "I would rather talk about the weather.",
        "wrong-schema": '{"something": "else"}',
        "empty": "",
        "null": None,
        "refusal": None,
        "long": "word " * (LONG // 5),
        "endless": "word " * (LONG * 2),
        "parts": [{"type": "text", "text": right}],
        "echo-key": f"your key is {call.headers.get('Authorization', '')}",
    }
    message["content"] = texts.get(word, right)
    if word == "reasoning":
        message["reasoning_content"] = "Let me see."
    if word == "openrouter-reasoning":
        message["reasoning"] = "Let me see."
    if word == "refusal":
        message["refusal"] = "I will not."
    if word == "no-choices":
        return {"hello": "world"}
    finish = "length" if word == "truncated" else "stop"
    wanted = 1 if word in ("one-of-n", "no-n") else int(call.body.get("n", 1))
    choices = [
        {"index": index, "message": _further_message(message, index), "finish_reason": finish}
        for index in range(wanted)
    ]
    reply = {"choices": choices, "usage": usage(word, call.body, 1 if word == "llama" else wanted)}
    if word == "timed":
        reply["timings"] = {"prompt_per_second": 52.5, "predicted_per_second": 18.0}
    said = call.headers.get("Authorization", "") if word == "echo-key" else call.key
    return {"id": f"fake-{said}", "object": "chat.completion", "created": 0, "model": call.body["model"], **reply}


def _further_message(message: dict[str, Any], index: int) -> dict[str, Any]:
    """The same message, save that the replies after the first end in their number."""
    text = message["content"]
    return {**message, "content": f"{text} {index}"} if index and isinstance(text, str) else message


def usage(word: str, body: Mapping[str, Any], replies: int = 1) -> dict[str, Any] | None:
    """Tokens by the length of the texts, or what the behaviour makes of them."""
    if word == "no-usage":
        return None
    if word == "wrong-usage":
        return {"prompt_tokens": -5, "completion_tokens": "many", "cost": "free"}
    tokens = sum(len(message["content"]) for message in body.get("messages", [])) // 4
    written = 10 * replies
    counted = {"prompt_tokens": tokens, "completion_tokens": written, "total_tokens": tokens + written}
    return {**counted, "cost": 0.0125} if word == "cost" else counted


def right_text(body: Mapping[str, Any]) -> str:
    """A reply that is right for the request: JSON for its schema, or a sentence; a function of its messages."""
    seed = hashlib.sha256(json.dumps([body.get("messages"), body.get("seed")], sort_keys=True).encode()).hexdigest()
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    if schema is None:
        return f"The answer is {seed[:8]}."
    return json.dumps(instance(schema, schema, seed), separators=(",", ":"))


def instance(schema: Any, root: Any, seed: str) -> Any:
    """A value that the schema allows, its strings derived from the seed."""
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return instance(target, root, seed)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][int(seed[:6], 16) % len(schema["enum"])]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return instance(schema[several][0], root, seed)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        named = schema.get("properties", {}).items()
        return {name: instance(part, root, _further(seed, name)) for name, part in named}
    if kind == "array":
        count = max(schema.get("minItems", 1), min(2, schema.get("maxItems", 2)))
        parts = schema.get("prefixItems") or [schema.get("items", {})] * count
        return [instance(part, root, _further(seed, str(place))) for place, part in enumerate(parts)]
    return _scalar(kind, schema, seed)


def _scalar(kind: str, schema: Mapping[str, Any], seed: str) -> Any:
    if kind in ("integer", "number"):
        lowest = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        highest = schema.get("maximum", schema.get("exclusiveMaximum", lowest + 10))
        share = (int(seed[:6], 16) % 99 + 1) / 100
        value = lowest + (highest - lowest) * share
        return round(value) if kind == "integer" else round(value, 4)
    if kind == "boolean":
        return int(seed[:2], 16) % 2 == 0
    if kind == "null":
        return None
    text = f"text {seed[:8]}"
    text += "x" * (schema.get("minLength", 0) - len(text))
    return text[: schema.get("maxLength", len(text))]


def _further(seed: str, name: str) -> str:
    return hashlib.sha256(f"{seed}/{name}".encode()).hexdigest()


def vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1, derived from the text."""
    parts = [hashlib.sha256(f"{place}/{text}".encode()).digest()[0] - 127.5 for place in range(dimensions)]
    length = sum(part * part for part in parts) ** 0.5
    return [part / length for part in parts]


def _error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: Any) -> web.Response:
    return web.json_response({"error": {"message": message, **more}}, status=status, headers=headers)


def _page(_request: web.Request) -> web.Response:
    return web.Response(text="<html>hello</html>", content_type="text/html")


STATUSES: dict[str, Any] = {
    "429": lambda _: _error(429, "too many requests", {"Retry-After": "7"}),
    "429-date": lambda _: _error(429, "too many requests", {"Retry-After": "Thu, 01 Jan 1970 00:00:30 GMT"}),
    "quota": lambda _: _error(429, "you have no credit", code="insufficient_quota"),
    "500": lambda _: _error(500, "it broke"),
    "503": lambda _: web.Response(status=503, text="try\nlater\x1b[31m"),
    "400": lambda _: _error(400, "messages: must not be empty"),
    "401": lambda request: _error(401, f"Incorrect API key provided: {request.headers.get('Authorization')}"),
    "401-partly": lambda request: _error(401, f"Incorrect API key provided: {request.headers['Authorization'][7:20]}…"),
    "403": lambda _: _error(403, "not for you"),
    "404": lambda _: _error(404, "the model does not exist", code="model_not_found"),
    "error-200": lambda _: web.json_response({"error": {"message": "the provider is down", "code": 503}}),
    "not-json": _page,
    "nested": lambda _: web.Response(text="[" * 200_000, content_type="application/json"),
    "redirect": lambda _: web.Response(status=307, headers={"Location": "http://127.0.0.1:9/v1/elsewhere"}),
    "listed": lambda _: web.json_response([{"error": {"message": "it is down", "code": 503}}], status=503),
    "quoting": lambda _: _error(400, "the prompt 'What temperature is it?' is blocked"),
    "too-long": lambda _: _error(400, "max_tokens is too large: the limit is 4096", param="max_tokens"),
}

REJECTED: dict[str, tuple[str, ...]] = {
    "no-temperature": ("temperature",),
    "no-seed": ("seed",),
    "no-seed-detail": ("seed",),
    "no-seed-list": ("seed",),
    "no-schema": ("response_format",),
    "no-n": ("n",),
    "no-max-tokens": ("max_tokens",),
    "picky": ("temperature", "seed", "response_format", "max_tokens"),
}


def _rejection(word: str, body: Mapping[str, Any]) -> web.Response | None:
    name = next((name for name in REJECTED[word] if name in body), None)
    if name is None:
        return None
    if word == "no-seed-detail":
        detail = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
        return web.json_response({"detail": detail}, status=422)
    if word == "no-seed-list":
        return web.json_response([{"error": {"message": 'Unknown name "seed": Cannot find field.'}}], status=400)
    if name == "max_tokens":
        return _error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param=name)
    return _error(400, f"Unsupported parameter: '{name}' is not supported with this model.")


async def serve(arguments: argparse.Namespace) -> None:
    """Serve until standard input ends."""
    behaviours = json.loads(arguments.behaviours)
    async with FakeServer(behaviours, delay=arguments.delay_ms / 1000, keep=False) as server:
        sys.stdout.write(json.dumps({"url": server.url}) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


def main() -> None:
    """Run as a process of its own."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server.")
    parser.add_argument("--delay-ms", type=float, default=0, help="wait so long before every reply")
    parser.add_argument("--behaviours", default="{}", help='JSON, such as {"some-model": "429,well"}')
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
