"""Equations in what agents state are recomputed: a wrong one refutes its claim, a right one is a sum (I18, D13)."""

from typing import Any

import pytest

from moot.protocols.debate.modes import MODES
from moot.protocols.debate.prompts.window import state_view
from moot.protocols.debate.record.report import markdown_report
from moot.protocols.debate.schemas import AgentResponse
from moot.protocols.debate.state.fold import hear, with_tool_result
from moot.protocols.debate.state.speech import Agent, read_speech
from moot.protocols.debate.state.state import Claim, DebateState, proposed
from tests.protocols.debate.kit import debated, everybody, response

WRONG, RIGHT = "12 * 30 = 350", "12 * 30 = 360"
COMES_OUT = "arithmetic: 360 (the sides are 360 and 350)"
ABOUT_SHIPS = f"Twelve ships wait on each of thirty days. {RIGHT}."
START = DebateState(topic="How many ships wait in June?", participants=("m1", "m2", "m3"))


def said(agent: str, state: DebateState = START, **claims: Any) -> DebateState:
    reply = AgentResponse.model_validate({"position": "We build it", "confidence": 0.7, "epistemicClaims": claims})
    role = MODES["collaborative"].role(0)
    state, _ = hear(state, read_speech(reply, Agent(agent, agent, 0, role), 1, "systems-aware", voting=True))
    return state


def only(state: DebateState) -> Claim:
    (claim,) = state.claims
    return claim


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize("label", ["facts", "inferences", "assumptions"])
def test_a_claim_that_computes_wrongly_is_refuted_with_how_it_comes_out(label: str) -> None:
    words: dict[str, Any] = {label: [WRONG]}

    state = said("m1", **words)

    assert only(state).refuted == COMES_OUT
    assert state.status(only(state)) == "refuted"
    assert not only(state).grounded


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        "1/3 = 0.33",
        "Twelve times thirty is about 350",
        "It is wrong to say this. 12 * 30 = 350.",
        "In base 8 it holds. 7 + 1 = 10.",
        "C4 = 350",
    ],
)
def test_what_is_right_as_rounded_denied_or_not_decided_refutes_nothing(text: str) -> None:
    state = said("m1", facts=[text])

    assert only(state).refuted == ""
    assert state.status(only(state)) == "open"


@pytest.mark.clause("ruling:I18", "ruling:D13")
@pytest.mark.parametrize("text", ["1/3 = 0.33", WRONG])
def test_an_equation_that_is_wrong_or_right_only_as_rounded_is_no_evidence(text: str) -> None:
    assert said("m1", facts=[text]).evidence == ()


@pytest.mark.clause("ruling:I18")
def test_where_the_topic_counts_in_another_base_nothing_is_refuted() -> None:
    octal = DebateState(topic="What is 7 + 1 in octal?", participants=("m1", "m2"))

    assert only(said("m1", octal, facts=["7 + 1 = 10"])).refuted == ""
    assert only(said("m1", facts=["7 + 1 = 10"])).refuted


@pytest.mark.clause("ruling:I18", "ruling:D13")
def test_a_right_equation_verifies_itself_and_is_only_computed_in_a_claim_about_the_world() -> None:
    state = said("m1", facts=[RIGHT, ABOUT_SHIPS])

    itself, ships = state.claims
    assert [(item.source.kind, item.source.gist, item.cited) for item in state.evidence] == [
        ("calculation", RIGHT, True)
    ]
    assert (itself.found_in, itself.computed_by) == (("E1",), ())
    assert (ships.found_in, ships.computed_by) == ((), ("E1",))
    assert state.new_facts(1) == (itself,)


@pytest.mark.clause("ruling:I18", "ruling:D13")
def test_a_right_equation_whose_operands_were_found_verifies_its_claim() -> None:
    start, _ = with_tool_result(START, "log", "Server x9 failed 400 times in spring.", 1)
    start, _ = with_tool_result(start, "log 2", "Server x9 failed 12 times in autumn.", 1)
    found = ["Server x9 failed 400 times in spring [E1]", "Server x9 failed 12 times in autumn [E2]"]

    state = said("m1", start, facts=[*found, "Server x9 failed 412 times. 400 + 12 = 412."])
    alone = said("m1", start, facts=[found[0], "Server x9 failed 412 times. 400 + 12 = 412."])

    assert state.claims[-1].grounded
    assert not alone.claims[-1].grounded


