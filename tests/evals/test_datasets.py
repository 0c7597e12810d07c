"""Every published format becomes items, and whatever does not is counted and named with its place."""

import csv
import json
import os
from pathlib import Path

import pytest

from moot.core.errors import BadSetting, NotFound, UsageError
from moot.evals.items.datasets import Dataset, load
from moot.evals.items.grading import grade
from moot.evals.items.items import Item

HOTPOT = {
    "_id": "h1",
    "question": "Where was the architect born?",
    "answer": "Teskow",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["Bridge", 0]],
    "context": [["Bridge", ["It was built by Ann.", " It is old."]], ["Ann", ["She was born in Teskow."]]],
}
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Which river?",
    "answer": "the Senn",
    "answer_aliases": ["Senn"],
    "answerable": True,
    "paragraphs": [
        {"idx": 0, "title": "Vintra", "paragraph_text": "Vintra lies on the Senn.", "is_supporting": True},
        {"idx": 1, "title": "Vintra", "paragraph_text": "It has a fair.", "is_supporting": False},
    ],
}
STRATEGY = {"qid": "s1", "term": "t", "description": "d", "question": "Is it?", "answer": False, "facts": ["No."]}
SCIFACT = {
    "id": 7,
    "claim": "Tea is warm.",
    "cited_doc_ids": [11],
    "evidence": {"11": [{"sentences": [0], "label": "CONTRADICT"}]},
}


def written(folder: Path, name: str, *lines: object) -> Path:
    path = folder / name
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def only(dataset: Dataset) -> Item:
    assert not dataset.problems
    (item,) = dataset.items
    return item


def test_gsm8k_gives_the_number_after_its_mark(tmp_path: Path) -> None:
    path = written(tmp_path, "test.jsonl", {"question": "How many?", "answer": "2*600=<<2*600=1200>>\n#### 1,200"})

    item = only(load(path))

    assert (item.id, item.dataset, item.answer, item.kind) == ("gsm8k-0001", "gsm8k", "1200", "number")


def test_hotpotqa_is_a_list_whose_sentences_make_up_documents(tmp_path: Path) -> None:
    path = tmp_path / "hotpot_dev_distractor_v1.json"
    path.write_text(json.dumps([HOTPOT]), encoding="utf-8")

    item = only(load(path))

    assert (item.id, item.dataset, item.kind) == ("h1", "hotpotqa", "span")
    assert [document.name for document in item.documents] == ["Bridge", "Ann"]
    assert item.documents[0].text == "It was built by Ann. It is old."


def test_hotpotqa_may_have_its_context_in_columns(tmp_path: Path) -> None:
    context = {"title": ["Bridge"], "sentences": [["One.", " Two."]]}

    item = only(load(written(tmp_path, "h.jsonl", {**HOTPOT, "context": context})))

    assert item.documents[0].text == "One. Two."


def test_musique_keeps_its_aliases_and_tells_paragraphs_of_one_title_apart(tmp_path: Path) -> None:
    item = only(load(written(tmp_path, "musique_ans_v1.0_dev.jsonl", MUSIQUE)))

    assert item.aliases == ("Senn",)
    assert [document.name for document in item.documents] == ["Vintra", "Vintra (2)"]


def test_an_unanswerable_item_of_musique_asks_for_an_abstention(tmp_path: Path) -> None:
    item = only(load(written(tmp_path, "musique_full.jsonl", {**MUSIQUE, "answerable": False})))

    assert item.abstain


def test_strategyqa_is_asked_without_its_gold_facts(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([STRATEGY]), encoding="utf-8")

    item = only(load(path))

    assert (item.id, item.answer, item.kind, item.documents) == ("s1", "no", "boolean", ())


def test_truthfulqa_is_read_from_its_csv(tmp_path: Path) -> None:
    path = tmp_path / "TruthfulQA.csv"
    head = ["Type", "Category", "Question", "Best Answer", "Correct Answers", "Incorrect Answers", "Source"]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [head, ["A", "Myths", "Do trolls\nexist?", "No", "No; They do not", "Yes; In caves", ""]]
        )

    item = only(load(path))

    assert item.question == "Do trolls\nexist?"
    assert (item.aliases, item.wrong) == (("No", "They do not"), ("Yes", "In caves"))


def test_scifact_joins_its_claims_with_the_abstracts_beside_them(tmp_path: Path) -> None:
    written(tmp_path, "corpus.jsonl", {"doc_id": 11, "title": "On tea", "abstract": ["Tea is cold.", "Very."]})
    nothing = {**SCIFACT, "id": 8, "evidence": {}}

    dataset = load(written(tmp_path, "claims_dev.jsonl", SCIFACT, nothing))

    refuted, unsettled = dataset.items
    assert (refuted.id, refuted.answer, refuted.abstain) == ("7", "REFUTES", False)
    assert refuted.documents[0].text == "Tea is cold. Very."
    assert (unsettled.answer, unsettled.abstain) == ("NOT_ENOUGH_INFO", True)


def test_scifact_without_its_abstracts_says_which_file_is_missing(tmp_path: Path) -> None:
    dataset = load(written(tmp_path, "claims_dev.jsonl", SCIFACT))

    assert dataset.items == ()
    assert any("corpus.jsonl" in problem.where for problem in dataset.problems)
    assert any(problem.where == "claims_dev.jsonl:1" and "11" in problem.what for problem in dataset.problems)


