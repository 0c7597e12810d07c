"""Processes of Moot that a benchmark disturbs: killed, ended, paused, unplugged from the database, a clock wrong."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

START_SECONDS = 240.0

_CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/time.h>
#include <unistd.h>

static long off(void) { const char *said = getenv("CLOCK_OFF_SECONDS"); return said ? atol(said) : 0; }

int clock_gettime(clockid_t which, struct timespec *told) {
    int came = syscall(SYS_clock_gettime, which, told);
    if (came == 0 && which == CLOCK_REALTIME) told->tv_sec += off();
    return came;
}

time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *told, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return 0;
}
"""


def wrong_clock(folder: Path) -> Path | None:
    """Return a library that a process is to load for its clock to be off; None without Linux and a C compiler."""
    compiler = shutil.which("cc")
    if not compiler or not sys.platform.startswith("linux"):
        return None
    source, library = folder / "clock.c", folder / "clock.so"
    source.write_text(_CLOCK, encoding="utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def skewed(environ: Mapping[str, str], library: Path | None, seconds: int) -> dict[str, str]:
    """Return an environment whose processes take it to be so much later."""
    if library is None:
        return dict(environ)
    return {**environ, "LD_PRELOAD": str(library), "CLOCK_OFF_SECONDS": str(seconds)}


class Cable:
    """A port of this machine that leads to a database, and can be cut, or unplugged so that nobody is told."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        self._name = parts.path.lstrip("/") or "postgres"
        self._user = parts.username or "postgres"
        host, port = query.get("host", [parts.hostname or "127.0.0.1"])[0], parts.port or 5432
        self._socket = f"{host}/.s.PGSQL.{port}" if host.startswith("/") else ""
        self._host, self._port = host, port
        self._plugged = asyncio.Event()
        self._plugged.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def lay(self) -> "Cable":
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        return self

    @property
    def url(self) -> str:
        """The database, as it is reached through the cable."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://{self._user}@127.0.0.1:{port}/{self._name}"

    def cut(self) -> None:
        """Break all that goes through it now."""
        for writer in list(self._writers):
            if writer.transport:
                writer.transport.abort()

    async def unplug(self, seconds: float) -> None:
        """Let nothing through for so long; both ends take the other for slow."""
        self._plugged.clear()
        await asyncio.sleep(seconds)
        self._plugged.set()

    def close(self) -> None:
        if self._server:
            self._server.close()
        self.cut()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened = [writer]
        self._writers.add(writer)
        try:
            if self._socket:
                far_reader, far_writer = await asyncio.open_unix_connection(self._socket)
            else:
                far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
            opened.append(far_writer)
            self._writers.add(far_writer)
            there, back = self._pump(reader, far_writer), self._pump(far_reader, writer)
            await asyncio.gather(there, back)
        except (OSError, asyncio.CancelledError):
            # The far end is away, or the benchmark is over.
            pass
        finally:
            for each in opened:
                self._writers.discard(each)
                each.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while told := await reader.read(65536):
                await self._plugged.wait()
                writer.write(told)
                await writer.drain()
        writer.close()


class Child:
    """A process of Moot that can be killed, paused and begun again."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], cable: Cable | None = None) -> None:
        self.words = words
        self.environ = dict(environ)
        self.cable = cable
        self.told: dict[str, Any] = {}
        self.process: subprocess.Popen[str] | None = None

    async def begin(self) -> "Child":
        """Start it, and try again where its database is away; its line tells that it serves."""
        async with asyncio.timeout(START_SECONDS):
            while not (line := await asyncio.to_thread(self._first_line)):  # noqa: ASYNC110 - a process has no event
                await asyncio.sleep(0.5)
        self.told = json.loads(line)
        return self

    async def again(self, how: signal.Signals) -> int:
        """End it and begin anew; return the code that it ended with."""
        assert self.process is not None
        self.process.send_signal(how)
        code = await asyncio.to_thread(self.process.wait, 30)
        await self.begin()
        return code

    def signal(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)

    def kill(self) -> None:
        """End it for good."""
        if self.process:
            self.process.kill()
            self.process.wait()
            if self.process.stdout:
                self.process.stdout.close()

    def _first_line(self) -> str:
        if self.process and self.process.stdout:
            self.process.stdout.close()
        command = [sys.executable, "-c", "from moot.cli import main; main()", *self.words, "--json"]
        self.process = subprocess.Popen(
            command, env=self.environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        return self.process.stdout.readline()


def base_environment(**settings: str) -> dict[str, str]:
    """Return the environment of a process that reads no configuration and has a home of its own."""
    home = tempfile.mkdtemp(prefix="moot-bench-")
    return {**os.environ, "MOOT_CONFIG": "none", "MOOT_HOME": home, **settings}
