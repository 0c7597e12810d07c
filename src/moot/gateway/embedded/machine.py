"""What the machine has to give: cores, how busy they are, and memory."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """Physical cores this process may use, the load of the last minute (None: unknown), free bytes of memory."""

    cores: int
    load: float | None
    free_memory: int

    def is_busy(self) -> bool:
        """Tell whether others already keep nearly all cores at work."""
        return self.load is not None and self.load > self.cores - 0.5

    def threads(self) -> int:
        """Return how many threads a model should use: the physical cores, one fewer on a busy machine.

        The threads of a model wait for each other at every layer: one that is kept off its core by another
        program stops all of them.
        """
        return max(1, self.cores - 1) if self.is_busy() else self.cores


def this_machine() -> Machine:
    """Return what this machine has to give right now."""
    import psutil

    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return Machine(cores=cores, load=load, free_memory=psutil.virtual_memory().available)
