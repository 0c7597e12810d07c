"""How two positions stand to each other: by the guards, and by a judge where these leave it open (ruling S1)."""

from hypothesis import given
from hypothesis import strategies as st

from moot.methods.entailment import (
    Comparison,
    Stated,
    by_guards,
    equal_answers,
    is_settled,
    judging_messages,
    with_judgement,
)

SILENT = Comparison(a_to_b="neutral", b_to_a="neutral")


def test_equal_answers_entail_each_other_without_a_judge() -> None:
    standing = by_guards(Stated("The capital is Paris."), Stated("the capital is PARIS"))

    assert standing.equivalent
    assert is_settled(standing, Stated("The capital is Paris."), Stated("the capital is PARIS"))


def test_answers_that_differ_in_their_number_contradict_each_other() -> None:
    assert by_guards(Stated("391"), Stated("401")).opposed
    assert by_guards(Stated("It can run."), Stated("It cannot run.")).opposed


def test_other_answers_are_left_to_a_judge() -> None:
    paris, lyon = Stated("Paris"), Stated("Lyon")

    standing = by_guards(paris, lyon)

    assert standing.forward is None
    assert not is_settled(standing, paris, lyon)


def test_claims_are_matched_one_to_one_and_contradictions_found() -> None:
    first = Stated("x", ("The bridge carries 40 tons.", "The river floods in May."))
    second = Stated("x", ("The river floods in May", "The bridge carries 60 tons."))

    standing = by_guards(first, second)

    assert standing.same == ((1, 0),)
    assert standing.contradicting == ((0, 1),)
    assert is_settled(standing, first, second)


def test_a_judge_adds_what_the_guards_left_open_and_overrules_none() -> None:
    first = Stated("391", ("The bridge carries 40 tons.", "It was built of iron."))
    second = Stated("401", ("The bridge carries 60 tons.", "Iron was used for it."))
    said = Comparison(a_to_b="entails", b_to_a="entails", same=((1, 1), (2, 2)), contradicting=())

    standing = with_judgement(by_guards(first, second), said, first, second)

    assert standing.opposed
    assert standing.same == ((1, 1),)
    assert standing.contradicting == ((0, 0),)


def test_pairs_of_claims_that_do_not_exist_are_passed_over() -> None:
    first, second = Stated("a", ("One claim here.",)), Stated("b", ("Another claim.",))
    said = Comparison(a_to_b="neutral", b_to_a="neutral", same=((0, 1), (1, 9), (5, 5)), contradicting=((0, 0), (2, 1)))

    standing = with_judgement(by_guards(first, second), said, first, second)

    assert standing.same == ()
    assert standing.contradicting == ()


def test_answers_without_any_word_are_compared_by_their_signs() -> None:
    assert equal_answers("?!", "?!")
    assert not equal_answers("?!", "!!")


def test_the_judge_sees_both_positions_fenced_and_no_name() -> None:
    system, user = judging_messages("Which city?", Stated("Paris", ("It is large.",)), Stated("Lyon"))

    assert "answer: Paris\nclaim 1: It is large." in user.content
    assert "no claims" in user.content
    assert "m1" not in system.content + user.content


@given(st.text(max_size=40), st.text(max_size=40), st.lists(st.text(max_size=20), max_size=4))
def test_guards_are_symmetric(answer: str, other: str, claims: list[str]) -> None:
    one, two = Stated(answer, tuple(claims)), Stated(other, tuple(reversed(claims)))

    forward, backward = by_guards(one, two), by_guards(two, one)

    assert forward.opposed == backward.opposed
    assert forward.equivalent == backward.equivalent
    assert {(b, a) for a, b in forward.contradicting} == set(backward.contradicting)
