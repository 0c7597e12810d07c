"""What a server runs, for whom, and with what it goes on after a restart; lists in pages."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import func, select
from store_kit import header, invitation

from moot.core.calls import Outcome
from moot.core.errors import NotFound, StoreError
from moot.store import Served, schema

DAY = 24 * 3600.0


async def serve(store, name: str, owner: str | None = "ada", request: str | None = None) -> None:
    await store.served.create(name, header(), Served(owner, request))


async def stands(store, name: str, status: str) -> None:
    async with store.hold(name) as hold:
        await hold.set_status(status)


def served_rows(connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.served)).scalar_one()


async def test_whom_a_deliberation_is_run_for_is_written_with_it(store):
    await serve(store, "abc", "moot_1", "moot_1/k")
    await serve(store, "open", None)
    await store.deliberations.create("typed", header())

    assert await store.served.read("abc") == Served("moot_1", "moot_1/k", wanted=True)
    assert await store.served.read("open") == Served(None, None, wanted=True)
    assert await store.served.read("typed") is None
    assert await store.served.read("nobody") is None
    assert [(await store.deliberations.summary(name)).owner for name in ("abc", "open", "typed")] == [
        "moot_1",
        None,
        None,
    ]


async def test_a_request_finds_the_deliberation_that_it_began(store):
    await serve(store, "abc", request="ada/k")

    assert await store.served.by_request("ada/k") == "abc"
    assert await store.served.by_request("ada/other") is None


async def test_a_request_begins_one_deliberation(store):
    await serve(store, "abc", request="ada/k")

    with pytest.raises(StoreError, match="has begun deliberation abc already"):
        await serve(store, "def", request="ada/k")

    assert [row.id for row in await store.deliberations.newest()] == ["abc"]


async def test_of_those_who_begin_by_one_request_at_once_one_does(url, open_store):
    stores = [open_store(url) for _ in range(4)]

    results = await asyncio.gather(
        *(serve(store, f"d{number}", request="ada/k") for number, store in enumerate(stores * 3)),
        return_exceptions=True,
    )

    [row] = await stores[0].deliberations.newest()
    assert [type(result) for result in results if result is not None] == [StoreError] * 11
    assert await stores[0].served.by_request("ada/k") == row.id


async def test_a_request_is_free_again_after_a_day(store, clock):
    await serve(store, "abc", request="ada/k")
    clock.time += DAY

    found = await store.served.by_request("ada/k")
    await serve(store, "def", request="ada/k")

    assert found is None
    assert await store.served.by_request("ada/k") == "def"
    assert (await store.served.read("abc")).request is None


async def test_a_deliberation_that_could_not_be_written_leaves_nothing_of_whom_it_was_for(store):
    await store.deliberations.create("abc", header())

    with pytest.raises(StoreError, match="already"):
        await serve(store, "abc", request="ada/k")

    assert await store.served.read("abc") is None
    assert await store.served.by_request("ada/k") is None


async def test_deleting_a_deliberation_forgets_whom_it_was_run_for(store):
    await serve(store, "abc", request="ada/k")

    await store.deliberations.delete("abc")

    assert await store.writer.run(served_rows) == 0


async def test_a_server_goes_on_with_what_is_wanted_and_waits_for_nobody(store):
    for name in ("running", "paused", "filled", "waits", "gone", "complete", "failed", "unwanted"):
        await serve(store, name)
    await store.deliberations.create("typed", header())
    for name in ("filled", "waits", "gone"):
        async with store.hold(name) as hold:
            await hold.steps.open([(0, invitation("slot"))])
            await hold.set_status("paused")
    await store.steps.take("filled", "slot", "Ada")
    await store.steps.submit("filled", "slot", "Ada", {"text": "x"})
    async with store.hold("gone") as hold:
        await hold.journal.conclude(Outcome("slot", 0, "dropped"))
    for name in ("paused", "complete", "failed"):
        await stands(store, name, name)
    await store.served.set_wanted("unwanted", wanted=False)

    found = await store.served.to_resume()

    assert found == ["running", "paused", "filled", "gone"]


async def test_a_server_goes_on_with_a_run_whose_step_somebody_took_and_let_go_of(store, clock):
    for name in ("lapsed", "held", "waits", "running"):
        await serve(store, name)
        async with store.hold(name) as hold:
            await hold.steps.open([(0, replace(invitation("slot"), wait=name == "waits"))])
            await hold.set_status("running" if name == "running" else "paused")
    for name in ("lapsed", "held"):
        await store.steps.take(name, "slot", "Ada", lease=60)

    before = await store.served.due()
    clock.time += 61
    await store.steps.take("held", "slot", "Ada", lease=60)

    assert before == []
    assert await store.served.due() == ["lapsed"]
    assert await store.served.to_resume() == ["lapsed", "running"]


async def test_what_was_not_wanted_can_be_wanted_again(store):
    await serve(store, "abc")
    await store.served.set_wanted("abc", wanted=False)
    before = (await store.served.read("abc")).wanted

    await store.served.set_wanted("abc", wanted=True)

    assert before is False
    assert await store.served.to_resume() == ["abc"]


async def test_a_deliberation_of_the_command_line_can_be_wanted_by_no_server(store):
    await store.deliberations.create("typed", header())

    with pytest.raises(NotFound):
        await store.served.set_wanted("typed", wanted=True)


async def test_pages_join_up_while_new_deliberations_come(store):
    for number in range(25):
        await serve(store, f"d{number}", "ada" if number % 2 else "bea")
    seen, page = [], await store.deliberations.newest(limit=4)

    while page:
        seen += page
        await serve(store, f"new {len(seen)}", "ada")
        page = await store.deliberations.newest(limit=4, before=page[-1].number)

    assert [row.id for row in seen] == [f"d{number}" for number in reversed(range(25))]


async def test_pages_of_an_owner_and_a_status_join_up_while_new_ones_come_and_old_ones_end(store):
    for number in range(24):
        await serve(store, f"d{number}", "ada" if number % 2 else "bea")
    for number in range(0, 24, 3):
        await stands(store, f"d{number}", "complete")
    seen, page = [], await store.deliberations.newest(limit=2, owner="ada", status="running")

    while page:
        seen += page
        await serve(store, f"new {len(seen)}", "ada")
        await stands(store, page[0].id, "complete")
        page = await store.deliberations.newest(limit=2, owner="ada", status="running", before=page[-1].number)

    expected = [f"d{number}" for number in reversed(range(24)) if number % 2 and number % 3]
    assert [row.id for row in seen] == expected
    assert {(row.owner, row.status) for row in seen} == {("ada", "running")}


async def test_a_list_holds_only_what_fits_every_wish(store):
    await serve(store, "hers", "ada")
    await serve(store, "his", "bob")
    await store.deliberations.create("typed", header())
    await stands(store, "his", "complete")

    async def ids(**wishes):
        return [row.id for row in await store.deliberations.newest(**wishes)]

    assert await ids() == ["typed", "his", "hers"]
    assert await ids(owner="ada") == ["hers"]
    assert await ids(status="running") == ["typed", "hers"]
    assert await ids(owner="bob", status="running") == []
    assert await ids(owner="bob", protocol="single") == ["his"]
    assert await ids(protocol="prism") == []
    assert await ids(owner="'; --\x00") == []
