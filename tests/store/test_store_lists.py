"""Lists: what is sought in questions and answers, the orders, pages that join up, and old databases."""

import json
from dataclasses import replace

from sqlalchemy import text
from store_kit import header, intent, ok

from moot.core.calls import Usage
from moot.core.confidence import Basis, Confidence
from moot.core.events import Ended, Parent, event_text
from moot.core.panel import seated
from moot.core.verdict import Status, Verdict
from moot.store.lists import ListFilters
from moot.store.served import Served


def verdict(answer: str, value: float = 0.5) -> Verdict:
    return Verdict(answer, Status.COMPLETE, "", Confidence(value, Basis.VOTES))


async def came_to(store, name, answer, usd, seconds=1.0, **made):
    """A deliberation that has ended, with one call of this price."""
    await store.deliberations.create(name, replace(header(f"Question {name}?"), **made))
    async with store.hold(name) as hold:
        await hold.journal.intend([intent("answer", 0)], [], active=0.0)
        usage = Usage(10, 5, usd)
        called = replace(intent("answer", 0), state="reply", text="{}", usage=usage, started=100.0, seconds=seconds)
        await hold.journal.settle(called, ok("answer", 0), active=1.0)
        await hold.journal.emit([(0, event_text(Ended(verdict(answer))))])
        await hold.end(verdict(answer))


async def names(store, sort="newest", **filters):
    return [row.id for row in await store.deliberations.page(ListFilters(**filters), sort=sort)]


async def test_a_row_says_what_it_came_to_who_was_asked_and_for_whom(store, clock):
    clock.time = 1000.0
    await store.callers.add_key(name="ada", prefix="moot_1", digest="d", scopes=("agent",))
    await store.served.create("abc", header("Why?"), Served("moot_1"))

    [running] = await store.deliberations.page()
    clock.time = 1060.0
    async with store.hold("abc") as hold:
        await hold.end(verdict("Because.", 0.75))
    [ended] = await store.deliberations.page()

    assert (running.answer, running.ended, running.seconds) == (None, None, None)
    assert (running.owner, running.owner_name) == ("moot_1", "ada")
    assert running.models == ("scripted:a", "scripted:b")
    assert (ended.status, ended.answer, ended.confidence, ended.basis) == ("complete", "Because.", 0.75, "votes")
    assert (ended.ended, ended.seconds) == (1060.0, 0.0)
    assert await names(store, owner="ada") == await names(store, owner="moot_1") == ["abc"]
    assert await names(store, owner="moot") == []


async def test_a_list_holds_what_fits_every_filter_and_pages_of_every_order_join_up(store, clock):
    clock.time = 100.0
    await came_to(store, "cheap", "Forty-two.", 0.01, 9.0)
    clock.time = 200.0
    await came_to(store, "dear", "It is 7%.", 0.50, 1.0, panel=seated(["openai:gpt-5-mini"]))
    clock.time = 300.0
    await came_to(store, "free", "No.", None, 5.0)
    await store.deliberations.create("going", header("Question %?", parent=Parent("dear", "answer")))

    assert await names(store, search="FORTY") == ["cheap"]
    assert await names(store, search="%") == ["going", "dear"]
    assert await names(store, model="GPT-5") == ["dear"]
    assert await names(store, parent="dear") == ["going"]
    assert await names(store, since=200.0, until=300.0) == ["dear"]
    orders = {
        "newest": ["going", "free", "dear", "cheap"],
        "oldest": ["cheap", "dear", "free", "going"],
        "cost": ["dear", "cheap", "free", "going"],
        "seconds": ["cheap", "free", "dear", "going"],
    }
    for sort, wanted in orders.items():
        seen, after = [], None
        while page := await store.deliberations.page(sort=sort, limit=1, after=after):
            seen += [row.id for row in page]
            after = page[-1].number
        assert seen == wanted == await names(store, sort), sort
    assert await store.deliberations.count(ListFilters(search="question")) == 4
    assert await store.deliberations.forks(["dear", "free"]) == {"dear": 1}


async def test_contests_are_counted_until_they_are_taken_back(store):
    await came_to(store, "abc", "Yes.", 0.0)
    acts = [await store.acts.add("abc", kind="contest", author="Ada", data={}, at=None) for _ in range(2)]
    assert await store.deliberations.contests(["abc"]) == {"abc": 2}

    await store.acts.add("abc", kind="undo", author="Ada", data={}, at=None, undoes=acts[0])

    assert await store.deliberations.contests(["abc"]) == {"abc": 1}


async def test_a_database_from_before_lists_tells_the_same_of_what_is_in_it(url, open_store):
    store = open_store(url)
    await came_to(store, "abc", "Forty-two.", 0.25, 3.0)
    await store.deliberations.create("going", header())
    before = await store.deliberations.page()
    await store.writer.run(as_before_lists)
    await store.close()

    after = await open_store(url).deliberations.page()

    # When it ended was not kept: its last call is the nearest that is known.
    assert after == [before[0], replace(before[1], ended=103.0)]
    assert after[1].answer == "Forty-two."


def as_before_lists(connection):
    connection.execute(text("DROP TABLE outlines"))
    connection.execute(text("DROP INDEX deliberations_parent"))
    connection.execute(text("DELETE FROM migrations WHERE number > 4"))


async def test_events_are_read_from_any_place_and_looked_through_one_by_one(store):
    await store.deliberations.create("abc", header())
    texts = [json.dumps({"n": number}) for number in range(7)]
    async with store.hold("abc") as hold:
        await hold.journal.emit(list(enumerate(texts)))
    stored = store.deliberations

    assert await stored.events_before("abc", 5, 2) == [(3, texts[3]), (4, texts[4])]
    assert await stored.events_at("abc", [6, 0]) == [(0, texts[0]), (6, texts[6])]
    assert await stored.scan_events("abc", lambda text: json.loads(text)["n"] % 3 == 0) == [0, 3, 6]
