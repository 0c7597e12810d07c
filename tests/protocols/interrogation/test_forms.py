"""The forms of a run: what each is asked, how its reply is read, when enough were drawn (I9, I12, I13, I17 to I19)."""

import pytest

from moot.core.budget import Budget
from moot.core.verdict import Status
from moot.protocols.interrogation.protocol import INTERROGATION
from moot.protocols.interrogation.schemas import InterrogationSettings
from tests.protocols.interrogation.kit import (
    ASKED,
    CRATES,
    KESTREL,
    LEFT,
    SENTENCES,
    TOLD_KESTREL,
    TOLD_OSPREY,
    argument,
    header,
    interrogated,
    states,
    step,
)

EGGS = (
    "Janet's ducks lay 16 eggs a day. She eats three and bakes with 4. She sells the rest at $2. "
    "How much does she make a day?"
)
SUM = states("18", "She sells 16 - 3 - 4 = 9 eggs.", "That is 9 * 2 = 18.")
PROGRAM = "sold = 16 - 3 - 4\nanswer = sold * 2"


def eggs(*runs, **options):
    return interrogated(*runs, documents=(), question=EGGS, **options)


# Which form (ruling I9)


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("options", "forms"),
    [
        ({}, ["graph"]),
        ({"kind": "embedded"}, ["plain", "numbered"]),
        ({"kind": "embedded", "documents": ()}, ["plain"]),
        ({"kind": "embedded", "documents": (), "question": EGGS}, ["plain", "program"]),
        ({"form": "plain"}, ["plain"]),
        ({"form": "numbered"}, ["numbered"]),
        ({"form": "both"}, ["plain", "numbered"]),
        ({"form": "both", "asked_as": "a number"}, ["plain", "program"]),
        ({"form": "program"}, ["program"]),
        ({"form": "graph", "kind": "embedded"}, ["graph"]),
    ],
)
def test_small_members_are_asked_for_free_text_and_a_second_way_and_others_for_graphs(options, forms) -> None:
    scene = interrogated(states("18", LEFT), **({"stop": "lead"} | options))

    assert list(scene.notes("forms")[0]["forms"]) == forms
    assert {vote["form"] for vote in scene.detail["votes"]} == set(forms)


@pytest.mark.clause("ruling:I9")
def test_the_record_says_whether_a_number_is_asked_for_and_by_what() -> None:
    by_form = interrogated(TOLD_KESTREL, form="plain", asked_as="a number").notes("forms")[0]
    by_rule = eggs(SUM, form="plain").notes("forms")[0]
    neither = interrogated(TOLD_KESTREL, form="plain").notes("forms")[0]

    assert [note["is_number"] for note in (by_form, by_rule, neither)] == [True, True, False]
    assert by_form["by"] != by_rule["by"]


@pytest.mark.clause("ruling:I9", "ruling:I10")
def test_numbered_sentences_may_be_cited_and_a_wrong_number_is_a_repair() -> None:
    scene = interrogated(states("Kestrel", f"{LEFT[:-1]} [4]."), states("Kestrel", f"[1] {LEFT}"), form="numbered")

    assert all(f"[{place}] {one}" in scene.runs[0].messages[0].content for place, one in enumerate(SENTENCES, 1))
    assert list(scene.detail["repairs"]) == ["r1"]
    assert "sentence 4, which does not cover it; sentence 1 does" in scene.detail["repairs"]["r1"][0]
    assert scene.detail["support_width"] == 1


# How it is asked (ruling I13)


@pytest.mark.clause("ruling:I13")
@pytest.mark.parametrize("form", ["plain", "numbered", "program", "graph"])
def test_documents_come_first_and_how_to_reply_last_and_no_field_asks_whether_they_say_it(form: str) -> None:
    reply = KESTREL if form == "graph" else TOLD_KESTREL
    request = interrogated(reply, form=form).runs[0]

    told, asked = (message.content for message in request.messages)
    assert LEFT in told and ASKED not in told
    assert asked.startswith(f"Question: {ASKED}")
    assert "documents_say" not in str(request.schema)


