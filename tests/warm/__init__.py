"""Commands that start at once: a process that has imported everything forks them.

Importing Moot takes a command longer than most commands take. What is run is a process of its own all the same, with
the arguments, the environment, the folder, the pipes, the signals and the exit code that it is given.
"""

import atexit
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "HOME", "MOOT_CONFIG")
"""What a command gets of the environment of the tests."""


def kept_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT if name in os.environ}


def warm_command(module: str, *words: str) -> list[str]:
    """Return the command that does what `python -m MODULE WORDS` does, without its imports."""
    # Neither `site` nor the environment: the command does nothing but hand over what it was given.
    return [sys.executable, "-I", "-S", str(HERE / "client.py"), _address(), module, *words]


def run_warm(
    module: str, *words: str, folder: Path, environ: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Return what comes of such a command: the process is asked for from here, without one that hands over."""
    with contextlib.ExitStack() as opened:
        files = [opened.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(3)]
        files[0].write(stdin)
        files[0].seek(0)
        server = opened.enter_context(socket.socket(socket.AF_UNIX))
        server.connect(_address())
        given = {"module": module, "words": words, "folder": str(folder), "environ": dict(environ)}
        socket.send_fds(server, [json.dumps(given).encode() + b"\n"], [file.fileno() for file in files])
        with server.makefile() as told:
            told.readline()
            code = int(told.readline())
        for file in files:
            file.seek(0)
        return subprocess.CompletedProcess([module, *words], code, files[1].read(), files[2].read())


@cache
def _address() -> str:
    """Start the process that forks, and return where it listens; it ends with this one."""
    address = str(Path(tempfile.mkdtemp(prefix="moot-warm-")) / "socket")
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.warm.server", address],
        cwd=HERE.parents[1],
        env=kept_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin and server.stdout
    server.stdout.readline()
    atexit.register(server.communicate)
    return address
