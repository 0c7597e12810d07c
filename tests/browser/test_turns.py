"""A debate that a person joins: what they write is kept, sent, passed, or stays in view where its turn went away."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server
from tests.browser.recorder import Recorder

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXT = "What you want to say"
KEPT = "JSON.stringify(sessionStorage)"


def joined(server: Server, page: "Page") -> str:
    """Open a debate that waits for its person, and return its id."""
    id_ = server.ended(server.ask("debate", join=True, rounds=3))
    page.goto(f"/d/{id_}")
    expect(page.locator("#connection")).to_have_text("live")
    return id_


def fill_elsewhere(server: Server, id_: str) -> None:
    """Pass the turn of a debate, as somebody else would."""

    async def filled() -> None:
        steps = server.here.serving.open_steps
        [step] = await steps.waiting(id_)
        await steps.fill(await steps.take(step, "Grace"), "Grace", {})

    server.do(filled())


def test_a_debate_is_joined_by_keyboard_and_what_was_written_outlives_a_reload(
    server: Server, signed_in: "Page"
) -> None:
    page = signed_in
    joined(server, page)
    check_accessible(page)
    check_no_overflow(page)

    page.get_by_label(TEXT).focus()
    page.keyboard.type("Think of the ice.")
    page.reload()
    expect(page.get_by_label(TEXT)).to_have_value("Think of the ice.")
    expect(page.locator("#announcements")).to_have_text("What you wrote here before is back.")
    page.get_by_label(TEXT).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_text("Your turn is in.")).to_be_visible()
    assert page.evaluate(KEPT) == "{}"
    expect(page.locator("#turn-1")).to_have_count(0)
    expect(page.locator("#unsent")).to_be_hidden()


def test_an_empty_turn_is_refused_at_its_field_and_passed_by_its_button(
    server: Server, signed_in: "Page", recorder: Recorder
) -> None:
    page = signed_in
    recorder.expect("status of 422")
    joined(server, page)

    page.get_by_role("button", name="Send").click()
    expect(page.get_by_label(TEXT)).to_have_attribute("aria-invalid", "true")
    check_accessible(page)
    page.get_by_role("button", name="Pass").click()
    expect(page.get_by_text("You passed.")).to_be_visible()
    expect(page.locator("#turn-1")).to_have_count(0)


def test_what_was_written_stays_in_view_and_is_told_of_where_somebody_else_fills_the_turn(
    server: Server, sign_in: Callable[..., "Page"]
) -> None:
    page = sign_in("admin")
    id_ = joined(server, page)
    page.get_by_label(TEXT).fill("Think of the ice.")

    server.hold()
    fill_elsewhere(server, id_)
    expect(page.locator("#unsent")).to_be_focused()
    expect(page.locator("#unsent .written")).to_have_text("Think of the ice.")
    expect(page.locator("#announcements")).to_have_text("What you wrote was not sent")
    check_accessible(page)
    check_no_overflow(page)
    page.reload()
    expect(page.locator("#unsent .written")).to_have_text("Think of the ice.")

    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#unsent")).to_be_hidden()
    assert page.evaluate(KEPT) == "{}"
