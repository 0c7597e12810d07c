"""The models that a server offers: its protocols, the modes of one that has modes, and the panels of its moot.toml."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from moot.core.errors import NoSuchModel, UsageError
from moot.core.near_names import nearest
from moot.core.protocol import Settings
from moot.protocols import protocol_names
from moot.service.service import Service

PREFIX = "moot/"
MODE = "mode"
"""The setting by which a protocol has several ways to go about it."""


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model of a chat, and what it stands for in an order."""

    id: str
    summary: str
    protocol: str | None = None
    panel: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Return it as a list of models has it."""
        # Nobody knows when a protocol was made, and clients want a number.
        return {"id": self.id, "object": "model", "created": 0, "owned_by": "moot", "summary": self.summary}


def offered_models(service: Service) -> list[OfferedModel]:
    """Return every model that can be named: of two of one name the protocol, which is the first."""
    models: dict[str, OfferedModel] = {}
    protocols = (model for name in protocol_names() for model in _protocol(service, name))
    for model in (*protocols, *_panels(service)):
        models.setdefault(model.id, model)
    return list(models.values())


def find_model(service: Service, name: str) -> OfferedModel:
    """Return the model of a name.

    Raises:
        NoSuchModel: where the server offers none of that name.
    """
    # Not by way of all of them: to look what is installed takes longer than all else of a chat.
    bare = name.removeprefix(PREFIX)
    candidates = (*_protocol(service, bare.partition(":")[0]), *_panels(service)) if bare != name else ()
    for model in candidates:
        if model.id == name:
            return model
    # Two names that have nothing in common but the prefix are not near.
    near = nearest(bare, [model.id.removeprefix(PREFIX) for model in offered_models(service)])
    raise NoSuchModel(name=name, near=f"did you mean {PREFIX}{near}? " if near else "")


def _protocol(service: Service, name: str) -> Iterator[OfferedModel]:
    try:
        row = service.find_protocol(name)
    except UsageError:
        # One that is installed and broken is told of by `moot doctor` and by /api/v1/offers.
        return
    yield OfferedModel(f"{PREFIX}{name}", row.summary, protocol=name)
    for mode in _modes(row.settings):
        yield OfferedModel(f"{PREFIX}{name}:{mode}", f"{row.summary} ({mode})", protocol=name, settings={MODE: mode})


@cache
def _modes(settings: type[Settings]) -> tuple[str, ...]:
    """The modes that a protocol's settings have; the schema of all settings takes milliseconds to write."""
    schema = settings.model_json_schema().get("properties", {})
    return tuple(mode for mode in schema.get(MODE, {}).get("enum", []) if isinstance(mode, str))


def _panels(service: Service) -> Iterator[OfferedModel]:
    # The server told of one that cannot be asked when it started; a caller can do nothing about it.
    for name in (name for name, problem in service.planner.panels.items() if not problem):
        yield OfferedModel(f"{PREFIX}{name}", f"the panel {name!r} of this server's moot.toml", panel=name)
