"""What other packages bring: protocols, providers, oracles and datasets, found by their entry points.

A package says in its own metadata what it brings, under one of four groups, and nothing of it is imported before it is
asked for by name. One that cannot be loaded is named, and costs nothing else.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, TypeVar

from moot.core.errors import PluginBroken, PluginClash

Group = Literal["moot.protocols", "moot.providers", "moot.oracles", "moot.datasets"]

GROUPS: tuple[Group, ...] = ("moot.protocols", "moot.providers", "moot.oracles", "moot.datasets")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One thing that an installed package brings."""

    group: Group
    name: str
    origin: str
    """The package and its version, as records keep them."""
    entry: EntryPoint

    @property
    def kind(self) -> str:
        """What it is, in one word: `protocol`, `provider`, `oracle` or `dataset`."""
        return self.group.removeprefix("moot.").removesuffix("s")

    def load(self, wanted: type[T]) -> T:
        """Return the object that the package brings.

        Raises:
            PluginBroken: where it cannot be imported, or is no such thing.
        """
        try:
            brought = self.entry.load()
        except Exception as error:
            # Whatever a foreign module raises as it is imported, the rest of Moot has no part in it.
            raise PluginBroken(what=self.kind, name=self.name, origin=self.origin, problem=told_error(error)) from error
        if not isinstance(brought, wanted):
            problem = f"{self.entry.value} is a {type(brought).__name__} and no {wanted.__name__}"
            raise PluginBroken(what=self.kind, name=self.name, origin=self.origin, problem=problem)
        return brought


def installed(group: Group) -> tuple[Plugin, ...]:
    """Return what the installed packages bring of a group, by name; nothing is imported."""
    brought = {(entry.name, _origin(entry)): entry for entry in entry_points(group=group)}
    return tuple(Plugin(group, name, origin, entry) for (name, origin), entry in sorted(brought.items(), key=_by_name))


def names(group: Group) -> tuple[str, ...]:
    """Return the names under which the installed packages bring something of a group."""
    return tuple(dict.fromkeys(plugin.name for plugin in installed(group)))


def find(group: Group, name: str) -> Plugin | None:
    """Return what is brought under a name, if anything is.

    Raises:
        PluginClash: where several packages bring something under it.
    """
    return only_one(plugin for plugin in installed(group) if plugin.name == name)


def only_one(plugins: Iterable[Plugin]) -> Plugin | None:
    """Return the plugin, if there is one.

    Raises:
        PluginClash: where there are several.
    """
    first, *others = (*plugins, None)
    if first and others[:-1]:
        origins = [first.origin, *(other.origin for other in others if other)]
        raise PluginClash(what=first.kind, name=first.name, origins=origins)
    return first


def _by_name(item: tuple[tuple[str, str], EntryPoint]) -> tuple[str, str]:
    return item[0]


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"


def told_error(error: BaseException) -> str:
    """Return an error of foreign code in one line."""
    said = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
