"""A database file that is deleted or replaced under a run: nothing more is sent, and the run says why."""

import os
from pathlib import Path

import pytest
from store_kit import header, intent

from moot.core.errors import DatabaseUnusable


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


@pytest.mark.parametrize("change", ["deleted", "replaced"])
async def test_the_intents_of_a_wave_are_refused_once_the_file_is_gone(sqlite_url, open_store, change):
    store = open_store(sqlite_url)
    await store.deliberations.create("one", header())
    async with store.hold("one") as hold:
        await hold.journal.intend([intent("a", 0)], [], active=0)
        copy = file_of(sqlite_url).read_bytes()
        for file in file_of(sqlite_url).parent.glob("moot.db*"):
            if file.is_file():
                file.unlink()
        if change == "replaced":
            # Another file at the same time, so that its number is another too.
            file_of(sqlite_url).with_suffix(".other").write_bytes(b"")
            file_of(sqlite_url).write_bytes(copy)

        with pytest.raises(DatabaseUnusable, match="its file has been deleted or replaced"):
            await hold.journal.intend([intent("b", 1)], [], active=0)


async def test_a_file_that_is_only_touched_is_the_same(sqlite_url, open_store):
    store = open_store(sqlite_url)
    os.utime(file_of(sqlite_url), (1, 1))

    await store.deliberations.create("one", header())

    assert (await store.deliberations.summary("one")).id == "one"
