"""The part that a protocol itself has in showing a record, where it is installed: words, report, files and panes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter

from moot.core.errors import UnknownProtocol, UsageError
from moot.core.panes import Panes
from moot.core.protocol import ProtocolSpec
from moot.core.record import Record
from moot.core.telling import Narrator, Telling
from moot.service.planning import Protocols
from moot.views.plain_panes import plain_panes
from moot.views.words import one_line

LONGEST_FAULT = 160


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

    @property
    def panes(self) -> Panes:
        """What a page shows of it: the protocol's own, or what any record tells. A fault in its own stops nothing."""
        if self.spec is None or self.spec.panes is None:
            return self._plain(self.absence)
        try:
            own = self.spec.panes(self.record)
            # What another package brings may be anything: a page must not be the first to see it.
            return _sound(own) if self.spec.origin else own
        except Exception as error:
            fault = one_line(f"{type(error).__name__}: {error}", LONGEST_FAULT)
            return self._plain(
                f"what {self.spec.name} shows of its own could not be made ({fault}): shown as any record is"
            )

    def _plain(self, note: str) -> Panes:
        return replace(plain_panes(self.record, self.narrator), note=note)


def protocol_part(record: Record, find_protocol: Protocols) -> ProtocolPart:
    """Return the protocol's part of a record; the record can be shown and exported without it."""
    name = record.header.protocol
    try:
        return ProtocolPart(record, find_protocol(name))
    except UsageError as error:
        state = "is not installed" if isinstance(error, UnknownProtocol) else "cannot be used"
        return ProtocolPart(record, None, f"its protocol {name} {state} here: shown without its report")


def _sound(panes: Panes) -> Panes:
    """Return the panes, whose every part is of its type.

    Raises:
        ValueError: where one is not.
    """
    _reader().validate_python(_reader().dump_python(panes, warnings=False))
    return panes


@cache
def _reader() -> TypeAdapter[Panes]:
    return TypeAdapter(Panes)
