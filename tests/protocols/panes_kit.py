"""What the tests of panes share: golden records cut at any event, what must hold of the panes at each, golden panes.

`python -m tests.protocols.panes_kit` from the project's folder writes the golden panes anew, of all protocols or of
those that are named; read the difference, and commit the files with the change.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from moot.core.canonical import plain
from moot.core.confidence import no_confidence
from moot.core.events import Ended, event_from
from moot.core.panes import PaneItem, PaneRow, Panes, PaneSection, PaneTable
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.protocols import find_protocol
from tests.protocols.record_golden import GOLDEN, RUNS

SCRIPT = "tests.protocols.panes_kit"
MOST_REASONS = 3


@cache
def golden_record(name: str) -> Record:
    """Return a golden record: its events without its requests."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return Record(tuple(event_from(line) for line in lines if '"kind":' in line))


def panes_of(record: Record) -> Panes:
    made = find_protocol(record.header.protocol).panes
    assert made is not None
    return made(record)


def prefixes(record: Record) -> Iterator[Record]:
    """Yield the record as it was after each of its events."""
    return (Record(record.events[:length]) for length in range(1, len(record.events) + 1))


def stopped(record: Record) -> Record:
    """Return a record that still runs as it is where somebody ends it: its verdict tells nothing."""
    verdict = Verdict(None, Status.CANCELLED, "it was cancelled", no_confidence("it was cancelled"))
    return record if record.verdict else Record((*record.events, Ended(verdict)))


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a value and all that is in it."""
    left = [value]
    while left:
        part = left.pop()
        yield part
        if isinstance(part, tuple | list):
            left += part
        elif isinstance(part, dict):
            left += part.items()
        elif is_dataclass(part):
            left += [getattr(part, field.name) for field in fields(part)]


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a value."""
    return (part for part in parts_of(value) if isinstance(part, str))


def check_panes(panes: Panes, record: Record) -> None:
    """Assert what holds of any protocol's panes after any event."""
    _check_stages(panes, record)
    assert len(panes.why) <= MOST_REASONS
    assert len({pane.name for pane in panes.panes}) == len(panes.panes)
    assert bool(panes.panes) <= bool(panes.rounds)
    parts = list(parts_of(panes))
    for table in parts:
        if isinstance(table, PaneTable):
            assert all(len(row.cells) == len(table.columns) for row in table.rows)
            assert set(table.filters) <= set(table.columns)
    anchors = [part.anchor for part in parts if isinstance(part, PaneItem | PaneRow | PaneSection) and part.anchor]
    assert len(set(anchors)) == len(anchors)
    for place in panes.standing.positions:
        assert place.event is None or place.event < len(record.events)
    for link in {getattr(part, "link", "") for part in parts if is_dataclass(part)} - {"", "argument", *anchors}:
        is_event = link[:1] == "e" and link[1:].isdigit() and int(link[1:]) < len(record.events)
        assert is_event or link.startswith("claim:"), link


def _check_stages(panes: Panes, record: Record) -> None:
    """Stages are in order, each event is in one of them, and one is under way as long as the run is."""
    stages = panes.stages
    states = [stage.state for stage in stages]
    assert sum(stage.events for stage in stages) == len(record.events)
    begun = [stage.first for stage in stages if stage.first is not None]
    assert begun == sorted(begun)
    assert all((stage.first is None) == (stage.events == 0) for stage in stages)
    assert states.count("now") == (record.verdict is None)
    if record.verdict:
        assert set(states) <= {"done", "skipped"}
    else:
        place = states.index("now")
        assert set(states[:place]) <= {"done", "skipped"}
        assert set(states[place + 1 :]) <= {"to come"}
    assert len({stage.name for stage in stages}) == len(stages)


def golden_panes(name: str) -> str:
    """Return the panes of a golden record, half-way and at its end, as text whose differences can be read."""
    record = golden_record(name)
    half = Record(record.events[: len(record.events) // 2])
    told = {"half-way": _told(panes_of(half)), "whole": _told(panes_of(record))}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _told(value: Any) -> Any:
    """A value without the fields that say nothing."""
    if is_dataclass(value) and not isinstance(value, type):
        said = {field.name: getattr(value, field.name) for field in fields(value)}
        unsaid = {field.name: field.default for field in fields(value)}
        told = {name: _told(one) for name, one in said.items() if one is not unsaid[name] and one != unsaid[name]}
        return {"": type(value).__name__, **told}
    if isinstance(value, tuple | list):
        return [_told(item) for item in value]
    return plain(value)


def names_of(protocols: Iterable[str] = ()) -> list[str]:
    """Return the golden records of these protocols, or of all that have panes."""
    chosen = set(protocols)
    names = (name for name in sorted(RUNS) if not chosen or name.partition("_")[0] in chosen)
    return [name for name in names if find_protocol(name.partition("_")[0]).panes]


def main() -> None:
    """Write the golden panes."""
    for name in names_of(sys.argv[1:]):
        (GOLDEN / f"{name}.panes.json").write_text(golden_panes(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
