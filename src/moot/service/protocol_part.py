"""The part that a protocol itself has in showing a record, where it is installed: its words, report and files."""

from collections.abc import Mapping
from dataclasses import dataclass

from moot.core.errors import UnknownProtocol, UsageError
from moot.core.protocol import ProtocolSpec
from moot.core.record import Record
from moot.core.telling import Narrator, Telling
from moot.service.planning import Protocols


@dataclass(frozen=True, slots=True)
class ProtocolPart:
    """What the protocol of a record makes of it."""

    record: Record
    spec: ProtocolSpec | None
    absence: str = ""
    """The line that says why the protocol makes nothing of it; empty where the protocol is here."""

    @property
    def report(self) -> str:
        """The protocol's own report, in Markdown; in its place, where the protocol is not here, why there is none."""
        if self.spec is None:
            return self.absence
        return self.spec.report(self.record) if self.spec.report and self.record.verdict else ""

    @property
    def narrator(self) -> Narrator:
        """Who tells of it in the protocol's own words; where the protocol is not here, by names and values."""
        return Narrator(self.spec.telling if self.spec else Telling(), self.record.header.settings)

    @property
    def files(self) -> Mapping[str, str]:
        """The protocol's own files in an export."""
        return self.spec.files(self.record) if self.spec and self.spec.files else {}


def protocol_part(record: Record, find_protocol: Protocols) -> ProtocolPart:
    """Return the protocol's part of a record; the record can be shown and exported without it."""
    name = record.header.protocol
    try:
        return ProtocolPart(record, find_protocol(name))
    except UsageError as error:
        state = "is not installed" if isinstance(error, UnknownProtocol) else "cannot be used"
        return ProtocolPart(record, None, f"its protocol {name} {state} here: shown without its report")
