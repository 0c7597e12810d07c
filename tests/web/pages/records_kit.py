"""Records of every protocol, in every state, as if a server had run them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from moot.core.events import Ended, Event, Started, event_from, event_text
from moot.core.record import Record
from moot.store.served import Served
from tests.protocols.record_golden import GOLDEN
from tests.web.kit import Site

HOSTILE = "</script><img src=x onerror=alert(1)> \u202e\x07 javascript:alert(1) {{ 7*7 }} " + "W" * 300


def golden(name: str) -> list[str]:
    """Return the texts of the events of a golden record."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    # The digests of its requests come after them, and have no kind.
    return [line for line in lines if "kind" in json.loads(line)]


async def keep(
    site: Site, texts: Sequence[str], id_: str, status: str | None = None, owner: str | None = "admin"
) -> str:
    """Store a record under an id, for the owner of a key; a run that has not ended is held by nobody."""
    events = [event_from(text) for text in texts]
    header = Record(tuple(events)).header
    store = site.serving.store
    key = await site.serving.keys.find(site.keys[owner]) if owner else None
    await store.served.create(id_, header, Served(key.prefix if key else None))
    async with store.hold(id_) as hold:
        await hold.journal.emit(list(enumerate(texts)))
        last = events[-1]
        if isinstance(last, Ended) and status is None:
            await hold.end(last.verdict)
        else:
            await hold.set_status(status or "running")
    return id_


def hostile(texts: Sequence[str]) -> list[str]:
    """Return a record in which every text that a member, a document or a person wrote is an attack."""
    return [event_text(_attacked(event_from(text))) for text in texts]


def _attacked(event: Event) -> Event:
    match event:
        case Started(header):
            question = header.question.model_copy(update={"text": HOSTILE + "q" * 20_000})
            return Started(replace(header, question=question))
        case Ended(verdict):
            dissent = tuple(replace(other, answer=HOSTILE) for other in verdict.dissent)
            caveats = (*verdict.caveats, HOSTILE)
            return Ended(replace(verdict, answer=HOSTILE + "W" * 200_000, dissent=dissent, caveats=caveats))
    changed = {name: _attack(getattr(event, name)) for name in ("reply", "reasoning", "data") if hasattr(event, name)}
    return replace(event, **changed)


def _attack(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _attack(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_attack(inner) for inner in value]
    # Names that a protocol looks things up by are short and in one word.
    return HOSTILE if isinstance(value, str) and " " in value else value
