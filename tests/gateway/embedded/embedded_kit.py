"""A tiny model in a tiny catalogue, a hub that misbehaves on request, and a pip that copies."""

import sys
import zipfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from moot.gateway.embedded.catalogue import Entry, Wheel
from moot.gateway.embedded.fetch import Sources
from moot.gateway.embedded.progress import FetchProgress

WEIGHTS = bytes(range(256)) * 1200
STRETCH = 102_400
NOBODY = "http://127.0.0.1:9"

# It logs what it was asked for, then does as its mood is: copy from a shelf, fail, or stay for ever.
FAKE_PIP = """
import pathlib, shutil, sys, threading
shelf, log, mood, *rest = sys.argv[1:]
package = rest[-1].split("==")[0]
with open(log, "a", encoding="utf-8") as out:
    out.write(package + "\\n")
if mood == "missing":
    sys.exit("python: No module named pip")
if mood == "full":
    sys.exit("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device")
if mood == "stays":
    threading.Event().wait()
source = pathlib.Path(shelf) / (package.replace("-", "_") + "-1.0-py3-none-any.whl")
if not source.exists():
    sys.exit("ERROR: No matching distribution found for " + package)
target = pathlib.Path(rest[rest.index("--dest") + 1])
target.mkdir(parents=True, exist_ok=True)
shutil.copy(source, target)
"""


@dataclass
class World:
    """Where a test's fetch happens, and what it saw."""

    root: Path
    entry: Entry
    seen: list[FetchProgress] = field(default_factory=list)
    mood: str = "copies"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def target(self) -> Path:
        return self.cache / self.entry.file

    @property
    def part(self) -> Path:
        return self.cache / (self.entry.file + ".part")

    @property
    def pip_log(self) -> Path:
        return self.root / "pip.log"

    def asked_of_pip(self) -> list[str]:
        return self.pip_log.read_text(encoding="utf-8").split() if self.pip_log.exists() else []

    def notes(self) -> str:
        return "\n".join(each.note for each in self.seen if each.note)

    def reach(self, hub: str | None = None, **changes: object) -> Sources:
        pip = (sys.executable, "-c", FAKE_PIP, str(self.root / "shelf"), str(self.pip_log), self.mood)
        return Sources(hub=hub, pip=pip, **changes)  # ty: ignore[invalid-argument-type]

    def put_on_shelf(self, wheel: Wheel, content: bytes) -> None:
        shelf = self.root / "shelf"
        shelf.mkdir(exist_ok=True)
        name = f"{wheel.package.replace('-', '_')}-{wheel.version}-py3-none-any.whl"
        with zipfile.ZipFile(shelf / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(wheel.member, content)

    def leave_part(self, size: int) -> None:
        self.cache.mkdir(exist_ok=True)
        self.part.write_bytes(WEIGHTS[:size])


@dataclass
class Hub:
    """A model hub: what it serves, how it fails, and the ranges it was asked for."""

    content: bytes = WEIGHTS
    status: int = 200
    cut_after: list[int] = field(default_factory=list)
    honours_ranges: bool = True
    hold: Callable[[], Awaitable[object]] | None = None
    asked: list[str] = field(default_factory=list)
    url: str = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.headers["Range"])
        if self.status != 200:
            return web.Response(status=self.status)
        start = int(request.headers["Range"].removeprefix("bytes=").removesuffix("-")) if self.honours_ranges else 0
        body = self.content[start:]
        response = web.StreamResponse(status=206 if self.honours_ranges else 200)
        response.content_length = len(body)
        if self.honours_ranges:
            response.headers["Content-Range"] = f"bytes {start}-{len(self.content) - 1}/{len(self.content)}"
        await response.prepare(request)
        if self.cut_after:
            await response.write(body[: self.cut_after.pop(0)])
            if self.hold:
                await self.hold()
            assert request.transport is not None
            request.transport.close()
            return response
        await response.write(body)
        return response


@asynccontextmanager
async def serving(hub: Hub) -> AsyncGenerator[Hub]:
    """Serve the hub on loopback while the block lasts."""
    app = web.Application()
    app.router.add_get("/{path:.*}", hub.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    hub.url = site.name if not site.name.endswith(":0") else f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield hub
    finally:
        await runner.cleanup()
