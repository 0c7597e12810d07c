"""Workers, as callers get them."""

from typing import Literal

from pydantic import BaseModel, Field

from moot.web.api.bodies.common import Moment


class DoingView(BaseModel):
    """A deliberation in the hands of a worker."""

    id: str
    seconds: float


class WorkerView(BaseModel):
    """A worker, what it is about, and what it does."""

    id: int
    name: str = Field(examples=["machine:4242"], description="its machine, and its number there")
    moot: str
    state: Literal["working", "idle", "draining", "silent"] = Field(
        description="`silent`: it counts as dead, and what it did starts elsewhere"
    )
    queues: list[str] = Field(description="what it can run: lane, protocol, version of the protocol, run format")
    at_once: int
    since: Moment
    silent: float = Field(description="seconds since its last sign of life")
    doing: list[DoingView]


class WorkforceView(BaseModel):
    """All workers, and what waits for them."""

    workers: list[WorkerView]
    waiting: dict[str, int] = Field(description="how many deliberations wait, by queue")
    left: dict[str, int] = Field(description="of these, what no living worker can run")
