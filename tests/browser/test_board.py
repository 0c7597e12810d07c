"""The board in a browser: people who race, write, lose their lease, judge and clear; by mouse and by keyboard."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server
from tests.browser.recorder import Contexts
from tests.protocols.prism.kit import OUTPUTS
from tests.web.pages.board_kit import PEOPLE, end_leases, fill, put

if TYPE_CHECKING:
    from playwright.sync_api import Page

    SignIn = Callable[..., "Page"]

WORK = "L1.1~work~1"
CUT = """(names) => names.filter((name) =>
    name.scrollWidth > name.clientWidth || name.getBoundingClientRect().height > 30).map((name) => name.textContent)"""
"""The names that are cut off or broken."""
REFUSED = "status of (4|5)\\d\\d"
"""What the console says of a page that was answered with a refusal."""


@pytest.fixture(scope="module", autouse=True)
def _people(server: Server) -> None:
    for name in PEOPLE:
        server.do(server.here.agent(name))
    server.do(server.here.agent("rita", "reviewer"))


@pytest.fixture
def sign_in(sign_in: "SignIn", contexts: Contexts) -> "SignIn":
    """Sign somebody in by name; that a page is refused is told in the console, and is part of these tests."""

    def signed(name: str, **options: Any) -> "Page":
        page = sign_in(name, **options)
        contexts.recorder_of(page.context).expect(REFUSED)
        return page

    return signed


def put_claim(server: Server, claim: str = "Crows remember faces.", *, short: bool = False) -> str:
    return server.do(put(server.here, claim, short=short))


def take(page: "Page", path: str) -> None:
    page.goto(path)
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#own-title")).to_have_text("Your slot")


def write(page: "Page", layer: str, sure: str = "0.8") -> None:
    """Write into the form what the shape of a layer wants."""
    for name, value in {**OUTPUTS[layer], "confidence": sure}.items():
        field = page.locator(f"#out-{name}")
        if field.evaluate("(element) => element.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill("\n".join(value) if isinstance(value, list) else str(value))


def fill_next(page: "Page", sure: str = "0.8") -> bool:
    """Let somebody find work, take it and fill it; False where there is none for them."""
    page.goto("/board/work")
    if page.locator("h1").inner_text() == "No slot is open to you":
        return False
    page.get_by_role("button", name="Take it").click()
    layer = re.search(r"L(\d)\.", page.url)
    assert layer
    write(page, layer[1], sure)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**?done=*")
    return True


def test_two_people_race_for_a_slot_and_the_slower_is_told_and_finds_other_work(
    server: Server, sign_in: "SignIn"
) -> None:
    path = f"/board/{put_claim(server, short=True)}/{WORK}"
    ada, bea = sign_in("ada"), sign_in("bea")
    for page in (ada, bea):
        page.goto(path)
    ada.get_by_role("button", name="Take it").click()
    expect(ada.locator("#own-title")).to_have_text("Your slot")

    with bea.expect_response(lambda answer: answer.request.method == "POST") as late:
        bea.get_by_role("button", name="Take it").click()
    assert late.value.status == 409
    expect(bea.get_by_role("alert")).to_contain_text("look for another open one")
    expect(bea.locator(".own-slot")).to_contain_text("ada is at it")
    bea.keyboard.press("g")
    bea.keyboard.press("b")
    bea.wait_for_url("**/board")
    bea.keyboard.press("w")
    bea.wait_for_url("**/L*~work~*")
    assert bea.url != ada.url


def test_a_lease_that_runs_out_while_somebody_types_is_announced_and_loses_nothing(
    server: Server, sign_in: "SignIn"
) -> None:
    id_ = put_claim(server)
    page = sign_in("cyd")
    page.clock.install()
    take(page, f"/board/{id_}/{WORK}")
    page.locator("#out-content").fill("Half a thought")
    desk = page.viewport_size or {"width": 1280, "height": 720}
    page.set_viewport_size({"width": 360, "height": 420})
    page.get_by_role("button", name="Release").scroll_into_view_if_needed()
    expect(page.locator(".lease-left")).to_be_in_viewport(ratio=1)
    page.set_viewport_size(desk)
    page.clock.run_for("14:05")
    expect(page.locator("#announcements")).to_contain_text("ends in less than a minute")
    expect(page.locator(".lease-left.ending")).to_be_visible()
    page.get_by_role("button", name="Renew").click()
    expect(page.locator("#announcements")).to_have_text("The lease is renewed.")
    expect(page.locator("#lease [data-lease]")).to_have_text(re.compile("^14:|^15:"))

    page.clock.run_for("15:05")
    server.do(end_leases(server.here))
    expect(page.locator("#announcements")).to_contain_text("has run out")
    expect(page.locator("[data-lease-over]")).to_be_visible()
    check_accessible(page)
    page.reload()
    expect(page.get_by_role("button", name="Take it")).to_be_visible()
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#out-content")).to_have_value("Half a thought")
    expect(page.locator("[data-draft-note]")).to_be_visible()

    server.do(end_leases(server.here))
    server.do(server.here.serving.board.take(id_, "L1.1/work/1", "dov"))
    page.locator("#out-content").press_sequentially(", and the rest")
    page.locator("#out-confidence").fill("0.7")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".own-slot")).to_contain_text("dov is at it")
    expect(page.locator("#out-content")).to_have_value("Half a thought, and the rest")
    server.do(server.here.serving.board.release(id_, "L1.1/work/1", "dov"))
    page.goto(f"/board/{id_}/{WORK}")
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#out-content")).to_have_value("Half a thought, and the rest")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**?done=*")
    expect(page.locator(".notice")).to_contain_text("Your output is in slot")
    assert page.evaluate("() => Object.keys(sessionStorage).filter((name) => name.startsWith('draft'))") == []


def test_a_slot_is_filled_by_keyboard_alone_refused_first_and_counted_while_it_is_written(
    server: Server, sign_in: "SignIn"
) -> None:
    id_ = put_claim(server)
    page = sign_in("dov")
    page.goto(f"/board/{id_}")
    page.locator(f"[id='slot-{WORK}'] button").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{WORK}")
    page.locator("#out-content").focus()
    page.keyboard.type("Short")
    expect(page.locator('[data-counter="out-content"]')).to_have_text("5 of about 500 characters asked for")
    page.keyboard.press("Tab")
    page.keyboard.type("7")
    page.get_by_role("button", name="Submit").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#out-confidence-problem")).to_be_visible()
    expect(page.locator("#out-content")).to_have_value("Short")
    check_accessible(page)
    check_no_overflow(page)
    page.locator("#out-confidence").fill("")
    page.locator("[data-slides]").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#out-confidence")).to_have_value("0.99")
    page.locator("#out-content").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**?done=*")


def test_without_javascript_a_slot_is_taken_renewed_and_filled_and_nothing_written_is_lost(
    server: Server, sign_in: "SignIn"
) -> None:
    page = sign_in("eli", java_script_enabled=False)
    take(page, f"/board/{put_claim(server)}/{WORK}")
    page.locator("#out-content").fill("Plain words")
    page.locator("#lease-for").select_option("1 hour")
    page.get_by_role("button", name="Renew").click()
    expect(page.locator("#lease")).to_contain_text("59:")
    expect(page.locator("#out-content")).to_have_value("Plain words")
    page.locator("#out-confidence").fill("0.6")
    server.do(end_leases(server.here))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("has run out")
    page.get_by_role("button", name="Take it again").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".notice")).to_contain_text("Your output is in slot")


def test_a_flag_is_cleared_with_a_note_by_keyboard_and_the_next_one_follows(server: Server, sign_in: "SignIn") -> None:
    ids = [put_claim(server, f"Flagged {number}.") for number in range(2)]
    for id_ in ids:
        server.do(fill(server.here, id_, 2, 0.2))
    page = sign_in("rita")
    page.goto("/")
    expect(page.locator(".rail .count")).to_contain_text("2")
    page.goto("/flags")
    check_accessible(page)
    check_no_overflow(page)
    page.get_by_role("link", name="Flagged 0.").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#why-title")).to_contain_text("20 % < 50 %")
    check_accessible(page)
    check_no_overflow(page)
    page.get_by_role("button", name="Clear the flag").click()
    expect(page.locator("fieldset .problem")).to_have_text("Choose one of the three.")

    page.locator("[value=advance]").focus()
    page.keyboard.press("ArrowDown")
    page.locator("#note").fill("Look again.")
    page.reload()
    page.locator("[value=redo]").check()
    expect(page.locator("#note")).to_have_value("Look again.")
    page.get_by_role("button", name="Clear the flag").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Flagged 1.")
    expect(page.locator(".notice")).to_contain_text("The flag before is cleared")
    expect(page.locator("#note")).to_have_value("")
    page.locator("[value=close]").check()
    page.locator("#note").fill("Nothing in it.")
    page.get_by_role("button", name="Clear the flag").click()
    expect(page.locator(".empty")).to_have_text("No flag waits.")
    expect(page.locator(".rail .count")).to_have_count(0)
    page.goto(f"/board/{ids[1]}")
    expect(page.locator(".facts .badge").first).to_have_text("closed")


def test_the_pages_of_the_board_are_accessible_and_fit_a_phone_in_every_state(
    server: Server, sign_in: "SignIn"
) -> None:
    ids = [put_claim(server, f"{'Very long words ' * 12}{number}", short=number == 2) for number in range(3)]
    server.do(fill(server.here, ids[0]))
    server.do(fill(server.here, ids[1], 2, 0.2))
    server.do(server.here.serving.board.clear(ids[1], "rita", "redo", "Again, please."))
    server.do(server.here.serving.runs.finished(ids[1]))
    server.do(fill(server.here, ids[2], 1, short=True))
    page = sign_in("admin")
    paths = ["/board", "/board?tab=agents", *(f"/board/{id_}" for id_ in ids)]
    for path in (*paths, f"/board/{ids[0]}/L3.1~work~1", f"/board/{ids[2]}/L1.1~work~2"):
        page.goto(path)
        for summary in page.locator("main details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        check_accessible(page)
        check_no_overflow(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    for path, names in (("/board", ".cells .name"), (paths[2], ".layer h3")):
        page.goto(path)
        assert page.locator(names).evaluate_all(CUT) == []


def test_two_layers_of_a_claim_are_passed_by_people_in_their_browsers(server: Server, sign_in: "SignIn") -> None:
    server.do(clear_board(server))
    page = sign_in("admin")
    page.goto("/board")
    page.locator("#claim").fill("Ravens plan ahead.")
    page.locator("#table").select_option("prism-v1-solo")
    page.get_by_role("button", name="Put it on the board").click()
    page.wait_for_url(re.compile(r"/board/[0-9a-f]+$"))
    claim = page.url
    pages = [sign_in("ada"), sign_in("bea")]
    for _ in range(2):
        assert all(fill_next(each) for each in pages)

    page.goto(claim)
    expect(page.locator("#layer-1 .state")).to_have_text("passed")
    expect(page.locator(".facts").first).to_contain_text("cognitive-ethology")
    expect(page.locator("#layer-3 .state")).to_have_text("under way")


@pytest.mark.slow_browser
def test_a_claim_goes_from_its_first_slot_to_its_seal_by_people_alone_in_their_browsers(
    server: Server, sign_in: "SignIn"
) -> None:
    server.do(clear_board(server))
    id_ = put_claim(server, "Rooks solve problems.")
    pages = [sign_in(name) for name in PEOPLE]
    filled = 0
    while any(fill_next(page) for page in pages):
        filled += 1

    assert filled >= 13
    pages[0].goto(f"/board/{id_}")
    expect(pages[0].locator(".seal .badge")).to_have_text("verified")
    expect(pages[0].locator(".facts .badge").first).to_have_text("complete")
    expect(pages[0].locator(".columns")).to_contain_text("Crows remember dangerous faces for years.")


async def clear_board(server: Server) -> None:
    """Take every claim off the board, so that whoever looks for work finds that of the test."""
    for claim in await server.here.serving.board.claims():
        await server.here.serving.store.deliberations.delete(claim.id)
