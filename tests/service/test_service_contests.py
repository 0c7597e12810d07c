"""Contests as acts on a stored deliberation (ruling I4)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from moot import ask_sync
from moot.core.errors import NotFound, UsageError
from moot.service.contests import active_contests, contest_lines, standing_words
from moot.service.opening import open_service
from moot.service.service import Service
from moot.testing import no_network, scripted
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, IS_KESTREL, KESTREL, LEFT, OSPREY, SEEN, answering


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"MOOT_HOME": str(tmp_path)}


@pytest.fixture
def asked(environ) -> str:
    member = scripted(answering([KESTREL, KESTREL, OSPREY, OSPREY]))
    result = ask_sync(
        ASKED,
        documents=DOCUMENTS,
        protocol="interrogation",
        members=["scripted:a"],
        models={"scripted:a": member},
        settings={"n": 4},
        environ=environ,
    )
    return result.id


def served(environ, use: Callable[[Service], Awaitable[Any]]) -> Any:
    async def within():
        async with open_service(environ) as service:
            return await use(service)

    with no_network(loopback=False):
        return asyncio.run(within())


@pytest.mark.clause("ruling:I4")
def test_contests_add_up_until_the_answer_changes_and_undoing_them_restores_it(environ, asked) -> None:
    async def use(service: Service):
        first = await service.contest(asked, LEFT, author="Ada", reason="the log was forged")
        second = await service.contest(asked, "harbour master", author="Bea", reason="he was asleep")
        back = await service.uncontest(asked, LEFT, author="Ada")
        last = await service.uncontest(asked, SEEN, author="Ada")
        return first, second, back, last

    first, second, back, last = served(environ, use)

    assert [(item.before.width, item.after.width) for item in (first, second)] == [(2, 1), (1, 1)]
    assert [(item.before.answer, item.after.answer) for item in (first, second, back)] == [
        ("Kestrel", "Kestrel"),
        ("Kestrel", "Osprey"),
        ("Osprey", "Kestrel"),
    ]
    assert LEFT in first.before.surviving
    assert LEFT not in first.after.surviving
    assert last.after == first.before


@pytest.mark.clause("ruling:I4")
def test_an_act_has_its_author_its_reason_and_what_it_undoes(environ, asked) -> None:
    async def use(service: Service):
        await service.contest(asked, LEFT, author="Ada", reason="the log was forged")
        await service.uncontest(asked, LEFT, author="Bea")
        return await service.store.acts.read(asked), await active_contests(service.store, asked)

    acts, active = served(environ, use)

    assert [(act.kind, act.author, act.undoes) for act in acts] == [("contest", "Ada", None), ("undo", "Bea", 0)]
    assert acts[0].data == {"node": "r1:[1]", "claim": LEFT, "reason": "the log was forged"}
    assert active == []


def test_of_two_contests_of_one_claim_the_latest_is_taken_back(environ, asked) -> None:
    async def use(service: Service):
        await service.contest(asked, LEFT, author="Ada", reason="forged")
        await service.contest(asked, LEFT, author="Bea", reason="misread")
        undone = await service.uncontest(asked, LEFT, author="Cid")
        return undone, await active_contests(service.store, asked)

    undone, active = served(environ, use)

    assert undone.before == undone.after
    assert [act.author for act in active] == ["Ada"]


def test_who_contests_what_is_told_with_what_then_stands(environ, asked) -> None:
    async def use(service: Service):
        nobody = await contest_lines(service.store, await service.show(asked))
        await service.contest(asked, IS_KESTREL, author="Ada", reason="it sank")
        return nobody, await contest_lines(service.store, await service.show(asked))

    nobody, told = served(environ, use)

    assert nobody == []
    assert told[0] == f"Ada: {IS_KESTREL} (it sank)"
    assert "the answer is 'Osprey' with 1 line of support; the answer falls if " in told[1]


@pytest.mark.clause("ruling:I4")
def test_acts_leave_the_record_and_its_replay_as_they_were(environ, asked) -> None:
    async def use(service: Service):
        before = await service.store.deliberations.events(asked)
        await service.contest(asked, LEFT, author="Ada", reason="forged")
        return (
            before,
            await service.store.deliberations.events(asked),
            await service.replay(asked),
            await service.show(asked),
        )

    before, after, replayed, shown = served(environ, use)

    assert before == after
    assert replayed.events == len(before)
    assert shown.answer == "Kestrel"


def test_a_contest_that_cannot_be_made_writes_no_act(environ, asked) -> None:
    async def use(service: Service):
        with pytest.raises(NotFound, match="single claim 'the moon'"):
            await service.contest(asked, "the moon", author="Ada", reason="x")
        with pytest.raises(NotFound, match="several claims"):
            await service.contest(asked, "the ship at sea", author="Ada", reason="x")
        with pytest.raises(NotFound, match="no contest of"):
            await service.uncontest(asked, LEFT, author="Ada")
        return await service.store.acts.read(asked)

    assert served(environ, use) == []


@pytest.mark.clause("ruling:I4")
def test_a_deliberation_without_a_graph_is_refused_by_name(environ) -> None:
    result = ask_sync(
        "Why?",
        protocol="single",
        members=["scripted:a"],
        models={"scripted:a": scripted([{"reasoning": "x", "answer": "y", "confidence": 0.5}])},
        environ=environ,
    )

    with pytest.raises(UsageError, match="has no argument graph"):
        served(environ, lambda service: service.contest(result.id, "x", author="Ada", reason="x"))


def test_a_contest_is_exported_with_its_author(environ, asked) -> None:
    async def use(service: Service):
        await service.contest(asked, LEFT, author="Ada", reason="forged")
        return await service.export(asked, "json")

    [text] = served(environ, use).values()

    assert '"author": "Ada"' in text


def test_nothing_that_stands_is_said_in_words(environ, asked) -> None:
    async def use(service: Service):
        await service.contest(asked, "r1:c", author="Ada", reason="x")
        return await service.contest(asked, "r3:c", author="Ada", reason="x")

    assert standing_words(served(environ, use).after) == "no answer stands"
