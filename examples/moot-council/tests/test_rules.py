"""What is one answer, who sees which letters, what a ranking says, and what all rankings come to."""

from fractions import Fraction

import pytest
from council_kit import ballot, entries
from moot_council.replies import Ranking
from moot_council.rules import (
    Ballot,
    Spoilt,
    borda_scores,
    decided_by_own,
    followed_entry,
    is_quoted,
    labels,
    merged_entries,
    points,
    ranks,
    read_ballot,
    rivals,
    self_preference,
    shown_order,
    sole_most_held,
    standings,
)

THREE = entries("m1", "m2", "m3")

# Entries


def test_answers_that_differ_in_case_and_space_alone_are_one_entry_held_by_both() -> None:
    merged = merged_entries([("m1", "The Old  Bridge", "a"), ("m2", "no", "b"), ("m3", " the old bridge\n", "c")])

    assert [(entry.answer, entry.held_by) for entry in merged] == [("The Old  Bridge", ("m1", "m3")), ("no", ("m2",))]


def test_a_full_stop_at_the_end_makes_no_other_answer() -> None:
    assert len(merged_entries([("m1", "the bridge", ""), ("m2", "the bridge.", ""), ("m3", ", the bridge", "")])) == 1


@pytest.mark.parametrize("other", ["-5", ".5", "5!", "5 %", "5?"])
def test_any_other_sign_makes_another_answer(other: str) -> None:
    assert len(merged_entries([("m1", "5", ""), ("m2", other, "")])) == 2


def test_an_entry_shows_the_reasons_of_its_first_holder_alone() -> None:
    (entry,) = merged_entries([("m1", "yes", "first"), ("m2", "Yes", "second")])

    assert entry.reasons == "first"


def test_the_most_held_entry_is_alone_or_there_is_none() -> None:
    assert sole_most_held(entries("m1", "m2 m3")) == entries("m2 m3")[0]
    assert sole_most_held(entries("m1 m4", "m2 m3")) is None


def test_a_final_text_follows_the_entry_that_it_is_or_the_only_one_it_quotes() -> None:
    two = merged_entries([("m1", "Server x9", ""), ("m2", "Rack 9", "")])

    assert followed_entry(two, "server x9.", "B") == two[0]
    assert followed_entry(two, "It is rack 9.", "") == two[1]


def test_a_final_text_in_other_words_follows_the_letter_that_it_names() -> None:
    assert followed_entry(THREE, "in other words", "Answer B") == THREE[1]
    assert followed_entry(THREE, "in other words", "none") is None


def test_a_final_text_that_names_one_entry_and_quotes_another_follows_nobody_knows_which() -> None:
    two = merged_entries([("m1", "Server x9", ""), ("m2", "Rack 9", "")])

    assert followed_entry(two, "Rack 9 it is", "A") is None
    assert followed_entry(two, "Server x9, not rack 9", "A") == two[0]


def test_a_quote_is_whole_words() -> None:
    assert is_quoted("no", "No, it is not") and not is_quoted("no", "nobody knows")


# What a ranker sees


def test_letters_go_on_after_z() -> None:
    assert labels(28)[-3:] == ("Z", "AA", "AB")


def test_every_ranker_sees_another_order() -> None:
    orders = {shown_order(THREE, "why?", place) for place in range(6)}

    assert len(orders) == 6


def test_over_a_full_round_every_entry_stands_at_every_letter_once() -> None:
    orders = [shown_order(THREE, "why?", place) for place in range(3)]

    assert all(set(column) == set(THREE) for column in zip(*orders, strict=True))


def test_the_order_follows_from_seat_and_question_alone() -> None:
    assert shown_order(THREE, "why?", 1) == shown_order(THREE[::-1], "why?", 1)
    assert len({shown_order(THREE, f"why {number}?", 0) for number in range(20)}) > 1


# What a ranking says


def read(*order: str) -> Ballot | Spoilt:
    return read_ballot("m1", THREE, order)


def test_a_ranking_is_read_as_it_stands() -> None:
    assert read("B", "A", "C") == ballot("m1", "m2 m1 m3")


