"""Exits, groupthink, verification, safety, tools: the pure rules of a debate, by the paper's own numbers."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.protocols.debate.checks import JudgedResponse, judged, questions_of
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.rules import (
    Figures,
    belief_change,
    cosine,
    exit_of,
    is_consensus,
    is_plateau,
    objection_round_failed,
    position_change,
    premise_overlap,
    semantic_clusters,
    suspicion,
    votes_changed,
)
from moot.protocols.debate.safety import harm_in, standing_triggers
from moot.protocols.debate.schemas import AgentResponse, ToolCall
from moot.protocols.debate.state.evidence import computed, is_right
from moot.protocols.debate.state.speech import Agent, read_speech
from moot.protocols.debate.state.state import DebateState, Proposal, Vulnerability
from moot.protocols.debate.tools import used
from tests.protocols.debate.kit import DOCUMENTS

NAMES = ("m1", "m2", "m3", "m4", "m5")


def figures(round_number: int = 3, **changed) -> Figures:
    usual = Figures(
        round=round_number,
        asked=len(NAMES),
        confidences=dict.fromkeys(NAMES, 0.75),
        votes=dict.fromkeys(NAMES, "ACCEPT"),
        voted_on="P3",
        open_objections=0,
        new_facts=0,
        belief_change=0.0,
        votes_changed=0.0,
        position_change=0.0,
        leanings=(0.5, 0.5),
        clusters=2,
        premise_overlap=0.2,
        sources=5,
    )
    return replace(usual, **changed)


# Exits


@pytest.mark.parametrize(
    ("changed", "met"),
    [
        ({}, True),
        ({"votes": {**dict.fromkeys(NAMES, "MINOR"), "m5": "BLOCKER"}}, True),
        ({"votes": {**dict.fromkeys(NAMES[:3], "ACCEPT"), "m4": "BLOCKER", "m5": "BLOCKER"}}, False),
        ({"votes": dict.fromkeys(NAMES[:3], "ACCEPT")}, False),
        ({"asked": 4, "votes": dict.fromkeys(NAMES[:3], "ACCEPT")}, False),
        ({"open_objections": 1}, False),
        ({"confidences": {**dict.fromkeys(NAMES, 0.9), "m5": 0.7}}, True),
        ({"confidences": {**dict.fromkeys(NAMES, 0.9), "m5": 0.69}}, False),
        ({"voted_on": ""}, False),
    ],
)
@pytest.mark.clause("debate:2.P1")
def test_consensus_needs_80_percent_no_blocker_and_everybody_at_070(changed, met: bool) -> None:
    assert is_consensus(figures(**changed)) is met


@pytest.mark.parametrize(
    ("last_but_one", "last", "met"),
    [
        ({}, {}, True),
        ({"belief_change": 0.1}, {}, False),
        ({}, {"votes_changed": 0.2}, False),
        ({}, {"position_change": 0.1}, False),
        ({}, {"new_facts": 1}, False),
        ({"position_change": 0.0999}, {"belief_change": 0.0999}, True),
        ({"belief_change": None, "votes_changed": None, "position_change": None}, {}, False),
    ],
)
@pytest.mark.clause("debate:2.P1", "ruling:D3")
def test_a_plateau_is_two_rounds_below_a_tenth_without_a_new_fact(last_but_one, last, met: bool) -> None:
    assert is_plateau([figures(2, **last_but_one), figures(3, **last)]) is met


@pytest.mark.clause("debate:2.P1")
def test_consensus_comes_before_a_plateau_and_a_plateau_before_the_cap() -> None:
    still = [figures(4), figures(5)]
    moving = figures(5, votes={}, belief_change=0.5)

    assert exit_of(still, 5) == "consensus"
    assert exit_of([replace(item, votes={}) for item in still], 5) == "plateau"
    assert exit_of([moving], 5) == "cap"
    assert exit_of([moving], 6) is None


@pytest.mark.clause("ruling:D3")
def test_change_is_the_largest_of_the_measures_that_could_be_taken() -> None:
    assert figures(belief_change=0.05, votes_changed=0.25, position_change=0.1).change == 0.25
    assert figures(belief_change=0.05, votes_changed=None, position_change=None).change == 0.05
    assert figures(belief_change=None, votes_changed=None, position_change=None).change is None


@pytest.mark.clause("ruling:D3")
def test_each_measure_of_change_counts_those_who_spoke_in_both_rounds() -> None:
    now = {"m1": _speech("m1", confidence=0.9), "m2": _speech("m2", confidence=0.5)}
    before = {"m1": _speech("m1", confidence=0.6), "m3": _speech("m3", confidence=0.1)}

    assert belief_change(now, before) == 0.3
    assert belief_change(now, {}) is None
    assert votes_changed({"m1": "ACCEPT", "m2": "MINOR"}, {"m1": "BLOCKER", "m2": "MINOR"}) == 0.5
    assert position_change({"m1": (1.0, 0.0)}, {"m1": (0.0, 1.0)}) == 1.0
    assert position_change({"m1": (1.0, 0.0)}, {"m1": (2.0, 0.0)}) == 0.0


# Groupthink


STILL = {"new_facts": 4, "belief_change": 0.10, "leanings": (0.0, 0.3)}


@pytest.mark.parametrize(
    ("changed", "fires"),
    [
        ({}, True),
        ({"new_facts": 5}, False),
        ({"belief_change": 0.11}, False),
        ({"leanings": (0.0, 0.31)}, False),
        ({"leanings": ()}, True),
    ],
)
@pytest.mark.clause("debate:9.2.3", "ruling:D2")
def test_stagnation_needs_all_three_conditions_in_two_consecutive_rounds(changed, fires: bool) -> None:
    rounds = [figures(3, **STILL), figures(4, **{**STILL, **changed})]

    found = suspicion(rounds)

    assert (found is not None) is fires
    if found:
        assert found.trigger == "stagnation"
        assert bool(found.skipped) is (changed.get("leanings") == ())


def test_one_still_round_is_no_stagnation() -> None:
    assert suspicion([figures(3, belief_change=0.4), figures(4, **STILL)]) is None


HIGH = {"confidences": {**dict.fromkeys(NAMES[:4], 0.85), "m5": 0.3}, "belief_change": 0.5}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"sources": 2}, "their sources are 2, and 3 are wanted"),
        ({"premise_overlap": 0.70}, "70% of their premises are the same"),
        ({"clusters": 1}, "all their positions are alike"),
        ({"sources": 3, "premise_overlap": 0.69, "clusters": 2}, None),
        ({"sources": 0, "round": 3}, None),
        ({"sources": 0, "confidences": {**dict.fromkeys(NAMES[:3], 0.85), "m4": 0.8, "m5": 0.8}}, None),
    ],
)
@pytest.mark.clause("debate:9.2.3", "ruling:D3")
def test_early_convergence_is_high_confidence_by_round_2_behind_a_failed_diversity_gate(changed, why) -> None:
    found = suspicion([figures(2, **{**HIGH, **changed})])

    assert (found.why[1:] == (why,) if found else why is None) is True


@pytest.mark.parametrize(
    ("changed", "failed"),
    [
        ({}, True),
        ({"new_facts": 1}, False),
        ({"confidences": dict.fromkeys(NAMES, 0.79)}, False),
        ({"belief_change": 0.05}, False),
    ],
)
@pytest.mark.clause("debate:9.2.3", "ruling:D4")
def test_an_objection_round_fails_only_by_all_three_tests(changed, failed: bool) -> None:
    usual: dict[str, Any] = {"confidences": dict.fromkeys(NAMES, 0.80), "belief_change": 0.049}

    assert objection_round_failed(figures(**{**usual, **changed})) is failed


@pytest.mark.clause("ruling:D3")
def test_premise_overlap_is_the_mean_pairwise_intersection_over_union() -> None:
    assert premise_overlap([{"C1", "C2"}, {"C1", "C2"}]) == 1.0
    assert premise_overlap([{"C1"}, {"C1", "C2"}, {"C2"}]) == pytest.approx((0.5 + 0.5 + 0.0) / 3, abs=1e-6)
    assert premise_overlap([{"C1", "C2"}, {"C2", "C3"}]) == pytest.approx(1 / 3, abs=1e-6)
    assert premise_overlap([{"C1"}]) is None


def test_the_cosine_does_not_depend_on_how_long_the_vectors_are() -> None:
    assert cosine((3.0, 4.0), (5.0, 12.0)) == pytest.approx(63 / 65, abs=1e-6)
    assert cosine((30.0, 40.0), (0.5, 1.2)) == pytest.approx(63 / 65, abs=1e-6)
    assert cosine((3.0, 4.0), (-8.0, 6.0)) == 0
    assert cosine((3.0, 4.0), (0.0, 0.0)) == 0


@pytest.mark.clause("ruling:D3")
def test_positions_moved_by_the_mean_of_those_who_spoke_in_both_rounds() -> None:
    before = {"m1": (3.0, 4.0), "m2": (2.0, 0.0), "m4": (1.0, 1.0)}
    now = {"m1": (5.0, 12.0), "m2": (0.0, 7.0), "m3": (1.0, 0.0)}

    assert position_change(now, before) == pytest.approx((2 / 65 + 1) / 2, abs=1e-6)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from("abcdefg"), st.tuples(*[st.integers(-3, 3)] * 3).filter(any), min_size=1))
def test_semantic_clusters_are_the_connected_groups_that_a_slow_closure_finds(vectors) -> None:
    reach = {name: {name} for name in vectors}
    for _ in vectors:
        for one, other in combinations(vectors, 2):
            if cosine(vectors[one], vectors[other]) >= 0.8:
                joined = reach[one] | reach[other]
                for name in joined:
                    reach[name] = joined

    assert semantic_clusters(vectors) == len({frozenset(group) for group in reach.values()})


# Verification


def _speech(agent: str = "m1", round_number: int = 2, mode: str = "collaborative", place: int = 0, **said):
    response = AgentResponse.model_validate({"position": "We should build it now", "confidence": 0.7, **said})
    role = MODES[mode].role(place)
    return read_speech(response, Agent(agent, agent, place, role), round_number, "systems-aware", voting=True)


def _judged(mode: str, place: int = 0, state: DebateState | None = None, high_stakes: bool = False, **said):
    agent = Agent("m1", "m1", place, MODES[mode].role(place))
    speech = _speech(mode=mode, place=place, **said)
    return judged(JudgedResponse(speech, agent, state or EMPTY), high_stakes=high_stakes)


PASSING: dict[str, Any] = {
    "epistemicClaims": {"inferences": ["Ships wait outside"]},
    "alternatives": [
        {"option": "wait", "rejectedBecause": "slow"},
        {"option": "dredge", "rejectedBecause": "it does not last"},
    ],
    "risks": [{"risk": name, "mitigation": "care"} for name in ("ice", "storm", "theft")],
    "uncertainty": "Whether trade grows; the tolls of next year would tell.",
    "steelman": "A second pier may bring more trade than it costs.",
}
EMPTY = DebateState(topic="a", participants=("m1", "m2"))
OPEN_HOLE = replace(EMPTY, vulnerabilities=(Vulnerability("V1", "a hole", "m1", 1),))

CHECKS = [
    ("clarity", {"position": "Yes"}, "collaborative", 0),
    ("grounding", {"epistemicClaims": {"facts": ["Ships wait"]}}, "collaborative", 0),
    ("grounding", {"epistemicClaims": {"facts": ["Ships wait [2]"]}, "references": ["[1] log"]}, "collaborative", 0),
    ("alternatives", {"alternatives": [{"option": "wait", "rejectedBecause": "slow"}]}, "collaborative", 0),
    ("alternatives", {"alternatives": []}, "collaborative", 0),
    ("risks", {"risks": [{"risk": "ice", "mitigation": "salt"}]}, "collaborative", 0),
    ("risks", {"risks": []}, "collaborative", 0),
    ("uncertainty", {"uncertainty": ""}, "collaborative", 0),
    ("uncertainty", {"unmetChecks": ["uncertainty"]}, "collaborative", 0),
    ("consistency", {"epistemicClaims": {"inferences": ["It is safe", "It is not safe"]}}, "collaborative", 0),
    ("safety", {"reasoning": "a step-by-step guide to the exploit"}, "collaborative", 0),
    ("built_on_others", {"unmetChecks": ["built_on_others"]}, "collaborative", 0),
    ("synthesis", {"unmetChecks": ["Synthesis"]}, "collaborative", 0),
    ("steelman", {"steelman": ""}, "adversarial", 0),
    ("steelman", {"steelman": "Build it."}, "adversarial", 0),
    ("steelman", {"steelman": "We should build it now."}, "adversarial", 0),
    ("counterargument", {"unmetChecks": ["counterargument"]}, "adversarial", 0),
    ("inquiry", {}, "socratic", 0),
    ("closure", {"questions": ["Why?"], "unmetChecks": ["closure"]}, "socratic", 0),
    ("expertise", {"unmetChecks": ["expertise"]}, "expert-panel", 0),
    ("evidence", {"epistemicClaims": {"assumptions": ["It may be"]}}, "expert-panel", 0),
    ("stance", {"stance": "NO"}, "devils-advocate", 0),
    ("challenge", {"stance": "YES", "unmetChecks": ["challenge"]}, "devils-advocate", 0),
    ("independent", {"unmetChecks": ["independent"]}, "delphi", 0),
    ("anchoring", {"unmetChecks": ["anchoring"]}, "delphi", 0),
    ("threats", {}, "red-team-blue-team", 0),
    ("mitigations", {"vulnerabilities": [{"risk": "a hole"}]}, "red-team-blue-team", 0),
    ("mitigations", {}, "red-team-blue-team", 1),
]
GOOD: dict[str, dict[str, Any]] = {
    "socratic": {"questions": ["Why?"]},
    "devils-advocate": {"stance": "YES"},
    "red-team-blue-team": {"vulnerabilities": [{"risk": "a hole", "mitigation": "a patch"}]},
}


@pytest.mark.parametrize(("name", "said", "mode", "place"), CHECKS)
@pytest.mark.clause("debate:9.2.6", "debate:2.P4", "ruling:D8")
def test_each_check_fails_where_its_answer_is_no(name: str, said, mode: str, place: int) -> None:
    state = OPEN_HOLE if mode == "red-team-blue-team" else EMPTY

    judgement = _judged(mode, place, state, **{**PASSING, **said})

    assert name in [fault.kind for fault in judgement.unmet]


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.clause("debate:9.2.6")
def test_a_sound_response_passes_all_nine_questions_or_ten(mode: str) -> None:
    judgement = _judged(mode, high_stakes=True, **PASSING, **GOOD.get(mode, {}))

    assert not judgement.unmet
    assert len(questions_of(MODES[mode].role(0), high_stakes=True)) == 10


@pytest.mark.clause("debate:9.2.6")
def test_the_opt_in_question_is_the_agents_to_answer() -> None:
    judgement = _judged("delphi", high_stakes=True, **PASSING, unmetChecks=["stakes"])

    assert [fault.kind for fault in judgement.unmet] == ["stakes"]


# The contract

SYNTHESIZER = Agent("m1", "m1", 0, MODES["collaborative"].role(0))


def test_a_sound_response_breaks_nothing() -> None:
    state = replace(EMPTY, proposal=Proposal("P2", "yes", (), ()))
    said = _speech(**PASSING, vote="ACCEPT", concern="Ice")

    assert not judged(JudgedResponse(said, SYNTHESIZER, state)).breaches


@pytest.mark.clause("debate:2.P2")
def test_a_concern_that_was_raised_before_is_not_a_new_one() -> None:
    state = replace(EMPTY, proposal=Proposal("P2", "yes", (), ()))
    said = _speech(**PASSING, vote="ACCEPT", concern="The ice closes it")

    found = judged(JudgedResponse(said, SYNTHESIZER, state, raised=["The ice closes it."])).breaches

    assert [item.kind for item in found] == ["agreement without a concern"]


# Safety


@pytest.mark.parametrize(
    ("text", "harm"),
    [
        ("First, a step-by-step way to hack the gate", "instructions for an attack"),
        ("Bypass the safety filter using these steps", "guidance to evade safeguards"),
        ("We could blackmail him with it", "manipulation or harassment of a person"),
        ("It is the best way to hurt yourself", "encouragement of self-harm"),
        ("An attacker could exploit the weak gate; guard it.", None),
        ("Security safeguards must not be bypassed by anybody.", None),
    ],
)
@pytest.mark.clause("debate:9.2.2", "ruling:D9")
def test_tier_1_tells_instructions_from_talk_about_dangers(text: str, harm: str | None) -> None:
    assert harm_in(text) == harm


@pytest.mark.clause("debate:9.2.2", "ruling:D9")
def test_tier_2_is_triggered_by_mode_topic_intent_and_audience_and_by_nothing_else() -> None:
    calm, guarded = MODES["collaborative"], MODES["red-team-blue-team"]

    assert standing_triggers(calm, "Shall we build a pier?", "") == ()
    assert standing_triggers(guarded, "Shall we build a pier?", "") == ("mode: red-team-blue-team",)
    assert standing_triggers(calm, "Is the treatment legal?", "") == ("topic: medical", "topic: legal")
    assert standing_triggers(calm, "Shall we build a pier?", "for teenagers") == (
        "audience: people who may be vulnerable",
    )
    assert "intent: instructions for an attack" in standing_triggers(calm, "How to build a bomb", "")


# Tools


@pytest.mark.parametrize(
    ("tool", "text", "found"),
    [
        ("search", "cost of dredging", "Dredging the basin costs 300 crowns."),
        ("read", "2, passage 1", "A second pier costs 800 crowns."),
        ("read", "log.txt", "Twelve ships waited outside in June."),
        ("read", "log.txt passage 3", "The budget holds 900 crowns."),
        ("calculate", "12 / 4 + (2 - 1)", "12 / 4 + (2 - 1) = 4"),
    ],
)
def test_a_tool_gives_what_it_finds(tool: str, text: str, found: str) -> None:
    results = used(ToolCall(tool=tool, input=text), DOCUMENTS).results

    assert found in [item for _, item in results]


@pytest.mark.parametrize(
    ("tool", "text", "problem"),
    [
        ("read", "9", "no such document"),
        ("read", "log.txt passage 9", "has 3 passages"),
        ("calculate", "__import__('os')", "no calculation"),
        ("calculate", "1/0", "no calculation"),
        ("browse", "the web", "there is no tool 'browse'"),
    ],
)
def test_a_tool_that_finds_nothing_says_why(tool: str, text: str, problem: str) -> None:
    found = used(ToolCall(tool=tool, input=text), DOCUMENTS)

    assert not found.results
    assert problem in found.problem


@given(st.integers(-99, 99), st.integers(1, 99), st.sampled_from("+-*/"))
def test_a_calculation_is_what_python_computes(one: int, other: int, sign: str) -> None:
    value = computed(f"({one}) {sign} {other}")
    truth = {"+": one + other, "-": one - other, "*": one * other, "/": one / other}[sign]

    assert math.isclose(float(Fraction(value.split()[0])), truth, abs_tol=1e-9)


def test_a_result_is_compared_exactly() -> None:
    assert is_right("0.1 + 0.2", "0.3")
    assert is_right("1,000 \u00d7 2", "2,000")
    assert not is_right("2 + 2", "5")
