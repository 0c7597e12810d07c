"""The guards over a corpus of claim pairs, and each rule by itself (rulings A18 to A20)."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from moot.argument import GraphStore
from moot.argument.clusters import Thresholds
from moot.argument.dedup import likeness
from moot.argument.guards import guarded_words, opposing_guard, separating_guard
from moot.argument.wording.languages import LANGUAGES, function_words, language_of, negations
from moot.argument.wording.normal_form import normal_form
from moot.argument.wording.opposites import are_opposites, family
from moot.argument.wording.reading import MAX_TOKENS, read

CORPUS = [
    json.loads(line) for line in (Path(__file__).parent / "claim_pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
OUTSIDE = Path(os.environ.get("MOOT_DATA", "")) / "claim_pairs.jsonl"


def verdict(a, b):
    store = GraphStore()
    store.assert_graph("g", [{"id": f"r{n}:n", "claim": claim, "type": "given"} for n, claim in enumerate((a, b))])
    if len(store.nodes("g")) == 1:
        return "merge"
    return "attack" if store.edges("g") else "apart"


def is_merged(a, b):
    if not a.text or not b.text or opposing_guard(a, b):
        return False
    return a.text == b.text or (likeness(a, b, Thresholds()) is not None and not separating_guard(a, b))


def separated(a, b):
    return separating_guard(normal_form(a), normal_form(b))


def opposed(a, b):
    return opposing_guard(normal_form(a), normal_form(b))


@pytest.fixture(scope="module")
def verdicts():
    return [(row, verdict(row["a"], row["b"])) for row in CORPUS]


@pytest.mark.clause("ruling:A18")
@pytest.mark.clause("ruling:A19")
@pytest.mark.clause("ruling:A20")
def test_of_the_pairs_that_must_stay_apart_at_most_one_in_a_hundred_merges(verdicts):
    merged = [(row["a"], row["b"]) for row, got in verdicts if row["expect"] != "merge" and got == "merge"]
    must = sum(row["expect"] != "merge" for row in CORPUS)

    assert must >= 300
    assert len(merged) <= must / 100, merged


@pytest.mark.clause("ruling:A18")
def test_paraphrases_of_the_corpus_go_on_merging(verdicts):
    missed = [(row["a"], row["b"]) for row, got in verdicts if row["expect"] == "merge" and got != "merge"]
    must = sum(row["expect"] == "merge" for row in CORPUS)

    assert must >= 70
    assert len(missed) <= must / 20, missed


@pytest.mark.clause("ruling:A19")
def test_opposites_negations_and_numbers_attack_and_nothing_else_does(verdicts):
    wrong = [
        (row["a"], row["b"], got)
        for row, got in verdicts
        if (got == "attack") != (row["expect"] == "attack") and row["expect"] != "open"
    ]

    assert not wrong
    assert sum(row["expect"] == "attack" for row in CORPUS) >= 90


def test_the_order_of_two_claims_decides_nothing(verdicts):
    assert [verdict(row["b"], row["a"]) for row in CORPUS] == [got for _, got in verdicts]


@pytest.mark.clause("ruling:A18")
@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("Ajax beat Porto", "Porto beat Ajax", "reversed"),
        ("the train goes from Lyon to Geneva", "the train goes from Geneva to Lyon", "reversed"),
        ("Company A owns company B", "Company B owns company A", "reversed"),
        ("Ajax met Porto in the final", "Porto met Ajax in the final", ""),
        ("Ajax defeated Porto", "Porto was defeated by Ajax", ""),
        ("in March the bridge was shut", "the bridge was shut in March", ""),
        ("it holds tin, lead and zinc of one kind", "it holds zinc, lead and tin of one kind", ""),
        ("on 3 May 1990 the museum of glass opened", "the museum of glass opened on May 3, 1990", ""),
        # A number and a name that change places are no ends of one relation.
        ("Porto won 7 cups", "7 cups won Porto", ""),
        # Where four pairs beside the two have moved, it is another sentence and no exchange.
        ("one two three four five six seven", "seven five four three two six one", ""),
    ],
)
def test_claims_are_reversed_where_two_of_a_kind_change_places_around_a_third(a, b, why):
    assert separated(a, b) == why


@pytest.mark.clause("ruling:A19")
@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("twenty-four men dug it", "twenty-five men dug it", "number words"),
        ("two hundred and five men", "two hundred and six men", "number words"),
        ("it cost 3 million", "it cost 3 billion", "number words"),
        ("it opens at 9 am", "it opens at 9 pm", "calendar"),
        ("it opens at 9 a.m. sharp", "it opens at 9 p.m. sharp", "calendar"),
        ("take 5 mg", "take 5 g", "units"),
        ("take 5mg", "take 5g", "units"),
        ("at least ten vote", "at most ten vote", "bounds"),
        ("few birds fly", "many birds fly", "quantifiers"),
        ("only birds fly", "birds fly", "limits"),
        ("they must pay", "they may pay", "modals"),
        ("the east wing", "the west wing", "directions"),
        ("the third wing", "the fourth wing", "ordinals"),
        ("it increases the load", "it decreased the load", "opposites"),
        ("the king spoke first", "the queen spoke first", "converses"),
        ("a letter to Anne Bronte", "a letter to Emily Bronte", "names"),
        ("every bird can fly", "each bird can fly", ""),
        ("it is 5 km away", "it is 5 kilometres away", ""),
        ("they can pay", "they may pay", ""),
        ("Mexico signed the accord", "The Mexican side signed the accord", ""),
    ],
)
def test_an_entry_of_a_list_on_each_side_keeps_claims_apart(a, b, why):
    assert separated(a, b) == why


@pytest.mark.clause("ruling:A19")
def test_opposites_with_otherwise_equal_words_attack_each_other():
    assert opposed("The pump is open", "The pump is closed") == "opposites"
    assert opposed("The toy is safe", "The toy was unsafe") == "opposites"
    assert opposed("Rents are higher", "Rents are lower") == "opposites"
    assert opposed("The lamp is on", "The lamp is off") == "opposites"


@pytest.mark.clause("ruling:A19")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Some pumps are open", "Some pumps are closed"),
        ("The pump is not open", "The pump is not closed"),
        ("The pump may be open", "The pump may be closed"),
        ("Anna is taller than Ben", "Ben is shorter than Anna"),
        ("Rich men pay more", "Poor men pay less"),
        ("At least ten pumps work", "At most ten pumps work"),
        ("The vapour is flammable", "The vapour is inflammable"),
    ],
)
def test_opposites_that_leave_room_for_each_other_do_not_attack(a, b):
    assert opposed(a, b) == ""


@pytest.mark.clause("ruling:A19")
def test_a_share_and_its_decimal_are_one_number():
    assert opposed("the share is 25%", "the share is 0.25") == ""
    assert opposed("the share is 25%", "the share is 0.35") == "number"


@pytest.mark.clause("ruling:A19")
def test_words_are_opposites_by_list_degree_and_prefix():
    for a, b in map(
        str.split, ("open clos", "faster slower", "unsaf saf", "hypertension hypotension", "useful useles")
    ):
        assert are_opposites(a, b) and are_opposites(b, a) and family(a) == family(b)
    for a, b in (("form", "inform"), ("other", "another"), ("open", "profit"), ("water", "wat")):
        assert not are_opposites(a, b)


@pytest.mark.clause("ruling:A20")
@pytest.mark.parametrize(
    ("claim", "language"),
    [
        ("the server runs linux", "english"),
        ("Trellium melts", "english"),
        ("der Server läuft unter Linux", "german"),
        ("le serveur est dans la salle", "french"),
        ("el servidor está en la sala", "spanish"),
        ("il server è nella sala", "italian"),
        ("o servidor está na sala com ele", "portuguese"),
        ("de server staat in het rek", "dutch"),
        ("serveren står ikke på om natten", "norwegian"),
        ("сервер работает", "another script"),
        ("サーバーは動く", "another script"),
        ("the angle \u03b1 is small", "english"),
        ("Das Boot was shown in the old cinema", "english"),
    ],
)
def test_a_claim_is_english_unless_script_or_small_words_say_otherwise(claim, language):
    assert language_of([word.lower for word in read(claim).words]) == language


@pytest.mark.clause("ruling:A20")
def test_without_the_guards_of_its_language_only_equal_forms_merge():
    assert separated("broen er åpen for biler og busser", "broen er åpen for biler og tog") == "language"
    assert verdict("broen er åpen for biler", "Broen er åpen for biler.") == "merge"
    assert separated("die Brücke ist für Autos offen", "die Brücke ist für Autos gesperrt") == "language"
    assert separated("die Brücke ist für Autos offen", "die Brücke ist nicht für Autos offen") == "negations"
    assert separated("die Brücke ist für Autos offen", "die Brücke ist für alle Autos offen") == ""


@pytest.mark.clause("ruling:A20")
def test_every_list_of_small_words_has_at_least_twenty_five():
    assert all(len(function_words(language) - negations(language)) >= 25 for language in ("english", *LANGUAGES))
    shipped = {language for language in LANGUAGES if negations(language)}
    assert shipped == {"german", "french", "spanish", "italian", "portuguese", "dutch"}


@pytest.mark.clause("ruling:A19")
def test_the_words_that_a_guard_goes_by_can_be_listed():
    assert guarded_words("Yes, but never for children") == {"never", "children", "for"}
    assert {"at least", "east", "unsafe", "n't"} <= guarded_words("It isn't unsafe in East Germany for at least ten")
    assert guarded_words("server x9 (rack 7)") == frozenset()


def test_a_long_text_is_read_in_time_that_grows_with_its_length():
    steps = Counter(len(read("salt and pepper " * times).words) for times in (100, 1_000, 30_000))

    assert max(steps) == MAX_TOKENS
    long = "Ajax beat Porto " + "x y " * 40_000
    assert separated(long, long + "z") in ("", "language")
    assert guarded_words("not " * 100_000) == {"not"}


@pytest.mark.clause("ruling:A18")
@pytest.mark.skipif(not OUTSIDE.is_file(), reason="MOOT_DATA names no folder with claim_pairs.jsonl")
def test_outside_pairs_merge_less_often_wrongly_and_paraphrases_still_merge():
    rows = [json.loads(line) for line in OUTSIDE.read_text(encoding="utf-8").splitlines()]
    merged = [row for row in rows if is_merged(normal_form(row["text_a"]), normal_form(row["text_b"]))]
    count = Counter(row["label"] for row in merged)

    assert count["paraphrase"] >= 0.83 * sum(row["label"] == "paraphrase" for row in rows)
    assert not any(row["derived"] for row in merged)
    # Before these guards: 892 unrelated pairs and 93 contradictions.
    assert count["unrelated"] <= 0.78 * 892
    assert count["contradiction"] < 92
