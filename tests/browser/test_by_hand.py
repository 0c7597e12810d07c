"""What every page owes its reader: a typed key, a theme that stays, word of a lost connection, and the keyboard."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.checks import check_accessible
from tests.browser.keyboard import tab_to
from tests.browser.kit import Server
from tests.browser.recorder import Recorder

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PAPER = "getComputedStyle(document.body).backgroundColor"

OPEN_AGAIN = """() => {
    dispatchEvent(new Event("pagehide"));
    dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}));
}"""
"""What a browser does to a page that was left and is shown again: one that is set offline keeps what it has open."""


def on(words: str) -> str:
    """What has the focus says these words."""
    return f"document.activeElement.textContent.trim() === {words!r}"


def test_somebody_signs_in_with_a_key_that_is_typed_and_a_wrong_one_is_said_to_be_wrong(
    server: Server, page: "Page", recorder: Recorder
) -> None:
    recorder.expect("status of 401")
    page.goto("/")
    expect(page.get_by_label("Key")).to_be_focused()
    page.keyboard.type("moot_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    check_accessible(page)

    page.get_by_label("Key").fill(server.here.keys["reviewer"])
    page.keyboard.press("Enter")
    expect(page.get_by_text("Signed in as")).to_contain_text("reviewer")
    assert server.here.keys["reviewer"] not in page.url + page.content()


def test_a_theme_that_was_chosen_stays_on_every_page(signed_in: "Page") -> None:
    page = signed_in
    page.goto("/")
    papers = {}
    for theme in ("light", "dark"):
        tab_to(page, "document.activeElement.matches('[data-theme-next]')")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Theme: {theme}")).to_be_focused()
        papers[theme] = page.evaluate(PAPER)

    page.goto("/usage")
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert papers["light"] != papers["dark"] == page.evaluate(PAPER)


def test_a_connection_that_is_lost_is_told_and_the_page_goes_on_when_it_is_back(
    server: Server, signed_in: "Page", context: "BrowserContext", recorder: Recorder
) -> None:
    recorder.expect("ERR_INTERNET_DISCONNECTED")
    server.hold()
    id_ = server.ask("debate")
    page = signed_in
    page.goto(f"/d/{id_}")
    expect(page.locator("#connection")).to_have_text("live")

    context.set_offline(True)
    page.evaluate(OPEN_AGAIN)
    expect(page.locator("#connection")).to_contain_text("reconnecting in 2 s")
    server.release()
    server.ended(id_)
    expect(page.locator("#answer-title")).to_have_text("Where it stands")
    context.set_offline(False)
    expect(page.locator("#answer-title")).to_have_text("Answer")


def test_a_deliberation_is_stopped_resumed_forked_and_deleted_by_keyboard_alone(
    server: Server, signed_in: "Page"
) -> None:
    server.hold()
    id_ = server.ask("debate")
    page = signed_in
    page.goto(f"/d/{id_}")

    tab_to(page, on("Stop"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    server.release()
    tab_to(page, on("Resume"))
    page.keyboard.press("Enter")
    expect(page.locator("#answer-title")).to_have_text("Answer")

    tab_to(page, on("Fork"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/fork*")
    tab_to(page, "document.activeElement.matches('main form button.main')")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/d/" in url and id_ not in url)

    page.goto(f"/d/{id_}")
    tab_to(page, on("Delete"))
    page.keyboard.press("Enter")
    tab_to(page, "document.activeElement.matches('details[open] input:not([type=hidden])')")
    page.keyboard.type(id_)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    expect(page.locator(f"#row-{id_}")).to_have_count(0)
