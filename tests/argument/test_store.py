"""The store: what it refuses, what it leaves alone, what a program can do beside the eight functions."""

import json
import threading
from typing import Any

import pytest
from typing_extensions import override

from moot.argument import GraphError, GraphStore
from moot.argument.dedup import MAX_CONTRADICTED
from tests.argument.worked_example import worked_example

GOOD = {"id": "a", "claim": "the door is shut", "type": "given"}


def refusal(node=None, edge=None):
    store = GraphStore()
    report = store.assert_graph("g", [GOOD, *([node] if node is not None else [])], [edge] if edge is not None else [])
    json.dumps(report, allow_nan=False)
    (rejected,) = report["rejected"]
    assert report["accepted_nodes"] == 1 and report["accepted_edges"] == 0
    assert [found.id for found in store.nodes("g")] == ["a"]
    return rejected["reason"]


@pytest.mark.clause("argument:3.1.validation")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "guess"}, "type must be one of"),
        ({"type": ["given"]}, "type must be one of"),
        ({"confidence": 1.5}, "confidence must be from 0 to 1"),
        ({"confidence": float("nan")}, "confidence must be from 0 to 1"),
        ({"confidence": 10**400}, "confidence must be from 0 to 1"),
        ({"confidence": True}, "confidence must be a number"),
        ({"confidence": "0.9"}, "confidence must be a number"),
        ({"id": "__S__"}, "reserved"),
        ({"type": None}, "assumption, not null"),
        ({"confidence": {}}, "from 0 to 1, not an object"),
        ({"id": 7}, "id must be a text, not a number"),
        ({"id": "  "}, "id is empty"),
        ({"claim": None}, "claim must be a text, not null"),
        ({"claim": "x" * 10_000_001}, "characters"),
        ({"claim": "half \ud800"}, "surrogate"),
        ({"run_ids": 4}, "run_ids must be a list of texts, not a number"),
        ({"run_ids": [4]}, "run id must be a text, not a number"),
        ({"run_ids": [True]}, "run id must be a text, not true"),
        ({"type": "given", "source": ["survey"]}, "with document and sentences, not a text"),
        (
            {"type": "given", "source": {"document": "survey", "lines": [1]}},
            "`sentences` is missing; it has `lines`, which",
        ),
        ({"type": "given", "source": {"document": "s", "sentences": [{"text": "x"}]}}, "`number` is missing"),
        ({"id": "a"}, "already stands for another claim"),
    ],
)
def test_a_bad_node_is_refused_with_a_reason(changes, reason):
    assert reason in refusal({"id": "b", "claim": "the window is open", "type": "inference", **changes})


@pytest.mark.clause("argument:3.1.validation")
@pytest.mark.parametrize(
    ("node", "reason"),
    [
        ({"id": "b", "text": "x is so", "type": "given"}, "`claim` is missing; it has `text`, which is no field"),
        ({"id": "b"}, "`claim` and `type` are missing"),
        (
            {"name": "b", "kind": "given"},
            "`id`, `claim` and `type` are missing; it has `name` and `kind`, which are no fi",
        ),
        ({"a" * 500: 1}, f"; it has `{'a' * 200}…`, which is no field"),
        ({}, "`id`, `claim` and `type` are missing"),
    ],
)
def test_a_missing_field_is_named_with_what_stands_there_in_its_place(node, reason):
    assert reason in refusal(node)


@pytest.mark.clause("argument:3.1.validation")
def test_fields_that_a_graph_has_no_place_for_are_passed_over_and_named():
    store = GraphStore()

    told = store.assert_graph(
        "g", [{**GOOD, "colour": "red"}], [{"from": "a", "to": "a", "relation": "supports", 7: 1}]
    )
    again = GraphStore()
    quiet = again.from_json("g", {key: store.to_json("g")[key] for key in ("nodes", "edges")})

    assert (told["accepted_nodes"], told["accepted_edges"], told["passed_over"]) == (1, 1, ["colour", "7"])
    assert set(quiet) == {"accepted_nodes", "accepted_edges", "rejected", "auto_merged"}


@pytest.mark.clause("argument:3.1.validation")
@pytest.mark.parametrize("node", [None, 3, "text", ["a"], {"id", "claim"}, object()])
def test_what_is_no_object_is_refused(node):
    store = GraphStore()

    report = store.assert_graph("g", [node])

    json.dumps(report)
    assert "expected an object" in report["rejected"][0]["reason"]


