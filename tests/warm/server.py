"""The process that has imported everything and forks a command for each client, until its standard input is closed."""

import contextlib
import functools
import gc
import importlib
import json
import multiprocessing
import os
import pkgutil
import runpy
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer.main

import moot
from moot import ask_sync
from moot.cli.app import app
from moot.testing import scripted

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

LATE = ("aiohttp", "genai_prices", "openai", "rich.markdown", "sqlalchemy.dialects.sqlite", "typer._click.decorators")
"""What Moot and Typer import inside their functions."""

fork = multiprocessing.get_context("fork")


def import_everything() -> None:
    for module in pkgutil.walk_packages(moot.__path__, "moot."):
        importlib.import_module(module.name)
    for name in LATE:
        importlib.import_module(name)
    # Every command would make the tree of commands anew, which takes it longer than most of them take.
    typer.main.get_command = functools.cache(typer.main.get_command)  # ty: ignore[invalid-assignment]
    typer.main.get_command(app)
    ask_once()
    gc.collect()
    # A collection in a command would copy the pages that it shares with this process.
    gc.freeze()


def ask_once() -> None:
    """Make what is made when it is first needed, such as the readers of events; no thread is left."""
    member = scripted({"*": {"reasoning": "It is.", "answer": "yes", "claims": ["It is so."]}})
    panel = ["a", "b", "c"]
    with tempfile.TemporaryDirectory() as home:
        environ = {"MOOT_HOME": home, "MOOT_CONFIG": "none"}
        ask_sync("Is it?", protocol="spiral", members=panel, models=dict.fromkeys(panel, member), environ=environ)
    assert threading.active_count() == 1


def main() -> None:
    address = sys.argv[1]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        import_everything()
        serve(listener)
    shutil.rmtree(Path(address).parent)


@dataclass(frozen=True)
class Command:
    """A process that a client asked for."""

    client: socket.socket
    process: "ForkProcess"

    def end(self) -> None:
        """Tell the client how it ended."""
        self.process.join()
        with self.client, contextlib.suppress(BrokenPipeError):
            self.client.sendall(f"{self.process.exitcode}\n".encode())


def serve(listener: socket.socket) -> None:
    commands: list[Command] = []
    while True:
        ready = wait([listener, 0, *(each for one in commands for each in (one.client, one.process.sentinel))])
        if 0 in ready:
            return
        for one in [*commands]:
            # A client says nothing more: where there is something to read, it is that the client was killed.
            if one.client in ready:
                one.process.kill()
            if one.client in ready or one.process.sentinel in ready:
                commands.remove(one)
                one.end()
        if listener in ready:
            client, _ = listener.accept()
            commands.append(begin(client, [listener, client, *(one.client for one in commands)]))


def begin(client: socket.socket, sockets: Sequence[socket.socket]) -> Command:
    """Fork the command that a client asks for, which has nothing of what others asked for."""
    sent, pipes, _, _ = socket.recv_fds(client, 65536, 3)
    while not sent.endswith(b"\n"):
        sent += client.recv(65536)
    process = fork.Process(target=run, args=(json.loads(sent), pipes, sockets))
    process.start()
    for pipe in pipes:
        os.close(pipe)
    client.sendall(f"{process.pid}\n".encode())
    return Command(client, process)


def run(given: dict[str, Any], pipes: Sequence[int], sockets: Sequence[socket.socket]) -> None:
    for other in sockets:
        other.close()
    # Ctrl-C works, though tests that a shell runs in the background are started with it ignored, and this with them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    assert sys.__stdin__
    sys.stdin = open(0, encoding=sys.__stdin__.encoding, errors=sys.__stdin__.errors, closefd=False)  # noqa: SIM115
    os.chdir(given["folder"])
    os.environ.clear()
    os.environ.update(given["environ"])
    sys.path[0] = ""
    sys.argv[1:] = given["words"]
    runpy.run_module(given["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
