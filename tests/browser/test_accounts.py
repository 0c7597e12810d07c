"""Usage looked at, keys made and revoked: by mouse, by keyboard alone, and on a phone."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server
from tests.browser.recorder import Contexts

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_usage_changes_in_place_and_by_keyboard_and_its_labels_are_inside_the_chart(
    server: Server, signed_in: "Page"
) -> None:
    server.ended(server.ask("debate"))
    page = signed_in
    page.goto("/usage")
    expect(page.locator("#chart-title")).to_have_text("Calls by day")
    page.evaluate("() => { window.stays = true; }")
    page.get_by_role("link", name="By model").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chart-title")).to_have_text("Calls by model")
    page.locator("#show").select_option("tokens")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#chart-title")).to_have_text("Tokens by model")
    assert "show=tokens" in page.url and page.evaluate("() => window.stays")
    outside = page.locator(".amounts svg").evaluate(
        """(svg) => [...svg.querySelectorAll("text")].filter((text) => {
            const box = text.getBBox(), view = svg.viewBox.baseVal;
            return box.x < -1 || box.x + box.width > view.width + 1 || box.y < 0 || box.y + box.height > view.height;
        }).map((text) => text.textContent)"""
    )
    assert outside == []
    check_accessible(page)
    check_no_overflow(page)
    with page.expect_download() as file:
        page.get_by_role("link", name="CSV").click()
    assert file.value.suggested_filename == "usage-by-model.csv"


def test_a_key_is_made_by_keyboard_shown_once_signs_somebody_in_and_is_revoked(
    signed_in: "Page", contexts: Contexts
) -> None:
    page = signed_in
    page.goto("/keys")
    page.locator("#name").focus()
    page.keyboard.type("Ada Reader")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    key = page.locator("#new-key")
    expect(key).to_contain_text("moot_")
    text = key.inner_text()
    expect(page.get_by_role("row", name="Ada Reader")).to_contain_text("agent, reviewer")
    check_accessible(page)
    check_no_overflow(page)
    assert text not in page.url and text not in page.title()

    ada = contexts.new().new_page()
    ada.goto("/in")
    ada.locator('[name="key"]').fill(text)
    ada.keyboard.press("Enter")
    ada.wait_for_url("**/")
    page.goto("/keys")
    expect(page.locator("#new-key")).to_have_count(0)
    assert text not in page.content()

    row = page.get_by_role("row", name="Ada Reader")
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("1 session of a browser ends with it")
    check_accessible(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#revoked-title")).to_be_visible()
    expect(page.get_by_role("region", name="Revoked keys")).to_contain_text("Ada Reader")
    ada.goto("/usage")
    assert "/in" in ada.url
