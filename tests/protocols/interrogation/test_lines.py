"""What counts as a line of support, and what would have to be wrong (rulings I5, I10 to I12, I15, I18; A21, A22)."""

from typing import Any

import pytest

from moot.core.question import Document
from moot.core.verdict import Status
from moot.protocols.interrogation.report import markdown_report
from tests.protocols.interrogation.kit import (
    CRATES,
    INVENTED,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    PILOT,
    SEEN,
    SILENT,
    argument,
    interrogated,
    states,
    step,
)

SURVEY = Document(
    name="survey.md",
    text="Server x9 runs Linux and stays on around the clock. A nightly job needs Linux and a server that is on.",
)
OTHER = Document(name="cellar.md", text="The cellar was dry. The survey covers every server of the house.")
ASKED = "Which server can be given the nightly job?"
FITS = "Server x9 can be given the nightly job."
NEEDS = "A nightly job needs Linux and a server that is on."
RUNS = "Server x9 runs Linux and stays on around the clock."
COVERS = "The survey covers every server of the house."


def surveyed(*runs, **options: Any):
    usual: dict[str, Any] = {"documents": (SURVEY, OTHER), "question": ASKED, "k": 1}
    return interrogated(*runs, **(usual | options))


# Together (finding: premises that are needed together are no roads of their own)


@pytest.mark.clause("ruling:A21", "ruling:I11")
def test_joint_premises_are_one_line_that_falls_with_any_of_them_in_a_graph() -> None:
    steps = (step("s1", RUNS, 1), step("s2", NEEDS, 2), step("s3", COVERS, 4))
    scene = surveyed(*[argument("x9", FITS, *steps, lines=[("s1", "s2", "s3")])] * 2)

    assert (scene.detail["support_width"], scene.detail["resilience"]) == (1, 1)
    assert scene.detail["together"] is False
    assert {item["claim"] for item in scene.detail["must_be_wrong"]} == {RUNS, NEEDS, COVERS}
    assert "**1 line of support; the answer falls if any one of these 3 claims is wrong.**" in markdown_report(
        scene.record
    )


@pytest.mark.clause("ruling:A21", "ruling:I12")
def test_joint_premises_are_one_line_that_falls_with_any_of_them_in_free_text() -> None:
    scene = surveyed(*[states("x9", RUNS, NEEDS)] * 2, form="plain")

    assert (scene.detail["support_width"], scene.detail["resilience"]) == (1, 1)
    assert {item["claim"] for item in scene.detail["must_be_wrong"]} == {RUNS, NEEDS}


@pytest.mark.clause("ruling:A21")
def test_two_lines_fall_only_together_and_the_report_says_so() -> None:
    scene = interrogated(KESTREL, KESTREL)

    assert (scene.detail["support_width"], scene.detail["resilience"], scene.detail["together"]) == (2, 2, True)
    assert [item["claim"] for item in scene.detail["must_be_wrong"]] == [LEFT, SEEN]
    assert "**All of these together must be wrong**" in markdown_report(scene.record)


# One sentence (finding: one sentence in four wordings is one line)

WORDINGS = (
    "Server x9 runs Linux and stays on around the clock.",
    "The server x9 runs Linux.",
    "Server x9 stays on around the clock.",
    "Linux runs on server x9.",
)


@pytest.mark.clause("ruling:A22", "ruling:I10")
@pytest.mark.parametrize("form", ["graph", "plain"])
def test_one_sentence_that_four_runs_word_in_four_ways_is_one_line(form: str) -> None:
    graphs = [argument("x9", FITS, step("s1", claim, 1)) for claim in WORDINGS]
    told = [states("x9", claim) for claim in WORDINGS]

    scene = surveyed(*(graphs if form == "graph" else told), form=form, verify="never")

    assert (scene.detail["support_width"], scene.detail["resilience"]) == (1, 1)
    assert scene.candidates("votes") == [(4,)]
    assert [one["number"] for one in scene.detail["lines"][0]["sentences"]] == [1]


# What is given (rulings I5, I10, I12)


