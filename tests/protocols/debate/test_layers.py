"""The table of modes and the four layers that render it."""

import pytest

from moot.core.calls import Prose
from moot.core.tokens import estimated_tokens
from moot.protocols.debate.checks import questions_of
from moot.protocols.debate.modes import ANCHORS, MODES, anchor_of
from moot.protocols.debate.prompts.layers import (
    Brief,
    behavioral_contract,
    mode_prompt,
    role_anchor,
    structural_enforcement,
    verification_loop,
)
from moot.protocols.debate.schemas import response_type
from moot.protocols.debate.state.speech import Agent

ROLES = [(mode, role) for mode in MODES.values() for role in mode.roles]
FIRST, LATER = Brief(first_round=True), Brief(first_round=False)


def agent_of(role) -> Agent:
    return Agent("m1", "m1", 0, role)


@pytest.mark.clause("debate:1")
def test_the_seven_modes_have_the_roles_and_the_order_of_speech_of_the_paper() -> None:
    order = {name: mode.order for name, mode in MODES.items()}

    assert order == {
        "collaborative": "parallel",
        "adversarial": "sequential",
        "socratic": "sequential",
        "expert-panel": "parallel",
        "devils-advocate": "sequential",
        "delphi": "parallel",
        "red-team-blue-team": "parallel",
    }
    assert [MODES["red-team-blue-team"].role(place).name for place in range(4)] == [
        "red team",
        "blue team",
        "red team",
        "blue team",
    ]
    assert [MODES["devils-advocate"].role(place).stance for place in range(4)] == ["YES", "NO", "NEUTRAL", "NEUTRAL"]


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
@pytest.mark.clause("debate:1.L1")
def test_layer_1_says_who_one_is_what_for_how_long_and_what_helps(mode, role) -> None:
    text = role_anchor(agent_of(role), mode)

    assert role.anchor in text and role.mission in text and role.helpful in text
    assert "Stay in this role in every round" in text


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
@pytest.mark.clause("debate:1.L2", "debate:2.P0", "debate:2.P3")
def test_layer_2_lists_duties_prohibitions_priorities_failure_labels_and_safety_where_called_for(mode, role) -> None:
    text = behavioral_contract(agent_of(role), mode)

    assert all(f"[ ] {item}" in text for item in role.must)
    assert all(f"[x] {item}" in text for item in role.must_not)
    assert all(f"{number}. {item}" in text for number, item in enumerate(role.priority, 1))
    assert role.failure in text
    assert all(label in text for label in ("FACT", "INFER", "ASSUME", "[1-3]"))
    assert ("Never: instructions for an attack" in text) is mode.guarded


def test_safety_constraints_go_to_the_adversarial_modes_alone() -> None:
    assert {name for name, mode in MODES.items() if mode.guarded} == {
        "adversarial",
        "devils-advocate",
        "red-team-blue-team",
    }


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
@pytest.mark.clause("debate:1.L3", "debate:2.P2", "debate:9.2.5")
def test_layer_3_has_the_parts_of_the_round_the_anchor_and_the_rules_against_conformity(mode, role) -> None:
    first = structural_enforcement(agent_of(role), mode, anchor_of(0), FIRST)
    later = structural_enforcement(agent_of(role), mode, anchor_of(0), LATER)

    assert all(part in first for part in role.opening)
    assert all(part in later for part in role.later)
    assert '"challenged"' in later and '"challenged"' not in first
    assert ANCHORS[0].focus in first
    assert "one concern that nobody has raised" in first
    assert "restate the strongest reason" in first
    assert "Dissent rests on a cited FACT" in first
    assert all(f'"{name}"' in first for name in role.fields)


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
@pytest.mark.clause("debate:1.L4", "debate:2.P4", "debate:9.2.6", "debate:2.P1")
def test_layer_4_asks_nine_questions_or_ten_and_explains_the_vote(mode, role) -> None:
    text = verification_loop(agent_of(role), LATER)

    assert len(questions_of(role, high_stakes=False)) == 9
    assert len(questions_of(role, high_stakes=True)) == 10
    assert all(check.question in text for check in questions_of(role, high_stakes=False))
    assert "revise before you send" in text
    assert all(vote in text for vote in ("ACCEPT", "MINOR", "BLOCKER", "80%", "0.7"))
    assert "ACCEPT" not in verification_loop(agent_of(role), FIRST)


def test_the_opt_in_question_is_on_scope_approval_and_abort() -> None:
    role = MODES["delphi"].role(0)

    text = verification_loop(agent_of(role), Brief(first_round=True, high_stakes=True))

    assert "scope's limits, human approval, and ways to abort or roll back" in text


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
def test_the_four_layers_stay_short_and_come_in_order(mode, role) -> None:
    text = mode_prompt(agent_of(role), mode, anchor_of(3), LATER)

    assert [text.index(f"LAYER {number}:") for number in (1, 2, 3, 4)] == sorted(
        text.index(f"LAYER {number}:") for number in (1, 2, 3, 4)
    )
    assert estimated_tokens(text) < 1_900


@pytest.mark.clause("debate:9.2.5", "ruling:D7")
def test_four_anchors_go_round_the_seats() -> None:
    assert [anchor_of(place).name for place in range(6)] == [
        "risk-attentive",
        "implementation-focused",
        "evidence-calibrated",
        "systems-aware",
        "risk-attentive",
        "implementation-focused",
    ]


@pytest.mark.parametrize(("mode", "role"), ROLES, ids=lambda item: item.name)
def test_the_schema_shown_is_bounded_and_has_few_required_fields(mode, role) -> None:
    first = response_type(role.fields, voting=False, aligned=bool(mode.alignments))
    later = response_type(role.fields, voting=True, aligned=bool(mode.alignments))

    shown, voting = first.model_json_schema(by_alias=True), later.model_json_schema(by_alias=True)

    assert next(iter(shown["properties"])) == "reasoning"
    assert "vote" not in shown["properties"] and "vote" in voting["required"]
    assert set(role.fields) <= set(shown["properties"])
    assert len(voting["required"]) <= 7
    assert all(text.get("maxLength") or text.get("enum") or text.get("pattern") for text in _texts(voting))
    assert first.__name__ == "AgentResponse" != Prose.__name__


def _texts(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "string":
            yield schema
        for value in schema.values():
            yield from _texts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _texts(value)
