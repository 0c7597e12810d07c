"""What the page of a large evaluation takes: to be read, to be rendered, and to follow a row that is written."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.web.evals_kit import every_row, keep_run

from moot.core.canonical import plain
from moot.evals.runs.results import Results
from moot.evals.runs.shelf import EvalShelf
from moot.web.pages.evaluated.page import run_parts
from moot.web.pages.evaluated.shown import run_shown
from moot.web.pages.evaluated.state import EvalState

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from moot.web.serving import Serving

ITEMS, ARMS = 1_000, ("single-pass", "revisit", "verbatim", "arrows", "compressed", "interrogation")
BOUNDS = {"read": 1.0, "rendered": 250.0, "followed": 4.0}
NAME = "large"


@dataclass(frozen=True)
class LargeRun:
    """Figures of a run of a thousand items by six arms, but for its last row."""

    read: float
    """Seconds of CPU to read its rows and compute every figure."""
    rendered: float
    """Milliseconds of CPU to render every part of its page."""
    size: float
    """Kilobytes of these parts."""


def keep_large(home: Path) -> Results:
    """Write a run of which one row is missing, and return its folder."""
    right = {arm: ("rwrrwarf" * ITEMS)[place : place + ITEMS] for place, arm in enumerate(ARMS)}
    results = keep_run(home, NAME, right, rows=[])
    rows = every_row(right)[:-1]
    (results.folder / "arms").mkdir()
    for arm in ARMS:
        lines = (json.dumps(plain(row)) for row in rows if row.arm == arm)
        (results.folder / "arms" / f"{arm}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return results


def large_run(results: Results, serving: "Serving") -> LargeRun:
    """Return what reading and rendering take."""
    begin = time.process_time()
    run = EvalShelf(results.folder.parent).read(NAME)
    read = time.process_time() - begin
    begin = time.process_time()
    _, parts = run_parts(serving, run_shown(EvalState(NAME), run, None))
    rendered = time.process_time() - begin
    return LargeRun(read, rendered * 1000, sum(map(len, parts.values())) / 1000)


def seconds_to_screen(page: "Page", results: Results) -> float:
    """Return how long it takes from the last row's being written to a page that says that the run is complete."""
    page.goto(f"/evals/{NAME}")
    page.wait_for_selector("#connection.live")
    begin = time.perf_counter()
    results.end(every_row({ARMS[-1]: "r" * ITEMS})[-1])
    page.wait_for_selector("#part-facts .tone-good", timeout=60_000)
    return time.perf_counter() - begin
