"""Premises that hold only together, and how few claims must be wrong before a conclusion falls (ruling A21)."""

from itertools import combinations

import pytest

from moot.argument import GraphStore
from moot.argument.words import support_words
from tests.argument.joint import LiteralWays, random_joint_graph


def node(name, kind="inference", **fields):
    return {"id": name, "claim": f"{name} {name * 3}", "type": kind, **fields}


def step(group, dst, *members):
    return [{"src": src, "dst": dst, "relation": "supports", "group": group} for src in members]


def link(src, dst, relation="supports"):
    return {"src": src, "dst": dst, "relation": relation}


def argued(nodes, edges, store=None):
    store = store or GraphStore()
    report = store.assert_graph("g", nodes, edges)
    assert report["rejected"] == report["auto_merged"] == []
    return store


def width(store, conclusion="z"):
    return store.support_width("g", conclusion)["disjoint_paths"]


GIVENS = [node(name, "given") for name in "abcd"]
Z = node("z", "conclusion")


@pytest.mark.clause("ruling:A21")
@pytest.mark.parametrize("part", range(20))
def test_a_thousand_random_arguments_have_the_width_and_resilience_of_their_definitions(part):
    for seed in range(part * 50, part * 50 + 50):
        nodes, edges, refuted, z = random_joint_graph(seed, sources=seed % 3 == 0, attacks=seed % 4 == 0)
        store = argued(nodes, edges)
        for name in refuted:
            store.mark_refuted("g", name, "drawn by lot")
        literal = LiteralWays(store, standing=True)

        told = store.resilience("g", z)

        fallen = store.surviving_claims("g")["out"]
        expected = 0 if z in fallen else literal.resilience(z)
        assert (told["resilience"], told["exact"], told["uncuttable"]) == (expected, True, False), seed
        assert len(told["must_be_wrong"]) == expected and z not in told["must_be_wrong"], seed
        if expected:
            assert not literal.without(told["must_be_wrong"], z), seed
        assert told["any_one_of"] == (
            [name for name in literal.names if name != z and not literal.without([name], z)] if expected == 1 else []
        ), seed
        assert told["lines"] <= expected and told["lines_exact"], seed
        if expected > 1:
            assert told["lines"] == literal.width(z), seed
        if z not in refuted and seed % 4 == 0:
            assert width(store, z) == LiteralWays(store, standing=False).width(z), seed


@pytest.mark.clause("ruling:A21")
@pytest.mark.parametrize("part", range(4))
def test_without_groups_and_sources_width_and_resilience_are_the_papers_figure(part):
    for seed in range(part * 50, part * 50 + 50):
        nodes, edges, refuted, z = random_joint_graph(seed, groups=False)
        store = argued(nodes, edges)
        for name in refuted:
            store.mark_refuted("g", name, "drawn by lot")

        told = store.resilience("g", z)

        assert told["resilience"] == told["lines"] == width(store, z), seed
        assert told["must_be_wrong"] == store.critical_links("g", z)["min_cut_nodes"], seed
        assert "exact" not in store.support_width("g", z)


@pytest.mark.clause("ruling:A21")
def test_three_joint_premises_are_one_line_that_any_of_them_sinks():
    store = argued([*GIVENS[:3], Z], step("s", "z", "a", "b", "c"))

    told = store.resilience("g", "z")

    assert width(store) == told["lines"] == told["resilience"] == 1
    assert told["any_one_of"] == ["a", "b", "c"]
    assert store.support_width("g", "z")["paths"] == [["a", "b", "c", "z"]]


@pytest.mark.clause("ruling:A21")
def test_two_groups_are_two_ways():
    store = argued([*GIVENS, Z], step("one", "z", "a", "b") + step("two", "z", "c", "d"))

    told = store.resilience("g", "z")

    assert width(store) == told["resilience"] == 2
    assert len(told["must_be_wrong"]) == 2 and told["any_one_of"] == []
    assert sorted(map(sorted, store.support_width("g", "z")["paths"])) == [["a", "b", "z"], ["c", "d", "z"]]


