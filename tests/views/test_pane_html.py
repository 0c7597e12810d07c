"""Panes as HTML."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import get_args

import pytest
from typing_extensions import override

from moot.core.panes import (
    ItemList,
    LineChart,
    MatrixChart,
    Pane,
    PaneBlock,
    PaneCell,
    PaneChoice,
    PaneItem,
    PaneOption,
    PaneRow,
    PaneSection,
    PaneTable,
    PathPicture,
    SeatPosition,
    SeatStanding,
    Stage,
    TextBlock,
    TextDiff,
)
from moot.views.pane_html import (
    PaneLinks,
    avatar,
    block_html,
    pane_html,
    seat_numbers,
    stages_html,
    standing_html,
    why_html,
)
from tests.views.graphs import HOSTILE

SEATS = seat_numbers(f"m{number}" for number in range(1, 15))
PAGE = PaneLinks(SEATS, transcript="transcript", argument="argument", query={"tab": "a & b"})
EXPORT = PaneLinks(SEATS)
VOID = {"input", "meta", "br", "img"}

LEDGER = PaneTable(
    ("Id", "Claim", "Since", "Status"),
    tuple(
        PaneRow(
            (
                PaneCell(f"C{number}"),
                PaneCell("It holds", mark="FACT", seats=("m2",), aside="as m2 has it", link="e17"),
                PaneCell(number=number),
                PaneCell(mark="open" if number % 2 else "accepted", tone="good"),
            ),
            anchor=f"C{number}",
            struck=number == 3,
        )
        for number in range(1, 5)
    ),
    caption="4 claims",
    filters=("Status", "Claim", "no such column"),
)
CHOICE = PaneChoice(
    "loop", "Loop", tuple(PaneOption(str(n), f"loop {n}", (TextBlock(f"words of loop {n}"),)) for n in range(3)), "2"
)
HOSTILE_BLOCKS: tuple[PaneBlock, ...] = (
    ItemList(
        (
            PaneItem(
                HOSTILE, (HOSTILE,), HOSTILE, "bad", HOSTILE, anchor=HOSTILE, link=HOSTILE, under=(PaneItem("x"),)
            ),
            PaneItem(HOSTILE, quote=True),
        ),
        HOSTILE,
    ),
    ItemList((), HOSTILE, HOSTILE),
    PaneTable(
        (HOSTILE,),
        (PaneRow((PaneCell(HOSTILE, 1.0, (HOSTILE,), "bad", HOSTILE, HOSTILE, "javascript:x"),), HOSTILE),) * 2,
        HOSTILE,
        (HOSTILE,),
    ),
    PaneTable((HOSTILE,), (), empty=HOSTILE),
    PaneSection(HOSTILE, HOSTILE, (TextBlock(HOSTILE * 100, HOSTILE),), HOSTILE),
    TextBlock(HOSTILE, HOSTILE),
    LineChart(HOSTILE, (HOSTILE,), ()),
    MatrixChart(HOSTILE, (HOSTILE,), (HOSTILE,), ((0.5,),), ((HOSTILE,),), caption=HOSTILE, seats=True),
    PathPicture(HOSTILE, ((HOSTILE, HOSTILE),), ()),
    TextDiff(HOSTILE, HOSTILE + HOSTILE, HOSTILE),
    PaneChoice(HOSTILE, HOSTILE, (PaneOption(HOSTILE, HOSTILE, ()),), HOSTILE),
)


class Reader(HTMLParser):
    """Reads markup strictly: what is opened is closed, ids come once, and nothing runs or styles itself."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        assert tag not in ("script", "style", "iframe", "object")
        assert not any(name == "style" or name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


@pytest.mark.parametrize("links", [PAGE, EXPORT], ids=["page", "export"])
@pytest.mark.parametrize("block", HOSTILE_BLOCKS, ids=lambda block: type(block).__name__)
def test_hostile_words_stay_words_in_every_block_on_a_page_and_in_the_export(
    block: PaneBlock, links: PaneLinks
) -> None:
    html = pane_html(Pane(HOSTILE, HOSTILE, (block,), HOSTILE), links)

    read = Reader(html)
    assert all(href.startswith(("?", "#", "transcript", "argument")) for href in read.values("href"))
    assert all(" " not in value and "<" not in value for value in read.values("id"))
    assert "\x1b" not in html and "\u202e" not in html


def test_there_is_a_hostile_block_of_every_kind() -> None:
    assert {type(block) for block in HOSTILE_BLOCKS} == set(get_args(PaneBlock))


@pytest.mark.parametrize(
    ("link", "href"),
    [
        ("e17", "transcript#e17"),
        ("claim:r1:[1]", "argument?claim=r1%3A%5B1%5D"),
        ("argument", "argument"),
        ("C5", "#C5"),
        ("javascript:alert(1)", "#a-javascript:alert_28_1_29_"),
        ("", ""),
    ],
)
def test_links_lead_to_events_claims_and_entries_and_nowhere_else(link: str, href: str) -> None:
    assert PAGE.href(link) == href
    assert EXPORT.href(link) == (href if href.startswith("#") else "")


def test_an_item_shows_whose_it_is_its_mark_and_what_is_under_it() -> None:
    item = PaneItem("It floats", ("m1", "m13"), "moved", "now", "so it seems", link="e17", under=(PaneItem("Wood"),))

    html = why_html((item,), PAGE)

    assert Reader(html).values("aria-label") == ["m1", "m13"]
    assert 'class="seat seat-1"' in html and 'class="seat seat-1" role="img" aria-label="m13">13<' in html
    assert (
        '<span class="word tone-now">moved</span> It floats <a class="event-link" href="transcript#e17">#17</a>' in html
    )
    assert html.index("Wood") > html.index("so it seems")
    assert "<a " not in why_html((item,), EXPORT)


def test_aliases_stand_in_the_place_of_seats_with_numbers_that_do_not_tell_who_is_who() -> None:
    links = replace(PAGE, aliases={"m1": "Panelist C", "m2": "Panelist A"})

    assert avatar("m1", links) == '<span class="seat seat-2" role="img" aria-label="Panelist C">2</span>'
    chart = block_html(MatrixChart("f", ("m1",), ("m2",), ((0.5,),), seats=True), links)
    assert "Panelist C, Panelist A: 0.50" in chart
    assert "m1" not in chart


def test_a_table_has_its_caption_its_figures_and_its_rows_by_name() -> None:
    read = Reader(block_html(LEDGER, PAGE))

    assert read.values("data-value") == ["1", "2", "3", "4"]
    assert read.values("data-sort") == ["words", "words", "number", "words"]
    assert [value for value in read.values("id") if value.startswith("C")] == ["C1", "C2", "C3", "C4"]
    assert "4 claims" in read.words
    assert read.values("class").count("struck") == 1
    assert "There is nothing here yet." in block_html(PaneTable(("a",), ()), PAGE)


def test_names_run_on_in_a_line_and_many_are_folded_after_the_first_eight() -> None:
    def shown(number: int) -> str:
        names = tuple(PaneItem(f"C{place}", mark="contested" * (place == 2)) for place in range(1, number + 1))
        return block_html(PaneTable(("Rests on",), (PaneRow((PaneCell(items=names, run_on=True),)),)), PAGE)

    few, many = "".join(Reader(shown(8)).words), "".join(Reader(shown(24)).words)

    assert "C1, contested C2, C3, C4, C5, C6, C7, C8" in few and "more" not in few
    assert "C7, C8and 16 moreC9, C10" in many and shown(24).count("<details>") == 1
    assert "<li>" not in shown(24)


def test_whatever_scrolls_can_be_reached_by_the_keyboard_and_has_a_name() -> None:
    charts = LineChart("It rises.", ("1", "2"), ()), MatrixChart("They agree.", ("m1",), ("m1",), ((0.5,),))
    boxes = [
        attributes
        for block in (LEDGER, replace(LEDGER, caption=""), *charts)
        for _, attributes in Reader(block_html(block, PAGE)).tags
        if attributes.get("class") == "scroll"
    ]

    assert {(box["tabindex"], box["role"]) for box in boxes} == {("0", "group")}
    names = [box["aria-label"] for box in boxes]
    assert names[:2] == ["4 claims", "Table: Id, Claim, Since, Status"] and {"Chart", "The figures"} <= set(names)


def test_rows_are_chosen_by_the_address_and_the_rest_of_the_address_is_kept() -> None:
    whole = Reader(block_html(LEDGER, PAGE))
    chosen = Reader(block_html(LEDGER, replace(PAGE, query={"tab": "a", "status": "open"})))
    unknown = block_html(LEDGER, replace(PAGE, query={"status": "made up"}))

    assert [attributes["name"] for tag, attributes in whole.tags if tag in ("select", "input")] == ["tab", "status"]
    assert list(chosen.values("id")) == ["C1", "C3"]
    assert "2 of 4" in chosen.words
    assert "C4" in unknown
    assert "<form" not in block_html(LEDGER, EXPORT)
    assert "C4" in block_html(LEDGER, EXPORT)


def test_a_choice_shows_what_the_address_says_and_leads_to_the_others_and_the_export_folds_them() -> None:
    page = block_html(CHOICE, replace(PAGE, query={"loop": "1", "x": "y"}))
    default = block_html(CHOICE, replace(PAGE, query={"loop": "9"}))
    export = block_html(CHOICE, EXPORT)

    assert "words of loop 1" in page and "words of loop 2" not in page
    assert Reader(page).values("href") == ["?loop=0&x=y", "?loop=1&x=y", "?loop=2&x=y"]
    assert page.count("aria-current") == 1
    assert "words of loop 2" in default
    assert all(f"words of loop {number}" in export for number in range(3))
    assert export.count("<details open>") == 1 and "href" not in export


def test_a_difference_is_told_in_words_that_went_and_words_that_came() -> None:
    html = block_html(TextDiff("the quick  fox\njumps", "the slow  fox\njumps high"), PAGE)

    assert "the <del>quick</del> <ins>slow</ins>  fox\njumps<ins> high</ins>" in html
    assert "the same" in block_html(TextDiff("a", "a"), PAGE)
    assert "<del>" in block_html(TextDiff("a " * 9_000, "b " * 9_000), PAGE)


def test_words_that_only_spaces_hold_apart_differ_as_one_phrase() -> None:
    html = block_html(TextDiff("Nothing speaks against it.\nwater", "Oil floats on water.\nwater"), PAGE)

    assert "<del>Nothing speaks against it.</del> <ins>Oil floats on water.</ins>\nwater" in html


def test_headings_go_down_by_one_and_a_long_text_is_folded() -> None:
    section = PaneSection("Loop 2", "physical", (ItemList((PaneItem("x"),), "Moved"), TextBlock("y" * 200_000)))

    html = pane_html(Pane("loops", "Loops", (section,)), PAGE)

    tags = [tag for tag, _ in Reader(html).tags]
    assert [tag for tag in tags if tag in ("h2", "h3", "h4")] == ["h2", "h3", "h4"]
    assert "details" in tags
    assert 'id="pane-loops"' in html


def test_small_charts_that_follow_each_other_stand_side_by_side() -> None:
    small = MatrixChart("f", ("a",), ("b",), ((0.5,),), small=True)

    html = pane_html(Pane("p", "P", (small, small, TextBlock("between"), small)), PAGE)

    assert html.count('<div class="multiples">') == 2


def test_stages_done_now_and_to_come_are_told_with_what_is_known_of_them() -> None:
    stages = (
        Stage("a", "Fan out", "done", 6, 0),
        Stage("b", "Verify", "now", 1, 9, "round 1"),
        Stage("c", "End", "to come"),
    )

    html = stages_html(stages, PAGE)

    assert Reader(html).values("class")[1::] == ["stage done", "stage now", "stage to-come"]
    assert html.count("aria-current") == 1
    assert all(words in html for words in ("6 events", "1 event · round 1", "to come", 'href="transcript#e9"'))
    assert stages_html((), PAGE) == ""


def test_where_it_stands_lists_each_seats_answer_and_how_many_agree() -> None:
    standing = SeatStanding(
        (SeatPosition("m1", "Yes", 0.8, "ACCEPT", "round 2", 17), SeatPosition("m2", "No")), "1 of 2 say Yes"
    )

    words = " ".join(Reader(standing_html(standing, PAGE)).words)

    assert all(each in words for each in ("1 of 2 say Yes", "Yes", "#17", "round 2", "ACCEPT", "0.80", "No"))
    assert (
        Reader(standing_html(standing, replace(PAGE, aliases={"m1": "Agent B"}))).values("data-key")[0] == "Agent B 17"
    )
    assert standing_html(SeatStanding(lead="Nobody is heard yet."), PAGE) == "<p>Nobody is heard yet.</p>"
