"""The stages of a record: which part of a protocol's way each event belongs to, and where the run stands."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from moot.core.events import Event
from moot.core.panes import Stage
from moot.core.record import Record


@dataclass(frozen=True, slots=True)
class StageEvents:
    """How many events a stage has, and the seq of its first."""

    events: int = 0
    first: int | None = None


def stage_events(record: Record, stage_of: Callable[[Event], str], opening: str) -> dict[str, StageEvents]:
    """Return the events of each stage by its name, in the order in which they began.

    Every event is counted once: one that belongs to none (`stage_of` says "") is counted where the one before it is.
    """
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    name = opening
    for seq, event in enumerate(record.events):
        name = stage_of(event) or name
        counts[name] = counts.get(name, 0) + 1
        first.setdefault(name, seq)
    return {name: StageEvents(events, first[name]) for name, events in counts.items()}


def stages_in_order(planned: Iterable[Stage], counts: dict[str, StageEvents], now: str) -> tuple[Stage, ...]:
    """Return planned stages with their events and their states; `now` is empty where the run has ended.

    What comes before the one that is under way and has no event was skipped, unless it is planned as done; so is, at
    the end, what was never reached.
    """
    stages: list[Stage] = []
    passed = True
    for stage in planned:
        count = counts.get(stage.name, StageEvents())
        passed = passed and stage.name != now
        if stage.name == now:
            state = "now"
        elif passed:
            state = "done" if count.events or stage.state == "done" else "skipped"
        else:
            state = "to come"
        stages.append(replace(stage, state=state, events=count.events, first=count.first))
    return tuple(stages)
