"""What the pages take: how soon they are seen, how they move, and how far behind the events they are.

    python -m benchmarks.pages [--rounds 3] [--only sizes,first,transcript,graph,board,live,evals]

It needs Chromium, as the tests of the pages do. Server and browser are on this machine and without a GPU; the server
runs in this process, with scripted members, and what it shows are golden records and generated ones. Each figure stands
beside its bound. Bounds in milliseconds are for a machine that does nothing else: the load is printed first.
"""

import argparse
import asyncio
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.argument_pages import BOUNDS as DRAWING_BOUNDS
from benchmarks.argument_pages import graph_figures
from benchmarks.eval_pages import BOUNDS as EVAL_BOUNDS
from benchmarks.eval_pages import keep_large, large_run, seconds_to_screen
from benchmarks.layout import BOUNDS as LAYOUT_BOUNDS
from benchmarks.layout import layout_seconds
from tests.browser.chromium import ARGS, chromium, missing
from tests.browser.kit import Server, golden, serving
from tests.web.pages.argument_kit import generated, kept_record
from typing_extensions import override

from moot.core.events import Noted, event_text
from moot.web.pages.assets import STYLE, assets

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

EVENTS = 10_000
FRAMES = 60
A_SECOND = 50
"""Events a second of a run that is faster than any model."""
LIVE_SECONDS = 8
CLAIMS = 200
HUNDRED = 100
GRAPHS = {300: "?view=all", 2_000: "?view=all", 10_000: ""}
"""Claims of a graph, and how it is asked for: beyond some thousands only the answer's own lines are drawn."""

FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
FETCHED = """async (address) => {
    const begin = performance.now();
    await (await fetch(address)).text();
    return performance.now() - begin;
}"""
SCROLLED = """async (frames) => {
    const feed = document.getElementById("window");
    const took = [];
    let before = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame++) {
        feed.scrollTop += 60;
        const now = await new Promise(requestAnimationFrame);
        took.push(now - before);
        before = now;
    }
    return took;
}"""
WHEN_HEARD = """
window.heard = [];
document.addEventListener("moot:news", ({ detail }) =>
    requestAnimationFrame(() => window.heard.push([detail.seq, Date.now()])));
"""


@dataclass(frozen=True)
class Figure:
    """What was measured, and what it may be at most."""

    name: str
    value: float
    unit: str
    most: float | None = None

    @property
    def is_passed(self) -> bool:
        return self.most is not None and self.value > self.most

    @override
    def __str__(self) -> str:
        bound = "" if self.most is None else f"   at most {self.most:g}{'   PASSED' if self.is_passed else ''}"
        shown = f"{self.value:,.0f}" if self.value >= HUNDRED else f"{self.value:.3g}"
        return f"{self.name:<56}{shown:>9} {self.unit:<3}{bound}"


@dataclass(frozen=True)
class Bench:
    """A server and a browser that is signed in to it."""

    server: Server
    browser: "Browser"
    rounds: int

    def context(self) -> "BrowserContext":
        """A browser of somebody who has been here before: what never changes is in its cache by the second page."""
        context = self.browser.new_context(base_url=self.server.origin, viewport={"width": 1280, "height": 800})
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(self.server.link())
        page.get_by_role("button", name="Open Moot").click()
        page.wait_for_url("**/")
        page.close()
        return context


def p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def zipped(*texts: bytes) -> float:
    """Return how many kB texts have that are compressed each by itself."""
    return sum(len(gzip.compress(text, mtime=0)) for text in texts) / 1000


def sizes(bench: Bench) -> Iterator[Figure]:
    yield Figure(
        "JavaScript, all modules, gz", zipped(*(assets()[name] for name in assets() if name.endswith(".js"))), "kB", 40
    )
    yield Figure("style sheet, gz", zipped(assets()[STYLE]), "kB", 12)
    context = bench.context()
    page = context.new_page()
    bodies: list[bytes] = []
    page.on("requestfinished", lambda request: bodies.append(_body(request)))
    page.goto("/", wait_until="networkidle" if not bench.server.here.serving.runs.running else "load")
    page.wait_for_timeout(300)
    yield Figure("first page with all that it loads, gz", zipped(*bodies), "kB", 60)
    context.close()


