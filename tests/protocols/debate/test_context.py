"""The context of a debate: what is passed, within which budgets, and that it does not grow."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.tokens import estimated_tokens, prompt_tokens
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.prompts.window import (
    BEST,
    CLAIM,
    GIST,
    NOTE,
    ONE_LINER,
    clipped,
    compact,
    context_view,
    full_text,
    previous_round,
    round_summary,
    state_view,
)
from moot.protocols.debate.schemas import AgentResponse
from moot.protocols.debate.state.context import Budgets, RoundPacket
from moot.protocols.debate.state.fold import hear
from moot.protocols.debate.state.speech import Agent, read_speech
from moot.protocols.debate.state.state import DebateState, Proposal
from tests.protocols.debate.kit import DOCUMENTS, debated, everybody, reference, response

ROLE = MODES["collaborative"].role(0)
LONG = "a long and winding statement about the harbour, its piers, its ships and the people who work there "


def wordy(seat: str, number: int, kind: str):
    """An agent that fills every field with new words in every round."""
    if kind:
        return None
    mark = f"{seat}{number}"
    lean = {"m1": 1, "m2": -1}.get(seat, 0)
    claims = [f"Unlike {mark}{letter * 3} nothing of kind {letter}{mark}{letter * 2} was seen" for letter in "pqrs"]
    return response(
        "yes" if number % 2 else "no",
        0.9 if number % 2 else 0.4,
        "BLOCKER" if number % 2 else "MINOR",
        reasoning=(LONG + mark + " ") * 30,
        epistemicClaims={"facts": [f"{text} [1]" for text in claims[:2]], "inferences": claims[2:]},
        references=[reference(1, f"book {mark}", LONG)],
        challenged=[f"C{number}", f"C{number + 1}"],
        objection=LONG,
        concern=f"{mark} {LONG}",
        alignment=lean,
        keyPoints=[LONG, LONG],
    )


@pytest.fixture(scope="module")
def long_debate():
    from moot.core.budget import Budget

    return debated(wordy, seats=6, rounds=20, budget=Budget(calls=1_000), context=10_000, max_tokens=1_500)


@pytest.mark.clause("debate:7.5", "debate:4.3", "ruling:D10")
def test_twenty_rounds_of_six_agents_stay_under_ten_thousand_tokens_a_prompt(long_debate) -> None:
    sizes = [prompt_tokens(request.messages) for request in long_debate.requests]

    assert long_debate.detail["rounds"] == 20
    assert max(sizes) < 10_000


@pytest.mark.clause("debate:7.5")
def test_every_part_of_every_prompt_keeps_its_budget(long_debate) -> None:
    budgets = Budgets(state=2_500, summary=400, previous=5_000, instructions=200)

    assert Budgets() == budgets
    for number in range(2, 21):
        view = long_debate.context(f"round/{number}/m1")
        assert estimated_tokens(compact({"debateState": view["debateState"]})) <= budgets.state
        assert estimated_tokens(compact(view["previousRound"])) <= budgets.previous
        for past in view.get("historicalRounds", ()):
            assert estimated_tokens(compact(past)) <= budgets.summary
        instructions = long_debate.prompt(f"round/{number}/m1").rsplit(">>>\n\n", 1)[1]
        assert estimated_tokens(instructions) <= budgets.instructions


@pytest.mark.clause("debate:7.2", "debate:7.3", "ruling:D10")
def test_the_small_limits_are_kept_in_every_prompt(long_debate) -> None:
    for number in range(2, 21):
        view = long_debate.context(f"round/{number}/m1")
        state = view["debateState"]
        assert all(estimated_tokens(item["text"]) <= CLAIM == 30 for item in state["claims"])
        assert all(estimated_tokens(item["gist"]) <= GIST == 25 for item in state["evidence"])
        for past in view.get("historicalRounds", ()):
            summary = past["summary"]
            assert estimated_tokens(summary["global"]["one_liner"]) <= ONE_LINER == 35
            for moves in summary["by_agent"]:
                assert all(estimated_tokens(move["note"]) <= NOTE == 20 for move in moves["key_moves"])
            for dispute in summary["contested"]:
                assert estimated_tokens(dispute["best_pro"]) <= BEST == 25
                assert estimated_tokens(dispute["best_con"]) <= BEST


@pytest.mark.clause("debate:7.6", "debate:7.1")
def test_the_last_round_is_whole_two_before_are_summaries_and_older_ones_are_in_the_state() -> None:
    scene = debated(
        lambda seat, number, kind: None if kind else {**wordy(seat, number, ""), "reasoning": f"{seat} in {number}"},
        rounds=5,
    )

    view = scene.context("round/5/m1")

    assert view["previousRound"]["round"] == 4
    assert [past["round"] for past in view["historicalRounds"]] == [2, 3]
    assert {claim["introduced_round"] for claim in view["debateState"]["claims"]} >= {1}
    assert [past["round"] for past in scene.context("round/3/m1")["historicalRounds"]] == [1]
    assert "historicalRounds" not in scene.context("round/2/m1")


@pytest.mark.clause("debate:7.6")
def test_a_context_that_is_too_long_gives_way_from_the_oldest(long_debate) -> None:
    tight = debated(wordy, seats=6, rounds=6, context=5_000, max_tokens=1_500)

    assert max(prompt_tokens(request.messages) for request in tight.requests) <= 5_000
    assert "historicalRounds" not in tight.context("round/6/m1")
    assert tight.context("round/6/m1")["debateState"]["claims"]


@pytest.mark.clause("ruling:D10")
def test_replies_of_one_sequential_round_share_the_budget_of_a_round() -> None:
    scene = debated(wordy, mode="adversarial", seats=6, rounds=3, context=10_000, max_tokens=4_000)

    for request in scene.requests:
        if request.step.startswith("round/3/m") and request.step.count("/") == 2:
            view = scene.context(request.step)
            both = {name: view[name] for name in ("previousRound", "currentRound") if name in view}
            assert estimated_tokens(compact(both)) <= Budgets().previous + 20
            assert request.max_tokens <= Budgets().previous // 12


@pytest.mark.clause("ruling:D10")
def test_tokens_are_those_of_the_member_where_it_counts_its_own() -> None:
    scenes = {
        size: debated(wordy, seats=4, rounds=4, context=6_000, max_tokens=1_500, bytes_per_token=size)
        for size in (2.0, 3.0, 4.5)
    }

    for size, scene in scenes.items():
        later = [request for request in scene.requests if not request.step.startswith("round/1/")]
        assert max(prompt_tokens(request.messages, size) for request in later) <= 6_000
    shown = {size: len(scene.prompt("round/4/m1")) for size, scene in scenes.items()}
    assert shown[2.0] < shown[3.0] < shown[4.5]
    assert scenes[2.0].course.replayed().events == len(scenes[2.0].record.events)


def stated(*texts: str, agent: str = "m1", number: int = 1, state=None, **more):
    state = state or DebateState(topic="t", participants=("m1", "m2", "m3"))
    said = AgentResponse.model_validate(
        {"position": "p q r", "confidence": 0.5, "epistemicClaims": {"inferences": list(texts)}, **more}
    )
    speech = read_speech(said, Agent(agent, agent, 0, ROLE), number, "a", voting=True)
    return hear(state, speech, DOCUMENTS)


@pytest.mark.clause("ruling:D10")
def test_the_state_is_pruned_retracted_first_then_accepted_then_the_oldest_open() -> None:
    state, _ = stated("alpha beta gone", "delta common ground", "old open question stands")
    state, _ = stated("delta common ground", agent="m2", state=state)
    state, _ = stated("fresh open matter here", number=2, state=state, retracted=["C1"])
    state, _ = stated("zeta is so", number=2, state=state)
    state, _ = stated("zeta is not so", agent="m2", number=2, state=state)
    shown = [claim["id"] for claim in state_view(state, 10_000)["debateState"]["claims"]]
    order: list[str] = []
    for budget in range(700, 60, -5):
        left = [claim["id"] for claim in state_view(state, budget)["debateState"]["claims"]]
        order += [name for name in shown if name not in left and name not in order]

    assert order[:4] == ["C1", "C2", "C3", "C4"]
    assert set(order[4:]) <= {"C5", "C6"}


def test_the_full_ledger_stays_in_the_record(long_debate) -> None:
    ledger = long_debate.detail["debateState"]["claims"]
    shown = long_debate.context("round/20/m1")["debateState"]

    assert len(ledger) > len(shown["claims"])
    assert shown["claims_not_shown"] > 0


@pytest.mark.clause("debate:4.2", "debate:7.4")
def test_what_is_passed_on_has_round_vote_labels_confidence_changes_and_citations() -> None:
    quote = reference(1, "costs.txt", "A second pier costs 800 crowns")
    said = response(
        confidence=0.6,
        epistemicClaims={"facts": ["A second pier costs 800 crowns [1]"], "inferences": ["m2 is right to wait"]},
        references=[quote],
        reasoning="I answer m2 here: it is dear [1].",
    )
    scene = debated(
        {"m1": [said, {**said, "confidence": 0.7}], "m2": response(confidence=0.6), "m3": response()},
        documents=DOCUMENTS,
        lookups=0,
        rounds=3,
    )

    first, second = (scene.context(f"round/{number}/m2")["previousRound"] for number in (2, 3))
    mine = next(item for item in second["agent_responses"] if item["agent"] == "m1")

    assert (first["round"], second["round"]) == (1, 2)
    assert (mine["vote"], mine["confidence"], mine["confidence_delta"]) == ("ACCEPT", 0.7, 0.1)
    assert mine["citations_used"] == ["E1"]
    assert mine["direct_replies_to"] == ["m2"]
    assert "A second pier costs 800 crowns [FACT][E1]" in mine["text_full"]
    assert "it is dear [E1]" in mine["text_full"]
    assert mine["claims_touched"]["reinforced"]


@pytest.mark.clause("debate:4.2")
def test_disagreements_and_tool_use_are_passed_on() -> None:
    def reply(seat: str, number: int, kind: str):
        if kind == "lookup":
            return {"calls": [{"tool": "calculate", "input": "900 - 800"}]}
        claim = "The pier is safe" if seat == "m1" else "The pier is not safe"
        return None if kind else response(epistemicClaims={"facts": ["100 is left [E1]"], "inferences": [claim]})

    scene = debated(reply, documents=DOCUMENTS, rounds=2)

    state = scene.context("round/2/m3")["debateState"]
    statuses = {claim["text"]: claim["status"] for claim in state["claims"]}
    assert statuses["The pier is safe"] == statuses["The pier is not safe"] == "contested"
    assert state["evidence"][0]["kind"] == "calculation"
    assert not any("missing reference" in counts for counts in scene.detail["breaches"].values())


@pytest.mark.clause("debate:3.5")
def test_each_agent_receives_role_layers_metadata_instructions_then_the_debate_then_the_round() -> None:
    scene = debated(everybody(response()), focus_question="What of cost?")

    system, user = (message.content for message in scene.requests[-1].messages)
    places = [system.index(part) for part in ("LAYER 1", "LAYER 4", "Topic:", "Mode:", "Focus question:", "State your")]
    assert places == sorted(places)
    assert user.index("The debate so far") < user.index("Round 2 begins")
    assert "vote on proposal P2" in user


@pytest.mark.clause("debate:7.3")
def test_a_summary_names_the_moves_of_each_agent_and_both_sides_of_a_dispute() -> None:
    state, one = stated("The pier is safe")
    state, two = stated("The pier is not safe", agent="m2", state=state, challenged=["C1"])
    log = RoundPacket(1, (one, two))

    view = round_summary(log, state, 400)

    summary = view["summary"]
    assert summary["global"]["new_claims"] == ["C1", "C2"]
    assert summary["by_agent"][1]["key_moves"][1] == {"type": "challenge", "ref": "C1", "note": "The pier is safe"}
    assert summary["contested"][0] == {
        "claim": "C1",
        "best_pro": "The pier is safe",
        "best_con": "The pier is not safe",
    }


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=8), st.integers(30, 400))
def test_whatever_was_said_a_summary_and_a_round_keep_their_budgets(texts: list[str], budget: int) -> None:
    state, heard = DebateState(topic="t", participants=("m1", "m2", "m3")), []
    for place, text in enumerate(texts):
        said: dict[str, Any] = {"objection": text, "concern": text, "reasoning": text * 5}
        state, item = stated(f"{text} x{place} y", agent=f"m{place % 3 + 1}", state=state, **said)
        heard.append(item)
    log = RoundPacket(1, tuple(heard))

    summary = round_summary(log, state, budget)

    assert estimated_tokens(compact(summary)) <= max(budget, 70)
    assert estimated_tokens(compact(previous_round(log, 5_000))) <= 5_000
    assert json.loads(compact(state_view(state, 800)))


@given(st.text(max_size=400), st.integers(4, 60))
def test_a_clipped_text_is_never_longer_than_its_limit(text: str, tokens: int) -> None:
    assert estimated_tokens(clipped(text, tokens)) <= tokens


def test_a_short_text_is_not_clipped() -> None:
    assert clipped("It  is\nso.", 30) == "It is so."


@pytest.mark.clause("debate:7.1")
def test_before_anybody_has_spoken_there_is_nothing_to_show() -> None:
    nothing = DebateState(topic="t", participants=("m1", "m2"), proposal=Proposal("P1", "a", (), ()))

    assert context_view(nothing, (), RoundPacket(1, ()), Budgets()) == {}


@pytest.mark.clause("debate:4.3")
def test_the_whole_text_of_a_speech_has_its_labels() -> None:
    _, heard = stated("Ships wait", concern="the ice")

    assert full_text(heard) == "p q r Answer: p q r Claims: Ships wait [INFER] Concern: the ice"
