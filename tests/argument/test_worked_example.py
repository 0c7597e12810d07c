"""Section 8 of the paper, value by value."""

import pytest

from tests.argument.worked_example import R1_EDGES, R1_NODES, worked_example

pytestmark = pytest.mark.clause("argument:8")


def test_ingesting_the_example_again_changes_nothing():
    store = worked_example()
    before = store.to_json("g")

    report = store.assert_graph("g", R1_NODES, R1_EDGES, run_id="r1")

    assert report["rejected"] == report["auto_merged"] == []
    assert store.to_json("g") == before


@pytest.mark.clause("argument:3.4.structure")
def test_the_orphans_are_f_and_g_and_nothing_else_is_wrong():
    structure = worked_example().check_structure("g", "Z")

    assert structure["orphans"] == ["F", "G"]
    assert structure["cycles"] == [] and structure["cycles_truncated"] is False
    assert structure["unreachable_conclusion"] is False
    assert structure["refuted_but_feeding"] == structure["assumptions"] == []


@pytest.mark.clause("argument:3.5.width")
def test_two_disjoint_roads_lead_to_the_conclusion():
    width = worked_example().support_width("g", "Z")

    assert width["disjoint_paths"] == 2
    assert ["D", "Z"] in width["paths"]
    assert width["max_flow"] == 1.5


@pytest.mark.clause("argument:3.4.links")
def test_two_nodes_cut_the_conclusion_off_and_no_edge_is_a_bridge():
    links = worked_example().critical_links("g", "Z")

    assert links["min_cut_nodes"] == ["D", "E"]
    assert links["bridge_edges"] == []
    assert links["uncuttable"] is False
    assert links["ranked"][0] == {"edge": ["D", "Z"], "betweenness": 1.0, "min_confidence_on_edge": 0.7}


@pytest.mark.clause("argument:3.5.surviving")
def test_g_is_in_a_falls_and_f_does_not_survive():
    surviving = worked_example().surviving_claims("g")

    assert "G" in surviving["in"] and surviving["out"] == ["A"] and surviving["undecided"] == []
    assert set(surviving["surviving"]) == {"B", "C", "D", "E", "Z", "G"}


def test_refuting_d_leaves_one_road_and_d_still_feeds():
    store = worked_example()

    report = store.mark_refuted("g", "D", "survey column misread")

    assert report == {
        "ok": True,
        "width_before": 2,
        "width_after": 1,
        "widths": {"Z": {"width_before": 2, "width_after": 1}},
    }
    assert store.support_width("g", "Z")["disjoint_paths"] == 1
    assert store.check_structure("g", "Z")["refuted_but_feeding"] == ["D"]


def test_a_refutation_can_be_taken_back():
    store = worked_example()
    before = store.to_json("g")
    store.mark_refuted("g", "D", "survey column misread")

    report = store.undo_refuted("g", "D")

    assert (report["width_before"], report["width_after"]) == (1, 2)
    assert store.to_json("g") == before


@pytest.mark.clause("argument:3.6")
def test_the_lone_attacker_of_a_load_bearing_claim_is_disputed():
    disputed = worked_example().disputed_nodes("g", "Z")

    assert {"id": "G", "run_count": 1, "on_path": False} in disputed["isolated_load_bearing"]
    assert disputed["contradiction_pairs"] == [] and disputed["exact"] is True
