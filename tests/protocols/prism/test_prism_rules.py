"""The pure rules of `prism`: gate, domain, recommendation, verdicts, seal."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.protocols.prism import rules
from moot.protocols.prism.rules import CAUTIOUS_FIRST, DomainVote
from tests.protocols.prism import literal

CONFIDENCES = st.integers(0, 1_000_000).map(lambda millionths: round(millionths / 1_000_000, 6))
THRESHOLDS = st.integers(0, 100).map(lambda hundredths: hundredths / 100)


@pytest.mark.clause("ruling:P3")
@pytest.mark.clause("prism:gate")
@pytest.mark.parametrize(
    ("confidences", "passed"),
    [
        ((0.7, 0.7, 0.7), True),
        ((0.1, 1.0, 1.0), True),
        ((0.69, 0.7), False),
        ((0.6, 0.8), True),
        ((0.2, 0.9, 1.0), True),
        ((0.699999, 0.7), False),
    ],
)
def test_the_gate_passes_at_the_threshold_and_knows_no_float_error(confidences, passed) -> None:
    assert rules.passes(confidences, 0.7) is passed


@given(st.lists(CONFIDENCES, min_size=1, max_size=9), THRESHOLDS)
@settings(max_examples=300)
def test_the_gate_is_the_literal_one(confidences, threshold) -> None:
    assert rules.passes(confidences, threshold) == literal.gate(confidences, threshold)


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (Fraction(62, 100), "62 % < 70 %"),
        (Fraction(7, 10), "70 % ≥ 70 %"),
        (Fraction(6996, 10_000), "69.96 % < 70.00 %"),
        (Fraction(7004, 10_000), "70.04 % ≥ 70.00 %"),
        (Fraction(1), "100 % ≥ 70 %"),
    ],
)
def test_a_mean_beside_its_threshold_shows_as_many_places_as_tell_them_apart(mean, words) -> None:
    assert rules.compared(mean, 0.7) == words


@pytest.mark.clause("prism:layer-2")
@pytest.mark.clause("ruling:P4")
@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ("Cognitive Ethology", "cognitive-ethology"),
        ("PUBLIC policy!", "public-policy"),
        ("Écologie  appliquée", "ecologie-appliquee"),
        ("machine--learning", "machine-learning"),
        ("law & order", "law-order"),
        ("R&D", "rd"),
        ("зоология", "зоология"),
        ("a - b", "a-b"),
        ("???", ""),
    ],
)
def test_a_domain_is_normalised_by_the_five_steps_in_order(said, slug) -> None:
    assert rules.normal_domain(said) == slug


@given(st.text(max_size=60))
@settings(max_examples=500)
def test_a_slug_is_its_own_slug_and_the_literal_one(text) -> None:
    slug = rules.normal_domain(text)

    assert slug == literal.domain(text)
    assert rules.normal_domain(slug) == slug
    assert "--" not in slug


def votes(*items: tuple[str, float, int]) -> list[DomainVote]:
    return [DomainVote(*item) for item in items]


@pytest.mark.clause("ruling:P4")
@pytest.mark.parametrize(
    ("cast", "domain"),
    [
        (votes(("a", 0.1, 1), ("A!", 0.1, 2), ("b", 1.0, 3)), "a"),
        (votes(("a", 0.5, 1), ("b", 0.6, 2)), "b"),
        (votes(("a", 0.5, 2), ("b", 0.5, 1)), "b"),
        (votes(("a", 0.1, 1), ("a", 0.2, 2), ("b", 0.3, 3), ("b", 0.0, 4)), "a"),
        (votes(("!!", 1.0, 1), ("--", 1.0, 2), ("b", 0.1, 3)), "b"),
        (votes(("!!", 1.0, 1)), None),
        ([], None),
    ],
)
def test_the_domain_vote_goes_by_votes_then_confidence_then_order_of_submission(cast, domain) -> None:
    assert rules.domain_vote(cast) == domain


@given(
    st.lists(st.tuples(st.sampled_from(["a", "A", "b c", "b-c", "ç", "!", ""]), CONFIDENCES), max_size=8).map(
        lambda items: [(text, sure, place) for place, (text, sure) in enumerate(items)]
    )
)
@settings(max_examples=500)
def test_the_domain_vote_is_the_literal_one(cast) -> None:
    assert rules.domain_vote(votes(*cast)) == literal.vote(cast)


@pytest.mark.clause("ruling:P6")
@pytest.mark.parametrize(
    ("cast", "chosen"),
    [
        (["accept", "accept", "reject"], "accept"),
        (["accept", "reject"], "reject"),
        (["accept", "accept-with-caveats", "needs-more-evidence"], "needs-more-evidence"),
        (["accept-with-caveats", "accept"], "accept-with-caveats"),
        ([], "needs-more-evidence"),
    ],
)
def test_the_recommendation_is_the_majority_s_and_a_tie_goes_to_the_more_cautious(cast, chosen) -> None:
    assert rules.recommendation(cast) == chosen


@given(st.lists(st.sampled_from(CAUTIOUS_FIRST), max_size=9))
def test_the_recommendation_is_the_literal_one_in_any_order(cast) -> None:
    assert rules.recommendation(cast) == literal.recommendation(cast) == rules.recommendation(cast[::-1])


@pytest.mark.clause("ruling:P10")
@pytest.mark.parametrize(
    ("verdicts", "is_flagged"),
    [
        (["flag", "flag", "advance-to-synthesis"], True),
        (["flag", "advance-to-synthesis"], True),
        (["flag", "advance-to-synthesis", "advance-to-synthesis"], False),
        (["flag"], True),
        ([], False),
    ],
)
def test_half_of_the_verdicts_are_enough_for_a_flag(verdicts, is_flagged) -> None:
    assert bool(rules.flag_by_verdicts(verdicts)) is is_flagged


def test_the_short_answer_is_that_of_most_then_of_the_surest() -> None:
    assert rules.most_given([("Rack 7.", 0.5), ("rack 7", 0.6), ("rack 8", 1.0)]) == "Rack 7."
    assert rules.most_given([("a", 0.5), ("b", 0.6), ("", 1.0)]) == "b"
    assert rules.most_given([]) == ""


@pytest.mark.clause("ruling:P9")
@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=2, max_size=5, unique=True))
def test_the_seal_sees_every_slot_and_their_order(slots) -> None:
    sealed = rules.seal(slots)

    assert sealed == rules.seal(list(slots))
    assert sealed != rules.seal(slots[::-1]) or slots == slots[::-1]
    assert sealed != rules.seal(slots[:-1])


@pytest.mark.clause("ruling:P9")
@pytest.mark.parametrize("changed", ["step", "role", "labels", "context", "agent", "reply"])
def test_the_digest_of_a_slot_sees_every_part_of_it(changed) -> None:
    parts: dict[str, Any] = {
        "step": "L1.1/work/1",
        "role": "critic",
        "labels": {"layer": "1"},
        "context": {"claim": "x"},
    }
    parts |= {"agent": "Ada", "reply": {"content": "y"}}
    other: dict[str, Any] = {**parts, changed: {"layer": "2"} if isinstance(parts[changed], dict) else "z"}

    digests = [rules.slot_digest(item.pop("step"), **item) for item in (dict(parts), other)]

    assert digests[0] != digests[1]
