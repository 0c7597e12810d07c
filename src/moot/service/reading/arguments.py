"""The argument of a deliberation, as a page and a program look into it; with a what-if that keeps nothing."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.errors import MootError, NotFound
from moot.core.events import Ended, Header, Started, event_from
from moot.core.record import Record
from moot.core.verdict import Status
from moot.methods.argued import ArgumentReading, Refutation, SeenEvents, read_graph
from moot.service.reading.acts import ActReading, read_acts
from moot.service.reading.event_filter import kind_of
from moot.service.service import Service

MOST_SUPPOSED = 50

_TELLING_NOTE = re.compile(r'"kind":"noted","name":"(?:forms|counted|run read|merged|assessed|verified|followed)","v":')
_TELLING_STEP = re.compile(r'"step":"(?:run|verify|follows)/')


@dataclass(frozen=True, slots=True)
class DeliberationArgument:
    """The argument of a deliberation; or why there is none."""

    deliberation: str
    header: Header
    is_final: bool
    """Whether the deliberation has ended."""
    argument: ArgumentReading | None
    absence: str
    """Why there is no argument, in words; empty where there is one."""
    acts: tuple[ActReading, ...]


async def read_argument(
    service: Service, prefix: str, refute: Sequence[str] = (), *, conclusion: str | None = None
) -> DeliberationArgument:
    """Return the argument as it stands, contests included; with `refute`, as it would stand if these were wrong.

    A claim or a sentence is named by its id, or by words that it alone has. Nothing is stored and nobody is asked.

    Raises:
        NotFound: for a claim or a conclusion that is none of the graph's.
    """
    deliberation = await service.store.deliberations.resolve(prefix)
    acts = await read_acts(service, deliberation)
    reached = (await service.store.deliberations.reached([deliberation]))[deliberation]
    key = (deliberation, reached, len(acts), tuple(refute), conclusion)
    if (kept := service.arguments.get(key)) is not None:
        return kept
    header = await service.store.deliberations.header(deliberation)
    events = await _telling_events(service, deliberation)
    # A large graph takes seconds, and others are served meanwhile.
    detail, absence = await asyncio.to_thread(_detail, service, header, events)
    argument = None
    if detail is not None:
        argument = await asyncio.to_thread(_read, header, detail, events, acts, refute, conclusion)
    elif refute:
        raise NotFound(what="claim", name=refute[0], see=absence)
    is_final = Status(reached.status).ended
    reading = DeliberationArgument(deliberation, header, is_final, argument, absence, acts)
    service.arguments.keep(key, reading)
    return reading


async def _telling_events(service: Service, deliberation: str) -> SeenEvents:
    """The run events that tell of an argument; a record may have a hundred thousand others."""
    stored = service.store.deliberations
    seqs = await stored.scan_events(deliberation, _tells)
    return [(seq, event_from(text)) for seq, text in await stored.events_at(deliberation, seqs)]


def _tells(text: str) -> bool:
    kind = kind_of(text)
    if kind in ("answered", "unanswered"):
        return bool(_TELLING_STEP.search(text))
    return kind == "ended" or (kind == "noted" and bool(_TELLING_NOTE.search(text)))


def _detail(service: Service, header: Header, events: SeenEvents) -> tuple[Mapping[str, Any] | None, str]:
    """What a verdict's detail has of an argument, or as much of it as a run has come to; else why there is none."""
    verdict = next((event.verdict for _, event in events if isinstance(event, Ended)), None)
    if verdict is not None:
        is_drawn = "graph" in verdict.detail and "candidates" in verdict.detail
        return (verdict.detail, "") if is_drawn else (None, f"this run of {header.protocol} came to no argument")
    record = Record((Started(header), *(event for _, event in events)))
    try:
        argued = service.find_protocol(header.protocol).argued
        detail = argued(record) if argued else None
    except MootError:
        return None, f"its protocol {header.protocol} is not installed here"
    if detail is None:
        later = "when its runs are merged" if argued else "when it has ended"
        return None, f"there is no argument yet; it is drawn {later}"
    return detail, ""


def _read(
    header: Header,
    detail: Mapping[str, Any],
    events: SeenEvents,
    acts: Sequence[ActReading],
    refute: Sequence[str],
    conclusion: str | None,
) -> ArgumentReading:
    contests = [Refutation(one.data["node"], one.data["reason"]) for one in acts if one.counts]
    supposed = refute[:MOST_SUPPOSED]
    return read_graph(header, detail, events, contested=contests, supposed=supposed, conclusion=conclusion)
