"""Whether sentences cover a claim: hits and near misses (rulings I12 and D13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.methods.sameness import covered, indexed, rarity_of, sentences_of
from moot.methods.sameness.covering import ENOUGH

SURVEY = (
    "Server x9 is listed in the rack 7 survey. Server x9 failed 12 times last year, and nobody repaired it. "
    "Server y2 failed 412 times last year. Server z3 was bought in 2019. It failed 30 times since then. "
    "The pier is not safe in winter. Kestrel left the harbour at dawn. Twelve ships waited outside in June. "
    "The old pier takes four ships a day. A second pier costs at least 800 crowns. Ajax beat Porto in the final."
)
SENTENCES = sentences_of(SURVEY)
RARITY = rarity_of((SURVEY, "The weather was mild.\nBread costs two crowns.\nThe mayor met the crews."))
QUESTION = "Should the nightly job move to server x9?"


def problem(claim: str, sentences=SENTENCES, **more) -> str:
    return covered(claim, sentences, rarity=RARITY, question=QUESTION, **more).problem


@pytest.mark.parametrize(
    "claim",
    [
        "Server x9 failed 12 times last year",
        "x9 failed twelve times last year.",
        "Last year server x9 failed 12 times",
        "12 ships waited in June",
        "Kestrel left at dawn",
        "Four ships a day is what the old pier takes",
        "The pier is not safe in winter",
        "Server z3 was bought in 2019 and failed 30 times",
        "Server y2 failed 412 times",
    ],
)
@pytest.mark.clause("ruling:D13")
def test_what_stands_there_in_other_words_or_order_is_covered(claim: str) -> None:
    assert problem(claim) == ""


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Server x9 exploded 412 times last year", "the name x9"),
        ("Server x9 failed 412 times last year", "the name x9"),
        ("Server x9 failed 13 times last year", "the number 13"),
        ("Server x8 failed 12 times last year", "the name x8"),
        ("Heron left the harbour at dawn", "the name Heron"),
        ("The pier is safe in winter", "opposite"),
        ("Porto beat Ajax in the final", "opposite"),
        ("A second pier costs at most 800 crowns", "opposite"),
        ("Server x9 is cheap and quiet", "covers"),
        ("Dredging is dearer", "nothing of it"),
        ("", "no claim"),
        ("the of and", "no claim"),
    ],
)
@pytest.mark.clause("ruling:D13")
def test_a_near_miss_is_not_covered(claim: str, why: str) -> None:
    found = covered(claim, SENTENCES, rarity=RARITY, question=QUESTION)

    assert not found.holds
    assert why in found.problem


def test_a_denial_in_another_clause_is_no_denial_of_the_claim() -> None:
    assert problem("x9 failed 12 times", ["Server x9 failed 12 times, and it was not repaired."]) == ""
    assert problem("x9 was repaired", ["Server x9 failed 12 times, and it was not repaired."]) != ""


def test_a_further_number_in_the_sentence_opposes_nothing() -> None:
    assert problem("Costs rose by 1,250.50 euros", ["In 2021 costs rose by 1250.50 euros."]) == ""
    assert problem("Costs rose by 1250.50 euros", ["In 2021, costs rose by 1,250.50 euros."]) == ""
    assert "number" in problem("Costs rose by 1250.50 euros", ["In 2021 costs rose by 1,250 euros."])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("All servers failed", "Some servers failed."),
        ("Der Kai ist nicht voll", "Der Kai ist voll."),
        ("x = y", "x != y"),
        ("The pier is unsafe", "The pier is safe."),
    ],
)
@pytest.mark.clause("ruling:D13")
def test_the_guards_stand_against_what_says_otherwise(claim: str, sentence: str) -> None:
    assert problem(claim, [sentence]) != ""


@pytest.mark.parametrize("text", ["Der Kai ist im Juni voll, aber nicht im Mai.", "\u7801\u5934\u5df2\u6ee1。"])
def test_a_claim_in_any_language_is_covered_by_itself(text: str) -> None:
    assert problem(text.rstrip(".。"), [text]) == ""


def test_two_sentences_cover_a_claim_only_where_none_is_about_something_else() -> None:
    assert problem("Server z3 failed 30 times", ["Server z3 was bought in 2019.", "It failed 30 times."]) == ""
    assert problem("Server z3 failed 30 times", ["Server z3 was bought in 2019.", "Server y2 failed 30 times."]) != ""
    assert problem("Server z3 failed 30 times", ["Server z3 is new.", "Rain fell.", "It failed 30 times."]) != ""


@pytest.mark.clause("ruling:I12")
def test_a_pair_is_one_sentence_and_another_that_goes_on_about_it() -> None:
    ferries = ["The Kestrel carried 40 cars.", "The ferry Heron left at nine."]

    assert problem("The Heron carried 40 cars", ferries) != ""
    assert problem("Server x12 runs Linux", ["Server x9 runs Linux.", "Server x12 is on."]) != ""
    assert problem("Server x12 runs Linux", ["Server x12 is on.", "It runs Linux."]) == ""


@pytest.mark.clause("ruling:I12")
def test_a_sentence_that_goes_on_is_about_what_its_document_is_called() -> None:
    sentences = ["She moved to Oslo in 1960.", "Bo Karr moved to Lyon in 1977."]
    index = indexed(sentences, ["Ada Lund", "Ada Lund"])

    assert covered("Ada Lund moved to Oslo in 1960", index).holds
    assert not covered("Ada Lund moved to Lyon in 1977", index).holds


@pytest.mark.clause("ruling:I12")
def test_the_minutes_of_a_time_are_no_number() -> None:
    sentence = ["The Kestrel left with cars at 06:40."]

    assert "the number 40" in problem("The Kestrel left with 40 cars", sentence)
    assert problem("The Kestrel left with cars at 6:40", sentence) == ""


@pytest.mark.clause("ruling:I12")
def test_a_name_alone_says_nothing_of_what_it_names() -> None:
    sentence = ["Bo Karr is a composer."]

    assert "not what is said of it" in problem("Bo Karr is a painter", sentence)
    assert problem("Bo Karr is a composer", sentence) == ""


def test_words_of_the_question_weigh_half_and_rare_words_more_than_common_ones() -> None:
    sentences = ["The nightly job is on the server."]

    alone = covered("The nightly job moves gently", sentences, rarity=RARITY).share
    asked = covered("The nightly job moves gently", sentences, rarity=RARITY, question="nightly job").share

    assert asked < alone
    assert RARITY.weight("kestrel") > RARITY.weight("server")


@pytest.mark.clause("ruling:D13")
def test_sixty_percent_are_enough_and_less_is_not() -> None:
    sentences = ["alpha beta gamma delta epsilon."]
    flat = rarity_of(("one.",))

    enough = covered("alpha beta gamma zeta eta", sentences, rarity=flat)
    less = covered("alpha beta zeta eta theta", sentences, rarity=flat)

    assert (enough.share, ENOUGH) == (0.6, 0.6)
    assert enough.holds
    assert not less.holds


def test_a_number_that_stands_anyway_need_not_be_there() -> None:
    sentences = ["x9 failed 400 times in spring x9 failed 12 times in autumn"]

    assert problem("x9 failed 412 times", sentences) != ""
    assert problem("x9 failed 412 times", sentences, standing=["412"]) == ""


@given(st.text(max_size=200), st.lists(st.text(max_size=120), max_size=5))
def test_whatever_the_texts_a_cover_is_a_share_and_names_its_sentences(claim: str, sentences: list[str]) -> None:
    found = covered(claim, sentences)

    assert 0.0 <= found.share <= 1.0
    assert all(0 <= place < len(sentences) for place in found.places)
    assert not found.holds or found.share >= ENOUGH
