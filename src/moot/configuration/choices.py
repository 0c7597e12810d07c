"""What a file, or a panel in it, says of an order that leaves something open; and which of several is heard."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from moot.configuration.problems import Problem, dotted
from moot.core.budget import Budget


@dataclass(frozen=True, slots=True)
class Said:
    """A value, and where it is written."""

    value: Any
    file: str
    key: str

    def problem(self, problem: str) -> Problem:
        """Return what is wrong with the value, with its place."""
        return Problem(self.file, problem, self.key)


@dataclass(frozen=True, slots=True)
class Choices:
    """Members, a protocol, limits and settings, each where it is said. `panel` names the panel that says them."""

    file: str
    panel: str = ""
    protocol: str | None = None
    members: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By protocol."""

    @property
    def where(self) -> str:
        """Who says it, in words."""
        return f"panel {self.panel!r} of {self.file}" if self.panel else self.file

    def said(self, value: Any, *names: str) -> Said:
        """Return one of its values with its place."""
        return Said(value, self.file, dotted((*(("panels", self.panel) if self.panel else ()), *names)))


def said_protocol(choices: Sequence[Choices]) -> Said | None:
    """Return the protocol that the first of them names."""
    return next((one.said(one.protocol, "protocol") for one in choices if one.protocol), None)


def said_members(choices: Sequence[Choices]) -> Choices | None:
    """Return the first of them that says who is asked."""
    return next((one for one in choices if one.members), None)


def said_limits(choices: Sequence[Choices]) -> dict[str, Said]:
    """Return each limit as the first that has it says it."""
    heard: dict[str, Said] = {}
    for one in reversed(choices):
        limits = {name: value for name, value in asdict(one.budget).items() if value is not None}
        heard |= {name: one.said(value, "budget", name) for name, value in limits.items()}
    return heard


def said_settings(protocol: str, choices: Sequence[Choices]) -> dict[str, Said]:
    """Return each setting of a protocol as the first that has it says it."""
    heard: dict[str, Said] = {}
    for one in reversed(choices):
        own = one.settings.get(protocol, {})
        heard |= {name: one.said(value, "settings", protocol, name) for name, value in own.items()}
    return heard


def values_of(said: Mapping[str, Said]) -> dict[str, Any]:
    """Return the values alone."""
    return {name: one.value for name, one in said.items()}
