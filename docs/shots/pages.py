"""Pictures every page, in light, in dark and at the width of a phone: a part of `make shots`.

    python -m docs.shots.pages [--out build/shots] [--embedded] [--only argument,live]

All of them are for whoever reviews a change; those that the docs show are kept beside this file. Members follow a
script; with `--embedded` the embedded model is asked too, which takes minutes.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs.shots.page_scenes import EMBEDDED, PageScene, embedded_scenes, panel, scenes
from PIL import Image
from tests.browser.chromium import ARGS, chromium, missing
from tests.browser.kit import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

HERE = Path(__file__).parent
KEPT = {
    "live": "page-answer.png",
    "argument-claim": "page-argument.png",
    "loops": "page-rounds.png",
    "compare-fork": "page-compare.png",
    "board": "page-board.png",
    "eval": "page-eval.png",
}
"""The pictures of the docs."""
COLOURS = 256
DESK, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "viewport": DESK},
    "dark": {"color_scheme": "dark", "viewport": DESK},
    "phone": {"color_scheme": "light", "viewport": PHONE},
}


DRAW_ALL = """() => {
    for (const each of document.querySelectorAll("*"))
        if (getComputedStyle(each).contentVisibility === "auto") each.style.contentVisibility = "visible";
}"""
"""A browser leaves undrawn what is far below its window; a picture has the whole page."""


def pictured(context: "BrowserContext", scene: PageScene) -> bytes:
    """Return the whole of a page, once it is there and nothing moves."""
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(scene.address)
    page.wait_for_selector(scene.ready)
    for target in [scene.click] if isinstance(scene.click, str) else scene.click:
        page.locator(target).click()
        page.wait_for_timeout(500)
    page.evaluate(DRAW_ALL)
    page.wait_for_timeout(300)
    taken = page.screenshot(full_page=True, animations="disabled")
    page.close()
    return taken


def small(picture: bytes) -> bytes:
    """Return a picture for the docs: the first screen, with as many colours as it needs."""
    with Image.open(BytesIO(picture)) as whole:
        cut = whole.convert("RGB").crop((0, 0, whole.width, min(whole.height, DESK["height"])))
    file = BytesIO()
    cut.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


@contextmanager
def looks(server: Server) -> Iterator[Callable[[str, PageScene], "BrowserContext"]]:
    """Give what finds the browser of a look for a scene, signed in or not."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        made = {
            (name, signed_in): browser.new_context(base_url=server.origin, **look)
            for name, look in LOOKS.items()
            for signed_in in (True, False)
        }
        for (_, signed_in), context in made.items():
            if signed_in:
                sign_in(context, server)
        yield lambda look, scene: made[look, scene.signed_in]
        browser.close()


def sign_in(context: "BrowserContext", server: Server) -> None:
    """Follow a one-time link."""
    page = context.new_page()
    page.goto(server.link())
    page.get_by_role("button", name="Open Moot").click()
    page.wait_for_url("**/")
    page.close()


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/shots"))
    parser.add_argument("--embedded", action="store_true")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    if absent := missing():
        sys.exit(absent)
    os.environ["MOOT_CONFIG"] = "none"
    chosen.out.mkdir(parents=True, exist_ok=True)
    wanted = [name for name in chosen.only.split(",") if name]
    draw(scenes, chosen.out, wanted)
    if chosen.embedded:
        draw(embedded_scenes, chosen.out, wanted, serve_members=EMBEDDED, cache=os.environ.get("MOOT_CACHE", ""))


def draw(
    scenes_of: Callable[[Server], Iterator[PageScene]], out: Path, wanted: Collection[str], **settings: str
) -> None:
    """Picture the scenes of a server in every look; all of them where none are named."""
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), panel(), **settings) as server,
        looks(server) as context_of,
    ):
        for scene in scenes_of(server):
            if wanted and scene.name not in wanted:
                continue
            for look in LOOKS:
                taken = pictured(context_of(look, scene), scene)
                (out / f"{scene.name}-{look}.png").write_bytes(taken)
                if look == "light" and scene.name in KEPT:
                    (HERE / KEPT[scene.name]).write_bytes(small(taken))


if __name__ == "__main__":
    main()
