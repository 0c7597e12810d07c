"""Sentences beneath givens: lines start at them, and one of them can be contested (ruling A22)."""

import pytest

from moot.argument import GraphStore
from moot.argument.words import support_words
from tests.argument.joint import LiteralWays

CLAIMS = (
    "x9 runs Linux and stays on",
    "The machine called x9 uses Linux",
    "Nobody switches x9 off",
    "Linux is its system",
)
Z = {"id": "z", "claim": "Server x9 takes the nightly job", "type": "conclusion"}


def given(name, claim, *sentences, document="survey.md"):
    return {"id": name, "claim": claim, "type": "given", "source": {"document": document, "sentences": [*sentences]}}


def supported_by(*givens, **fields):
    store = GraphStore()
    edges = [{"src": one["id"], "dst": "z", "relation": "supports", **fields} for one in givens]
    report = store.assert_graph("g", [*givens, Z], edges)
    assert report["rejected"] == report["auto_merged"] == []
    return store


def width(store):
    return store.support_width("g", "z")["disjoint_paths"]


@pytest.mark.clause("ruling:A22")
def test_one_sentence_in_four_wordings_is_one_line():
    store = supported_by(*(given(f"g{place}", claim, 3) for place, claim in enumerate(CLAIMS)))

    told = store.resilience("g", "z")

    assert width(store) == told["lines"] == told["resilience"] == 1
    assert told["must_be_wrong"] == told["any_one_of"] == ["survey.md#3"]
    assert store.support_width("g", "z")["paths"][0][0] == "survey.md#3"


@pytest.mark.clause("ruling:A22")
def test_four_sentences_are_four_lines():
    store = supported_by(*(given(f"g{place}", claim, place) for place, claim in enumerate(CLAIMS)))

    assert width(store) == store.resilience("g", "z")["resilience"] == 4


@pytest.mark.clause("ruling:A22")
def test_the_same_number_in_another_document_is_another_sentence():
    store = supported_by(given("a", CLAIMS[0], 3), given("b", CLAIMS[1], 3, document="log.md"))

    assert width(store) == 2


@pytest.mark.clause("ruling:A22")
def test_a_given_needs_all_of_its_sentences_together():
    store = supported_by(given("a", CLAIMS[0], 3, 4), given("b", CLAIMS[1], 5))

    report = store.mark_refuted("g", "survey.md#4", "an old table")

    assert (report["width_before"], report["width_after"]) == (2, 1)
    assert store.resilience("g", "z")["any_one_of"] == ["b", "survey.md#5"]


@pytest.mark.clause("ruling:A22")
def test_two_givens_that_share_one_of_their_sentences_are_one_line():
    store = supported_by(given("a", CLAIMS[0], 3, 4), given("b", CLAIMS[1], 4, 5))

    told = store.resilience("g", "z")

    assert (told["lines"], told["any_one_of"]) == (1, ["survey.md#4"])


@pytest.mark.clause("ruling:A22")
def test_a_contested_sentence_takes_its_givens_along_until_that_is_undone():
    store = supported_by(given("a", CLAIMS[0], 3), given("b", CLAIMS[1], 3))

    store.mark_refuted("g", "survey.md#3", "the survey is of another rack")

    assert width(store) == 0 and store.surviving_claims("g")["surviving"] == []
    assert store.support_width("g", "z")["max_flow"] == 0
    assert store.check_structure("g", "z")["unreachable_conclusion"]
    assert store.check_structure("g", "z")["refuted_but_feeding"] == ["survey.md#3"]
    assert store.sentences("g")[0].refute_reason == "the survey is of another rack"
    assert store.undo_refuted("g", "survey.md#3")["width_after"] == 1
    assert store.surviving_claims("g")["surviving"] == ["a", "b", "z"]


@pytest.mark.clause("ruling:A22")
def test_a_claim_stated_in_two_places_rests_on_either():
    store = supported_by(given("a", CLAIMS[0], 3))
    store.assert_graph("g", [given("r2:a", CLAIMS[0], 9)], [])

    told = store.resilience("g", "z")

    assert (told["lines"], told["any_one_of"]) == (1, ["a"])
    assert store.mark_refuted("g", "survey.md#3", "wrong")["width_after"] == 1


@pytest.mark.clause("ruling:A22")
def test_a_conclusion_that_a_sentence_states_falls_with_the_sentence():
    store = GraphStore()
    store.assert_graph("g", [{**given("z", "Server x9 takes the nightly job", 3)}], [])

    told = store.resilience("g", "z")

    assert (told["resilience"], told["must_be_wrong"], told["uncuttable"]) == (1, ["survey.md#3"], False)


@pytest.mark.clause("ruling:A22")
def test_a_source_of_more_than_five_sentences_is_broad():
    store = supported_by(given("a", CLAIMS[0], *range(5)), given("b", CLAIMS[1], *range(6)))

    assert store.check_structure("g", "z")["broad"] == ["b"]


