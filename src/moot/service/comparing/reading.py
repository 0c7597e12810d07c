"""`compare`: two to six stored deliberations side by side, for a page and for programs. Nobody is asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from moot.core.errors import BadSetting
from moot.methods.argued import ArgumentClaim, SharedClaim, shared_claims
from moot.service.comparing.columns import ReadDeliberation, column, differing_settings
from moot.service.comparing.forking import fork_points
from moot.service.comparing.values import SideBySide
from moot.service.listing import list_some
from moot.service.reading.arguments import read_argument
from moot.service.reading.folds import Folds
from moot.service.reading.heads import read_head
from moot.service.service import Service

FEWEST, MOST = 2, 6


async def compare(service: Service, folds: Folds, ids: Sequence[str], base: str | None = None) -> SideBySide:
    """Return deliberations side by side, by their whole ids; one that is named twice stands there once.

    Without a base the first is it. What a reader may see is for the caller to have checked.

    Raises:
        BadSetting: for fewer than two, more than six, or a base that is none of them.
        NotFound: where one is gone.
    """
    chosen = list(dict.fromkeys(ids))
    if not FEWEST <= len(chosen) <= MOST:
        problem = f"{len(chosen)} deliberation{'' if len(chosen) == 1 else 's'} cannot be compared; name 2 to 6"
        raise BadSetting(name="ids", problem=problem)
    first = _base(chosen, base)
    reads = [await _read(service, folds, id_) for id_ in chosen]
    beside = next(read for read in reads if read.head.id == first)
    columns = tuple(column(read, beside) for read in reads)
    return SideBySide(
        base=first,
        columns=columns,
        same_question=len({one.question for one in columns}) == 1,
        several_bases=len({one.confidence.basis for one in columns if one.confidence.basis}) > 1,
        settings=differing_settings([read.header for read in reads]),
        claims=await _claims(service, reads),
        forks=await asyncio.to_thread(fork_points, reads),
    )


def _base(ids: Sequence[str], wanted: str | None) -> str:
    if not wanted:
        return ids[0]
    named = [wanted] if wanted in ids else [id_ for id_ in ids if id_.startswith(wanted)]
    if len(named) != 1:
        raise BadSetting(name="base", problem=f"{wanted[:40]!r} is none of those compared: {', '.join(ids)}")
    return named[0]


async def _read(service: Service, folds: Folds, id_: str) -> ReadDeliberation:
    head = await read_head(service, id_)
    [listed] = await list_some(service, [id_])
    return ReadDeliberation(head, listed, await folds.read_soon(head), await read_argument(service, id_))


async def _claims(service: Service, reads: Sequence[ReadDeliberation]) -> tuple[SharedClaim, ...]:
    """The claims of all of them, with the names that a protocol gives its seats; kept, since it may take a second."""
    key = ("across", *((read.head.id, read.head.events, len(read.argument.acts)) for read in reads))
    if (kept := service.arguments.get(key)) is None:
        kept = await asyncio.to_thread(shared_claims, [_named_claims(read) for read in reads])
        service.arguments.keep(key, kept)
    return kept


def _named_claims(read: ReadDeliberation) -> list[ArgumentClaim] | None:
    argument, names = read.argument.argument, read.folded.panes.aliases
    if argument is None or not names:
        return None if argument is None else list(argument.claims)
    return [
        replace(claim, runs=tuple(replace(run, seat=names.get(run.seat or run.run, run.seat)) for run in claim.runs))
        for claim in argument.claims
    ]
