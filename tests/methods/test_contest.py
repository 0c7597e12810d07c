"""Refuting a claim of a stored graph, without a call (ruling I4)."""

import pytest

from moot.argument import GraphStore
from moot.core.canonical import plain
from moot.core.errors import NotFound, UsageError
from moot.methods.contest import contested_node, standing
from tests.protocols.interrogation.kit import (
    CRATES,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    LOUD,
    OSPREY,
    SEEN,
    SILENT,
    argument,
    interrogated,
    step,
)

DETAIL = plain(interrogated(KESTREL, KESTREL, OSPREY, OSPREY).detail)


@pytest.mark.clause("ruling:I4")
def test_uncontested_the_graph_comes_to_what_the_verdict_says() -> None:
    stands = standing(DETAIL)

    assert (stands.answer, stands.claim, stands.width) == ("Kestrel", IS_KESTREL, DETAIL["support_width"])
    assert sorted(stands.surviving) == sorted(DETAIL["surviving_claims"])


@pytest.mark.clause("ruling:I4")
def test_refuting_a_given_narrows_the_support_and_the_claim_no_longer_survives() -> None:
    stands = standing(DETAIL, [("r1:a", "the log was forged")])

    assert (stands.answer, stands.width) == ("Kestrel", 1)
    assert set(standing(DETAIL).surviving) - set(stands.surviving) == {LEFT}


@pytest.mark.clause("ruling:I4")
def test_refuting_enough_changes_the_answer_and_refuting_all_leaves_none() -> None:
    changed = standing(DETAIL, [("r1:a", "no"), ("r1:b", "no")])
    conclusion_gone = standing(DETAIL, [("r1:c", "no")])
    nothing = standing(DETAIL, [("r1:c", "no"), ("r3:c", "no")])

    assert (changed.answer, changed.claim, changed.width) == ("Osprey", IS_OSPREY, 1)
    assert conclusion_gone.answer == "Osprey"
    assert (nothing.answer, nothing.width) == (None, 0)


@pytest.mark.clause("ruling:A22")
def test_a_sentence_is_contested_by_its_id_or_its_words_as_a_claim_is() -> None:
    sentence = {"number": 3, "text": "x9: Linux, always on."}
    graph = GraphStore()
    graph.assert_graph(
        "g",
        [
            {
                "id": "a",
                "claim": "It runs Linux",
                "type": "given",
                "source": {"document": "s.md", "sentences": [sentence]},
            },
            {"id": "z", "claim": "x9 takes the job", "type": "conclusion"},
        ],
        [{"src": "a", "dst": "z", "relation": "supports"}],
    )
    detail = {"graph": graph.to_json("g"), "candidates": [{"id": "z", "answer": "x9", "surviving_width": 1}]}

    named = [contested_node(detail, words).id for words in ("s.md#3", "always on")]
    before, after = standing(detail), standing(detail, [("s.md#3", "another rack")])

    assert named == ["s.md#3", "s.md#3"]
    assert before.support == "1 line of support; the answer falls if any one of these 2 claims is wrong"
    assert before.must_be_wrong == ("It runs Linux", "x9: Linux, always on.")
    assert (before.width, after.width, after.surviving) == (1, 0, ())


def test_the_order_of_contests_does_not_matter() -> None:
    assert standing(DETAIL, [("r1:a", "x"), ("r3:c", "y")]) == standing(DETAIL, [("r3:c", "y"), ("r1:a", "x")])


def test_refuting_an_attacker_lets_what_it_attacked_stand_again() -> None:
    against = {"id": "x", "claim": CRATES, "because": [5], "against": "c"}
    attacked = argument("Kestrel", IS_KESTREL, step("a", LEFT), objections=[against])
    detail = plain(interrogated(attacked, attacked).detail)

    assert standing(detail).answer is None
    assert standing(detail, [("r1:x", "a misprint")]).answer == "Kestrel"


def test_conclusions_that_were_kept_apart_stay_apart_in_the_stored_graph() -> None:
    runs = [argument(name, "The log names the ship.", step("a", LEFT)) for name in ("Kestrel", "Osprey")]
    detail = plain(interrogated(*runs).detail)

    assert standing(detail).answer == "Kestrel"
    assert standing(detail, [("r1:c", "no")]).answer == "Osprey"


@pytest.mark.clause("ruling:I4")
@pytest.mark.parametrize("words", ["r1:a", "r2:a", "left the harbour", "  LEFT the\nharbour ", LEFT])
def test_a_claim_is_meant_by_its_id_also_of_a_merged_one_or_by_words_that_only_it_has(words: str) -> None:
    assert contested_node(DETAIL, words).claim == LEFT


def test_the_whole_of_a_claim_means_it_though_another_one_contains_it() -> None:
    longer = step("x", f"{SILENT[:-1]} and so was every man aboard until the morning", "s")
    detail = plain(interrogated(argument("Kestrel", IS_KESTREL, step("s", SILENT), longer)).detail)

    assert contested_node(detail, "the radio was silent all night").claim == SILENT


@pytest.mark.clause("ruling:I4")
def test_words_of_several_claims_or_of_none_are_refused_with_the_claims_named() -> None:
    told = r"several claims have these words; name one by its id: r1:c: The ship at sea is Kestrel.*[^.]\.$"
    with pytest.raises(NotFound, match=told):
        contested_node(DETAIL, "the ship at sea")
    with pytest.raises(NotFound, match=r"the claims are: .*r1:.4.: The harbour master saw Kestrel go"):
        contested_node(DETAIL, LOUD)
    with pytest.raises(NotFound):
        contested_node(DETAIL, "  ")
    assert contested_node(DETAIL, "harbour master").claim == SEEN


def test_a_verdict_without_a_graph_cannot_be_contested() -> None:
    with pytest.raises(UsageError, match="has no argument graph"):
        contested_node({"reasoning": "x"}, "anything")
    with pytest.raises(UsageError, match="has no argument graph"):
        standing({})
