"""The table of protocols: Moot's own, each a folder beside this file, and what other packages and files bring."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module

from moot import plugins
from moot.core.errors import PluginBroken, PluginClash, UnknownProtocol, UsageError
from moot.core.protocol import ProtocolSpec

PROTOCOLS: Mapping[str, str] = {
    "single": "moot.protocols.single.protocol:SINGLE",
    "vote": "moot.protocols.vote.protocol:VOTE",
    "coherence": "moot.protocols.coherence.protocol:COHERENCE",
    "spiral": "moot.protocols.spiral.protocol:SPIRAL",
    "interrogation": "moot.protocols.interrogation.protocol:INTERROGATION",
    "debate": "moot.protocols.debate.protocol:DEBATE",
    "prism": "moot.protocols.prism.protocol:PRISM",
}
"""Moot's own. Nothing that is brought takes one of these names away."""

WITH_DOCUMENTS = "interrogation"
"""What `ask` uses without --protocol, where documents or a task are given."""

WITHOUT_DOCUMENTS = "spiral"

FindProtocol = Callable[[str], ProtocolSpec]


def find_protocol(name: str) -> ProtocolSpec:
    """Return the protocol of this name: one of Moot's own, or of an installed package.

    Raises:
        UnknownProtocol: where there is none.
        PluginBroken, PluginClash: where what is installed under the name cannot be used.
    """
    if name in PROTOCOLS:
        module, _, attribute = PROTOCOLS[name].partition(":")
        return getattr(import_module(module), attribute)
    if plugin := plugins.find("moot.protocols", name):
        return _brought(plugin.load(ProtocolSpec), plugin.origin, name)
    raise UnknownProtocol(name=name, known=protocol_names())


def protocol_names() -> tuple[str, ...]:
    """Return the names of Moot's own protocols and of the installed ones; none is loaded."""
    return (*PROTOCOLS, *(name for name in plugins.names("moot.protocols") if name not in PROTOCOLS))


def all_protocols() -> tuple[list[ProtocolSpec], list[UsageError]]:
    """Return every protocol that can be used, and why each of the others cannot."""
    usable: list[ProtocolSpec] = []
    broken: list[UsageError] = []
    for name in protocol_names():
        try:
            usable.append(find_protocol(name))
        except (PluginBroken, PluginClash) as error:
            broken.append(error)
    return usable, broken


def import_protocol(reference: str) -> ProtocolSpec:
    """Return the protocol that `package.module:NAME` or a file of Python holds.

    Raises:
        BadReference: where it holds none, or cannot be run.
        PluginBroken: where it takes the name of one of Moot's own.
    """
    brought = plugins.import_reference(reference, ProtocolSpec, what="protocol")
    return _brought(brought.value, brought.origin, brought.value.name)


class BroughtProtocols:
    """Finds protocols as `find_protocol` does, and beside them those of one's own.

    A reference is imported where it is asked for, and is found by its protocol's name from then on. Only for callers
    who may run code here.
    """

    def __init__(self, *brought: ProtocolSpec) -> None:
        self._own = {spec.name: _own(spec) for spec in brought}

    def __call__(self, name: str) -> ProtocolSpec:
        """Return the protocol of this name, or that a reference names.

        Raises:
            UnknownProtocol, BadReference, PluginBroken, PluginClash: as `find_protocol` and `import_protocol` do.
        """
        if plugins.is_reference(name):
            spec = import_protocol(name)
            self._own[spec.name] = spec
            return spec
        return self._own[name] if name in self._own else find_protocol(name)


def _own(spec: ProtocolSpec) -> ProtocolSpec:
    """A protocol that a program hands over, with where its function comes from."""
    if spec.origin or (spec.name in PROTOCOLS and spec == find_protocol(spec.name)):
        return spec
    return _brought(spec, plugins.origin_of(sys.modules[spec.run.__module__]), spec.name)


def _brought(spec: ProtocolSpec, origin: str, name: str) -> ProtocolSpec:
    """The protocol with where it comes from, under the one name by which records know it."""
    if spec.name != name:
        problem = f"it is installed as {name!r} and calls itself {spec.name!r}; both names must be the same"
        raise PluginBroken(what="protocol", name=name, origin=origin, problem=problem)
    if name in PROTOCOLS:
        problem = "Moot has a protocol of this name; give it another"
        raise PluginBroken(what="protocol", name=name, origin=origin, problem=problem)
    return replace(spec, origin=origin)
