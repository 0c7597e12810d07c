"""The transcript, its filters and its search; one event whole; calls, record and steps."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from httpx2 import Response

from moot.core.calls import Failure
from moot.core.events import Answered, Noted, event_from, event_text
from moot.testing import scripted
from moot.web.pages.transcript import ROWS
from tests.web.kit import MEMBER, SURE, Site, at_site
from tests.web.pages.html_kit import check_page, check_part, one
from tests.web.pages.records_kit import golden, keep

HOSTILE = "</script><script>alert(1)</script> \u202e javascript:alert(1)"


async def asked(site: Site, question: str = "Is 97 a prime number?", as_: str = "admin") -> str:
    made = await site.post("/deliberations", {"question": question, "protocol": "single"}, as_)
    await site.serving.runs.finished(made.json()["id"])
    return made.json()["id"]


async def seen(site: Site, path: str, as_: str = "admin") -> Response:
    return await site.client.get(path, headers={"Authorization": f"Bearer {site.keys[as_]}"})


def soup(answer: Response) -> BeautifulSoup:
    assert answer.status_code == 200, answer.text
    return check_page(answer.text) if "<html" in answer.text else check_part(answer.text)


def seqs(page: BeautifulSoup) -> list[int]:
    return [int(str(row["data-seq"])) for row in page.select(".event")]


async def lengthen(site: Site, id_: str, events: int) -> None:
    """Put notes behind what is there, as a run of that many events would have."""
    async with site.serving.store.hold(id_) as hold:
        there = await site.serving.store.deliberations.events(id_)
        notes = [(seq, event_text(Noted(f"note {seq}", {"n": seq}))) for seq in range(len(there), events)]
        await hold.journal.emit(notes)


def test_the_transcript_has_a_row_for_every_event_with_what_was_said(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        return soup(await seen(site, f"/d/{id_}/transcript"))

    page = at_site(tmp_path, scene)

    assert seqs(page) == [0, 1, 2]
    assert "97 is prime" in one(page, "#e1").get_text()
    assert one(page, "#window")["data-total"] == "3"


def test_a_long_record_is_sent_a_hundred_rows_at_a_time_and_found_by_the_place_that_is_asked_for(
    tmp_path: Path,
) -> None:
    async def scene(site):
        id_ = await asked(site)
        await lengthen(site, id_, 350)
        address = f"/d/{id_}/transcript"
        first = soup(await seen(site, address))
        at = soup(await seen(site, f"{address}?at=217"))
        rows = soup(await seen(site, f"{address}?start=300&fragment=rows"))
        beyond = soup(await seen(site, f"{address}?start=100000&fragment=rows"))
        return first, at, rows, beyond

    first, at, rows, beyond = at_site(tmp_path, scene)

    assert seqs(first) == list(range(ROWS)) and one(first, "#window")["data-total"] == "350"
    assert seqs(at) == list(range(200, 300))
    assert [link["href"].rpartition("=")[2] for link in at.select(".paging a")] == ["100", "300"]
    assert seqs(rows) == list(range(300, 350)) and not rows.select("header")
    assert seqs(beyond) == []


@pytest.mark.slow
def test_every_page_of_a_record_of_a_hundred_thousand_events_is_small_and_counts_them(tmp_path: Path) -> None:
    events = 100_000
    texts = golden("debate_in_turn")
    answered = next(e for e in map(event_from, texts) if isinstance(e, Answered))
    rounds = [event_text(replace(answered, step=f"round/{number}/m1")) for number in range(3, 603)]
    asides = [event_text(Noted("aside", {"n": number})) for number in range(events - len(texts) - len(rounds))]
    many = [*texts[:-1], *rounds, *asides, texts[-1]]

    async def scene(site):
        await keep(site, many, "many")
        early = soup(await seen(site, "/d/many/calls"))
        await site.serving.folds.read("many", events - 1)
        tabs = ("", "/transcript?at=50000", "/calls?start=500", "/rounds", "/record", "/fork")
        return [early, *[soup(await seen(site, f"/d/many{tab}")) for tab in tabs]]

    early, answer, middle, calls, *others = at_site(tmp_path, scene)

    assert f"Its {events:,} events are being read." in one(early, ".problem").get_text()
    assert "events are being read" not in answer.get_text() and answer.select("#part-happened .event")
    assert seqs(middle) == list(range(50_000, 50_000 + ROWS)) and one(middle, "#window")["data-total"] == str(events)
    assert re.search(r"The first 200 of 6\d\d;", calls.get_text()) and "501 to " in calls.get_text()
    assert max(len(str(page)) for page in (early, answer, middle, calls, *others)) < 1_000_000


def test_filters_and_search_are_of_the_address_and_say_what_they_leave(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        await lengthen(site, id_, 150)
        address = f"/d/{id_}/transcript"
        noted = soup(await seen(site, f"{address}?kind=noted"))
        seat = soup(await seen(site, f"{address}?seat=m1"))
        none = soup(await seen(site, f"{address}?failures=1"))
        hit = soup(await seen(site, f"{address}?q=note+12"))
        nothing = soup(await seen(site, f"{address}?q=zebra"))
        strange = await seen(site, f"{address}?kind=nonsense")
        return noted, seat, none, hit, nothing, strange

    noted, seat, none, hit, nothing, strange = at_site(tmp_path, scene)

    assert len(seqs(noted)) == ROWS and one(noted, "#window")["data-total"] == "147"
    assert seqs(seat) == [1]
    assert "No event fits" in none.get_text() and seqs(none) == []
    assert "1 of 11 that say" in " ".join(one(hit, ".hits").get_text().split())
    assert str(one(hit, ".hits a")["href"]).endswith("at=120#e120")
    assert [int(str(row["data-seq"])) for row in hit.select(".event.hit")] == [12]
    assert "Nothing here says “zebra”" in nothing.get_text()
    assert strange.status_code == 422 and "kind" in strange.text


def test_one_event_is_shown_whole_and_one_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        return (
            soup(await seen(site, f"/d/{id_}/transcript?event=1")),
            soup(await seen(site, f"/d/{id_}/transcript?event=77&fragment=event")),
        )

    whole, missing = at_site(tmp_path, scene)

    inspector = one(whole, "#inspector")
    assert "hidden" not in inspector.attrs and "No prime divides it." in inspector.get_text()
    assert json.loads(inspector.select("details pre")[-1].get_text())["kind"] == "answered"
    assert "There is no such event" in missing.get_text()


def test_what_members_and_people_wrote_is_text_everywhere(tmp_path: Path) -> None:
    said = json.dumps({"reasoning": HOSTILE, "answer": HOSTILE, "confidence": 0.9})

    async def scene(site):
        id_ = await asked(site, f"{HOSTILE}?")
        paths = ("transcript?event=1", "transcript?q=alert", "calls", "record", "steps/answer")
        return [(await seen(site, f"/d/{id_}/{path}")).text for path in paths]

    for text in at_site(tmp_path, scene, models={MEMBER: scripted(lambda _: said)}):
        assert "<script>alert" not in text and "\u202e" not in text
        assert not BeautifulSoup(text, "html.parser").select(
            "[style], script:not([src]), [onclick], a[href^=javascript]"
        )


def test_calls_are_listed_and_summed_and_a_table_program_takes_no_text_for_a_formula(tmp_path: Path) -> None:
    replies = iter([Failure("unreachable", "=cmd|' /C calc'!A0"), SURE])

    async def scene(site):
        id_ = await asked(site)
        return (
            soup(await seen(site, f"/d/{id_}/calls")),
            soup(await seen(site, f"/d/{id_}/calls?failures=1")),
            await seen(site, f"/d/{id_}/calls.csv"),
        )

    page, failed, table = at_site(tmp_path, scene, models={MEMBER: scripted(lambda _: next(replies, SURE))})

    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert table.headers["content-disposition"].startswith("attachment")
    assert {row["step"] for row in rows} == {"answer"} and all(row["problem"][:1] not in "=+-@" for row in rows)
    assert [heading.get_text() for heading in page.select(".sums h2")] == ["By seat", "By model", "By phase"]
    assert len(page.select("table.dense tbody tr")) == len(rows)
    assert len(failed.select("table.dense tbody tr")) == len([row for row in rows if row["state"] != "reply"]) > 0


def test_only_what_was_asked_again_has_the_number_of_its_attempt(tmp_path: Path) -> None:
    replies = iter(["no JSON at all", SURE])

    async def scene(site):
        return soup(await seen(site, f"/d/{await asked(site)}/calls"))

    page = at_site(tmp_path, scene, models={MEMBER: scripted(lambda _: next(replies))})

    steps = [cell.get_text(" ", strip=True) for cell in page.select("table.dense tbody td:first-child")]
    assert steps == ["answer", "answer attempt 2"]


def test_a_step_is_shown_with_its_prompt_to_those_who_may_read_the_deliberation(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site, as_="agent")
        await site.agent("other")
        return (
            await seen(site, f"/d/{id_}/steps/answer", "agent"),
            await seen(site, f"/d/{id_}/steps/answer", "other"),
            await seen(site, f"/d/{id_}/steps/no/such"),
        )

    own, stranger, missing = at_site(tmp_path, scene)

    assert "Is 97 a prime number?" in one(soup(own), ".attempt").get_text()
    assert stranger.status_code == 403 and "<h1>Forbidden</h1>" in stranger.text
    assert missing.status_code == 404 and "no/such" in missing.text


def test_the_record_tells_of_acts_and_says_when_one_was_taken_back(tmp_path: Path) -> None:
    async def scene(site):
        id_ = await asked(site)
        acts = site.serving.store.acts
        await acts.add(id_, kind="contest", author="ada", data={"claim": "it is so", "reason": "it is not"}, at=2)
        await acts.add(id_, kind="undo", author="bea", data={}, at=None, undoes=0)
        return soup(await seen(site, f"/d/{id_}/record"))

    page = at_site(tmp_path, scene)

    first, second = page.select("tbody tr")
    assert "struck" in first["class"] and "it is not" in first.get_text()
    assert "bea" in second.get_text()
    assert {link.get_text() for link in page.select("ul.plain a")} == {"md", "json", "html", "files"}


def test_the_record_says_whether_it_can_be_replayed_here_and_why_not(tmp_path: Path) -> None:
    async def scene(site):
        texts = golden("vote_decided")
        header = json.loads(texts[0])
        header["header"]["protocol_version"] -= 1
        await keep(site, golden("debate_in_turn"), "today")
        await keep(site, [json.dumps(header), *texts[1:]], "earlier")
        return [soup(await seen(site, f"/d/{id_}/record")).get_text() for id_ in ("today", "earlier")]

    today, earlier = at_site(tmp_path, scene)

    assert "moot replay today goes through it again" in today
    assert "not here: this run used vote 1, Moot now has 2" in earlier
