"""Sessions and one-time links: short lives, nothing at rest that opens anything, no longer than the key."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from moot.core.errors import LinkGone
from moot.service.signing.keys import REMEMBERED_SECONDS, Keys
from moot.service.signing.links import LIFE_SECONDS, MOST_LINKS, OneTimeLinks
from moot.service.signing.sessions import IDLE_SECONDS, LONGEST_SECONDS, SEEN_SECONDS, Sessions
from moot.store import Store, schema
from moot.store.sessions import MOST_OF_A_KEY

HOUR = 3600.0


@dataclass
class SettableClock:
    time: float = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


@dataclass
class Desk:
    """What one server signs people in with; a second desk is another server over the same database."""

    store: Store
    clock: SettableClock

    def __post_init__(self) -> None:
        self.keys = Keys(self.store.callers, self.clock)
        self.sessions = Sessions(self.store.sessions, self.keys, self.clock)
        self.links = OneTimeLinks(self.keys, self.clock)


Scene = Callable[[Desk, Desk], Awaitable[Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return request.getfixturevalue("postgres_url") if request.param == "postgresql" else f"sqlite:///{tmp_path}/moot.db"


def played(url: str, scene: Scene) -> Any:
    async def play() -> Any:
        clock = SettableClock()
        store = Store.open(url, clock=clock)
        try:
            return await scene(Desk(store, clock), Desk(store, clock))
        finally:
            await store.close()

    return asyncio.run(play())


@pytest.fixture
def here(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/moot.db"


def test_a_session_stands_for_its_key_at_every_server_and_nothing_like_it_does(url: str) -> None:
    async def scene(desk, other):
        key, secret = await desk.keys.make("Ada", ["reviewer"])
        text = await desk.sessions.make(key)
        wrong = [text[:-1], text + "a", text.swapcase(), secret, "", "\ud83d", "x" * 100_000]
        nothing = [await desk.sessions.find(each) for each in wrong]
        return key, [await at.sessions.find(text) for at in (desk, other)], nothing

    key, opened, nothing = played(url, scene)

    assert opened == [key, key]
    assert nothing == [None] * len(nothing)


def test_the_database_holds_nothing_of_a_session_that_opens_anything(here: str, tmp_path: Path) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        return [await desk.sessions.make(key) for _ in range(20)]

    texts = played(here, scene)

    files = b"".join(path.read_bytes() for path in tmp_path.glob("moot.db*") if path.is_file())
    assert len(set(texts)) == 20
    assert not any(text.encode() in files for text in texts)


def test_a_session_that_is_not_used_for_twelve_hours_is_over(url: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        kept, left = await desk.sessions.make(key), await desk.sessions.make(key)
        desk.clock.time += IDLE_SECONDS - 1
        before = await desk.sessions.find(kept), await other.sessions.find(kept)
        desk.clock.time += 1
        return key, before, await desk.sessions.find(kept), await desk.sessions.find(left)

    key, before, kept, left = played(url, scene)

    assert IDLE_SECONDS == 12 * HOUR
    assert before == (key, key)
    assert (kept, left) == (key, None)


def test_a_session_that_is_always_used_is_over_after_seven_days(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        text, uses = await desk.sessions.make(key), 0
        while await desk.sessions.find(text) and uses < 50:
            desk.clock.time += 6 * HOUR
            uses += 1
        return uses

    assert played(here, scene) * 6 * HOUR == LONGEST_SECONDS == 7 * 24 * HOUR


def test_not_every_request_of_a_session_writes(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        text, written = await desk.sessions.make(key), []
        use = desk.store.sessions.use

        async def counted(digest: str, seen: float, until: float) -> None:
            written.append(seen)
            await use(digest, seen, until)

        desk.store.sessions.use = counted
        for _ in range(int(3 * SEEN_SECONDS)):
            desk.clock.time += 1
            await desk.sessions.find(text)
        return written

    assert played(here, scene) == [1000 + SEEN_SECONDS * number for number in (1, 2, 3)]


def test_a_revoked_key_ends_its_sessions_at_once_here_and_within_two_seconds_elsewhere(url: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        text = await desk.sessions.make(key)
        assert await desk.sessions.find(text) == await other.sessions.find(text) == key
        desk.clock.time += REMEMBERED_SECONDS - 0.1
        # Whatever is remembered a second time must not be remembered for longer.
        assert await other.sessions.find(text) == key
        await desk.keys.revoke(key.prefix)
        at_once = await desk.sessions.find(text)
        desk.clock.time += REMEMBERED_SECONDS
        return at_once, await other.sessions.find(text)

    assert played(url, scene) == (None, None)


def test_a_session_that_was_ended_opens_nothing_and_leaves_others_alone(url: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        ended, kept = await desk.sessions.make(key), await desk.sessions.make(key)
        assert await desk.sessions.find(ended) == await other.sessions.find(ended) == key
        await desk.sessions.end(ended)
        await desk.sessions.end("no session")
        at_once = await desk.sessions.find(ended)
        desk.clock.time += REMEMBERED_SECONDS
        return at_once, await other.sessions.find(ended), await desk.sessions.find(kept) == key

    assert played(url, scene) == (None, None, True)


def test_a_session_that_ends_while_it_is_looked_up_stays_ended(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        text = await desk.sessions.make(key)
        find = desk.store.sessions.find

        async def found_before_the_end(digest: str):
            session = await find(digest)
            await desk.sessions.end(text)
            return session

        desk.store.sessions.find = found_before_the_end
        await desk.sessions.find(text)
        desk.store.sessions.find = find
        return await desk.sessions.find(text)

    assert played(here, scene) is None


def test_sessions_that_are_over_are_swept_when_somebody_signs_in(url: str) -> None:
    async def scene(desk, other):
        ada, _ = await desk.keys.make("Ada", ["agent"])
        bea, _ = await desk.keys.make("Bea", ["agent"])
        for _ in range(3):
            await desk.sessions.make(ada)
        desk.clock.time += IDLE_SECONDS
        await desk.sessions.make(bea)
        over = await rows(desk.store)
        await desk.keys.revoke(bea.prefix)
        await desk.sessions.make(ada)
        return over, await rows(desk.store)

    assert played(url, scene) == (1, 1)


def test_of_too_many_sessions_of_a_key_the_one_not_used_for_longest_ends(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        texts = []
        for _ in range(MOST_OF_A_KEY):
            desk.clock.time += 1
            texts.append(await desk.sessions.make(key))
        await desk.sessions.find(texts[0])
        desk.clock.time += 1
        texts.append(await desk.sessions.make(key))
        return [number for number, text in enumerate(texts) if await desk.sessions.find(text) is None]

    assert played(here, scene) == [1]


async def rows(store: Store) -> int:
    return await store.writer.run(
        lambda connection: connection.execute(select(func.count()).select_from(schema.sessions)).scalar_one()
    )


def test_a_link_is_looked_at_often_and_used_once(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        token = desk.links.make(key)
        looked = [await desk.links.look(token) for _ in range(50)]
        used = await asyncio.gather(*(desk.links.use(token) for _ in range(5)), return_exceptions=True)
        with pytest.raises(LinkGone, match="has been used"):
            await desk.links.look(token)
        with pytest.raises(LinkGone):
            await other.links.look(desk.links.make(key))
        return key, token, looked, used

    key, token, looked, used = played(here, scene)

    assert len(token) == 43
    assert looked == [key] * 50
    assert [each for each in used if not isinstance(each, LinkGone)] == [key]


def test_a_link_lives_ten_minutes_and_no_longer_than_its_key(here: str) -> None:
    async def scene(desk, other):
        ada, _ = await desk.keys.make("Ada", ["agent"])
        bea, _ = await desk.keys.make("Bea", ["agent"])
        early, late, of_bea = desk.links.make(ada), desk.links.make(ada), desk.links.make(bea)
        desk.clock.time += LIFE_SECONDS - 1
        used = await desk.links.use(early)
        await desk.keys.revoke(bea.prefix)
        with pytest.raises(LinkGone, match="has been revoked; start `moot serve --open` again"):
            await desk.links.use(of_bea)
        desk.clock.time += 1
        with pytest.raises(LinkGone, match="older than ten minutes"):
            await desk.links.use(late)
        return used == ada

    assert LIFE_SECONDS == 600
    assert played(here, scene)


def test_links_that_nobody_uses_do_not_pile_up(here: str) -> None:
    async def scene(desk, other):
        key, _ = await desk.keys.make("Ada", ["agent"])
        tokens = [desk.links.make(key) for _ in range(MOST_LINKS + 1)]
        with pytest.raises(LinkGone):
            await desk.links.look(tokens[0])
        return await desk.links.look(tokens[1]) == key

    assert played(here, scene)


def test_the_oldest_live_admin_and_the_live_key_of_a_name_are_found(here: str) -> None:
    async def scene(desk, other):
        keys = {name: (await desk.keys.make(name, [scope]))[0] for name, scope in NAMES.items()}
        await desk.keys.revoke(keys["first"].prefix)
        admin = await desk.keys.first_admin()
        named = [await desk.keys.named(name) for name in ("second", "first", "nobody", "")]
        return keys, admin, named

    keys, admin, named = played(here, scene)

    assert admin == keys["second"]
    assert named == [keys["second"], None, None, None]


NAMES = {"agent": "agent", "first": "admin", "second": "admin", "third": "admin"}
