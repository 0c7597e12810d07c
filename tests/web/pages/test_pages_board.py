"""The board in a browser without JavaScript: claims, slots with their forms, flags; and what is shown to nobody yet."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.protocols.prism.kit import CLAIM
from tests.web.kit import SCOPES, Site, at_site
from tests.web.pages.board_kit import PEOPLE, end_leases, fill, people, put
from tests.web.pages.html_kit import attribute, one, parsed, words
from tests.web.pages.records_kit import golden, keep

WORK, JUDGE = "L1.1~work~1", "L1.1~consensus~1"
FRAMED = {"content": "It is about memory.", "confidence": "0.8"}
HOSTILE = "</textarea><script>alert(1)</script><img src=x onerror=alert(1)>\u202etxt"


def buttons(page: BeautifulSoup) -> list[str]:
    return [" ".join(each.get_text().split()) for each in page.select("main button")]


def cells(page: BeautifulSoup, claim: str) -> list[str]:
    chosen = page.select(f"#claim-{claim} .cells li")
    return [words(each, ".cell") for each in chosen]


async def once_of(site: Site, path: str, as_: str) -> str:
    return str(attribute(parsed(await site.page(path, as_)), "main form [name=once]", "value"))


# The board


def test_an_empty_board_says_so_and_offers_each_scope_what_it_may_do(tmp_path: Path) -> None:
    async def scene(site: Site) -> dict[str, BeautifulSoup]:
        return {scope: parsed(await site.page("/board", scope)) for scope in SCOPES}

    pages = at_site(tmp_path, scene)

    for page in pages.values():
        assert words(page, ".empty").startswith("No claim is on the board yet")
        assert attribute(page, ".rail [aria-current]", "href") == "/board"
    tabs = {scope: [link.get_text().strip() for link in page.select(".tabs a")] for scope, page in pages.items()}
    assert tabs == {
        "agent": ["Claims", "My slots", "Agents"],
        "reviewer": ["Claims", "Flags", "Agents"],
        "admin": ["Claims", "My slots", "Flags", "Agents"],
    }
    assert [bool(page.select('a[href="/board/work"]')) for page in pages.values()] == [True, False, True]
    assert not pages["admin"].select(".rail .count")


def test_claims_show_their_layers_at_a_glance_in_every_state(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[dict[str, str], BeautifulSoup, BeautifulSoup]:
        await people(site)
        ids = {name: await put(site, f"{name} is so.") for name in ("new", "judged", "flagged", "sealed")}
        await fill(site, ids["judged"], 3)
        await fill(site, ids["flagged"], 2, 0.496)
        await fill(site, ids["sealed"])
        await site.serving.board.take(ids["judged"], "L2.1/consensus/1", "admin")
        return ids, parsed(await site.page("/board")), parsed(await site.page("/board?tab=agents"))

    ids, page, agents = at_site(tmp_path, scene)

    assert [row["id"] for row in page.select(".claims-list > li")] == [f"claim-{id_}" for id_ in reversed(ids.values())]
    nowhere = ["not reached"] * 5
    assert cells(page, ids["new"]) == ["work", "not reached", *nowhere]
    assert cells(page, ids["judged"]) == ["80 % passed", "consensus", *nowhere]
    # 49.6 % is not shown as the 50 % that it does not reach.
    assert cells(page, ids["flagged"])[0] == "49.6 % waits for a reviewer"
    assert cells(page, ids["sealed"]) == ["80 % passed"] * 7
    stands = {name: words(page, f"#claim-{id_} .stands") for name, id_ in ids.items()}
    assert stands == {
        "new": "work 1 open, 0 taken",
        "judged": "consensus 0 open, 1 taken",
        "flagged": "49.6 % < 50.0 %",
        "sealed": "accept with caveats",
    }
    assert words(page, ".rail .count") == "1 flag waits"
    rows = {words(row, "th"): [cell.get_text() for cell in row.select("td")][:3] for row in agents.select("tbody tr")}
    assert rows["admin you"] == ["0", "1", "1"] and rows["ada"][1] == ""


def test_older_claims_are_on_further_pages_and_none_is_shown_twice(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[list[str]]:
        for number in range(23):
            await put(site, f"Claim {number}.")
        first = parsed(await site.page("/board"))
        second = parsed(await site.page(str(attribute(first, ".more a", "href"))))
        return [[words(row, ".what a") for row in page.select(".claims-list > li")] for page in (first, second)]

    first, second = at_site(tmp_path, scene)

    assert [*first, *second] == [f"Claim {number}." for number in reversed(range(23))]
    assert len(first) == 20


def test_a_claim_is_put_once_with_its_document_and_an_empty_one_comes_back(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        form = {"claim": " Crows. ", "table": "prism-v1-solo", "document-text": "Quill was a jackdaw.", "once": "o"}
        answers = [await site.page("/board", "agent", form=form) for _ in range(2)]
        empty = await site.page("/board", "agent", form={**form, "claim": " ", "once": "p"})
        wrong = await site.page("/board", "agent", form={**form, "table": "/etc/passwd", "once": "q"})
        claims = await site.serving.board.claims()
        return answers, empty, wrong, claims, parsed(await site.page(f"/board/{claims[0].id}/{WORK}", "agent"))

    answers, empty, wrong, claims, slot = at_site(tmp_path, scene)

    assert [claim.pipeline.claim.text for claim in claims] == ["Crows."]
    assert {answer.headers["location"] for answer in answers} == {f"/board/{claims[0].id}"}
    assert words(parsed(empty, 422), "#put-problem").startswith("The claim is empty: say in a sentence")
    for answer in (empty, wrong):
        page = parsed(answer, 422)
        assert words(page, "#put-problem") and words(page, "#document-text") == "Quill was a jackdaw."
    assert words(slot, ".document") == "Quill was a jackdaw."


def test_work_leads_to_the_oldest_slot_takes_nothing_and_says_where_there_is_none(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        none = parsed(await site.page("/board/work", "agent"))
        id_ = await put(site)
        led = await site.page("/board/work", "agent")
        state = (await site.serving.board.claim(id_)).pipeline.slots[0].status
        await site.serving.board.take(id_, "L1.1/work/1", "agent")
        held = parsed(await site.page("/board/work", "agent"))
        mine = parsed(await site.page("/board?tab=slots", "agent"))
        return id_, none, led, state, held, mine, (await site.page("/board/work", "reviewer")).status_code

    id_, none, led, state, held, mine, refused = at_site(tmp_path, scene)

    assert words(none, "h1") == "No slot is open to you"
    assert (led.status_code, led.headers["location"], state) == (303, f"/board/{id_}/{WORK}", "open")
    assert attribute(held, ".empty a", "href") == f"/board/{id_}/{WORK}"
    assert float(attribute(mine, "[data-lease]", "data-lease") or 0) > 200
    assert refused == 403


# A slot


def test_a_slot_is_taken_filled_by_its_form_and_leads_on(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        id_ = await put(site, short=True)
        path = f"/board/{id_}/{WORK}"
        open_ = parsed(await site.page(path, "ada"))
        taken = await site.page(f"{path}/take", "ada", form={"lease": "3600", "once": "t"})
        mine, other = parsed(await site.page(path, "ada")), parsed(await site.page(path, "bea"))
        done = await site.page(path, "ada", form={**FRAMED, "once": "s"})
        twice = await site.page(path, "ada", form={**FRAMED, "once": "s"})
        again = await site.page(path, "ada", form={**FRAMED, "once": "other"})
        return (
            id_,
            open_,
            taken,
            mine,
            other,
            done,
            twice,
            again,
            parsed(await site.page(done.headers["location"], "ada")),
        )

    id_, open_, taken, mine, other, done, twice, again, claim = at_site(tmp_path, scene)

    assert buttons(open_) == ["Take it"] and CLAIM in words(open_, ".claim-text")
    assert (taken.status_code, taken.headers["location"]) == (303, f"/board/{id_}/{WORK}")
    assert buttons(mine) == ["Submit", "Renew", "Release"]
    assert float(attribute(mine, "#lease [data-lease]", "data-lease") or 0) > 3500
    assert words(mine, "#out-content-hint") == "your output in prose, at most five sentences"
    assert attribute(mine, "#out-content", "data-counted") == "500" and not mine.select("[maxlength]")
    assert attribute(mine, "[data-slides]", "data-slides") == "out-confidence"
    assert "ada is at it" in words(other, ".own-slot") and buttons(other) == []
    assert done.headers["location"] == twice.headers["location"] == f"/board/{id_}?done={WORK}"
    assert again.status_code == 409
    assert "It is shown when its phase is over" in words(claim, ".notice")


def test_a_refused_output_comes_back_with_every_reason_at_its_field_and_nothing_lost(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        id_ = await put(site)
        await fill(site, id_, 4)
        path = f"/board/{id_}/L3.1~work~1"
        await site.page(f"{path}/take", "dov", form={})
        wrong = {"content": " \n", "keyPoints": f"one\n{'x' * 1001}", "strength": "huge", "confidence": "1,5"}
        refused = await site.page(path, "dov", form={**wrong, "once": "o"})
        good = {"content": "Masks.", "keyPoints": "one\n\ntwo ", "strength": "weak", "confidence": "0.5", "once": "o"}
        taken = await site.page(path, "dov", form=good)
        await site.serving.runs.finished(id_)
        kept = await site.serving.board.slot(id_, "L3.1/work/1")
        return refused, taken.status_code, kept.shown.output

    refused, taken, kept = at_site(tmp_path, scene)

    page = parsed(refused, 422)
    for field in ("content", "keyPoints", "strength", "confidence"):
        assert words(page, f"#out-{field}-problem"), field
        assert attribute(page, f"#out-{field}", "aria-invalid") == "true"
    assert words(page, "#out-keyPoints-problem").startswith("line 2: ")
    assert one(page, "#out-keyPoints").get_text() == f"one\n{'x' * 1001}"
    assert attribute(page, "#out-confidence", "value") == "1,5"
    assert "Nothing that you wrote is lost" in words(page, "[role=alert]") and page.select("form[data-returned]")
    assert taken == 303 and kept["keyPoints"] == ["one", "two"]


def test_a_lease_that_ran_out_loses_nothing_that_was_written_and_takes_nothing_late(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        id_ = await put(site)
        path = f"/board/{id_}/{WORK}"
        await site.page(f"{path}/take", "ada", form={})
        await end_leases(site)
        late = await site.page(path, "ada", form={**FRAMED, "once": "o"})
        renewed = await site.page(f"{path}/renew", "ada", form=FRAMED)
        status = (await site.serving.board.claim(id_)).pipeline.slots[0].status
        retaken = await site.page(f"{path}/take", "ada", form=FRAMED)
        await end_leases(site)
        await site.page(f"{path}/take", "bea", form={})
        lost = [await site.page(f"{path}{to}", "ada", form={**FRAMED, "once": "o"}) for to in ("", "/renew", "/take")]
        return late, renewed, status, retaken, lost

    late, renewed, status, retaken, lost = at_site(tmp_path, scene)

    for answer in (late, renewed):
        page = parsed(answer, 409)
        assert "has run out" in words(page, "[role=alert]")
        assert buttons(page) == ["Take it again"]
        assert words(page, "#out-content") == FRAMED["content"]
    assert status == "open"
    page = parsed(retaken)
    assert buttons(page) == ["Submit", "Renew", "Release"] and words(page, "#out-content") == FRAMED["content"]
    for answer in lost:
        page = parsed(answer, answer.status_code)
        assert answer.status_code in (403, 409) and "bea is at it" in words(page, ".own-slot")
        assert words(page, "#out-content") == FRAMED["content"] and buttons(page) == []


def test_renewing_keeps_what_was_written_and_releasing_gives_the_slot_back(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        id_ = await put(site, short=True)
        path = f"/board/{id_}/{WORK}"
        await site.page(f"{path}/take", "ada", form={"lease": "300"})
        renewed = await site.page(f"{path}/renew", "ada", form={**FRAMED, "lease": "3600"})
        plain = await site.page(f"{path}/renew", "ada", form={"lease": "99999999"})
        second = await site.page(f"/board/{id_}/L1.1~work~2/take", "ada", form={})
        released = await site.page(f"{path}/release", "ada", form=FRAMED)
        foreign = await site.page(f"{path}/release", "bea", form={})
        codes = [(await site.page(f"{path}/{to}", "reviewer", form={})).status_code for to in ("take", "renew", "burn")]
        claims = [parsed(await site.page(f"/board/{id_}", name)) for name in ("ada", "reviewer")]
        return id_, renewed, plain, second, released, foreign, codes, claims

    id_, renewed, plain, second, released, foreign, codes, claims = at_site(tmp_path, scene)

    page = parsed(renewed)
    assert words(page, "#out-content") == FRAMED["content"]
    assert float(attribute(page, "[data-lease]", "data-lease") or 0) > 3500
    assert plain.status_code == 303
    assert attribute(parsed(second, 409), '.own-slot a[href*="work"]', "href") == f"/board/{id_}/{WORK}"
    assert released.headers["location"] == f"/board/{id_}?released={WORK}"
    assert foreign.status_code == 403 and codes == [403, 403, 403]
    # Whoever may not work is offered no slot.
    assert [len(claim.select(".slot.status-open button")) for claim in claims] == [2, 0]


def test_of_two_who_take_a_slot_at_once_one_has_it_and_the_other_is_told(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        path = f"/board/{await put(site)}/{WORK}/take"
        names = ("ada", "bea", "cyd")
        answers = await asyncio.gather(*(site.page(path, name, form={"once": name}) for name in names))
        return [answer.status_code for answer in answers]

    assert sorted(at_site(tmp_path, scene)) == [303, 409, 409]


def test_documents_are_read_by_whoever_may_work_and_their_names_by_anybody(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        document = {"name": "notes.txt", "text": "Quill was a jackdaw. " * 4000}
        id_ = await put(site, documents=[document])
        await site.page(f"/board/{id_}/{WORK}/take", "ada", form={})
        pages = {name: parsed(await site.page(f"/board/{id_}/{WORK}", name)) for name in ("ada", "bea", "reviewer")}
        files = [await site.page(f"/board/{id_}/documents/{n}", who) for n, who in ((1, "ada"), (1, "bea"), (2, "ada"))]
        return pages, files

    pages, files = at_site(tmp_path, scene)

    assert len(words(pages["ada"], ".document")) < 50_001 and pages["reviewer"].select(".document")
    assert not pages["bea"].select(".document") and "notes.txt" in words(pages["bea"], "main")
    assert [file.status_code for file in files] == [200, 403, 404]
    assert files[0].headers["content-disposition"].startswith("attachment") and len(files[0].text) == 84_000


# Blindness


@pytest.mark.clause("ruling:P8")
def test_no_page_shows_anybody_what_an_unfinished_phase_has_brought(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[tuple[str, bool, dict[str, str]]]:
        await people(site)
        id_, seen = await put(site, as_="bea", short=True), []
        for number in range(8):
            secret = f"secret {number} of"
            [filled] = await fill(site, id_, 1, 0.81 + number / 100, short=True, content=f"{secret} crows")
            slots = (await site.serving.board.claim(id_)).pipeline.slots
            over = not any(slot.status == "open" for slot in slots if slot.step[:-1] == filled[:-1])
            paths = ["/board", f"/board/{id_}", "/board?tab=agents", "/board/work", f"/d/{id_}", f"/d/{id_}/rounds"]
            paths += [f"/board/{id_}/{slot.step.replace('/', '~')}" for slot in slots]
            texts = {f"{who} {path}": (await site.page(path, who)).text for path in paths for who in ("bea", "admin")}
            seen.append((secret, over, texts))
        return seen

    seen = at_site(tmp_path, scene)

    assert [over for _, over, _ in seen] == [False, True, True, True, False, True, False, True]
    for number, (secret, over, texts) in enumerate(seen):
        showing = {place for place, text in texts.items() if secret in text or f"{number + 81} %" in text}
        assert bool(showing) is over, (secret, showing)


def test_an_unfinished_phase_says_that_nobody_is_shown_it_and_a_finished_one_says_what_was_said(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup, BeautifulSoup]:
        await people(site)
        id_ = await put(site, short=True)
        await fill(site, id_, 1, short=True)
        during, slot = parsed(await site.page(f"/board/{id_}")), parsed(await site.page(f"/board/{id_}/{WORK}"))
        await fill(site, id_, 1, short=True)
        return during, slot, parsed(await site.page(f"/board/{id_}"))

    during, slot, after = at_site(tmp_path, scene)

    assert "is shown to nobody until the phase is over" in words(during, "#layer-1")
    assert "ada filled" in words(during, f"[id='slot-{WORK}']") and not during.select(".outputs")
    assert "shown to nobody until the phase is over" in words(slot, ".own-slot")
    assert "crows keep a memory of faces" in words(after, "#layer-1 .outputs")
    assert words(after, f"[id='slot-{WORK}'] .sure") == "80 %"


# A claim


def test_a_claim_shows_gates_earlier_attempts_domain_consensus_and_a_seal_that_fits(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        id_ = await put(site)
        await fill(site, id_, 2, 0.3)
        await site.serving.board.clear(id_, "reviewer", "redo", "Say more.")
        await site.serving.runs.finished(id_)
        await fill(site, id_)
        sound = parsed(await site.page(f"/board/{id_}", "agent"))
        own = parsed(await site.page(f"/board/{id_}"))
        with closing(sqlite3.connect(tmp_path / "moot.db")) as database:
            database.execute("UPDATE steps SET reply = replace(reply, 'keep', 'lose') WHERE step = 'L1.2/work/1'")
            database.commit()
        return id_, sound, own, parsed(await site.page(f"/board/{id_}", "agent"))

    id_, sound, own, changed = at_site(tmp_path, scene)

    assert words(sound, "#layer-1 summary .gate-words") == "80 % ≥ 50 %"
    assert words(sound, "#layer-1 summary .state") == "passed, attempt 2"
    assert words(sound, "#layer-1 .again summary") == "Attempt 1 30 % < 50 %, done again"
    assert "reviewer decided: redo . Say more." in words(sound, "#layer-1 .again")
    assert "cognitive-ethology" in words(sound, ".facts")
    assert "Crows remember dangerous faces" in words(sound, ".columns")
    assert words(sound, ".seal .badge") == "verified" and words(changed, ".seal .badge") == "changed"
    assert "L1.2/work/1" in words(changed, ".seal [role=alert]")
    # Events of the record are for whoever may read it.
    assert not sound.select(f'a[href^="/d/{id_}"]') and own.select(f'a[href^="/d/{id_}/transcript"]')
    assert not sound.select("main button")


def test_slots_of_the_house_name_the_model_behind_their_agent_and_the_record_leads_to_the_board(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup]:
        id_ = await keep(site, golden("prism_whole"), "house")
        return parsed(await site.page(f"/board/{id_}")), parsed(await site.page(f"/d/{id_}"))

    claim, record = at_site(tmp_path, scene)

    slot = words(claim, ".slot")
    assert slot == "contributor house/m3 script:2 80 %"
    assert record.select_one('#part-actions a[href="/board/house"]')


def test_what_people_wrote_is_text_wherever_it_stands(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[BeautifulSoup]:
        await people(site)
        id_ = await put(site, HOSTILE.replace("\u202e", ""), documents=[{"name": HOSTILE, "text": HOSTILE}])
        harmless = HOSTILE.replace("\u202e", "")
        await fill(site, id_, 2, 0.1, content=harmless)
        path = f"/flags/{id_}~L1.1~review"
        paths = ["/board", f"/board/{id_}", f"/board/{id_}/{JUDGE}", "/flags", path]
        pages = [parsed(await site.page(path)) for path in paths]
        refused = await site.page(path, "reviewer", form={"decision": HOSTILE, "note": HOSTILE})
        return [*pages, parsed(refused, 422), parsed(await site.page(f"/board/{id_}?done={HOSTILE}"))]

    for page in at_site(tmp_path, scene):
        assert not page.select("main script, main img") and "\u202e" not in page.get_text()


# Flags


async def flagged(site: Site, claim: str = CLAIM, sure: float = 0.1) -> str:
    id_ = await put(site, claim)
    await fill(site, id_, 2, sure)
    return f"/flags/{id_}~L1.1~review"


def test_flags_are_listed_for_reviewers_and_counted_in_their_rail_alone(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        empty = parsed(await site.page("/flags", "reviewer"))
        paths = [await flagged(site, f"Claim {number}.") for number in range(2)]
        pages = {scope: await site.page("/flags", scope) for scope in SCOPES}
        rails = {scope: parsed(await site.page("/", scope)).select(".rail .count") for scope in SCOPES}
        return empty, paths, pages, rails, (await site.page(paths[0], "agent")).status_code

    empty, paths, pages, rails, agent = at_site(tmp_path, scene)

    assert words(empty, ".empty") == "No flag waits."
    assert agent == pages["agent"].status_code == 403
    links = [str(link["href"]) for link in parsed(pages["reviewer"]).select(".slots-list a")]
    assert links == paths
    assert {scope: [each.get_text() for each in found] for scope, found in rails.items()} == {
        "agent": [],
        "reviewer": ["2 flags wait"],
        "admin": ["2 flags wait"],
    }


def test_a_flag_says_why_with_the_words_of_judges_and_workers_and_needs_a_decision_and_a_note(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        path = await flagged(site, sure=0.42)
        page = parsed(await site.page(path, "reviewer"))
        forms = [
            {"decision": "", "note": "Why."},
            {"decision": "redo", "note": "  "},
            {"decision": "burn", "note": "x"},
        ]
        return (
            page,
            [await site.page(path, "reviewer", form={**form, "once": "o"}) for form in forms],
            len(await site.serving.board.flags()),
        )

    page, refused, waiting = at_site(tmp_path, scene)

    assert words(page, "#why-title") == "Framing (layer 1) is flagged: 42 % < 50 %"
    assert "crows keep a memory" in words(page, ".flagged .beside")
    assert words(page, "#work-title") == "The work that they judged"
    assert not re.search(r"\bada\b", words(page, "main")) and [one["value"] for one in page.select("[type=radio]")] == [
        *("advance", "redo", "close")
    ]
    first, second, third = (parsed(answer, 422) for answer in refused)
    assert words(first, "fieldset .problem") == "Choose one of the three." and words(first, "#note") == "Why."
    assert words(second, "#note-problem") and second.select_one("[value=redo][checked]")
    assert words(third, "fieldset .problem")
    assert waiting == 1


@pytest.mark.parametrize(
    ("decision", "state"),
    [("advance", "layer 2, work"), ("redo", "layer 1, work"), ("close", "closed")],
)
def test_a_cleared_flag_does_what_it_says_and_leads_to_the_next(tmp_path: Path, decision: str, state: str) -> None:
    async def scene(site: Site) -> Any:
        await people(site)
        first, second = await flagged(site, "One."), await flagged(site, "Two.")
        form = {"decision": decision, "note": "Enough.", "once": "o"}
        led = await site.page(first, "reviewer", form=form)
        twice = await site.page(first, "reviewer", form=form)
        following = parsed(await site.page(led.headers["location"], "reviewer"))
        last = await site.page(second, "reviewer", form={**form, "once": "p"})
        late = await site.page(second, "admin", form={**form, "note": "Too late.", "once": "q"})
        claim = parsed(await site.page(f"/board/{first.split('/')[2].split('~')[0]}"))
        return (
            first,
            second,
            led,
            twice,
            following,
            last,
            late,
            parsed(await site.page(last.headers["location"])),
            claim,
        )

    first, second, led, twice, following, last, late, none, claim = at_site(tmp_path, scene)

    assert led.headers["location"] == twice.headers["location"] == f"{second}?cleared={first.removeprefix('/flags/')}"
    assert "The flag before is cleared" in words(following, ".notice") and words(following, "h1") == "Two."
    assert last.headers["location"].startswith("/flags?cleared=")
    assert words(none, ".empty") == "No flag waits."
    gone = parsed(late, 404)
    assert "waits no longer" in words(gone, "[role=alert]") and "Too late." in words(gone, "main")
    assert words(claim, ".facts .badge") == state
    assert f"reviewer decided: {decision}" in words(claim, "#layer-1")


@pytest.mark.clause("ruling:P12")
def test_nobody_clears_a_flag_of_their_own_work_on_a_page_either(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await site.agent("ada", "agent", "reviewer")
        await people(site, *PEOPLE[1:])
        path = await flagged(site)
        return await site.page(path, "ada", form={"decision": "advance", "note": "Mine is fine.", "once": "o"})

    page = parsed(at_site(tmp_path, scene), 403)

    assert "somebody else clears it" in words(page, "[role=alert]") and words(page, "#note") == "Mine is fine."
    assert page.select_one("[value=advance][checked]")


@pytest.mark.parametrize("path", ["/board/ffffffffff", "/board/ffffffffff/L1.1~work~1", "/board/{id}/L9.9~work~1"])
def test_what_is_not_on_the_board_is_a_page_that_says_so(tmp_path: Path, path: str) -> None:
    async def scene(site: Site) -> Any:
        return await site.page(path.format(id=await put(site)))

    assert words(parsed(at_site(tmp_path, scene), 404), "h1") == "Not Found"
