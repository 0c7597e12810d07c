"""Which models a provider has: its own list, asked for with a short patience. Nothing here can fail a command."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from typing_extensions import override

from moot.gateway.keys import Secret, is_sendable, key_from
from moot.gateway.members import is_loopback
from moot.gateway.providers import Provider
from moot.version import __version__

SECONDS = 5.0
LOCAL_SECONDS = 0.5
MOST_BYTES = 8_000_000
AT_ONCE = 65_536
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models that a provider says it has, or why it says nothing."""

    provider: Provider
    models: tuple[str, ...] = ()
    problem: str = ""


async def list_models(provider: Provider, environ: Mapping[str, str]) -> ModelList:
    """Return the models of a provider that is reached over HTTP, or what is wrong, within a few seconds."""
    key = key_from(environ, provider.keys)
    if key is not None and not is_sendable(key):
        return ModelList(provider, problem=f"the key in {' or '.join(provider.keys)} has characters that no key has")
    return await asyncio.to_thread(_asked, provider, key)


async def list_all_models(providers: Sequence[Provider], environ: Mapping[str, str]) -> list[ModelList]:
    """Return the models of each provider, all of them asked at once."""
    return list(await asyncio.gather(*(list_models(provider, environ) for provider in providers)))


class _NoRedirects(HTTPRedirectHandler):
    """A key goes to the server it was meant for, and to no other that this one names."""

    @override
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _asked(provider: Provider, key: Secret | None) -> ModelList:
    local = is_loopback(urlsplit(provider.base_url).hostname or "")
    patience = LOCAL_SECONDS if local else SECONDS
    handlers = [_NoRedirects(), *([ProxyHandler({})] if local else [])]
    request = Request(f"{provider.base_url}/models", headers=_headers(provider, key))  # noqa: S310
    try:
        with build_opener(*handlers).open(request, timeout=patience) as reply:
            return ModelList(provider, _names(json.loads(_body(reply, patience))))
    except HTTPError as error:
        return ModelList(provider, problem=_refusal(error.code))
    except (TimeoutError, URLError, HTTPException, OSError):
        return ModelList(provider, problem=f"nobody answers at {provider.base_url}")
    except (ValueError, RecursionError):
        return ModelList(provider, problem="what it answers is no list of models")


def _headers(provider: Provider, key: Secret | None) -> dict[str, str]:
    usual = {"Accept": "application/json", "User-Agent": f"moot/{__version__}"}
    if key is None:
        return usual
    own = provider.list_headers or {"Authorization": "Bearer {key}"}
    return {**usual, **{name: value.replace("{key}", key.reveal()) for name, value in own.items()}}


def _body(reply: Any, patience: float) -> bytes:
    """Read a body that is neither too long nor too slow."""
    until, parts, size = time.monotonic() + patience, [], 0
    while part := reply.read1(AT_ONCE):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES or time.monotonic() > until:
            raise TimeoutError
    return b"".join(parts)


def _names(listed: Any) -> tuple[str, ...]:
    """Return the names in `{"data": [{"id": …}]}`; a name may come from a stranger, and is a plain word here.

    Raises:
        ValueError: where it is something else.
    """
    rows = listed.get("data") if isinstance(listed, Mapping) else None
    if not isinstance(rows, list):
        raise ValueError("no list")  # noqa: TRY004 (what a server sends is a value, of whatever type)
    names = [str(row["id"]).removeprefix("models/") for row in rows if isinstance(row, Mapping) and "id" in row]
    return tuple(sorted({name for name in names if name.isprintable() and 0 < len(name) <= LONGEST_NAME}))


def _refusal(status: int) -> str:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return f"it refuses the key ({status})"
    return f"it has no list of models for us ({status})"
