"""Replies and documents of any size and kind: a stated outcome, and bounded work (ruling I12)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from moot.argument import GraphStore
from moot.core.question import Document, Question
from moot.methods.citing import cited, programmed
from moot.methods.citing.replies import MOST_SENTENCES
from moot.methods.programs import worked_out
from moot.methods.sameness import covered, indexed, rarity_of
from moot.methods.sameness.covering import MOST_TRIED
from moot.methods.written import Written

NOTE = (Document(name="note", text="Server x9 runs Linux. It is on around the clock."),)
QUESTION = Question(text="Which server can take the job?", documents=NOTE)


def holds_together(run: Written) -> bool:
    taken = GraphStore().assert_graph("g", run.nodes, run.edges)
    return "error" not in taken and not taken.get("rejected")


class Counted(tuple[str, ...]):
    """Texts that count how often one of them is read."""

    reads = 0

    @override
    def __getitem__(self, place):
        type(self).reads += 1
        return super().__getitem__(place)


def test_of_thousands_of_sentences_only_the_nearest_are_looked_at_closely() -> None:
    sentences = ["Server x9 does not run Linux."] * 5_000
    index = indexed(sentences)
    counted = type(index)(Counted(index.texts), index.words, index.names, index.going_on, index.titles, index.having)

    cover = covered("Server x9 runs Linux.", counted, rarity=rarity_of(tuple(sentences)))

    assert not cover.holds
    assert MOST_TRIED <= Counted.reads <= MOST_TRIED + 1


@pytest.mark.clause("ruling:I12")
def test_of_a_thousand_sentences_the_first_are_read_and_the_run_says_so() -> None:
    many = " ".join(f"Server number {place} is old." for place in range(1_000))

    run = cited("r1", f"{many}\nAnswer: x9", "x9", QUESTION, NOTE)

    assert len(run.ungrounded) == MOST_SENTENCES
    assert run.repairs == (f"only its first 20,000 characters and {MOST_SENTENCES} sentences were read",)
    assert holds_together(run)


def test_a_sentence_that_a_run_repeats_is_written_once() -> None:
    run = cited("r1", "Server x9 runs Linux. " * 300 + "\nAnswer: x9", "x9", QUESTION, NOTE)

    assert [node["type"] for node in run.nodes] == ["given", "inference", "conclusion"]
    assert not run.repairs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" * 20_000,
        "a" * 50_000,
        "1" * 50_000,
        "1 + " * 12_500 + "= 3",
        "[" * 20_000,
        "[1]" * 6_000,
        "(" * 9_000 + "=" + ")" * 9_000,
        "*" * 20_000,
        "\\frac{" * 3_000,
        ", and " * 3_000,
        "Ab Cd and Ef Gh " * 1_200,
        "| a | b |\n" * 2_000,
        "```\nx = 1 + 2\n" * 1_000,
        "\u7801\u5934\u5df2\u6ee1\u3002" * 3_000,
        "\u0627\u0644\u062e\u0627\u062f\u0645 \u064a\u0639\u0645\u0644. " * 900,
        "half \ud800 of a pair.",
        "nothing \x00 here.",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_whatever_a_reply_is_the_graph_takes_what_is_written(text: str) -> None:
    run = cited("r1", text, "x9", QUESTION, NOTE)

    assert holds_together(run)
    assert run.no_line or run.edges


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.text(max_size=30), st.text(max_size=80), st.lists(st.text(max_size=120), max_size=3))
def test_any_texts_make_one_conclusion_and_edges_between_nodes_that_are_there(
    text: str, answer: str, asked: str, texts: list[str]
) -> None:
    documents = tuple(Document(name="d", text=each) for each in texts)
    question = Question(text=asked, documents=documents)
    for run in (
        cited("r1", text, answer, question, documents),
        programmed("r1", worked_out(text), answer, question, ()),
    ):
        ids = [node["id"] for node in run.nodes]

        assert len(ids) == len(set(ids))
        assert [node["id"] for node in run.nodes if node["type"] == "conclusion"] == [run.conclusion]
        assert all({edge["src"], edge["dst"]} <= set(ids) for edge in run.edges)
        assert set(run.ungrounded) | set(run.refuted) <= set(ids)
        assert holds_together(run)
