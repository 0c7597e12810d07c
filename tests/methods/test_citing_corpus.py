"""Replies over small documents, hits beside near misses: what covers each sentence, and whether there is a line (I12).

A row's `steps` are the reply's sentences that argue, in order: the sentences of documents that cover one, `-` where
none does, `=` before a sentence that was cited instead of saying anything.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from moot.core.question import Document, Question
from moot.methods.citing import cited
from moot.methods.written import Written

CORPUS = Path(__file__).parent / "citing.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def written(row: dict[str, Any]) -> Written:
    documents = tuple(Document(name=name, text=text) for name, text in row["documents"])
    question = Question(text=row["question"], documents=documents)
    return cited("r1", f"{row['reply']}\nAnswer: {row['answer']}", row["answer"], question, documents)


def steps(run: Written) -> list[str]:
    beneath = {node["id"]: [edge["src"] for edge in run.edges if edge["dst"] == node["id"]] for node in run.nodes}
    told = {
        "inference": lambda name: " ".join(premise.removeprefix("r1:") for premise in beneath[name]),
        "assumption": lambda _: "-",
        "given": lambda name: f"={name.removeprefix('r1:')}",
    }
    nodes = [node for node in run.nodes if node["type"] != "conclusion"]
    return [
        told[node["type"]](node["id"])
        for node in nodes
        if node["type"] != "given" or node["id"] in beneath[run.conclusion]
    ]


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_each_sentence_rests_on_what_covers_it_and_a_near_miss_on_nothing(row: dict[str, Any]) -> None:
    run = written(row)

    assert steps(run) == row["steps"]
    assert (run.no_line == "") is row["line"]


def test_the_corpus_has_near_misses_as_well_as_hits() -> None:
    lines = [row["line"] for row in ROWS]

    assert min(lines.count(True), lines.count(False)) >= 12
