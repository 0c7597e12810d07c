"""`moot serve` as a process of its own, on a port of this machine, with a scripted member."""

import json
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.warm import kept_environment, warm_command
from tests.web.kit import SURE


@dataclass
class Process:
    """A running server."""

    process: subprocess.Popen[str]
    url: str
    key: str | None

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        # It is dead when nobody has its pipes open any more.
        self.process.communicate()


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """An environment with a database of its own and a member that follows a script."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "script.json"
    script.write_text(json.dumps({"*": json.loads(SURE)}), encoding="utf-8")
    given = {"home": str(folder), "members": f"scripted:{script}", "serve_rate": "100000", **settings}
    return {**kept_environment(), **{f"MOOT_{name.upper()}": value for name, value in given.items()}}


def begin(environ: dict[str, str], *words: str) -> Process:
    """Start a server and wait until it says where it is."""
    command = warm_command("tests.warm.moot", "serve", "--port", "0", "--json", *words)
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        _, said = process.communicate()
        raise AssertionError(f"the server did not start: {said}")
    told = json.loads(line)
    return Process(process, told["url"], told["key"])


def begin_worker(environ: dict[str, str], *words: str) -> Process:
    """Start a worker and wait until it is ready."""
    command = warm_command("tests.warm.moot", "worker", "--json", *words)
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        _, said = process.communicate()
        raise AssertionError(f"the worker did not start: {said}")
    return Process(process, json.loads(line)["name"], None)


@contextmanager
def served(environ: dict[str, str], *words: str) -> Generator[Process]:
    """Give a server that ends with the test."""
    with ending(begin(environ, *words)) as running:
        yield running


@contextmanager
def ending(running: Process) -> Generator[Process]:
    """Give a process that ends with the test."""
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.terminate()
        running.process.wait(timeout=60)
        for pipe in (running.process.stdout, running.process.stderr):
            if pipe:
                pipe.close()
