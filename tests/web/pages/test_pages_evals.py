"""Evaluations as pages: a sentence first, figures as `moot evals` has them, cells that open, and rows as they come."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from moot.evals.report.summary import summarise
from tests.web.evals_kit import RIGHT, ask_run, eval_row, every_row, keep_run
from tests.web.kit import Site, at_site
from tests.web.pages.html_kit import attribute, check_part, one, parsed, words
from tests.web.pages.records_kit import HOSTILE, golden, keep
from tests.web.pages.test_pages_live import Listening, listening_to


def pages(tmp_path: Path, *paths: str, status: int = 200, as_: str = "reviewer") -> list[BeautifulSoup]:
    async def scene(site: Site) -> list[BeautifulSoup]:
        return [parsed(await site.page(path, as_), status) for path in paths]

    return at_site(tmp_path, scene)


def table(page: BeautifulSoup, label: str) -> dict[str, list[str]]:
    """The rows of a table by the words of their heads."""
    rows = one(page, f'[aria-label="{label}"]').select("tbody tr")
    return {words(row, "th"): [" ".join(cell.get_text(" ").split()) for cell in row.select("td")] for row in rows}


def test_the_list_has_runs_with_items_arms_members_cost_and_date_and_tells_what_cannot_be_read(tmp_path: Path) -> None:
    keep_run(tmp_path, "whole")
    keep_run(tmp_path, "under way", rows=[replace(row, usd=None) for row in every_row()[:7]])
    (keep_run(tmp_path, "broken").folder / "run.json").write_text("{")

    [page] = pages(tmp_path, "/evals")

    told = {words(row, "th"): " ".join(row.get_text(" ").split()) for row in page.select("#part-runs tr")}
    assert (
        "complete 10 4 single-pass, revisit, self-consistency, interrogation scripted:a 40 $0" in told["whole apples"]
    )
    assert "7 of 40" in told["under way apples"] and "unknown 2026-11-16 10:00" in told["under way apples"]
    assert any("is no JSON" in row and str(tmp_path) not in row for row in told.values())
    assert attribute(page, "#connection", "data-live") == "/live/evals?start=0"
    assert one(page, 'nav.rail a[href="/evals"]')["aria-current"] == "page"


def test_without_a_run_the_list_says_how_to_make_one(tmp_path: Path) -> None:
    [page] = pages(tmp_path, "/evals")

    assert "moot evals run" in words(page, ".empty code")


def test_a_run_says_first_what_its_figures_can_tell_and_has_every_part(tmp_path: Path) -> None:
    keep_run(tmp_path)

    [page] = pages(tmp_path, "/evals/first")

    assert words(page, ".finding") == summarise(every_row()).finding
    titles = [heading.get_text() for heading in page.find_all("h2")]
    assert titles[:3] == ["Right against tokens an item", "Arms", "Reliability"]
    assert titles[3:5] == ["Right by support width and resilience", "Effective votes"]
    arms = table(page, "Figures of the arms")
    assert arms["self-consistency"][:3] == ["6 of 10", "31 to 83 %", "4.1k"]
    assert arms["single-pass"][3:] == ["0", "1", "1"] and arms["revisit 1 without an answer"][3:] == ["0", "2", "0.5"]
    goals = [words(goal, ".badge") for goal in page.select(".goals li")]
    assert goals == ["unknown", "unknown", "unknown", "unknown", "met"]
    charts = [str(svg["aria-label"]) for svg in page.select("svg[aria-label]")]
    assert charts[0].startswith("4 arms, items right against tokens an item (the cost is $0): self-consistency")
    assert [chart for chart in charts if chart.startswith("interrogation: right by resilience")]
    assert "Every arm was asked every item" in words(page, ".missing")


def test_the_arm_that_others_are_compared_with_is_chosen_by_the_address(tmp_path: Path) -> None:
    keep_run(tmp_path)

    page, strange = pages(tmp_path, "/evals/first?against=revisit", "/evals/first?against=nobody")

    assert words(page, ".arms") and one(page, '[aria-label="Compared with"] [aria-current]').get_text() == "revisit"
    assert table(page, "Figures of the arms")["self-consistency"][3:] == ["2", "0", "0.5"]
    assert one(strange, '[aria-label="Compared with"] [aria-current]').get_text() == "self-consistency"


def test_items_by_arms_show_each_outcome_and_those_where_arms_differ_alone(tmp_path: Path) -> None:
    keep_run(tmp_path)

    every, divided, failed = pages(tmp_path, *(f"/evals/first{q}" for q in ("", "?show=divided", "?show=failed")))

    assert table(every, "Items by arms")["q9"] == ["wrong", "failed", "wrong", "wrong"]
    assert table(every, "Items by arms")["q8"][0] == "abstained"
    assert list(table(divided, "Items by arms")) == ["q0", "q1", "q4", "q5"]
    assert list(table(failed, "Items by arms")) == ["q9"]
    assert attribute(every, "#part-items a.outcome", "href") == "/evals/first/single-pass/q0"


def test_a_hundred_items_stand_on_a_page_and_the_rest_is_a_link_away(tmp_path: Path) -> None:
    keep_run(tmp_path, right={"single-pass": "r" * 130})

    first, second, beyond = pages(tmp_path, *(f"/evals/first{q}" for q in ("", "?start=100", "?start=900")))

    assert (len(table(first, "Items by arms")), len(table(second, "Items by arms"))) == (100, 30)
    assert "?start=100" in {
        str(link.get("href")).removeprefix("/evals/first") for link in first.select("#part-items a")
    }
    assert "There are no such items" in words(beyond, "#part-items")


def test_what_was_not_asked_and_could_not_be_read_is_told(tmp_path: Path) -> None:
    results = keep_run(tmp_path, rows=every_row()[:6], problems=("apples.jsonl, line 3: is no JSON",))
    with (results.folder / "arms" / "revisit.jsonl").open("a") as file:
        file.write("nonsense\n")

    [page] = pages(tmp_path, "/evals/first")

    told = words(page, ".missing")
    assert "apples.jsonl, line 3" in told and "revisit.jsonl, line 3: it is no JSON" in told
    assert "revisit: 8 of 10 items were not asked" in told and "moot evals resume first" in told
    assert str(tmp_path) not in page.get_text()
    assert "So far: 6 of 40 answers are there." in words(page, ".finding")


def test_two_runs_stand_side_by_side_paired_where_the_items_are_the_same(tmp_path: Path) -> None:
    keep_run(tmp_path)
    keep_run(tmp_path, "second", {**RIGHT, "revisit": "r" * 10}, seed=4)
    keep_run(tmp_path, "other items", digest="1" * 64)

    same, strange = pages(tmp_path, "/evals/first?beside=second", "/evals/first?beside=other+items")

    assert table(same, "Arms in both runs")["revisit"][-3:] == ["0", "6", "0.031"]
    assert table(same, "What was run otherwise")["seed"] == ["0", "4"]
    assert {"revisit", "revisit, there"} <= {text.get_text() for text in same.select("svg .hued")}
    assert "the items differ, so nothing can be paired" in words(strange, "#part-beside")
    assert table(strange, "Arms in both runs")["revisit"][-1] == "–"  # noqa: RUF001
    assert attribute(same, "#beside option[selected]", "value") == "second"
    assert attribute(same, "#beside-title a", "href") == "/evals/second?beside=first"


def test_a_cell_opens_the_deliberation_that_lies_in_the_run_s_own_record(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, list[str]]:
        await ask_run(tmp_path, arms=("single-pass", "vote"), count=1)
        grid = parsed(await site.page("/evals/asked", "reviewer"))
        link = attribute(grid, "a.outcome", "href") or ""
        return parsed(await site.page(link, "reviewer")), [link]

    page, links = at_site(tmp_path, scene)

    assert links == ["/evals/asked/single-pass/q1"]
    assert words(page, "h1") == "How many apples are in basket 1?"
    assert "right single-pass answered “7” 1 call $0" in words(page, ".head .facts")
    assert "Who said what" in page.get_text() and "seven of them" in page.get_text()
    assert [link.get_text() for link in page.select(".head .choice a")] == ["single-pass: right", "vote: right"]


def test_a_cell_leads_to_the_deliberation_itself_where_the_server_has_it(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[tuple[int, str | None]]:
        await keep(site, golden("vote_decided"), "0123456789")
        rows = [eval_row("revisit", n, "r", deliberations=(id_,)) for n, id_ in enumerate(("0123456789", "01234"))]
        keep_run(tmp_path, right={"revisit": "rr"}, rows=rows)
        answers = [await site.page(f"/evals/first/revisit/q{number}", "reviewer") for number in range(2)]
        return [(answer.status_code, answer.headers.get("location")) for answer in answers]

    # What only begins like one of the server's is another.
    assert at_site(tmp_path, scene) == [(303, "/d/0123456789"), (200, None)]


def test_a_cell_without_a_record_says_why_and_one_that_was_not_asked_is_not_there(tmp_path: Path) -> None:
    rows = [
        eval_row("revisit", 0, "f"),
        eval_row("revisit", 1, "w", deliberations=("ffffffffff",)),
        eval_row("revisit", 2, "r", item="a/b?c#d"),
    ]
    keep_run(tmp_path, right={"revisit": "rrr"}, rows=rows)

    failed, lost, odd, grid = pages(
        tmp_path,
        *(f"/evals/first/revisit/{item}" for item in ("q0", "q1", "a%2Fb%3Fc%23d")),
        "/evals/first",
    )
    [gone] = pages(tmp_path, "/evals/first/revisit/q7", status=404)

    assert "the member answers nothing" in words(failed, ".head") and "the row says why" in words(failed, "main > p")
    assert "record.db is no longer beside the rows" in words(lost, "main > p")
    assert words(odd, "h1") == "a/b?c#d" and grid.select('[href="/evals/first/revisit/a%2Fb%3Fc%23d"]')
    assert "There is no answer of 'revisit' to 'q7'" in gone.get_text()


@pytest.mark.parametrize("path", ["/evals", "/evals/first", "/evals/first/revisit/q1", "/live/evals/first"])
def test_agents_see_no_evaluation_since_its_rows_tell_right_from_wrong(tmp_path: Path, path: str) -> None:
    keep_run(tmp_path)

    [page] = pages(tmp_path, path, status=403, as_="agent")

    assert "reviewer" in page.get_text() and not page.select('nav.rail a[href="/evals"]')


@pytest.mark.parametrize(
    "name", ["..%2F..%2Fevals", "%2e%2e%2f%2e%2e%2fhome", "first%2Farms%2Frevisit.jsonl", "none", "First"]
)
def test_a_name_that_no_run_has_is_not_found_also_beside_another(tmp_path: Path, name: str) -> None:
    keep_run(tmp_path)

    alone, live = pages(tmp_path, f"/evals/{name}?x=1", f"/live/evals/{name}", status=404)
    [beside] = pages(tmp_path, f"/evals/first?beside={name}", status=404)

    assert "there is no" in alone.get_text().lower() and "there is no" in live.get_text().lower()
    assert "there is no evaluation" in words(beside, ".problem") and words(beside, ".finding")


def test_whatever_stands_in_a_run_is_shown_as_text(tmp_path: Path) -> None:
    rows = [
        eval_row("revisit", number, "w", item=HOSTILE + str(number), answer=HOSTILE, problem=HOSTILE, basis=HOSTILE,
                 confidence=0.5, dataset=HOSTILE)
        for number in range(3)
    ]  # fmt: skip
    keep_run(
        tmp_path,
        "<b>name",
        {"revisit": "rrr", HOSTILE[:60].replace("/", ""): ""},
        rows=rows,
        dataset=HOSTILE,
        members=(HOSTILE,),
        command=HOSTILE,
        problems=(HOSTILE,),
        started=HOSTILE,
    )

    async def scene(site: Site) -> list[BeautifulSoup]:
        grid = parsed(await site.page("/evals/%3Cb%3Ename", "reviewer"))
        cell = attribute(grid, "a.outcome", "href") or ""
        return [grid, parsed(await site.page("/evals", "reviewer")), parsed(await site.page(cell, "reviewer"))]

    for page in at_site(tmp_path, scene):
        assert not page.select("img[src=x], b b") and "\u202e" not in page.get_text()


async def _heard(site: Site, tmp_path: Path) -> tuple[Listening, int]:
    results = keep_run(tmp_path, right={"revisit": "rrw", "single-pass": "rww"}, rows=every_row({"revisit": "r"}))
    async with listening_to(site, "/live/evals/first?against=revisit", "reviewer") as (heard, task):
        await heard.until(lambda told: told.parts)
        for row in every_row({"revisit": "rrw", "single-pass": "rww"})[1:]:
            results.end(row)
        return heard, await task


def test_a_page_follows_the_rows_that_another_process_writes_and_ends_when_the_run_is_whole(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[Listening, int, BeautifulSoup]:
        heard, status = await _heard(site, tmp_path)
        return heard, status, parsed(await site.page("/evals/first?against=revisit", "reviewer"))

    heard, status, page = at_site(tmp_path, scene, live=True)

    assert status == 200 and heard.named("end") and not heard.named("gone")
    first, *_, last = heard.named("parts")
    assert "1 of 6" in first["title"] and last["title"] == "first, apples"
    assert "Only one arm has answers" in first["parts"]["part-finding"]
    assert "part-beside" in first["parts"] and "part-beside" not in last["parts"]
    for id_, html in heard.parts.items():
        check_part(html)
        assert BeautifulSoup(html, "html.parser").get_text() == one(page, f"#{id_}").get_text(), id_


def test_a_stream_of_a_run_that_is_taken_away_says_so_and_the_list_follows_too(tmp_path: Path) -> None:
    results = keep_run(tmp_path, rows=every_row()[:3])

    async def scene(site: Site) -> tuple[Listening, Listening, Any]:
        async with (
            listening_to(site, "/live/evals/first", "reviewer") as (heard, task),
            listening_to(site, "/live/evals", "reviewer") as (listed, _),
        ):
            await heard.until(lambda told: told.parts)
            await listed.until(lambda told: told.parts)
            results.end(eval_row("revisit", 9, "w"))
            await listed.until(lambda told: "4 of 40" in told.parts.get("part-runs", ""))
            (results.folder / "run.json").unlink()
            await task
            return heard, listed, None

    heard, listed, _ = at_site(tmp_path, scene, live=True)

    assert heard.named("gone") == [{"words": "This evaluation can no longer be read:"}]
    assert "3 of 40" in listed.named("parts")[0]["parts"]["part-runs"]
