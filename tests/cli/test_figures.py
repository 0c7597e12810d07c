"""Figures on a terminal: at any usual width every table fits, and no figure is lost, cut or broken over two lines."""

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.console import Console

from moot.cli.terminal.figures import print_sections
from moot.evals.figures.forms import FormRow
from moot.evals.figures.goals import ScreenCost
from moot.evals.figures.screen import ScreenRow, screen_items
from moot.evals.items.items import ArmRow
from moot.evals.report.parts import Bullets, FigureTable, GoalList, Paragraph, SummarySection, summary_sections
from moot.evals.report.screen_report import screen_report, screen_sections
from moot.evals.report.summary import EvalSummary, summarise
from moot.evals.runs.screening import Done
from tests.evals.test_metrics import ROW, rows

WIDTHS = (60, 80, 120)
ARMS = ("single-pass", "revisit", "verbatim", "arrows", "compressed", "interrogation", "self-consistency")
LONG_NAME = "https://models.example.org:8443/openai/v1#Qwen/Qwen2.5-Coder-32B-Instruct-AWQ"


def dear(arm: str, number: int) -> list[ArmRow]:
    """Rows of an arm with large figures, some of which nobody knows."""
    voting = {"votes": ("4", "4", "", "7", "4", ""), "detail": {"right_votes": [True, True, False, False, True, False]}}
    more = {**voting, "confidence": 0.5, "basis": "votes"} if number > 4 else {}
    return [
        replace(
            row,
            seconds=1234.5 * number + place,
            usd=None if number == 3 and place < 3 else 0.0123 * place,
            tokens_in=123_456 * place,
            support_width=place % 4,
            **more,
        )
        for place, row in enumerate(rows("rw" * (8 + number) + "r" * 10, arm))
    ]


def large_summary() -> EvalSummary:
    told = [row for number, arm in enumerate(ARMS) for row in dear(arm, number)]
    unsettled = [replace(ROW, item=f"u{place}", abstain_item=True, abstained=True) for place in range(4)]
    facts = {"command": f"moot evals run --arms paper,self-consistency --member {LONG_NAME} --out first"}
    problems = ["gsm8k.jsonl:3: field 'answer' is missing"] * 22
    cost = ScreenCost(1, 0.0, 6, 50)
    return summarise(
        [*told, *unsettled], arms=(*ARMS, "debate"), planned=60, problems=problems, facts=facts, screen=cost
    )


def screen_of(*members: str) -> tuple[SummarySection, ...]:
    items = screen_items()
    asked = [
        ScreenRow(name, item.id, item.kind, "grounded", place % 3 > 0, "x", 1, 9, 9, 0.0012, 12.5, "d")
        for name in members
        for place, item in enumerate(items)
    ]
    formed = [
        FormRow(name, form, f"form-{place}", place > 1, place > 0, 9, 7, "x", 1, 9, 9, 0.0, 1.0, "d")
        for name in members
        for form in ("plain", "numbered", "graph")
        for place in range(7)
    ]
    return screen_sections(screen_report(Done(tuple(asked), tuple(formed), len(items), 0, "")))


def shown(sections: Sequence[SummarySection], width: int) -> str:
    console = Console(record=True, width=width, file=io.StringIO(), highlight=False)
    print_sections(sections, console)
    return console.export_text()


def check_all_is_there(sections: Sequence[SummarySection], text: str) -> None:
    """Every figure stands on one line; every other text is there letter for letter, wherever it was wrapped."""
    letters = "".join(text.split())
    for part in (part for section in sections for part in section.parts):
        match part:
            case FigureTable(head, lines, names):
                assert all(cell in text for row in lines for cell in row[names:])
                assert all(word in text for name in head for word in name.split())
            case Paragraph(words):
                assert "".join(words.split()) in letters
            case Bullets(lines):
                assert all("".join(line.split()) in letters for _, line in lines)
            case GoalList(goals):
                said = [words for goal in goals for words in (goal.goal, goal.target, goal.measured, goal.why)]
                assert all("".join(words.split()) in letters for words in said)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_summary_fits_the_terminal_and_loses_nothing(width: int) -> None:
    sections = summary_sections(large_summary())

    text = shown(sections, width)

    assert max(map(len, text.splitlines())) <= width
    check_all_is_there(sections, text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "members",
    [("embedded:1.5b",), ("embedded:1.5b", "embedded:0.5b", "embedded:135m"), ("embedded:1.5b", LONG_NAME)],
    ids=["one", "three", "a long name"],
)
def test_a_screen_fits_the_terminal_and_loses_nothing(members: tuple[str, ...], width: int) -> None:
    sections = screen_of(*members)

    text = shown(sections, width)

    assert max(map(len, text.splitlines())) <= width
    check_all_is_there(sections, text)
    assert all(name in "".join(text.split()) for name in members), "a name that is wider than the terminal is folded"


def test_what_fits_is_one_table_and_what_does_not_keeps_the_names_of_its_rows_in_every_part() -> None:
    arms = SummarySection("Arms", summary_sections(large_summary())[1].parts[:1])

    wide, narrow = shown([arms], 240), shown([arms], 80)

    assert wide.count("self-consistency") == 1
    assert narrow.count("self-consistency") == narrow.count("single-pass") > 1
    assert narrow.index("accuracy") < narrow.index("cost"), "the most important figure comes first"


def test_a_wide_table_of_few_rows_is_turned_and_one_with_names_too_wide_for_that_is_blocks() -> None:
    turned, blocks = shown(screen_of("embedded:1.5b", "embedded:0.5b"), 60), shown(screen_of(LONG_NAME), 60)

    assert turned.splitlines()[2].split() == ["embedded:1.5b", "embedded:0.5b"]
    assert blocks.splitlines()[4].split() == ["right", "66", "%", "(52", "to", "78)"]


def test_what_a_model_or_a_file_says_cannot_move_the_cursor() -> None:
    text = shown([SummarySection("", (Bullets((("", "a\x1b[2Jb\rc"),)),))], 60)

    assert "\x1b" not in text and "\r" not in text
