"""What went wrong with one try, as a value: whether to try again, and what to tell the user."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from moot.gateway.keys import Secret, redacted
from moot.gateway.members import MemberSpec

LONGEST_QUOTE = 200

TRY_AGAIN = frozenset({408, 409, 425, 429})
"""With every 5xx: another try may go through."""

DROPPABLE = ("response_format", "grammar", "seed", "temperature", "stream_options", "n")
LENGTH_FIELDS = ("max_tokens", "max_completion_tokens")

_WAYS_OUT: Mapping[int, str] = {
    400: "rejected the request",
    401: "did not accept the key; check {key}",
    402: "says that the account has no credit; top it up, or choose another member",
    403: "does not let this key use the model; check {key}, or choose another member",
    404: "has no such model or address; {model}",
    413: "says that the request is too long; shorten the documents, or choose a member with more context",
    429: "has too many requests; wait a little, or ask fewer members at once",
}
_REFUSES = re.compile(
    r"support|unknown|unrecogni|unexpected|not permitted|not allowed|not available|instead|extra|invalid", re.IGNORECASE
)
_TOO_MUCH = re.compile(r"too (?:large|long|many|high|big)|maximum|at most|exceed|greater than|less than", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallError:
    """One try that brought no reply. `detail` is a line that holds no key."""

    kind: Literal["timeout", "unreachable", "refused"]
    detail: str
    again: bool = False
    after: str | None = None
    """What the server said in Retry-After."""
    rejected: str | None = None
    """The parameter that the server does not take."""


@dataclass(frozen=True, slots=True)
class Site:
    """Who was asked, as a line about a trouble names it."""

    spec: str
    key_variable: str = "the server's settings"
    secret: Secret | None = None
    missing_model: str = "check the name"

    def line(self, what: str, said: object = None) -> str:
        """Return one line: the member, what happened, and what the server said, without any key."""
        quote = _quoted(said, self.secret)
        return f"{self.spec} {what}" + (f" (it said: {quote})" if quote else "")


def site_of(member: MemberSpec, secret: Secret | None) -> Site:
    """Return who is asked when this member is."""
    provider = member.provider
    site = Site(member.spec, secret=secret, missing_model=provider.missing_model.format(model=member.model))
    return replace(site, key_variable=provider.keys[0]) if provider.keys else site


def from_status(site: Site, status: int, body: object, retry_after: str | None = None) -> CallError:
    """Return the trouble that an HTTP status of 400 or above is."""
    body = _unwrapped(body)
    said = _message(body)
    if _field(body, "code") == "insufficient_quota":
        status = 402
    if status in TRY_AGAIN or status >= 500:
        what = _WAYS_OUT.get(status, f"failed with status {status}; try again later, or choose another member")
        return CallError("unreachable", site.line(what, said), again=True, after=retry_after)
    rejected = _rejected_parameter(said, _field(body, "param")) if status in (400, 422) else None
    what = _WAYS_OUT.get(status, f"answered with status {status}; check the address")
    return CallError(
        "refused", site.line(what.format(key=site.key_variable, model=site.missing_model), said), rejected=rejected
    )


def timed_out(site: Site, seconds: float) -> CallError:
    """Return the trouble of a server that did not answer in time."""
    what = f"sent no answer within {seconds:g} seconds; allow more time, or choose a faster member"
    return CallError("timeout", site.line(what), again=True)


def unreachable(site: Site, reason: str) -> CallError:
    """Return the trouble of a server that is not there or broke off."""
    why = _quoted(reason, site.secret)
    what = f"could not be reached{f' ({why})' if why else ''}; is it running, is the address right?"
    return CallError("unreachable", site.line(what), again=True)


def unusable(site: Site, what: str) -> CallError:
    """Return the trouble of a server that answered with something else than a reply."""
    return CallError("unreachable", site.line(f"{what}; is it an OpenAI-compatible server?"), again=True)


def from_exception(site: Site, error: Exception) -> CallError:
    """Return what an exception of the SDK or of the connection means.

    Raises:
        Exception: the same one, where it is no trouble of the other side but a fault of this program.
    """
    import aiohttp
    import httpx2
    from openai import APIConnectionError, APIError, APIStatusError

    from moot.gateway.client import BodyTooLong

    match error:
        case APIStatusError():
            return from_status(site, error.status_code, error.body, error.response.headers.get("retry-after"))
        case BodyTooLong():
            return CallError("refused", site.line("sent more than any reply needs; choose another member"))
        case APIConnectionError() | httpx2.HTTPError() | aiohttp.ClientError() | OSError():
            return unreachable(site, _cause(error))
        case APIError():
            return CallError("unreachable", site.line("broke off with an error", error.message), again=True)
        case ValueError() | RecursionError():
            return unusable(site, "sent what cannot be read")
        case _:
            raise error


def from_error_body(site: Site, body: Mapping[str, Any]) -> CallError | None:
    """Return the trouble that a reply with status 200 carries instead of an answer, as some gateways send it."""
    error = body.get("error")
    if not error or body.get("choices"):
        return None
    code = _field(error, "code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 502
    return from_status(site, status, error)


def _rejected_parameter(said: str, named: object) -> str | None:
    """The parameter must be refused in so many words: a server may merely quote a prompt that has the word in it."""
    if named not in DROPPABLE and not _REFUSES.search(said):
        return None
    words = set(re.findall(r"[a-z_]+", said.lower())) | {named}
    if "json_schema" in words:
        words.add("response_format")
    # A length that is too large for the model would be so under its other name as well.
    lengths = () if _TOO_MUCH.search(said) else (named, *LENGTH_FIELDS)
    known = (*DROPPABLE, *LENGTH_FIELDS)
    return next((str(name) for name in (*DROPPABLE, *lengths) if name in words and name in known), None)


def _unwrapped(body: object) -> object:
    """The error itself: some servers send it inside a list, or inside `error` once more."""
    if isinstance(body, list) and body:
        body = body[0]
    inner = _field(body, "error")
    return inner if isinstance(inner, Mapping) else body


def _message(body: object) -> str:
    said = _field(body, "message") or _field(body, "error") or _field(body, "detail") or body
    if isinstance(said, str):
        return said
    return json.dumps(said, default=str)[: LONGEST_QUOTE * 20] if said else ""


def _field(body: object, name: str) -> object:
    return body.get(name) if isinstance(body, Mapping) else None


def _cause(error: BaseException) -> str:
    """The innermost reason: the SDK's own message says no more than that the connection failed."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)


def _quoted(said: object, secret: Secret | None) -> str:
    """A server's words are data: one line of printable characters, of bounded length."""
    if not isinstance(said, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in said[: LONGEST_QUOTE * 20]).split())
    line = redacted(line, secret)
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"
