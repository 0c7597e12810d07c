"""Replies written down as arguments: what covers them, what does not, and when they are a line (rulings I12, I18)."""

from pathlib import Path
from typing import Any

import pytest

from moot.argument import GraphStore
from moot.core.question import Document, Question
from moot.methods.citing import cited, conclusion_claim, programmed
from moot.methods.citing.concluding import own_words
from moot.methods.citing.replies import reasons_of
from moot.methods.programs import worked_out
from moot.methods.sameness.covering import indexed, numbers
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


@pytest.mark.clause("ruling:I12")
def test_a_sentence_is_about_its_documents_title_only_where_it_names_no_subject_of_its_own() -> None:
    about = indexed(["Kestrel was closed in 1990.", "It was closed in 1990."], ["Osprey", "Osprey"])

    assert about.titles == ("", "Osprey")
    assert "kestrel" in about.words[0] and about.words[0] & about.words[1] == about.words[0] - {"kestrel"}


@pytest.mark.clause("ruling:I12")
def test_the_minutes_of_a_time_are_no_number_and_its_hour_is() -> None:
    assert numbers("3 times between 06:40 and 22:00") == {"3", "6", "6:40", "22", "22:00"}


@pytest.mark.clause("ruling:I12")
def test_what_comes_behind_the_answer_is_no_reason() -> None:
    read = reasons_of("Server x9 runs Linux.\n\nAnswer: x9\n\nServer x8 runs Linux too.")

    assert [said.claim for said in read.sentences] == ["Server x9 runs Linux."]


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    ("answer", "own"), [("server x9", {"x9"}), ("the server", {"server"}), ("x9, not x8", {"x9", "x8"})]
)
def test_an_answers_own_words_are_those_that_the_question_lacks(answer: str, own: set[str]) -> None:
    assert own_words(answer, "Which server can take it?") == own


def test_the_conclusion_says_what_was_asked() -> None:
    assert conclusion_claim(CLIPS, "72.") == (
        "The answer to “How many clips did Natalia sell altogether in April and May?” is 72."
    )


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Server x9 runs Linux and stays on around the clock for 9,000 days.", "the number 9000"),
        ("Server x9 runs Linux and stays on around the clock in Lisbon.", "the name Lisbon"),
        ("Server x77 runs Linux and stays on around the clock.", "the name x77"),
    ],
)
def test_a_made_up_number_or_name_never_holds(reply: str, why: str) -> None:
    written = demo(f"{reply}\nAnswer: x9")

    assert why in written.ungrounded["r1:s1"]
    assert written.no_line and not written.edges


@pytest.mark.clause("ruling:I12")
def test_a_line_needs_a_sentence_with_the_answers_own_words() -> None:
    reasons = "Nightly jobs start at 02:00. Server x12 is on around the clock, running Windows."

    other, own = demo(f"{reasons}\nAnswer: Server x9", "Server x9"), demo(f"{reasons}\nAnswer: x12", "Server x12")

    assert "Server x9" in other.no_line and not [edge for edge in other.edges if edge["dst"] == "r1:c"]
    assert [edge for edge in other.edges if edge["dst"] != "r1:c"] and kinds(other).count("given") == 2
    assert own.no_line == ""


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    ("answer", "line"),
    [("yes", True), ("No.", True), ("Yes, it can", True), ("nobody", False), ("Norway", False), ("", False)],
)
def test_yes_and_no_need_no_sentence_that_says_so(answer: str, line: bool) -> None:
    written = demo(f"Server x9 runs Linux and stays on around the clock.\nAnswer: {answer}", answer)

    assert (written.no_line == "") is line


@pytest.mark.clause("ruling:I12")
def test_the_conclusion_said_again_is_no_premise() -> None:
    written = demo("Server x9 can take a nightly job.\nAnswer: x9")

    assert kinds(written) == ["conclusion"]
    assert written.no_line == "it gives no reasons before its answer"


@pytest.mark.clause("ruling:I12")
def test_two_documents_of_one_name_stay_apart() -> None:
    notes = (Document(name="note", text="Server x9 runs Linux."), Document(name="note", text="Server x8 runs BSD."))
    question = Question(text="Which server can take the job?", documents=notes)

    written = cited("r1", "Server x9 runs Linux. Server x8 runs BSD.\nAnswer: x9", "x9", question, notes)

    assert [node(written, key)["source"]["document"] for key in ("d1", "d2")] == [
        "note (document 1)",
        "note (document 2)",
    ]


