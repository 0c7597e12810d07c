"""Members that follow a script instead of calling a model, and the one that makes no call at all."""

import fnmatch
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from moot.core.calls import Completion, Failure, Request, Usage
from moot.core.errors import BadMember
from moot.core.ports import BeforeRetry, OnTokens
from moot.core.tokens import estimated_tokens, prompt_tokens

Line = str | Completion | Failure | Mapping[str, Any]
"""One reply: a text, a mapping that is sent as JSON, a whole completion, or a failure."""

Script = Callable[[Request], Line | Awaitable[Line]] | Sequence[Line] | Mapping[str, Line | Sequence[Line]]
"""A function of the request, one text for all, replies in order, or by pattern of step name, first match first.

A pattern that names an ask stands for all of its replies."""

FAILURE = "$failure"
"""In a file: {"$failure": "timeout", "detail": "…"} is a reply that never comes."""

FAILURE_KINDS = get_args(Failure.__annotations__["kind"])


class Scripted:
    """A `Model` that says what its script says, and keeps every request it saw, in order."""

    price = (0.0, 0.0)

    def __init__(self, replies: Script, *, name: str = "scripted", context: int | None = None) -> None:
        self.requests: list[Request] = []
        self.context = context
        self._name = name
        self._replies = replies
        self._given: dict[str, int] = {}

    def at_once(self, request: Request) -> int:
        """Return that every reply is asked for by itself, under its own step."""
        return 1

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return the script's reply to this request; one that the script does not have is refused."""
        self.requests.append(request)
        line = self._line(request)
        if inspect.isawaitable(line):
            line = await line
        return _outcome(line, request)

    def _line(self, request: Request) -> Line | Awaitable[Line]:
        if isinstance(self._replies, Mapping):
            return self._by_step(self._replies, request.step)
        if isinstance(self._replies, str):
            return self._replies
        if isinstance(self._replies, Sequence):
            return self._next("", self._replies, request.step)
        return self._replies(request)

    def _by_step(self, replies: Mapping[str, Line | Sequence[Line]], step: str) -> Line:
        for pattern, line in replies.items():
            if fnmatch.fnmatchcase(step, pattern) or fnmatch.fnmatchcase(step.partition("#")[0], pattern):
                return self._next(pattern, line, step) if isinstance(line, list | tuple) else _single(line)
        return Failure("refused", f"{self._name}: the script has nothing for step {step!r}")

    def _next(self, pattern: str, lines: Sequence[Line], step: str) -> Line:
        given = self._given.get(pattern, 0)
        self._given[pattern] = given + 1
        if given >= len(lines):
            return Failure("refused", f"{self._name}: the script has no further reply, for step {step!r}")
        return lines[given]


class Replay:
    """The member of a replay: it makes no call, so that a missing reply shows."""

    price = (0.0, 0.0)
    context: int | None = None

    def at_once(self, request: Request) -> int:
        """Return one: it makes no call."""
        return 1

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return the refusal of every call."""
        return Failure("refused", "a replay makes no call")


def read_script(file: str, folder: Path | None = None) -> Scripted:
    """Return the member of `scripted:FILE`: a JSON object of step patterns, or a list of replies in order.

    Raises:
        BadMember: the file is not there, or holds no script.
    """
    spec = f"scripted:{file}"
    path = (folder or Path()) / file
    try:
        script = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadMember(spec=spec, problem=f"the file cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise BadMember(spec=spec, problem=f"the file is no JSON ({error})") from None
    if not isinstance(script, dict | list):
        raise BadMember(spec=spec, problem='a script is an object such as {"answer*": "a reply"}, or a list of replies')
    lines = script.values() if isinstance(script, dict) else [script]
    for line in lines:
        _check(spec, line)
    return Scripted(script, name=spec)


def _check(spec: str, line: object) -> None:
    for reply in line if isinstance(line, list) else [line]:
        if not isinstance(reply, str | dict):
            raise BadMember(spec=spec, problem=f"a reply is a text or an object, not {json.dumps(reply)[:40]}")
        if isinstance(reply, dict) and FAILURE in reply and reply[FAILURE] not in FAILURE_KINDS:
            raise BadMember(spec=spec, problem=f"{FAILURE} is one of {', '.join(FAILURE_KINDS)}")


def _single(line: Line | Sequence[Line]) -> Line:
    if isinstance(line, str | Completion | Failure | Mapping):
        return line
    raise TypeError(f"{type(line).__name__} is no reply")


def _outcome(line: object, request: Request) -> Completion | Failure:
    if isinstance(line, Mapping):
        if FAILURE in line:
            return Failure(line[FAILURE], str(line.get("detail", "as the script has it")))
        line = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    if isinstance(line, str):
        line = Completion(line, Usage())
    if isinstance(line, Failure):
        return line
    if not isinstance(line, Completion):
        raise TypeError(f"{type(line).__name__} is no reply")
    return line if line.usage != Usage() else replace(line, usage=_usage(line.text, request))


def _usage(text: str, request: Request) -> Usage:
    return Usage(prompt_tokens(request.messages), estimated_tokens(text), 0.0)
