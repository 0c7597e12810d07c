"""What merges, what contradicts, what is left alone (interrogation 3.3, rulings A1 to A7)."""

import random
import sys

import pytest

from moot.argument import GraphStore
from moot.argument.clusters import Thresholds
from moot.argument.dedup import likeness
from moot.argument.guards import separating_guard
from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.normal_form import normal_form
from tests.argument.random_inputs import random_claims


def store_of(*claims, **options):
    store = GraphStore(**options)
    store.assert_graph(
        "g", [{"id": f"r{n}:n", "claim": claim, "type": "inference"} for n, claim in enumerate(claims, start=1)]
    )
    return store


def verdict(*claims, **options):
    store = store_of(*claims, **options)
    if len(store.nodes("g")) == 1:
        return "merged"
    return "attacks" if store.edges("g") else "apart"


@pytest.mark.clause("argument:M1")
def test_the_same_claim_of_two_runs_is_one_node_with_both_runs():
    store = store_of("Server X runs Linux", "server x runs linux.")

    (node,) = store.nodes("g")
    assert node.id == "r1:n" and node.run_ids == {"r1", "r2"}
    assert node.aliases == ("server x runs linux.",)


@pytest.mark.clause("argument:M1")
@pytest.mark.clause("argument:3.3.negation")
def test_a_claim_and_its_negation_attack_each_other():
    store = store_of("Server X runs Linux", "Server X does not run Linux")

    assert {(edge.src, edge.dst, edge.relation) for edge in store.edges("g")} == {
        ("r1:n", "r2:n", "attacks"),
        ("r2:n", "r1:n", "attacks"),
    }
    assert store.merge_duplicates("g") == {"merges": [], "contradictions_created": [["r1:n", "r2:n"]]}
    assert store.merge_duplicates("g") == {"merges": [], "contradictions_created": []}


@pytest.mark.clause("argument:M1")
@pytest.mark.clause("argument:3.3.numeric")
def test_claims_that_differ_in_a_number_attack_each_other():
    assert verdict("trellium melts at 412 C", "trellium melts at 350 C") == "attacks"


@pytest.mark.clause("argument:3.3.norm")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The server doesn't run.", "server does n't run"),
        ("It can\u2019t, it won\u2019t", "cannot will n't"),
        ("84,200 and 1,2345", "84200 1 2345"),
        ("3.0 equals 3, .5 equals 0.5", "3 equals 3 0.5 equals 0.5"),
        ("-5 degrees, 2010-2015", "-5 degrees 2010 2015"),
        ("growth of 5 % (x<5)", "growth 5% x < 5"),
        ("the server's \u201cname\u201d", "servers name"),
        ("CAFE\u0301", "caf\u00e9"),
        ("?!", ""),
    ],
)
def test_the_normal_form_is_as_ruled(claim, text):
    assert normal_form(claim).text == text


@pytest.mark.clause("argument:3.3.negation")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The valve can open", "The valve cannot open"),
        ("The valve can open", "The valve can't open"),
        ("The pump works with power", "The pump works without power"),
        ("A girl is sleeping", "A girl is not sleeping"),
        ("He walks through the trail", "He does not walk through the trail"),
        ("They carried the box", "They didn't carry the box"),
        ("The report is true", "It is false that the report is true"),
    ],
)
def test_a_plain_negation_is_a_contradiction(a, b):
    assert verdict(a, b) == "attacks"


@pytest.mark.clause("argument:3.3.similarity")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("no valve is not open in the long service corridor", "valve is open in the long service corridor here"),
        ("in 1990 the bridge over the river was rebuilt", "in 1995 the bridge over the wide river was rebuilt"),
        ("server x8 runs the nightly cron job in rack b", "server x9 runs the nightly cron job in rack b"),
        ("the measured latency is < 5 ms in production", "the measured latency is > 5 ms in production"),
        (
            "there is something artificial about this heart of mine",
            "there is nothing artificial about this heart of mine",
        ),
        ("version 3.11.2 of the program reads all the files", "version 3.11.3 of the program reads all the files"),
    ],
)
def test_similar_claims_that_differ_in_negations_numbers_or_signs_stay_apart(a, b):
    assert verdict(a, b) == "apart"


