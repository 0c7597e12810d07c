"""The table of protocols. A new one is a row here and a folder beside this file."""

from collections.abc import Mapping
from importlib import import_module

from moot.core.errors import UnknownProtocol
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

WITH_DOCUMENTS = "interrogation"
"""What `ask` uses without --protocol, where documents or a task are given."""

WITHOUT_DOCUMENTS = "spiral"


def find_protocol(name: str) -> ProtocolSpec:
    """Return the protocol of this name.

    Raises:
        UnknownProtocol: where there is none.
    """
    if name not in PROTOCOLS:
        raise UnknownProtocol(name=name, known=PROTOCOLS)
    module, _, attribute = PROTOCOLS[name].partition(":")
    return getattr(import_module(module), attribute)