@pytest.mark.clause("ruling:A21")
def test_lines_share_no_claim_where_the_first_that_is_seen_stands_in_the_way():
    store = argued([*GIVENS, Z], step("ab", "z", "a", "b") + step("ac", "z", "a", "c") + step("bd", "z", "b", "d"))

    paths = store.support_width("g", "z")["paths"]

    assert width(store) == 2
    assert sorted(map(sorted, paths)) == [["a", "c", "z"], ["b", "d", "z"]]


@pytest.mark.clause("ruling:A21")
def test_fewer_lines_than_claims_that_must_be_wrong_where_ways_overlap():
    # Any two of three: no two pairs are disjoint, and one claim alone sinks none of the three.
    pairs = step("ab", "z", "a", "b") + step("bc", "z", "b", "c") + step("ac", "z", "a", "c")
    store = argued([*GIVENS[:3], Z], pairs)

    told = store.resilience("g", "z")

    assert (told["lines"], told["resilience"]) == (1, 2)


@pytest.mark.clause("ruling:A21")
def test_a_refuted_member_takes_its_whole_group_away():
    store = argued([*GIVENS[:3], Z], [*step("s", "z", "a", "b"), link("c", "z")])

    report = store.mark_refuted("g", "b", "misread")

    assert (report["width_before"], report["width_after"]) == (2, 1)
    assert store.resilience("g", "z")["must_be_wrong"] == ["c"]


@pytest.mark.clause("ruling:A21")
def test_an_assumption_starts_no_line_and_may_be_what_is_wrong():
    store = argued([node("p", "assumption"), GIVENS[0], Z], step("s", "z", "p", "a"))
    alone = argued([node("p", "assumption"), GIVENS[0], Z], [link("p", "z", "assumes")])

    assert store.resilience("g", "z")["any_one_of"] == ["p", "a"]
    assert (width(alone), alone.resilience("g", "z")["resilience"]) == (0, 0)


@pytest.mark.clause("ruling:A21")
def test_a_group_of_assumptions_alone_is_no_line():
    store = argued([node("p", "assumption"), node("q", "assumption"), Z], step("s", "z", "p", "q"))

    assert (width(store), store.resilience("g", "z")["resilience"]) == (0, 0)


@pytest.mark.clause("ruling:A21")
def test_a_conclusion_that_is_itself_a_given_cannot_be_cut():
    store = argued([node("z", "given"), *GIVENS[:2]], step("s", "z", "a", "b"))

    told = store.resilience("g", "z")

    assert told["uncuttable"] and told["resilience"] is None and told["must_be_wrong"] == []
    assert width(store) == 2


@pytest.mark.clause("ruling:A21")
def test_a_claim_that_is_out_holds_nothing_up():
    store = argued([*GIVENS[:2], node("o"), Z], [link("a", "z"), link("b", "z"), link("o", "b", "attacks")])

    told = store.resilience("g", "z")

    assert width(store) == 2
    assert (told["lines"], told["resilience"], told["must_be_wrong"]) == (1, 1, ["a"])


@pytest.mark.clause("ruling:A21")
def test_groups_of_one_name_into_two_claims_that_merge_stay_two_groups():
    store = GraphStore()
    for run, (a, b) in {"r1": ("Bears sleep", "Winter came"), "r2": ("Rivers froze", "Snow fell")}.items():
        nodes = [
            {"id": f"{run}:a", "claim": a, "type": "given"},
            {"id": f"{run}:b", "claim": b, "type": "given"},
            {"id": f"{run}:z", "claim": "The pass is closed", "type": "conclusion"},
        ]
        store.assert_graph("g", nodes, step("1", f"{run}:z", f"{run}:a", f"{run}:b"))

    assert width(store, "r1:z") == store.resilience("g", "r1:z")["resilience"] == 2
    assert len({edge.group for edge in store.edges("g")}) == 2


