"""The ground of the browser tests itself: what it records, what it checks, and that it leaves nothing behind."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import STAGED, Server
from tests.browser.recorder import Contexts

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOOD = "<!doctype html><html lang=en><title>A page</title><main><h1>Well</h1><p>{}</p></main>"
STRICT = {"Content-Security-Policy": "default-src 'none'"}


def show(page: "Page", html: str, **headers: str) -> None:
    """Show a page of the server's origin that the server does not have."""
    page.route("**/shown", lambda route: route.fulfill(body=html, content_type="text/html", headers=headers))
    page.goto("/shown")


@pytest.mark.parametrize(
    ("html", "headers", "fault"),
    [
        ("<script>console.log('hello')</script>", {}, "console log: hello"),
        ("<script>throw new Error('broken')</script>", {}, "error: .*broken"),
        ("<style>p {color: red}</style>", STRICT, "console error: .*Content Security Policy"),
        ("<img src='http://example.org/x.png' alt=x>", {}, "another origin: http://example.org/x.png"),
        ("<a href=/elsewhere>on</a>", {}, ""),
    ],
)
def test_a_page_that_does_what_no_page_may_do_is_reported(
    contexts: Contexts, html: str, headers: dict[str, str], fault: str
) -> None:
    context = contexts.new()
    recorder = contexts.recorder_of(context)
    show(context.new_page(), GOOD.format(html), **headers)

    if not fault:
        recorder.check()
        return
    with pytest.raises(AssertionError, match=fault):
        recorder.check()
    recorder.expect(fault)
    recorder.expect("Failed to load resource")
    recorder.check()


def test_axe_and_the_width_of_a_phone_are_checked_in_both_colours(page: "Page") -> None:
    show(page, GOOD.format("It is well."))
    check_accessible(page)
    check_no_overflow(page)

    page.set_content(GOOD.format("<style>@media (prefers-color-scheme: dark) {p {color: #eee}}</style>It is well."))
    with pytest.raises(AssertionError, match=r"dark .*\ncolor-contrast"):
        check_accessible(page)
    page.set_content(GOOD.format("<img src='data:,'>" + "wide" * 200))
    with pytest.raises(AssertionError, match=r"light .*\nimage-alt"):
        check_accessible(page)
    with pytest.raises(AssertionError, match=r"wider than 360 px: \d+ px\n<p>"):
        check_no_overflow(page)


def test_another_test_of_the_worker_can_run_a_loop_of_its_own(request: pytest.FixtureRequest) -> None:
    assert asyncio._get_running_loop() is None


def test_every_stage_is_played_at_the_server_and_ends(server: Server) -> None:
    begun = {protocol: server.ask(protocol) for protocol in STAGED}

    ends = {protocol: server.do(server.here.ended(id_))["status"] for protocol, id_ in begun.items()}

    assert ends == dict.fromkeys(STAGED, "complete")


def test_a_golden_record_is_kept_as_if_it_had_been_run_there(server: Server) -> None:
    id_ = server.keep("spiral_forced")

    shown = server.do(server.here.get(f"/deliberations/{id_}")).json()
    assert (shown["id"], shown["status"]) == ("spiral-forced", "forced")


def test_members_wait_while_a_test_holds_them(server: Server) -> None:
    server.hold()
    id_ = server.ask("single")

    assert server.do(server.here.get(f"/deliberations/{id_}")).json()["status"] == "running"
    server.release()
    assert server.do(server.here.ended(server.ended(id_)))["status"] == "complete"


def test_whoever_follows_a_link_is_signed_in_and_the_session_is_used_again(
    sign_in: Callable[..., "Page"], server: Server
) -> None:
    first, second = sign_in("reviewer"), sign_in("reviewer")

    for page in (first, second):
        page.goto("/")
        assert page.url == f"{server.origin}/"
    assert first.context.cookies() == second.context.cookies()


def test_whoever_has_not_signed_in_is_asked_to(page: "Page") -> None:
    page.goto("/")

    assert "/in" in page.url
