"""The process that serves one model file over OpenAI's HTTP on loopback.

    python -m moot.gateway.embedded.child

It reads its configuration as one line of JSON from stdin, so that the key is in no argument, process title or
environment; answers with one line of JSON on stdout, the port or what went wrong; and stays until stdin reaches
its end, which happens when its parent closes the pipe or dies, however it dies.
"""

import json
import os
import signal
import sys
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

# llama.cpp would keep up to 8 GiB of old prompts in memory; a slot's own prompt is kept anyway.
PROMPT_CACHE_MIB = 256
LOG_ERRORS, LOG_ALL = 1, 3


@dataclass(frozen=True, slots=True)
class ChildConfiguration:
    """What the child is told: which file under which name, by which key, and how much it may use."""

    file: str
    name: str
    key: str
    slots: int
    context: int
    threads: int
    log: str | None = None

    def line(self) -> bytes:
        """Return the configuration as the line that the child reads."""
        return json.dumps(asdict(self)).encode() + b"\n"


def main() -> None:
    """Serve until stdin ends."""
    # Ctrl-C reaches every process of a terminal; the parent decides when this one ends, by the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first = sys.stdin.buffer.readline()
    if not first.strip():
        return
    configuration = ChildConfiguration(**json.loads(first))
    answer = _answer_channel(configuration.log)
    try:
        serving = serve(configuration)
    except Exception as error:  # whatever it is, the parent must hear of it
        _say(answer, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    if configuration.log is None:
        _point_at(os.devnull, 2)
    _say(answer, {"port": serving[1]})
    sys.stdin.buffer.read()
    # At once, and with the server still held: ending it waits for its threads, which may wait for ever.
    os._exit(0)


def serve(configuration: ChildConfiguration) -> tuple[object, int]:
    """Return a running server, which must be held on to, and the port it listens on."""
    # By name: the package is one compiled module without type information.
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = configuration.file
    params.model_alias = {configuration.name}
    params.api_keys = [configuration.key]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = configuration.slots
    # One window for all slots: several replies to one prompt share its cells, and a call alone has them all.
    params.kv_unified = True
    params.n_ctx = configuration.context
    params.cpuparams.n_threads = configuration.threads
    params.cpuparams_batch.n_threads = configuration.threads
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.endpoint_metrics = True
    params.ui = False
    params.verbosity = LOG_ERRORS if configuration.log is None else LOG_ALL
    server = xllamacpp.Server(params)
    port = urlsplit(server.listening_address).port
    if port is None:
        raise RuntimeError(f"no port in {server.listening_address!r}")
    return server, port


def _answer_channel(log: str | None) -> BinaryIO:
    """Keep stdout for the one answer; whatever the library prints goes to stderr or the log."""
    answer = os.fdopen(os.dup(1), "wb", buffering=0)
    if log is not None:
        _point_at(log, 2)
    os.dup2(2, 1)
    return answer


def _point_at(path: str, descriptor: int) -> None:
    with Path(path).open("ab") as target:
        os.dup2(target.fileno(), descriptor)


def _say(answer: BinaryIO, message: dict[str, str | int]) -> None:
    answer.write(json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
