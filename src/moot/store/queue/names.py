"""Which queue a deliberation waits in: who waits for it, and what a worker must have to run it."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

RUN_FORMAT = 1
"""Raised when a Moot that knows less could no longer go on with a run, whatever its protocol."""

Lane = Literal["now", "batch", "step"]
"""Somebody waits for it; nobody does; or it calls no model, and people wait for its next step."""

LANES: tuple[Lane, ...] = ("now", "batch", "step")

STEPS_AT_ONCE = 4
"""Deliberations without members cost nothing but the store's time."""

LONGEST_NAME = 20
"""A queue's name is part of a channel's, and PostgreSQL cuts those off at 63 bytes."""


def queue_name(lane: Lane, protocol: str, version: int) -> str:
    """Return the queue of what such a protocol runs."""
    name = protocol
    if len(name.encode()) > LONGEST_NAME:
        name = hashlib.sha256(name.encode()).hexdigest()[:LONGEST_NAME]
    return f"{lane}:{name}:{version}:{RUN_FORMAT}"


def lane_of(queue: str) -> str:
    """Return who waits for what is in a queue."""
    return queue.partition(":")[0]


def queues_for(protocols: Mapping[str, int], lanes: Iterable[Lane]) -> tuple[str, ...]:
    """Return the queues of a worker that has these protocols, by name and version."""
    return tuple(queue_name(lane, name, version) for lane in lanes for name, version in sorted(protocols.items()))


@dataclass(frozen=True, slots=True)
class Room:
    """How much a worker runs at once. One place of several is kept for somebody who waits."""

    queues: tuple[str, ...]
    at_once: int

    @property
    def most(self) -> int:
        """How many jobs it has at most, those that call no model included."""
        return self.at_once + STEPS_AT_ONCE

    def open_queues(self, running: Collection[str]) -> list[str]:
        """Return the queues from which it takes another job while those of these queues run."""
        lanes = Counter(lane_of(queue) for queue in running)
        paid = lanes["now"] + lanes["batch"]
        has_now = any(lane_of(queue) == "now" for queue in self.queues)
        kept = 1 if has_now and self.at_once > 1 else 0
        open_lanes = {
            "now": paid < self.at_once,
            "batch": paid < self.at_once and lanes["batch"] < self.at_once - kept,
            "step": lanes["step"] < STEPS_AT_ONCE,
        }
        return [queue for queue in self.queues if open_lanes.get(lane_of(queue), False)]
