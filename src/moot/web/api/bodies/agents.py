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
    revoked: Moment | None

    @classmethod
    def of(cls, key: Key) -> "AgentView":
        """Return a key as it may be shown."""
        shown = {"name": key.name, "prefix": key.prefix, "scopes": key.scopes}
        return cls.model_validate({**shown, "made": iso_moment(key.made), "revoked": iso_moment(key.revoked)})


class MadeAgent(AgentView):
    """A new key, shown this once."""

    key: str = Field(examples=["moot_0a1b2c3d_…"])


class Health(BaseModel):
    """Whether the server can work."""

    status: Literal["ok", "stopping"]
    moot: str
    running: int = Field(description="deliberations under way here")
    queued: int
