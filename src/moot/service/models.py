"""Which models there are for whoever looks here: the embedded ones, and those of every provider within reach."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.core.errors import PluginBroken, PluginClash
from moot.gateway.embedded.catalogue import CATALOGUE, Entry
from moot.gateway.embedded.fetch import is_stamped
from moot.gateway.keys import key_from
from moot.gateway.model_lists import ModelList, list_all_models
from moot.gateway.providers import EMBEDDED, Provider, find_provider, provider_names
from moot.service.configuring import product_settings


@dataclass(frozen=True, slots=True)
class Models:
    """The models within reach, and what is not."""

    embedded: tuple[tuple[Entry, bool], ...]
    """Each with whether its weights are here."""
    lists: tuple[ModelList, ...]
    """Those of providers that answered."""
    silent: tuple[ModelList, ...]
    """Providers with a key, or on this machine, that gave no list."""
    without_key: tuple[Provider, ...]


async def find_models(
    environ: Mapping[str, str], *, local: bool = False, providers: Sequence[Provider] | None = None
) -> Models:
    """Return the models within reach; with `local`, nothing leaves this machine.

    Raises:
        BadConfiguration: where a moot.toml cannot be used.
    """
    cache = product_settings(environ).cache
    rows = [row for row in (usable_providers() if providers is None else providers) if row.kind == "http"]
    near = [row for row in rows if not (local and row.leaves_machine)]
    has_key = {row.name: key_from(environ, row.keys) is not None for row in near}
    without = tuple(row for row in near if row.needs_key and not has_key[row.name])
    asked = [row for row in near if row not in without]
    lists = await list_all_models(asked, environ)
    return Models(
        embedded=tuple((entry, is_stamped(cache / entry.file, entry)) for entry in CATALOGUE),
        lists=tuple(found for found in lists if not found.problem),
        silent=tuple(found for found in lists if found.problem),
        without_key=without,
    )


def usable_providers() -> list[Provider]:
    """Return Moot's own providers and those of installed packages; what cannot be used is left out."""
    usable: list[Provider] = []
    for name in provider_names():
        try:
            row = find_provider(name)
        except (PluginBroken, PluginClash):
            continue
        usable += [row] if row else []
    return usable


def known_members() -> list[tuple[str, str]]:
    """Return members that anybody may name, each with what it is; nobody is asked."""
    embedded = [(f"{EMBEDDED.name}:{entry.name}", entry.title) for entry in CATALOGUE]
    defaults = [
        (f"{row.name}:{row.default_model}", f"the usual model of {row.name}")
        for row in usable_providers()
        if row.default_model and row is not EMBEDDED
    ]
    return [*defaults, *embedded]
