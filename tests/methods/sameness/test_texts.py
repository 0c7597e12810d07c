"""What letters settle of two texts: equal in the strict form, or opposed by a guard (ruling G11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.methods.sameness import compared, is_equal, merging, strict_form


@pytest.mark.clause("ruling:G11")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  The  Nile. ", "nile"),
        ("“The Nile”!", "nile"),
        ("1,250.50 tons", "1250.5 tons"),
        ("x  !=  y", "x≠y"),
        ("5! = 120", "5!=120"),
        ("C#", "c#"),
        ("Python 3.10", "python 3.10"),
        ("It takes 3.10 hours", "it takes 3.1 hours"),
        ("(a) and (b)", "(a) and (b)"),
        ("the", "the"),
        ("?!", "?!"),
        ("", ""),
    ],
)
def test_the_strict_form_keeps_every_inner_sign_and_every_word(text: str, form: str) -> None:
    assert strict_form(text) == form


@pytest.mark.clause("ruling:G11")
def test_a_text_is_the_same_only_if_equal_opposed_only_by_a_guard_and_else_undecided() -> None:
    equal = compared("The drug is safe for children.", "the drug is safe for children")
    opposed = compared("The drug works.", "The drug does not work.")
    similar = compared("The drug is safe for children.", "The drug is safe for most children.")

    assert (equal.outcome, equal.by) == ("same", "equal")
    assert (opposed.outcome, opposed.by) == ("opposed", "guard")
    assert (similar.outcome, similar.by) == ("undecided", "nobody")


@pytest.mark.clause("ruling:G11")
def test_x_equals_y_is_never_the_same_as_x_differs_from_y() -> None:
    for one, other in (("x = y", "x != y"), ("x = y", "x ≠ y"), ("x == y", "x != y"), ("p", "!p")):
        assert compared(one, other).outcome != "same"


@pytest.mark.clause("ruling:G11")
def test_what_is_merged_is_called_so_and_has_a_reason_and_a_score() -> None:
    found = merging("Server x9 stands in the second rack of the hall.", "Server x9 stands in second rack of that hall")

    assert found is not None
    assert found.by in ("equal", "jaccard", "ratio")
    assert 0 < found.score <= 1
    assert merging("The valve works.", "The valve does not work.") is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_comparing_does_not_depend_on_the_order(first: str, second: str) -> None:
    assert compared(first, second) == compared(second, first)


@given(st.text(max_size=60))
def test_white_space_around_a_text_changes_nothing(text: str) -> None:
    assert strict_form(f"  {text}\n") == strict_form(text)


def test_two_texts_that_say_nothing_are_not_the_same() -> None:
    assert not is_equal("", "")
    assert compared(" ", "").outcome == "undecided"


@pytest.mark.parametrize("piece", ["ab!", "(", '"', "1,234", "1.", "the ", "= ", "x! ", "*", "🙂", "не "])
def test_a_hundred_kilobytes_of_anything_have_a_strict_form_at_once(piece: str) -> None:
    assert strict_form(piece * (100_000 // len(piece))) is not None


def test_texts_longer_than_a_claim_are_merged_only_if_equal() -> None:
    long = "the harbour master saw the ship leave " * 200

    assert merging(long, long.upper()) is not None
    assert merging(long, f"{long} early") is None