@pytest.mark.clause("ruling:I12")
def test_without_documents_the_question_is_the_source() -> None:
    written = sold("Natalia sold clips to 48 of her friends in April.\nAnswer: 48", "48")

    assert node(written, "q1")["source"]["document"] == "the question"
    assert node(written, "s1")["type"] == "inference" and written.no_line == ""


@pytest.mark.clause("ruling:I12")
def test_what_the_question_asks_is_no_source_and_what_it_supposes_is() -> None:
    question = Question(text="If her mother got 20 apples, how many apples did Jenna get in June?")

    asked = cited("r1", "Jenna got many apples in June.\nAnswer: 3", "3", question, ())
    supposed = cited("r1", "Her mother got 20 apples.\nAnswer: 20", "20", question, ())

    assert list(asked.ungrounded) == ["r1:s1"]
    assert kinds(supposed) == ["given", "inference", "conclusion"]


@pytest.mark.clause("ruling:I12")
def test_what_one_list_item_says_of_two_things_is_kept_apart() -> None:
    mixed = demo("Server x8 runs Linux and stays on around the clock.\nAnswer: x8", "x8")
    apart = demo("Server x9 in rack 7 runs Linux. Server x8 runs Linux too.\nAnswer: x9")

    assert list(mixed.ungrounded) == ["r1:s1"] and mixed.no_line
    assert not apart.ungrounded and apart.no_line == ""


@pytest.mark.clause("ruling:I12")
def test_an_answer_needs_its_words_in_what_covers_the_reasons_and_not_elsewhere_in_the_item() -> None:
    written = demo("Server x9 stays on around the clock.\nAnswer: x8", "x8")

    assert "x8" in written.no_line


@pytest.mark.clause("ruling:I12")
def test_a_sentence_of_the_next_document_goes_on_about_nothing() -> None:
    notes = (Document(name="a", text="Server x9 is new."), Document(name="b", text="It failed 30 times."))
    question = Question(text="Which one is bad?", documents=notes)

    written = cited("r1", "Server x9 failed 30 times.\nAnswer: x9", "x9", question, notes)

    assert list(written.ungrounded) == ["r1:s1"]


LINUX = "Server x9 runs Linux and stays on around the clock"


@pytest.mark.clause("ruling:I10")
def test_a_wrong_number_is_repaired_and_the_right_sentence_is_the_source() -> None:
    right, wrong = demo(f"{LINUX} [10].\nAnswer: x9"), demo(f"{LINUX} [2].\nAnswer: x9")

    assert not right.repairs
    assert wrong.repairs == (f"“{LINUX}.” cites sentence 2, which does not cover it; sentence 10 does",)
    assert right.nodes == wrong.nodes and "[" not in node(wrong, "s1")["claim"]


@pytest.mark.clause("ruling:I10")
def test_a_number_that_no_sentence_has_is_a_repair() -> None:
    written = demo(f"{LINUX} [99].\nAnswer: x9")

    assert "cites sentence 99; there are sentences 1 to 12" in written.repairs[0]
    assert written.no_line == ""


@pytest.mark.clause("ruling:I10")
@pytest.mark.parametrize(
    ("reply", "repairs"),
    [
        (f"{LINUX} [10, 2].", 0),
        (f"{LINUX} [10][2].", 0),
        (f"[10] {LINUX}.", 0),
        (f"{LINUX}. [10]", 0),
        (f"{LINUX} (10).", 0),
        (f"{LINUX} (2).", 1),
    ],
)
def test_numbers_are_read_wherever_they_stand(reply: str, repairs: int) -> None:
    written = demo(f"{reply}\nAnswer: x9")

    assert node(written, "s1")["claim"].strip(".") == LINUX
    assert [edge["src"] for edge in written.edges if edge["dst"] == "r1:c"] == ["r1:s1"]
    assert len(written.repairs) == repairs


@pytest.mark.clause("ruling:I10")
def test_round_brackets_are_numbers_only_where_every_sentence_has_them() -> None:
    written = demo(f"{LINUX} (2). Nightly jobs start at 02:00.\nAnswer: x9")

    assert "(2)" in node(written, "s1")["claim"]


