"""Deliberations compared in a browser: by mouse, by keyboard alone, on a phone, and each person what they may see."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from moot.core.canonical import plain
from moot.service.orders import Order
from tests.browser.checks import check_accessible, check_no_overflow
from tests.browser.kit import Server, serving
from tests.browser.recorder import Contexts
from tests.web.comparing_kit import AT, DEBATE, turncoats
from tests.web.kit import MEMBER
from tests.web.pages.argument_kit import kept_record, servers
from tests.web.pages.records_kit import golden, hostile

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """A server with a member who says something else in a fork."""
    with serving(tmp_path_factory.mktemp("home"), turncoats()) as running:
        yield running


@pytest.fixture(scope="module")
def pair(server: Server) -> tuple[str, str]:
    """A debate that has ended, and its fork, which goes another way."""
    settings = {name: plain(value) for name, value in DEBATE.settings.items()}
    parent = server.ended(server.put(Order(DEBATE.question, "debate", (MEMBER,) * 3, settings, seed=11)))
    return parent, server.ended(server.fork(parent, AT, budget={"calls": 50}))


@pytest.fixture(scope="module")
def argued(server: Server) -> tuple[str, str]:
    """Two deliberations over the same question that have arguments."""
    return server.keep(kept_record(servers(), ("x9", "x8")), "servers"), server.keep("interrogation_whole")


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_rows_are_ticked_by_keyboard_compared_and_given_another_base(
    server: Server, signed_in: "Page", pair: tuple[str, str]
) -> None:
    page, (parent, fork) = signed_in, pair
    page.goto("/")
    for id_ in pair:
        page.locator(f'#row-{id_} [name="d"]').focus()
        press(page, "Space")
    page.get_by_role("button", name="Compare those ticked").focus()
    press(page, "Enter")
    page.wait_for_url("**/compare?*")
    expect(page.locator("#fork-1")).to_have_text(f"Where {fork} left {parent}")

    page.get_by_role("link", name="make it the base").focus()
    press(page, "Enter")
    page.wait_for_url("**base=*")
    expect(page.locator("thead th .word")).to_have_count(1)
    press(page, "g", "u")
    page.wait_for_url("**/usage")
    page.go_back()
    page.get_by_role("link", name="Choose others").click()
    expect(page.locator("[name=d]:checked")).to_have_count(2)


def test_what_to_compare_is_chosen_by_keyboard_from_what_is_offered(
    server: Server, signed_in: "Page", pair: tuple[str, str], argued: tuple[str, str]
) -> None:
    page, (parent, fork) = signed_in, pair
    page.goto("/")
    press(page, "g", "c")
    page.wait_for_url("**/compare")
    page.goto(f"/compare?d={parent}")
    expect(page.get_by_role("group", name="Its forks")).to_contain_text(fork)
    for id_ in (fork, argued[0]):
        page.locator(f'[name="d"][value="{id_}"]').focus()
        press(page, "Space")
    press(page, "Enter")

    columns = page.locator(".list-of-columns thead th")
    expect(columns).to_have_count(3)
    page.get_by_role("link", name=f"leave out {argued[0]}").focus()
    press(page, "Enter")
    expect(columns).to_have_count(2)
    expect(page.locator(".fork details[open]")).to_have_count(1)
    closed = page.locator(".fork details:not([open]) > summary").first
    closed.focus()
    press(page, "Enter")
    expect(page.locator(".fork details[open]")).to_have_count(2)


def test_a_forks_own_page_leads_to_it_beside_its_parent(
    server: Server, signed_in: "Page", pair: tuple[str, str]
) -> None:
    page, (parent, fork) = signed_in, pair
    page.goto(f"/d/{fork}")

    page.locator("#part-actions summary").filter(has_text="Compare").focus()
    press(page, "Enter")
    page.get_by_role("link", name="With its parent").focus()
    press(page, "Enter")

    page.wait_for_url("**/compare?*")
    expect(page.locator("#fork-1")).to_have_text(f"Where {fork} left {parent}")
    check_accessible(page)


def test_a_claim_says_where_it_stands_in_words_and_leads_into_its_argument(
    signed_in: "Page", argued: tuple[str, str]
) -> None:
    page = signed_in
    page.goto(f"/compare?d={argued[0]}&d={argued[1]}")
    stands = page.locator("#claims .stand")
    assert set(stands.all_inner_texts()) >= {"held", "not said"}

    page.locator("#claims a.stand").first.focus()
    press(page, "Enter")

    page.wait_for_url(f"**/d/{argued[0]}/argument?claim=*")
    expect(page.locator("#graph")).to_be_visible()


def test_an_agent_cannot_put_beside_its_own_what_another_asked(
    server: Server, sign_in: "Callable[..., Page]", contexts: Contexts, pair: tuple[str, str]
) -> None:
    own = server.ended(server.ask("single", as_="agent"))
    page = sign_in("agent")
    contexts.recorder_of(page.context).expect("404")
    page.goto(f"/compare?d={own}")
    expect(page.locator(f'[name="d"][value="{own}"]')).to_be_checked()
    assert page.locator(f'[name="d"][value="{pair[0]}"]').count() == 0

    page.goto(f"/compare?d={own}&d={pair[0]}")

    expect(page.locator("main")).to_contain_text(f"There is no deliberation '{pair[0]}'")


def test_comparisons_are_accessible_and_fit_a_phone_whatever_stands_in_them(
    server: Server, signed_in: "Page", pair: tuple[str, str], argued: tuple[str, str]
) -> None:
    kept = [argued[0], server.keep(hostile(golden("debate_attacked")), "hostile")]
    kept += [server.keep("spiral_forced"), server.keep("coherence_partial")]
    everything = "&".join(f"d={id_}" for id_ in (*pair, *kept))
    page = signed_in
    for path in (f"/compare?{everything}", f"/compare?d={pair[0]}", "/"):
        page.goto(path)
        check_accessible(page)
        check_no_overflow(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/")
    cut = page.locator(".list").evaluate("(card) => card.scrollWidth - card.clientWidth")
    assert cut <= 0, f"{cut} px of the list are cut off"
