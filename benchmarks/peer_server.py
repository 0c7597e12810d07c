"""A fake model server on loopback that answers several tools in the forms that their own prompts ask for.

Every member takes a set time. The second request may meet a fault: a 429, a cut line, or half a reply.
"""

import hashlib
import json
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from typing_extensions import override

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fake_server import right_text

WARM_UP = "How many legs has a spider?"
LATENCY = {"alpha": 0.5, "beta": 1.0, "gamma": 1.5}
"""Seconds that each member takes."""
FAULTS = ("429", "cut", "malformed")
FAULTY = 2
"""Which request meets the fault."""


@dataclass
class Call:
    """One request as the server saw it."""

    key: str
    prompt: str
    began: float
    ended: float = 0.0
    answered: bool = False
    is_faulty: bool = False

    @property
    def tokens(self) -> int:
        """The prompt's tokens, by its letters."""
        return len(self.prompt) // 4

    @property
    def mark(self) -> str:
        """Words that stand in the reply to this prompt alone: whoever passes the reply on passes them on."""
        return f"Note {self.key[:8]}."


class Server:
    """The fake model server; `calls` has every request in order of arrival."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.calls: list[Call] = []
        self._lock = threading.Lock()

    def take(self, body: Mapping[str, Any]) -> Call:
        """Note a request, unless it only warms the tool up; the second of all meets the fault."""
        text = json.dumps([body.get("model"), body.get("messages")], sort_keys=True)
        call = Call(hashlib.sha256(text.encode()).hexdigest(), prompt_of(body), time.perf_counter())
        with self._lock:
            if WARM_UP not in text:
                self.calls.append(call)
                call.is_faulty = bool(self.fault) and len(self.calls) == FAULTY
        return call

    def answered(self) -> int:
        """Return how many replies have been made whole."""
        return sum(call.answered for call in self.calls)


def prompt_of(body: Mapping[str, Any]) -> str:
    """Return all that a request says to the model."""
    return "\n".join(str(message.get("content")) for message in body["messages"])


def reply_text(body: Mapping[str, Any], mark: str) -> str:
    """A reply that suits the prompt: by its schema, or in the form that the tool's own prompt asks for."""
    prompt = prompt_of(body)
    if body.get("response_format", {}).get("type") == "json_schema":
        return right_text(body)
    if "[[ ## " in prompt:
        names = [name for name in ("reasoning", "rationale", "answer") if f"[[ ## {name} ## ]]" in prompt]
        return "\n\n".join([*(f"[[ ## {name} ## ]]\n408. {mark}" for name in names), "[[ ## completed ## ]]"])
    if "<synthesis" in prompt:
        inner = (
            "<synthesis>17 times 24 is 408.</synthesis><confidence>0.95</confidence><analysis>They agree.</analysis>"
        )
        rest = "<dissent></dissent><needs_iteration>false</needs_iteration><refinement_areas></refinement_areas>"
        return f"<synthesis_output>{inner}{rest}</synthesis_output>"
    if "Response A" in prompt and "anking" in prompt:
        named = [f"Response {letter}" for letter in "ABC" if f"Response {letter}" in prompt]
        ranking = {"ranking": named, "scores": {name: 9 - place for place, name in enumerate(named)}}
        return f"All are right. {mark}\n```json\n{json.dumps(ranking)}\n```"
    return f"{mark} 17 times 24 is 20 times 17 and 4 times 17: 408. <confidence>0.9</confidence>\nAnswer: 408"


class Handler(BaseHTTPRequestHandler):
    """What answers one connection."""

    fake: Server
    protocol_version = "HTTP/1.1"

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(200, {"data": []})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = self.fake.take(body)
        is_faulty = call.is_faulty
        time.sleep(LATENCY.get(str(body.get("model")).rpartition("/")[2], 0))
        call.ended = time.perf_counter()
        if is_faulty and self.fake.fault == "429":
            self._send(429, {"error": {"message": "too many requests", "code": 429}}, {"Retry-After": "1"})
        else:
            text = reply_text(body, call.mark)
            broken = is_faulty and self.fake.fault == "malformed"
            # What has been made is paid for, before whoever asked has it.
            call.answered = not is_faulty
            self._complete(body, text[: len(text) // 2] if broken else text, cut=is_faulty and not broken)

    def _complete(self, body: Mapping[str, Any], text: str, *, cut: bool) -> None:
        usage = {"prompt_tokens": 40, "completion_tokens": 20, "total_tokens": 60}
        message = {"role": "assistant", "content": text}
        whole = {
            "id": "fake",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model"),
            "usage": usage,
        }
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return self._send(200, {**whole, "choices": [choice]}, cut=cut)
        chunk = {**whole, "object": "chat.completion.chunk"}
        deltas = [
            {"index": 0, "delta": message, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "stop"},
        ]
        lines = [f"data: {json.dumps({**chunk, 'choices': [delta]})}\n\n" for delta in deltas]
        return self._write(200, "".join([*lines, "data: [DONE]\n\n"]), "text/event-stream", {}, cut=cut)

    def _send(self, status: int, told: object, headers: Mapping[str, str] | None = None, *, cut: bool = False) -> None:
        self._write(status, json.dumps(told), "application/json", headers or {}, cut=cut)

    def _write(self, status: int, text: str, kind: str, headers: Mapping[str, str], *, cut: bool) -> None:
        data = text.encode()
        try:
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if cut else data)
        except (BrokenPipeError, ConnectionResetError):
            # Whoever asked was killed: the answer is nobody's.
            cut = True
        self.close_connection = self.close_connection or cut


class QuietServer(ThreadingHTTPServer):
    """One that says nothing of clients that were killed."""

    daemon_threads = True

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@contextmanager
def serving(fault: str = "") -> Generator[tuple[Server, str]]:
    """Serve on a port of loopback until the end."""
    server = Server(fault)
    http = QuietServer(("127.0.0.1", 0), type("Bound", (Handler,), {"fake": server}))
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{http.server_address[1]}/v1"
    finally:
        http.shutdown()
        http.server_close()