@pytest.mark.clause("argument:3.3.similarity")
@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("no valve is not open in the hall", "valve is open in the hall here", "negations"),
        ("in 1990 the bridge was rebuilt", "in 1995 the bridge was rebuilt", "numbers"),
        ("the latency is < 5 ms", "the latency is > 5 ms", "signs"),
        ("the bridge was rebuilt in 1990", "in 1990 the old bridge was rebuilt", ""),
    ],
)
def test_what_keeps_similar_claims_apart_has_a_name(a, b, why):
    assert separating_guard(normal_form(a), normal_form(b)) == why


@pytest.mark.clause("argument:3.3.similarity")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("some flood flows can be diverted to the lake", "some flood flows can be diverted into the lake"),
        ("the box weighs 5kg", "the box weighs 5 kg"),
        ("revenue was 1,200 dollars", "revenue was 1200.0 dollars"),
    ],
)
def test_paraphrases_merge(a, b):
    assert verdict(a, b) == "merged"


@pytest.mark.clause("argument:3.3.similarity")
@pytest.mark.parametrize(
    ("a", "b", "by"),
    [
        ("in the harbour a pier was built last summer", "last summer a pier was built in the harbour", "jaccard"),
        ("the colours of the harbour are painted", "the colors of the harbor are painted", "ratio"),
    ],
)
def test_a_merge_says_by_which_measure_it_came(a, b, by):
    measure, _ = likeness(normal_form(a), normal_form(b), Thresholds()) or ("", 0.0)

    assert measure == by


@pytest.mark.clause("argument:3.3.numeric")
def test_a_number_after_an_identifier_noun_is_a_name_when_asked():
    pair = ("rack 7 is full of servers today", "rack 8 is full of servers today")

    assert verdict(*pair) == "attacks"
    assert verdict(*pair, identifiers=True) == "apart"
    assert verdict("rack 7 holds 3 servers", "rack 7 holds 4 servers", identifiers=True) == "attacks"


@pytest.mark.clause("argument:3.3.clusters")
def test_claims_that_normalise_to_nothing_never_merge():
    assert verdict("...", "...") == "apart"
    assert verdict("the", "it is") == "apart"


@pytest.mark.clause("argument:3.3.clusters")
def test_a_paraphrase_never_joins_two_sides_of_a_contradiction():
    store = store_of("the pump in hall b is open", "the pump in hall b is not open", "The pump in hall b is open.")

    assert store.resolve("g", "r3:n") == "r1:n"
    assert len(store.nodes("g")) == 2


@pytest.mark.clause("argument:3.3.policy")
def test_the_earliest_run_is_kept_in_natural_order_and_old_ids_resolve():
    store = GraphStore()
    for run in ("r10", "r2"):
        store.assert_graph("g", [{"id": f"{run}:n", "claim": "the door is shut", "type": "inference"}])

    (node,) = store.nodes("g")
    assert node.id == "r2:n"
    assert store.resolve("g", "r10:n") == "r2:n"
    assert store.mark_refuted("g", "r10:n", "seen open")["ok"] is True
    assert store.nodes("g")[0].refuted


