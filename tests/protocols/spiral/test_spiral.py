"""`spiral` whole, with scripted members: every way out, and what is shown on the way (spiral 5.1, 5.2)."""

import sys
from typing import Any

import pytest

from moot.core.calls import Failure
from moot.core.verdict import Status
from moot.protocols.spiral.record.report import markdown_report
from tests.protocols.spiral.kit import (
    ASKED,
    EQUIVALENT,
    OPPOSED,
    UNREACHABLE,
    Member,
    panel_of,
    position,
    spiralled,
)

RIGHT = position("391", "17 * 23 = 391.")
WRONG = position("401", "17 * 23 = 401.")

EVEN = position("The sum is even.", "The sum of two even numbers is even.")
ODD = position("The sum is even.", "The sum of two even numbers is not even.")
SUMS = "Is the sum of two even numbers even?"

YES = position("Yes, the old mill should be kept.")
NO = position("No, the old mill should not be kept.")
MILL = "What shall be done with the old mill?"


def same_or_opposed(prompt: str) -> dict[str, Any]:
    """Judge answers by their first word."""
    first, second = (part.split("answer: ")[1].split()[0].strip(",.") for part in prompt.split("Position ")[1:])
    return EQUIVALENT if first == second else OPPOSED


@pytest.mark.clause("spiral:5.1.1", "spiral:5.1.2")
def test_members_who_agree_at_once_take_one_call_each() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(RIGHT)))

    assert done.steps == ["exposition/m1", "exposition/m2", "exposition/m3"]
    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.stop_reason == "consensus at once"
    assert done.verdict.answer == "391"
    assert done.verdict.confidence.value == 1.0
    assert done.detail["loops"] == 0


@pytest.mark.clause("spiral:5.1.1")
def test_nobody_sees_anothers_answer_at_the_exposition() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(WRONG), Member(position("unsure"))))

    prompts = {done.prompt(step) for step in done.steps if step.startswith("exposition")}
    assert len(prompts) == 1
    assert not [word for word in ("391", "401", "unsure") if word in min(prompts)]


SIMPLE = {
    "What is the capital of France?": ("Paris", "It is Paris.", "The city of Paris"),
    "How many legs has a spider?": ("8", "eight", "Eight legs"),
    "What colour is grass?": ("green", "It is green.", "Grass is green"),
    "Who wrote Hamlet?": ("Shakespeare", "William Shakespeare", "It was Shakespeare."),
    "What freezes at 0 degrees Celsius?": ("water", "Water does.", "plain water"),
    "Which planet is nearest to the sun?": ("Mercury", "It is Mercury.", "the planet Mercury"),
    "How many days has a week?": ("7", "seven", "seven days"),
    "What do bees make?": ("honey", "They make honey.", "Honey, above all"),
    "Which metal is liquid at room temperature?": ("mercury", "quicksilver", "Mercury is."),
    "What is the opposite of hot?": ("cold", "It is cold.", "being cold"),
    "Which ocean is the largest?": ("the Pacific", "Pacific Ocean", "It is the Pacific Ocean."),
    "How many sides has a triangle?": ("3", "three", "three sides"),
    "What is the first letter of the alphabet?": ("A", "the letter A", "It is A."),
    "Which animal barks?": ("the dog", "Dogs do.", "a dog"),
    "What falls from clouds?": ("rain", "Rain falls.", "rain, mostly"),
    "In which direction does the sun rise?": ("east", "in the east", "It rises in the east."),
    "How many wheels has a bicycle?": ("2", "two", "two wheels"),
    "What do we breathe?": ("air", "We breathe air.", "the air"),
    "Which season follows winter?": ("spring", "It is spring.", "Spring follows."),
    "What is frozen water called?": ("ice", "It is called ice.", "plain ice"),
}


def test_three_wordings_of_one_answer_reach_complete_on_twenty_simple_questions(capsys) -> None:
    calls = []
    for question, answers in SIMPLE.items():
        panel = panel_of(*(Member(position(answer)) for answer in answers), judge=lambda _: EQUIVALENT)

        done = spiralled(panel, question=question)

        assert done.verdict.status is Status.COMPLETE, question
        calls.append(len(done.steps))

    assert max(calls) <= 6
    with capsys.disabled():
        sys.stdout.write(f"\n20 simple questions: {sum(calls)} calls, {min(calls)} to {max(calls)} each\n")


@pytest.mark.clause("spiral:5.1.3", "ruling:S5", "ruling:S8")
def test_an_axiom_settles_a_disagreement_in_loop_1() -> None:
    mind = Member(ODD, {"revise/1": EVEN})

    done = spiralled(panel_of(Member(EVEN), Member(EVEN), mind), question=SUMS)

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.stop_reason == "consensus after loop 1"
    loop = done.notes("loop")[0]
    assert loop["level"] == "mathematical"
    assert loop["disagreements"][0]["axioms"][0]["similarity"] >= 0.3
    assert [item["seat"] for item in loop["moved"]] == ["m3"]
    assert {item["seat"] for item in loop["stayed"]} == {"m1", "m2"}
    statement = loop["disagreements"][0]["axioms"][0]["statement"]
    assert statement in done.prompt("revise/1/m3")