@pytest.mark.parametrize("item", ["b", " B. ", "(B)", "Answer B", "2. B", "**B**", "B: it is right", "B (clear)"])
def test_a_letter_is_read_however_it_is_dressed(item: str) -> None:
    assert read("C", item, "A") == ballot("m1", "m3 m2 m1")


@pytest.mark.parametrize("order", ["B > A > C", "B, A, C", "B A C", "BAC", ["B > A > C"], "1. B\n2. A\n3. C"])
def test_an_order_sent_as_one_text_is_a_list(order: object) -> None:
    ranking = Ranking.model_validate({"order": order})

    assert read(*ranking.order) == ballot("m1", "m2 m1 m3")


def test_letters_left_out_come_last_together() -> None:
    one_left_out, two_left_out = read("B", "A"), read("C")

    assert isinstance(one_left_out, Ballot) and one_left_out.tiers == (("m2",), ("m1",), ("m3",))
    assert isinstance(two_left_out, Ballot) and two_left_out.tiers == (("m3",), ("m1", "m2"))
    assert two_left_out.repairs == ("A, B, left out, come last",)


def test_a_letter_said_twice_in_a_row_counts_once() -> None:
    repaired = read("A", "A", "B", "C")

    assert isinstance(repaired, Ballot) and repaired.tiers == (("m1",), ("m2",), ("m3",))
    assert repaired.repairs == ("A, said twice in a row, counts once",)


def test_a_ranking_that_repeats_the_order_shown_is_known_as_such() -> None:
    repeats, judges = read("A", "B", "C"), read("A", "C", "B")

    assert isinstance(repeats, Ballot) and repeats.is_as_shown
    assert isinstance(judges, Ballot) and not judges.is_as_shown


def test_a_letter_in_two_places_makes_a_ranking_unusable() -> None:
    assert read("A", "B", "A", "C") == Spoilt("m1", "it puts A in two places")


def test_a_letter_that_nobody_was_shown_is_dropped_where_all_others_are_there() -> None:
    repaired = read("A", "D", "B", "C")

    assert isinstance(repaired, Ballot) and repaired.tiers == (("m1",), ("m2",), ("m3",))
    assert repaired.repairs == ("D, which nobody was shown, is dropped",)


def test_a_letter_that_nobody_was_shown_may_stand_for_one_left_out_and_makes_a_ranking_unusable() -> None:
    assert read("A", "D", "C") == Spoilt("m1", "it names D, which nobody was shown, and leaves out B")


@pytest.mark.parametrize("order", [(), ("X", "Y"), ("none of them",), ("", " ")])
def test_a_ranking_without_any_answer_is_unusable(order: tuple[str, ...]) -> None:
    assert read(*order) == Spoilt("m1", "it names none of the answers")


# What all rankings come to


def test_points_go_evenly_from_one_to_nought() -> None:
    assert points(ballot("m1", "m2 m1 m3")) == {"m2": 1, "m1": Fraction(1, 2), "m3": 0}


def test_entries_that_share_a_tier_share_its_mean() -> None:
    assert ranks(ballot("m1", "m2 m1=m3")) == {"m2": 1, "m1": Fraction(5, 2), "m3": Fraction(5, 2)}
    assert points(ballot("m1", "m2 m1=m3")) == {"m2": 1, "m1": Fraction(1, 4), "m3": Fraction(1, 4)}


def test_the_ranking_goes_by_mean_points_over_usable_rankings() -> None:
    table = standings(THREE, [ballot("m1", "m1 m2 m3"), ballot("m2", "m2 m1 m3"), ballot("m3", "m2 m3 m1")])

    assert [(line.entry.name, line.place, line.borda) for line in table] == [
        ("m2", 1, Fraction(5, 6)),
        ("m1", 2, Fraction(1, 2)),
        ("m3", 3, Fraction(1, 6)),
    ]
    assert [line.mean_rank for line in table] == [Fraction(4, 3), 2, Fraction(8, 3)]


