"""A long transcript by mouse and by keyboard alone, calls and record."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from moot.core.events import Noted, event_text
from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server, golden

if TYPE_CHECKING:
    from playwright.sync_api import Page

EVENTS = 10_000


def long_record() -> list[str]:
    """The events of a debate, with thousands of findings before its end."""
    texts = golden("debate_in_turn")
    further = [event_text(Noted("round", {"n": number})) for number in range(EVENTS - len(texts))]
    return [*texts[:-1], *further, texts[-1]]


def test_a_record_of_ten_thousand_events_is_read_by_keyboard_with_few_rows_in_the_page(
    server: Server, signed_in: "Page"
) -> None:
    id_ = server.keep(long_record(), "long")
    page = signed_in
    page.goto(f"/d/{id_}/transcript?at=5000#e5000")
    expect(page.locator("#e5000")).to_be_focused()

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("#e5001")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#inspector")).to_contain_text("event 5001")
    assert page.url.endswith("event=5001#e5001")
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#inspector")).to_be_hidden()
    expect(page.locator("#e5001")).to_be_focused()

    page.locator("#window").evaluate("(feed) => { feed.scrollTop = feed.scrollHeight; }")
    expect(page.locator(f"#e{EVENTS - 1}")).to_be_visible()
    assert page.locator(".event").count() <= 300
    expect(page.locator("#phase")).not_to_be_empty()


def test_a_transcript_follows_a_run_until_its_reader_scrolls_up_and_counts_what_is_new(
    server: Server, signed_in: "Page"
) -> None:
    texts = [golden("debate_in_turn")[0], *(event_text(Noted("aside", {"n": number})) for number in range(79))]
    id_ = server.keep(texts, "followed")
    page = signed_in
    page.goto(f"/d/{id_}/transcript?at=79#e79")
    expect(page.locator("#connection")).to_have_text("live")
    expect(page.locator("#e79")).to_be_in_viewport()

    add_events(server, id_, 80, 85)
    expect(page.locator("#e84")).to_be_in_viewport()
    expect(page.locator("#events-count")).to_have_text("85 events")
    expect(page.locator("#newer")).to_be_hidden()

    page.locator("#window").evaluate("(feed) => { feed.scrollTop = 0; }")
    expect(page.locator("#e0")).to_be_in_viewport()
    add_events(server, id_, 85, 97)
    expect(page.locator("#newer")).to_have_text("12 new")
    expect(page.locator("#e0")).to_be_in_viewport()

    page.locator("#newer").click()
    expect(page.locator("#e96")).to_be_in_viewport()
    expect(page.locator("#newer")).to_be_hidden()


def add_events(server: Server, id_: str, first: int, end: int) -> None:
    """Store further events of a run, as the process that works on it would."""
    texts = [(seq, event_text(Noted("aside", {"n": seq}))) for seq in range(first, end)]

    async def emitted() -> None:
        async with server.here.serving.store.hold(id_) as hold:
            await hold.journal.emit(texts)

    server.do(emitted())


def test_the_pages_beside_the_transcript_are_accessible_and_fit_a_phone(server: Server, signed_in: "Page") -> None:
    id_ = server.ended(server.ask("debate"))
    page = signed_in
    for path in (f"/d/{id_}/transcript", f"/d/{id_}/calls", f"/d/{id_}/record", f"/d/{id_}/steps/round/1/m1", "/ask"):
        page.goto(path)
        check_accessible(page)
        check_no_overflow(page)
