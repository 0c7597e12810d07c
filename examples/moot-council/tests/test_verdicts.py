"""What a session comes to: the answer, its confidence and by what measure, dissent and caveats."""

from council_kit import verdict_on

from moot.protocol import Basis, Status, Verdict

THREE = ("Old", "New", "Low")
AGREED = ("m2 m1 m3",) * 3
SPOILT = ("", "", "")


def has_caveat(verdict: Verdict, words: str) -> bool:
    return any(words in caveat for caveat in verdict.caveats)


# Which answer stands


def test_the_chairmans_text_is_the_answer() -> None:
    verdict = verdict_on(THREE, AGREED)

    assert (verdict.answer, verdict.status) == ("written", Status.COMPLETE)
    assert verdict.stop_reason == (
        "m1, chairman as the first member, wrote it from 3 answers and 3 of 3 rankings that could be used"
    )


def test_without_its_chairman_the_answer_ranked_first_stands_as_partial_with_the_reason() -> None:
    verdict = verdict_on(THREE, AGREED, final=None)

    assert (verdict.answer, verdict.status) == ("New", Status.PARTIAL)
    assert "sent nothing (unreachable): the answer ranked first stands" in verdict.stop_reason
    assert has_caveat(verdict, "the answer of m2 stands as it was written")


def test_without_chairman_or_rankings_the_answer_that_most_members_gave_stands() -> None:
    verdict = verdict_on(("Old", "New", "old"), SPOILT, final=None)

    assert (verdict.answer, verdict.status) == ("Old", Status.PARTIAL)
    assert (verdict.confidence.basis, verdict.confidence.value) == (Basis.VOTES, 0.6)


def test_without_anything_that_decides_there_is_no_answer_and_all_are_told() -> None:
    verdict = verdict_on(THREE, SPOILT, final=None)

    assert (verdict.answer, verdict.status, verdict.confidence.value) == (None, Status.FAILED, None)
    assert [other.answer for other in verdict.dissent] == ["Old", "New", "Low"]


def test_a_chairman_without_usable_rankings_writes_a_partial_answer_with_no_confidence() -> None:
    verdict = verdict_on(THREE, SPOILT, final="New")

    assert (verdict.answer, verdict.status, verdict.confidence.value) == ("New", Status.PARTIAL, None)
    assert has_caveat(verdict, "none that was asked for could be used")


def test_two_thirds_of_the_rankings_are_enough_and_one_third_is_partial() -> None:
    assert verdict_on(THREE, ("m2 m1 m3", "m2 m1 m3", "")).status is Status.COMPLETE
    assert verdict_on(THREE, ("m2 m1 m3", "", "")).status is Status.PARTIAL


# How sure it is


def test_confidence_is_the_panels_and_says_how_it_was_reckoned() -> None:
    confidence = verdict_on(THREE, AGREED, final="New").confidence

    assert (confidence.basis, confidence.value) == (Basis.PANEL, 0.8)
    assert confidence.reason == "3 Borda points of 3 over 3 rankings, as (3 + 1) / (3 + 2): the answer of m2"


def test_the_chairmans_own_wording_has_the_confidence_of_the_answer_it_follows_and_says_so() -> None:
    first, last = (verdict_on(THREE, AGREED, follows=letter) for letter in ("A", "C"))

    assert (first.confidence.value, last.confidence.value) == (0.8, 0.2)
    assert first.confidence.reason.endswith("the answer of m2, which the chairman's wording follows")
    assert has_caveat(first, "nobody ranked this text. It follows the answer of m2.")
    assert has_caveat(last, "took an answer in place 3")


def test_wording_that_follows_no_answer_has_no_confidence() -> None:
    verdict = verdict_on(THREE, AGREED, follows="none")

    assert (verdict.answer, verdict.confidence.value) == ("written", None)
    assert has_caveat(verdict, "Which answer it follows is not plain.")


def test_a_chairman_who_writes_what_was_ranked_last_gets_no_credit_for_what_was_ranked_first() -> None:
    verdict = verdict_on(THREE, AGREED, final="It is low, I think", follows="A")

    assert verdict.confidence.value is None
    assert [other.answer for other in verdict.dissent] == ["New"]


def test_an_answer_that_the_chairman_took_against_the_ranking_has_its_own_confidence() -> None:
    verdict = verdict_on(THREE, AGREED, final="low")

    assert verdict.confidence.value == 0.2
    assert has_caveat(verdict, "took an answer in place 3, and not the one ranked first")