@pytest.mark.clause("ruling:I18", "ruling:D13")
def test_a_right_equation_that_is_only_assumed_gives_no_evidence() -> None:
    state = said("m1", assumptions=[RIGHT])

    assert (state.evidence, only(state).found_in) == ((), ())


@pytest.mark.clause("ruling:I18", "ruling:D13")
def test_an_equation_in_another_unit_is_found_in_itself() -> None:
    assert only(said("m1", facts=["2 km = 2000 m"])).grounded


@pytest.mark.clause("ruling:I18")
def test_what_is_refuted_contests_nothing_and_no_proposal_rests_on_it() -> None:
    state = said("m2", said("m1", facts=[WRONG]), facts=[RIGHT])

    wrong, right = state.claims
    assert wrong.id in right.opposition
    assert [state.status(claim) for claim in (wrong, right)] == ["refuted", "open"]
    proposal = proposed(state, 2)
    assert proposal and (proposal.rests_on, proposal.contested) == ((right.id,), ())


@pytest.mark.clause("ruling:I18")
def test_a_refuted_claim_that_its_holders_withdraw_is_withdrawn() -> None:
    state = said("m1", facts=[WRONG])
    reply = AgentResponse.model_validate({"position": "I erred", "confidence": 0.7, "retracted": ["C1"]})
    role = MODES["collaborative"].role(0)

    state, _ = hear(state, read_speech(reply, Agent("m1", "m1", 0, role), 2, "systems-aware", voting=True))

    assert state.status(only(state)) == "retracted"


@pytest.mark.clause("ruling:I18")
def test_a_claim_found_in_a_source_that_computes_wrongly_is_no_new_fact() -> None:
    start, _ = with_tool_result(START, "log", f"The log notes {WRONG} ships.", 1)

    state = said("m1", start, facts=[f"{WRONG} [E1]"])

    assert only(state).found_in == ("E1",)
    assert state.new_facts(1) == ()


@pytest.mark.clause("ruling:I18")
def test_agents_are_shown_that_a_claim_is_refuted_and_how_it_comes_out() -> None:
    (claim,) = state_view(said("m1", facts=[WRONG]), 2_000)["debateState"]["claims"]

    assert (claim["status"], claim["refuted"]) == ("refuted", COMES_OUT)


@pytest.mark.clause("ruling:I18")
def test_the_vote_stays_and_the_verdict_the_report_and_the_graph_say_what_the_program_found() -> None:
    wrong = response("360", epistemicClaims={"facts": [WRONG], "inferences": ["The pier is full"]})

    scene = debated({"m1": wrong, "m2": response("360"), "m3": response("360")}, rounds=2)

    assert scene.notes("round")[-1]["figures"]["votes"]["m1"] == "ACCEPT"
    assert scene.verdict.answer == "360"
    assert "Refuted: the program computes C1 and comes to something else." in scene.verdict.caveats
    assert not any(caveat.startswith("Unverified") for caveat in scene.verdict.caveats)
    node = next(node for node in scene.detail["graph"]["nodes"] if node["claim"] == WRONG)
    assert (node["refuted"], node["refute_reason"]) == (True, f"computed by the program: {COMES_OUT}")
    assert scene.claim(WRONG)["refuted"] == COMES_OUT
    text = markdown_report(scene.record)
    assert text.count("Refuted by computation") == 3
    assert f"C1 [FACT]: {WRONG} (m1; refuted by the program: {COMES_OUT})" in text.replace("\\", "")


@pytest.mark.clause("ruling:I18")
def test_a_debate_without_a_wrong_equation_says_nothing_of_it() -> None:
    scene = debated(everybody(response("360", epistemicClaims={"facts": [RIGHT]})), rounds=1)

    assert not any("Refuted" in caveat for caveat in scene.verdict.caveats)
    assert "Refuted by computation" not in markdown_report(scene.record)
