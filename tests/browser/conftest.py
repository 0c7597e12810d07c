"""A browser for each worker, a server for each module, a fresh context for each test, and a recorder that never looks
away.

Playwright's own plugin for pytest is not used: it leaves its event loop running in the thread of the tests, where every
later `asyncio.run` of the same worker would be refused, and brings fixtures to all of the suite.
"""

import asyncio
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.chromium import ARGS, PATIENCE, REQUIRED, chromium, missing
from tests.browser.kit import Server, serving
from tests.browser.recorder import Contexts, Recorder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = missing()
    for item in items:
        if HERE in item.path.parents:
            if not item.get_closest_marker("slow_browser"):
                item.add_marker(pytest.mark.browser)
            if absent and not REQUIRED:
                item.add_marker(pytest.mark.skip(reason=absent))


@pytest.fixture(scope="session")
def _browser() -> Generator["tuple[Browser, asyncio.AbstractEventLoop]"]:
    absent = missing()
    if absent:
        pytest.fail(f"{absent}; MOOT_BROWSER=required asks for it")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(_browser: "tuple[Browser, asyncio.AbstractEventLoop]") -> Generator["Browser"]:
    """The one browser; its loop is the thread's running one as long as a test uses it, and no longer."""
    started, loop = _browser
    asyncio._set_running_loop(loop)
    yield started
    asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """A server with scripted members, which the tests of a module share."""
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def contexts(browser: "Browser", server: Server) -> Generator[Contexts]:
    """Browsers of several people; what their pages do is recorded, and nothing of it is forgiven."""
    several = Contexts(browser, server.origin)
    yield several
    server.release()
    several.close()
    several.check()


@pytest.fixture
def context(contexts: Contexts) -> "BrowserContext":
    """A browser that has not signed in."""
    return contexts.new()


@pytest.fixture
def recorder(context: "BrowserContext", contexts: Contexts) -> Recorder:
    """What the pages of the test's own context did; `expect` takes a fault as part of the test."""
    return contexts.recorder_of(context)


@pytest.fixture
def page(context: "BrowserContext") -> "Page":
    """A page of a browser that has not signed in."""
    return context.new_page()


@pytest.fixture
def sign_in(contexts: Contexts, server: Server) -> Callable[..., "Page"]:
    """Return a page that is signed in as a scope, in a context of its own: `sign_in("reviewer")`."""

    def signed(as_: str = "admin", context: "BrowserContext | None" = None, **options: Any) -> "Page":
        context = context or contexts.new(**options)
        page = context.new_page()
        if as_ in server.cookies:
            context.add_cookies(server.cookies[as_])
        else:
            follow_link(page, server, as_)
            server.cookies[as_] = context.cookies()
        return page

    return signed


def follow_link(page: "Page", server: Server, as_: str) -> None:
    """Sign in by a one-time link, as `moot serve --open` does."""
    page.goto(server.link(as_))
    page.get_by_role("button", name="Open Moot").click()
    page.wait_for_url("**/")


@pytest.fixture
def signed_in(sign_in: Callable[..., "Page"], context: "BrowserContext") -> "Page":
    """A page that is signed in as admin."""
    return sign_in("admin", context)
