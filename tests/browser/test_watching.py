"""Watching deliberations: a page that moves by itself, whatever becomes of its tab, its reader and its server."""

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from playwright.sync_api import expect

from moot.core.events import Answered, event_from
from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server, golden
from tests.browser.recorder import Contexts
from tests.web.pages.records_kit import hostile
from tests.web.process import begin, environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => Boolean(hidden)});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What a browser does to a tab that is covered by another, or shown again."""

COUNT_NEWS = "seen = []; document.addEventListener('moot:news', ({detail}) => seen.push(detail.seq));"
OLDER = "document.addEventListener('readystatechange', () => { document.documentElement.dataset.version = 'old'; });"
"""The page as another version of the server wrote it; its modules run after this."""
MARK = "() => { document.body.dataset.same = 'yes'; }"
SAME = "() => document.body.dataset.same"


def streams(server: Server) -> int:
    return server.here.serving.watch.streams


def test_a_deliberation_is_watched_from_its_first_call_to_its_answer_without_a_reload(
    server: Server, signed_in: "Page"
) -> None:
    server.hold()
    id_ = server.ask("debate")
    page = signed_in
    page.goto(f"/d/{id_}")
    page.evaluate(MARK)

    expect(page.locator("#connection")).to_have_text("live")
    expect(page.locator("#answer-title")).to_have_text("Where it stands")
    expect(page.locator("[data-doing=asking], [data-doing=speaking]")).to_have_count(3)
    assert page.title().startswith("● running")
    check_accessible(page)
    check_no_overflow(page)

    page.locator("summary", has_text="Export").click()
    server.let(4)
    expect(page.locator("#part-answer .positions li")).to_have_count(3)
    expect(page.locator("[data-seat=m1] .now")).to_contain_text("round/2")
    expect(page.locator(".stage.now")).to_contain_text("Round 2")
    expect(page.locator("#announcements")).to_have_text("Round 2 has begun.")
    server.release()
    expect(page.locator("#answer-title")).to_have_text("Answer")

    expect(page.locator("#connection")).to_have_text("")
    expect(page.locator("#announcements")).to_have_text("It has ended: complete.")
    assert page.evaluate(SAME) == "yes" and not page.title().startswith("●")
    expect(page.locator("details[open] > summary", has_text="Export")).to_be_focused()
    expect(page.locator("#part-actions")).not_to_contain_text("Stop")
    check_accessible(page)
    check_no_overflow(page)


def test_whoever_is_at_a_row_that_goes_is_led_to_its_heading_and_no_link_changes_under_them(
    server: Server, signed_in: "Page"
) -> None:
    texts = golden("debate_flagged")
    page, id_ = signed_in, server.keep(texts[:6], "grows")
    page.goto(f"/d/{id_}")
    expect(page.locator("#connection")).to_have_text("live")

    page.locator("#part-answer .positions a", has_text="#2").focus()
    server.grow(id_, texts[:12])
    expect(page.locator("#part-answer .positions a", has_text="#9")).to_be_visible()
    expect(page.locator("#answer-title")).to_be_focused()

    page.locator("#e11").focus()
    server.grow(id_, texts[:20])
    expect(page.locator("#e0")).to_have_count(0)
    expect(page.locator("#e11")).to_be_focused()

    page.locator("#e4").focus()
    server.grow(id_, texts[:24])
    expect(page.locator("#e4")).to_have_count(0)
    expect(page.locator("#happened-title")).to_be_focused()


def test_stop_and_resume_are_seen_in_every_tab_without_a_reload(
    server: Server, signed_in: "Page", context: "BrowserContext"
) -> None:
    server.hold()
    id_ = server.ask("debate")
    page, other = signed_in, context.new_page()
    for each in (page, other):
        each.goto(f"/d/{id_}")
        expect(each.locator("[data-doing=asking], [data-doing=speaking]")).to_have_count(3)
    other.evaluate(MARK)

    page.get_by_role("button", name="Stop").click()
    for each in (page, other):
        expect(each.get_by_role("button", name="Resume")).to_be_visible()
        expect(each.get_by_role("button", name="Stop")).to_have_count(0)
        expect(each.locator("[data-doing=asking], [data-doing=speaking]")).to_have_count(0)
        expect(each.locator("[data-seat=m1] .now")).to_have_text("not asked yet")
    expect(other.locator("#announcements")).to_have_text("It was stopped.")

    page.get_by_role("button", name="Resume").click()
    for each in (page, other):
        expect(each.get_by_role("button", name="Stop")).to_be_visible()
        expect(each.locator("[data-doing=asking], [data-doing=speaking]")).to_have_count(3)
    assert other.evaluate(SAME) == "yes"
    server.release()
    server.ended(id_)


def test_a_tab_that_is_not_seen_holds_no_connection_and_the_seventh_tab_is_as_live_as_the_first(
    server: Server, sign_in: Callable[..., "Page"], context: "BrowserContext"
) -> None:
    server.hold()
    id_ = server.ask("debate")
    before = streams(server)
    pages = [sign_in("admin", context) for _ in range(7)]
    for number, page in enumerate(pages):
        page.clock.install()
        page.goto(f"/d/{id_}")
        expect(page.locator("#connection")).to_have_text("live")
        if number < len(pages) - 1:
            page.evaluate(HIDE, "hidden")
            page.clock.run_for(5_100)
    wait_until(pages[-1], lambda: streams(server) == before + 1)

    server.let(4)
    expect(pages[-1].locator("#part-answer .positions li")).to_have_count(3)
    expect(pages[0].locator("#part-answer .positions li")).to_have_count(0)
    pages[0].evaluate(HIDE, "")
    expect(pages[0].locator("#part-answer .positions li")).to_have_count(3)
    expect(pages[0].locator("#connection")).to_have_text("live")


def wait_until(page: "Page", holds: Callable[[], bool]) -> None:
    """Let the browser go on until something holds."""
    for _ in range(300):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to hold")


def test_the_list_is_searched_as_one_types_goes_on_by_a_button_and_moves_while_something_runs(
    server: Server, signed_in: "Page"
) -> None:
    texts = golden("vote_decided")
    for number in range(52):
        server.keep(texts, f"listed{number:02}")
    server.hold()
    id_ = server.ask("single", question="Which server is it that runs?")
    page = signed_in
    page.goto("/")
    page.evaluate(MARK)
    expect(page.locator("#connection")).to_have_text("live")
    check_accessible(page)
    check_no_overflow(page)

    page.get_by_role("link", name="More", exact=True).click()
    expect(page.locator("#rows > tr").nth(52)).to_be_visible()
    row = page.locator(f"#row-{id_}")
    expect(row.locator(".badge")).to_have_text("running")
    server.release()
    expect(row.locator(".badge")).to_have_text("complete")

    page.keyboard.press("/")
    page.keyboard.type("is it that runs")
    expect(page.locator("#rows > tr")).to_have_count(1)
    assert page.url.endswith("/?q=is+it+that+runs") and page.evaluate(SAME) == "yes"
    page.locator("#status").select_option("failed")
    expect(page.locator("#list")).to_contain_text("No deliberation fits")
    page.locator("#status").select_option("")
    page.locator(f"#row-{id_} a").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/d/{id_}")


def test_the_loop_is_moved_by_the_arrow_keys_for_everything_on_the_page_and_is_in_the_address(
    server: Server, signed_in: "Page"
) -> None:
    id_ = server.keep("spiral_forced", "arrows")
    page = signed_in
    page.goto(f"/d/{id_}/rounds?loop=1")
    page.evaluate(MARK)
    chosen = page.locator("[data-choice=loop] a[aria-current]")
    choices = chosen.count()
    assert choices > 1

    chosen.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-choice=loop] a[aria-current][data-value='2']")).to_have_count(choices)
    assert page.url.endswith("loop=2") and page.evaluate(SAME) == "yes"
    expect(page.locator("[data-choice=loop] a[data-value='2']").first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-choice=loop] a[aria-current][data-value='1']")).to_have_count(choices)
    check_accessible(page)
    check_no_overflow(page)


def test_a_page_of_an_older_server_and_a_reader_who_has_been_signed_out_are_told_so(
    server: Server, sign_in: Callable[..., "Page"], contexts: Contexts
) -> None:
    server.hold()
    id_ = server.ask("debate")
    old, out = contexts.new(), contexts.new()
    page = sign_in("admin", old)

    page.add_init_script(OLDER)
    page.goto(f"/d/{id_}")
    expect(page.locator("#connection")).to_have_text("Moot was upgraded: reload")

    key = server.do(server.here.agent("leaver", "reviewer"))
    leaving = out.new_page()
    leaving.goto("/in")
    leaving.get_by_label("Key").fill(key)
    leaving.keyboard.press("Enter")
    leaving.wait_for_url("**/")
    leaving.goto(f"/d/{id_}")
    expect(leaving.locator("#connection")).to_have_text("live")
    revoked = server.do(server.here.serving.keys.find(key))
    assert revoked
    server.do(server.here.serving.keys.revoke(revoked.prefix))
    expect(leaving.locator("#connection")).to_contain_text("You have been signed out here: reload")


def test_without_scripts_every_page_reads_and_every_form_works(server: Server, sign_in: Callable[..., "Page"]) -> None:
    page = sign_in("admin", java_script_enabled=False)
    server.hold()
    id_ = server.ask("debate")
    page.goto("/?q=harbour")
    page.locator(f"#row-{id_} a").click()
    expect(page.locator("#answer-title")).to_have_text("Where it stands")

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    server.release()
    page.get_by_role("button", name="Resume").click()
    server.ended(id_)
    page.reload()
    expect(page.locator("#answer-title")).to_have_text("Answer")
    page.get_by_role("link", name="Rounds").click()
    expect(page.locator("#part-panes table").first).to_be_visible()
    page.goto(f"/d/{id_}")
    page.locator("summary", has_text="Delete").click()
    page.get_by_label("Type its id").fill(id_)
    page.get_by_role("button", name="Delete it").click()
    page.wait_for_url("**/")
    expect(page.locator(f"#row-{id_}")).to_have_count(0)


def test_nothing_that_a_record_holds_runs_or_leaves_its_place(server: Server, signed_in: "Page") -> None:
    page = signed_in
    tabs = ("", "/rounds")
    further = ("/transcript?event=2", "/calls", "/record", "/argument", "/fork", "/steps/round/1/m1")
    for name, shown in (("debate_attacked", (*further, *tabs)), ("spiral_forced", tabs)):
        id_ = server.keep(hostile(golden(name)), f"hostile-{name}".replace("_", "-"))
        for tab in shown:
            page.goto(f"/d/{id_}{tab}")
            check_no_overflow(page)
    check_accessible(page)


class KilledServer:
    """A server in a process of its own, on a port that it keeps, with members that debate."""

    def __init__(self, folder: Path) -> None:
        self._environ = environment(folder)
        replies = {e.step: e.reply for e in map(event_from, golden("debate_flagged")) if isinstance(e, Answered)}
        (folder / "script.json").write_text(json.dumps({**replies, "*": replies["round/2/m1"]}), encoding="utf-8")
        self.running = begin(self._environ)
        self.port = self.running.url.rpartition(":")[2]
        self.key = self.running.key or ""

    @property
    def origin(self) -> str:
        return f"http://moot-{self.port}.localhost:{self.port}"

    def start_again(self) -> None:
        self.running = begin(self._environ, "--port", self.port)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = httpx2.request(method, f"{self.running.url}/api/v1{path}", headers=headers, json=body, timeout=60)
        return answer.raise_for_status().json()

    def fill_steps(self, id_: str) -> None:
        """Do what a person would do whom the debate waits for."""
        for step in self.call("GET", f"/deliberations/{id_}/open-steps")["items"]:
            path = f"/deliberations/{id_}/open-steps/{step['step'].replace('/', '~')}"
            reply = {"decision": "accept", "note": "well"} if "escalation" in step["step"] else {"text": "Go on."}
            self.call("POST", f"{path}/take", {})
            self.call("POST", f"{path}/fill", {"reply": reply})


@pytest.fixture
def killed(tmp_path: Path) -> Generator[KilledServer]:
    server = KilledServer(tmp_path)
    yield server
    if server.running.process.poll() is None:
        server.running.kill()


def test_a_page_goes_on_after_its_server_was_killed_and_shows_every_event_once(
    killed: KilledServer, browser: "Browser"
) -> None:
    contexts = Contexts(browser, killed.origin)
    context = contexts.new()
    contexts.recorder_of(context).expect("net::ERR_")
    context.add_init_script(COUNT_NEWS)
    question = {"question": "Should the harbour build a second pier?", "protocol": "debate"}
    id_ = killed.call("POST", "/deliberations", {**question, "settings": {"join": True, "rounds": 2}})["id"]
    page = context.new_page()
    page.goto("/in")
    page.get_by_label("Key").fill(killed.key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    page.goto(f"/d/{id_}")
    page.evaluate(MARK)
    waiting, answer = page.locator("#part-waiting form"), page.locator("#part-answer .answer-text")
    expect(waiting).to_be_visible()
    expect(page.locator("#connection")).to_have_text("live")

    killed.running.kill()
    expect(page.locator("#connection")).to_contain_text("reconnecting in 2 s")
    killed.start_again()
    expect(page.locator("#connection")).to_have_text("live")
    while not answer.count():
        turn = page.locator("#part-waiting .turn").get_attribute("id")
        killed.fill_steps(id_)
        expect(page.locator(f"#{turn}")).to_have_count(0)
        expect(waiting.or_(answer)).to_be_visible()

    assert page.evaluate(SAME) == "yes"
    seen = page.evaluate("() => seen")
    assert seen == sorted(set(seen))
    page.goto(f"/d/{id_}/transcript")
    rows = [int(row.get_attribute("data-seq") or -1) for row in page.locator(".event[data-seq]").all()]
    assert rows == list(range(seen[-1] + 1))
    contexts.close()
    contexts.check()