@pytest.mark.clause("argument:3.1.validation")
@pytest.mark.parametrize(
    ("edge", "reason"),
    [
        ({"src": "a", "dst": "x", "relation": "supports"}, "no node has the id 'x'"),
        ({"src": "a", "dst": "a", "relation": "implies"}, "relation must be one of"),
        ({"src": "a", "relation": "supports"}, "`dst` is missing"),
        ({"from": "a", "target": None, "relation": "supports"}, "dst must be a text, not null"),
        ({"from": "a", "to": "a", "type": "supports"}, "`relation` is missing; it has `type`, which is no field"),
        ({"src": "a", "dst": "a", "relation": "supports", "confidence": -0.1}, "confidence must be from 0 to 1"),
    ],
)
def test_a_bad_edge_is_refused_with_a_reason(edge, reason):
    assert reason in refusal(edge=edge)


@pytest.mark.clause("argument:3.2.errors")
@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.check_structure("none", "Z"),
        lambda store: store.support_width("g", "none"),
        lambda store: store.critical_links("g", None),
        lambda store: store.disputed_nodes("g", ["Z"]),
        lambda store: store.surviving_claims(5),
        lambda store: store.mark_refuted("g", "none", "why"),
        lambda store: store.mark_refuted("g", "Z", None),
        lambda store: store.merge_duplicates("g", 0, 0.5),
        lambda store: store.merge_duplicates("g", float("nan")),
        lambda store: store.assert_graph("g", "nodes"),
        lambda store: store.assert_graph("", []),
        lambda store: store.assert_graph("g", [], run_id=""),
        lambda store: store.from_json("h", []),
        lambda store: store.from_json("h", {"asserted": 3}),
        lambda store: store.demote_given("g", "Z"),
    ],
)
def test_wrong_calls_come_back_as_errors_and_change_nothing(call):
    store = worked_example()
    before = store.to_json("g")

    assert set(call(store)) == {"error"}

    assert store.to_json("g") == before and store.graph_ids() == ("g",)


@pytest.mark.clause("argument:3.2.errors")
def test_reads_change_nothing_and_give_json():
    store = worked_example()
    before = store.to_json("g")

    names = ("check_structure", "critical_links", "support_width", "disputed_nodes")
    payloads = [store.surviving_claims("g"), *(getattr(store, name)("g", "Z") for name in names)]

    assert json.loads(json.dumps(payloads, allow_nan=False)) == payloads
    assert store.to_json("g") == before


@pytest.mark.clause("argument:3.2.1")
def test_an_ingest_reports_what_it_took_refused_and_merged():
    store = GraphStore()
    again = {**GOOD, "id": "again", "claim": f"{GOOD['claim']}."}
    edges = [{"src": GOOD["id"], "dst": "again", "relation": relation} for relation in ("supports", "likes")]

    report = store.assert_graph("g", [GOOD, again], edges)

    assert (report["accepted_nodes"], report["accepted_edges"], len(report["rejected"])) == (2, 1, 1)
    assert report["auto_merged"] == [["a", "again"]]


class Interrupted(dict[str, Any]):
    """An item whose reading is broken off from outside."""

    @override
    def get(self, *_):
        raise KeyboardInterrupt


@pytest.mark.clause("argument:3.2.1")
def test_an_interrupted_ingest_leaves_the_graph_as_it_was():
    store = worked_example()
    before = store.to_json("g")

    with pytest.raises(KeyboardInterrupt):
        store.assert_graph(
            "g", [GOOD, {"id": "b", "claim": "server x9 runs on linux", "type": "given"}, Interrupted(GOOD)]
        )

    assert store.to_json("g") == before
    assert store.assert_graph("g", [GOOD])["accepted_nodes"] == 1


@pytest.mark.clause("argument:3.1.idempotent")
def test_the_same_id_and_claim_unites_runs():
    store = GraphStore()
    store.assert_graph("g", [GOOD], run_id="r1")

    store.assert_graph("g", [{**GOOD, "run_ids": ["r2", "r3"]}])

    assert store.nodes("g")[0].run_ids == {"r1", "r2", "r3"}


