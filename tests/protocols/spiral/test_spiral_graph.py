"""The positions of a spiral as an argument graph, for `moot contest` and the page."""

from dataclasses import replace

import pytest

from moot.methods.contest import contested_node, standing
from moot.methods.entailment import by_program
from moot.protocols.spiral.positions import Position
from moot.protocols.spiral.record.coda import Coda, HeldClaim, coda
from moot.protocols.spiral.record.graph import argument_of

FLOODS = HeldClaim("The valley floods.", ("m1", "m2", "m3"), is_answer=True)
RISES = HeldClaim("The river rises in May.", ("m1", "m2", "m3"))
LOW = HeldClaim(
    "The dam is 40 metres high.", ("m1", "m3"), against=("m2",), contradicts=("The dam is 60 metres high.",)
)
HIGH = HeldClaim(
    "The dam is 60 metres high.", ("m2",), against=("m1", "m3"), contradicts=("The dam is 40 metres high.",)
)
CODA = Coda(common=(FLOODS, RISES), caveats=(LOW, HIGH))


def test_each_claim_is_one_node_held_by_its_members() -> None:
    detail = argument_of(CODA)

    nodes = {node["claim"]: node for node in detail["graph"]["nodes"]}
    assert set(nodes) == {held.claim for held in (FLOODS, RISES, LOW, HIGH)}
    assert sorted(nodes[RISES.claim]["run_ids"]) == ["m1", "m2", "m3"]
    assert [item["answer"] for item in detail["candidates"]] == [FLOODS.claim]


def test_contradicting_claims_attack_each_other_and_others_do_not() -> None:
    edges = argument_of(CODA)["graph"]["edges"]

    attacks = {
        (edge["src"].split(":")[1], edge["dst"].split(":")[1]) for edge in edges if edge["relation"] == "attacks"
    }
    assert attacks == {("c2", "c3"), ("c3", "c2")}


@pytest.mark.clause("ruling:S13")
def test_two_disputes_between_two_members_give_four_attacks() -> None:
    one = Position("m1", "It holds.", ("The dam is 40 metres high.", "The mayor is not honest."))
    other = Position("m2", "It holds.", ("The dam is 60 metres high.", "The mayor is honest."))
    found = coda({"m1": one, "m2": other}, {("m1", "m2"): by_program(one.stated, other.stated)})

    graph = argument_of(found)["graph"]

    claims = {node["id"]: node["claim"] for node in graph["nodes"]}
    attacks = {(claims[edge["src"]], claims[edge["dst"]]) for edge in graph["edges"] if edge["relation"] == "attacks"}
    there = set(zip(one.claims, other.claims, strict=True))
    assert attacks == there | {(second, first) for first, second in there}


@pytest.mark.clause("ruling:S13")
def test_a_claim_names_the_claims_it_contradicts_and_no_others_of_their_holder() -> None:
    one = Position("m1", "It holds.", ("The dam is 40 metres high.", "The mayor is not honest.", "Snow melts late."))
    other = Position("m2", "It holds.", ("The dam is 60 metres high.", "The mayor is honest."))

    found = coda({"m1": one, "m2": other}, {("m1", "m2"): by_program(one.stated, other.stated)})

    assert {held.claim: held.contradicts for held in found.caveats} == {
        one.claims[0]: (other.claims[0],),
        one.claims[1]: (other.claims[1],),
        other.claims[0]: (one.claims[0],),
        other.claims[1]: (one.claims[1],),
    }


def test_what_a_computation_refutes_is_refuted_in_the_graph() -> None:
    detail = argument_of(Coda(common=(FLOODS, RISES), caveats=(replace(LOW, refuted="it is 60"), HIGH)))

    refuted = [node["claim"] for node in detail["graph"]["nodes"] if node["refuted"]]
    assert refuted == [LOW.claim]


def test_contesting_the_only_undisputed_claim_takes_the_support_away() -> None:
    detail = argument_of(Coda(common=(FLOODS, RISES)))
    node = contested_node(detail, "rises in May")

    before, after = standing(detail), standing(detail, [(node.id, "it rises in June")])

    assert (before.width, after.width) == (1, 0)
