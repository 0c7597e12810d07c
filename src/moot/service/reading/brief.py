"""A deliberation without what was said in it: its first and its last event, and what the journal sums up."""

from dataclasses import replace

from moot.core.events import Ended, Started, event_from
from moot.core.record import Record
from moot.core.verdict import Status
from moot.service.results import Result
from moot.service.service import Service


async def read_brief(service: Service, prefix: str) -> Result:
    """Return a deliberation as `show` does, with a record of its beginning and its end alone."""
    stored = service.store.deliberations
    deliberation = await stored.resolve(prefix)
    summary = await stored.summary(deliberation)
    if not Status(summary.status).ended:
        return await service.show(deliberation)
    last = (await stored.reached([deliberation]))[deliberation].last
    events = [event_from(text) for _, text in await stored.events_at(deliberation, [last])]
    ending = [event for event in events if isinstance(event, Ended)]
    record = Record((Started(await stored.header(deliberation)), *ending))
    spent = (await service.store.journals.spent([deliberation]))[deliberation]
    return Result(deliberation, record, Status(summary.status), replace(spent, seconds=summary.seconds or 0.0))
