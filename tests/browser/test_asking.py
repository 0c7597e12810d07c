"""A question asked in a browser: the plan follows what is written, and what cannot be sent is refused at its field."""

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.kit import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.recorder import Recorder

MOST = 1_000_000
"""Bytes that a server takes where nobody has said otherwise."""


def planned(page: "Page") -> "Page":
    """Return the page to ask, with a question and its plan."""
    page.goto("/ask")
    page.locator("#question").fill("What do the notes say?")
    expect(page.locator("#plan .main")).to_contain_text("at most")
    return page


def test_a_question_is_asked_by_keyboard_alone_and_the_plan_follows_what_is_typed(
    server: Server, signed_in: "Page"
) -> None:
    page = signed_in
    page.goto("/ask")
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.type("Which ship went to sea?")
    expect(page.locator("#plan .main")).to_contain_text("at most")

    page.locator("input[name=protocol]").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#plan")).to_contain_text("protocolsingle")
    expect(page.locator("#set-temperature")).to_be_attached()
    page.locator("#budget-calls").evaluate("(field) => { field.closest('details').open = true; field.focus(); }")
    page.keyboard.type("none")
    expect(page.locator("#problems-budget-calls")).to_contain_text("'none' is no whole number")
    expect(page.locator("#plan .main")).to_be_disabled()
    expect(page.locator("#budget-calls")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("3")
    expect(page.locator("#plan .main")).to_contain_text("at most 3 calls")
    page.keyboard.press("Enter")
    page.wait_for_url("**/d/*")
    asked = page.url.rpartition("/")[2]
    assert server.do(server.here.serving.service.show(asked)).record.header.budget.calls == 3


def test_a_dropped_file_is_a_document_and_why_another_was_refused_is_still_told_once_the_plan_is_there(
    signed_in: "Page",
) -> None:
    page = planned(signed_in)
    with page.expect_response("**/ask/plan"):
        page.locator(".drop input").set_input_files(
            [
                {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes"},
                {"name": "x.bin", "mimeType": "application/octet-stream", "buffer": b"\0\1"},
                {"name": "latin.txt", "mimeType": "text/plain", "buffer": "Grüße".encode("latin-1")},
                {"name": "empty.txt", "mimeType": "text/plain", "buffer": b""},
                {"name": "large.txt", "mimeType": "text/plain", "buffer": b"x" * (MOST + 1)},
            ]
        )
    expect(page.locator("#documents-sizes")).to_contain_text("notes.md")

    expect(page.locator("textarea[name=document-text]")).to_have_value("# Notes")
    expect(page.locator("input[name=document-name]")).to_have_value("notes.md")
    told = page.locator("#problems-files .problem")
    expect(told).to_have_count(4)
    for number, words in enumerate(("x.bin", "it is not UTF-8", "it is empty", "1,000,001 bytes")):
        expect(told.nth(number)).to_contain_text(words)


def test_what_is_too_large_is_refused_at_its_field_before_it_is_sent_and_allowed_again_once_it_is_shorter(
    signed_in: "Page",
) -> None:
    page = planned(signed_in)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)

    with page.expect_response("**/ask/plan"):
        page.locator("input[name=document-name]").fill("notes.md")
    sent.clear()
    page.locator("textarea[name=document-text]").fill("x" * (MOST - 300) + "\n" * 100)
    expect(page.locator("#problems-documents")).to_contain_text("at most 1,000,000 are taken here")
    expect(page.locator("#problems-documents")).to_contain_text("notes.md")
    expect(page.locator("#plan .main")).to_be_disabled()
    expect(page.locator("#plan")).not_to_contain_text("expected")
    page.locator("#question").evaluate("(field) => field.form.requestSubmit()")
    assert sent == []

    page.locator("textarea[name=document-text]").fill("A short note.")
    expect(page.locator("#plan .main")).to_contain_text("at most")
    expect(page.locator("#plan .main")).to_be_enabled()
    expect(page.locator("#problems-documents .problem")).to_have_count(0)
    expect(page.locator("#documents-sizes")).to_contain_text("notes.md")


def test_what_the_page_counts_is_what_the_server_counts(server: Server, signed_in: "Page") -> None:
    page = signed_in
    page.goto("/ask?protocol=single")
    page.locator("#question").fill("Grüße, *~'(!)\nan alle?")
    with page.expect_request("**/ask/plan") as asked:
        page.locator("textarea[name=document-text]").fill("Eins\nzwei, drei “vier”")
    body = asked.value.post_data
    assert body

    expect(page.locator("#documents-sum")).to_contain_text(f"{len(body):,} of at most")
    expect(page.locator("#documents-sizes")).to_contain_text("document 1")
    with page.expect_request("**/ask") as put:
        page.locator("#plan .main").click()
    page.wait_for_url("**/d/*")
    assert put.value.post_data == f"{body}&do=ask"
    server.ended(page.url.rpartition("/")[2])


def test_a_plan_that_cannot_be_had_is_said_to_be_missing_and_the_question_may_still_be_asked(
    signed_in: "Page", recorder: "Recorder"
) -> None:
    page = signed_in
    recorder.expect("Failed to load resource")
    page.goto("/ask")
    page.locator("#budget-calls").evaluate("(field) => { field.closest('details').open = true; }")
    page.locator("#budget-calls").fill("none")
    page.locator("#question").fill("Why?")
    expect(page.locator("#plan .main")).to_be_disabled()

    page.route("**/ask/plan", lambda route: route.abort())
    page.locator("#budget-calls").fill("3")
    expect(page.locator("#plan")).to_contain_text("the server does not answer")
    expect(page.locator("#plan .main")).to_be_enabled()
    page.unroute("**/ask/plan")
    page.locator("#budget-calls").fill("4")
    expect(page.locator("#plan .main")).to_contain_text("at most 4 calls")


def test_whoever_comes_back_finds_the_plan_of_what_was_written_and_asks_anew(server: Server, signed_in: "Page") -> None:
    page = signed_in
    page.goto("/ask?protocol=single")
    page.locator("#question").fill("Which ship went to sea?")
    expect(page.locator("#plan .main")).to_contain_text("at most")
    page.locator("#plan .main").click()
    page.wait_for_url("**/d/*")
    first = server.ended(page.url.rpartition("/")[2])
    page.go_back()

    expect(page.locator("#question")).to_have_value("Which ship went to sea?")
    expect(page.locator("#plan .main")).to_contain_text("at most")
    page.locator("#question").fill("Which ship came home?")
    page.locator("#plan .main").click()
    page.wait_for_url("**/d/*")
    assert server.ended(page.url.rpartition("/")[2]) != first
    shown = server.do(server.here.serving.service.show(page.url.rpartition("/")[2]))
    assert shown.record.header.question.text == "Which ship came home?"


def test_a_form_that_a_browser_kept_alive_is_not_taken_for_the_one_that_was_sent_from_it(signed_in: "Page") -> None:
    page = signed_in
    page.goto("/ask")
    once = page.locator("input[name=once]").input_value()

    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

    assert page.locator("input[name=once]").input_value() not in ("", once)


def test_the_plan_is_seen_without_leaving_the_page_and_what_is_refused_is_marked_until_it_is_mended(
    signed_in: "Page",
) -> None:
    page = signed_in
    page.goto("/ask")
    see = page.get_by_role("button", name="See the plan")
    see.click()
    expect(page.locator("#problems-question")).to_contain_text("the question is empty")
    expect(page.locator("#question")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#question")).to_have_accessible_description(re.compile("the question is empty"))

    page.locator("#question").fill("Why?")
    expect(page.locator("#plan .main")).to_contain_text("at most")
    expect(page.locator("#question")).not_to_have_attribute("aria-invalid", "true")
    see.click()
    expect(page.locator("#announcements")).to_contain_text("at most")
