"""Deliberations, acts and history: what is written comes back."""

import pytest
from sqlalchemy import select
from store_kit import header, intent, invitation, ok, with_steps

from moot.core.canonical import storable
from moot.core.errors import AlreadyRunning, NotFound, StoreError
from moot.core.events import Parent
from moot.store import schema
from moot.store.lists import ListFilters

TEXTS = [
    'it\'s "quoted" `so`',
    "'; DROP TABLE deliberations; --",
    "100% of %s and :name and ? and {braces} \\ backslash",
    "héllo 🦉 ‮ right to left, \u2028 line separator",
    "tab\tnew line\nbell\x07",
]


async def test_a_new_deliberation_is_running_since_now_and_keeps_its_header(store, clock):
    clock.time = 1234.5

    await store.deliberations.create("old", header("Before?"))
    await store.deliberations.create("abc", header("Why?", parent=Parent("old", "step 2")))

    summary = await store.deliberations.summary("abc")
    assert (summary.id, summary.protocol, summary.status, summary.question) == ("abc", "single", "running", "Why?")
    assert (summary.started, summary.parent) == (1234.5, "old")
    assert await store.deliberations.header("abc") == header("Why?", parent=Parent("old", "step 2"))


async def test_an_id_is_given_once(store):
    await store.deliberations.create("abc", header())

    with pytest.raises(StoreError, match="already"):
        await store.deliberations.create("abc", header())


async def test_the_list_is_newest_first_even_when_the_clock_jumps_back(store, clock):
    for number, time in enumerate([100.0, 300.0, 50.0]):
        clock.time = time
        await store.deliberations.create(f"d{number}", header())

    assert [summary.id for summary in await store.deliberations.newest()] == ["d2", "d1", "d0"]
    assert [summary.id for summary in await store.deliberations.newest(limit=2)] == ["d2", "d1"]


async def test_a_unique_prefix_names_a_deliberation(store):
    for name in ("abc", "abcdef", "xyz", "a%c", "ABCX"):
        await store.deliberations.create(name, header())

    assert await store.deliberations.resolve("x") == "xyz"
    assert await store.deliberations.resolve("abc") == "abc"
    assert await store.deliberations.resolve("abcd") == "abcdef"
    assert await store.deliberations.resolve("a%") == "a%c"
    assert await store.deliberations.resolve("ABC") == "ABCX"


async def test_an_ambiguous_prefix_is_refused_with_what_it_could_mean(store):
    await store.deliberations.create("abc", header())
    await store.deliberations.create("abd", header())

    with pytest.raises(NotFound, match=r"2 begin so .abd, abc.: write more"):
        await store.deliberations.resolve("ab")


@pytest.mark.parametrize("prefix", ["", "nobody", "_", "%", "\x00", "\ud83d"], ids=[*"abcdef"])
async def test_a_prefix_that_fits_nothing_is_refused(store, prefix):
    await store.deliberations.create("abc", header())

    with pytest.raises(NotFound, match="moot list"):
        await store.deliberations.resolve(prefix)


async def test_every_question_about_an_unknown_deliberation_is_refused(store):
    asked = store.deliberations
    for question in (asked.header, asked.summary, asked.events, asked.delete, store.journals.read, store.acts.read):
        with pytest.raises(NotFound):
            await question("nobody")
    with pytest.raises(NotFound):
        async with store.hold("nobody"):
            pass
    with pytest.raises(NotFound):
        await store.steps.search(deliberation="nobody")
    with pytest.raises(NotFound):
        await store.acts.add("nobody", kind="note", author="Ann", data={}, at=None)


