"""Evaluations in a browser: by mouse, by keyboard alone, on a phone, and while another process writes their rows."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server
from tests.cli.kit import Moot
from tests.web.evals_kit import RIGHT, ask_run, eval_row, every_row, keep_run
from tests.web.pages.records_kit import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

ARMS = {**RIGHT, "verbatim": "rrrrwwwwaa", "arrows": "rrwwwwwwww", "compressed": "wrrwrrwwww"}

COLLIDING = """(svg) => {
    const view = svg.viewBox.baseVal;
    const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBBox()]);
    const outside = texts.filter(([, box]) =>
        box.x < -1 || box.x + box.width > view.width + 1 || box.y < -1 || box.y + box.height > view.height + 1);
    const upon = (one, other) =>
        one.x < other.x + other.width && other.x < one.x + one.width &&
        one.y + 1 < other.y + other.height && other.y + 1 < one.y + one.height;
    const pairs = texts.flatMap((one, place) =>
        texts.slice(place + 1).filter((other) => upon(one[1], other[1])).map((other) => [one[0], other[0]]));
    return [...outside.map(([words]) => [words]), ...pairs];
}"""
"""The labels that leave a chart, and those that stand upon each other."""


@pytest.fixture(scope="module")
def runs(server: Server) -> Path:
    """The folder of a server with runs of every kind."""
    home = server.here.serving.evals.folder.parent
    keep_run(home, "first", ARMS)
    keep_run(home, "second", {**ARMS, "revisit": "r" * 10}, seed=1, started="2026-11-15T10:00:00+00:00")
    server.do(ask_run(home, "asked", ("single-pass", "interrogation"), count=1))
    return home


def test_a_run_is_found_compared_and_opened_by_keyboard_alone(server: Server, signed_in: "Page", runs: Path) -> None:
    page = signed_in
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("e")
    page.wait_for_url("**/evals")
    page.get_by_role("link", name="first").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".finding")).to_contain_text("10 items do not tell any two arms apart")

    page.get_by_role("navigation", name="Compared with").get_by_role("link", name="arrows").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**?against=arrows")
    expect(page.locator(".arms tbody tr").filter(has_text="self-consistency")).to_contain_text("0.12")
    page.get_by_role("link", name="where arms differ").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**show=divided*")
    expect(page.locator(".grid-of-items tbody tr")).to_have_count(6)
    assert "against=arrows" in page.url

    page.goto("/evals/asked")
    page.locator("a.outcome").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("How many apples are in basket 1?")
    expect(page.locator(".exported")).to_contain_text("Who said what")


def test_two_runs_are_put_side_by_side_and_it_is_in_the_address(signed_in: "Page", runs: Path) -> None:
    page = signed_in
    page.goto("/evals/first")
    page.locator("#beside").select_option("second")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**beside=second*")

    expect(page.locator("#beside-title")).to_have_text("Beside second")
    expect(page.locator("#part-beside tr").filter(has_text="revisit").first).to_contain_text("0.031")
    page.reload()
    expect(page.locator("#beside-title")).to_have_text("Beside second")


@pytest.mark.parametrize("path", ["/evals/first", "/evals/first?beside=second"])
def test_the_labels_of_every_chart_are_inside_it_and_apart(signed_in: "Page", runs: Path, path: str) -> None:
    signed_in.goto(path)
    charts = signed_in.locator("main .chart svg")

    assert charts.count() >= 6
    for place in range(charts.count()):
        chart = charts.nth(place)
        assert chart.evaluate(COLLIDING) == [], chart.get_attribute("aria-label")


def test_evaluations_are_accessible_and_fit_a_phone_whatever_stands_in_them(signed_in: "Page", runs: Path) -> None:
    row = {"answer": HOSTILE, "problem": HOSTILE, "basis": HOSTILE, "confidence": 0.5}
    hostile = [eval_row("revisit", number, "w", item=f"{number}{HOSTILE}", **row) for number in range(3)]
    keep_run(
        runs, "h" * 200, {"revisit": "www", "a" * 80: "rrr"}, rows=hostile, dataset=HOSTILE, members=(HOSTILE,) * 3
    )
    keep_run(runs, "nothing", rows=[])
    page = signed_in
    paths = ["/evals", "/evals/first?beside=second", f"/evals/{'h' * 200}", "/evals/nothing"]
    for path in [*paths, "/evals/asked/interrogation/q1", "/evals/first/revisit/q9", "/evals?start=900"]:
        page.goto(path)
        for summary in page.locator("main details > summary").all()[:12]:
            summary.click()
        check_accessible(page)
        check_no_overflow(page)


def test_a_page_follows_a_run_that_goes_on_in_another_process_and_keeps_what_the_reader_has_opened(
    signed_in: "Page", runs: Path, tmp_path: Path
) -> None:
    moot = Moot(tmp_path, {"MOOT_EVALS": str(runs / "evals")})
    asked = ("--arms", "single-pass,revisit", "--limit", "2", "--member", moot.script({"*": "Answer: 4"}))
    begun = moot.run("evals", "run", *asked, "--budget-calls", "4", "--out", str(runs / "evals" / "under-way"))
    assert begun.returncode == 3, begun.stderr
    page = signed_in
    page.goto("/evals/under-way")
    expect(page.locator("#connection")).to_have_text("live")
    expect(page).to_have_title("● 1 of 4 – under-way, sample – Moot")  # noqa: RUF001
    page.locator("#part-figures .figures summary").first.click()
    page.get_by_role("link", name="all", exact=True).focus()
    page.evaluate("() => { window.stays = true; }")

    ended = moot.run("evals", "resume", "under-way")

    assert ended.returncode == 0, ended.stderr
    expect(page.locator("#part-facts .badge")).to_have_text("complete")
    expect(page).to_have_title("under-way, sample – Moot")  # noqa: RUF001
    expect(page.locator(".grid-of-items a.outcome")).to_have_count(4)
    expect(page.locator(".finding")).to_contain_text("2 items do not tell any two arms apart")
    expect(page.locator("#connection")).to_have_text("")
    assert page.evaluate("() => window.stays")
    assert page.locator("#part-figures .figures").first.get_attribute("open") is not None
    expect(page.get_by_role("link", name="all", exact=True)).to_be_focused()
    page.locator("a.outcome").first.click()
    expect(page.locator(".exported")).to_contain_text("Who said what")


def test_what_a_reader_chooses_while_a_run_goes_on_is_what_the_stream_keeps_up(signed_in: "Page", runs: Path) -> None:
    right = {"single-pass": "rrw", "revisit": "rww"}
    results = keep_run(runs, "chosen", right, rows=every_row(right)[:3])
    page = signed_in
    page.goto("/evals/chosen")
    expect(page.locator("#connection")).to_have_text("live")
    page.get_by_role("link", name="where arms differ").click()
    expect(page.locator("#part-items")).to_contain_text("There are no such items")
    expect(page.locator("#connection")).to_have_text("live")

    for row in every_row(right)[3:]:
        results.end(row)

    expect(page.locator("#part-facts .badge")).to_have_text("complete")
    expect(page.locator(".grid-of-items tbody tr")).to_have_count(1)
    assert page.url.endswith("?show=divided")