def test_every_line_that_is_no_item_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    good = {"id": "a", "question": "q", "answer": "#### 1"}
    lines = [good, "{oops", "[1]", "", {"id": "b", "question": "q"}, {"id": "c", "question": " ", "answer": "#### 2"}]
    path = written(tmp_path, "g.jsonl", *lines, good)
    with path.open("ab") as file:
        file.write(b'{"question": "\xff"}\n')

    dataset = load(path)

    assert [item.id for item in dataset.items] == ["a"]
    told = {problem.where: problem.what for problem in dataset.problems}
    assert list(told) == ["g.jsonl:2", "g.jsonl:3", "g.jsonl:8", "g.jsonl:5", "g.jsonl:6", "g.jsonl:7"]
    assert told["g.jsonl:5"] == "field 'answer' is missing"
    assert told["g.jsonl:6"] == "field 'question' is no text"
    assert "used before" in told["g.jsonl:7"]
    assert told["g.jsonl:8"] == "is not UTF-8"


@pytest.mark.parametrize("content", ["", "\n\n", "[]", "[1,"], ids=["empty", "blank", "no entries", "torn"])
def test_a_file_without_items_says_so(tmp_path: Path, content: str) -> None:
    path = tmp_path / "none.json"
    path.write_text(content, encoding="utf-8")

    dataset = load(path)

    assert dataset.items == ()
    assert str(dataset.problems[-1]) == "none.json: holds no items"


def test_fields_of_no_known_format_are_told_line_by_line(tmp_path: Path) -> None:
    dataset = load(written(tmp_path, "odd.jsonl", {"x": 1}, {"y": 2}))

    assert [problem.where for problem in dataset.problems] == ["odd.jsonl:1", "odd.jsonl:2", "odd.jsonl"]
    assert "(x)" in dataset.problems[0].what


def test_the_format_can_be_named_where_the_fields_do_not_show_it(tmp_path: Path) -> None:
    path = written(tmp_path, "plain.jsonl", {"question": "q", "answer": "12"})

    assert load(path).items == ()
    assert only(load(path, format_name="gsm8k")).answer == "12"
    with pytest.raises(BadSetting, match="gsm8k"):
        load(path, format_name="gsm9k")


def test_a_limit_takes_the_first_items_and_keeps_all_problems(tmp_path: Path) -> None:
    lines = [{"question": str(number), "answer": f"#### {number}"} for number in range(5)]

    dataset = load(written(tmp_path, "g.jsonl", *lines, "{"), limit=2)

    assert [item.answer for item in dataset.items] == ["0", "1"]
    assert len(dataset.problems) == 1


def test_a_limit_below_one_and_a_set_that_is_not_there_are_wrong_usage() -> None:
    with pytest.raises(BadSetting):
        load("sample", limit=0)
    with pytest.raises(NotFound, match="sample") as found:
        load("no/such/file.jsonl")
    assert isinstance(found.value, UsageError)


def test_the_sample_has_24_items_of_four_sorts_and_no_problem() -> None:
    dataset = load("sample")

    sorts = [item.id.split("-")[1] for item in dataset.items]
    assert {sort: sorts.count(sort) for sort in sorts} == {"number": 8, "span": 10, "boolean": 3, "abstain": 3}
    assert dataset.problems == ()


def test_the_multi_hop_items_of_the_sample_have_two_to_four_documents_and_their_answer_in_one() -> None:
    for item in load("sample").items:
        if item.kind == "span":
            assert 2 <= len(item.documents) <= 4
            known = [text.lower() for text in (item.answer, *item.aliases) if text]
            inside = any(text in document.text.lower() for text in known for document in item.documents)
            assert inside or item.abstain, item.id


def test_a_gold_answer_is_right_and_never_part_of_what_is_asked_for() -> None:
    for item in load("sample").items:
        assert grade(item, "The documents do not say." if item.abstain else item.answer).correct
        assert grade(item, "42 zebras").correct is False


OUTSIDE = {
    "gsm8k_test": ("gsm8k", 679, 0),
    "hotpotqa_distractor_dev": ("hotpotqa", 385, 0),
    "hotpotqa_fullwiki_missing_gold": ("hotpotqa", 173, 124),
    "musique_ans": ("musique", 148, 0),
    "2wikimultihopqa_dev": ("2wikimultihopqa", 69, 0),
    "strategyqa": ("strategyqa", 1170, 0),
    "truthfulqa": ("truthfulqa", 377, 0),
    "scifact": ("scifact", 574, 219),
    "feverous_s_dev": ("feverous", 1520, 0),
}


@pytest.mark.skipif("MOOT_DATA" not in os.environ, reason="MOOT_DATA names no folder with the outside data")
@pytest.mark.parametrize("name", OUTSIDE)
def test_the_outside_data_loads_whole_and_its_gold_answers_are_right(name: str) -> None:
    dataset = load(Path(os.environ["MOOT_DATA"]) / f"{name}.jsonl")

    found, count, unsettled = OUTSIDE[name]
    assert {item.dataset for item in dataset.items} == {found}
    assert (len(dataset.items), sum(item.abstain for item in dataset.items)) == (count, unsettled)
    assert dataset.problems == ()
    answers = [(item, "The documents do not say." if item.abstain else item.answer) for item in dataset.items]
    assert [item.id for item, answer in answers if not grade(item, answer).correct] == []
