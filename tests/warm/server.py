"""The process that has imported everything and forks a command for each client, until its standard input is closed."""

import gc
import importlib
import json
import multiprocessing
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import sys
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import moot

LATE = ("aiohttp", "genai_prices", "openai", "rich.markdown", "sqlalchemy.dialects.sqlite", "typer._click.decorators")
"""What Moot and Typer import inside their functions."""

fork = multiprocessing.get_context("fork")


def import_everything() -> None:
    for module in pkgutil.walk_packages(moot.__path__, "moot."):
        importlib.import_module(module.name)
    for name in LATE:
        importlib.import_module(name)
    gc.collect()
    # A collection in a command would copy the pages that it shares with this process.
    gc.freeze()


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


def serve(listener: socket.socket) -> None:
    while True:
        ready, _, _ = select.select([listener, 0], [], [])
        if 0 in ready:
            return
        connection, _ = listener.accept()
        with connection:
            # Starting a process buries those that have ended.
            fork.Process(target=mind, args=(connection,)).start()


def mind(connection: socket.socket) -> None:
    """Fork the command that a client asks for, and tell the client how it ends; it ends with its client."""
    sent, pipes, _, _ = socket.recv_fds(connection, 65536, 3)
    while not sent.endswith(b"\n"):
        sent += connection.recv(65536)
    command = fork.Process(target=run, args=(json.loads(sent), pipes))
    command.start()
    for pipe in pipes:
        os.close(pipe)
    connection.sendall(f"{command.pid}\n".encode())
    # The client says nothing more: where there is something to read, it is that the client was killed.
    if connection in wait([command.sentinel, connection]):
        command.kill()
        return
    command.join()
    connection.sendall(f"{command.exitcode}\n".encode())


def run(given: dict[str, Any], pipes: list[int]) -> None:
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