@pytest.mark.clause("ruling:I18")
def test_a_number_that_is_nowhere_is_an_assumption_and_its_result_makes_no_line() -> None:
    made_up = sold("In all she sold 48 + 30 = 78 clips.\nAnswer: 78", "78")

    assert list(made_up.ungrounded) == ["r1:n30"]
    assert "78" in made_up.no_line


@pytest.mark.clause("ruling:I18")
def test_an_equation_does_not_vouch_for_a_name() -> None:
    written = sold("In May she sold Napoleon 48 / 2 = 24 clips.\nAnswer: 24", "24")

    assert "Napoleon" in written.ungrounded["r1:s1"]
    assert written.no_line


@pytest.mark.clause("ruling:I18")
def test_a_number_that_an_equation_both_starts_from_and_comes_to_is_still_its_premise() -> None:
    written = sold("She kept 48 - 24 = 24 clips.\nAnswer: 24", "24")

    assert list(written.ungrounded) == ["r1:n24"]
    assert "24" in written.no_line


@pytest.mark.clause("ruling:I18")
def test_what_an_equation_comes_to_is_no_premise_of_the_next_in_its_sentence() -> None:
    written = sold("She sold 48 / 2 = 24 in May, so 48 + 24 = 72 in all.\nAnswer: 72")

    assert not written.ungrounded and written.no_line == ""


@pytest.mark.clause("ruling:I18")
def test_a_result_stands_in_later_sentences() -> None:
    written = sold("She sold 48 / 2 = 24 clips in May. She sold 24 clips in May.\nAnswer: 24", "24")

    assert node(written, "s2")["type"] == "inference"


@pytest.mark.clause("ruling:I18")
def test_an_equation_in_the_answer_is_a_step_to_it() -> None:
    written = sold("She sold 48 / 2 = 24 clips in May.\nAnswer: 48 + 24 = 72 clips", "48 + 24 = 72 clips")

    assert node(written, "a")["type"] == "inference"
    assert written.no_line == "" and figures(store_of(written)) == (1, 1)


@pytest.mark.clause("ruling:I18")
def test_a_rounded_result_refutes_nothing_and_stands() -> None:
    question = Question(text="Three friends share 10 crowns. How much does each get?")

    written = cited("r1", "Each gets 10 / 3 = 3.33 crowns.\nAnswer: 3.33", "3.33", question, ())

    assert not written.refuted and written.no_line == ""


@pytest.mark.clause("ruling:I18")
def test_the_numbers_of_a_program_come_from_the_question_or_a_document_or_nowhere() -> None:
    price = Document(name="prices", text="A clip costs 3 crowns.")
    program = worked_out("april = 48\nprice = 3\ntax = 7\nanswer = april * price + tax")

    written = programmed("r1", program, "151", CLIPS, (price,))

    assert node(written, "q1")["source"]["document"] == "the question"
    assert node(written, "d1")["source"]["document"] == "prices"
    assert node(written, "n7")["type"] == "assumption"
    groups = [edge["group"] for edge in written.edges if edge["dst"] == "r1:s4"]
    assert len(groups) == 3 and len(set(groups)) == 1
    assert [edge["src"] for edge in written.edges if edge["dst"] == "r1:c"] == ["r1:s4"]


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    ("program", "why"),
    [("answer = 5 * 9", "no number of its program"), ("a = 48\nanswer = a / 0", "divides by zero"), ("", "no program")],
)
def test_a_program_from_nothing_or_without_an_end_is_no_line(program: str, why: str) -> None:
    written = programmed("r1", worked_out(program), "45", CLIPS, ())

    assert why in written.no_line
    assert not [edge for edge in written.edges if edge["dst"] == "r1:c"]


@pytest.mark.clause("ruling:I18")
def test_the_value_of_answer_holds_the_conclusion_up_whatever_comes_behind_it() -> None:
    written = programmed("r1", worked_out("answer = 48 / 2\ncheck = 48"), "24", CLIPS, ())

    assert [edge["src"] for edge in written.edges if edge["dst"] == "r1:c"] == ["r1:s1"]


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("answer", ["yes", "No.", "True", "false", "Yes, it does"])
def test_no_sentence_has_to_say_yes_or_true(answer: str) -> None:
    document = Document(name="log", text="Kestrel left the harbour on Monday.")
    question = Question(text="Did Kestrel leave?", documents=(document,))

    run = cited("r1", f"Kestrel left the harbour on Monday.\nAnswer: {answer}", answer, question, (document,))

    assert not run.no_line
