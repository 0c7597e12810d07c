"""Agreement, harmony, divergence and the test for consensus (spiral 5.1, 5.2; rulings S1 to S3)."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.methods.entailment import Stated, by_program
from moot.protocols.spiral.agreement.measures import (
    PHI,
    Measured,
    Pair,
    Weights,
    agreed_since,
    agreement,
    entailment_of,
    fact_overlap,
    mean_agreements,
    measured,
    pair_of,
    scheduled_divergence,
)
from moot.protocols.spiral.axioms.retrieval import similarity as cosine

SHARE = st.floats(0, 1, allow_nan=False)


def pairs(*agreements: float, similarity: float = 1.0) -> list[Pair]:
    names = [pair for size in range(2, 8) for pair in combinations("abcdefg"[:size], 2)]
    seats = next(size for size in range(2, 8) if size * (size - 1) // 2 == len(agreements))
    names = list(combinations("abcdefg"[:seats], 2))
    return [Pair(a, b, similarity, 1.0, 1.0, value) for (a, b), value in zip(names, agreements, strict=True)]


@pytest.mark.clause("ruling:S1")
def test_agreement_is_thirty_forty_thirty() -> None:
    assert agreement(0.5, 0.75, 0.2, Weights()) == pytest.approx(0.3 * 0.5 + 0.4 * 0.75 + 0.3 * 0.2)


@pytest.mark.clause("ruling:S1")
def test_without_a_judge_its_weight_is_spread_over_the_others() -> None:
    assert agreement(0.5, None, 0.2, Weights()) == pytest.approx((0.3 * 0.5 + 0.3 * 0.2) / 0.6)


@pytest.mark.clause("ruling:S1")
def test_entailment_is_the_mean_of_both_directions() -> None:
    assert entailment_of("entails", "neutral") == 0.75
    assert entailment_of("contradicts", "contradicts") == 0.0
    assert entailment_of("entails", None) is None


@pytest.mark.clause("ruling:S1")
def test_facts_are_shared_over_all() -> None:
    assert fact_overlap(2, 3, 4) == pytest.approx(2 / 5)
    assert fact_overlap(0, 2, 0) == 0.0


@pytest.mark.clause("ruling:S11")
def test_where_neither_has_claims_the_weight_of_facts_is_spread_over_the_others() -> None:
    facts = fact_overlap(0, 0, 0)

    assert facts is None
    assert agreement(0.5, 0.25, facts, Weights()) == pytest.approx((0.3 * 0.5 + 0.4 * 0.25) / 0.7)
    assert agreement(0.5, None, facts, Weights()) == 0.5


@pytest.mark.clause("ruling:S11")
def test_opposite_answers_without_claims_do_not_gain_by_having_none() -> None:
    standing = by_program(Stated("It can be kept."), Stated("It cannot be kept."))

    pair = pair_of("a", "b", similarity=0.6, standing=standing, claims=(0, 0), weights=Weights())

    assert pair.facts is None
    assert pair.agreement == pytest.approx(0.3 * 0.6 / 0.7)


def at(loop: int, *agreements: float) -> Measured:
    return measured(loop, pairs(*agreements), 0.5)


@pytest.mark.clause("ruling:S10")
def test_members_agree_since_the_loop_from_which_on_both_measured_conditions_hold() -> None:
    apart, outlier, together = (0.5, 0.5, 0.5), (1.0, 1.0, 1.0, 1.0, 1.0, 0.65), (1.0, 1.0, 1.0)

    assert agreed_since([at(0, *apart), at(1, *together), at(2, *together)]) == 1
    assert agreed_since([at(0, *together), at(1, *apart), at(2, *together)]) == 2
    assert agreed_since([at(0, *together), at(1, *together)]) == 0
    assert agreed_since([at(0, *together), at(1, *apart)]) is None
    assert agreed_since([at(0, *outlier)]) is None


def test_a_pair_by_hand() -> None:
    one = Stated("It floods.", ("The river rises in May.", "Snow melts."))
    other = Stated("It floods", ("The river rises in May",))

    pair = pair_of("a", "b", similarity=1.0, standing=by_program(one, other), claims=(2, 1), weights=Weights())

    assert pair == Pair("a", "b", 1.0, 1.0, 0.5, 0.85)


@pytest.mark.clause("ruling:S2", "spiral:5.2")
def test_the_papers_outlier_gives_three_quarters_and_the_pairs_catch_it() -> None:
    # Four members, three of one mind and one at 0.50 from each: H is 0.75, not above 0.90 as the paper has it.
    found = measured(0, pairs(1, 1, 0.5, 1, 0.5, 0.5))

    assert found.harmony == 0.75
    assert not found.is_consensus


@pytest.mark.clause("spiral:5.2")
@pytest.mark.parametrize(
    ("agreements", "divergence", "consensus"),
    [
        ((0.95, 0.95, 0.95), 0.01, True),
        ((0.90, 0.90, 0.90), 0.01, False),
        ((0.90001, 0.90001, 0.90001), 0.04999, True),
        ((1.0, 1.0, 0.70, 1.0, 1.0, 1.0), 0.01, False),
        ((1.0, 1.0, 0.71, 1.0, 1.0, 1.0), 0.01, True),
        ((1.0, 1.0, 1.0), 0.05, False),
    ],
)
def test_consensus_takes_all_three_conditions_strictly(agreements, divergence: float, consensus: bool) -> None:
    found = measured(0, pairs(*agreements))
    found = Measured(found.loop, found.pairs, found.harmony, found.measured_divergence, divergence)

    assert found.is_consensus is consensus


@pytest.mark.clause("ruling:S2", "spiral:5.1.3")
def test_the_schedule_divides_by_phi_and_the_measurement_does_not() -> None:
    found = measured(3, pairs(0.9, 0.9, 0.9, similarity=0.8), initial_divergence=0.5)

    assert found.scheduled_divergence == pytest.approx(0.5 / PHI**3, abs=1e-6)
    assert found.measured_divergence == pytest.approx(0.2)
    assert scheduled_divergence(0.5, 1) == pytest.approx(scheduled_divergence(0.5, 0) / PHI, abs=1e-6)


@pytest.mark.clause("spiral:5.1.1")
def test_the_initial_divergence_is_one_minus_the_mean_similarity() -> None:
    found = measured(0, [Pair("a", "b", 0.9, 1, 1, 1), Pair("a", "c", 0.6, 1, 1, 1), Pair("b", "c", 0.9, 1, 1, 1)])

    assert found.measured_divergence == found.scheduled_divergence == pytest.approx(0.2)


def test_cosine_is_bounded_and_nothing_for_nothing() -> None:
    assert cosine([1, 0], [1, 0]) == 1.0
    assert cosine([1, 0], [-1, 0]) == 0.0
    assert cosine([0, 0], [1, 0]) == 0.0
    assert cosine([1, 1], [1, 0]) == pytest.approx(1 / math.sqrt(2), abs=1e-6)


@given(SHARE, st.one_of(st.none(), SHARE), SHARE)
def test_agreement_is_bounded_and_one_only_for_full_parts(similarity: float, entailment: float | None, facts: float):
    value = agreement(similarity, entailment, facts, Weights())

    assert 0 <= value <= 1
    assert agreement(1.0, 1.0, 1.0, Weights()) == 1.0


WORDS = st.sampled_from(["river", "dam", "snow", "valley", "bridge", "40", "60", "not", "rises", "melts", "holds"])
SENTENCE = st.lists(WORDS, min_size=2, max_size=5).map(" ".join)
STATED = st.builds(Stated, SENTENCE, st.lists(SENTENCE, max_size=4, unique=True).map(tuple))


def agreed(first: Stated, second: Stated) -> float:
    similarity = 1.0 if by_program(first, second).equivalent else 0.5
    claims = (len(first.claims), len(second.claims))
    standing = by_program(first, second)
    return pair_of("a", "b", similarity=similarity, standing=standing, claims=claims, weights=Weights()).agreement


@given(STATED)
def test_identical_positions_agree_wholly(stated: Stated) -> None:
    assert agreed(stated, stated) == 1.0


@given(STATED, STATED)
def test_agreement_is_symmetric_and_bounded(first: Stated, second: Stated) -> None:
    assert agreed(first, second) == agreed(second, first)
    assert 0 <= agreed(first, second) <= 1


def test_each_members_mean_is_over_its_own_pairs() -> None:
    assert mean_agreements("abc", pairs(1.0, 0.5, 0.8)) == pytest.approx({"a": 0.75, "b": 0.9, "c": 0.65})
