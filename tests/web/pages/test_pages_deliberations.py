"""The list of deliberations, the answer of one in every state, its rounds, and what is done from its page."""

import asyncio
import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from moot.core.calls import Request
from moot.core.errors import UnknownProtocol
from moot.core.events import event_from
from moot.core.panel import seated
from moot.core.record import Record
from moot.protocols import find_protocol
from moot.testing import scripted
from moot.web.pages.shown.panel import seat_rows
from tests.web.kit import MEMBER, SURE, Site, at_site, environ
from tests.web.pages.html_kit import attribute, one, parsed, words
from tests.web.pages.records_kit import HOSTILE, golden, hostile, keep

GOLDEN_OF = (
    "single_whole",
    "vote_decided",
    "spiral_forced",
    "debate_flagged",
    "interrogation_whole",
    "coherence_partial",
)
PRISM = "prism_whole"


def rows(page: BeautifulSoup) -> list[str]:
    return [str(row["id"]).removeprefix("row-") for row in page.select("#rows > tr")]


def actions(page: BeautifulSoup) -> set[str]:
    chosen = page.select("#part-actions > a, #part-actions > form > button, #part-actions > details > summary")
    return {each.get_text().strip() for each in chosen}


async def asked(site: Site, question: str, as_: str = "admin", **more: Any) -> str:
    made = await site.post("/deliberations", {"question": question, "protocol": "single", **more}, as_)
    assert made.status_code == 201, made.text
    await site.serving.runs.finished(made.json()["id"])
    return made.json()["id"]


