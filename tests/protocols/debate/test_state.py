"""The state as a fold: ids that stay, statuses, objections, and what speech is read as."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.question import Document
from moot.methods.sameness import compared, merging
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.record.summary import agent_response
from moot.protocols.debate.schemas import AgentResponse
from moot.protocols.debate.state.context import RoundPacket
from moot.protocols.debate.state.fold import hear, with_tool_result
from moot.protocols.debate.state.speech import Agent, citations, read_speech, renumbered
from moot.protocols.debate.state.state import DebateState, Proposal, camps, proposed
from moot.protocols.debate.state.votes import with_decision
from tests.protocols.debate.kit import DOCUMENTS

ROLE = MODES["collaborative"].role(0)
NAMES = ("m1", "m2", "m3")
START = DebateState(topic="a pier", participants=NAMES)


def speech(agent: str, round_number: int = 1, voting: bool = True, **said):
    response = AgentResponse.model_validate({"position": "We should build", "confidence": 0.7, **said})
    place = NAMES.index(agent)
    return read_speech(response, Agent(agent, agent, place, ROLE), round_number, "systems-aware", voting=voting)


def facts(*texts: str, **more):
    return {"epistemicClaims": {"facts": list(texts)}, **more}


def inferring(*texts: str, **more):
    return {"epistemicClaims": {"inferences": list(texts)}, **more}


def told(*speeches, state: DebateState = START, documents=()):
    for item in speeches:
        state, _ = hear(state, item, documents)
    return state


# Claims


@pytest.mark.clause("debate:7.7", "debate:7.2")
def test_a_claim_keeps_its_id_across_agents_rounds_and_wordings() -> None:
    state = told(
        speech("m1", **inferring("The harbour needs a second pier")),
        speech("m2", **inferring("Dredging is cheaper")),
        speech("m2", 2, **inferring("the harbour needs a second pier.")),
        speech("m3", 3, **inferring("The harbour needs a second pier now")),
    )

    assert [(claim.id, claim.introduced_round) for claim in state.claims] == [("C1", 1), ("C2", 1)]
    assert state.claims[0].last_updated_round == 3
    assert set(state.claims[0].labels) == {"m1", "m2", "m3"}


def test_an_id_in_the_place_of_a_claim_reinforces_that_claim_and_is_none() -> None:
    state = told(
        speech("m1", **inferring("The harbour needs a second pier")),
        speech("m2", 2, **inferring("C1.", "C1 and E2", "C7", "C1 holds in winter too")),
    )

    assert [claim.text for claim in state.claims] == ["The harbour needs a second pier", "C1 holds in winter too"]
    assert state.claims[0].reinforced_by == ("m2",)


def test_claims_that_a_guard_holds_to_contradict_oppose_each_other_and_are_contested() -> None:
    state = told(
        speech("m1", **inferring("The pier is safe in winter")),
        speech("m2", **inferring("The pier is not safe in winter")),
        speech("m3", **inferring("Trade takes 12 ships")),
        speech("m1", 2, **inferring("Trade takes 14 ships")),
    )

    assert [claim.opposition for claim in state.claims] == [("C2",), ("C1",), ("C4",), ("C3",)]
    assert {state.status(claim) for claim in state.claims} == {"contested"}


@pytest.mark.clause("debate:7.7", "debate:7.2")
def test_statuses_are_accepted_contested_retracted_and_open() -> None:
    state = told(
        speech("m1", **inferring("The quay is full", "Ice is rare", "Tolls rise", "Gulls nest here")),
        speech("m2", **inferring("The quay is full", "Ice came twice in ten years"), challenged=["C2"]),
        speech("m1", 2, retracted=["C3"]),
    )

    assert [state.status(claim) for claim in state.claims[:4]] == ["accepted", "contested", "retracted", "open"]
    assert state.claims[1].opposition == ("C1",)


def test_only_who_holds_a_claim_can_withdraw_it_and_it_stands_while_another_holds_it() -> None:
    state = told(
        speech("m1", **inferring("The quay is full")),
        speech("m2", **inferring("The quay is full"), retracted=["C9"]),
        speech("m3", 2, retracted=["C1"]),
        speech("m1", 2, retracted=["C1"]),
    )

    assert set(state.claims[0].labels) == {"m2"}
    assert state.status(state.claims[0]) == "open"


def test_a_challenge_falls_when_its_author_reinforces_the_claim() -> None:
    state = told(
        speech("m1", **inferring("The quay is full")),
        speech("m2", challenged=["C1"]),
        speech("m2", 2, reinforced=["C1"]),
    )

    assert state.status(state.claims[0]) == "accepted"


@pytest.mark.clause("ruling:D1")
def test_a_claim_whose_holders_label_it_differently_is_open_until_evidence_settles_it() -> None:
    quote = {"number": 1, "title": "costs.txt", "quote": "A second pier costs 800 crowns"}
    apart = told(
        speech("m1", epistemicClaims={"assumptions": ["A second pier costs 800 crowns"]}),
        speech("m2", **facts("A second pier costs 800 crowns [1]")),
    )
    settled = told(
        speech("m3", 2, **facts("A second pier costs 800 crowns [1]", references=[quote])),
        state=apart,
        documents=DOCUMENTS,
    )

    assert apart.claims[0].label == "OPEN"
    assert settled.claims[0].label == "FACT"


WORDS = ["pier", "quay", "ice", "not", "12", "14", "ships", "wait", "costs", "never", "trade"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 4), st.lists(TEXTS, max_size=4)), max_size=12))
def test_folding_gives_the_claims_that_comparing_every_pair_in_order_gives(rounds) -> None:
    spoken = [speech(name, number, **inferring(*texts)) for name, number, texts in rounds]

    state = told(*spoken)

    expected: list[list[str]] = []
    for item in spoken:
        for statement in item.statements:
            said = statement.text
            home = next(
                (
                    group
                    for group in expected
                    if not any(compared(text, said).outcome == "opposed" for text in group)
                    and any(merging(text, said) for text in group)
                ),
                None,
            )
            if home is None:
                expected.append([statement.text])
            elif statement.text not in home:
                home.append(statement.text)
    assert [[wording.text for wording in claim.wordings] for claim in state.claims] == [group[:8] for group in expected]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.lists(TEXTS, max_size=3)), min_size=1, max_size=10))
def test_what_is_said_later_never_moves_an_id(rounds) -> None:
    spoken = [speech(name, number, **inferring(*texts)) for number, (name, texts) in enumerate(rounds, 1)]

    states = [told(*spoken[: end + 1]) for end in range(len(spoken))]

    for earlier, later in pairwise(states):
        assert [claim.text for claim in later.claims[: len(earlier.claims)]] == [claim.text for claim in earlier.claims]


# Evidence


@pytest.mark.clause("debate:9.2.4", "ruling:D7")
def test_citations_are_strictly_numeric_and_ranges_are_expanded() -> None:
    assert citations("a [1] b [3-5] c [Smith, 2024] d [2][1]") == (1, 3, 4, 5, 2)
    assert len(citations("[1-999]")) <= 60


@pytest.mark.clause("ruling:D7", "ruling:D18")
def test_own_numbers_become_evidence_ids_when_passed_on() -> None:
    assert renumbered("It waits [1], as [2-3] say [9].", {1: "E4", 2: "E1", 3: "E2"}) == (
        "It waits [E4], as [E1][E2] say [?]."
    )


@pytest.mark.clause("debate:7.2", "debate:7.7")
def test_one_source_is_one_piece_of_evidence_for_all_who_cite_it() -> None:
    quote = {"number": 1, "title": "log.txt", "quote": "The old pier takes four ships a day"}
    state = told(
        speech("m1", **facts("The old pier takes four ships a day [1]", references=[quote])),
        speech("m2", **facts("Four ships a day is what the old pier takes [1]", references=[quote])),
        documents=DOCUMENTS,
    )

    assert [(item.id, item.source.kind, item.source.verified, item.source.title) for item in state.evidence] == [
        ("E1", "citation", True, "log.txt")
    ]
    assert all(claim.support == ("E1",) for claim in state.claims)


@pytest.mark.clause("ruling:D13")
def test_a_right_calculation_is_evidence_and_a_wrong_one_is_unverified() -> None:
    right = {"number": 1, "title": "900 - 800 = 100"}
    wrong = {"number": 1, "title": "900 - 800 = 200"}

    one = told(speech("m1", **facts("900 minus 800 is 100 [1]", references=[right])))
    other = told(speech("m1", **facts("900 minus 800 is 200 [1]", references=[wrong])))

    assert [(item.source.kind, item.source.verified) for item in (*one.evidence, *other.evidence)] == [
        ("calculation", True),
        ("calculation", False),
    ]
    assert len(one.new_facts(1)) == 1
    assert not other.new_facts(1)


@pytest.mark.clause("ruling:D13")
def test_a_tools_result_is_cited_by_its_id_in_a_reference_or_in_the_claim_and_verifies_what_it_covers() -> None:
    state, _ = with_tool_result(START, "costs.txt, passage 1", "A second pier costs 800 crowns.", 1)

    told_once = told(
        speech("m1", **facts("The pier costs 800 crowns [1]", references=[{"number": 1, "title": "E1"}])),
        speech("m2", **facts("Dredging is dearer [E1]")),
        state=state,
    )

    assert [claim.support for claim in told_once.claims] == [("E1",), ("E1",)]
    assert [claim.found_in for claim in told_once.claims] == [("E1",), ()]
    assert told_once.evidence[0].supports == ("C1", "C2")


def test_an_assumption_gains_no_evidence_by_citing() -> None:
    quote = {"number": 1, "title": "log.txt", "quote": "The budget holds 900 crowns"}

    state = told(
        speech("m1", epistemicClaims={"assumptions": ["Money is there [1]"]}, references=[quote]), documents=DOCUMENTS
    )

    assert not state.evidence


@pytest.mark.clause("debate:2.P0", "debate:4.3")
def test_labels_in_the_text_itself_are_read() -> None:
    said = speech(
        "m1",
        reasoning="Ships wait. Twelve ships waited in June.[FACT][1] So trade is lost.[INFER] It will grow.[ASSUME]",
        references=["[1] log.txt"],
    )

    assert [(item.text, item.label, item.cited) for item in said.statements] == [
        ("Twelve ships waited in June.", "FACT", (1,)),
        ("So trade is lost.", "INFER", ()),
        ("It will grow.", "ASSUME", ()),
    ]


# Votes


@pytest.mark.clause("ruling:D11")
def test_a_blocker_opens_one_objection_an_author_and_others_cannot_resolve_it() -> None:
    voting = DebateState(topic="a", participants=NAMES, proposal=Proposal("P2", "yes", (), ()))
    state = told(
        speech("m1", 2, vote="BLOCKER", objection="too dear"),
        speech("m1", 3, vote="BLOCKER"),
        speech("m2", 3, vote="ACCEPT", retracted=["O1"]),
        state=voting,
    )

    assert [(item.id, item.by, item.text) for item in state.open_objections] == [("O1", "m1", "too dear")]


@pytest.mark.parametrize("said", [{"vote": "MINOR"}, {"vote": "ACCEPT"}, {"retracted": ["O1"]}])
@pytest.mark.clause("ruling:D11")
def test_its_authors_later_vote_or_retraction_resolves_an_objection(said) -> None:
    voting = DebateState(topic="a", participants=NAMES, proposal=Proposal("P2", "yes", (), ()))

    state = told(speech("m1", 2, vote="BLOCKER", objection="too dear"), speech("m1", 3, **said), state=voting)

    assert not state.open_objections
    assert state.objections[0].resolved_round == 3
    assert state.decisions[0].text == "O1 of m1 is resolved: too dear"


@pytest.mark.clause("ruling:D11")
def test_one_who_gives_in_resolves_its_own_objection_and_no_other() -> None:
    voting = DebateState(topic="a", participants=NAMES, proposal=Proposal("P2", "yes", (), ()))

    state = told(
        speech("m1", 2, vote="BLOCKER", objection="too dear"),
        speech("m2", 2, vote="BLOCKER", objection="too late"),
        speech("m1", 3, vote="ACCEPT"),
        state=voting,
    )

    assert [(item.id, item.by) for item in state.open_objections] == [("O2", "m2")]
    assert [item.text for item in state.decisions] == ["O1 of m1 is resolved: too dear"]


@pytest.mark.clause("ruling:D11")
def test_the_proposal_is_the_answer_most_hold_with_what_it_rests_on() -> None:
    state = told(
        speech("m1", answer="Yes.", **inferring("Ships wait")),
        speech("m2", answer="no", confidence=0.9, **inferring("Money lacks")),
        speech("m3", answer="yes", **inferring("Trade grows"), challenged=["C2"]),
    )

    proposal = proposed(state, 2)

    assert proposal == Proposal("P2", "Yes.", ("C1", "C3"), ())
    assert [(camp.answer, camp.names) for camp in camps(state)] == [("Yes.", ("m1", "m3")), ("no", ("m2",))]


def test_a_decision_is_recorded_once() -> None:
    state = with_decision(with_decision(START, "P2 has its votes", 2), "P2 has its votes", 3)

    assert [(item.id, item.round) for item in state.decisions] == [("D1", 2)]


@pytest.mark.clause("debate:5.1", "debate:3.3", "debate:9.2.1", "debate:2.P0", "ruling:D18")
def test_a_response_has_all_fields_of_the_paper_and_the_program_fills_in_what_it_knows() -> None:
    response = AgentResponse.model_validate(
        {
            "position": "We should build [1]",
            "reasoning": "because of the log [1]",
            "confidence": 0.8,
            "epistemicClaims": {"facts": ["Ships wait [1]"], "inferences": ["So build [1]"], "assumptions": ["e f"]},
            "references": [{"number": 1, "title": "log.txt", "quote": "Twelve ships waited outside in June"}],
            "vote": "minor",
            "keyPoints": ["one two [1]", "three four"],
            "confidenceChange": {"reason": "the log", "delta": 99},
            "debateAlignment": "extends",
            "roundNumber": 17,
            "agentId": "m3",
        }
    )
    agent = Agent("m1", "Expert A", 0, ROLE)
    said = read_speech(response, agent, 2, "systems-aware", speech("m1", 1, confidence=0.6), voting=True)
    call = {"round": 2, "agent": "Expert A", "tool": "search", "input": "ships", "evidence": ["E1"], "problem": ""}
    _, heard = hear(START, said, DOCUMENTS)

    form = agent_response(agent, heard, RoundPacket(2, (heard,), tool_calls=(call, {**call, "agent": "Expert B"})))

    assert form == {
        "agentId": "m1",
        "agentName": "Expert A",
        "roundNumber": 2,
        "position": "We should build [E1]",
        "reasoning": "because of the log [E1]",
        "answer": "We should build",
        "confidence": 0.8,
        "citations": ["E1"],
        "toolCalls": [call],
        "step": "round/2/m1",
        "epistemicClaims": {
            "facts": ["Ships wait [E1]"],
            "inferences": ["So build [E1]"],
            "assumptions": ["e f"],
        },
        "vote": "MINOR",
        "keyPoints": ["one two [E1]", "three four"],
        "perspectiveAnchor": "systems-aware",
        "confidenceChange": {"delta": 0.2, "previousRound": 1, "reason": "the log"},
        "debateAlignment": "extends",
    }


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "epistemicClaims",
                "references",
                "vote",
                "challenged",
                "retracted",
                "alternatives",
                "risks",
                "alignment",
                "keyPoints",
                "confidenceChange",
                "unmetChecks",
                "vulnerabilities",
                "mitigations",
                "questions",
                "stance",
            ]
        ),
        st.recursive(
            st.none() | st.integers(-5, 200) | st.text(max_size=12),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
            max_leaves=6,
        ),
    )
)
def test_whatever_stands_in_the_optional_fields_a_response_is_read_or_refused_but_nothing_breaks(odd) -> None:
    from pydantic import ValidationError

    try:
        said = speech("m1", 1, **odd)
    except ValidationError:
        return

    state, _ = hear(START, said, (Document(name="d", text="x"),))

    assert state.agents["m1"].confidence == 0.7
