"""What the two remote sources share: how they report, and how one says that the next must try."""

from typing import Protocol

from moot.gateway.embedded.catalogue import Entry
from moot.gateway.embedded.progress import FetchProgress, ShowProgress


class SourceFailed(Exception):
    """One source did not give the file; the reason ends up in `FetchFailed` if no other gives it."""


class Tell(Protocol):
    """Report bytes that are there, or a sentence."""

    def __call__(self, done: int, note: str = "") -> None:
        """Report."""
        ...


def teller(entry: Entry, source: str, show: ShowProgress) -> Tell:
    """Return a `tell` that speaks for one source of one model."""

    def tell(done: int, note: str = "") -> None:
        show(FetchProgress(model=entry.name, source=source, done=done, total=entry.bytes, note=note))

    return tell