@pytest.mark.clause("ruling:I13")
@pytest.mark.parametrize("form", ["plain", "program", "graph"])
def test_without_documents_nothing_is_fenced_and_nothing_speaks_of_documents(form: str) -> None:
    reply = argument("18", "She makes 18.", step("s1", "She sells 9 * 2 = 18.", 3)) if form == "graph" else SUM
    request = eggs(PROGRAM if form == "program" else reply, form=form).runs[0]

    prompt = " ".join(message.content for message in request.messages)
    assert "<<<" not in prompt
    assert "document" not in prompt.casefold()


@pytest.mark.clause("ruling:I13")
def test_in_a_graph_reasoning_and_evidence_come_before_conclusion_and_answer() -> None:
    schema = interrogated(KESTREL).runs[0].schema

    assert schema
    fields = list(schema["properties"])
    assert fields == ["reasoning", "assumptions", "steps", "objections", "conclusion", "answer"]


# What is cited (ruling I12)


@pytest.mark.clause("ruling:I12")
def test_the_sentences_that_cover_a_reply_are_its_givens_and_the_rest_is_taken_for_granted() -> None:
    scene = interrogated(states("Kestrel", LEFT, "The crew sang all the way."), form="plain", verify="never")

    assert scene.node(LEFT)["type"] == "given"
    assert [item["claim"] for item in scene.detail["ungrounded"]] == ["The crew sang all the way."]
    assert scene.detail["conclusion"] == "The answer to “Which ship went to sea?” is Kestrel."
    assert (scene.detail["support_width"], scene.verdict.status) == (1, Status.COMPLETE)


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "reason",
    [
        "Kestrel left the harbour on Tuesday.",
        "Osprey left the harbour on Monday.",
        "Kestrel did not leave the harbour on Monday.",
        "Kestrel had 13 crates aboard.",
    ],
)
def test_another_name_number_or_denial_is_not_covered(reason: str) -> None:
    scene = interrogated(states("Kestrel", reason), form="plain", verify="never")

    assert [item["claim"] for item in scene.detail["ungrounded"]] == [reason]
    assert scene.verdict.status is Status.PARTIAL


@pytest.mark.clause("ruling:I12")
def test_no_surface_calls_what_is_covered_proved() -> None:
    scene = interrogated(TOLD_KESTREL, TOLD_OSPREY, form="plain")

    said = str((scene.verdict.caveats, scene.verdict.stop_reason, scene.detail["support"])).casefold()
    assert not any(word in said for word in ("prove", "entail", "verified", "true"))


# When enough were drawn (ruling I17)


@pytest.mark.clause("ruling:I17")
@pytest.mark.parametrize(
    ("runs", "options", "asked", "reason"),
    [
        ([TOLD_KESTREL], {}, 4, "stopped after 4 of at most 8: 4 to 0"),
        ([TOLD_KESTREL] * 3 + [TOLD_OSPREY], {}, 8, "all 8 asked: 6 to 2"),
        ([TOLD_KESTREL], {"stop": "sure"}, 8, "all 8 asked: 8 to 0"),
        ([TOLD_KESTREL], {"stop": "sure", "most": 7}, 4, "stopped after 4 of at most 7: 4 to 0"),
        ([TOLD_KESTREL], {"stop": "all", "most": 5}, 5, "all 5 asked: 5 to 0"),
        ([TOLD_KESTREL], {"n": 2}, 2, "all 2 asked: 2 to 0"),
        ([TOLD_KESTREL], {"budget": Budget(calls=2)}, 2, "the budget of calls ended it after 2 of at most 8: 2 to 0"),
    ],
)
def test_runs_are_drawn_in_waves_of_four_until_it_is_decided(runs, options, asked, reason) -> None:
    scene = interrogated(*runs, form="plain", **({"stop": "lead"} | options))

    assert (scene.verdict.asked, len(scene.runs)) == (asked, asked)
    assert scene.verdict.stop_reason.split("; ")[0] == reason


