"""How two positions stand to each other: by letters, and by a judge where these leave it open (rulings G11, S1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.methods.entailment import (
    Comparison,
    Stated,
    by_program,
    is_settled,
    judging_messages,
    with_judgement,
)

SILENT = Comparison(a_to_b="neutral", b_to_a="neutral")


def test_equal_answers_entail_each_other_without_a_judge() -> None:
    standing = by_program(Stated("The capital is Paris."), Stated("the capital is PARIS"))

    assert standing.equivalent
    assert is_settled(standing, Stated("The capital is Paris."), Stated("the capital is PARIS"))


def test_answers_that_differ_in_their_number_contradict_each_other() -> None:
    assert by_program(Stated("391"), Stated("401")).opposed
    assert by_program(Stated("It can run."), Stated("It cannot run.")).opposed


def test_other_answers_are_left_to_a_judge() -> None:
    paris, lyon = Stated("Paris"), Stated("Lyon")

    standing = by_program(paris, lyon)

    assert standing.forward is None
    assert not is_settled(standing, paris, lyon)


def test_claims_are_matched_one_to_one_and_contradictions_found() -> None:
    first = Stated("x", ("The bridge carries 40 tons.", "The river floods in May."))
    second = Stated("x", ("The river floods in May", "The bridge carries 60 tons."))

    standing = by_program(first, second)

    assert standing.same == ((1, 0),)
    assert standing.contradicting == ((0, 1),)
    assert is_settled(standing, first, second)


@pytest.mark.clause("ruling:G11")
def test_claims_that_are_merely_similar_are_left_to_the_judge_whose_word_wins() -> None:
    safe, harmful = (
        Stated("Give it.", ("The drug is safe for children.",)),
        Stated("Give it.", ("The drug is a risk.",)),
    )
    like = Stated("Give it.", ("The drug is safe for the children here.",))

    open_ = by_program(safe, like)
    said = Comparison(a_to_b="entails", b_to_a="entails", same=(), contradicting=((1, 1),))
    judged = with_judgement(open_, said, safe, like, judge="m3")

    assert open_.same == open_.contradicting == ()
    assert not is_settled(open_, safe, like)
    assert not is_settled(by_program(safe, harmful), safe, harmful)
    assert judged.contradicting == ((0, 0),)


@pytest.mark.clause("ruling:G11")
def test_claims_that_only_a_list_opposes_are_read_by_a_judge_too_who_cannot_make_them_one() -> None:
    safe, unsafe = Stated("Give it.", ("The drug is safe.",)), Stated("Give it.", ("The drug is unsafe.",))
    said = Comparison(a_to_b="entails", b_to_a="entails", same=((1, 1),))

    standing = by_program(safe, unsafe)

    assert standing.contradicting == ((0, 0),)
    assert not is_settled(standing, safe, unsafe)
    assert with_judgement(standing, said, safe, unsafe, judge="m3").contradicting == ((0, 0),)


@pytest.mark.clause("ruling:G11")
def test_every_outcome_names_who_decided_it() -> None:
    first = Stated("391", ("It was built of iron.", "The bridge carries 40 tons.", "The river is wide."))
    second = Stated("391.", ("it was built of iron", "The bridge carries 60 tons.", "A broad river runs there."))
    said = Comparison(a_to_b="neutral", b_to_a="neutral", same=((3, 3),))

    standing = with_judgement(by_program(first, second), said, first, second, judge="m3")

    assert standing.answers_by == "equal"
    assert set(standing.claims_by) == {(0, 0, "equal"), (1, 1, "guard"), (2, 2, "judge m3")}
    assert by_program(Stated("Paris"), Stated("Lyon")).answers_by == "nobody"


@pytest.mark.clause("ruling:G11")
def test_a_claim_that_only_one_side_makes_may_contradict_the_other_and_is_put_to_the_judge() -> None:
    short = Stated("Yes", ("The valve is open.",))
    longer = Stated("yes", ("The valve is open.", "Nothing flows through the pipe."))

    assert not is_settled(by_program(short, longer), short, longer)
    assert is_settled(by_program(Stated("Yes"), longer), Stated("Yes"), longer)


def test_of_a_judge_who_calls_a_pair_the_same_and_contradicting_the_contradiction_counts() -> None:
    one, other = Stated("a", ("The dam holds.",)), Stated("b", ("The dam leaks.",))
    said = Comparison(a_to_b="neutral", b_to_a="neutral", same=((1, 1),), contradicting=((1, 1),))

    standing = with_judgement(by_program(one, other), said, one, other, judge="m1")

    assert standing.same == ()
    assert standing.contradicting == ((0, 0),)


def test_a_judge_adds_what_the_guards_left_open_and_overrules_none() -> None:
    first = Stated("391", ("The bridge carries 40 tons.", "It was built of iron."))
    second = Stated("401", ("The bridge carries 60 tons.", "Iron was used for it."))
    said = Comparison(a_to_b="entails", b_to_a="entails", same=((1, 1), (2, 2)), contradicting=())

    standing = with_judgement(by_program(first, second), said, first, second, judge="m3")

    assert standing.opposed
    assert standing.same == ((1, 1),)
    assert standing.contradicting == ((0, 0),)


def test_pairs_of_claims_that_do_not_exist_are_passed_over() -> None:
    first, second = Stated("a", ("One claim here.",)), Stated("b", ("Another claim.",))
    said = Comparison(a_to_b="neutral", b_to_a="neutral", same=((0, 1), (1, 9), (5, 5)), contradicting=((0, 0), (2, 1)))

    standing = with_judgement(by_program(first, second), said, first, second, judge="m3")

    assert standing.same == ()
    assert standing.contradicting == ()


def test_the_judge_sees_both_positions_fenced_and_no_name() -> None:
    system, user = judging_messages("Which city?", Stated("Paris", ("It is large.",)), Stated("Lyon"))

    assert "answer: Paris\nclaim 1: It is large." in user.content
    assert "no claims" in user.content
    assert "m1" not in system.content + user.content


@given(st.text(max_size=40), st.text(max_size=40), st.lists(st.text(max_size=20), max_size=4))
def test_guards_are_symmetric(answer: str, other: str, claims: list[str]) -> None:
    one, two = Stated(answer, tuple(claims)), Stated(other, tuple(reversed(claims)))

    forward, backward = by_program(one, two), by_program(two, one)

    assert forward.opposed == backward.opposed
    assert forward.equivalent == backward.equivalent
    assert {(b, a) for a, b in forward.contradicting} == set(backward.contradicting)
