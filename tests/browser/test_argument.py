"""The argument in a browser: walked by keys, moved by pointer, doubted and contested, and legible everywhere."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.keyboard import tab_to
from tests.browser.kit import Server
from tests.web.pages.argument_kit import generated, kept_record, servers

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOCUSED = "document.activeElement.dataset.id ?? document.activeElement.id"
OUTSIDE = """() => [...document.querySelectorAll("svg.graph .node")].flatMap((node) => {
    const box = node.querySelector(".box").getBBox();
    return [...node.querySelectorAll("text:not(.more, .number)")].filter((text) => {
        const inner = text.getBBox();
        return inner.x < box.x || inner.y < box.y - 1 || inner.x + inner.width > box.x + box.width + 0.5
            || inner.y + inner.height > box.y + box.height + 1;
    }).map((text) => text.textContent);
})"""
"""The texts that leave their boxes."""
IN_VIEW = """(id) => {
    const [view, node] = [document.getElementById("graph-view"), document.querySelector(`[data-id="${id}"]`)];
    const [outer, inner] = [view.getBoundingClientRect(), node.getBoundingClientRect()];
    return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top
        && inner.bottom <= outer.bottom;
}"""


@pytest.fixture(scope="module")
def argument(server: Server) -> str:
    """The address of an argument of 26 claims."""
    return f"/d/{server.keep(kept_record(servers(), ('x9', 'x8')), 'servers')}/argument"


@pytest.fixture(scope="module")
def many(server: Server) -> str:
    """The address of an argument of which only what is in view is drawn."""
    return f"/d/{server.keep(kept_record(generated(450)), 'many')}/argument?view=all"


@pytest.fixture
def reader(sign_in: Callable[..., "Page"]) -> "Page":
    return sign_in("reviewer")


def opened(page: "Page", address: str) -> "Page":
    page.goto(address)
    page.wait_for_selector("#graph[data-live]")
    return page


def transform(page: "Page") -> str:
    return page.evaluate("document.getElementById('graph-sheet').style.transform")


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def focus_is(page: "Page", id_: str) -> None:
    expect(page.locator(f"[data-id='{id_}'], [id='{id_}']")).to_be_focused()


def focus_leaves(page: "Page", id_: str) -> str:
    """Wait until another claim is focused, and return its id."""
    expect(page.locator(f".node[data-id='{id_}']")).not_to_be_focused()
    return page.evaluate(FOCUSED)


def test_by_keys_alone_one_walks_the_argument_contests_a_claim_and_takes_it_back(reader: "Page", argument: str) -> None:
    page = opened(reader, argument)

    tab_to(page, "document.activeElement.matches('.node')")
    focus_is(page, "r1:c")
    press(page, "ArrowRight")
    supporter = focus_leaves(page, "r1:c")
    press(page, "ArrowDown")
    focus_leaves(page, supporter)
    press(page, "ArrowUp")
    focus_is(page, supporter)
    press(page, "ArrowLeft")
    focus_is(page, "r1:c")
    press(page, "ArrowRight")
    focus_is(page, supporter)
    assert page.evaluate(IN_VIEW, supporter)
    assert page.locator("svg.graph .node[tabindex='0']").count() == 1

    press(page, "Enter")
    focus_is(page, "drawer-title")
    expect(page).to_have_url(re.compile(f"claim={supporter.replace(':', '%3A')}"))
    press(page, "Escape")
    focus_is(page, supporter)
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page).to_have_url(re.compile("argument$"))

    press(page, "Enter")
    focus_is(page, "drawer-title")
    tab_to(page, "document.activeElement.matches('.contest summary')")
    press(page, "Enter")
    tab_to(page, "document.activeElement.id === 'contest-reason'")
    page.keyboard.type("It was measured at noon.")
    tab_to(page, "document.activeElement.textContent === 'Contest it'")
    press(page, "Enter")
    page.wait_for_selector("#drawer .contested")
    assert "It was measured at noon." in page.locator("#contests").inner_text()
    tab_to(page, "document.activeElement.textContent === 'Undo the contest'", 120)
    press(page, "Enter")
    page.wait_for_selector("#drawer .contest")
    assert page.locator(".contested").count() == 0


def test_the_drawer_opens_in_the_drawing_and_nothing_of_it_is_cut_or_illegible(reader: "Page", argument: str) -> None:
    page = opened(reader, argument)
    assert page.evaluate(OUTSIDE) == []

    page.locator('[data-id="r1:k"]').click()
    page.locator("#drawer mark").wait_for()
    assert page.locator(".node.chosen").get_attribute("data-id") == "r1:k"
    page.locator("#drawer .contest summary").click()
    check_accessible(page)
    check_no_overflow(page)

    page.locator("#drawer a[data-claim='r1:m']").first.click()
    expect(page.locator(".node.chosen")).to_have_attribute("data-id", "r1:m")
    page.go_back()
    expect(page.locator(".node.chosen")).to_have_attribute("data-id", "r1:k")
    page.locator("#drawer [data-whatif]").click()
    assert "Nothing is stored" in page.locator("#whatif").inner_text()
    check_accessible(page)
    page.get_by_role("link", name="Back to the record").click()
    page.wait_for_selector("#graph[data-live]")
    assert page.locator("#whatif").count() == 0


def test_the_table_of_claims_has_its_room_and_no_column_of_it_a_word_a_line(reader: "Page", argument: str) -> None:
    page = opened(reader, argument)

    page.locator("#table").scroll_into_view_if_needed()
    room = page.locator("#table .scroll").evaluate("(it) => [it.scrollWidth, it.clientWidth]")
    narrowest = page.locator("table.claims tbody td:last-child").first.evaluate("(it) => it.clientWidth")

    assert room[0] == room[1]
    assert narrowest >= 200


def test_the_drawing_is_moved_zoomed_fitted_searched_and_downloaded(reader: "Page", argument: str) -> None:
    page = opened(reader, argument)
    sheet = page.locator("#graph-sheet")
    expect(sheet).to_have_attribute("style", re.compile("scale"))

    for name in ("Zoom in", "Move left", "Move up", "Fit"):
        before = transform(page)
        page.get_by_role("button", name=name).click()
        expect(sheet).not_to_have_attribute("style", re.compile(re.escape(before)))
    assert all(page.evaluate(IN_VIEW, one) for one in ("r1:c", "r2:q", "r3:l"))
    frame = page.locator("#graph-view").bounding_box()
    assert frame
    before = transform(page)
    page.mouse.move(frame["x"] + 40, frame["y"] + 200)
    page.mouse.down()
    page.mouse.move(frame["x"] + 140, frame["y"] + 260, steps=4)
    page.mouse.up()
    expect(sheet).not_to_have_attribute("style", re.compile(re.escape(before)))
    assert page.locator("#drawer").is_hidden()

    page.get_by_role("searchbox").fill("linux")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_selector("#hits")
    assert page.locator(".node:not(.dim)").count() == 4
    with page.expect_download() as file:
        page.get_by_role("link", name="Download SVG").click()
    assert file.value.suggested_filename == "argument-servers.svg"


def test_of_many_claims_those_in_view_are_drawn_and_from_afar_all_are_on_a_canvas(reader: "Page", many: str) -> None:
    page = opened(reader, many)
    page.wait_for_selector(".node")
    assert page.locator(".node").count() < 200
    assert page.evaluate(OUTSIDE) == []

    page.locator(".node[tabindex='0']").focus()
    for _ in range(4):
        before = page.evaluate(FOCUSED)
        press(page, "ArrowRight")
        assert page.evaluate(IN_VIEW, focus_leaves(page, before))
    for _ in range(12):
        page.get_by_role("button", name="Zoom out").click()
    expect(page.locator(".graph-far")).to_be_visible()
    expect(page.locator(".node")).to_have_count(1)
    page.get_by_role("button", name="Fit").click()
    expect(page.locator(".node")).to_be_visible()
    box = page.locator(".node .box").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#drawer-title")).to_be_visible()


def test_without_scripts_every_box_leads_to_its_drawer_and_a_contest_is_a_form(
    sign_in: Callable[..., "Page"], argument: str
) -> None:
    signed = sign_in("reviewer")
    page = sign_in("reviewer", None, java_script_enabled=False)
    assert signed

    page.goto(argument)
    page.locator('[data-id="r1:o"]').click()
    assert "switched on at 02:00" in page.locator("#drawer mark").inner_text()
    page.locator("#drawer .contest summary").click()
    page.locator("#contest-reason").fill("The clock was wrong.")
    page.get_by_role("button", name="Contest it").click()
    assert "The clock was wrong." in page.locator("#drawer .contested").inner_text()
    page.locator("#drawer").get_by_role("button", name="Undo the contest").click()
    assert page.locator(".contested").count() == 0
    check_no_overflow(page)