def _body(request: Any) -> bytes:
    response = request.response()
    kinds = ("text/html", "text/css", "text/javascript", "image/svg+xml")
    return response.body() if response and response.headers.get("content-type", "").startswith(kinds) else b""


def first(bench: Bench) -> Iterator[Figure]:
    """How soon something is seen of each page, with its style and modules in the browser's cache."""
    server = bench.server
    spiral, debate, claims = (
        server.keep("spiral_forced"),
        server.keep("debate_attacked"),
        server.keep("interrogation_whole"),
    )
    addresses = [
        "/", "/ask", f"/d/{debate}", f"/d/{claims}/argument", f"/d/{spiral}/rounds", f"/d/{debate}/rounds",
        f"/d/{debate}/transcript", f"/d/{debate}/calls", f"/d/{debate}/record",
        f"/compare?d={claims}&d={debate}&d={spiral}", "/usage", "/keys",
    ]  # fmt: skip
    context = bench.context()
    for address in addresses:
        page = context.new_page()
        took = [_painted(page, address) for _ in range(bench.rounds + 1)][1:]
        yield Figure(f"first paint of {address}", median(took), "ms", 1000)
        page.close()
    context.close()


def _painted(page: "Page", address: str) -> float:
    page.goto(address, wait_until="load")
    page.wait_for_function(FIRST_PAINT)
    return page.evaluate(FIRST_PAINT)


def transcript(bench: Bench) -> Iterator[Figure]:
    """A record of ten thousand events, of which some hundred rows are in the page."""
    texts = golden("debate_in_turn")
    further = [event_text(Noted("round", {"n": number})) for number in range(EVENTS - len(texts))]
    address = f"/d/{bench.server.keep([*texts[:-1], *further, texts[-1]], 'long')}/transcript"
    context = bench.context()
    page = context.new_page()
    begin = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#window .page .event")
    yield Figure(f"{EVENTS:,} events: first rows", time.perf_counter() - begin, "s", 1.5)
    windows = [page.evaluate(FETCHED, f"{address}?start={start}&fragment=rows") for start in range(0, EVENTS, 500)]
    yield Figure(f"{EVENTS:,} events: a window of rows from the server", median(windows), "ms", 150)
    frames = page.evaluate(SCROLLED, FRAMES)
    yield Figure(f"{EVENTS:,} events: frame while scrolling, p50", median(frames), "ms", 20)
    yield Figure(f"{EVENTS:,} events: frame while scrolling, p95", p95(frames), "ms")
    context.close()


def graph(bench: Bench) -> Iterator[Figure]:
    """Arguments of any size: laid out by the server, drawn and moved by the browser."""
    context = bench.context()
    for size, asked in GRAPHS.items():
        yield Figure(f"{size:,} claims: layout, CPU", layout_seconds(size), "s", LAYOUT_BOUNDS[size])
        id_ = bench.server.keep(kept_record(generated(size)), f"argued-{size}")
        page = context.new_page()
        begin = time.perf_counter()
        page.goto(f"/d/{id_}/argument{asked}", wait_until="commit")
        page.wait_for_selector("#graph[data-live]")
        yield Figure(f"{size:,} claims: page asked for to page drawn", time.perf_counter() - begin, "s")
        figures = graph_figures(page, bench.server, size)
        yield Figure(f"{size:,} claims: drawing", figures.drawn, "ms", DRAWING_BOUNDS["drawn"])
        yield Figure(f"{size:,} claims: frame while panning, p50", figures.frame, "ms", DRAWING_BOUNDS["frame"])
        yield Figure(f"{size:,} claims: frame while panning, p95", figures.slow_frame, "ms")
        page.close()
    context.close()