@pytest.mark.clause("spiral:5.1.3", "ruling:S7")
def test_an_oracle_settles_a_disagreement_in_loop_4() -> None:
    check = {"kind": "arithmetic", "claim": "17 * 23 = 391"}
    panel = panel_of(Member(RIGHT, checks=[check]), Member(RIGHT), Member(WRONG, {"revise/4": RIGHT}))

    done = spiralled(panel)

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.stop_reason == "consensus after loop 4"
    told = done.prompt("revise/4/m3")
    assert "17 * 23 = 401.: false" in told
    found = done.notes("loop")[3]["oracles"]
    assert {item["by"] for item in found} >= {"the program", "m1"}
    assert [item["finding"]["verdict"] for item in found if item["check"] == "17 * 23 = 401."] == ["false"]


@pytest.mark.clause("spiral:5.1.4", "ruling:S3", "ruling:S4")
def test_a_compromise_is_found_in_the_stretto_of_loop_6() -> None:
    compromise = position("Yes, the old mill should be kept as a ruin.")
    members = [Member(YES, {"stretto/6": compromise}), Member(YES, {"stretto/6": compromise})]
    members.append(Member(NO, {"stretto/6": compromise}))

    done = spiralled(panel_of(*members, judge=same_or_opposed), question=MILL)

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.stop_reason == "consensus after loop 6"
    assert done.verdict.answer == compromise["answer"]
    assert not any(step.startswith("stretto/4") for step in done.steps)
    assert "stretto/5/m1" in done.steps
    assert "could hold together" in done.prompt("stretto/5/m3")


@pytest.mark.clause("ruling:S3", "spiral:5.1.5")
def test_consensus_may_come_only_at_the_check_after_loop_7() -> None:
    done = spiralled(
        panel_of(Member(YES), Member(YES), Member(NO, {"stretto/7": YES}), judge=same_or_opposed), question=MILL
    )

    assert done.verdict.status is Status.COMPLETE
    assert done.verdict.stop_reason == "consensus after loop 7"
    assert done.detail["loops"] == 7


@pytest.mark.clause("spiral:5.2.forced", "ruling:S3", "spiral:5.1.6")
def test_after_seven_loops_the_consensus_is_forced_with_what_remains() -> None:
    done = spiralled(panel_of(Member(YES), Member(YES), Member(NO), judge=same_or_opposed), question=MILL)

    assert done.verdict.status is Status.FORCED
    assert "seven loops passed without consensus; the best harmony was" in done.verdict.stop_reason
    assert done.verdict.answer == YES["answer"]
    assert done.verdict.dissent[0].held_by == ("m3",)
    assert any(NO["answer"] in caveat for caveat in done.verdict.caveats)
    assert done.detail["best"]["harmony"] == max(item["harmony"] for item in done.detail["history"])
    assert done.verdict.confidence.value == done.detail["harmony"]


@pytest.mark.clause("ruling:S5")
def test_where_no_axiom_is_relevant_the_loop_says_so_and_asks_nobody() -> None:
    done = spiralled(panel_of(Member(YES), Member(YES), Member(NO), judge=same_or_opposed), question=MILL)

    silent = [note for note in done.notes("loop") if "no_call" in note]
    assert silent
    for note in silent:
        assert all(not point["axioms"] for point in note["disagreements"])
        assert not any(step.startswith(f"revise/{note['loop']}/") for step in done.steps)


@pytest.mark.clause("ruling:G3")
def test_with_one_member_left_the_result_is_partial_with_the_reason() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(UNREACHABLE), Member(UNREACHABLE)))

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "1 of 3 seats answered, and agreement takes two"
    assert done.verdict.answer == "391"
    assert done.verdict.confidence.value is None
    assert {item.seat for item in done.verdict.missing} == {"m2", "m3"}


def test_two_members_are_a_panel() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(UNREACHABLE), Member(RIGHT)))

    assert done.verdict.status is Status.COMPLETE
    assert [item.seat for item in done.verdict.missing] == ["m2"]


def test_a_member_that_fails_in_loop_3_stays_where_it_was_and_is_named() -> None:
    same = position("Yes.", "The ship is the same thing after its parts are replaced one by one.")
    other = position("Yes.", "The ship is not the same thing after its parts are replaced one by one.")
    failing = Member(other, {"revise/3": UNREACHABLE, "stretto/5": same})

    done = spiralled(panel_of(Member(same), Member(same), failing), question="Is it still the ship of Theseus?")

    assert "revise/3/m3" in done.steps
    assert [(item.seat, item.step) for item in done.verdict.missing] == [("m3", "revise/3/m3")]
    assert done.notes("loop")[2]["stayed"][-1]["seat"] == "m3"
    assert done.verdict.status is Status.COMPLETE


class NoVectors:
    """An embedder that cannot be reached."""

    name, local = "none", True

    async def embed(self, texts, *, before_retry):
        return Failure("unreachable", "no vectors today")


