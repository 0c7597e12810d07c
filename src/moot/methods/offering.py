"""Which oracles a run offers: Moot's own always, and those of other packages that a setting names (ruling S7).

An oracle that is merely installed changes no prompt: a run offers what its settings say, and the record has both.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from moot import plugins
from moot.core.errors import BadSetting, PluginBroken
from moot.oracles import ORACLES, Oracle


def _listed(value: Any) -> Any:
    """Names with commas between them, as a command line gives them."""
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


FurtherOracles = Annotated[
    tuple[str, ...],
    BeforeValidator(_listed),
    Field(description="oracles of other packages to offer beside Moot's own, by commas"),
]


def further_oracles(names: Iterable[str]) -> dict[str, Oracle]:
    """Return the oracles of other packages by their kinds.

    Raises:
        BadSetting: for a name that no installed package brings.
        PluginBroken, PluginClash: for one that cannot be used.
    """
    return {name: _oracle(name) for name in names}


def oracle_origins(names: Iterable[str]) -> Mapping[str, str]:
    """Return the package and version of each of these oracles that is installed, as records keep them."""
    brought = {name: plugins.find("moot.oracles", name) for name in names}
    return {f"oracle {name}": plugin.origin for name, plugin in brought.items() if plugin}


def _oracle(name: str) -> Oracle:
    plugin = plugins.find("moot.oracles", name)
    if plugin is None or name in ORACLES:
        there = ", ".join(plugins.names("moot.oracles")) or "none"
        problem = f"no installed package brings an oracle {name!r}; installed are {there}"
        raise BadSetting(name="oracles", problem=problem)
    oracle = plugin.load(Oracle)
    if oracle.kind != name:
        problem = f"it is of the kind {oracle.kind!r}; both names must be the same"
        raise PluginBroken(what="oracle", name=name, origin=plugin.origin, problem=problem)
    return oracle
