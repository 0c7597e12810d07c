"""Whether what other packages bring can be used, each found as it is where it is used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from moot.core.errors import UsageError
from moot.gateway.providers import find_provider
from moot.plugins import GROUPS, Plugin, installed
from moot.protocols import find_protocol


@dataclass(frozen=True, slots=True)
class Plugged:
    """A plugin, and what is wrong with it; empty where nothing is."""

    plugin: Plugin
    problem: str


def all_plugged() -> Iterator[Plugged]:
    """Yield every installed plugin, each tried by loading it."""
    for plugin in (plugin for group in GROUPS for plugin in installed(group)):
        try:
            _use(plugin)
        except UsageError as error:
            yield Plugged(plugin, str(error))
        else:
            yield Plugged(plugin, "")


def _use(plugin: Plugin) -> None:
    match plugin.group:
        case "moot.protocols":
            find_protocol(plugin.name)
        case "moot.providers":
            find_provider(plugin.name)
        case "moot.oracles":
            # Oracles bring mathematics with them, and most commands need none.
            from moot.methods.offering import further_oracles

            further_oracles([plugin.name])
        case "moot.datasets":
            plugin.load(Callable)