def board(bench: Bench) -> Iterator[Figure]:
    """A board of many claims, of which a page shows twenty with all their layers; and one claim with its slots."""
    ids = [bench.server.keep(golden("prism_whole"), f"on-board-{number}") for number in range(CLAIMS)]
    context = bench.context()
    page = context.new_page()
    page.goto("/flags")
    for name, address, most in (("the board", "/board", 1000), ("a claim", f"/board/{ids[0]}", 200)):
        took = [page.evaluate(FETCHED, address) for _ in range(bench.rounds + 1)][1:]
        yield Figure(f"{CLAIMS} claims on the board: {name} from the server", median(took), "ms", most)
    context.close()


def live(bench: Bench) -> Iterator[Figure]:
    """From the moment when an event is stored to the first frame that shows it, one by one and in a flood."""
    context = bench.context()
    context.add_init_script(WHEN_HEARD)
    for name, rate in (("two events a second", 2), (f"{A_SECOND} events a second", A_SECOND)):
        page = context.new_page()
        id_ = bench.server.keep(golden("debate_in_turn")[:-1], f"live-{rate}", status="running")
        page.goto(f"/d/{id_}")
        page.wait_for_selector("#connection.live")
        stored = bench.server.do(_emit(bench.server, id_, rate))
        page.wait_for_function("(last) => window.heard.at(-1)?.[0] >= last", arg=max(stored))
        late = _lateness(stored, page.evaluate("window.heard"))
        yield Figure(f"{name}: event to screen, p50", median(late), "ms")
        yield Figure(f"{name}: event to screen, p95", p95(late), "ms", 700)
        quarter = max(2, len(late) // 4)
        yield Figure(f"{name}: last quarter to first", median(late[-quarter:]) / median(late[:quarter]), "x", 2)
        page.close()
    context.close()


def evals(bench: Bench) -> Iterator[Figure]:
    """A run of a thousand items by six arms: read and rendered by the server, and followed by the browser."""
    serving = bench.server.here.serving
    results = keep_large(serving.evals.folder.parent)
    large = large_run(results, serving)
    yield Figure("6,000 rows: read, with every figure, CPU", large.read, "s", EVAL_BOUNDS["read"])
    yield Figure("6,000 rows: page rendered, CPU", large.rendered, "ms", EVAL_BOUNDS["rendered"])
    yield Figure("6,000 rows: all parts of the page", large.size, "kB")
    context = bench.context()
    page = context.new_page()
    took = [_painted(page, "/evals/large") for _ in range(bench.rounds + 1)][1:]
    yield Figure("6,000 rows: first paint", median(took), "ms", 1000)
    yield Figure("6,000 rows: row to screen", seconds_to_screen(page, results), "s", EVAL_BOUNDS["followed"])
    context.close()


async def _emit(server: Server, id_: str, rate: int) -> dict[int, float]:
    """Store events at a rate as a run does, and return when each was stored, in milliseconds."""
    store, watch, stored = server.here.serving.store, server.here.serving.watch, {}
    begin = time.monotonic()
    async with store.hold(id_) as hold:
        at = len(await store.deliberations.events(id_))
        for number in range(rate * LIVE_SECONDS):
            await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))
            await hold.journal.emit([(at + number, event_text(Noted("round", {"n": number})))])
            stored[at + number] = time.time() * 1000
            watch.wake()
    return stored


def _lateness(stored: dict[int, float], heard: Sequence[tuple[int, float]]) -> list[float]:
    return [next(at for last, at in heard if last >= seq) - moment for seq, moment in stored.items()]


PARTS: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "sizes": sizes,
    "first": first,
    "transcript": transcript,
    "graph": graph,
    "board": board,
    "live": live,
    "evals": evals,
}


def main() -> int:
    """Print every figure beside its bound; return 1 where one is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS))
    chosen = parser.parse_args()
    if absent := missing():
        sys.exit(absent)
    from playwright.sync_api import sync_playwright

    os.environ["MOOT_CONFIG"] = "none"
    passed = False
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        bench = Bench(server, browser, chosen.rounds)
        for name in chosen.only.split(","):
            for figure in PARTS[name](bench):
                passed |= figure.is_passed
                print(figure, flush=True)
        browser.close()
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
