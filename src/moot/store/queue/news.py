"""What happens in one process, told to all others over PostgreSQL at once. It is never stored: the poll is the net."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator

from sqlalchemy import URL

CHANNEL = "moot_news"
MOST_BYTES = 7500
"""PostgreSQL takes no more than 8,000 at once."""
RETRY_SECONDS = 1.0

log = logging.getLogger("moot.news")


def packed(sender: str, news: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield payloads that hold the news, each a deliberation and a text; one that is too large is left out."""
    pack: list[tuple[str, str]] = []
    size = 0
    for item in news:
        bytes_ = len(json.dumps(item).encode()) + 2
        if bytes_ > MOST_BYTES:
            continue
        if size + bytes_ > MOST_BYTES:
            yield _payload(sender, pack)
            pack, size = [], 0
        pack.append(item)
        size += bytes_
    if pack:
        yield _payload(sender, pack)


def _payload(sender: str, pack: list[tuple[str, str]]) -> str:
    return json.dumps({"from": sender, "news": pack})


def unpacked(payload: str) -> tuple[str, list[tuple[str, str]]]:
    """Return who sent a payload, and its news."""
    told = json.loads(payload)
    return told["from"], [(deliberation, text) for deliberation, text in told["news"]]


async def listen(
    url: URL,
    hear: Callable[[str, str], None],
    *,
    own: str,
    listening: Callable[[], None],
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Pass on what others tell until it is cancelled, whatever becomes of the connection; what `own` tells is known.

    `listening` is called each time that it begins to hear.
    """
    import psycopg

    where = url.set(drivername="postgresql").render_as_string(hide_password=False)
    failing = False
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                where, autocommit=True, application_name="moot news"
            ) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                failing = False
                listening()
                async for notice in connection.notifies():
                    _pass_on(notice.payload, hear, own)
        except (psycopg.Error, OSError) as error:
            if not failing:
                log.error("hearing of workers: %s", type(error).__name__)  # noqa: TRY400 - a database that is away
            failing = True
        await pause(RETRY_SECONDS)


def _pass_on(payload: str, hear: Callable[[str, str], None], own: str) -> None:
    try:
        sender, news = unpacked(payload)
        for deliberation, text in news if sender != own else ():
            hear(deliberation, text)
    except (ValueError, KeyError, TypeError) as error:
        # Another version of Moot, or another program, may use the channel.
        log.info("news that cannot be read: %s", type(error).__name__)