@pytest.mark.clause("ruling:I5", "ruling:I12")
def test_what_no_sentence_covers_is_an_assumption_that_is_listed_and_said() -> None:
    run = argument("Kestrel", IS_KESTREL, step("a", LEFT), step("z", INVENTED, 4))

    scene = interrogated(run, run, default="not_determinable")

    node = scene.node(INVENTED)
    assert (node["type"], node["ungrounded"]) == ("assumption", True)
    [found] = scene.detail["ungrounded"]
    assert (found["id"], found["claim"]) == ("r1:z", INVENTED)
    assert found["problem"].startswith("[4]: it covers ")
    assert "1 claim is covered by no sentence and taken for granted." in scene.verdict.caveats
    assert set(scene.notes("run read")[0]["ungrounded"]) == {"r1:z"}


@pytest.mark.clause("ruling:I5", "ruling:G2")
def test_an_answer_that_rests_on_nothing_that_a_sentence_covers_has_width_0_and_is_partial() -> None:
    scene = interrogated(argument("Kestrel", IS_KESTREL, step("z", INVENTED, 4)))

    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.PARTIAL)
    assert (scene.detail["support_width"], scene.detail["resilience"]) == (0, 0)
    assert "No line of support leads from the documents to this answer." in scene.verdict.caveats


@pytest.mark.clause("ruling:I10", "ruling:I5")
def test_a_wrong_number_is_repaired_where_another_sentence_covers_the_claim() -> None:
    run = argument("Kestrel", IS_KESTREL, step("a", LEFT, 4), step("b", SEEN, 1))

    scene = interrogated(run, run)

    assert (scene.detail["ungrounded"], scene.detail["support_width"]) == ([], 2)
    assert scene.detail["repairs"]["r1"] == ("a: [1] covers it, and not [4]", "b: [4] covers it, and not [1]")


@pytest.mark.clause("ruling:I10", "interrogation:4.2.A")
def test_a_quote_with_a_wrong_document_number_is_found_where_it_stands() -> None:
    given = {"type": "given", "id": "g", "document": 2, "quote": LEFT, "claim": LEFT}
    paper = {
        "conclusion_node": "c",
        "nodes": [{"id": "c", "claim": IS_KESTREL, "type": "conclusion"}, given],
        "edges": [{"from": "g", "to": "c", "relation": "supports"}],
        "answer": "Kestrel",
    }

    scene = interrogated(paper, paper)

    assert (scene.detail["ungrounded"], scene.verdict.status) == ([], Status.COMPLETE)
    assert scene.detail["lines"][0]["sentences"][0]["document"] == "log.txt"
    assert "log.txt" in scene.detail["repairs"]["r1"][0]


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("claim", ["Bananas are yellow.", "Server x9 is switched off.", "Server x12 runs Linux."])
@pytest.mark.parametrize("form", ["graph", "plain"])
def test_another_claim_behind_a_true_sentence_is_not_grounded(claim: str, form: str) -> None:
    paper = argument("x9", FITS, lines=[("g",)])
    paper["nodes"] = [{"type": "given", "id": "g", "document": 1, "quote": RUNS, "claim": claim}]
    run = {"graph": paper, "plain": states("x9", f"{claim} [1]")}[form]

    scene = surveyed(run, run, form=form, verify="never")

    assert [item["claim"] for item in scene.detail["ungrounded"]] == [claim]
    assert (scene.detail["support_width"], scene.verdict.status) == (0, Status.PARTIAL)


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize("form", ["graph", "plain"])
def test_sentences_without_the_answers_own_words_are_no_line_to_it(form: str) -> None:
    run = {"graph": argument("Osprey", IS_OSPREY, step("a", PILOT)), "plain": states("Osprey", PILOT)}[form]

    scene = interrogated(run, run, form=form, default="not_determinable")

    assert (scene.detail["support_width"], scene.verdict.status) == (0, Status.PARTIAL)
    assert set(scene.detail["no_line"]) == {"r1", "r2"}
    (told,) = (caveat for caveat in scene.verdict.caveats if "no line" in caveat)
    assert "2 runs of it are no line (r1, r2: no sentence" in told and told.count("no sentence") == 1