def test_an_empty_list_says_so_in_a_sentence_and_offers_the_question(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[BeautifulSoup]:
        return [parsed(await site.page("/", scope)) for scope in ("agent", "reviewer", "admin")]

    for page in at_site(tmp_path, scene):
        assert "Nothing has been asked here yet" in words(page, ".empty")
        assert page.select_one('.empty a[href="/ask"]')


def test_the_list_is_searched_filtered_and_sorted_by_its_address_and_shows_each_only_what_it_may_see(
    tmp_path: Path,
) -> None:
    async def scene(site: Site) -> dict[str, BeautifulSoup]:
        ids["prime"] = await asked(site, "Is 97 a prime number?")
        ids["agent's"] = await asked(site, "Is 98 a prime number?", "agent")
        ids["debate"] = await keep(site, golden("debate_flagged"), "debate")
        ids["running"] = await keep(site, golden("debate_flagged")[:6], "running")
        fork = await site.post(f"/deliberations/{ids['prime']}/fork", {"at": "answer"})
        ids["fork"] = fork.json()["id"]
        await site.serving.runs.finished(ids["fork"])
        wanted = ("/", "/?q=PRIME", "/?q=prime&status=complete&sort=oldest", "/?protocol=debate", "/?model=script:1")
        wanted += ("/?owner=agent", "/?since=2999-01-01", "/?status=wrong", "/?since=soon")
        pages = {
            path: parsed(await site.page(path), 422 if "wrong" in path or "soon" in path else 200) for path in wanted
        }
        return {**pages, "agent": parsed(await site.page("/", "agent"))}

    ids: dict[str, str] = {}
    pages = at_site(tmp_path, scene)

    primes = [ids["fork"], ids["agent's"], ids["prime"]]
    assert rows(pages["/"]) == [ids["fork"], "running", "debate", ids["agent's"], ids["prime"]]
    assert rows(pages["/?q=PRIME"]) == primes
    assert rows(pages["/?q=prime&status=complete&sort=oldest"]) == primes[::-1]
    assert rows(pages["/?protocol=debate"]) == rows(pages["/?model=script:1"]) == ["running", "debate"]
    assert rows(pages["/?owner=agent"]) == rows(pages["agent"]) == [ids["agent's"]]
    assert "No deliberation fits" in words(pages["/?since=2999-01-01"], ".empty")
    assert "there is no status 'wrong'" in words(pages["/?status=wrong"], ".problem")
    assert "no day and no moment" in words(pages["/?since=soon"], ".problem")
    assert not pages["agent"].select_one("#owner")
    assert attribute(pages["/?q=PRIME"], "#q", "value") == "PRIME"
    debate = words(pages["/"], "#row-debate")
    assert all(said in debate for said in ("debate", "collaborative", "flagged", "0.90", "stated", "yes"))
    assert f"fork of {ids['prime']}" in words(pages["/"], f"#row-{ids['fork']}")
    assert "1 fork" in words(pages["/"], f"#row-{ids['prime']}")
    assert words(pages["/"], "#row-running .badge.tone-warn") == "left"
    assert attribute(pages["/"], "#connection", "data-live") == "/live?d=running"
    assert attribute(pages["/?q=PRIME"], "#connection", "data-live") is None


def test_a_member_that_is_named_by_an_address_stands_in_the_panel_with_its_host_and_its_model() -> None:
    panel = seated(["http://127.0.0.1:38189/v1#well", "openai:gpt-5-mini"])
    header = replace(Record(tuple(map(event_from, golden("vote_decided")))).header, panel=panel)

    shown = seat_rows(header, {}, (), ended=False)

    assert [(row.provider, row.model) for row in shown] == [("127.0.0.1:38189", "well"), ("openai", "gpt-5-mini")]


def test_fifty_rows_are_shown_and_the_next_page_goes_on_where_they_end(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup]:
        texts = golden("vote_decided")
        for number in range(53):
            await keep(site, texts, f"d{number:02}")
        first = parsed(await site.page("/?q=eggs"))
        return first, parsed(await site.page(attribute(first, "#more a", "href") or ""))

    first, second = at_site(tmp_path, scene)

    assert rows(first) + rows(second) == [f"d{number:02}" for number in reversed(range(53))]
    assert len(rows(first)) == 50 and not second.select_one("#more a")
    assert "53 deliberations that fit" in words(first, ".shown")


@pytest.mark.parametrize("name", [*GOLDEN_OF, PRISM])
def test_every_page_of_a_record_holds_while_it_runs_and_when_it_has_ended(tmp_path: Path, name: str) -> None:
    async def scene(site: Site) -> tuple[list[BeautifulSoup], BeautifulSoup, BeautifulSoup]:
        texts = golden(name)
        cuts = (len(texts) // 2, len(texts) - 1)
        ids = [await keep(site, texts[:cut], f"cut{cut}") for cut in cuts]
        whole = await keep(site, texts, "whole")
        paths = [f"/d/{ids[0]}", f"/d/{whole}/rounds?loop=2", *(f"/d/{id_}/rounds" for id_ in ids)]
        pages = [parsed(await site.page(path)) for path in paths]
        return pages, parsed(await site.page(f"/d/{ids[-1]}")), parsed(await site.page(f"/d/{whole}"))

    _, running, ended = at_site(tmp_path, scene)

    assert words(running, "#answer-title") == "Where it stands"
    assert words(running, "head > title").startswith("○ left")
    assert words(running, "#part-facts .badge") == words(running, "#answer-title + .badge") == "left"
    assert "nobody works on it" in words(running, "#part-facts")
    assert {"Resume", "Fork", "Export", "Delete"} <= actions(running) and "Stop" not in actions(running)
    assert words(ended, "#answer-title") == "Answer"
    on_board = {"On the board"} if name == PRISM else set()
    assert actions(ended) == {"Fork", "Compare", "Export", "Delete", *on_board}
    assert ended.select("#part-stages .stage")
    for card in ("panel", "budget", "happened", "settings", "made"):
        assert ended.select_one(f"#{card}-title"), card
    assert attribute(ended, "#connection", "data-live") is None


def test_an_answer_is_shown_with_its_basis_dissent_caveats_panel_and_what_it_took(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        return parsed(await site.page(f"/d/{await keep(site, golden('interrogation_whole'), 'd')}"))

    page = at_site(tmp_path, scene)

    answer = words(page, "#part-answer")
    assert all(said in answer for said in ("0.50 votes", "Stopped because", "Took", "Dissent", "Caveats", "Missing"))
    assert "the share of the runs asked that give this answer" in answer
    seats = page.select("#part-panel [data-seat]")
    assert [seat["data-seat"] for seat in seats] == ["m1", "m2"]
    assert all(said in seats[0].get_text() for said in ("call", "tok", "in shape", "answered"))
    assert page.select_one('#part-why a[href="/d/d/argument"]')
    assert page.select("#part-time svg .bar")
    assert page.select_one('#part-happened a[href="/d/d/transcript"]')


def test_what_belongs_to_no_step_stands_under_the_phase_that_went_on_before_it(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        await keep(site, golden("interrogation_whole"), "whole")
        return parsed(await site.page("/d/whole"))

    page = at_site(tmp_path, scene)

    first, *_ = page.select("#part-happened .phase")
    assert words(page, "#part-happened .event .step") == "merged"
    assert first.get_text() == "4 runs"


def test_whoever_may_not_read_a_deliberation_is_shown_no_page_of_it_and_agents_are_offered_what_they_may(
    tmp_path: Path,
) -> None:
    async def scene(site: Site) -> tuple[list[int], set[str], set[str]]:
        await keep(site, golden("debate_flagged"), "admins")
        await keep(site, golden("debate_flagged")[:8], "agents", owner="agent")
        paths = ("/d/admins", "/d/admins/rounds", "/d/admins/live", "/d/admins/fork", "/d/admins/export", "/d/none")
        refused = [(await site.page(path, "agent")).status_code for path in paths]
        own = parsed(await site.page("/d/agents", "agent"))
        return refused, actions(own), actions(parsed(await site.page("/d/agents", "reviewer")))

    refused, own, reviewers = at_site(tmp_path, scene)

    assert refused == [403] * 5 + [404]
    assert own == {"Resume", "Fork", "Compare"}
    assert reviewers == {"Fork", "Compare", "Export"}


def test_texts_of_members_documents_and_people_are_text_on_every_page_whatever_they_hold(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[tuple[str, BeautifulSoup]]:
        names = ("debate_attacked", "spiral_forced", "interrogation_verified", "coherence_whole", PRISM)
        ids = [await keep(site, hostile(golden(name)), f"hostile-{number}") for number, name in enumerate(names)]
        cut = await keep(site, hostile(golden("debate_attacked"))[:-1], "hostile-cut")
        paths = [f"/d/{id_}{tab}" for id_ in (*ids, cut) for tab in ("", "/rounds")]
        paths += ["/", f"/?q={'W' * 100}", f"/d/{cut}/fork"]
        answers = [await site.page(path) for path in paths]
        return [(answer.text, parsed(answer)) for answer in answers]

    for text, page in at_site(tmp_path, scene):
        assert not page.select("img[src=x], [onerror]")
        assert "\u202e" not in text and "\x07" not in text
        assert "49" not in words(page, "head > title")
        assert len(words(page, "h1")) <= 400
        assert len(text) < 2_000_000
    assert HOSTILE[:9] == "</script>"


def test_a_run_that_failed_before_its_first_event_a_missing_protocol_and_nobody_on_the_panel_are_said(
    tmp_path: Path,
) -> None:
    def found(name: str) -> Any:
        if name in missing:
            raise UnknownProtocol(name=name, known=["single"])
        return find_protocol(name)

    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup, BeautifulSoup]:
        await keep(site, golden("vote_decided"), "gone")
        await keep(site, golden(PRISM), "board")
        first = golden("debate_flagged")[0]
        await keep(site, [first], "begun")
        missing.add("vote")
        pages = [parsed(await site.page(f"/d/{id_}")) for id_ in ("gone", "board", "begun")]
        parsed(await site.page("/d/gone/rounds"))
        return pages[0], pages[1], pages[2]

    missing: set[str] = set()
    gone, board, begun = at_site(tmp_path, scene, protocols=found)

    assert "vote is not installed here" in words(gone, ".head .problem")
    assert words(gone, "#answer-title") == "Answer" and words(gone, "#part-answer .answer-text")
    assert board.select("#part-panel [data-seat]")
    assert "Where it stands" in words(begun, "#part-answer") and "not asked yet" in words(begun, "#part-panel")


def test_a_run_that_breaks_off_says_why_on_its_page_and_can_be_gone_on_with(tmp_path: Path) -> None:
    async def breaks(*_: Any) -> Any:
        raise ZeroDivisionError

    def found(name: str) -> Any:
        return replace(find_protocol(name), run=breaks)

    async def scene(site: Site) -> tuple[BeautifulSoup, int]:
        id_ = await asked(site, "Is 97 a prime number?")
        page = parsed(await site.page(f"/d/{id_}"))
        return page, (await site.page(f"/d/{id_}/resume", form={"once": "1"})).status_code

    broken, resumed = at_site(tmp_path, scene, protocols=found)

    assert "It stopped here:" in words(broken, "#part-answer .problem")
    assert "ZeroDivisionError" in words(broken, "#part-answer .problem")
    assert "Resume" in actions(broken) and resumed == 303


def test_a_deliberation_is_stopped_resumed_and_deleted_from_its_page_and_only_by_who_may(tmp_path: Path) -> None:
    speaks = asyncio.Event()

    async def slow(request: Request) -> str:
        await speaks.wait()
        return SURE

    async def scene(site: Site) -> list[Any]:
        made = await site.post("/deliberations", {"question": "Is 97 a prime number?", "protocol": "single"}, "agent")
        id_ = made.json()["id"]
        running = actions(parsed(await site.page(f"/d/{id_}", "agent")))
        others = (await site.page(f"/d/{id_}/stop", "reviewer", form={"once": "1"})).status_code
        stopped = await site.page(f"/d/{id_}/stop", "agent", form={"once": "1"})
        twice = await site.page(f"/d/{id_}/stop", "agent", form={"once": "1"})
        after_stop = actions(parsed(await site.page(f"/d/{id_}", "agent")))
        speaks.set()
        resumed = await site.page(f"/d/{id_}/resume", "agent", form={"once": "2"})
        await site.serving.runs.finished(id_)
        ended = words(parsed(await site.page(f"/d/{id_}", "agent")), "#part-answer")
        refused = [
            (await site.page(f"/d/{id_}/delete", who, form={"confirm": id_})).status_code
            for who in ("agent", "reviewer")
        ]
        wrong = parsed(await site.page(f"/d/{id_}/delete", form={"confirm": "something"}), 422)
        deleted = await site.page(f"/d/{id_}/delete", form={"confirm": id_})
        gone = (await site.page(f"/d/{id_}")).status_code
        codes = [answer.status_code for answer in (stopped, twice, resumed, deleted)]
        return [
            running,
            others,
            codes,
            after_stop,
            ended,
            refused,
            words(wrong, "main"),
            gone,
            stopped.headers["location"] == f"/d/{id_}",
        ]

    models = {MEMBER: scripted(slow)}
    running, others, codes, after_stop, ended, refused, wrong, gone, leads_back = at_site(
        tmp_path, scene, models=models
    )

    assert "Stop" in running and "Resume" in after_stop
    assert (others, codes, refused, gone) == (403, [303] * 4, [403, 403], 404)
    assert "97 is prime" in ended and "Nothing was deleted" in wrong and leads_back


def test_a_run_that_waits_for_its_turn_is_not_called_left_and_may_be_stopped(tmp_path: Path) -> None:
    speaks = asyncio.Event()

    async def slow(request: Request) -> str:
        await speaks.wait()
        return SURE

    async def scene(site: Site) -> tuple[str, BeautifulSoup]:
        order = {"question": "Is 97 a prime number?", "protocol": "single"}
        made = [(await site.post("/deliberations", order, "agent")).json() for _ in range(3)]
        second = parsed(await site.page(f"/d/{made[-1]['id']}", "agent"))
        speaks.set()
        for waiting in made:
            await site.serving.runs.finished(waiting["id"])
        return made[-1]["here"], second

    models = {MEMBER: scripted(slow)}
    here, page = at_site(tmp_path, scene, models=models, environ_=environ(tmp_path, serve_runs="1"))

    assert here == "queued"
    assert "nobody works on it" not in words(page, "main")
    assert "Stop" in actions(page) and "Resume" not in actions(page)


def test_a_form_that_is_sent_twice_makes_one_fork_and_what_is_wrong_with_it_is_said(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[str], int, list[str], BeautifulSoup]:
        id_ = await asked(site, "Is 97 a prime number?")
        page = parsed(await site.page(f"/d/{id_}/fork"))
        form = {"once": attribute(page, '.forking [name="once"]', "value"), "at": "answer", "seed": "7"}
        sent = await asyncio.gather(*(site.page(f"/d/{id_}/fork", form=form) for _ in range(3)))
        again = await site.page(f"/d/{id_}/fork", form=form)
        places = [answer.headers["location"] for answer in (*sent, again)]
        wrong = {"members": "http://127.0.0.1:1/v1#x", "seed": "seven", "at": "nowhere"}
        problems = [
            words(
                parsed(await site.page(f"/d/{id_}/fork", form={**form, "once": name, name: value}), 422),
                f"#problems-{name}",
            )
            for name, value in wrong.items()
        ]
        child = places[0].removeprefix("/d/")
        await site.serving.runs.finished(child)
        count = await site.serving.store.deliberations.count()
        return places, count, problems, parsed(await site.page(f"/d/{id_}"))

    places, count, problems, parent = at_site(tmp_path, scene)

    assert len(set(places)) == 1 and count == 2
    assert "127.0.0.1" in problems[0] and "no whole number" in problems[1] and "nowhere" in problems[2]
    assert words(parent, "#forks-title") == "Forks"


def test_everything_that_is_wrong_with_a_fork_stands_at_its_field_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    wrong = {"at": "answer", "members": "nobody", "seed": "abc", "calls": "-1", "set.temperature": "9", "once": "o"}

    async def scene(site: Site) -> tuple[BeautifulSoup, int]:
        id_ = await asked(site, "Is 97 a prime number?")
        page = parsed(await site.page(f"/d/{id_}/fork", form=wrong), 422)
        return page, await site.serving.store.deliberations.count()

    page, count = at_site(tmp_path, scene)

    assert count == 1
    assert words(page, "#problems-members") == (
        f"member 'nobody' is not offered here; choose among {MEMBER} (the server's MOOT_SERVE_MEMBERS)."
    )
    assert "'abc' is no whole number" in words(page, "#problems-seed")
    assert "'-1' is no whole number" in words(page, "#problems-budget-calls")
    assert "2" in words(page, "#field-temperature-problem")
    for name, value in (("members", "nobody"), ("seed", "abc"), ("calls", "-1"), ("field-temperature", "9")):
        assert attribute(page, f"#{name}", "value") == value
        assert attribute(page, f"#{name}", "aria-invalid") == "true"


def test_a_fork_is_reached_from_the_step_that_it_leaves_from(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[str, list[str | None], str | None]:
        id_ = await asked(site, "Is 97 a prime number?")
        pages = [f"/d/{id_}/transcript?event=1", f"/d/{id_}/steps/answer"]
        links = [attribute(parsed(await site.page(path)), 'main a[href*="fork?at="]', "href") for path in pages]
        form = parsed(await site.page(f"/d/{id_}/fork?at=answer"))
        return id_, links, attribute(form, "#at option[selected]", "selected")

    id_, links, chosen = at_site(tmp_path, scene)

    assert links == [f"/d/{id_}/fork?at=answer"] * 2
    assert chosen is not None


def test_a_record_is_exported_for_the_disk_and_before_its_end_only_for_reviewers(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[Any], list[int]]:
        await keep(site, golden("vote_decided"), "d", owner="agent")
        await keep(site, golden("vote_decided")[:-1], "running", owner="agent")
        exports = [await site.page(f"/d/d/export?format={form}", "agent") for form in ("md", "json", "html", "files")]
        early = [(await site.page("/d/running/export", who)).status_code for who in ("agent", "reviewer")]
        return exports, [*early, (await site.page("/d/d/export?format=exe")).status_code]

    exports, codes = at_site(tmp_path, scene)

    assert all("attachment" in answer.headers["content-disposition"] for answer in exports)
    assert all("sandbox" in answer.headers["content-security-policy"] for answer in exports)
    with zipfile.ZipFile(io.BytesIO(exports[-1].content)) as packed:
        assert "record.md" in packed.namelist() or len(packed.namelist()) > 2
    assert codes == [403, 200, 422]


def test_documents_and_settings_stand_beside_the_answer_only_where_there_are_some(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, BeautifulSoup]:
        documents = [{"name": "primes.txt", "text": "97 is a prime number."}]
        told = await asked(site, "Is 97 a prime number?", documents=documents, settings={"temperature": 0.5})
        plain = await asked(site, "Is 97 a prime number?")
        return parsed(await site.page(f"/d/{told}")), parsed(await site.page(f"/d/{plain}"))

    told, plain = at_site(tmp_path, scene)

    assert "97 is a prime number." in words(told, ".document")
    assert "temperature" in _card(told, "settings-title")
    assert not plain.select_one("#documents-title") and "as the protocol has them" in _card(plain, "settings-title")


def _card(page: BeautifulSoup, title: str) -> str:
    card = one(page, f"#{title}").find_parent("section")
    assert card
    return " ".join(card.get_text(" ").split())
