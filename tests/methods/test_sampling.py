"""When enough samples were drawn."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.methods.sameness import Setting, answer_groups
from moot.methods.sampling import (
    Sampling,
    Tally,
    chance_ahead,
    is_decided,
    laplace,
    next_wave,
    sampling_of,
    stop_words,
    tally_of,
)

ANSWERS = ("x9", "server x9", "rack x9", "x8", "server x8", "no")
SETTING = Setting("Which server in which rack?")


def tally(leader: int, second: int, asked: int) -> Tally:
    return Tally(asked, leader + second, leader, second, leader)


@pytest.mark.clause("ruling:I17")
@pytest.mark.parametrize(
    ("leader", "second", "decides"),
    [(4, 0, True), (3, 0, False), (3, 1, False), (5, 1, False), (6, 1, True), (7, 2, False), (8, 2, True)],
)
def test_the_leader_is_far_enough_ahead_at_four_to_none_six_to_one_eight_to_two(
    leader: int, second: int, decides: bool
) -> None:
    assert is_decided(Sampling("lead", 20), tally(leader, second, leader + second)) is decides


def test_the_chance_of_being_ahead_is_the_beta_distribution_above_one_half() -> None:
    assert chance_ahead(0, 0) == Fraction(1, 2)
    assert chance_ahead(4, 0) == Fraction(31, 32)
    assert chance_ahead(3, 1) + chance_ahead(1, 3) == 1


@pytest.mark.clause("ruling:I17")
def test_samples_are_drawn_in_waves_of_four_to_at_most_eight() -> None:
    assert next_wave(Sampling(), Tally()) == 4
    assert next_wave(Sampling(), tally(3, 1, 4)) == 4
    assert next_wave(Sampling(), tally(5, 3, 8)) == 0
    assert next_wave(Sampling(), tally(4, 0, 4)) == 0
    assert next_wave(Sampling("lead", 6), tally(3, 1, 4)) == 2


@pytest.mark.clause("ruling:I17")
def test_the_budget_ends_the_drawing_but_the_first_wave_is_asked_so_that_the_door_can_refuse_it() -> None:
    assert next_wave(Sampling(), tally(3, 1, 4), 2) == 2
    assert next_wave(Sampling(), tally(3, 1, 4), 0) == 0
    assert next_wave(Sampling(), Tally(), 0) == 1


@pytest.mark.clause("ruling:I17")
def test_a_fixed_size_is_drawn_at_once_and_a_number_given_by_hand_is_one() -> None:
    assert next_wave(Sampling("all", 12), Tally()) == 12
    assert sampling_of("lead", 8, 5) == Sampling("all", 5)
    assert sampling_of("sure", 9, None) == Sampling("sure", 9)
    assert next_wave(Sampling("all", 8), tally(4, 0, 4)) == 4


@pytest.mark.clause("ruling:I17")
def test_the_record_says_after_how_many_it_stopped_and_how_the_votes_stood() -> None:
    assert stop_words(Sampling(), tally(4, 0, 4)) == "stopped after 4 of at most 8: 4 to 0"
    assert stop_words(Sampling(), tally(3, 1, 4)) == "the budget of calls ended it after 4 of at most 8: 3 to 1"
    assert stop_words(Sampling(), tally(5, 3, 8)) == "all 8 asked: 5 to 3"


@pytest.mark.clause("ruling:I17")
def test_to_be_sure_a_tie_must_be_out_of_reach_too() -> None:
    assert not is_decided(Sampling("sure", 8), tally(4, 0, 4))
    assert not is_decided(Sampling("sure", 12), tally(6, 2, 8))
    assert is_decided(Sampling("sure", 12), tally(7, 1, 8))


@pytest.mark.clause("ruling:I17")
@given(st.lists(st.sampled_from(ANSWERS), min_size=12, max_size=12))
@settings(max_examples=60, deadline=None)
def test_whoever_stops_when_sure_has_the_winner_of_all(answers: list[str]) -> None:
    drawn = 0
    while size := next_wave(Sampling("sure", 12), tally_of(answer_groups(answers[:drawn], setting=SETTING), drawn)):
        drawn += size

    early, late = (answer_groups(part, setting=SETTING).groups for part in (answers[:drawn], answers))

    if drawn < 12:
        founding = [place for place, why in zip(early[0].places, early[0].reasons, strict=True) if why == "first"]
        assert set(founding) <= set(late[0].places)
        assert len(late) == 1 or len(late[0].places) > len(late[1].places)


@pytest.mark.clause("ruling:I17")
def test_votes_that_merely_contain_one_another_do_not_make_it_sure() -> None:
    contained = tally_of(answer_groups(["x9", "server x9", "x9", "server x9"] * 2, setting=SETTING), 8)

    assert (contained.leader, contained.firm) == (8, 4)
    assert not is_decided(Sampling("sure", 12), contained)


@pytest.mark.clause("ruling:I19")
def test_the_share_of_votes_is_of_the_runs_asked_with_one_more_on_either_side() -> None:
    assert laplace(4, 4) == Fraction(5, 6)
    assert laplace(3, 8) == Fraction(4, 10)