def test_without_vectors_equal_answers_still_agree_and_others_are_partial_with_the_reason() -> None:
    alike = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(RIGHT)), embedder=NoVectors())
    apart = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(WRONG)), embedder=NoVectors())

    assert alike.verdict.status is Status.COMPLETE
    assert apart.verdict.status is Status.PARTIAL
    assert "no vectors today" in apart.verdict.stop_reason
    assert apart.verdict.confidence.value is None


def test_without_a_judge_the_weight_of_entailment_is_spread_and_said() -> None:
    members = [Member(position("Paris")), Member(position("It is Paris.")), Member(position("Lyon"))]

    done = spiralled(panel_of(*members, judge=lambda _: UNREACHABLE), question="Which city?")

    assert any("nobody judged the entailment of" in caveat for caveat in done.verdict.caveats)
    assert any(pair["entailment"] is None for pair in done.detail["pairs"])


@pytest.mark.parametrize("empty", ["", "  ", ">", "?!"])
def test_signs_alone_are_no_answer_and_are_asked_for_again(empty: str) -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(position(empty))))

    assert done.steps.count("exposition/m3") == 2
    assert [item.seat for item in done.verdict.missing] == ["m3"]
    assert done.verdict.status is Status.COMPLETE


def test_what_no_oracle_understands_is_recorded_and_moves_nobody() -> None:
    guess = {"kind": "units", "relation": "equals", "left": "the mill", "right": "the ruin"}
    members = [Member(YES, checks=[guess]), Member(YES), Member(NO)]

    done = spiralled(panel_of(*members, judge=same_or_opposed), question=MILL)

    found = done.notes("loop")[3]
    assert found["oracles"][0]["finding"]["verdict"] == "not computable"
    assert not any(step.startswith("revise/4") for step in done.steps)
    assert "the ruin" not in done.prompt("stretto/5/m1")


def test_answers_in_different_languages_agree_by_the_judge() -> None:
    members = [Member(position("water")), Member(position("das Wasser")), Member(position("l'eau"))]

    done = spiralled(panel_of(*members, judge=lambda _: EQUIVALENT), question="What do fish swim in?")

    assert done.verdict.status is Status.COMPLETE


def test_copies_of_one_model_are_said_to_be_no_independent_evidence() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(RIGHT)), models=1)

    assert "1 distinct model" in done.verdict.confidence.reason
    assert any("one model" in caveat for caveat in done.verdict.caveats)


@pytest.mark.clause("ruling:S2")
def test_the_schedule_is_never_shown_as_agreement() -> None:
    done = spiralled(panel_of(Member(YES), Member(YES), Member(NO), judge=same_or_opposed), question=MILL)

    last = done.detail["history"][-1]
    assert last["scheduled_divergence"] != last["measured_divergence"]
    assert done.detail["measured_divergence"] == last["measured_divergence"]
    assert done.detail["scheduled_divergence"] == last["scheduled_divergence"]
    assert done.verdict.confidence.value == last["harmony"]
    assert done.verdict.confidence.value != round(1 - last["scheduled_divergence"], 6)
    report = markdown_report(done.record)
    assert "measured D  scheduled D" in report
    assert "The scheduled divergence follows a schedule and measures nothing." in report
    for note in done.notes("measured"):
        assert {"harmony", "measured_divergence", "scheduled_divergence"} <= set(note)


def test_a_loop_is_drawn_and_the_matrix_is_a_heat_map() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(WRONG, {"revise/4": RIGHT})))

    report = markdown_report(done.record)

    assert "   1.00 █" in report
    assert "**Loop 4, computable**" in report
    assert "m3 moved: 401 → 391" in report


@pytest.mark.parametrize("structure", ["fugue", "sonata", "concert"])
@pytest.mark.clause("ruling:S6")
def test_every_structure_can_settle_a_disagreement(structure: str) -> None:
    later = {"revise/4": RIGHT, "synthesis/4": RIGHT, "solo/4": RIGHT}

    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(WRONG, later)), structure=structure)

    assert done.verdict.stop_reason == "consensus after loop 4"
    assert done.detail["structure"] == structure
    kinds = {step.split("/")[0] for step in done.steps}
    assert {"fugue": "revise", "sonata": "synthesis", "concert": "solo"}[structure] in kinds


def test_in_a_fugue_the_third_voice_hears_the_first_two() -> None:
    first = position("391", "17 * 23 = 391.", "The first voice was here.")

    done = spiralled(panel_of(Member(RIGHT, {"revise/4": first}), Member(RIGHT), Member(WRONG)), structure="fugue")

    assert "The first voice was here." in done.prompt("revise/4/m3")
    assert "m1" not in done.prompt("revise/4/m3")


def test_a_run_replays_to_the_byte_and_nothing_is_asked_twice() -> None:
    done = spiralled(panel_of(Member(RIGHT), Member(RIGHT), Member(WRONG, {"revise/4": RIGHT})))

    assert done.course.replayed().events == len(done.course.disk.texts)
    assert len(done.steps) == len(set(done.steps))
    assert done.prompt("exposition/m1").endswith(f"Question: {ASKED}")
