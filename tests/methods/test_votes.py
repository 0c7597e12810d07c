"""Answers read from free text, and counted."""

import pytest

from moot.core.question import Document, Question
from moot.methods.votes import answer_line, number_asked, stated_answer, voted


@pytest.mark.parametrize(
    ("text", "form", "answer"),
    [
        ("So it is.\nAnswer: 18", "", "18"),
        ("Answer: 3\nNo.\n**Final answer:** 18.", "", "18"),
        ("Answer:\n\n18", "", "18"),
        ("The answer is Paris.", "", "Paris"),
        ("We see that the answer is 18 dollars.", "", "18 dollars"),
        ("thus\n#### 18", "", "18"),
        (r"thus \boxed{18} holds", "", "18"),
        ("It costs 18 dollars.\nI hope this helps!", "a number", "It costs 18 dollars"),
        ("It is Paris.\n", "", "It is Paris"),
    ],
)
def test_the_answer_is_read_from_the_line_that_states_it(text: str, form: str, answer: str) -> None:
    assert stated_answer(text, form) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: 1\nAnswer: 2\nAnswer: 3", "3"),
        ("Alles klar.\nAntwort: 18", "18"),
        ("Voilà.\nRéponse : Paris", "Paris"),
        ("\u7b54\u6848\uff1a42", "42"),
        ("It is Paris.", ""),
        ("", ""),
        ("Answer:\nAnswer: 4", "4"),
        ("**Answer:**\n**18**", "18"),
        ("\n*" * 20_000, ""),
        ("answer " * 10_000, ""),
        ("> " * 20_000 + "answer", ""),
    ],
)
def test_of_several_answer_lines_the_last_counts_and_without_one_there_is_no_answer(text: str, answer: str) -> None:
    assert answer_line(text) == answer


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("text", "form", "is_number"),
    [
        ("Which?", "a number", True),
        ("How many eggs are left?", "yes or no", False),
        ("How many eggs are left?", "", True),
        ("She sells 9 at $2. How much does she make?", "", True),
        ("What is 17 * 23?", "", True),
        ("Ants have 6 legs. What is the total number of legs of 9?", "", True),
        ("What is the difference between cats and dogs?", "", False),
        ("Where can I find the key?", "", False),
        ("Tom has 3 and Ann 4. What's the total cost at 2 each?", "", True),
        ("Calculate the area of a square of side 4.", "", True),
        ("What percentage is left?", "", True),
        ("Which server runs Linux?", "", False),
        ("What is the capital of France?", "", False),
    ],
)
def test_a_number_is_asked_for_by_the_form_and_else_by_the_words(text: str, form: str, is_number: bool) -> None:
    asked = number_asked(Question(text=text, form=form))

    assert asked.is_number is is_number
    assert asked.by


@pytest.mark.clause("ruling:G12")
def test_answers_that_are_numbers_are_counted_as_numbers_and_the_earlier_group_stands_first() -> None:
    first, second = voted(["8", "7", "$7.00", "8 apples"], Question(text="How many?", form="a number")).groups

    assert (first.answer, first.places) == ("8", (0, 3))
    assert (second.answer, second.places) == ("7", (1, 2))


@pytest.mark.clause("ruling:G12")
def test_where_the_form_is_a_number_one_in_words_counts_whole_and_not_by_its_digits() -> None:
    groups = voted(["2 million", "2", "2,000,000", "two million"], Question(text="How many?", form="a number")).groups

    assert [(group.answer, group.places) for group in groups] == [("2 million", (0, 2, 3)), ("2", (1,))]


def test_where_only_the_question_asks_for_a_number_an_answer_with_more_in_it_is_not_cut_down_to_one() -> None:
    groups = voted(["2 million", "nearly 2 of them", "2", "2,000,000"], Question(text="How many people?")).groups

    assert [group.places for group in groups] == [(0, 3), (1,), (2,)]


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It stays on. Answer: x8", "x8"),
        ("It is server x9 (rack 7) Answer: x9.", "x9"),
        ("So it is. **Answer:** x9", "x9"),
        ("First this. Answer: 5. No, that. Answer: 6", "6"),
        ("It stays on. Answer: x8\nAnswer: x9", "x9"),
        ("We call that the answer: 7", ""),
        ("Question and answer: a game", ""),
    ],
)
def test_an_answer_may_stand_behind_the_last_sentence_of_its_line(text: str, answer: str) -> None:
    assert answer_line(text) == answer


@pytest.mark.clause("ruling:G12")
@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        (["Server x9 in rack 7", "server x9", "Server x9"], "server x9"),
        (["server x9", "x9"], "x9"),
        (["x9", "server x9", "Server x9."], "server x9"),
        (["Rack 7", "rack 7"], "Rack 7"),
    ],
)
def test_a_group_goes_by_its_most_frequent_wording_then_the_shortest_then_the_first(answers, shown) -> None:
    survey = Document(name="survey", text="Rack 7: server x9.")

    groups = voted(answers, Question(text="Which server?", documents=(survey,))).groups

    assert [group.answer for group in groups] == [shown]
