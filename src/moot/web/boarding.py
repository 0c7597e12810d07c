"""What callers do on the board, the same for the API and for pages: find work, read documents, clear flags."""

from typing import Any

from moot.core.errors import NoSlots, NotFound, NotYours
from moot.core.ports import OpenStep
from moot.core.question import Document
from moot.web.access import ADMIN, REVIEWER, Caller
from moot.web.entitled import known_id
from moot.web.serving import Serving
from moot.web.slot_names import flag_id

LOOKED_AT = 50
"""Slots among which work is chosen."""


async def open_slots(serving: Serving, caller: Caller, **wanted: Any) -> list[OpenStep]:
    """Return the oldest slots that the caller may take, as many as are looked at for work."""
    return await serving.board.next_slots(caller.name, LOOKED_AT, **wanted)


async def find_slot(
    serving: Serving, caller: Caller, layer: int | None = None, role: str | None = None, type_: str | None = None
) -> OpenStep:
    """Return the oldest slot that the caller may take and that the fewest others were just shown.

    Raises:
        NoSlots: where there is none.
    """
    found = await open_slots(serving, caller, layer=layer, role=role, type_=type_)
    chosen = serving.offers.choose(caller.name, found)
    if chosen is None:
        raise NoSlots(agent=caller.name)
    return chosen


async def readable_documents(id_: str, serving: Serving, caller: Caller) -> tuple[Document, ...]:
    """Return the documents of a claim to somebody who may read them (ruling P11).

    Raises:
        NotYours: for a key that did not put the claim, does not review, and has no slot of it to work on.
    """
    claim = await known_id(id_, serving, caller)
    documents, served = await serving.board.documents(claim), await serving.store.served.read(claim)
    is_owner = served is not None and served.owner == caller.prefix
    if not (is_owner or caller.has(REVIEWER)) and not await serving.board.may_work_on(claim, caller.name):
        raise NotYours(
            what="the text of the documents of",
            name=claim,
            instead="take a slot of this claim when one is open to you (GET /api/v1/jobs/work finds it)",
        )
    return documents


async def find_flag(id_: str, serving: Serving) -> OpenStep:
    """Return a flag that waits, by the name that addresses have.

    Raises:
        NotFound: where none of this name waits.
    """
    waiting = next((step for step in await serving.board.flags() if flag_id(step) == id_), None)
    if waiting is None:
        raise NotFound(what="flag that waits", name=id_, see="GET /api/v1/flags lists those there are")
    return waiting


async def clear_waiting(id_: str, serving: Serving, caller: Caller, decision: str, note: str) -> str:
    """Clear a flag, and return its claim once it has gone on as far as it can without calling anybody.

    Raises:
        NotFound: where it waits no longer.
        BadSubmission, ReviewOfOwnWork: as `Board.clear` does.
    """
    claim = (await find_flag(id_, serving)).deliberation
    await serving.board.clear(claim, caller.name, decision, note, reviewers=await _reviewers(serving))
    await gone_on(claim, serving)
    return claim


async def gone_on(claim: str, serving: Serving) -> None:
    """Return once a claim that nobody is called for has its next slots, or its seal."""
    if not (await serving.board.claim(claim)).has_members:
        await serving.runs.finished(claim)


async def _reviewers(serving: Serving) -> list[str]:
    """Return the names of those who may clear flags here."""
    return [
        key.name for key in await serving.keys.list() if key.revoked is None and {REVIEWER, ADMIN} & set(key.scopes)
    ]
