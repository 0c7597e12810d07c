"""The traces as a person sees them, and as files (coherence 6, ruling K7)."""

import json

import pytest

from moot.protocols.coherence.report import artefacts, heat, markdown_report
from tests.protocols.coherence_kit import ASKED, COLUMNS, GOOD, UNREACHABLE, run, unfolded


def test_each_column_is_drawn_with_its_heat_and_its_paths() -> None:
    report = markdown_report(run().record)

    assert "**Cost of delay**\n\n```\nknowledge  ▓▒░·\nethics     ▒░\nknowledge: K1 M2 K2\nethics: E1\n```" in report
    assert "- K10 (knowledge): A figure means little without its base." in report
    assert "E2 (ethics)" not in report


def test_the_hotter_the_score_the_darker_its_sign() -> None:
    assert [heat(score) for score in (0, 2.9, 3, 5.9, 6, 8, 9.5, 10)] == ["·", "·", "░", "░", "▒", "▓", "█", "█"]


def test_a_run_without_columns_draws_nothing() -> None:
    assert markdown_report(run(UNREACHABLE).record) == ""


def test_markup_in_a_column_stays_words() -> None:
    report = markdown_report(run(unfolded(["<b>x</b>", "**bold**"])).record)

    assert "&lt;b>x&lt;/b>" in report
    assert "\\*\\*bold\\*\\*" in report


@pytest.mark.clause("ruling:K7", "coherence:6")
def test_the_five_artefacts_are_five_files() -> None:
    files = artefacts(run().record)

    assert set(files) == {"prompt.txt", "columns.json", "scores.json", "paths.json", "response.txt"}
    assert files["prompt.txt"] == f"{ASKED}\n"
    assert files["response.txt"] == f"{GOOD}\n"
    assert json.loads(files["columns.json"]) == {"columns": COLUMNS}
    assert json.loads(files["scores.json"])["scores"][0]["values"] == [8.0, 1.0]
    assert json.loads(files["paths.json"])["paths"]["Trust in the team"] == [
        {"graph": "knowledge", "path": ["K10", "M1", "K3"]}
    ]
