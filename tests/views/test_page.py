"""The static export: one page, drawn by the writers of the server's pages."""

import re
from typing import Any

import pytest

from moot.core.confidence import no_confidence
from moot.core.events import Ended
from moot.core.panes import Panes
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.protocols import find_protocol
from moot.service.protocol_part import protocol_part
from moot.views.page import MOST_DRAWN, page
from tests.protocols.test_telling import NAMES, recorded
from tests.views.test_pane_html import Reader


def exported(record: Record) -> str:
    own = protocol_part(record, find_protocol)
    return page("0123456789", record, own.report, own.narrator, own.panes)


def body_of(html: str) -> str:
    return html.partition("</head>")[2].partition("</html>")[0]


def argued(size: int, leading: int) -> Record:
    """Return a record whose verdict has a graph of so many claims, so many of which lead to the answer."""
    node = {"type": "inference", "confidence": 0.8, "run_ids": ["r1"], "refuted": False}
    nodes = [{**node, "id": "z", "claim": "So it is", "type": "conclusion"}]
    nodes += [{**node, "id": f"n{number}", "claim": f"Claim {number}"} for number in range(size)]
    edges: list[dict[str, Any]] = [
        {"src": f"n{number}", "dst": "z" if number < 30 else f"n{number - 30}", "relation": "supports"}
        for number in range(leading)
    ]
    verdict = Verdict("yes", Status.COMPLETE, "", no_confidence(""), detail={"graph": {"nodes": nodes, "edges": edges}})
    return Record((recorded("vote_tied")[0][0], Ended(verdict)))


@pytest.mark.parametrize("name", NAMES)
def test_every_golden_record_gives_a_sound_page_running_or_ended(name: str) -> None:
    events = recorded(name)[0]

    for html in (exported(Record(tuple(events))), exported(Record(tuple(events[: len(events) // 2 + 1])))):
        read = Reader(body_of(html))
        ids = read.values("id")
        assert len(ids) == len(set(ids))
        assert not [href for href in read.values("href") if not href.startswith("#")]
        assert not [href for href in read.values("href") if href.startswith("#") and href[1:] not in ids]


def test_a_page_draws_what_leads_to_the_answer_and_folds_the_rest_away() -> None:
    told = page("0123456789", argued(110, 40))

    drawn, _, folded = told.partition("<details><summary>70 more claims ")
    assert (drawn.count("data-id="), folded.count("data-id=")) == (41, 70)
    assert told.count('<figure class="drawing">') == 2
    assert ".drawing{margin:0;overflow:auto" in told, "a wide graph scrolls in its own box"


def test_of_a_large_graph_the_nearest_claims_are_drawn_and_all_are_in_the_table() -> None:
    told = page("0123456789", argued(900, 900))

    assert told.count("data-id=") == MOST_DRAWN
    assert "501 more claims of it are in the table alone." in told
    assert len(re.findall(r"<small>n\d+</small>", told)) == 900


def test_a_report_is_folded_where_the_protocols_panes_say_it_and_open_where_there_are_none() -> None:
    record = Record(tuple(recorded("debate_flagged")[0]))
    own = protocol_part(record, find_protocol)

    beside = page("d", record, "| a | b |\n|---|---|\n| 1 | 2 |", own.narrator, own.panes)
    alone = page("d", record, "| a | b |\n|---|---|\n| 1 | 2 |", own.narrator, Panes())

    folded = "<details><summary>The report"
    assert folded in beside and folded not in alone
    assert "<td>1</td>" in beside and "<td>1</td>" in alone


def test_a_note_of_the_panes_is_told() -> None:
    record = Record(tuple(recorded("vote_tied")[0]))

    assert "could not be made &lt;b&gt;" in page("d", record, panes=Panes(note="could not be made <b>"))
