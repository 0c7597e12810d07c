"""A `graph` reply, as the program writes it down (rulings I10 to I12, A21, A22)."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.argument import GraphStore
from moot.argument.graph import RELATIONS
from moot.core.question import Document, Question
from moot.methods.written import Written
from moot.protocols.interrogation.graph.form import written_graph
from moot.protocols.interrogation.graph.schemas import Argument

LOG = Document(
    name="log.txt",
    text="Kestrel left the harbour on Monday. The pilot signed the crew list at noon. The radio was silent all night.",
)
PORT = Document(
    name="port.txt",
    text="The harbour master saw Kestrel go. Osprey had 12 crates aboard. No other vessel asked for a tug that day.",
)
SHIPS = Question(text="Which ship went to sea?", documents=(LOG, PORT))
APPLES = Question(text="Mia has 12 apples. She eats 3 of them. How many apples are left?")

LEFT = "Kestrel left the harbour on Monday."
SEEN = "The harbour master saw Kestrel go."
IS_KESTREL = "Kestrel went to sea."


def step(name: Any, claim: Any, *because: Any, **more: Any) -> dict[str, Any]:
    return {"id": name, "claim": claim, "because": list(because), **more}


def reply(*steps: Any, because: Any = ("s1",), **more: Any) -> dict[str, Any]:
    """A reply whose conclusion rests on its first step, unless told otherwise."""
    conclusion = {"claim": IS_KESTREL, "because": list(because) if isinstance(because, tuple) else because}
    return {"reasoning": "so", "steps": list(steps), "conclusion": conclusion, "answer": "Kestrel", **more}


def read(sent: Mapping[str, Any], question: Question = SHIPS) -> Written | str:
    return written_graph("r1", Argument.model_validate(sent), question, question.documents)


def written(sent: Mapping[str, Any], question: Question = SHIPS) -> Written:
    made = read(sent, question)
    assert isinstance(made, Written)
    return made


def node(made: Written, name: str) -> Mapping[str, Any]:
    return next(item for item in made.nodes if item["id"] == f"r1:{name}")


def reasons(made: Written, name: str) -> list[set[str]]:
    """What a claim rests on, group by group."""
    groups: dict[Any, set[str]] = {}
    for place, edge in enumerate(made.edges):
        if edge["dst"] == f"r1:{name}" and edge["relation"] == "supports":
            groups.setdefault(edge.get("group", place), set()).add(edge["src"].removeprefix("r1:"))
    return list(groups.values())


def stored(made: Written) -> GraphStore:
    store = GraphStore(identifiers=True)
    store.create_graph("g")
    report: Any = store.assert_graph("g", made.nodes, made.edges, run_id="r1")
    assert report["rejected"] == []
    return store


def width(made: Written) -> int:
    found: Any = stored(made).support_width("g", made.conclusion)
    return found["disjoint_paths"]


@pytest.mark.clause("ruling:I10")
def test_a_sentence_is_a_given_with_its_own_words_and_its_place() -> None:
    made = written(reply(step("s1", "The harbour master saw Kestrel.", 4)))

    assert node(made, "[4]") == {
        "id": "r1:[4]",
        "claim": SEEN,
        "type": "given",
        "source": {"document": "port.txt", "sentences": [{"number": 4, "text": SEEN}]},
    }
    assert [item["id"] for item in made.nodes if item["type"] == "given"] == ["r1:[4]"], "only what is named"


@pytest.mark.clause("ruling:I11")
def test_a_step_is_one_group_of_its_sentences_steps_and_assumptions() -> None:
    sent = reply(
        step("s1", LEFT, 1),
        step("s2", "Kestrel is the ship at sea.", "s1", 4, "a1"),
        because=("s2",),
        assumptions=[{"id": "a1", "claim": "Whoever leaves a harbour is at sea."}],
    )

    made = written(sent)

    assert reasons(made, "s1") == [{"[1]"}]
    assert reasons(made, "s2") == [{"s1", "[4]", "a1"}]
    assert reasons(made, "c") == [{"s2"}]
    assert (node(made, "s2")["type"], node(made, "a1")["type"]) == ("inference", "assumption")
    assert width(made) == 1
    assert (made.repairs, made.ungrounded, made.refuted, made.no_line) == ((), {}, {}, "")


@pytest.mark.clause("ruling:A21")
@pytest.mark.parametrize("second", ["s1", "s2"])
def test_a_second_step_with_an_equal_claim_is_another_line(second: str) -> None:
    made = written(
        reply(step("s1", "Kestrel left.", 1, "s9"), step(second, "Kestrel left", 4, "s9"), step("s9", LEFT, 1))
    )

    assert reasons(made, "s1") == [{"[1]", "s9"}, {"[4]", "s9"}]
    assert made.repairs == ()


@pytest.mark.clause("ruling:A21")
def test_a_step_that_says_what_the_conclusion_says_is_another_line_to_it() -> None:
    steps = (step("s1", LEFT, 1), step("s2", IS_KESTREL, "s1"), step("s3", IS_KESTREL, "s4"), step("s4", SEEN, 4))

    made = written(reply(*steps, because=("s2",)))

    assert reasons(made, "c") == [{"s1"}, {"s4"}]
    assert width(made) == 2
    assert made.repairs == ()


@pytest.mark.clause("ruling:A21")
def test_a_conclusion_that_needs_itself_beside_a_sentence_has_no_line_from_it() -> None:
    made = written(reply(step("s1", IS_KESTREL, "s2"), step("s2", SEEN, 4), because=("s1", 5)))

    assert reasons(made, "c") == [{"s2"}]
    assert made.repairs == ("c: a way left out: it rests on itself",)


@pytest.mark.clause("ruling:I11")
def test_another_claim_under_an_id_that_is_taken_is_left_out() -> None:
    made = written(reply(step("s1", LEFT, 1), step("s1", SEEN, 4)))

    assert node(made, "s1")["claim"] == LEFT
    assert reasons(made, "s1") == [{"[1]"}]
    assert made.repairs == ("'s1' is taken: a further claim under this id was left out",)


@pytest.mark.clause("ruling:I10")
@pytest.mark.parametrize(
    "number",
    [
        4,
        4.0,
        "4",
        "[4]",
        "S4",
        "sentence 4",
        "Sentence 4.",
        "(4)",
        f"[4] {SEEN}",
        f"Sentence 4: {SEEN}",
        {"sentence": 4},
    ],
)
def test_a_number_of_a_sentence_is_read_however_it_is_written(number: Any) -> None:
    made = written(reply(step("s1", SEEN, number)))

    assert reasons(made, "s1") == [{"[4]"}]
    assert made.repairs == ()


@pytest.mark.clause("ruling:I10")
@pytest.mark.parametrize(
    "because", ["1 and 4", "[1], [4]", "[1][4]", "S1; S4", [[1, 4]][0], ["1, 4"], "sentences 1 and 4"]
)
def test_several_numbers_in_one_text_are_several_reasons(because: Any) -> None:
    made = written(
        reply(step("s1", "Kestrel left the harbour, and the harbour master saw it go.") | {"because": because})
    )

    assert reasons(made, "s1") == [{"[1]", "[4]"}]


@pytest.mark.clause("ruling:I10")
@pytest.mark.parametrize("number", [7, 0, -1, "s4", "9999999999", 10**400, True, 4.5, float("nan"), None, {}, "a4"])
def test_a_reference_to_nothing_is_a_repair_and_no_reason(number: Any) -> None:
    made = written(reply(step("s1", SEEN, 4, number)))

    assert reasons(made, "s1") == [{"[4]"}]
    assert len(made.repairs) == 1
    assert made.repairs[0].startswith("s1: ")
    assert made.repairs[0].endswith("is no sentence, step or assumption")


@pytest.mark.clause("ruling:I10")
def test_words_in_place_of_a_number_are_looked_for_in_all_documents() -> None:
    made = written(reply(step("s1", SEEN, "the harbour master saw Kestrel go")))

    assert reasons(made, "s1") == [{"[4]"}]


@pytest.mark.clause("ruling:I11")
def test_a_step_on_nothing_is_an_assumption_that_is_not_grounded() -> None:
    made = written(reply(step("s1", LEFT), step("s2", SEEN, "s8", 99), step("s3", "It sank.", "s3")))

    for name in ("s1", "s2", "s3"):
        assert (node(made, name)["type"], node(made, name)["ungrounded"]) == ("assumption", True)
    assert made.ungrounded == {
        "r1:s1": "it rests on nothing",
        "r1:s2": "it rests on nothing",
        "r1:s3": "it rests on itself",
    }


@pytest.mark.clause("ruling:I11")
def test_forward_references_and_circles_are_read_as_they_are() -> None:
    made = written(reply(step("s1", "One follows.", "s2"), step("s2", "The other follows.", "s1")))

    assert (reasons(made, "s1"), reasons(made, "s2")) == ([{"s2"}], [{"s1"}])
    structure: Any = stored(made).check_structure("g", made.conclusion)
    assert structure["cycles"]
    assert made.no_line == "no sentence is beneath it"


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        ("Bananas are yellow.", "[1]: nothing of it is there"),
        ("Osprey left the harbour on Monday.", "[1]: it does not have the name Osprey"),
        ("Kestrel never left the harbour on Monday.", "[1]: it says the opposite"),
        ("Kestrel left the harbour on 5 Monday.", "[1]: it does not have the number 5"),
    ],
)
def test_a_step_that_its_sentences_do_not_cover_is_not_grounded(claim: str, problem: str) -> None:
    made = written(reply(step("s1", claim, 1)))

    assert made.ungrounded == {"r1:s1": problem}
    assert (node(made, "s1")["type"], node(made, "s1")["ungrounded"]) == ("assumption", True)
    assert reasons(made, "s1") == [], "an assumption that rests on a sentence would start a line"
    assert width(made) == 0


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "claim", ["Kestrel left the harbour.", "On Monday, Kestrel left.", "The Kestrel left harbour on a Monday."]
)
def test_a_step_that_its_sentence_covers_in_other_words_holds(claim: str) -> None:
    made = written(reply(step("s1", claim, 1)))

    assert made.ungrounded == {}
    assert reasons(made, "s1") == [{"[1]"}]


@pytest.mark.clause("ruling:I12")
def test_all_sentences_of_a_step_cover_it_together() -> None:
    made = written(reply(step("s1", "Kestrel left on Monday and Osprey had 12 crates aboard.", 1, 5)))

    assert made.ungrounded == {}
    assert reasons(made, "s1") == [{"[1]", "[5]"}]


@pytest.mark.clause("ruling:I12")
def test_other_sentences_that_cover_a_step_replace_its_own() -> None:
    made = written(reply(step("s1", SEEN, 2)))

    assert reasons(made, "s1") == [{"[4]"}]
    assert made.repairs == ("s1: [4] covers it, and not [2]",)
    assert made.ungrounded == {}


@pytest.mark.clause("ruling:I12")
def test_a_step_that_also_rests_on_a_step_or_an_assumption_is_not_looked_for_in_sentences() -> None:
    made = written(reply(step("s1", LEFT, 1), step("s2", "Somebody is at sea.", "s1", 5)))

    assert made.ungrounded == {}


@pytest.mark.clause("ruling:I12")
def test_a_conclusion_that_its_sentences_do_not_cover_has_no_line() -> None:
    made = written(reply(because=(5,), conclusion={"claim": "Kestrel went to sea.", "because": [5]}))

    assert node(made, "c")["type"] == "conclusion"
    assert reasons(made, "c") == []
    assert made.no_line.startswith("[5]: ")
    assert made.ungrounded == {}


@pytest.mark.clause("ruling:I12")
def test_a_line_has_a_sentence_with_the_answers_own_words() -> None:
    steps = (step("s1", "The radio was silent.", 3),)

    assert written(reply(*steps)).no_line == "no sentence beneath it has the answer's own words"
    assert written(reply(*steps, answer="Yes")).no_line == ""
    assert written(reply(*steps, answer="False.")).no_line == ""
    assert written(reply(*steps, answer="The documents do not say.")).no_line == ""
    assert written(reply(step("s1", LEFT, 1))).no_line == ""


@pytest.mark.clause("ruling:I18")
def test_a_false_equation_refutes_its_step_and_says_what_it_comes_to() -> None:
    sent = reply(step("s1", "12 - 3 = 8", 1, 2), answer="8", conclusion={"claim": "8 are left.", "because": ["s1"]})

    made = written(sent, APPLES)

    assert list(made.refuted) == ["r1:s1"]
    assert "9" in made.refuted["r1:s1"]
    assert made.no_line == "no sentence is beneath it"


@pytest.mark.clause("ruling:I18")
def test_a_right_equation_is_covered_by_the_sentences_with_its_numbers() -> None:
    sent = reply(step("s1", "12 - 3 = 9", 1, 2), answer="9", conclusion={"claim": "9 are left.", "because": ["s1"]})

    made = written(sent, APPLES)

    assert (made.refuted, made.ungrounded, made.repairs, made.no_line) == ({}, {}, (), "")
    assert reasons(made, "s1") == [{"[1]", "[2]"}]
    assert width(made) == 1


@pytest.mark.clause("ruling:I18")
def test_a_number_of_an_equation_that_stands_nowhere_is_taken_for_granted() -> None:
    made = written(reply(step("s1", "12 * 7 = 84", 1), answer="84"), APPLES)

    assert reasons(made, "s1") == [{"[1]", "number 7"}]
    assert node(made, "number 7")["type"] == "assumption"
    twice = written(reply(step("s1", "She fills 12 / 3 = 4 bags and eats 4 * 2 = 8 apples.", 1, 2)), APPLES)
    assert reasons(twice, "s1") == [{"[1]", "[2]", "number 2"}], "the 4 is what the first sum comes to"
    assert written(reply(step("s1", "5 * 7 = 35", 1), answer="35"), APPLES).ungrounded == {
        "r1:s1": "[1] has none of its numbers"
    }


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "claim",
    [
        "She has 12 - 3 = 9 apples left.",
        "12 - 3 = 9 apples are left.",
        "Mia eats 3 of them, so 12-3=9 are left.",
        "$12 - $3 = $9",
        "12 / 3 = 4 and 4 * 3 = 12",
        "The total is 12 + 3 = 15 apples.",
    ],
)
def test_a_right_sum_within_a_sentence_is_covered_too(claim: str) -> None:
    made = written(reply(step("s1", claim, 1, 2)), APPLES)

    assert made.ungrounded == {}
    assert reasons(made, "s1") == [{"[1]", "[2]"}]


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "claim",
    [
        "Bananas ripen since 12 - 3 = 9.",
        "So Eve has 12 - 3 = 9 apples left.",
        "9 = 9 apples are left.",
        "She has 9 apples left.",
        "12 - 3 = 9 apples and 5 pears are left.",
    ],
)
def test_a_sum_beside_the_point_covers_nothing(claim: str) -> None:
    made = written(reply(step("s1", claim, 1, 2)), APPLES)

    assert list(made.ungrounded) == ["r1:s1"]
    assert made.refuted == {}


@pytest.mark.clause("ruling:I12")
def test_the_result_of_a_sum_stands_from_then_on_if_it_starts_from_a_number_that_stands() -> None:
    conclusion = {"claim": "Mia has 9 apples.", "because": [1, 2]}

    right = written(reply(step("s1", "12 - 3 = 9", 1, 2), conclusion=conclusion, answer="9"), APPLES)
    invented = written(reply(step("s1", "5 + 4 = 9", 1, 2), conclusion=conclusion, answer="9"), APPLES)
    chained = (step("s1", "12 - 3 = 9", 1, 2), step("s2", "9 * 2 = 18", "s1"))
    twice = {"claim": "Mia has 18 apples.", "because": [1]}

    assert (right.no_line, reasons(right, "c")) == ("", [{"[1]", "[2]"}])
    assert invented.no_line == "[1] [2]: it does not have the number 9"
    assert written(reply(*chained, conclusion=twice, answer="18"), APPLES).no_line == ""


@pytest.mark.clause("interrogation:4.2.A")
def test_an_objection_is_an_inference_that_attacks_its_target() -> None:
    against = {"id": "o1", "claim": "Osprey had 12 crates aboard.", "because": [5], "against": "c"}

    made = written(reply(step("s1", LEFT, 1), objections=[against, {**against, "id": "o2", "against": "s1"}]))

    assert node(made, "o1")["type"] == "inference"
    assert reasons(made, "o1") == [{"[5]"}]
    attacks = {(edge["src"], edge["dst"]) for edge in made.edges if edge["relation"] == "attacks"}
    assert attacks == {("r1:o1", "r1:c"), ("r1:o2", "r1:s1")}


def test_an_objection_on_nothing_or_against_nothing_attacks_nothing() -> None:
    objections = [
        {"id": "o1", "claim": "Osprey sank at once.", "because": [5], "against": "c"},
        {"id": "o2", "claim": "Osprey had 12 crates aboard.", "because": [5], "against": "s7"},
    ]

    made = written(reply(step("s1", LEFT, 1), objections=objections))

    assert [edge for edge in made.edges if edge["relation"] == "attacks"] == []
    assert "r1:o1" in made.ungrounded
    assert len(made.repairs) == 2


def paper(*nodes: Mapping[str, Any], edges: Any = (), **more: Any) -> dict[str, Any]:
    conclusion = {"id": "n9", "claim": IS_KESTREL, "type": "conclusion"}
    links = [{"from": start, "to": end, "relation": "supports"} for start, end in edges]
    return {"conclusion_node": "n9", "nodes": [*nodes, conclusion], "edges": links, "answer": "Kestrel", **more}


@pytest.mark.clause("interrogation:4.2.A")
def test_the_papers_nodes_and_edges_are_read_where_they_come() -> None:
    nodes = (
        {"id": "n1", "claim": LEFT, "type": "given", "document": 1, "quote": LEFT},
        {"id": "n2", "claim": "It is at sea.", "type": "inference", "confidence": 0.6},
        {"id": "n3", "claim": "It did not return.", "type": "assumption"},
    )

    made = written(paper(*nodes, edges=[("n1", "n2"), ("n2", "n9"), (4, "n9"), ("n3", "n9")]))

    assert made.conclusion == "r1:n9"
    assert node(made, "n1")["source"] == {"document": "log.txt", "sentences": [{"number": 1, "text": LEFT}]}
    assert (node(made, "n2")["type"], node(made, "n2")["confidence"]) == ("inference", 0.6)
    assert node(made, "[4]")["type"] == "given"
    assert width(made) == 2
    assert made.repairs == ()


@pytest.mark.clause("interrogation:4.2.A")
def test_an_objection_to_c_is_one_to_the_conclusion_whatever_its_id() -> None:
    against = {"id": "o1", "claim": "Osprey had 12 crates aboard.", "because": [5], "against": "c"}

    made = written(paper(objections=[against]))

    assert [edge["dst"] for edge in made.edges if edge["relation"] == "attacks"] == ["r1:n9"]


@pytest.mark.clause("ruling:I10")
def test_a_wrong_document_number_of_a_quote_is_repaired() -> None:
    made = written(
        paper({"id": "n1", "claim": LEFT, "type": "given", "document": 2, "quote": LEFT}, edges=[("n1", "n9")])
    )

    assert made.repairs == ("n1: document '2' does not have the quote, 'log.txt' has it",)
    assert (node(made, "n1")["type"], made.ungrounded, width(made)) == ("given", {}, 1)


@pytest.mark.clause("ruling:I12")
def test_bananas_behind_a_true_quote_are_not_grounded() -> None:
    made = written(paper({"id": "n1", "claim": "Bananas are yellow.", "type": "given", "document": 1, "quote": LEFT}))

    assert made.ungrounded == {"r1:n1": "[1]: nothing of it is there"}
    assert "source" not in node(made, "n1")


@pytest.mark.clause("ruling:I10")
def test_a_given_of_the_papers_form_may_name_its_sentence() -> None:
    made = written(paper({"id": "n1", "claim": LEFT, "type": "given", "sentence": "[1]"}, edges=[("n1", "n9")]))

    assert node(made, "n1")["source"]["sentences"] == [{"number": 1, "text": LEFT}]


def test_steps_and_nodes_may_come_beside_each_other() -> None:
    sent = reply(step("s1", LEFT, 1), nodes=[{"id": "n1", "claim": SEEN, "type": "given", "sentence": 4}])
    sent["edges"] = [{"from": "n1", "to": "c", "relation": "supports"}]

    made = written(sent)

    assert reasons(made, "c") == [{"s1"}, {"n1"}]
    assert width(made) == 2


@pytest.mark.parametrize(
    ("wrong", "repair"),
    [
        ("talk", "a step that is no object was left out: 'talk'"),
        (step(None, SEEN, 4), f"a step without a usable id was left out: '{SEEN}'"),
        (step("x" * 201, SEEN, 4), f"a step without a usable id was left out: '{SEEN}'"),
        (step("[4]", SEEN, 4), f"a step without a usable id was left out: '{SEEN}'"),
        (step("s2", ["x"], 4), "the step 's2' was left out: it says nothing"),
        (step("s2", " ", 4), "the step 's2' was left out: it says nothing"),
        (step("s2", "x" * 2001, 4), "the step 's2' was left out: it is longer than 2000 characters"),
        (step("s2", SEEN, 4, confidence=2), "the step 's2' was left out: its confidence '2' is none from 0 to 1"),
        (
            step("s2", SEEN, 4, confidence=float("nan")),
            "the step 's2' was left out: its confidence 'nan' is none from 0 to 1",
        ),
        (step("s2", SEEN, 4, confidence=True), "the step 's2' was left out: its confidence 'True' is none from 0 to 1"),
    ],
)
def test_a_wrong_item_costs_that_item(wrong: Any, repair: str) -> None:
    made = written(reply(step("s1", LEFT, 1), wrong))

    assert made.repairs == (repair,)
    assert [item["id"] for item in made.nodes] == ["r1:c", "r1:s1", "r1:[1]"]


@pytest.mark.parametrize("name", ["id", "document", "quote", "sentence", "confidence"])
def test_a_number_without_end_costs_its_item_at_most(name: str) -> None:
    given = {"id": "n1", "claim": SEEN, "type": "given", "sentence": 4} | {name: 10**5_000}

    made = written(paper(given, {"id": 10**5_000}, edges=[(10**5_000, "n9"), ("n1", 10**5_000)]))

    assert node(made, "n9")["type"] == "conclusion"
    assert len([item for item in made.nodes if item["id"] == "r1:n1"]) == (name not in ("id", "confidence"))


def test_a_hundred_steps_are_read_and_a_repair_counts_the_rest() -> None:
    made = written(reply(*(step(f"s{number}", f"Kestrel left port {number}.", "s1") for number in range(1, 1_001))))

    assert len([item for item in made.nodes if item["id"].startswith("r1:s")]) == 100
    assert "900 steps past the 100th were left out" in made.repairs


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        (reply(conclusion={"claim": " ", "because": [1]}), "its conclusion: it says nothing"),
        (reply(conclusion={"claim": "x" * 2001}), "its conclusion: it is longer than 2000 characters"),
        (reply(step("s1", LEFT, 1), answer=" "), "it gives no answer"),
        ({"nodes": [{"id": "n1", "claim": LEFT, "type": "given"}], "answer": "x"}, "it has no conclusion"),
    ],
)
def test_a_reply_without_a_conclusion_or_an_answer_is_no_argument(sent: Mapping[str, Any], problem: str) -> None:
    assert read(sent) == problem


ids = st.sampled_from(["s1", "s2", "a1", "o1", "c", "n1", "[1]", "S2", "3", "", " "])
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 9), st.just(10**400), st.floats(), st.text(max_size=12), ids
)
claims = st.sampled_from(
    [LEFT, SEEN, IS_KESTREL, "Bananas are yellow.", "2 + 2 = 5", "12 - 3 = 9 crates", "Osprey sank."]
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ids, inner, max_size=2), max_leaves=6
)
items = st.lists(
    st.fixed_dictionaries(
        {"id": ids | scalars, "claim": claims | scalars, "because": st.lists(scalars, max_size=4) | anything},
        optional={"confidence": scalars, "against": ids, "quote": claims | scalars, "document": scalars}
        | {"type": st.sampled_from(["given", "inference", "assumption", "conclusion", "x"]), "sentence": anything},
    )
    | anything,
    max_size=5,
)
edges = st.lists(
    st.fixed_dictionaries({"from": ids | scalars, "to": ids | scalars, "relation": st.sampled_from(RELATIONS)})
    | anything,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(
    assumptions=items, steps=items, objections=items, nodes=items, links=edges, because=anything, shipped=st.booleans()
)
def test_whatever_a_member_sends_is_read_or_refused_and_the_graph_takes_it(
    assumptions: Any, steps: Any, objections: Any, nodes: Any, links: Any, because: Any, shipped: bool
) -> None:
    sent = reply(*steps, because=because, assumptions=assumptions, objections=objections, nodes=nodes, edges=links)

    made = read(sent, SHIPS if shipped else APPLES)

    assert isinstance(made, Written)
    names = [item["id"] for item in made.nodes]
    assert len(names) == len(set(names))
    assert [item["id"] for item in made.nodes if item["type"] == "conclusion"] == [made.conclusion]
    assert {edge[end] for edge in made.edges for end in ("src", "dst")} <= set(names)
    assert {item["id"] for item in made.nodes if item.get("ungrounded")} == set(made.ungrounded)
    rested_on = {edge["dst"] for edge in made.edges if edge.get("group")}
    assert not rested_on & {item["id"] for item in made.nodes if item["type"] == "assumption"}
    stored(made)