@pytest.mark.clause("argument:3.3.policy")
def test_merging_unites_confidence_type_and_edges():
    store = GraphStore()
    nodes = [
        {"id": "r1:a", "claim": "the door is shut", "type": "assumption", "confidence": 0.4},
        {"id": "r2:a", "claim": "The door is shut!", "type": "given", "confidence": 0.7},
        {"id": "r3:a", "claim": "the door is shut", "type": "conclusion", "confidence": 0.6},
        {"id": "r1:b", "claim": "nobody can enter the hall", "type": "inference"},
    ]
    edges = [
        {"from": "r1:a", "to": "r1:b", "relation": "supports", "confidence": 0.3},
        {"src": "r2:a", "dst": "r1:b", "relation": "supports", "confidence": 0.9},
        {"src": "r2:a", "dst": "r1:a", "relation": "supports", "confidence": 0.9},
    ]

    report = store.assert_graph("g", nodes, edges)

    assert report["auto_merged"] == [["r1:a", "r2:a"], ["r1:a", "r3:a"]]
    door = store.nodes("g")[0]
    assert (door.type, door.stated, door.confidence, door.run_ids) == ("conclusion", True, 0.7, {"r1", "r2", "r3"})
    (edge,) = store.edges("g")
    assert (edge.src, edge.dst, edge.confidence, edge.run_ids) == ("r1:a", "r1:b", 0.9, {"r1", "r2"})


@pytest.mark.clause("argument:3.3.policy")
def test_a_live_claim_merged_with_a_refuted_one_is_refuted():
    store = store_of("the door is shut")
    store.mark_refuted("g", "r1:n", "seen open")

    store.assert_graph("g", [{"id": "r2:n", "claim": "The door is shut.", "type": "given"}])

    (node,) = store.nodes("g")
    assert node.refuted and node.refute_reason == "seen open"


@pytest.mark.clause("argument:3.3.clusters")
def test_callers_can_keep_two_claims_apart_for_good():
    store = GraphStore()
    nodes = [{"id": f"r{n}:n", "claim": "the capital is Lyon", "type": "conclusion"} for n in (1, 2)]

    store.assert_graph("g", nodes, cannot_link=[["r1:n", "r2:n"], ["r1:n", "x"]])

    assert len(store.nodes("g")) == 2
    assert store.merge_duplicates("g")["merges"] == []
    store.assert_graph("g", [{"id": "r3:n", "claim": "the capital is Lyon", "type": "conclusion"}])
    assert store.resolve("g", "r3:n") == "r1:n"
    refused = store.keep_apart("g", [["r1:n", "r1:n"], ["r1:n"], "r1:n"])
    assert refused["kept_apart"] == 0 and len(refused["rejected"]) == 3


@pytest.mark.clause("ruling:A6")
def test_every_merge_names_what_was_kept_and_by_what_measure():
    door = "the old oak door in the hall is shut"
    store = store_of(door, f"{door}!", f"{door} tight", "the old oak doors in the halls are shut tightly")

    first, second, third = store.merges("g")
    assert first == {"kept": "r1:n", "merged": "r2:n", "by": "equal", "score": 1.0, "between": ["r1:n", "r2:n"]}
    assert (second["merged"], second["by"], second["score"]) == ("r3:n", "jaccard", 0.833333)
    assert (third["by"], third["between"]) == ("ratio", ["r3:n", "r4:n"]) and 0.85 <= third["score"] < 1
    report = store.assert_graph("g", [{"id": "r5:n", "claim": f"{door}?", "type": "given"}])
    assert report["reasons"] == [
        {"kept": "r1:n", "merged": "r5:n", "by": "equal", "score": 1.0, "between": ["r1:n", "r5:n"]}
    ]


@pytest.mark.clause("ruling:A6")
def test_a_run_that_comes_earlier_takes_the_reason_over():
    store = store_of("the door is shut", "The door is shut!")

    report = store.assert_graph(
        "g", [{"id": "r2:n", "claim": "The door is shut!", "type": "inference", "run_id": "r0"}]
    )

    assert report["auto_merged"] == [["r2:n", "r1:n"]]
    assert [(merge["kept"], merge["merged"]) for merge in store.merges("g")] == [("r2:n", "r1:n")]