async def test_a_status_that_was_set_is_shown(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.set_status("paused")

    assert (await store.deliberations.summary("abc")).status == "paused"


async def test_deleting_leaves_nothing_of_it_and_touches_nothing_else(store):
    for name in ("abc", "other"):
        await with_steps(store, name, invitation("slot"))
        async with store.hold(name) as hold:
            await hold.journal.intend([intent("one", 0)], [], active=0)
            await hold.journal.conclude(ok("one", 0))
            await hold.journal.emit([(0, "{}")])
        first = await store.acts.add(name, kind="contest", author="Ann", data={}, at=0)
        await store.acts.add(name, kind="undo", author="Ann", data={}, at=None, undoes=first)

    await store.deliberations.delete("abc")

    def left(connection):
        names = ("events", "attempts", "outcomes", "steps", "acts")
        tables = {name: schema.metadata.tables[name] for name in names}
        return {name: set(connection.execute(select(table.c.deliberation)).scalars()) for name, table in tables.items()}

    assert set(map(tuple, (await store.writer.run(left)).values())) == {("other",)}
    assert [summary.id for summary in await store.deliberations.newest()] == ["other"]


async def test_deleting_is_refused_while_somebody_holds_it(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc"):
        with pytest.raises(AlreadyRunning):
            await store.deliberations.delete("abc")

    await store.deliberations.delete("abc")
    assert await store.deliberations.newest() == []


async def test_acts_are_numbered_and_one_can_undo_another(store, clock):
    await store.deliberations.create("abc", header())
    async with store.hold("abc") as hold:
        await hold.journal.emit([(0, "{}"), (1, "{}")])

    contested = await store.acts.add("abc", kind="contest", author="Ann", data={"claim": "c1"}, at=1)
    clock.time += 5
    undone = await store.acts.add("abc", kind="undo", author="Ben", data=None, at=None, undoes=contested)

    first, second = await store.acts.read("abc")
    assert (contested, undone) == (0, 1)
    assert (first.seq, first.kind, first.author, first.data, first.at) == (0, "contest", "Ann", {"claim": "c1"}, 1)
    assert (second.undoes, second.data, second.made) == (0, None, 1005.0)


async def test_an_act_about_nothing_is_refused(store):
    await store.deliberations.create("abc", header())

    with pytest.raises(NotFound, match="event '7'"):
        await store.acts.add("abc", kind="contest", author="Ann", data={}, at=7)
    with pytest.raises(NotFound, match="act '7'"):
        await store.acts.add("abc", kind="undo", author="Ann", data={}, at=None, undoes=7)
    assert await store.acts.read("abc") == []


async def test_a_fork_gets_the_history_before_its_step(store):
    await with_steps(store, "parent", invitation("early slot"), invitation("open slot", group="layer 2"))
    async with store.hold("parent") as hold:
        await hold.journal.intend([intent("one", 1), intent("two", 2), intent("three", 3)], [], active=9.0)
        await hold.journal.conclude(ok("one", 1))
        await hold.journal.conclude(ok("three", 3))
    await store.steps.take("parent", "early slot", "ann")
    await store.steps.submit("parent", "early slot", "ann", {"text": "yes"})

    await store.deliberations.create("child", header(parent=Parent("parent", "three"), forked_at=3))

    journal = await store.journals.read("child")
    assert [attempt.step for attempt in journal.attempts] == ["one", "two"]
    assert journal.attempts == (await store.journals.read("parent")).attempts[:2]
    assert journal.outcomes == (ok("one", 1),)
    assert journal.active == 0
    (filled,) = await store.steps.search(deliberation="child")
    assert (filled.step, filled.agent, filled.reply, filled.state) == ("early slot", "ann", {"text": "yes"}, "done")
    assert len(await store.steps.search(deliberation="parent")) == 2


async def test_a_fork_of_a_deliberation_that_does_not_exist_is_not_created(store):
    with pytest.raises(NotFound, match="nobody"):
        await store.deliberations.create("child", header(parent=Parent("nobody", "three"), forked_at=3))

    assert await store.deliberations.newest() == []


@pytest.mark.parametrize("text", [*TEXTS, "🦉 " * 600_000], ids=[*"abcde", "three megabytes"])
async def test_any_text_comes_back_as_it_was(store, text):
    text = text.strip()
    await store.deliberations.create(text[:50], header(text))

    async with store.hold(text[:50]) as hold:
        await hold.journal.intend([intent(text[:50], 0, request=text)], [], active=0)
        await hold.journal.emit([(0, text)])
        await hold.steps.open([(1, invitation(text[:50]))])
    await store.acts.add(text[:50], kind="note", author=text, data={text[:50]: text}, at=None)
    await store.steps.take(text[:50], text[:50], text[:50])
    await store.steps.submit(text[:50], text[:50], text[:50], {"text": text})

    assert (await store.deliberations.summary(text[:50])).question == text
    assert (await store.journals.read(text[:50])).attempts[0].request == text
    assert await store.deliberations.events(text[:50]) == [(0, text)]
    assert (await store.acts.read(text[:50]))[0].data == {text[:50]: text}
    assert (await store.steps.read(text[:50], text[:50])).reply == {"text": text}


async def test_what_no_database_can_hold_is_replaced_and_not_refused(store):
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0, request="nul \x00 and half \ud83d")], [], active=0)

    assert (await store.journals.read("abc")).attempts[0].request == storable("nul \x00 and half \ud83d")


async def test_what_was_written_is_there_after_closing_and_opening(url, open_store):
    first = open_store(url)
    await first.deliberations.create("abc", header())
    await first.close()

    assert (await open_store(url).deliberations.summary("abc")).id == "abc"


async def test_a_search_finds_a_text_in_the_question_whatever_its_wildcards_and_capitals(store):
    for name, text in (
        ("a", "Is it 100% safe?"),
        ("b", "Is it 1000 safe?"),
        ("c", "snake_case or not"),
        ("d", "snakes"),
    ):
        await store.deliberations.create(name, header(text))

    async def found(search):
        rows = await store.deliberations.newest(search=search)
        assert await store.deliberations.count(ListFilters(search=search)) == len(rows)
        return [row.id for row in rows]

    assert await found("100%") == ["a"]
    assert await found("IS IT") == ["b", "a"]
    assert await found("e_c") == ["c"]
    assert await found("'; DROP TABLE deliberations; --") == []
    assert [row.id for row in await store.deliberations.newest(1, search="snake")] == ["d"]
    assert await store.deliberations.count() == 4
