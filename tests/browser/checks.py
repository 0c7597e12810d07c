"""What holds for every page: nothing that axe finds, in light and in dark, and nothing wider than a phone."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE: Any = {"width": 360, "height": 740}
OF_COLOUR = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that can come out otherwise in other colours."""
TARGET_SIZE = {"target-size": {"enabled": True}}
"""The rule of 24 px, which axe leaves off by itself."""
ALL = {"resultTypes": ["violations"], "rules": TARGET_SIZE}
OF_TARGETS = {"resultTypes": ["violations"], "runOnly": ["target-size"], "rules": TARGET_SIZE}

WIDER = """() => {
    const wide = document.documentElement.clientWidth;
    const cut = (element) => {
        for (let up = element; up && up !== document.body; up = up.parentElement)
            if (getComputedStyle(up).overflowX !== "visible") return true;
        return false;
    };
    const reaches = (element) => {
        const box = element.getBoundingClientRect();
        return Math.max(box.right, box.left + (element.scrollWidth || 0));
    };
    const all = [...document.body.querySelectorAll("*")];
    const out = all.filter((element) => reaches(element) > wide + 1 && !cut(element));
    const names = out.filter((element) => !out.some((other) => other !== element && element.contains(other)));
    const width = document.documentElement.scrollWidth;
    return width > wide ? [`${width} px`, ...names.slice(0, 5).map((element) => element.outerHTML.slice(0, 160))] : [];
}"""
"""The innermost elements that make a page wider than its window."""


def check_accessible(page: "Page") -> None:
    """Fail where axe finds something, in light or in dark; whatever is open on the page is looked at with it.

    What is to be hit is looked at in the width of a phone too.
    """
    for scheme, rules in (("light", ALL), ("dark", OF_COLOUR)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        violations = _violations(page, rules)
        assert not violations, f"{scheme} {page.url}\n" + "\n".join(violations)
    page.emulate_media(color_scheme="null", reduced_motion="null")
    with _of_a_phone(page):
        small = _violations(page, OF_TARGETS)
        assert not small, f"{PHONE['width']} px {page.url}\n" + "\n".join(small)


def check_no_overflow(page: "Page") -> None:
    """Fail where a page of 360 px has to be scrolled sideways, naming what is too wide."""
    with _of_a_phone(page):
        wider = page.evaluate(WIDER)
        assert not wider, f"{page.url} is wider than {PHONE['width']} px: " + "\n".join(wider)


@contextmanager
def _of_a_phone(page: "Page") -> Generator[None]:
    before = page.viewport_size
    page.set_viewport_size(PHONE)
    yield
    if before:
        page.set_viewport_size(before)


@cache
def _axe() -> Any:
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def _violations(page: "Page", rules: dict[str, Any]) -> list[str]:
    results = _axe().run(page, options=rules).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['target']} {node['html'][:160]}"
        for violation in results
        for node in violation["nodes"][:5]
    ]
