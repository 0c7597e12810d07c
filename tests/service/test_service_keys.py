"""Keys as a server uses them: made once, hashed at rest, found quickly, revoked at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import BadAgentName, BadSetting, NotFound
from moot.service.signing.keys import MOST_REMEMBERED, Keys
from moot.store import Store


@dataclass
class SettableClock:
    time: float = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


Scene = Callable[[Keys, Store, SettableClock], Awaitable[Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return request.getfixturevalue("postgres_url") if request.param == "postgresql" else f"sqlite:///{tmp_path}/moot.db"


def played(url: str, scene: Scene) -> Any:
    async def play() -> Any:
        clock = SettableClock()
        store = Store.open(url, clock=clock)
        try:
            return await scene(Keys(store.callers, clock), store, clock)
        finally:
            await store.close()

    return asyncio.run(play())


def test_a_new_key_is_found_by_its_text_and_by_nothing_like_it(url: str) -> None:
    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["reviewer", "agent", "agent"])
        other, _ = await keys.make("Bea", ["admin"])
        secret = text.removeprefix(key.prefix)
        like_it = [
            text[:-1] + ("a" if text[-1] != "a" else "b"),
            other.prefix + secret,
            f"moot_00000000{secret}",
            text.upper(),
            text + "a",
            text[:-1],
            f"{text}\n",
            f" {text}",
            key.prefix,
            secret,
            "",
            "moot_\ud83d",
            "x" * 100_000,
        ]
        return key, text, await keys.find(text), [await keys.find(wrong) for wrong in like_it]

    key, text, found, wrong = played(url, scene)

    assert text.startswith(f"{key.prefix}_")
    assert (key.name, key.scopes, key.made, key.revoked) == ("Ada", ("agent", "reviewer"), 1000.0, None)
    assert found == key
    assert wrong == [None] * len(wrong)


def test_the_database_holds_neither_a_key_nor_its_secret(tmp_path: Path) -> None:
    def written() -> bytes:
        return b"".join(file.read_bytes() for file in sorted(tmp_path.glob("moot.db*")) if file.is_file())

    async def scene(keys, store, clock):
        made = [await keys.make(f"agent {number}", ["agent"]) for number in range(20)]
        return made, await asyncio.to_thread(written)

    made, during = played(f"sqlite:///{tmp_path}/moot.db", scene)

    files = during + written()
    assert all(key.prefix.encode() in files for key, _ in made)
    assert not any(text.encode() in files for _, text in made)
    assert not any(text.removeprefix(f"{key.prefix}_").encode() in files for key, text in made)


def test_no_two_keys_share_a_text_or_a_prefix(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        return [await keys.make(f"agent {number}", ["agent"]) for number in range(50)]

    made = played(f"sqlite:///{tmp_path}/moot.db", scene)

    assert len({text for _, text in made}) == len({key.prefix for key, _ in made}) == 50


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb", "house/1"], ids=[*"abcde"])
def test_a_name_that_no_agent_can_have_gets_no_key(tmp_path: Path, name: str) -> None:
    async def scene(keys, store, clock):
        with pytest.raises(BadAgentName):
            await keys.make(name, ["agent"])
        return await keys.list()

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) == []


@pytest.mark.parametrize("scopes", [[], ["root"], ["agent", ""]], ids=["none", "unknown", "empty"])
def test_a_key_opens_one_thing_at_least_and_only_what_there_is(tmp_path: Path, scopes: list[str]) -> None:
    async def scene(keys, store, clock):
        with pytest.raises(BadSetting, match="agent, reviewer, admin"):
            await keys.make("Ada", scopes)
        return await keys.list()

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) == []


def test_a_name_with_spaces_around_it_is_the_same_name(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        await keys.make(" Ada ", ["agent"])
        with pytest.raises(BadSetting, match="'Ada-2'"):
            await keys.make("Ada", ["agent"])
        return [key.name for key in await keys.list()]

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) == ["Ada"]


def test_a_revoked_key_opens_nothing_at_once(url: str) -> None:
    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["agent"])
        before = await keys.find(text)
        revoked = await keys.revoke(key.prefix)
        return key, before, revoked, await keys.find(text), await keys.list(), await keys.any()

    key, before, revoked, after, listed, any_left = played(url, scene)

    assert before == key
    assert revoked.revoked == 1000.0
    assert after is None
    assert listed == [revoked]
    assert any_left is False


def test_a_key_that_another_process_revoked_opens_nothing_after_two_seconds(url: str) -> None:
    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["agent"])
        await keys.find(text)
        await Keys(store.callers, clock).revoke(key.prefix)
        found = []
        for later in (0.0, 1.9, 2.0, 3.0):
            clock.time = 1000.0 + later
            found.append(await keys.find(text) is not None)
        return found

    assert played(url, scene) == [True, True, False, False]


def test_to_be_asked_for_again_and_again_does_not_make_an_answer_last_longer(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["agent"])
        await keys.find(text)
        await Keys(store.callers, clock).revoke(key.prefix)
        for tenth in range(20):
            clock.time = 1000.0 + tenth / 10
            await keys.find(text)
        clock.time = 1002.0
        return await keys.find(text)

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) is None


def test_within_two_seconds_the_database_is_asked_once(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        _, text = await keys.make("Ada", ["agent"])
        unknown = text[:-2] + "zz"
        asked = [await keys.find(text), await keys.find(unknown)]
        await store.close()
        return asked, [await keys.find(text), await keys.find(unknown)]

    asked, remembered = played(f"sqlite:///{tmp_path}/moot.db", scene)

    assert remembered == asked
    assert [key is None for key in asked] == [False, True]


def test_a_key_that_is_revoked_while_it_is_looked_up_is_not_remembered_as_live(tmp_path: Path) -> None:
    class Overtaken:
        """Callers of whom a key is revoked between the look and the answer."""

        def __init__(self, store: Store, clock: SettableClock) -> None:
            self.find_first, self.revoke_key = store.callers.find_key, store.callers.revoke_key
            self.see_key = store.callers.see_key
            self.keys = Keys(self, clock)  # ty: ignore[invalid-argument-type]

        async def find_key(self, prefix):
            found = await self.find_first(prefix)
            await self.keys.revoke(prefix)
            return found

    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["agent"])
        overtaken = Overtaken(store, clock)
        return key, await overtaken.keys.find(text), await overtaken.keys.find(text)

    key, during, after = played(f"sqlite:///{tmp_path}/moot.db", scene)

    assert during == key
    assert after is None


def test_what_is_remembered_is_bounded_however_many_wrong_keys_come(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        for number in range(MOST_REMEMBERED + 100):
            await keys.find(f"moot_{number:08x}_{'x' * 43}")
        return len(keys._remembered)

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) == MOST_REMEMBERED


def test_a_prefix_that_no_key_has_cannot_be_revoked(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        _, text = await keys.make("Ada", ["agent"])
        with pytest.raises(NotFound, match="moot keys list") as refused:
            await keys.revoke(text)
        return text, str(refused.value), await keys.any()

    text, said, any_left = played(f"sqlite:///{tmp_path}/moot.db", scene)

    assert text[14:] not in said
    assert any_left


def test_the_last_use_of_a_key_is_kept_to_the_minute_and_not_every_use_writes(url: str) -> None:
    async def scene(keys, store, clock):
        key, text = await keys.make("Ada", ["agent"])
        await keys.make("Bea", ["agent"])
        written, see = [], store.callers.see_key

        async def counted(prefix: str, *, every: float) -> None:
            written.append(clock.now())
            await see(prefix, every=every)

        store.callers.see_key = counted
        for moment in range(1000, 1130, 5):
            clock.time = float(moment)
            await (keys.find(text) if moment % 2 else keys.holder(key.prefix))
        await keys.find(text[:-2] + "zz")
        # A second server of the same database knows by reading it.
        clock.time = 1130.0
        await Keys(store.callers, clock).find(text)
        return written, {one.name: one.seen for one in await keys.list()}

    written, seen = played(url, scene)

    assert written == [1000.0, 1060.0, 1120.0]
    assert seen == {"Ada": 1120.0, "Bea": None}


def test_what_is_kept_of_last_uses_is_bounded(tmp_path: Path) -> None:
    async def scene(keys, store, clock):
        key, _ = await keys.make("Ada", ["agent"])
        for number in range(MOST_REMEMBERED + 10):
            await keys._used(replace(key, prefix=f"moot_{number:08x}"))
        return len(keys._seen)

    assert played(f"sqlite:///{tmp_path}/moot.db", scene) == MOST_REMEMBERED
