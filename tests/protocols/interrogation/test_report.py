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
from tests.protocols.interrogation.kit import (
    CONTRADICTED,
    CONTRADICTING,
    CRATES,
    INVENTED,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    LOUD,
    OSPREY,
    SEEN,
    SILENT,
    UNKNOWN,
    Interrogated,
    argument,
    interrogated,
    step,
)

HOSTILE = "Kestrel | sailed <script>alert(1)</script> [x](javascript:1) `code`\n\n# A heading\n- a *list*"


def scene() -> Interrogated:
    first = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("s", SILENT), step("z", INVENTED, 4))
    return interrogated(
        first,
        "no JSON",
        CONTRADICTING,
        CONTRADICTED,
        verdicts={LOUD: "refuted", INVENTED: "not_determinable"},
    )


def section(report: str, title: str) -> list[str]:
    after = report.split(f"**{title}**\n\n", 1)[1]
    return [line[2:] for line in after.split("\n\n", 1)[0].splitlines()]


@pytest.mark.clause("interrogation:4.1.6")
def test_the_report_has_all_that_the_paper_asks_for_as_data() -> None:
    detail = scene().detail

    assert (detail["conclusion"], detail["conclusion_node"], detail["support_width"]) == (IS_KESTREL, "r1:c", 2)
    assert sorted(path[-2:] for path in detail["disjoint_paths"]) == [[LEFT, IS_KESTREL], [SILENT, IS_KESTREL]]
    assert {LEFT, SILENT, IS_KESTREL} <= set(detail["surviving_claims"])
    assert [(item["claim"], item["reason"]) for item in detail["killed"]] == [(LOUD, "refuted, says the log")]
    assert INVENTED in [item["claim"] for item in detail["disputed"]]
    assert [item["claim"] for item in detail["ungrounded"]] == [INVENTED]
    assert [item["claim"] for item in detail["must_be_wrong"]] == [LEFT, SILENT]
    assert [item["answer"] for item in detail["candidates"]] == ["Kestrel", "Osprey"]
    assert [[one["number"] for one in line["sentences"]] for line in detail["lines"]] == [[3], [1]]
    assert canonical(detail)


@pytest.mark.clause("interrogation:4.1.6")
def test_the_markdown_says_all_of_it_in_words() -> None:
    report = markdown_report(scene().record)

    assert report.startswith(f"## {IS_KESTREL}\n")
    assert (
        "**2 lines of support; the answer falls if these 2 claims are wrong together, and not if fewer are.**" in report
    )
    assert f"\n1. log.txt [3] “{SILENT}”\n" in report
    assert f"\n2. log.txt [1] “{LEFT}”\n" in report
    assert section(report, "All of these together must be wrong") == [LEFT, SILENT]
    assert section(report, "Killed") == [f"{LOUD} (refuted, says the log)"]
    assert section(report, "Also disputed: said by one run alone, or contradicted") == [IS_OSPREY]
    [taken] = section(report, "Covered by no sentence, and taken for granted")
    assert taken.startswith(f"{INVENTED} (\\[4\\]: it covers ")
    assert section(report, "Other candidates") == ["Osprey (1 vote, width 1, resilience 1)"]
    assert "- Kestrel: 2 (r1, r4)\n- Osprey: 1 (r3)\n" in report


@pytest.mark.clause("interrogation:4.1.6", "interrogation:4.3")
def test_the_report_has_the_cost_of_every_call_and_of_all_and_how_well_the_shape_was_kept() -> None:
    made = scene()

    report = markdown_report(made.record).replace("\\", "")

    rows = [line for line in report.splitlines() if line.startswith(("| run/", "| verify/"))]
    assert len(rows) == len(made.requests)
    assert len([row for row in rows if row.startswith("| run/r1#2 |")]) == 2
    assert f"{len(made.requests)} calls" in report
    assert f"script:0 kept to the shape asked for in 12 of {len(made.requests) - 1} replies at once" in report


def test_a_call_that_nobody_can_price_is_said_to_be_unknown() -> None:
    report = markdown_report(interrogated(KESTREL, Failure("timeout", "too slow"), seats=2).record)

    assert "| run/r2 | m2 | unknown | unknown |" in report
    assert " and 1 call unknown" in report


def test_a_single_line_names_its_links_and_what_the_answer_hangs_on() -> None:
    between = "Whoever left first went out"
    chain = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("i", between, "a"), lines=[("i",)])

    report = markdown_report(interrogated(chain, chain).record)

    assert "**1 line of support; the answer falls if any one of these 2 claims is wrong.**" in report
    assert section(report, "Any one of these takes it away") == [between, LEFT]
    assert f"{LEFT} → {between}" in section(report, "Every line runs through")


@pytest.mark.clause("ruling:G2")
def test_width_0_is_said_in_words() -> None:
    made = interrogated(argument("Kestrel", IS_KESTREL, step("i", "Somebody must have left")))

    assert "**No line of support: nothing given reaches the answer.**" in markdown_report(made.record)


def test_where_there_is_no_argument_the_report_has_the_votes_and_the_calls() -> None:
    for made in (interrogated(UNKNOWN), interrogated("talk")):
        report = markdown_report(made.record)

        assert "Votes" in report.splitlines()[0]
        assert "| run/r1 | m1 |" in report
        assert "line of support" not in report


@pytest.mark.clause("ruling:G4")
def test_hostile_claims_stay_words_in_markdown_and_in_the_page() -> None:
    run = argument("Kestrel", HOSTILE, step("a", LEFT), step("x\n| y |", f"{HOSTILE} again"))
    made = interrogated(run, default="not_determinable", budget=Budget(calls=60))

    report = markdown_report(made.record)

    shown = MarkdownIt("commonmark").enable("table").render(report)
    assert "<script" not in shown
    assert "javascript:1)" in report
    assert "<a " not in shown
    assert "<h1>" not in shown
    assert "<em>" not in shown
    calls = shown[shown.rindex("<table>") :]
    assert calls.count("<tr>") == len(made.requests) + 1
    html = page("d", made.record, report)
    assert "<script" not in html
    assert "<script" not in MarkdownIt("commonmark").render(markdown("d", made.record, report))


def test_the_page_draws_the_graph_with_every_claim() -> None:
    made = interrogated(KESTREL, OSPREY, k=1)

    html = page("d", made.record, markdown_report(made.record))

    svg = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + len("</svg>")])
    titles = " ".join(text for group in svg for text in group.itertext())
    assert all(claim in titles for claim in (IS_KESTREL, LEFT, SEEN, IS_OSPREY, CRATES))
