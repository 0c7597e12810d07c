"""Where the browser is, how it is started, and what is said where it is missing."""

import os
import shutil
from importlib.util import find_spec

ARGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # Nothing but this machine is ever asked for, whatever a page names.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost",
]
PATIENCE = 15_000
"""Milliseconds that anything may take to appear: a machine that is busy with other work is not a fault of the page."""

REQUIRED = os.environ.get("MOOT_BROWSER") == "required"
"""Whether a browser that is missing fails the tests instead of skipping them."""


def chromium() -> str | None:
    """Return the path of Chromium, where it is installed."""
    return os.environ.get("MOOT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def missing() -> str | None:
    """Return what is missing for a test with a browser, or nothing."""
    absent = [name for name in ("playwright", "axe_playwright_python") if find_spec(name) is None]
    if absent:
        return f"{' and '.join(absent)} not installed: `pip install 'moot[dev]'`"
    if chromium() is None:
        return "Chromium is not installed: `apt-get install --no-install-recommends chromium`, or MOOT_CHROMIUM=PATH"
    return None
