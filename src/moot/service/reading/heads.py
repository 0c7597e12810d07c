"""What stands above every page of a deliberation: what was asked, where it stands, what it took.

A record may have a hundred thousand events; a head reads the first and the last of them.
"""

from dataclasses import dataclass

from moot.core.budget import Spent
from moot.core.events import Ended, Header, Started, event_from
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.service.protocol_part import protocol_part
from moot.service.service import Service
from moot.store.lists import Summary


@dataclass(frozen=True, slots=True)
class DeliberationHead:
    """A deliberation without what was said in it."""

    id: str
    header: Header
    status: Status
    stalled: bool
    """Whether it counts as running while no process works on it."""
    started: float
    owner: str | None
    events: int
    spent: Spent
    verdict: Verdict | None
    rounds: str
    """The word for the protocol's own page; empty where it has none."""
    argument: bool
    """Whether an argument is drawn of it, or will be."""
    absence: str
    """Why the protocol's own words and panes are missing; empty where it is installed."""
    stopped: bool = False
    """Whether it is stalled because it was stopped at a server."""


async def read_head(service: Service, prefix: str) -> DeliberationHead:
    """Return the head of a deliberation, by its id or the start of it.

    Raises:
        NotFound: where there is none.
    """
    deliberations = service.store.deliberations
    id_ = await deliberations.resolve(prefix)
    summary = await deliberations.summary(id_)
    header = await deliberations.header(id_)
    last = (await deliberations.reached([id_]))[id_].last
    verdict = await _verdict(service, summary, last) if Status(summary.status).ended else None
    part = protocol_part(Record((Started(header),)), service.find_protocol)
    first = part.panes
    stalled = await service.stalled([summary])
    return DeliberationHead(
        id=id_,
        header=header,
        status=Status(summary.status),
        stalled=bool(stalled),
        started=summary.started,
        owner=summary.owner,
        events=last + 1,
        spent=(await service.store.journals.spent([id_]))[id_],
        verdict=verdict,
        rounds=first.rounds,
        argument="graph" in verdict.detail if verdict else first.argument,
        absence=part.absence,
        stopped=bool(await service.stopped(stalled)),
    )


async def _verdict(service: Service, summary: Summary, last: int) -> Verdict | None:
    """The verdict of what has ended: one with a large argument takes a while to read, and never changes."""
    key = (summary.id, summary.started, last)
    if (kept := service.verdicts.get(key)) is None:
        kept = await _read_verdict(service, summary.id, last)
        service.verdicts.keep(key, kept)
    return kept


async def _read_verdict(service: Service, id_: str, last: int) -> Verdict | None:
    texts = await service.store.deliberations.events(id_, last - 1)
    event = event_from(texts[-1][1]) if texts else None
    return event.verdict if isinstance(event, Ended) else None