@pytest.mark.clause("ruling:I18")
def test_a_conclusion_that_computes_wrongly_has_its_vote_and_no_line() -> None:
    run = argument("13", "Osprey had 12 + 2 = 13 crates.", step("a", CRATES))

    scene = interrogated(run, run, question="How many crates had Osprey and 2 more?", verify="never")

    assert (scene.verdict.answer, scene.verdict.status, scene.detail["support_width"]) == ("13", Status.PARTIAL, 0)
    assert "computes wrongly" in scene.detail["no_line"]["r1"]


@pytest.mark.clause("ruling:I5")
def test_without_documents_the_question_is_the_one_document() -> None:
    told = "Kestrel left the harbour on Monday. Which ship left?"
    run = argument("Kestrel", IS_KESTREL, step("a", LEFT))

    scene = interrogated(run, documents=(), question=told)

    assert scene.detail["ungrounded"] == []
    assert (scene.verdict.status, scene.detail["support_width"]) == (Status.COMPLETE, 1)
    assert all(LEFT in request.messages[0].content for request in scene.requests)


# Structure (ruling I15)


@pytest.mark.clause("ruling:I15", "interrogation:4.1.3")
def test_a_circle_of_reasons_is_in_detail_caveats_and_report() -> None:
    first, second = "Kestrel is bound for open water.", "Nobody expects Kestrel back."
    run = argument("Kestrel", IS_KESTREL, step("i", first, "j"), step("j", second, "i"), lines=[("i",)])

    scene = interrogated(run, run)

    assert [set(circle) for circle in scene.detail["structure"]["cycles"]] == [{first, second}]
    assert scene.detail["structure"]["unreachable_conclusion"] is True
    assert "1 circle of reasons." in scene.verdict.caveats
    assert "**Circular**" in markdown_report(scene.record)
    assert (scene.detail["support_width"], scene.verdict.status) == (0, Status.PARTIAL)


@pytest.mark.clause("ruling:I15")
def test_an_inference_that_nothing_supports_is_reported() -> None:
    bare = "Whoever is seen to go has gone."
    nodes = [
        {"id": "c", "claim": IS_KESTREL, "type": "conclusion"},
        {"id": "i", "claim": bare, "type": "inference"},
        {"id": "g", "claim": SEEN, "type": "given", "document": 2, "quote": SEEN},
    ]
    edges = [{"from": name, "to": "c", "relation": "supports"} for name in ("i", "g")]

    scene = interrogated(*[{"nodes": nodes, "edges": edges, "answer": "Kestrel"}] * 2, verify="never")

    assert scene.detail["structure"]["orphans"] == [bare]
    assert bare in markdown_report(scene.record)
    assert scene.detail["support_width"] == 1


@pytest.mark.clause("ruling:I15")
def test_what_was_refuted_and_is_still_leaned_on_is_reported() -> None:
    run = argument("Kestrel", IS_KESTREL, step("a", "Kestrel left.", 1))

    scene = interrogated(run, run, follows={"Kestrel left.": "no"})

    assert scene.detail["structure"]["refuted_but_feeding"] == ["Kestrel left."]
    assert "**Refuted, and still leaned on**" in markdown_report(scene.record)


def test_a_claim_may_be_tested_and_what_would_have_to_be_wrong_is_listed() -> None:
    claim = "Kestrel went to sea"
    run = argument("true", IS_KESTREL, step("a", LEFT), step("b", SEEN))

    scene = interrogated(run, run, question=claim, claim=claim)

    prompt = scene.runs[0].messages[1].content
    assert "is this claim true?" in prompt
    assert "true or false" in prompt
    assert scene.verdict.answer == "true"
    assert [item["claim"] for item in scene.detail["must_be_wrong"]] == [LEFT, SEEN]


def test_what_a_document_states_outright_falls_only_with_that_statement() -> None:
    run = argument("Monday", LEFT, lines=[(1,)])

    scene = interrogated(run, run)

    assert scene.detail["support_width"] == 1
    assert [item["claim"] for item in scene.detail["must_be_wrong"]] == [LEFT]
    assert SILENT not in scene.detail["surviving_claims"]
