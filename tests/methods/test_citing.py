"""Replies written down as arguments: what covers them, what does not, and when they are a line (rulings I12, I18)."""

from pathlib import Path
from typing import Any

import pytest

from moot.argument import GraphStore
from moot.core.question import Document, Question
from moot.methods.citing import cited, conclusion_claim, programmed
from moot.methods.programs import worked_out
from moot.methods.written import Written

DEMO = Path(__file__).parents[2] / "examples" / "demo"
DOCUMENTS = tuple(
    Document(name=name, text=(DEMO / name).read_text(encoding="utf-8")) for name in ("handbook.md", "survey.md")
)
QUESTION = Question(text=(DEMO / "question.txt").read_text(encoding="utf-8"), documents=DOCUMENTS)
CLIPS = Question(
    text="Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. "
    "How many clips did Natalia sell altogether in April and May?"
)

JOINT = """Nightly jobs start at 02:00, and a machine can take a nightly job only if it runs Linux.
Server x9 runs Linux and stays on around the clock.
So the server that can take a nightly job is x9.
Answer: x9"""


def demo(text: str, answer: str = "x9", run_id: str = "r1") -> Written:
    return cited(run_id, text, answer, QUESTION, DOCUMENTS)


def sold(text: str, answer: str = "72") -> Written:
    return cited("r1", text, answer, CLIPS, ())


def node(written: Written, key: str) -> dict[str, Any]:
    return next(dict(node) for node in written.nodes if node["id"] == f"r1:{key}")


def kinds(written: Written) -> list[str]:
    return [node["type"] for node in written.nodes]


def store_of(*runs: Written) -> GraphStore:
    store = GraphStore()
    for run in runs:
        taken: Any = store.assert_graph("g", run.nodes, run.edges)
        assert not taken.get("error") and not taken.get("rejected"), taken
        for step, reason in run.refuted.items():
            store.mark_refuted("g", step, reason)
    return store


def figures(store: GraphStore, conclusion: str = "r1:c") -> tuple[Any, Any]:
    return store.support_width("g", conclusion)["disjoint_paths"], store.resilience("g", conclusion)["resilience"]


@pytest.mark.clause("ruling:I12")
def test_joint_premises_are_one_line_that_falls_with_one_of_them() -> None:
    written = demo(JOINT)

    assert written.no_line == "" and not written.ungrounded
    assert kinds(written).count("inference") == 2
    assert len({edge["group"] for edge in written.edges if edge["dst"] == "r1:c"}) == 1
    assert figures(store_of(written)) == (1, 1)


@pytest.mark.clause("ruling:I12")
def test_one_sentence_that_four_runs_word_in_four_ways_is_one_line() -> None:
    wordings = (
        "Server x9 runs Linux and stays on around the clock.",
        "x9 runs Linux, and it stays on around the clock.",
        "Around the clock, server x9 stays on and runs Linux.",
        "Server x9 stays on around the clock.",
    )
    runs = [demo(f"{words}\nAnswer: x9", run_id=f"r{n}") for n, words in enumerate(wordings, 1)]

    store = store_of(*runs)

    assert all(run.no_line == "" for run in runs)
    assert len(store.conclusions("g")) == 1
    assert figures(store) == (1, 1)


@pytest.mark.clause("ruling:I12")
def test_what_no_document_says_is_an_assumption_beside_what_one_says() -> None:
    written = demo("Bananas are yellow. Server x9 runs Linux and stays on around the clock.\nAnswer: x9")

    assert node(written, "s1")["type"] == "assumption" and node(written, "s1")["ungrounded"] is True
    assert list(written.ungrounded) == ["r1:s1"]
    assert node(written, "s2")["type"] == "inference"


@pytest.mark.clause("ruling:I12")
def test_what_is_said_of_another_server_is_not_covered() -> None:
    written = demo("Server x12 runs Linux.\nAnswer: x12", "x12")

    assert "the name Linux" in written.ungrounded["r1:s1"]
    assert written.no_line


@pytest.mark.clause("ruling:I18")
def test_a_true_equation_rests_on_the_numbers_of_the_question() -> None:
    written = sold("She sold 48/2 = 24 clips in May.\nTotal = 48 + 24 = 72.\nAnswer: 72")

    assert [node["id"] for node in written.nodes] == ["r1:q1", "r1:s1", "r1:s2", "r1:c"]
    assert {(edge["src"], edge["dst"]) for edge in written.edges} == {
        ("r1:q1", "r1:s1"),
        ("r1:q1", "r1:s2"),
        ("r1:s1", "r1:s2"),
        ("r1:s1", "r1:c"),
        ("r1:s2", "r1:c"),
    }
    assert figures(store_of(written)) == (1, 1)


@pytest.mark.clause("ruling:I18")
def test_a_false_sum_refutes_its_step_and_cuts_the_line() -> None:
    written = sold("She sold 48/2 = 25 clips in May.\nTotal = 48 + 25 = 73.\nAnswer: 73", "73")

    assert list(written.refuted) == ["r1:s1"] and "24" in written.refuted["r1:s1"]
    assert figures(store_of(written))[0] == 0
    assert "73" in node(written, "c")["claim"]


@pytest.mark.clause("ruling:I18")
def test_a_program_is_a_step_an_assignment() -> None:
    program = worked_out("april = 48\nmay = april / 2\nweeks = 7\nanswer = april + may")

    written = programmed("r1", program, "72", CLIPS, ())

    assert kinds(written).count("inference") == 4
    assert list(written.ungrounded) == ["r1:n7"]
    assert figures(store_of(written))[0] == 1


def test_the_conclusion_says_what_was_asked() -> None:
    assert conclusion_claim(CLIPS, "72.") == (
        "The answer to “How many clips did Natalia sell altogether in April and May?” is 72."
    )
