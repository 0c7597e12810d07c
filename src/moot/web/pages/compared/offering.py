"""What is offered to be compared: the relatives of what is chosen, others with its question, and the latest."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.service.listing import ListedDeliberation, list_page, list_some
from moot.web.access import Caller
from moot.web.entitled import own_only
from moot.web.serving import Serving

FEW = 12
LONGEST_QUESTION = 1_000


@dataclass(frozen=True, slots=True)
class OfferedGroup:
    """Deliberations that may be ticked, and what they have in common."""

    words: str
    rows: tuple[ListedDeliberation, ...]
    ticked: bool = False


async def offered_groups(serving: Serving, caller: Caller, chosen: Sequence[str]) -> list[OfferedGroup]:
    """Return what may be ticked, each once; what the caller may not see is not among it."""
    service, reader = serving.service, own_only(caller)
    own = await list_some(service, chosen, reader)
    groups = [OfferedGroup("Chosen", tuple(own), ticked=True)]
    for row in own:
        one = row.summary
        if one.parent:
            groups.append(OfferedGroup("Its parent", tuple(await list_some(service, [one.parent], reader))))
        forks = await list_page(service, parent=one.id, limit=FEW, reader=reader)
        groups.append(OfferedGroup("Its forks", tuple(forks.rows)))
        if len(one.question) <= LONGEST_QUESTION:
            alike = await list_page(service, search=one.question, limit=FEW, reader=reader)
            groups.append(OfferedGroup("The same question", tuple(alike.rows)))
    latest = await list_page(service, limit=FEW, reader=reader)
    return _each_once([*groups, OfferedGroup("The latest", tuple(latest.rows))])


def _each_once(groups: Sequence[OfferedGroup]) -> list[OfferedGroup]:
    seen: set[str] = set()
    left = []
    for group in groups:
        rows = tuple(row for row in group.rows if row.summary.id not in seen)
        seen |= {row.summary.id for row in rows}
        left += [OfferedGroup(group.words, rows, group.ticked)] if rows else []
    return left
