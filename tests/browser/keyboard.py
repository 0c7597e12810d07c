"""How a person without a mouse comes to a part of a page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def tab_to(page: "Page", script: str, most: int = 60) -> None:
    """Press Tab until what a script looks for has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(script):
            return
    raise AssertionError(f"{most} times Tab lead to {page.evaluate('document.activeElement.outerHTML')[:200]}")
