"""What a page shows of an interrogation, and its argument while it runs."""

from dataclasses import replace
from typing import Any

import pytest

from moot.core.canonical import plain
from moot.core.events import Ended, Event, Noted, Started
from moot.core.record import Record
from moot.protocols.interrogation.panes import panes
from moot.protocols.interrogation.so_far import argued
from tests.protocols.panes_kit import check_panes, golden_record, prefixes

ARGUED = ("interrogation_whole", "interrogation_verified", "interrogation_plain", "interrogation_exhausted")
SINCE_5 = ("graph", "reason", "run", "surviving_width")


def detail_of(record: Record) -> Any:
    assert record.verdict is not None
    return plain(record.verdict.detail)


def running(record: Record) -> Record:
    return Record(record.events[:-1])


def with_detail(record: Record, **told: Any) -> Record:
    *events, last = record.events
    assert isinstance(last, Ended)
    verdict = replace(last.verdict, detail={**last.verdict.detail, **told})
    return Record((*events, Ended(verdict)))


@pytest.mark.parametrize("name", ARGUED)
def test_the_argument_that_the_events_tell_is_the_argument_of_the_verdict(name: str) -> None:
    record = golden_record(name)
    detail = detail_of(record)

    told: Any = plain(argued(running(record)))

    assert told["graph"] == detail["graph"]
    named = ("id", "answer", "claim", "votes", "width", "surviving_width", "resilience", "refuted")
    assert [[item[key] for key in named] for item in told["candidates"]] == [
        [item[key] for key in named] for item in detail["candidates"]
    ]


def test_there_is_no_argument_before_the_runs_are_merged() -> None:
    merged = next(
        seq for seq, event in enumerate(golden_record(ARGUED[0]).events) if getattr(event, "name", "") == "merged"
    )

    before, after = (argued(Record(golden_record(ARGUED[0]).events[:length])) for length in (merged, merged + 1))

    assert before is None
    assert after is not None
    lead = panes(Record(golden_record(ARGUED[0]).events[:merged])).standing.lead
    assert lead == "The argument is drawn once the runs are merged."


@pytest.mark.parametrize("name", ARGUED)
def test_the_verdict_names_its_lines_and_what_survives_by_id_beside_the_texts(name: str) -> None:
    detail = detail_of(golden_record(name))
    graph = detail["graph"]
    claims = {node["id"]: node["claim"] for node in graph["nodes"]}
    claims |= {line["id"]: line["text"] for path in detail["lines"] for line in path["sentences"]}

    assert [[claims[node] for node in path] for path in detail["disjoint_path_ids"]] == detail["disjoint_paths"]
    assert [claims[node] for node in detail["surviving_claim_ids"]] == detail["surviving_claims"]
    assert [[claims[node] for node in edge] for edge in detail["bridge_ids"]] == detail["bridges"]
    assert len(detail["surviving_path_ids"]) == detail["surviving_width"]


def test_both_widths_are_said_where_a_line_runs_through_a_defeated_claim() -> None:
    record = golden_record("interrogation_whole")

    first, cut, doubts = panes(with_detail(record, support_width=5, surviving_width=4)).why

    assert first.words == "It has 5 independent lines of support, of which 4 still stand. 2 of 4 runs give it."
    assert cut.words.startswith("It falls if all 2 of these together are wrong: “Kestrel left the harbour on Monday.”")
    assert doubts.words == "1 claim disputed; 1 claim covered by no sentence; 1 claim refuted."
    assert {first.link, cut.link, doubts.link} == {"argument"}


def test_one_claim_that_takes_the_answer_away_is_led_to() -> None:
    _, cut, _ = panes(golden_record("interrogation_verified")).why

    assert cut.link == "claim:port.txt#4"


def test_the_stages_tell_what_is_verified_next_and_what_is_to_come() -> None:
    record = golden_record("interrogation_plain")
    assessed = next(seq for seq, event in enumerate(record.events) if getattr(event, "name", "") == "assessed")

    stages = panes(Record(record.events[: assessed + 1])).stages

    assert [(stage.name, stage.state, stage.events) for stage in stages] == [
        ("fan-out", "done", 12),
        ("given-check", "done", 1),
        ("merge", "done", 1),
        ("assess", "done", 1),
        ("verify-1", "now", 0),
        ("verify-2", "to come", 0),
    ]


def test_an_interrogation_of_the_version_before_is_shown_and_its_argument_waits_for_its_end() -> None:
    def earlier(event: Event) -> Event:
        if isinstance(event, Started):
            return replace(event, header=replace(event.header, protocol_version=4))
        return replace(event, data=without(event.data)) if isinstance(event, Noted) else event

    record = Record(tuple(map(earlier, golden_record("interrogation_verified").events)))

    for part in prefixes(record):
        check_panes(panes(part), part)
        assert part.verdict or argued(part) is None
    old = ("surviving_width", "disjoint_path_ids", "surviving_path_ids", "surviving_claim_ids", "bridge_ids")
    assert panes(with_detail(record, **dict.fromkeys(old))).why == panes(record).why


def without(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without(item) for name, item in value.items() if name not in SINCE_5}
    return [without(item) for item in value] if isinstance(value, list | tuple) else value
