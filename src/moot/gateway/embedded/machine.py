"""What the machine has to give: cores, how much of them others leave, and memory."""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

PROBE_SECONDS = 0.2
WHOLE = 0.9
"""From this share of its time on, a core counts as free."""

# Hashing more than 2 KiB lets other threads run meanwhile, so that each of them has a core to itself if there is one.
_BLOCK = bytes(256 * 1024)


@dataclass(frozen=True, slots=True)
class Machine:
    """Physical cores this process may use, how many cores' time it got when it wanted all, free bytes of memory."""

    cores: int
    spare: float
    free_memory: int

    def threads(self) -> int:
        """Return how many threads a model should use: the physical cores, or as many as others leave whole.

        The threads of a model wait for each other at every layer: one that is kept off its core by another
        program stops all of them.
        """
        return self.cores if self.spare >= WHOLE * self.cores else max(1, int(self.spare))


def this_machine() -> Machine:
    """Return what this machine has to give right now; it takes a moment to try."""
    import psutil

    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    return Machine(cores=cores, spare=spare_cores(cores), free_memory=psutil.virtual_memory().available)


def spare_cores(cores: int, seconds: float = PROBE_SECONDS) -> float:
    """Return how many cores' time so many threads get when each of them wants one for so long."""
    with ThreadPoolExecutor(cores) as pool:
        return sum(pool.map(_share_of_a_core, [seconds] * cores))


def _share_of_a_core(seconds: float) -> float:
    begun, worked = time.perf_counter(), time.thread_time()
    while (elapsed := time.perf_counter() - begun) < seconds:
        hashlib.sha256(_BLOCK)
    return (time.thread_time() - worked) / elapsed
