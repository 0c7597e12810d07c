"""Shortcuts: all are told of, all can be switched off, and none takes a key from what is scrolled by it."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.kit import Server
from tests.web.pages.argument_kit import kept_record, servers

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCROLLER = """() => {
    const room = document.createElement("div");
    room.id = "room"; room.tabIndex = 0;
    room.append(Object.assign(document.createElement("p"), {textContent: "wide"}));
    room.style.overflowX = "auto"; room.firstChild.style.width = "9000px";
    document.getElementById("part-panes").append(room); room.focus();
}"""


@pytest.fixture(scope="module")
def spiral(server: Server) -> str:
    """The address of the loops of a spiral."""
    return f"/d/{server.keep('spiral_forced', 'keys')}/rounds?loop=1"


@pytest.fixture(scope="module")
def argument(server: Server) -> str:
    """The address of an argument of 26 claims."""
    return f"/d/{server.keep(kept_record(servers(), ('x9', 'x8')), 'servers')}/argument"


def listed(page: "Page") -> dict[str, str]:
    """Return the shortcuts that `?` lists, with their words."""
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    keys, told = (page.locator(f"#shortcuts .keys {name}").all_inner_texts() for name in ("dt", "dd"))
    page.keyboard.press("Escape")
    return dict(zip(keys, told, strict=True))


def switch_off(page: "Page") -> None:
    page.keyboard.press("?")
    page.get_by_label("Switch all shortcuts off").check()
    page.get_by_role("button", name="Close").click()


def test_the_list_of_shortcuts_has_those_of_each_page_in_words(
    server: Server, signed_in: "Page", spiral: str, argument: str
) -> None:
    page = signed_in
    wanted = {
        f"/d/{server.keep('debate_in_turn', 'read')}/transcript": {"j k", "Enter", "c", "Esc", "/", "?"},
        spiral: {"← →", "?", "g d"},
        argument: {"→", "←", "↑ ↓", "Enter", "Esc", "Shift+arrows", "/", "?"},
    }
    for address, keys in wanted.items():
        page.goto(address)
        expect(page.locator(".keys-help[hidden]")).to_have_count(0)
        told = listed(page)
        assert keys <= set(told) and all(told.values()), (address, told)
        assert told["?"] == "shortcuts"
    page.goto(argument)
    assert listed(page)["/"] == "Search the claims"


def test_with_shortcuts_switched_off_no_page_takes_a_key(server: Server, signed_in: "Page", spiral: str) -> None:
    page = signed_in
    page.goto(f"/d/{server.keep('debate_in_turn', 'off')}/transcript#e2")
    expect(page.locator("#e2")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("#e3")).to_be_focused()

    switch_off(page)
    page.locator("#e3").focus()
    page.keyboard.press("j")
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page.locator("#e3")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#e4")).to_be_focused()

    page.goto(spiral)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert page.url.endswith("loop=1")


def test_arrow_keys_scroll_what_is_wider_than_its_room_and_move_the_loop_elsewhere(
    signed_in: "Page", spiral: str
) -> None:
    page = signed_in
    page.goto(spiral)
    page.evaluate(SCROLLER)

    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getElementById('room').scrollLeft > 0")
    assert page.url.endswith("loop=1")
    page.get_by_role("link", name="Transcript").focus()
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("loop=1")

    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**loop=2")


def test_a_claim_is_supposed_wrong_by_keys_alone_and_the_way_back_is_as_plain(signed_in: "Page", argument: str) -> None:
    page = signed_in
    page.goto(f"{argument}?claim=r1:k")
    page.wait_for_selector("#graph[data-live]")

    page.locator("#drawer [data-whatif]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#whatif")).to_be_focused()
    expect(page.locator("#whatif")).to_have_accessible_description(re.compile("Supposing .* is wrong: width"))
    page.wait_for_selector("#graph[data-live]")
    page.get_by_role("link", name="Back to the record").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#whatif")).to_have_count(0)
    expect(page.locator("#graph-title")).to_be_focused()


def test_escape_closes_the_drawer_wherever_the_focus_is(signed_in: "Page", argument: str) -> None:
    page = signed_in
    page.goto(f"{argument}?claim=r1:k")
    page.wait_for_selector("#graph[data-live]")
    assert page.evaluate("document.activeElement === document.body")

    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.locator(".node[data-id='r1:k']")).to_be_focused()
