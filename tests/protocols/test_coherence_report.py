"""The traces as a person sees them, and as files (coherence 6, ruling K7)."""

import json

import pytest

from moot.core.question import Document, Question
from moot.protocols.coherence.report import artefacts, heat, markdown_report
from tests.protocols.coherence_kit import ASKED, COLUMNS, GOOD, UNREACHABLE, demanding, run, unfolded


def test_each_column_is_drawn_with_its_heat_and_its_paths_as_ids_and_in_words() -> None:
    report = markdown_report(run().record)

    assert "**Cost of delay**\n\n```\nknowledge  ▓▒░·\nethics     ▒░\nknowledge: K1 M2 K2\nethics: E1\n```" in report
    assert (
        "- knowledge K10: A figure means little without its base.\n"
        "  - divergence -> K3: A method that failed once may fail again.\n"
    ) in report
    assert "E2" not in report


def test_what_a_relation_says_is_printed_where_it_first_comes() -> None:
    report = markdown_report(run(unfolded(K1=[8, 8])).record)

    assert report.count("A report depends on what its author could see.") == 1
    assert report.endswith("- knowledge K1\n")


@pytest.mark.clause("ruling:K9")
def test_the_form_that_was_read_is_shown_with_its_words() -> None:
    shown = run(
        demanding(("two parts", "in two parts"), open_words="order is up to you"),
        question="Answer in two parts; their order is up to you.",
    )

    assert "- two parts [in two parts]\n- the organisation is left open [order is up to you]\n" in markdown_report(
        shown.record
    )
    assert "as the first member read it" not in markdown_report(run().record)


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


@pytest.mark.clause("ruling:K7", "coherence:6")
def test_the_preserved_prompt_has_its_form_and_its_documents() -> None:
    asked = Question(text=ASKED, form="two parts", documents=(Document(name="log.txt", text="It failed twice."),))

    prompt = artefacts(run(question=asked).record)["prompt.txt"]

    assert prompt.startswith(f"{ASKED}\n\nThe form asked for: two parts\n\nDocument 1: log.txt\n")
    assert "It failed twice." in prompt
