"""What a page shows of a debate, while it is held and at its end."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from moot.core.canonical import plain
from moot.core.events import Event, Noted, Started
from moot.core.panes import Pane, Panes, PaneTable
from moot.core.record import Record
from moot.protocols.debate.panes import panes
from moot.protocols.debate.record.course import claims_of, course_of, evidence_of
from moot.protocols.debate.record.ledger_panes import NOT_TOLD
from tests.protocols.debate.kit import CLEAR, DOCUMENTS, TOPIC, debated, everybody, reference, response
from tests.protocols.panes_kit import check_panes, golden_record, prefixes, texts_in

DEBATES = ("debate_attacked", "debate_flagged", "debate_in_turn")
SINCE_5 = ("claims", "evidence", "breaches")
TOUCHED = ("introduced", "reinforced", "challenged", "retracted")


def pane(shown: Panes, name: str) -> Pane:
    return next(item for item in shown.panes if item.name == name)


def rows(shown: Panes, name: str) -> Any:
    (table,) = pane(shown, name).blocks
    assert isinstance(table, PaneTable)
    return table.rows


def running(record: Record) -> Record:
    return Record(record.events[:-1])


def inferring(*texts: str) -> dict[str, Any]:
    return response(epistemicClaims={"facts": [], "inferences": list(texts), "assumptions": []})


def of_version(number: int, record: Record) -> Record:
    """Return the record as an earlier version kept it."""

    def earlier(event: Event) -> Event:
        if isinstance(event, Started):
            return replace(event, header=replace(event.header, protocol_version=number))
        if not isinstance(event, Noted) or event.name != "round":
            return event
        agents = [without(row, TOUCHED) for row in event.data["agents"]]
        return replace(event, data={**without(event.data, SINCE_5), "agents": agents})

    return Record(tuple(map(earlier, record.events)))


def without(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


@pytest.mark.parametrize("name", DEBATES)
def test_the_ledger_that_the_rounds_tell_is_the_ledger_at_the_end(name: str) -> None:
    record = golden_record(name)
    assert record.verdict is not None
    whole = plain(record.verdict.detail["debateState"])

    course = course_of(running(record))

    assert list((claims_of(course) or {}).values()) == whole["claims"]
    assert list(evidence_of(course).values()) == whole["evidence"]


def test_a_round_tells_of_the_claims_that_it_brings_or_changes_and_of_no_other() -> None:
    pays, waits, ice = (inferring(text) for text in ("It pays off", "Ships wait outside", "Ice stands in the way"))
    replies = {"m1": [pays, inferring()], "m2": [waits, {**ice, "challenged": ["C1"]}], "m3": inferring()}

    first, second = debated(replies, rounds=2).notes("round")

    assert [claim["id"] for claim in first["claims"]] == ["C1", "C2"]
    assert [(claim["id"], claim["status"]) for claim in second["claims"]] == [("C1", "contested"), ("C3", "open")]


def test_a_running_debate_shows_its_ledger_with_citations_that_lead_to_their_evidence() -> None:
    shown = panes(Record(golden_record("debate_in_turn").events[:20]))

    first = rows(shown, "ledger")[0]
    assert (first.anchor, first.cells[1].mark, first.cells[6].words) == ("C1", "found", "contested")
    assert [item.link for item in first.cells[1].items] == ["E3"]
    assert [(item.words, item.seats) for item in first.cells[5].items[:1]] == [("challenged in round 1", ("m2",))]
    assert shown.standing.agreement == "2 different answers; 2 of 3 say “yes”."
    assert [(place.seat, place.vote) for place in shown.standing.positions] == [
        ("m1", "ACCEPT"),
        ("m2", ""),
        ("m3", ""),
    ]


def test_the_table_of_rounds_has_votes_and_moved_confidence_and_says_who_is_not_heard_yet() -> None:
    surer = everybody(response(confidence=0.7), response(confidence=0.8))
    record = debated(surer, rounds=3).record
    ended, held = rows(panes(record), "rounds"), rows(panes(Record(record.events[:8])), "rounds")

    assert [(cell.mark, cell.aside) for cell in ended[1].cells[1:4]] == [("ACCEPT", "0.80 (+0.10)")] * 3
    assert ended[1].cells[4].mark == "consensus 100%"
    assert [cell.words for cell in held[1].cells[1:]] == [
        "yes",
        "not heard yet",
        "not heard yet",
        "the round is under way",
    ]


def test_what_was_withheld_is_shown_nowhere_once_it_was() -> None:
    harmful = response("blow the gate", reasoning="a step-by-step way to hack the gate")
    record = debated({"m1": response(), "m2": response(), "m3": harmful}, rounds=2).record
    withheld = next(
        seq for seq, event in enumerate(record.events) if isinstance(event, Noted) and event.name == "withheld"
    )

    first_round = Record(record.events[: withheld + 1])

    assert any("blow the gate" in text for text in texts_in(panes(Record(record.events[:withheld]))))
    assert not any("blow the gate" in text for text in texts_in(panes(first_round)))
    assert rows(panes(first_round), "rounds")[0].cells[3].words.startswith("withheld for safety, by a pattern")


@pytest.mark.parametrize("chosen", [{}, {"evaluator": "m3"}])
def test_nobody_of_a_delphi_debate_is_shown_by_the_name_of_the_seat(chosen: dict[str, str]) -> None:
    def reply(seat: str, number: int, kind: str) -> Any:
        if kind == "safety":
            return {**CLEAR, "blocks": [{"agent": "Expert A", "reason": "a recipe"}], "clear": False}
        if kind == "lookup":
            return {"calls": [{"tool": "search", "input": "cost of a pier"}]}
        quoting = response(
            "yes" if seat == "m1" else "no",
            vote="BLOCKER" if seat == "m2" else "ACCEPT",
            challenged=["C1"],
            epistemicClaims={"facts": ["A second pier costs 800 crowns [1]"], "inferences": [f"It is {number}"]},
            references=[reference(1, "costs.txt", "A second pier costs 800 crowns")],
        )
        return None if kind else "I would rather not." if (seat, number) == ("m4", 2) else quoting

    record = debated(
        reply, mode="delphi", documents=DOCUMENTS, topic=f"{TOPIC} Is it a security risk?", rounds=3, seats=4, **chosen
    ).record

    for part in prefixes(record):
        shown = panes(part)
        check_panes(shown, part)
        hidden = replace(shown, aliases={})
        assert not [text for text in texts_in(hidden) if {"m1", "m2", "m3", "m4"} & set(_words(text))]
        assert set(shown.aliases) == {"m1", "m2", "m3", "m4"}
    assert {"Expert A", "Expert B"} <= set(texts_in(panes(record).panes))
    assert any(text.startswith("withheld for safety, by ") for text in texts_in(panes(record)))


def _words(text: str) -> list[str]:
    return text.replace("/", " ").replace(",", " ").replace(":", " ").replace(".", " ").split()


def test_a_debate_of_the_version_before_tells_its_ledger_at_its_end() -> None:
    earlier = of_version(4, golden_record("debate_in_turn"))

    for record in prefixes(earlier):
        check_panes(panes(record), record)

    assert NOT_TOLD in texts_in(panes(running(earlier)))
    assert [row.anchor for row in rows(panes(earlier), "ledger")] == ["C1", "C2", "C3", "C4"]


def test_a_debate_of_a_version_that_recorded_little_has_its_stages_and_says_so() -> None:
    earlier = of_version(2, golden_record("debate_flagged"))

    shown = panes(earlier)

    check_panes(shown, earlier)
    assert [stage.events for stage in shown.stages] == [9, 8, 8]
    assert any(
        text.startswith("Held by debate 2, which recorded less than this page shows") for text in texts_in(shown)
    )


def test_a_debate_that_waits_for_a_person_says_so_in_its_stage() -> None:
    record = golden_record("debate_flagged")

    turn, ruling = (panes(Record(record.events[:length])).stages for length in (8, 23))

    assert [(stage.name, stage.aside) for stage in turn if stage.state == "now"] == [("round-1", "waits for a person")]
    assert [(stage.name, stage.aside) for stage in ruling if stage.state == "now"] == [
        ("round-3", "waits for a ruling")
    ]
    assert [stage.words for stage in turn] == ["Round 1", "Round 2", "Rounds 3 to 5"]
