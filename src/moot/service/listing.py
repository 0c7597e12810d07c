"""`list`: the stored deliberations that fit, in an order, with what each came to and what it took."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from moot.core.budget import Spent
from moot.core.errors import BadSetting
from moot.core.moments import iso_moment, moment_of
from moot.core.near_names import did_you_mean
from moot.core.verdict import Status
from moot.service.service import Service
from moot.store.lists import ListFilters, Sort, Summary

MOST_LISTED = 1_000_000


@dataclass(frozen=True, slots=True)
class ListedDeliberation:
    """A deliberation in one line, with what it took."""

    summary: Summary
    cost: Spent
    """Calls, tokens and dollars as the journal has them; seconds only of one that has ended."""
    stalled: bool
    """Whether it counts as running while no process works on it."""
    forks: int = 0
    contests: int = 0
    """How many contests of its claims nobody has taken back."""
    stopped: bool = False
    """Whether it is stalled because it was stopped at a server."""

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
            "ended": iso_moment(row.ended),
            "seconds": row.seconds,
            "answer": row.answer,
            "confidence": row.confidence,
            "basis": row.basis,
            "models": list(row.models),
            "owner": row.owner_name or row.owner,
            "forks": self.forks,
            "contests": self.contests,
        }


@dataclass(frozen=True, slots=True)
class ListPage:
    """Some of the deliberations that fit, and how many do."""

    rows: Sequence[ListedDeliberation]
    total: int
    next: int | None
    """Give it as `after` for the page behind this one; None at the end."""

    @property
    def more(self) -> int:
        """How many fit beside those of this page."""
        return max(0, self.total - len(self.rows))


async def list_page(
    service: Service,
    *,
    limit: int | None = None,
    protocol: str | None = None,
    status: str | None = None,
    search: str | None = None,
    model: str | None = None,
    owner: str | None = None,
    parent: str | None = None,
    since: str | None = None,
    until: str | None = None,
    sort: Sort = "newest",
    after: int | None = None,
    reader: str | None = None,
) -> ListPage:
    """Return the deliberations that fit, a page at a time; a filter that is empty takes any.

    `search` is a text that the question or the answer holds, `model` one that the name of a model holds, `owner` the
    name or the prefix of a key. `since` and `until` are days or moments (ISO 8601); `until` a day is to its end.
    `reader` is the prefix of a key that may see only its own. `after` is the `next` of the page before.

    Raises:
        BadSetting: for a status or a moment that there is not, or a limit below 1.
    """
    if limit is not None and not 1 <= limit <= MOST_LISTED:
        raise BadSetting(name="limit", problem=f"{limit} is no number of rows; give 1 to {MOST_LISTED:,}")
    filters = ListFilters(
        protocol=protocol or None,
        status=_status(status) if status else None,
        search=search or None,
        model=model or None,
        owner=owner or None,
        reader=reader,
        parent=parent or None,
        since=moment_given("since", since) if since else None,
        until=moment_given("until", until, end_of_day=True) if until else None,
    )
    stored = service.store.deliberations
    rows = await stored.page(filters, sort=sort, limit=limit, after=after)
    is_whole = after is None and (limit is None or len(rows) < limit)
    return ListPage(
        await _listed(service, rows),
        total=len(rows) if is_whole else await stored.count(filters),
        next=rows[-1].number if limit is not None and len(rows) == limit else None,
    )


async def list_some(service: Service, ids: Sequence[str], reader: str | None = None) -> list[ListedDeliberation]:
    """Return these deliberations as a list shows them, newest first, without those that the reader may not see."""
    filters = ListFilters(ids=tuple(ids), reader=reader)
    return await _listed(service, await service.store.deliberations.page(filters))


async def _listed(service: Service, rows: Sequence[Summary]) -> list[ListedDeliberation]:
    store, ids = service.store, [row.id for row in rows]
    costs = await store.journals.spent(ids)
    forks, contests = await store.deliberations.forks(ids), await store.deliberations.contests(ids)
    stalled = await service.stalled(rows)
    stopped = await service.stopped(stalled)
    return [
        ListedDeliberation(
            row, costs[row.id], row.id in stalled, forks.get(row.id, 0), contests.get(row.id, 0), row.id in stopped
        )
        for row in rows
    ]


def _status(word: str) -> str:
    try:
        return Status(word.strip().lower()).value
    except ValueError:
        there = [status.value for status in Status]
        meant = did_you_mean(word, there)
        problem = f"there is no status {word[:40]!r}; {meant}there are {', '.join(there)}"
        raise BadSetting(name="status", problem=problem) from None


def moment_given(name: str, text: str, *, end_of_day: bool = False) -> float:
    """Return the moment that somebody gave under a name: a day or a moment in ISO 8601.

    Raises:
        BadSetting: for what is neither.
    """
    try:
        return moment_of(text, end_of_day=end_of_day)
    except ValueError:
        problem = f"{text[:40]!r} is no day and no moment; write 2026-01-31 or 2026-01-31T09:30:00+00:00"
        raise BadSetting(name=name, problem=problem) from None