@pytest.mark.clause("ruling:A21")
def test_a_group_that_needs_its_own_claim_holds_nothing():
    store = GraphStore()
    nodes = [
        {"id": "z", "claim": "The pass is closed", "type": "conclusion"},
        {"id": "i", "claim": "the pass is closed.", "type": "inference"},
        *GIVENS[:3],
    ]
    store.assert_graph("g", nodes, step("1", "i", "a", "b") + step("2", "z", "i", "c"))

    assert width(store) == 1
    assert store.resilience("g", "z")["any_one_of"] == ["a", "b"]


@pytest.mark.clause("ruling:A21")
def test_a_circle_of_joint_premises_holds_nothing_up():
    store = argued(
        [node("p"), node("q"), GIVENS[0], Z], step("1", "p", "q", "a") + step("2", "q", "p") + [link("q", "z")]
    )

    assert width(store) == store.resilience("g", "z")["resilience"] == 0


@pytest.mark.clause("ruling:A21")
def test_above_four_it_says_five_or_more_with_a_set_that_does():
    # Any two of eleven do: ten must be wrong, and only five pairs are disjoint.
    names = [f"a{number}" for number in range(11)]
    edges = [edge for a, b in combinations(names, 2) for edge in step(f"{a} {b}", "z", a, b)]
    store = argued([*(node(name, "given") for name in names), Z], edges)

    told = store.resilience("g", "z")

    assert (told["resilience"], told["exact"], told["lines"]) == (5, False, 5)
    assert "5 or more must be" in support_words(told)
    assert not LiteralWays(store, standing=True).without(told["must_be_wrong"], "z")


@pytest.mark.clause("ruling:A21")
def test_seven_disjoint_lines_prove_that_seven_claims_must_be_wrong():
    givens = [node(f"{side}{number}", "given") for number in range(7) for side in "ab"]
    edges = [edge for number in range(7) for edge in step(f"s{number}", "z", f"a{number}", f"b{number}")]
    store = argued([*givens, Z], edges)

    told = store.resilience("g", "z")

    assert (told["lines"], told["resilience"], told["exact"]) == (7, 7, True)


@pytest.mark.clause("ruling:A21")
def test_the_cut_of_critical_links_and_its_bridges_know_groups():
    store = argued([*GIVENS[:3], node("i"), Z], [*step("s", "i", "a", "b"), link("i", "z"), link("c", "i")])

    links = store.critical_links("g", "z")

    assert (links["min_cut_nodes"], links["bridge_edges"]) == (["i"], [["i", "z"]])
    together = argued([*GIVENS[:2], Z], step("s", "z", "a", "b"))
    assert together.critical_links("g", "z")["bridge_edges"] == [["a", "z"], ["b", "z"]]


@pytest.mark.clause("ruling:A21")
@pytest.mark.parametrize("bad", ["", 7.5, True, ["s"], "x" * 1001])
def test_a_group_that_is_no_name_is_refused(bad):
    store = GraphStore()

    report = store.assert_graph("g", [*GIVENS[:1], Z], [{**link("a", "z"), "group": bad}])

    assert "group" in report["rejected"][0]["reason"]


@pytest.mark.clause("ruling:A21")
def test_an_attack_has_no_group_and_a_number_is_a_name():
    store = GraphStore()
    edges = [{**link("a", "z", "attacks"), "group": "s"}, {**link("a", "z"), "group": 3}]

    report = store.assert_graph("g", [*GIVENS[:1], Z], edges)

    assert [refusal["reason"].split(":")[0] for refusal in report["rejected"]] == ["an attack has no group"]
    assert [edge.group for edge in store.edges("g")] == ["3"]


@pytest.mark.clause("ruling:A21")
def test_a_graph_with_groups_is_the_same_after_writing_and_reading_it():
    store = argued([*GIVENS, Z], [*step("one", "z", "a", "b"), link("c", "z"), *step("two", "z", "c", "d")])
    written = store.to_json("g")

    store.from_json("h", written)

    assert store.to_json("h") == written
    assert store.resilience("h", "z") == store.resilience("g", "z")
    assert store.edges("h") == store.edges("g")


@pytest.mark.clause("ruling:A21")
def test_an_unknown_conclusion_is_told_as_an_error():
    assert "there is no node" in argued([Z], []).resilience("g", "nobody")["error"]
