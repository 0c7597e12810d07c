"""`list`: the stored deliberations that fit, newest first, with what each took."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from moot.core.budget import Spent
from moot.core.errors import BadSetting
from moot.core.moments import iso_moment
from moot.core.near_names import did_you_mean
from moot.core.verdict import Status
from moot.service.service import Service
from moot.store.deliberations import Summary

MOST_LISTED = 1_000_000


@dataclass(frozen=True, slots=True)
class ListedDeliberation:
    """A deliberation in one line, with what it took."""

    summary: Summary
    cost: Spent
    """Calls, tokens and dollars as the journal has them; how long they took is not summed."""
    stalled: bool
    """Whether it counts as running while no process works on it."""

    def json(self) -> dict[str, Any]:
        """Return it as `moot list --json` prints it."""
        row = self.summary
        cost = {name: value for name, value in asdict(self.cost).items() if name != "seconds"}
        return {
            "id": row.id,
            "protocol": row.protocol,
            "status": row.status,
            "question": row.question,
            "started": iso_moment(row.started),
            "stalled": self.stalled,
            "parent": row.parent,
            "cost": cost,
        }


@dataclass(frozen=True, slots=True)
class ListPage:
    """The newest deliberations that fit, and how many more do."""

    rows: Sequence[ListedDeliberation]
    more: int


async def list_page(
    service: Service,
    *,
    limit: int | None = None,
    protocol: str | None = None,
    status: str | None = None,
    search: str | None = None,
) -> ListPage:
    """Return the newest deliberations that fit; `search` is a text that the question holds.

    Raises:
        BadSetting: for a status that there is not, or a limit below 1.
    """
    if limit is not None and not 1 <= limit <= MOST_LISTED:
        raise BadSetting(name="limit", problem=f"{limit} is no number of rows; give 1 to {MOST_LISTED:,}")
    wanted = None if status is None else _status(status)
    store = service.store
    rows = await store.deliberations.newest(limit, protocol, status=wanted, search=search)
    cut = limit is not None and len(rows) == limit
    there = await store.deliberations.count(protocol, status=wanted, search=search) if cut else len(rows)
    costs = await store.journals.spent([row.id for row in rows])
    stalled = await service.stalled(rows)
    listed = [ListedDeliberation(row, costs[row.id], row.id in stalled) for row in rows]
    return ListPage(listed, more=max(0, there - len(rows)))


def _status(word: str) -> str:
    try:
        return Status(word.strip().lower()).value
    except ValueError:
        there = [status.value for status in Status]
        meant = did_you_mean(word, there)
        problem = f"there is no status {word[:40]!r}; {meant}there are {', '.join(there)}"
        raise BadSetting(name="status", problem=problem) from None