@pytest.mark.clause("ruling:A22")
def test_the_words_of_a_sentence_are_kept_from_whoever_gives_them_first():
    store = supported_by(
        given("a", CLAIMS[0], 3), given("b", CLAIMS[1], {"number": 3, "text": "x9: Linux, always on."})
    )

    assert [(one.id, one.claim) for one in store.sentences("g")] == [("survey.md#3", "x9: Linux, always on.")]


@pytest.mark.clause("ruling:A22")
def test_a_graph_with_sources_is_the_same_after_writing_and_reading_it():
    store = supported_by(given("a", CLAIMS[0], {"number": 3, "text": "x9: Linux."}, 4), given("b", CLAIMS[1], 5))
    store.mark_refuted("g", "survey.md#4", "smudged")
    written = store.to_json("g")

    store.from_json("h", written)

    assert store.to_json("h") == written
    assert store.sentences("h") == store.sentences("g")
    assert store.resilience("h", "z") == store.resilience("g", "z")


@pytest.mark.clause("ruling:A22")
def test_a_demoted_given_loses_its_source_and_a_reinstated_one_has_the_new():
    store = supported_by(given("a", CLAIMS[0], 3))

    store.demote_given("g", "a")
    demoted = width(store)
    store.reinstate_given("g", "a", {"document": "survey.md", "sentences": [7]})

    assert demoted == 0
    assert store.resilience("g", "z")["any_one_of"] == ["a", "survey.md#7"]
    assert not store.nodes("g")[0].ungrounded


@pytest.mark.clause("ruling:A22")
@pytest.mark.parametrize(
    "source",
    [
        "survey.md",
        {"document": "survey.md"},
        {"document": "survey.md", "sentences": []},
        {"document": "", "sentences": [1]},
        {"document": "survey.md", "sentences": [-1]},
        {"document": "survey.md", "sentences": [True]},
        {"document": "survey.md", "sentences": ["one"]},
        {"document": "survey.md", "sentences": list(range(1001))},
    ],
)
def test_a_source_that_is_none_is_refused_with_a_reason(source):
    report = GraphStore().assert_graph("g", [{"id": "a", "claim": CLAIMS[0], "type": "given", "source": source}], [])

    assert report["accepted_nodes"] == 0 and report["rejected"][0]["reason"]


@pytest.mark.clause("ruling:A22")
def test_only_a_given_has_a_source_and_no_claim_has_the_id_of_a_sentence():
    store = GraphStore()
    nodes = [
        {**given("i", CLAIMS[0], 1), "type": "inference"},
        given("a", CLAIMS[1], 3),
        {"id": "survey.md#3", "claim": CLAIMS[2], "type": "inference"},
        {"id": "log.md#1", "claim": CLAIMS[3], "type": "inference"},
        given("b", CLAIMS[2], 1, document="log.md"),
    ]

    report = store.assert_graph("g", nodes, [])

    assert [refusal["item"]["id"] for refusal in report["rejected"]] == ["i", "survey.md#3", "b"]
    assert [sentence.id for sentence in store.sentences("g")] == ["survey.md#3"]


@pytest.mark.clause("ruling:A21")
def test_the_words_say_how_many_lines_there_are_and_what_must_be_wrong():
    joint = supported_by(*(given(f"g{place}", claim, place) for place, claim in enumerate(CLAIMS[:3])), group="s")
    apart = supported_by(*(given(f"g{place}", claim, place) for place, claim in enumerate(CLAIMS[:2])))
    nothing = supported_by()

    words = [support_words(store.resilience("g", "z"), "the answer") for store in (joint, apart, nothing)]

    assert words == [
        "1 line of support; the answer falls if any one of these 6 claims is wrong",
        "2 lines of support; the answer falls if these 2 claims are wrong together, and not if fewer are",
        "no line of support: nothing given reaches the answer",
    ]


@pytest.mark.clause("ruling:A21")
def test_a_hostile_argument_ends_within_its_steps():
    # 240 ways of six premises each over forty givens: neither the most lines nor the fewest claims are soon proved.
    names = [f"p{number}" for number in range(40)]
    nodes = [{"id": name, "claim": f"{name} {name * 3}", "type": "given"} for name in names]
    edges = [
        {"src": names[(start + step * jump) % 40], "dst": "z", "relation": "supports", "group": f"{start} {step}"}
        for start in range(40)
        for step in (1, 3, 7, 9, 11, 13)
        for jump in range(6)
    ]
    store = GraphStore()
    store.assert_graph("g", [*nodes, Z], edges)

    told = store.resilience("g", "z")

    assert told["lines"] <= told["resilience"] < len(told["must_be_wrong"])
    assert not told["exact"] and not told["lines_exact"]
    assert not LiteralWays(store, standing=True).without(told["must_be_wrong"], "z")
