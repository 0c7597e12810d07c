"""Running `moot` as a user does: a process of its own, a home of its own, no keys."""

import asyncio
import fcntl
import json
import os
import pty
import re
import sqlite3
import struct
import subprocess
import sys
import termios
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.warm import kept_environment, run_warm, warm_command

ROOT = Path(__file__).parents[2]
SINGLE = ("--protocol", "single")
GOOD = {"reasoning": "Because it is written there.", "answer": "server x9", "confidence": 0.9}


@dataclass
class Moot:
    """The command line of one user."""

    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    """Modules that are not installed."""

    def environment(self) -> dict[str, str]:
        return {
            **kept_environment(),
            "MOOT_HOME": str(self.folder / "home"),
            "MOOT_CACHE": str(self.folder / "cache"),
            **self.environ,
        }

    def command(self, *words: str) -> list[str]:
        if self._is_usual():
            return warm_command("tests.warm.moot", *words)
        absent = f"import sys; sys.modules.update(dict.fromkeys({self.without}))"
        return [sys.executable, "-c", f"{absent}; from moot.cli import main; main()", *words]

    def _is_usual(self) -> bool:
        return not self.without and not any(name.startswith("PYTHON") for name in self.environ)

    def run(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        if self._is_usual():
            return run_warm("tests.warm.moot", *words, folder=self.folder, environ=self.environment(), stdin=stdin)
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment(),
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def at_terminal(self, *words: str, columns: int = 80, types: str = "", stderr: bool = True) -> tuple[int, str]:
        """Return the exit code and what a person at a terminal sees, without what moves the cursor."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environ = {**self.environment(), "TERM": "xterm-256color", "MOOT_PAGER": "cat"}
        with subprocess.Popen(
            self.command(*words),
            cwd=self.folder,
            env=environ,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs if stderr else subprocess.DEVNULL,
        ) as process:
            os.close(theirs)
            os.write(ours, f"{types}\x04".encode())
            seen = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        return process.returncode, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode()).replace("\r", "")

    def json(self, *words: str, stdin: str = "") -> Any:
        return json.loads(self.run(*words, "--json", stdin=stdin).stdout)

    def stored(self) -> int:
        """Return how many deliberations there are, read past the command line."""
        database = self.folder / "home" / "moot.db"
        if not database.exists():
            return 0
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute("SELECT count(*) FROM deliberations").fetchone()[0]

    def script(self, replies: Any = None, name: str = "script.json") -> str:
        """Write a script and return the member that follows it."""
        (self.folder / name).write_text(json.dumps(replies or {"answer": GOOD}), encoding="utf-8")
        return f"scripted:{name}"


def _read(terminal: int) -> bytes:
    """Return what comes next; nothing once nobody writes any more, which a terminal says by an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


async def begun(moot: Moot, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *moot.command(*words),
        cwd=moot.folder,
        env=moot.environment(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


@contextmanager
def fake_server(**behaviours: str) -> Generator[str]:
    """Give the address of a fake provider in a process of its own."""
    command = warm_command("tests.fake_server", "--behaviours", json.dumps(behaviours))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield json.loads(server.stdout.readline())["url"]
        server.communicate()
