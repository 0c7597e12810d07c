"""Moot's own form of items is what docs/evals.md says it is."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from moot.evals.items.datasets import load
from moot.evals.items.grading import grade
from moot.evals.items.items import AnswerKind, Item

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "evals" / "items.jsonl"
PAGE = (ROOT / "docs" / "evals.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Items of your own\n")[2].partition("\n## ")[0]


def table(head: str) -> list[list[str]]:
    """Return the rows of the table of the section that begins with this head."""
    lines = SECTION.partition(f"| {head} |")[2].splitlines()[2:]
    rows = lines[: next((place for place, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in rows]


WRONG = [(line.strip("`"), said) for line, said in table("line")]


def test_the_file_of_the_page_is_the_example_and_has_an_item_of_every_kind() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)
    dataset = load(EXAMPLE)

    assert shown == EXAMPLE.read_text(encoding="utf-8")
    assert dataset.problems == ()
    assert {item.kind for item in dataset.items} == set(get_args(AnswerKind))


def test_the_page_names_every_field_and_every_kind() -> None:
    assert {row[0].strip("`") for row in table("field")} == {field.name for field in fields(Item)}
    assert [row[0].strip("`") for row in table("kind")] == list(get_args(AnswerKind))


def test_the_known_answers_of_the_example_are_right_and_an_abstention_is_right_where_it_is_asked_for() -> None:
    for item in load(EXAMPLE).items:
        says_nothing = grade(item, "I do not know." if item.kind == "free" else "The documents do not say.")

        assert (says_nothing.correct, says_nothing.abstained) == (item.abstain, True)
        assert item.abstain or all(grade(item, answer).correct for answer in (item.answer, *item.aliases))
        assert not any(grade(item, answer).correct for answer in (*item.wrong, "", "Rome"))


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_a_wrong_line_is_left_out_and_the_page_says_what_is_said_of_it(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    right = json.dumps({"kind": "number", "question": "How many?", "answer": 3})
    file.write_text(f"{right}\n{line}\n", encoding="utf-8")

    dataset = load(file)

    assert [item.id for item in dataset.items] == ["moot-0001"]
    assert [str(problem) for problem in dataset.problems] == [f"mine.jsonl:2: {said}"]


def test_every_wrong_line_of_the_page_is_tried() -> None:
    assert len(WRONG) == 10


@pytest.mark.parametrize("documents", [5, "survey.md", {"name": "survey.md", "text": "x"}])
def test_documents_that_are_no_list_break_nothing(documents: object, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    item = {"kind": "span", "question": "Who?", "answer": "Ada", "documents": documents}
    file.write_text(json.dumps(item), encoding="utf-8")

    assert [str(problem) for problem in load(file).problems] == [
        "mine.jsonl:1: field 'documents' is no list",
        "mine.jsonl: holds no items",
    ]
