"""How fast an argument is drawn and moved in a browser: `python -m benchmarks.argument_pages` prints it.

Graphs of 300, 2,000 and 10,000 claims are generated. 300 are drawn as they are; of the others only what is in view is
drawn, from what the server would send. A page sends no more than 5,000: 10,000 says what room is left.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import ARGS, chromium
from tests.browser.kit import Server, serving
from tests.web.pages.argument_kit import generated, kept_record

from moot.core.events import Ended, event_from
from moot.core.record import Record
from moot.methods.argued import read_graph
from moot.views.graph_svg import graph_json
from moot.web.pages.argued.picture import MOST_AT_ONCE, drawn_graph_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = (300, 2_000, 10_000)
BOUNDS = {"drawn": 100.0, "frame": 20.0}
"""Milliseconds: the first drawing, and the median of a frame while it is dragged."""
FRAMES = 60

PANNED = """async (frames) => {
    const pane = document.getElementById("graph-view");
    const { left, top } = pane.getBoundingClientRect();
    pane.setPointerCapture = () => {};
    const move = (kind, x, y) => pane.dispatchEvent(new PointerEvent(kind, {
        pointerId: 1, clientX: left + x, clientY: top + y, bubbles: true, buttons: 1,
    }));
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    move("pointerdown", 600, 300);
    const times = [];
    await frame();
    let last = performance.now();
    for (let number = 1; number <= frames; number += 1) {
        move("pointermove", 600 - number * 12, 300 - number * 8);
        await frame();
        const now = performance.now();
        times.push(now - last);
        last = now;
    }
    move("pointerup", 0, 0);
    return times.sort((a, b) => a - b);
}"""


@dataclass(frozen=True, slots=True)
class GraphFigures:
    """What it took to draw a graph and to move it, in milliseconds."""

    claims: int
    boxes: int
    """The boxes that were elements of the page."""
    drawn: float
    frame: float
    slow_frame: float

    @property
    def passed(self) -> list[str]:
        """The bounds that it goes beyond."""
        return [name for name, bound in BOUNDS.items() if getattr(self, name) > bound]


def graph_figures(page: "Page", server: Server, claims: int) -> GraphFigures:
    """Return the figures of a generated graph; the page is signed in."""
    page.goto(address_of(page, server, claims))
    drawn = min(_drawn(page) for _ in range(3))
    boxes = page.locator(".node").count()
    # The first drag warms up what the second is measured with.
    page.evaluate(PANNED, FRAMES // 4)
    times = page.evaluate(PANNED, FRAMES)
    return GraphFigures(claims, boxes, drawn, times[FRAMES // 2], times[int(FRAMES * 0.95)])


def _drawn(page: "Page") -> float:
    """Load the page again, and return how long its drawing took, the first layout of all its boxes included."""
    page.reload()
    page.wait_for_selector(".node")
    return page.evaluate("performance.getEntriesByName('graph drawn')[0].duration")


def address_of(page: "Page", server: Server, claims: int) -> str:
    """Keep an argument on the server, and return its address; a large drawing is put in the place of a smaller one."""
    if claims <= MOST_AT_ONCE:
        return f"/d/{server.keep(kept_record(generated(claims)), f'graph-{claims}')}/argument"
    small = server.keep(kept_record(generated(MOST_AT_ONCE + 1)), f"graph-{claims}")
    text = drawing(claims)
    page.route(
        f"**/d/{small}/argument/drawing.json*", lambda route: route.fulfill(body=text, content_type="application/json")
    )
    return f"/d/{small}/argument?view=all"


@cache
def drawing(claims: int) -> str:
    """Return what the server sends of a graph of so many claims."""
    record = Record(tuple(map(event_from, kept_record(generated(claims)))))
    ended = record.events[-1]
    assert isinstance(ended, Ended)
    detail: Mapping[str, Any] = ended.verdict.detail
    return graph_json(drawn_graph_of(read_graph(record.header, detail)))


def main() -> int:
    """Print what was measured beside its bound; return 1 where one is passed."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        page = browser.new_page(base_url=server.origin, viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(server.link("admin"))
        page.get_by_role("button", name="Open Moot").click()
        page.wait_for_url("**/")
        figures = [graph_figures(page, server, claims) for claims in SIZES]
        browser.close()
    for one in figures:
        told = f"drawn in {one.drawn:.0f} ms, {one.boxes} boxes; frame {one.frame:.0f} ms, p95 {one.slow_frame:.0f} ms"
        print(f"{one.claims:>6} claims: {told}{' PASSED ' + ', '.join(one.passed) if one.passed else ''}")
    return int(any(one.passed for one in figures))


if __name__ == "__main__":
    sys.exit(main())
