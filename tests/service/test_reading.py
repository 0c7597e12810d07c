"""Reading a deliberation: events by page and by filter, one step, its argument with what-ifs, its acts."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from moot import ask_sync
from moot.core.errors import BadSetting, NotFound, NotYours
from moot.core.events import Answered, Noted, event_text
from moot.core.verdict import Status
from moot.service.contests import contest
from moot.service.opening import open_service
from moot.service.reading.acts import read_acts
from moot.service.reading.arguments import read_argument
from moot.service.reading.brief import read_brief
from moot.service.reading.event_filter import KINDS, EventFilter, kind_of
from moot.service.reading.records import find_events, record_page
from moot.service.reading.steps import read_step
from moot.service.service import Service
from moot.testing import no_network, scripted
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, KESTREL, LEFT, OSPREY, answering

GOLDEN = Path(__file__).parents[1] / "protocols" / "golden"


@pytest.fixture(scope="module")
def environ(tmp_path_factory) -> dict[str, str]:
    return {"MOOT_HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture(scope="module")
def asked(environ) -> str:
    """An interrogation that ended, in which one reply had to be asked for twice."""
    replies = iter(["no JSON at all"])
    answers = answering([KESTREL, KESTREL, OSPREY, OSPREY])
    member = scripted(lambda request: next(replies, None) or answers(request))
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


def golden_texts() -> list[str]:
    lines = [line for file in sorted(GOLDEN.glob("*.jsonl")) for line in file.read_text().splitlines()]
    return [line for line in lines if '"kind":' in line]


def test_the_kind_of_every_golden_event_is_told_from_its_text() -> None:
    texts = golden_texts()
    kinds = {json.loads(text)["kind"] for text in texts}

    assert len(texts) > 200 and kinds == set(KINDS)
    assert [kind_of(text) for text in texts] == [json.loads(text)["kind"] for text in texts]


def test_a_filter_looks_at_what_was_said_and_not_at_how_it_is_stored() -> None:
    nested = {"text": 'He said "Grüße"\nfrom afar', "kind": "unanswered", "seat": "m9"}
    text = event_text(Answered("round/1/m1", "m1", "scripted:a", "Speech", nested, ()))

    assert all(EventFilter(q=q).fits(text) for q in ("GRÜSSE".replace("SS", "ß"), '"grüße"', 'grüße" from', "AFAR"))
    assert not any(EventFilter(q=q).fits(text) for q in ("text", "kind", "answered", "salvaged", "nothing"))
    assert EventFilter(kind="answered", seat="m1", step="round/1/").fits(text)
    assert not any(
        one.fits(text) for one in (EventFilter(seat="m9"), EventFilter(step="round/2"), EventFilter("noted"))
    )
    assert not EventFilter(failures=True).fits(text)
    assert EventFilter().takes_all and EventFilter(q="  ").takes_all


def test_events_come_in_windows_from_either_end_and_by_what_fits(environ, asked) -> None:
    async def use(service: Service):
        everything = await record_page(service, asked, limit=1000)
        return (
            everything,
            await record_page(service, asked[:6], after=2, limit=3),
            await record_page(service, asked, before=5, limit=2),
            await record_page(service, asked, kind="noted", after=1, limit=2),
            await record_page(service, asked, kind="noted", before=everything.total, limit=2),
            await record_page(service, asked, failures=True),
            await find_events(service, asked, q="harbour MASTER", seat="m1"),
            await record_page(service, asked, q="no such words"),
        )

    everything, after, before, noted, last_noted, failed, hits, nothing = served(environ, use)

    assert [seq for seq, _ in everything.texts] == list(range(everything.total))
    assert (everything.first, everything.last, everything.hits) == (0, everything.total - 1, ())
    assert [seq for seq, _ in after.events] == [3, 4, 5] and after.total == everything.total
    assert [seq for seq, _ in before.events] == [3, 4]
    notes = [seq for seq, event in everything.events if isinstance(event, Noted)]
    assert noted.hits == tuple(notes) and (noted.total, noted.first, noted.last) == (len(notes), notes[0], notes[-1])
    assert [seq for seq, _ in noted.events] == notes[1:3]
    assert [seq for seq, _ in last_noted.events] == notes[-2:]
    [(_, event)] = failed.events
    assert isinstance(event, Answered) and [call.state for call in event.calls] == ["bad", "reply"]
    assert hits and all("master" in everything.texts[hit][1] for hit in hits)
    assert (nothing.events, nothing.total, nothing.first) == ((), 0, None)


def test_a_kind_and_a_limit_that_there_are_not_are_refused_by_their_names(environ, asked) -> None:
    async def use(service: Service):
        wrong: list[dict[str, Any]] = [{"kind": "notd"}, {"limit": 0}]
        found = []
        for one in wrong:
            with pytest.raises(BadSetting) as refused:
                await record_page(service, asked, **one)
            found.append(refused.value)
        return found

    kind, limit = served(environ, use)

    assert (kind.name, limit.name) == ("kind", "limit") and "did you mean noted" in str(kind)


def test_a_step_shows_its_prompt_and_every_attempt_with_what_was_wrong(environ, asked) -> None:
    async def use(service: Service):
        with pytest.raises(NotFound):
            await read_step(service, asked, "run/r99", reviewer=True)
        [bad] = await find_events(service, asked, failures=True)
        told = (await record_page(service, asked, after=bad - 1, limit=1)).events[0][1]
        assert isinstance(told, Answered)
        return (
            bad,
            await read_step(service, asked, told.step, reviewer=False),
            await read_step(service, asked, told.step, reviewer=False, seq=bad + 1),
        )

    seq, step, with_wrong_hint = served(environ, use)

    assert step == with_wrong_hint
    assert (step.seat, step.seq, step.outcome.kind) == ("m1", seq, "ok")
    first, second = step.attempts
    assert (first.state, first.text) == ("bad", "no JSON at all") and first.problem
    assert second.state == "reply" and len(second.messages) > len(first.messages)
    assert ASKED in first.messages[-1].content and second.usage.tokens_in


def test_a_step_that_is_not_told_of_is_open_to_reviewers_alone_until_the_end(environ, asked) -> None:
    async def use(service: Service):
        [told, *_] = await find_events(service, asked, kind="answered")
        event = (await record_page(service, asked, after=told - 1, limit=1)).events[0][1]
        assert isinstance(event, Answered)
        step = event.step
        child = await service.store.deliberations.resolve(asked)
        header = await service.store.deliberations.header(child)
        # A run that was killed before it could tell of its first round: the journal has what came, the record nothing.
        await service.store.deliberations.create("blind", header)
        attempts, _ = await service.store.journals.step(asked, step)
        async with service.store.hold("blind") as hold:
            await hold.journal.intend(attempts[:1], [], active=0.0)
        with pytest.raises(NotYours):
            await read_step(service, "blind", step, reviewer=False)
        return await read_step(service, "blind", step, reviewer=True)

    seen = served(environ, use)

    assert seen.event is None and seen.seq is None and len(seen.attempts) == 1


def test_an_argument_is_read_by_ids_with_who_said_what_and_where_it_stands(environ, asked) -> None:
    async def use(service: Service):
        return await read_argument(service, asked), (await service.show(asked)).detail

    read, detail = served(environ, use)

    argument = read.argument
    assert read.is_final and read.absence == "" and argument.figures.answer == "Kestrel"
    assert argument.support_width == len(argument.paths) == detail["support_width"]
    assert argument.surviving_width == len(argument.standing_paths)
    assert list(argument.must_be_wrong) == [item["id"] for item in detail["must_be_wrong"]]
    claims = {claim.id: claim for claim in argument.claims}
    [conclusion] = [claim for claim in argument.claims if claim.id == argument.conclusion]
    assert {run.seat for run in conclusion.runs} == {"m1"} and {run.model for run in conclusion.runs} == {"scripted:a"}
    assert all(run.seq is not None for run in conclusion.runs)
    assert conclusion.roads == tuple(range(1, argument.support_width + 1))
    sentence = next(one for one in argument.sentences if one.text == LEFT)
    document = read.header.question.documents[sentence.place]
    assert document.text[sentence.start : sentence.end] == LEFT and document.name == sentence.document
    given = next(claim for claim in argument.claims if (sentence.id,) in claim.sources)
    assert given.given.holds and given.fate == "stands"
    assert {claim for path in argument.paths for claim in path} <= {*claims, *(one.id for one in argument.sentences)}
    assert [one.answer for one in argument.candidates] == ["Kestrel", "Osprey"]


@pytest.mark.clause("ruling:I4")
def test_a_what_if_computes_everything_anew_and_keeps_nothing(environ, asked) -> None:
    async def use(service: Service):
        plain = await read_argument(service, asked)
        assert plain.argument
        first, *others = plain.argument.must_be_wrong
        one, all_ = [await read_argument(service, asked, wrong) for wrong in ([first], [first, *others])]
        with pytest.raises(NotFound):
            await read_argument(service, asked, ["no such claim at all"])
        with pytest.raises(NotFound):
            await read_argument(service, asked, conclusion=first)
        return plain.argument, one.argument, all_.argument, await read_acts(service, asked)

    plain, one, all_, acts = served(environ, use)

    assert acts == () and plain.before is None
    assert one.before == plain.figures
    assert one.figures.support_width == plain.figures.support_width - 1 == len(one.paths)
    [candidate] = [item.candidate for item in one.candidates if item.candidate.id == plain.conclusion]
    assert candidate.width == one.support_width < plain.support_width
    supposed = next(claim for claim in one.claims if claim.is_supposed)
    assert (supposed.fate, supposed.has_fallen, supposed.refuted) == ("defeated", True, True)
    assert not any(claim.is_supposed or claim.has_fallen for claim in plain.claims)
    assert all_.figures.answer == "Osprey" != plain.figures.answer
    assert [item.stands for item in all_.candidates if item.answer == "Kestrel"] == [False]


def test_contests_are_in_the_argument_until_they_are_taken_back(environ, asked) -> None:
    async def use(service: Service):
        before = await read_argument(service, asked)
        shown = await service.show(asked)
        made = await contest(service.store, shown, LEFT, author="Ada", reason="the log was forged")
        contested = await read_argument(service, asked)
        acts = await read_acts(service, asked)
        await service.uncontest(asked, LEFT, author="Bea")
        return before, made, contested, acts, await read_argument(service, asked), await read_acts(service, asked)

    before, made, contested, acts, after, all_acts = served(environ, use)

    [act] = acts
    assert act.counts and act.data["reason"] == "the log was forged" and act.act.author == "Ada"
    assert contested.argument.uncontested == before.argument.figures
    [claim] = [claim for claim in contested.argument.claims if claim.is_contested]
    assert (claim.id, claim.fate, claim.refute_reason) == (made.node, "defeated", "the log was forged")
    assert contested.argument.figures.support_width == made.after.width < before.argument.figures.support_width
    assert after.argument == before.argument
    assert [(one.act.kind, one.undone_by, one.counts) for one in all_acts] == [
        ("contest", all_acts[1].act.seq, False),
        ("undo", None, False),
    ]


def test_a_run_has_an_argument_from_the_merging_on_and_says_so_before(environ, asked) -> None:
    async def use(service: Service):
        stored = await service.store.deliberations.events(asked)
        header = await service.store.deliberations.header(asked)
        merged = next(seq for seq, text in stored if '"kind":"noted","name":"merged"' in text)
        found = []
        for name, until in (("young", merged), ("older", len(stored) - 1)):
            await service.store.deliberations.create(name, header)
            async with service.store.hold(name) as hold:
                await hold.journal.emit(stored[:until])
            found.append(await read_argument(service, name))
        return *found, await read_argument(service, asked)

    young, older, ended = served(environ, use)

    assert young.argument is None and "when its runs are merged" in young.absence and not young.is_final
    assert not older.is_final and older.argument.figures == ended.argument.figures
    assert older.argument.claims == ended.argument.claims


def test_what_is_read_in_brief_is_what_is_shown(environ, asked) -> None:
    async def use(service: Service):
        return (await read_brief(service, asked)), (await service.show(asked))

    brief, shown = served(environ, use)

    told, whole = brief.json(), shown.json()
    # The record rounds the moments of calls, the journal does not.
    assert told["cost"].pop("seconds") == pytest.approx(whole["cost"].pop("seconds"), abs=1e-4)
    assert told == whole and brief.status is Status.COMPLETE
    assert len(brief.record.events) == 2 < len(shown.record.events)
