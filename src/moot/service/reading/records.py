"""The run events of a deliberation a window at a time, and those that somebody looks for among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.core.errors import BadSetting
from moot.core.events import Event, event_from
from moot.core.near_names import did_you_mean
from moot.service.reading.event_filter import KINDS, EventFilter
from moot.service.service import Service

MOST_AT_ONCE = 1_000
LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some run events of a deliberation with their seqs, in order."""

    texts: tuple[tuple[int, str], ...]
    """Each as it is stored."""
    total: int
    """How many fit; without a filter, how many there are."""
    first: int | None
    last: int | None
    """The seqs of the first and of the last that fit; None where none does."""
    hits: tuple[int, ...] = ()
    """With a filter, the seqs of all that fit."""

    @property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """Each as a value."""
        return tuple((seq, event_from(text)) for seq, text in self.texts)


async def record_page(
    service: Service,
    prefix: str,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int = 100,
    kind: str | None = None,
    seat: str | None = None,
    step: str | None = None,
    q: str | None = None,
    failures: bool = False,
) -> RecordPage:
    """Return a window of the run events that fit: the first past `after`, or the last before `before`.

    Given both, those between them from the first on. Without a filter no other event is read.

    Raises:
        BadSetting: for a limit or a kind that there is not.
    """
    if not 1 <= limit <= MOST_AT_ONCE:
        raise BadSetting(name="limit", problem=f"{limit} is no number of events; give 1 to {MOST_AT_ONCE}")
    deliberation = await service.store.deliberations.resolve(prefix)
    wanted = _filter(kind, seat, step, q, failures=failures)
    if wanted.takes_all:
        return await _window(service, deliberation, after, before, limit)
    hits = await service.store.deliberations.scan_events(deliberation, wanted.fits)
    between = [hit for hit in hits if (after is None or hit > after) and (before is None or hit < before)]
    shown = between[-limit:] if before is not None and after is None else between[:limit]
    return _page(await service.store.deliberations.events_at(deliberation, shown), hits)


async def find_events(
    service: Service,
    prefix: str,
    *,
    kind: str | None = None,
    seat: str | None = None,
    step: str | None = None,
    q: str | None = None,
    failures: bool = False,
) -> tuple[int, ...]:
    """Return the seqs of all run events that fit, in order.

    Raises:
        BadSetting: for a kind that there is not.
    """
    deliberation = await service.store.deliberations.resolve(prefix)
    wanted = _filter(kind, seat, step, q, failures=failures)
    return tuple(await service.store.deliberations.scan_events(deliberation, wanted.fits))


async def _window(service: Service, deliberation: str, after: int | None, before: int | None, limit: int) -> RecordPage:
    stored = service.store.deliberations
    last = (await stored.reached([deliberation]))[deliberation].last
    if before is not None and after is None:
        texts = await stored.events_before(deliberation, min(before, LARGEST), limit)
    else:
        texts = await stored.events(deliberation, -1 if after is None else min(after, LARGEST), limit)
    shown = [(seq, text) for seq, text in texts if before is None or seq < before]
    return RecordPage(tuple(shown), last + 1, 0 if last >= 0 else None, last if last >= 0 else None)


def _page(texts: Sequence[tuple[int, str]], hits: Sequence[int]) -> RecordPage:
    first, last = (hits[0], hits[-1]) if hits else (None, None)
    return RecordPage(tuple(texts), len(hits), first, last, tuple(hits))


def _filter(kind: str | None, seat: str | None, step: str | None, q: str | None, *, failures: bool) -> EventFilter:
    if kind and kind not in KINDS:
        meant = did_you_mean(kind, KINDS)
        raise BadSetting(name="kind", problem=f"there is no {kind[:40]!r}; {meant}there are {', '.join(KINDS)}")
    return EventFilter(kind or None, seat or None, step or None, q or None, failures)
