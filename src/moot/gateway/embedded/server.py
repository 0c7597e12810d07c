"""Starting, sharing and stopping the embedded model's process."""

import asyncio
import contextlib
import json
import re
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from moot.core.errors import BadSetting, EmbeddedFailed, ExtraMissing
from moot.gateway.embedded.catalogue import MIB, Entry, smaller_than
from moot.gateway.embedded.child import PROMPT_CACHE_MIB, ChildConfiguration
from moot.gateway.embedded.machine import Machine, this_machine
from moot.gateway.providers import EMBEDDED

DEFAULT_CONTEXT = 8192
SECONDS_TO_END = 5
# -P: a folder named `moot` where the user stands must not be taken for this package.
COMMAND = (sys.executable, "-P", "-m", "moot.gateway.embedded.child")
LLAMA_ERROR = re.compile(r"^[\d.]+ E [^:]*: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ChildEndpoint:
    """Where a running model is reached; `context` is the window of one call. The key is kept out of its repr."""

    base_url: str
    key: str = field(repr=False)
    model: str
    context: int


class EmbeddedServer:
    """One model in one child process, for every seat that names it.

    `slots` replies are written at a time, within one window of `context` tokens. `threads` defaults to what the
    machine can spare. `log` names a file for llama.cpp's own log; without it nothing is logged.
    """

    def __init__(
        self,
        entry: Entry,
        file: Path,
        *,
        slots: int = EMBEDDED.at_once,
        context: int | None = None,
        threads: int | None = None,
        log: Path | None = None,
        machine: Callable[[], Machine] = this_machine,
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        self._entry = entry
        self._file = file
        self._slots = slots
        self._context = min(DEFAULT_CONTEXT, entry.context) if context is None else context
        self._threads = threads
        self._log = log
        self._machine = machine
        self._command = command
        self._one_at_a_time = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._endpoint: ChildEndpoint | None = None

    async def start(self, progress: Callable[[str], None] | None = None) -> ChildEndpoint:
        """Return where the model is served, starting it first if it is not running.

        Raises:
            BadSetting: slots, context or threads that make no sense for this model.
            EmbeddedFailed: too little memory, or the process did not start.
            ExtraMissing: the embedded extra is not installed.
        """
        async with self._one_at_a_time:
            if self._process is not None and self._process.returncode is not None:
                await self._end()
            if self._endpoint is None:
                self._endpoint = await self._launch(progress or (lambda _: None))
            return self._endpoint

    async def stop(self) -> None:
        """End the process, whatever it is doing; nothing happens if there is none."""
        async with self._one_at_a_time:
            await self._end()

    async def __aenter__(self) -> ChildEndpoint:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _launch(self, tell: Callable[[str], None]) -> ChildEndpoint:
        self._check_settings()
        check_installed()
        machine = await asyncio.to_thread(self._machine)
        self._check_memory(machine.free_memory)
        threads = self._threads or machine.threads()
        key = secrets.token_urlsafe(32)
        configuration = ChildConfiguration(
            file=str(self._file),
            name=self._entry.name,
            key=key,
            slots=self._slots,
            context=self._context,
            threads=threads,
            log=None if self._log is None else str(self._log),
        )
        tell(f"loading {self._entry.title} ({self._entry.bytes // MIB} MiB, threads: {threads}, slots: {self._slots})")
        port = await self._port_of_child(configuration)
        tell(f"{self._entry.name} is ready")
        return ChildEndpoint(f"http://127.0.0.1:{port}/v1", key, self._entry.name, self._context)

    async def _port_of_child(self, configuration: ChildConfiguration) -> int:
        pipe = asyncio.subprocess.PIPE
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, stderr=pipe
        )
        try:
            return await _ready_port(process, configuration)
        except BaseException:
            # A cancel while the model loads included: nothing may stay behind.
            await self._end(patience=0)
            raise

    async def _end(self, patience: float = SECONDS_TO_END) -> None:
        """Close the pipe, which ends the child, and kill it if that takes longer than the patience."""
        process, self._process, self._endpoint = self._process, None, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await process.wait()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _check_settings(self) -> None:
        if self._slots < 1:
            raise BadSetting(name="slots", problem=f"the embedded model needs at least 1, not {self._slots}")
        if self._threads is not None and self._threads < 1:
            raise BadSetting(name="threads", problem=f"the embedded model needs at least 1, not {self._threads}")
        if not 1 <= self._context <= self._entry.context:
            limit = f"{self._entry.name} takes 1 to {self._entry.context} tokens"
            raise BadSetting(name="context", problem=f"{limit}, not {self._context}")

    def _check_memory(self, free: int) -> None:
        tokens = self._context
        if _memory(self._entry, tokens) <= free:
            return
        fitting = [other.name for other in smaller_than(self._entry) if _memory(other, tokens) <= free]
        way_out = f"`embedded:{fitting[0]}` would fit" if fitting else "no smaller model would fit; free some memory"
        problem = (
            f"it needs about {_gigabytes(_memory(self._entry, tokens))} of memory for {tokens} tokens of context "
            f"and {_gigabytes(free)} are free; {way_out}"
        )
        raise EmbeddedFailed(model=self._entry.name, problem=problem)


async def _ready_port(process: asyncio.subprocess.Process, configuration: ChildConfiguration) -> int:
    """Configure the child and return the port it serves on, once it does."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise EmbeddedFailed(model=configuration.name, problem="its process has no pipes")
    process.stdin.write(configuration.line())
    with contextlib.suppress(ConnectionError):
        await process.stdin.drain()
    answer = _read_answer(await process.stdout.readline())
    if "port" in answer:
        return int(answer["port"])
    complaint = (await process.stderr.read()).decode(errors="replace")
    problem = _reason(answer, complaint, await process.wait())
    raise EmbeddedFailed(model=configuration.name, problem=problem)


def _memory(entry: Entry, tokens: int) -> int:
    return entry.memory(tokens) + PROMPT_CACHE_MIB * MIB


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def check_installed() -> None:
    """Do nothing where the embedded extra is installed.

    Raises:
        ExtraMissing: where it is not.
    """
    if find_spec("xllamacpp") is None or find_spec("psutil") is None:
        raise ExtraMissing(what="the embedded model", extra="embedded")


def _read_answer(line: bytes) -> dict[str, str | int]:
    try:
        answer = json.loads(line)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _reason(answer: dict[str, str | int], complaint: str, code: int) -> str:
    """Return what went wrong, from the most telling place that has it."""
    if match := LLAMA_ERROR.search(complaint):
        return match[1].strip().rstrip(".")
    if "error" in answer:
        return str(answer["error"]).rstrip(".")
    last = complaint.strip().splitlines()[-1:] or ["it gave no reason"]
    return f"its process ended with code {code} while loading: {last[0].rstrip('.')}"