@pytest.mark.clause("argument:3.1.graphs")
def test_graphs_in_one_store_do_not_meet():
    store = GraphStore()
    store.assert_graph("one", [GOOD])
    store.assert_graph("two", [{**GOOD, "claim": "the door is not shut"}])

    assert store.edges("one") == store.edges("two") == ()
    assert [store.nodes(name)[0].claim for name in ("one", "two")] == [GOOD["claim"], "the door is not shut"]
    assert store.create_graph("one") == {"error": "the graph 'one' exists already"}


def test_run_ids_come_from_the_item_then_the_call_then_the_prefix():
    store = GraphStore()
    nodes = [{**GOOD, "id": "r7:a", "run_id": "r1"}, {**GOOD, "id": "r7:b", "claim": "birds sing at dawn"}]

    store.assert_graph("g", nodes)
    store.assert_graph("g", [{**GOOD, "id": "r7:c", "claim": "rivers run south"}], run_id="r2")

    assert [sorted(node.run_ids) for node in store.nodes("g")] == [["r1"], ["r7"], ["r2"]]


@pytest.mark.clause("argument:3.3.numeric")
def test_a_template_with_many_numbers_is_taken_up_to_a_limit():
    store = GraphStore()
    nodes = [
        {"id": f"n{n}", "claim": f"the hall holds {n} chairs", "type": "given"} for n in range(MAX_CONTRADICTED + 5)
    ]

    report = store.assert_graph("g", nodes)

    assert report["accepted_nodes"] == MAX_CONTRADICTED + 1
    assert "differs from over a thousand others" in report["rejected"][0]["reason"]


def test_other_scripts_are_compared_like_any_text():
    store = GraphStore()
    claims = ["Сервер работает под Linux", "сервер работает под linux.", "服务器运行正常", "服务器运行正常。"]

    store.assert_graph("g", [{"id": f"r{n}:n", "claim": claim, "type": "given"} for n, claim in enumerate(claims)])

    assert [node.id for node in store.nodes("g")] == ["r0:n", "r2:n"]


def test_confirming_doubting_and_demoting_revise_a_claim():
    store = worked_example()

    store.confirm_node("g", "F", "v1")
    store.doubt_node("g", "E")
    store.demote_given("g", "A")

    nodes = {node.id: node for node in store.nodes("g")}
    assert (nodes["F"].confidence, nodes["F"].run_ids) == (0.9, {"r1", "v1"})
    assert nodes["E"].confidence == 0.5
    assert (nodes["A"].type, nodes["A"].ungrounded) == ("assumption", True)
    assert "A" in store.check_structure("g", "Z")["assumptions"]


@pytest.mark.clause("argument:3.4.structure")
def test_an_assumption_that_is_assumed_is_reported():
    store = GraphStore()
    nodes = [GOOD, *({"id": name, "claim": f"{name * 5} sing", "type": "assumption"} for name in "st")]

    store.assert_graph("g", nodes, [{"src": "a", "dst": "s", "relation": "assumes"}])

    structure = store.check_structure("g", "a")
    assert structure["assumes_into_assumption"] == [["a", "s"]]
    assert (structure["assumptions"], structure["orphans"]) == (["s", "t"], [])


@pytest.mark.clause("argument:3.5.width")
def test_a_conclusion_that_a_document_states_cannot_be_cut():
    store = GraphStore()
    nodes = [{**GOOD, "type": "conclusion"}, {**GOOD, "id": "b", "claim": "The door is shut."}]

    store.assert_graph("g", nodes)

    assert store.support_width("g", "a")["paths"] == [["a"]]
    assert store.critical_links("g", "b")["uncuttable"] is True


def test_value_readers_name_an_unknown_graph():
    with pytest.raises(GraphError, match="there is no graph 'none'"):
        GraphStore().nodes("none")


def test_threads_share_a_store_without_losing_a_claim():
    store = GraphStore()

    def work(name):
        for n in range(20):
            store.assert_graph(
                "g", [{"id": f"{name}:{n}", "claim": f"{name * 3} {'xyzuvw'[n % 6] * (n + 3)}", "type": "given"}]
            )
            store.surviving_claims("g")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("ka", "lo", "mi", "nu")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(store.to_json("g")["asserted"]["nodes"]) == 80
