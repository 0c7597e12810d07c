"""Argument graphs of callers: changed whole or not at all, and bounded."""

import asyncio
import json
import threading

import pytest
from sqlalchemy import insert

from moot.argument import GraphStore
from moot.core.errors import BadSetting
from moot.store import graphs, schema


def graph(*claims: str) -> str:
    return json.dumps({"asserted": {"nodes": [{"claim": claim} for claim in claims]}}, ensure_ascii=False)


def claims(text: str | None) -> list[str]:
    return [] if text is None else [node["claim"] for node in json.loads(text)["asserted"]["nodes"]]


def saying(claim: str):
    """Return the change that adds a claim and returns how many there were."""
    return lambda text: (graph(*claims(text), claim), len(claims(text)))


async def test_a_change_gets_what_was_written_and_gives_back_its_result(store):
    first = await store.graphs.change("ada", "g", saying("one ✓"))
    second = await store.graphs.change("ada", "g", saying("two"))

    assert (first, second) == (0, 1)
    assert claims(await store.graphs.read("ada", "g")) == ["one ✓", "two"]


async def test_graphs_of_other_callers_and_other_names_are_others(store):
    await store.graphs.change("ada", "g", saying("hers"))
    await store.graphs.change("bea", "g", saying("another's"))

    assert claims(await store.graphs.read("ada", "g")) == ["hers"]
    assert claims(await store.graphs.read("bea", "g")) == ["another's"]
    assert await store.graphs.read("ada", "h") is None
    assert await store.graphs.read("nobody", "g") is None


async def test_a_change_without_a_text_leaves_the_graph_as_it_is(store):
    await store.graphs.change("ada", "g", saying("one"))

    counted = await store.graphs.change("ada", "g", lambda text: (None, len(claims(text))))
    nothing = await store.graphs.change("ada", "none", lambda text: (None, text))

    assert (counted, nothing) == (1, None)
    assert claims(await store.graphs.read("ada", "g")) == ["one"]
    assert await store.graphs.read("ada", "none") is None


async def test_a_change_that_fails_changes_nothing_and_keeps_nobody_out(store):
    await store.graphs.change("ada", "g", saying("one"))

    def failing(text):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.graphs.change("ada", "g", failing)

    assert await store.graphs.change("ada", "g", saying("two")) == 1


async def test_no_change_is_lost_however_many_change_one_graph_at_once(url, open_store):
    stores = [open_store(url) for _ in range(4)]

    before = await asyncio.gather(
        *(store.graphs.change("ada", "g", saying(str(number))) for number, store in enumerate(stores * 5))
    )

    assert sorted(before) == list(range(20))
    assert sorted(claims(await stores[0].graphs.read("ada", "g")), key=int) == [str(number) for number in range(20)]


async def test_a_change_that_another_process_overtook_is_made_again_on_what_that_one_wrote(url, open_store):
    slow, quick = open_store(url), open_store(url)
    seen = []

    def overtaken(text):
        seen.append(claims(text))
        if len(seen) == 1:
            asyncio.run(quick.graphs.change("ada", "g", saying("quick")))
        return saying("slow")(text)

    result = await slow.graphs.change("ada", "g", overtaken)

    assert seen == [[], ["quick"]]
    assert result == 1
    assert claims(await slow.graphs.read("ada", "g")) == ["quick", "slow"]


async def test_while_a_graph_is_being_changed_others_can_read_and_write(store):
    during = []

    def slow(text):
        asyncio.run(store.graphs.change("ada", "other", saying("meanwhile")))
        during.append(asyncio.run(store.graphs.read("ada", "other")))
        return saying("slow")(text)

    await store.graphs.change("ada", "g", slow)

    assert claims(during[0]) == ["meanwhile"]


async def test_a_caller_has_so_many_graphs_and_no_more(store):
    rows = [{"owner": "ada", "id": f"g{n}", "text": graph(), "writes": 1} for n in range(graphs.MOST_GRAPHS)]
    await store.writer.run(lambda connection: connection.execute(insert(schema.graphs), rows) and None)

    with pytest.raises(BadSetting, match="200 graphs at most"):
        await store.graphs.change("ada", "one more", saying("x"))
    await store.graphs.change("ada", "g7", saying("x"))
    await store.graphs.change("bea", "one more", saying("x"))

    assert await store.graphs.read("ada", "one more") is None
    assert claims(await store.graphs.read("ada", "g7")) == ["x"]


async def test_the_last_graph_goes_to_one_of_those_who_ask_for_it_at_once(url, open_store):
    stores = [open_store(url) for _ in range(4)]
    rows = [{"owner": "ada", "id": f"g{n}", "text": graph(), "writes": 1} for n in range(graphs.MOST_GRAPHS - 1)]
    await stores[0].writer.run(lambda connection: connection.execute(insert(schema.graphs), rows) and None)

    results = await asyncio.gather(
        *(store.graphs.change("ada", f"new {n}", saying("x")) for n, store in enumerate(stores * 2)),
        return_exceptions=True,
    )

    assert sum(isinstance(result, BadSetting) for result in results) == 7
    assert results.count(0) == 1


@pytest.mark.parametrize(
    "large", [graph(*["x"] * (graphs.MOST_NODES + 1)), graph("x" * graphs.LARGEST_TEXT)], ids=["nodes", "characters"]
)
async def test_a_graph_that_grows_too_large_stays_as_it_was(store, large):
    await store.graphs.change("ada", "g", saying("one"))

    with pytest.raises(BadSetting, match="2000 nodes and 30000000 characters at most"):
        await store.graphs.change("ada", "g", lambda text: (large, None))

    assert claims(await store.graphs.read("ada", "g")) == ["one"]


async def test_a_graph_of_the_argument_library_comes_back_the_same(store):
    made = GraphStore()
    nodes = [
        {"id": "a", "claim": "The bolt is steel.", "type": "given", "confidence": 0.9},
        {"id": "b", "claim": "The bolt rusts.", "type": "conclusion", "confidence": 0.8},
    ]
    made.assert_graph("g", nodes, [{"src": "a", "dst": "b", "relation": "supports", "confidence": 0.7}])
    await store.graphs.change("ada", "g", lambda _: (json.dumps(made.to_json("g")), None))

    read = GraphStore()
    read.from_json("g", json.loads(await store.graphs.read("ada", "g")))

    assert read.to_json("g") == made.to_json("g")


async def test_one_caller_has_one_change_under_way_and_leaves_the_others_room(store):
    under_way: list[str] = []
    most: list[int] = []
    first_is_in, go_on = threading.Event(), threading.Event()

    def slow(name: str):
        def change(text: str | None) -> tuple[str | None, None]:
            under_way.append(name)
            most.append(len([each for each in under_way if each.startswith("greedy")]))
            first_is_in.set()
            if name == "greedy 0":
                go_on.wait(30)
            under_way.remove(name)
            return None, None

        return change

    greedy = [asyncio.ensure_future(store.graphs.change("moot_1", f"g{n}", slow(f"greedy {n}"))) for n in range(4)]
    await asyncio.to_thread(first_is_in.wait, 30)
    await store.graphs.change("moot_2", "g", slow("other"))
    go_on.set()
    await asyncio.gather(*greedy)

    assert max(most) == 1
