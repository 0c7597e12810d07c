"""What the endpoints work with: the service, what it runs in the background, the keys, and what callers may ask for."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from moot.core.ports import Clock
from moot.service.asking import AskingLimits
from moot.service.background.queued import QueuedRuns
from moot.service.background.work import WorkWaiters
from moot.service.board import Board
from moot.service.limits.paces import RateLimiter
from moot.service.open_steps import OpenSteps
from moot.service.reading.folds import Folds
from moot.service.runs import Runs
from moot.service.service import Service
from moot.service.signing.keys import Keys
from moot.service.signing.links import OneTimeLinks
from moot.service.signing.revoking import Revocations
from moot.service.signing.sessions import Sessions
from moot.service.watching import Watch
from moot.store.store import Store
from moot.web.api.assignments import Offers
from moot.web.evaluations import Evaluations


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What a caller may ask for, and how often."""

    members: tuple[str, ...] = ()
    """The member strings that a caller may name."""
    hosts: tuple[str, ...] = ()
    """Names under which the server may be reached, beside loopback and plain addresses."""
    rate: float = 50.0
    """Requests a second and key; four seconds' worth may come at once."""
    body: int = 1_000_000
    connections: int = 1000
    """Connections that may be open at once; fewer where the system gives fewer descriptors."""
    usd: float | None = None
    calls: int | None = None
    https: bool = False
    """Whether people come by https, through a proxy."""
    silent: float = 10.0
    """Seconds without a sign of life after which a worker counts as dead."""
    pause: float = 1.0
    """Seconds for which the answer to a wrong key is held back, where somebody signs in."""

    def asking(self, *, is_free: bool) -> AskingLimits:
        """Return what a caller may ask for; a free one, an admin, may go beyond a protocol's own budget."""
        return AskingLimits(self.members, self.calls, self.usd, is_free)


@dataclass(frozen=True, slots=True)
class Serving:
    """One running server."""

    service: Service
    board: Board
    open_steps: OpenSteps
    runs: Runs | QueuedRuns
    watch: Watch
    folds: Folds
    keys: Keys
    sessions: Sessions
    revocations: Revocations
    links: OneTimeLinks
    attempts: RateLimiter
    """How often somebody may try a key at the door, by address; only wrong ones count."""
    clock: Clock
    limits: ServerLimits
    offers: Offers
    evals: Evaluations
    work: WorkWaiters

    @property
    def store(self) -> Store:
        """The database."""
        return self.service.store


def _serving(request: Request) -> Serving:
    return request.app.state.serving


Here = Annotated[Serving, Depends(_serving)]
