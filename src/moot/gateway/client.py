"""The HTTP client of one endpoint: the openai SDK over aiohttp, sending only what Moot means to send.

The SDK reads further headers from the process environment (an organisation, headers of the user's own) and would
send them to every server. Here the headers are fixed, redirects are not followed, and bodies have a limit.
"""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient, Omit, OpenAIError, Timeout
from typing_extensions import override

from moot.gateway.keys import Secret
from moot.gateway.members import is_loopback
from moot.version import __version__

LONGEST_BODY = 8 * 1024 * 1024
LONGEST_PACKED_BODY = 64 * 1024
"""For a server that compresses unasked: what it unpacks to cannot be known before, and grows a thousandfold."""

CONNECT_SECONDS = 10.0

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "Content-Type": "application/json"}


class BodyTooLong(OpenAIError):
    """A server sent more than any reply needs; the rest was not read."""


class Client(AsyncOpenAI):
    """An SDK client whose headers come from Moot alone."""

    keeps_alive = True

    @property
    @override
    def default_headers(self) -> dict[str, str | Omit]:
        """What goes with every request besides the key."""
        closing = {} if self.keeps_alive else {"Connection": "close"}
        return {**_HEADERS, **closing, "User-Agent": f"moot/{__version__}"}


class ClosingClient(Client):
    """A client with a connection for each call: llama.cpp drops an idle one, and a call sent into it is lost."""

    keeps_alive = False


def open_client(base_url: str, secret: Secret | None, kind: type[Client] = Client) -> Client:
    """Return a client for this endpoint; whoever opens it closes it."""
    address = urlsplit(base_url)
    http = DefaultAioHttpClient(
        # A proxy stands between this machine and others, never between it and itself.
        trust_env=not is_loopback(address.hostname or ""),
        # Loading the certificates takes longer than a local call, and plain HTTP has no use for them.
        verify=address.scheme == "https",
        follow_redirects=False,
        timeout=Timeout(None, connect=CONNECT_SECONDS),
        event_hooks={"response": [_limit_body]},
    )
    key = secret.reveal() if secret else "none"
    return kind(base_url=base_url, api_key=key, max_retries=0, http_client=http)


async def _limit_body(response: httpx2.Response) -> None:
    packed = response.headers.get("content-encoding", "identity") != "identity"
    limit = LONGEST_PACKED_BODY if packed else LONGEST_BODY
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Limited(response.stream, limit)


class _Limited(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._left = limit

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise BodyTooLong("the reply is too long")
            yield chunk

    @override
    async def aclose(self) -> None:
        await self._stream.aclose()
