"""The report of `interrogation`, as data and as Markdown (interrogation 4.1, step 6)."""

from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from moot.core.budget import Budget
from moot.core.calls import Failure
from moot.core.canonical import canonical
from moot.protocols.interrogation.report import markdown_report
from moot.views.markdown import markdown
from moot.views.page import page
from tests.protocols.interrogation_kit import (
    CONTRADICTED,
    CONTRADICTING,
    CRATES,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    LOUD,
    OSPREY,
    SEEN,
    SILENT,
    UNKNOWN,
    argument,
    edge,
    given,
    inference,
    interrogated,
)

HOSTILE = "Kestrel | sailed <script>alert(1)</script> [x](javascript:1) `code`\n\n# A heading\n- a *list*"


def scene():
    invented = given("z", "The tug towed Kestrel out at dawn.", quote="the tug towed Kestrel out at dawn")
    first = argument("Kestrel", IS_KESTREL, given("a", LEFT), given("s", SILENT), invented)
    return interrogated(
        first,
        "no JSON",
        CONTRADICTING,
        CONTRADICTED,
        verdicts={LOUD: "refuted", invented["claim"]: "not_determinable"},
    )


def section(report: str, title: str) -> list[str]:
    after = report.split(f"**{title}**\n\n", 1)[1]
    return [line[2:] for line in after.split("\n\n", 1)[0].splitlines()]


@pytest.mark.clause("interrogation:4.1.6")
def test_the_report_has_all_that_the_paper_asks_for_as_data() -> None:
    made = scene()

    detail = made.detail

    assert (detail["conclusion"], detail["conclusion_node"], detail["support_width"]) == (IS_KESTREL, "r1:c", 2)
    assert detail["disjoint_paths"] == [[LEFT, IS_KESTREL], [SILENT, IS_KESTREL]]
    assert {LEFT, SILENT, IS_KESTREL} <= set(detail["surviving_claims"])
    assert [(item["claim"], item["reason"]) for item in detail["killed"]] == [(LOUD, "refuted, says the log")]
    assert "The tug towed Kestrel out at dawn." in [item["claim"] for item in detail["disputed"]]
    assert [item["problem"] for item in detail["ungrounded"]] == ["the quote is not found in 'log.txt'"]
    assert [item["claim"] for item in detail["must_be_wrong"]] == [LEFT, SILENT]
    assert [item["answer"] for item in detail["candidates"]] == ["Kestrel", "Osprey"]
    assert canonical(detail)


@pytest.mark.clause("interrogation:4.1.6")
def test_the_markdown_says_all_of_it_in_words() -> None:
    made = scene()

    report = markdown_report(made.record)

    assert report.startswith(f"## {IS_KESTREL}\n")
    assert "**Support width 2**: 2 lines that share no claim" in report
    assert f"1. {LEFT} → {IS_KESTREL}\n2. {SILENT} → {IS_KESTREL}\n" in report
    assert section(report, "The answer falls if all of these are wrong") == [LEFT, SILENT]
    assert section(report, "Killed") == [f"{LOUD} (refuted, says the log)"]
    assert "The tug towed Kestrel out at dawn." in section(report, "Still disputed")
    assert section(report, "Said to be given, and not found in the documents") == [
        "The tug towed Kestrel out at dawn. (the quote is not found in 'log.txt')"
    ]
    assert section(report, "Other candidates") == ["Osprey (width 1)"]
    assert LEFT in section(report, "Survives")


@pytest.mark.clause("interrogation:4.1.6", "interrogation:4.3")
def test_the_report_has_the_cost_of_every_call_and_of_all_and_how_well_the_shape_was_kept() -> None:
    made = scene()

    report = markdown_report(made.record)

    rows = [line for line in report.splitlines() if line.startswith(("| run", "| verify"))]
    assert len(rows) == len(made.requests)
    assert len([row for row in rows if row.startswith("| run/r2 |")]) == 2
    assert f"{len(made.requests)} calls" in report
    assert "script:0 kept to the shape asked for in 12 of 13 replies at once" in report.replace("\\", "")


def test_a_call_that_nobody_can_price_is_said_to_be_unknown() -> None:
    made = interrogated(KESTREL, Failure("timeout", "too slow"))

    report = markdown_report(made.record)

    assert "| run/r2 | m1 | unknown | unknown |" in report
    assert " and 1 call unknown" in report


def test_a_single_line_names_its_links_and_what_the_answer_hangs_on() -> None:
    chain = argument("Kestrel", IS_KESTREL, inference("i", "Whoever left first went out"), given("a", LEFT))
    chain["edges"] = [edge("a", "i"), edge("i", "c")]

    report = markdown_report(interrogated(chain, chain).record)

    assert "**Support width 1**: one line from the documents" in report
    assert len(section(report, "If this is wrong, the answer falls")) == 1
    assert section(report, "Every line runs through") == [
        f"{LEFT} → Whoever left first went out",
        f"Whoever left first went out → {IS_KESTREL}",
    ]


def test_width_0_is_said_in_words() -> None:
    made = interrogated(argument("Kestrel", IS_KESTREL, inference("i", "Somebody must have left")))

    assert "no line of support leads from the documents to this conclusion" in markdown_report(made.record)


def test_there_is_no_report_where_there_is_no_argument() -> None:
    assert markdown_report(interrogated(UNKNOWN).record) == ""
    assert markdown_report(interrogated("talk").record) == ""


@pytest.mark.clause("ruling:G4")
def test_hostile_claims_stay_words_in_markdown_and_in_the_page() -> None:
    run = argument("Kestrel", HOSTILE, given("a", LEFT), inference("x\n| y |", f"{HOSTILE} again"))
    made = interrogated(run, default="not_determinable", budget=Budget(calls=60))

    report = markdown_report(made.record)

    shown = MarkdownIt("commonmark").enable("table").render(report)
    assert "<script" not in shown
    assert "javascript:1)" in report
    assert "<a " not in shown
    assert "<h1>" not in shown
    assert "<em>" not in shown
    assert shown.count("<tr>") == len(made.requests) + 1
    html = page("d", made.record, report)
    assert "<script" not in html
    assert "<script" not in MarkdownIt("commonmark").render(markdown("d", made.record, report))


def test_the_page_draws_the_graph_with_every_claim() -> None:
    made = interrogated(KESTREL, OSPREY, k=1)

    html = page("d", made.record, markdown_report(made.record))

    svg = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + len("</svg>")])
    titles = " ".join(text for group in svg for text in group.itertext())
    assert all(claim in titles for claim in (IS_KESTREL, LEFT, SEEN, IS_OSPREY, CRATES))
