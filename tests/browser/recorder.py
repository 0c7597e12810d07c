"""What no page may do: write to the console, fail, break its own policy, or ask another origin for anything."""

import re
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Request, WebError

DESK = {"width": 1280, "height": 800}


class Recorder:
    """Everything that the pages of a context did and should not have.

    A page that breaks its Content-Security-Policy is told so in its console.
    """

    def __init__(self, context: "BrowserContext", origin: str) -> None:
        self.faults: list[str] = []
        self._origin = origin
        self._expected: list[re.Pattern[str]] = []
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def expect(self, pattern: str) -> None:
        """Take a fault as part of the test: a page that is refused, or a server that was killed, is told of."""
        self._expected.append(re.compile(pattern))

    def check(self) -> None:
        """Fail where there is a fault that nobody expected."""
        unexpected = [fault for fault in self.faults if not any(each.search(fault) for each in self._expected)]
        assert not unexpected, "\n".join(unexpected)

    def _console(self, message: "ConsoleMessage") -> None:
        self.faults.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _error(self, error: "WebError") -> None:
        self.faults.append(f"error: {error.error}")

    def _request(self, request: "Request") -> None:
        if not request.url.startswith((f"{self._origin}/", "data:", "blob:", "about:")):
            self.faults.append(f"request to another origin: {request.url[:200]}")


class Contexts:
    """The browser contexts of a test, each with its recorder."""

    def __init__(self, browser: "Browser", origin: str) -> None:
        self._browser = browser
        self._origin = origin
        self._made: list[tuple[BrowserContext, Recorder]] = []

    def new(self, **options: Any) -> "BrowserContext":
        """Return a new context: nobody is signed in in it."""
        chosen: dict[str, Any] = {"base_url": self._origin, "viewport": DESK, **options}
        context = self._browser.new_context(**chosen)
        context.set_default_timeout(PATIENCE)
        self._made.append((context, Recorder(context, self._origin)))
        return context

    def recorder_of(self, context: "BrowserContext") -> Recorder:
        """Return what the pages of a context did."""
        return next(recorder for made, recorder in self._made if made is context)

    def close(self) -> None:
        """Close every page."""
        for context, _ in self._made:
            context.close()

    def check(self) -> None:
        """Fail where a page did what nobody expected."""
        for _, recorder in self._made:
            recorder.check()
