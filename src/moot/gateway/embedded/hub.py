"""The model hub: one file over HTTPS, continued where an earlier download stopped."""

import re

import aiohttp

from moot.gateway.embedded.catalogue import Entry
from moot.gateway.embedded.download import Part, SourceFailed, Tell

# An unreachable hub must cost little, because another source follows. `connect` includes the name's look-up.
TIMEOUT = aiohttp.ClientTimeout(total=None, connect=8, sock_connect=5, sock_read=30)
CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


async def download(entry: Entry, part: Part, hub: str, tell: Tell) -> None:
    """Bring the part to its full size; a cut connection is taken up again as long as each one brings more.

    Raises:
        SourceFailed: the hub is out of reach, or has not this file.
        DiskFull: there was no room; what fitted is kept.
    """
    url = entry.hub.url(hub)
    async with aiohttp.ClientSession(timeout=TIMEOUT, trust_env=True) as session:
        while (before := part.size()) < entry.bytes:
            try:
                await _continue(session, url, entry, part, tell)
            except (aiohttp.ClientError, TimeoutError) as error:
                if part.size() == before:
                    raise SourceFailed(f"{hub}: {_reason(error)}") from error
                tell(part.size(), f"the connection was cut ({_reason(error)}); going on")
            else:
                if part.size() == before:
                    raise SourceFailed(f"{hub}: the answer was empty")


async def _continue(session: aiohttp.ClientSession, url: str, entry: Entry, part: Part, tell: Tell) -> None:
    have = part.size()
    # Ranges count the bytes of the file itself, so it must not arrive compressed.
    headers = {"Accept-Encoding": "identity", "Range": f"bytes={have}-"}
    async with session.get(url, headers=headers) as response:
        skip = have - _first_byte(response, entry, have)
        with part.appending() as out:
            async for chunk in response.content.iter_any():
                fresh = chunk[skip:]
                skip = max(0, skip - len(chunk))
                out.write(fresh[: entry.bytes - have])
                have += len(fresh)
                tell(min(have, entry.bytes))


def _first_byte(response: aiohttp.ClientResponse, entry: Entry, have: int) -> int:
    """Return where in the file the answer starts, once it is sure that it is about the right file."""
    if response.status == 206 and (match := CONTENT_RANGE.match(response.headers.get("Content-Range", ""))):
        start, total = int(match[1]), int(match[2])
    elif response.status == 200:
        start, total = 0, response.content_length
    else:
        raise SourceFailed(f"{response.url.host}: HTTP {response.status}")
    if total != entry.bytes:
        raise SourceFailed(f"{response.url.host}: the file there has {total} bytes, not {entry.bytes}")
    if start > have:
        raise SourceFailed(f"{response.url.host}: it sent bytes from {start} and was asked for those from {have}")
    return start


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
