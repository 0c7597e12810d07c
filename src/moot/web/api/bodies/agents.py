"""Keys and the server's health, as callers get them."""

from typing import Literal

from pydantic import BaseModel, Field

from moot.core.moments import iso_moment
from moot.store.keys import Key
from moot.web.api.bodies.common import Moment, Scope


class AgentView(BaseModel):
    """Somebody with a key; the key itself is shown once and kept nowhere."""

    name: str
    prefix: str = Field(examples=["moot_0a1b2c3d"])
    scopes: tuple[Scope, ...]
    made: Moment
    seen: Moment | None = Field(description="when it was used last, to the minute; null where it never was")
    revoked: Moment | None

    @classmethod
    def of(cls, key: Key) -> "AgentView":
        """Return a key as it may be shown."""
        moments = {name: iso_moment(getattr(key, name)) for name in ("made", "seen", "revoked")}
        return cls.model_validate({"name": key.name, "prefix": key.prefix, "scopes": key.scopes, **moments})


class MadeAgent(AgentView):
    """A new key, shown this once."""

    key: str = Field(examples=["moot_0a1b2c3d_…"])


class Health(BaseModel):
    """Whether the server can work."""

    status: Literal["ok", "stopping", "no_workers", "left"] = Field(
        description="`no_workers`: no worker has been seen for 30 s; `left`: none of those seen can run what waits"
    )
    moot: str
    running: int = Field(description="deliberations under way, here or, with workers, anywhere")
    queued: int
    workers: int | None = Field(description="workers that have been seen lately; null where the server runs all itself")