def test_equal_scores_share_a_place_and_the_next_place_is_left_free() -> None:
    table = standings(THREE, [ballot("m1", "m1 m2 m3"), ballot("m2", "m2 m1 m3")])

    assert [(line.entry.name, line.place) for line in table] == [("m1", 1), ("m2", 1), ("m3", 3)]


def test_among_equals_the_entry_that_more_members_hold_comes_first() -> None:
    table = standings(entries("m1", "m2 m3"), [ballot("m1", "m1 m2"), ballot("m2", "m2 m1")])

    assert [line.entry.name for line in table] == ["m2", "m1"]


def test_an_entry_that_no_ranking_has_is_no_line_of_the_table() -> None:
    assert [line.entry.name for line in standings(THREE, [ballot("m1", "m2 m3")])] == ["m2", "m3"]


def test_it_was_close_if_one_ranking_less_would_bring_another_to_the_first_place() -> None:
    split = (ballot("m1", "m1 m2 m3"), ballot("m2", "m2 m1 m3"), ballot("m3", "m1 m2 m3"))

    assert rivals(THREE, split) == {"m1", "m2"}


def test_it_was_not_close_where_the_first_stays_first_without_any_one_ranking() -> None:
    agreed = (ballot("m1", "m1 m2 m3"), ballot("m2", "m1 m3 m2"))

    assert rivals(THREE, agreed) == {"m1"}


def test_one_ranking_alone_leaves_everything_close() -> None:
    assert rivals(THREE, (ballot("m1", "m1 m2 m3"),)) == {"m1", "m2", "m3"}


# Members and their own answers


def test_self_preference_counts_who_put_its_own_first_beside_chance() -> None:
    ballots = [ballot("m1", "m1 m2 m3"), ballot("m2", "m1 m2 m3"), ballot("m3", "m3 m1 m2")]

    preference = self_preference(THREE, ballots)

    assert (preference.had_own, preference.put_first) == (("m1", "m2", "m3"), ("m1", "m3"))
    assert preference.by_chance == 1


def test_whoever_had_no_answer_of_its_own_before_it_does_not_count() -> None:
    two = entries("m1", "m2")

    preference = self_preference(two, [ballot("m3", "m1 m2")])

    assert (preference.had_own, preference.put_first, preference.by_chance) == ((), (), 0)


def test_a_shared_answer_is_every_holders_own() -> None:
    preference = self_preference(entries("m1", "m2 m3"), [ballot("m3", "m2 m1")])

    assert preference.put_first == ("m3",)


def test_scores_by_others_leave_out_the_rankings_of_an_entrys_holders() -> None:
    ballots = [ballot("m1", "m1 m2"), ballot("m2", "m2 m1"), ballot("m3", "m2 m1")]

    assert borda_scores(entries("m1", "m2 m3"), ballots, by_others=True) == {"m1": 0, "m2": 0}


def test_self_preference_decided_where_a_majority_ranks_its_own_answer_first() -> None:
    ballots = [ballot("m1", "m1 m2"), ballot("m2", "m2 m1"), ballot("m3", "m2 m1")]

    assert decided_by_own(entries("m1", "m2 m3"), ballots)


def test_self_preference_did_not_decide_where_others_put_it_first_too() -> None:
    ballots = [ballot("m1", "m1 m2 m3"), ballot("m2", "m2 m1 m3"), ballot("m3", "m3 m1 m2")]

    assert not decided_by_own(THREE, ballots)


def test_self_preference_decided_nothing_where_a_tie_is_left_that_others_would_break() -> None:
    ballots = [ballot("m1", "m2 m1 m3"), ballot("m3", "m1 m2 m3")]

    assert self_preference(THREE, ballots).first_by_others == {"m1"}
    assert not decided_by_own(THREE, ballots)


def test_self_preference_decided_nothing_where_nothing_is_decided() -> None:
    assert not decided_by_own(entries("m1", "m2"), [ballot("m1", "m1 m2"), ballot("m2", "m2 m1")])
    assert not decided_by_own(THREE, [])
