"""Keys in the database: one name and one prefix each, revoked for good."""

import asyncio

import pytest

from moot.core.errors import BadSetting, NotFound
from moot.store import Key


async def add(store, name: str, prefix: str) -> Key | None:
    return await store.callers.add_key(
        name=name, prefix=prefix, digest=f"digest of {prefix}", scopes=("agent", "admin")
    )


async def test_a_key_comes_back_as_it_was_made(store, clock):
    clock.time = 1234.5

    made = await add(store, "Ada ✓", "moot_1")

    assert made
    assert made == Key(made.id, "Ada ✓", "moot_1", ("agent", "admin"), 1234.5, None)
    assert await store.callers.find_key("moot_1") == (made, "digest of moot_1")
    assert await store.callers.find_key("moot_2") is None
    assert await store.callers.keys() == [made]


async def test_a_prefix_that_is_taken_is_given_to_nobody_else(store):
    first = await add(store, "Ada", "moot_1")

    second = await add(store, "Bea", "moot_1")

    assert second is None
    assert await store.callers.keys() == [first]


async def test_a_name_is_given_once_even_after_its_key_was_revoked(store):
    await add(store, "Ada", "moot_1")
    await add(store, "Ada-2", "moot_2")
    await store.callers.revoke_key("moot_1")

    with pytest.raises(BadSetting, match=r"there is or was a key 'Ada'; choose another name, such as 'Ada-3'"):
        await add(store, "Ada", "moot_3")

    assert [key.prefix for key in await store.callers.keys()] == ["moot_1", "moot_2"]


async def test_of_those_who_ask_for_one_name_at_once_one_gets_it(url, open_store):
    stores = [open_store(url) for _ in range(4)]

    results = await asyncio.gather(
        *(add(store, "Ada", f"moot_{number}") for number, store in enumerate(stores * 3)), return_exceptions=True
    )

    [made] = [result for result in results if isinstance(result, Key)]
    assert sum(isinstance(result, BadSetting) for result in results) == 11
    assert await stores[0].callers.keys() == [made]


async def test_a_key_is_revoked_once_and_for_good(store, clock):
    await add(store, "Ada", "moot_1")
    await add(store, "Bea", "moot_2")
    clock.time = 2000.0
    first = await store.callers.revoke_key("moot_1")
    clock.time = 3000.0

    again = await store.callers.revoke_key("moot_1")

    assert (first.revoked, again.revoked) == (2000.0, 2000.0)
    assert [key.revoked for key in await store.callers.keys()] == [2000.0, None]


async def test_there_is_a_key_until_the_last_one_is_revoked(store):
    before = await store.callers.any_key()
    await add(store, "Ada", "moot_1")
    during = await store.callers.any_key()
    await store.callers.revoke_key("moot_1")

    assert (before, during, await store.callers.any_key()) == (False, True, False)


@pytest.mark.parametrize("prefix", ["", "moot_", "%", "moot_\x00", "\ud83d"], ids=[*"abcde"])
async def test_a_prefix_that_no_key_has_is_refused(store, prefix):
    await add(store, "Ada", "moot_1")

    with pytest.raises(NotFound, match="moot keys list"):
        await store.callers.revoke_key(prefix)

    assert await store.callers.any_key()


async def test_a_whole_key_that_is_given_for_a_prefix_is_not_repeated(store):
    with pytest.raises(NotFound) as refused:
        await store.callers.revoke_key("moot_12345678_very-secret")

    assert "moot_12345678" in str(refused.value)
    assert "secret" not in str(refused.value)


async def test_a_use_is_written_where_none_was_in_the_time_before(store, clock):
    await add(store, "Ada", "moot_1")
    await add(store, "Bea", "moot_2")
    seen = []

    for moment in (1000.0, 1059.0, 1060.0, 1061.0):
        clock.time = moment
        await store.callers.see_key("moot_1", every=60.0)
        seen.append([key.seen for key in await store.callers.keys()])

    assert seen == [[1000.0, None], [1000.0, None], [1060.0, None], [1060.0, None]]