@pytest.mark.clause("ruling:A6")
def test_keeping_two_apart_that_are_one_takes_the_merge_back():
    door = "the old oak door in the hall is shut"
    store = store_of(door, f"{door}!", f"{door} tight", f"{door} not")
    store.mark_refuted("g", "r1:n", "seen open")
    assert store.resolve("g", "r2:n") == "r1:n"

    report = store.keep_apart("g", [["r1:n", "r2:n"]])

    assert report == {"kept_apart": 1, "parted": [["r1:n", "r2:n"]], "rejected": []}
    assert [node.id for node in store.nodes("g")] == ["r1:n", "r2:n", "r4:n"]
    assert [node.refuted for node in store.nodes("g")] == [True, False, False]
    assert store.resolve("g", "r3:n") == "r1:n"
    assert store.merge_duplicates("g")["merges"] == []
    assert {("r1:n", "r4:n"), ("r2:n", "r4:n")} <= {(edge.src, edge.dst) for edge in store.edges("g")}


@pytest.mark.clause("ruling:A6")
@pytest.mark.parametrize("seed", range(40))
def test_parting_gives_what_naming_the_pair_from_the_start_gives(seed):
    claims = random_claims(seed, 30)
    late, early = store_of(*claims), GraphStore()
    merged = [merge["between"] for merge in late.merges("g")]
    pairs = merged[:: max(len(merged) // 3, 1)]
    nodes = [{"id": f"r{n}:n", "claim": claim, "type": "inference"} for n, claim in enumerate(claims, start=1)]

    assert late.keep_apart("g", pairs)["kept_apart"] == len(pairs)

    early.assert_graph("g", nodes, cannot_link=pairs)
    assert late.to_json("g") == early.to_json("g")


@pytest.mark.clause("ruling:A6")
def test_parting_keeps_what_looser_thresholds_had_merged():
    store = store_of("alpha beta gamma delta", "alpha beta gamma omicron upsilon", "crows count", "Crows count.")
    store.merge_duplicates("g", 0.4, 0.6)
    assert store.resolve("g", "r2:n") == "r1:n"

    store.keep_apart("g", [["r3:n", "r4:n"]])

    assert store.resolve("g", "r2:n") == "r1:n"
    assert store.resolve("g", "r4:n") == "r4:n"
    store.keep_apart("g", [["r1:n", "r2:n"]])
    assert store.resolve("g", "r2:n") == "r2:n"


@pytest.mark.clause("ruling:A6")
def test_a_saved_graph_keeps_its_reasons_and_an_older_file_loads_without_them():
    store = store_of(
        "the door is shut", "The door is shut!", "alpha beta gamma delta", "alpha beta gamma omicron upsilon"
    )
    store.merge_duplicates("g", 0.4, 0.6)
    saved = store.to_json("g")
    older = {name: value for name, value in saved.items() if name != "merges"}

    store.from_json("copy", saved)
    store.from_json("old", older)

    assert store.to_json("copy") == saved
    assert [(merge["merged"], merge["by"]) for merge in store.merges("old")] == [("r2:n", "equal"), ("r4:n", "stored")]
    store.from_json("odd", {**saved, "merges": [3, {"merged": "r2:n", "between": ["x", 4]}, {"merged": []}]})
    assert store.resolve("odd", "r4:n") == "r3:n"


@pytest.mark.clause("argument:3.3.negation")
def test_inflections_of_one_word_fold_together():
    for family in (
        "run runs running",
        "carry carries carried carrying",
        "stop stops stopped stopping",
        "use uses used",
    ):
        assert len({fold_inflection(word) for word in family.split()}) == 1


def test_claims_that_are_all_alike_are_not_each_read_beside_every_other():
    chance = random.Random(1)
    alike = [" ".join(chance.choice(("alpha", "beta", "gamma", "delta", "eta")) for _ in range(40)) for _ in range(60)]
    calls = []

    def count(frame, event, _argument):
        if event == "call" and frame.f_code is separating_guard.__code__:
            calls.append(1)

    sys.setprofile(count)
    try:
        came_to = verdict(*alike)
    finally:
        sys.setprofile(None)

    assert came_to == "merged"
    assert len(alike) - 1 <= len(calls) < 3 * len(alike)