@pytest.mark.clause("ruling:I17", "ruling:I9")
def test_of_two_forms_half_of_a_wave_is_asked_in_each_and_runs_of_one_form_share_a_prompt() -> None:
    scene = interrogated(TOLD_KESTREL, stop="lead", kind="embedded")

    assert sorted(request.step for request in scene.runs) == ["run/r1", "run/r1#2", "run/r3", "run/r3#2"]
    assert [vote["form"] for vote in scene.detail["votes"]] == ["plain", "plain", "numbered", "numbered"]


@pytest.mark.clause("ruling:I17")
def test_what_is_foreseen_is_the_first_wave_and_where_claims_are_verified_one_round() -> None:
    def foreseen(**options):
        made = header(**options)
        settings = InterrogationSettings.model_validate(made.settings)
        return INTERROGATION.expected(made.question, made.panel, settings)

    graph, plain, fixed = foreseen(), foreseen(form="plain"), foreseen(form="plain", n=6)
    assert (graph.calls, plain.calls, fixed.calls) == (4 + 9, 4, 6)
    assert "up to 8 runs" in plain.note and "up to" not in fixed.note
    assert "verifications" in graph.note


# What is computed (ruling I18)


@pytest.mark.clause("ruling:I18")
def test_a_right_sum_is_a_line_from_the_numbers_of_the_question() -> None:
    scene = eggs(SUM, SUM, form="plain")

    assert (scene.verdict.answer, scene.detail["support_width"], scene.verdict.status) == ("18", 1, Status.COMPLETE)
    assert scene.detail["ungrounded"] == []


@pytest.mark.clause("ruling:I18")
def test_a_false_sum_loses_its_line_and_keeps_its_vote() -> None:
    wrong = states("18", "She sells 16 - 3 - 4 = 8 eggs.", "That is 8 * 2 = 16, or 18.")

    scene = eggs(wrong, wrong, form="plain")

    assert (scene.verdict.answer, scene.detail["support_width"], scene.verdict.status) == ("18", 0, Status.PARTIAL)
    assert scene.candidates("votes") == [(2,)]
    assert any(item["reason"].startswith("it comes out otherwise: ") for item in scene.detail["killed"])
    assert any(caveat.startswith("r1 computes wrongly: ") for caveat in scene.verdict.caveats)


@pytest.mark.clause("ruling:I18")
def test_each_assignment_of_a_program_is_a_step_and_numbers_that_nobody_gave_are_assumed() -> None:
    scene = eggs(PROGRAM, "sold = 16 - 3 - 4\nfee = 7\nanswer = sold * 2 + fee - 7", form="program")

    assert scene.candidates("answer", "votes") == [("18", 2)]
    assert [step["name"] for step in scene.detail["votes"][0]["steps"]] == ["sold", "answer"]
    assert scene.detail["votes"][1]["assumed"] == ["7"]
    assert scene.node("sold = 16 - 3 - 4 = 9.")["type"] == "inference"
    assert [item["claim"] for item in scene.detail["ungrounded"]] == ["The number 7."]


@pytest.mark.clause("ruling:I19")
def test_whether_the_ways_of_asking_agree_stands_beside_the_confidence() -> None:
    same = eggs(SUM, SUM, PROGRAM, PROGRAM, form="both", stop="lead")
    apart = eggs(SUM, SUM, "answer = 16 * 2", "answer = 16 * 2", form="both", n=4)

    assert same.detail["ways"] == {"leaders": {"plain": "18", "program": "18"}, "agree": True}
    assert apart.detail["ways"]["agree"] is False
    assert "The two ways of asking differ: free text 18, programs 32." in apart.verdict.caveats


def test_an_unusable_reply_is_missing_with_the_reason_in_every_form() -> None:
    plain = interrogated(TOLD_KESTREL, "Nobody can say.", form="plain")
    program = eggs(PROGRAM, "answer = 16 / 0", form="program")

    assert [(item.step, item.reason, item.detail) for item in plain.verdict.missing] == [
        ("run/r1#2", "unusable", "it states no answer")
    ]
    assert [item.reason for item in program.verdict.missing] == ["unusable"]
    assert (plain.verdict.asked, plain.verdict.answered) == (2, 1)
    assert CRATES not in str(plain.detail["lines"])