def test_a_chairman_who_takes_its_own_answer_against_the_ranking_is_told() -> None:
    assert has_caveat(verdict_on(THREE, AGREED, final="Old"), "took an answer, its own, in place 2")


def test_a_chairman_who_takes_the_answer_ranked_first_needs_no_caveat() -> None:
    assert verdict_on(THREE, AGREED, final="New").caveats == ()


def test_an_answer_that_the_chairman_took_and_nobody_ranked_has_no_confidence() -> None:
    verdict = verdict_on(THREE, ("m2 m3",), final="Old")

    assert verdict.confidence.value is None
    assert has_caveat(verdict, "took an answer, its own, that nobody ranked")


def test_one_ranking_alone_is_no_certainty() -> None:
    assert verdict_on(THREE, ("m2 m1 m3", "", ""), final="New").confidence.value == 0.6667


def test_equal_answers_by_all_are_votes() -> None:
    confidence = verdict_on(("Old", "old")).confidence

    assert (confidence.basis, confidence.value) == (Basis.VOTES, 0.75)


# Dissent


def test_an_answer_that_was_close_is_dissent_with_its_holders() -> None:
    verdict = verdict_on(THREE, ("m1 m2 m3", "m2 m1 m3", "m2 m1 m3"))

    assert [(other.answer, other.held_by) for other in verdict.dissent] == [("Old", ("m1",))]


def test_answers_that_were_not_close_are_no_dissent() -> None:
    assert verdict_on(THREE, AGREED).dissent == ()


def test_the_answer_ranked_first_is_dissent_where_the_chairman_took_another() -> None:
    assert [other.answer for other in verdict_on(THREE, AGREED, final="Low").dissent] == ["New"]


# Caveats


def test_a_tie_in_first_place_is_told() -> None:
    tied = verdict_on(THREE, ("m1 m2 m3", "m2 m1 m3", ""))

    assert has_caveat(tied, "2 answers are level in first place (m1; m2)")
    assert not has_caveat(verdict_on(THREE, AGREED), "level")


def test_self_preference_that_decided_is_a_caveat() -> None:
    verdict = verdict_on(("Old", "New", "new"), ("m1 m2", "m2 m1", "m2 m1"))

    assert has_caveat(verdict, "Self-preference decided the ranking: 3 of 3 members put their own answer first")
    assert verdict.detail["self_preference"]["decided"] is True


def test_self_preference_that_decided_nothing_is_a_figure_and_no_caveat() -> None:
    verdict = verdict_on(THREE, ("m1 m2 m3", "m2 m1 m3", "m3 m2 m1"))

    assert verdict.detail["self_preference"]["put_first"] == ["m1", "m2", "m3"]
    assert not has_caveat(verdict, "Self-preference")


def test_a_ranking_that_cannot_be_used_is_told_with_whose_and_why() -> None:
    verdict = verdict_on(THREE, ("m2 m1 m3", "", "m2 m1 m3"))

    assert has_caveat(verdict, "1 of 3 rankings could not be used: m2: it puts A in two places.")


def test_seats_of_one_model_are_a_caveat_and_one_seat_is_none() -> None:
    assert has_caveat(verdict_on(THREE, AGREED, models=("a", "a", "a")), "All 3 seats are one model")
    assert not has_caveat(verdict_on(THREE, AGREED, models=("a", "a", "b")), "one model")
    assert not has_caveat(verdict_on(("Old",)), "one model")


# Small panels


def test_a_council_of_one_gives_its_answer_and_claims_no_confidence() -> None:
    verdict = verdict_on(("Old",))

    assert (verdict.answer, verdict.status, verdict.confidence.value) == ("Old", Status.COMPLETE, None)
    assert verdict.stop_reason == "m1 alone answered: there was nothing to rank"


def test_a_council_of_two_that_ranks_its_own_first_is_level() -> None:
    verdict = verdict_on(("Old", "New"), ("m1 m2", "m2 m1"))

    assert has_caveat(verdict, "2 answers are level in first place")
    assert verdict.confidence.value == 0.5


def test_a_council_of_two_can_agree() -> None:
    verdict = verdict_on(("Old", "New"), ("m2 m1", "m2 m1"), final="New")

    assert (verdict.confidence.value, verdict.caveats) == (0.75, ())
