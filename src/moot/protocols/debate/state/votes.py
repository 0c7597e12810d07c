"""What is decided in a debate: votes and objections, decisions, where agents stand, what mends a vulnerability."""

from dataclasses import replace

from moot.methods.sameness import is_equal, merging
from moot.protocols.debate.state.speech import Speech
from moot.protocols.debate.state.state import (
    AgentStatus,
    DebateState,
    Decision,
    Mending,
    Objection,
    OpenQuestion,
    Vulnerability,
)


def with_decision(state: DebateState, text: str, round_number: int) -> DebateState:
    """Return the state with one more decision or constraint."""
    if any(item.text == text for item in state.decisions):
        return state
    return replace(state, decisions=(*state.decisions, Decision(f"D{len(state.decisions) + 1}", text, round_number)))


def with_mitigation(state: DebateState, vulnerability: str, text: str, by: str) -> DebateState:
    """Return the state with a vulnerability answered by its id; an unknown id changes nothing (ruling D5)."""
    return replace(
        state,
        vulnerabilities=tuple(
            replace(item, mitigations=(*item.mitigations, Mending(text, by)))
            if item.id == vulnerability and text and all(text != known.text for known in item.mitigations)
            else item
            for item in state.vulnerabilities
        ),
    )


def voted(state: DebateState, speech: Speech) -> DebateState:
    """Open an objection for a BLOCKER, one an author at a time; any other vote of its author resolves it (D11)."""
    if state.proposal is None or speech.vote is None:
        return state
    mine = next((item for item in state.open_objections if item.by == speech.agent), None)
    if speech.vote != "BLOCKER":
        return resolved(state, speech.agent, speech.round) if mine else state
    text = speech.said.objection or "(no reason was given)"
    if mine:
        newer = replace(mine, text=speech.said.objection or mine.text)
        return replace(state, objections=tuple(newer if item.id == mine.id else item for item in state.objections))
    opened = Objection(f"O{len(state.objections) + 1}", speech.agent, text, state.proposal.id, speech.round)
    return replace(state, objections=(*state.objections, opened))


def resolved(state: DebateState, agent: str, round_number: int) -> DebateState:
    """Return the state with the objections of an agent resolved, each recorded as a decision."""
    for item in state.open_objections:
        if item.by == agent:
            state = with_decision(state, f"{item.id} of {agent} is resolved: {item.text}", round_number)
    return replace(
        state,
        objections=tuple(
            replace(item, resolved_round=round_number) if item.by == agent and item.resolved_round is None else item
            for item in state.objections
        ),
    )


def with_agent_status(state: DebateState, speech: Speech) -> DebateState:
    """Return the state with where the speaker now stands; a person between rounds has no vote and no status."""
    if speech.agent not in state.participants:
        return state
    status = AgentStatus(
        agent=speech.agent,
        answer=speech.answer,
        confidence=speech.said.confidence,
        confidence_delta=speech.delta,
        vote=speech.vote if state.proposal else None,
        round=speech.round,
        stance=speech.stance,
    )
    agents = {**state.agents, speech.agent: status}
    return replace(state, agents={name: agents[name] for name in state.participants if name in agents})


def with_vulnerabilities(state: DebateState, speech: Speech) -> DebateState:
    """Return the state with what the red team found and the blue team answered, by id (ruling D5)."""
    for item in speech.said.vulnerabilities:
        if not item.risk or any(merging(other.text, item.risk) for other in state.vulnerabilities):
            continue
        found = Vulnerability(
            f"V{len(state.vulnerabilities) + 1}",
            item.risk,
            speech.agent,
            speech.round,
            (Mending(item.mitigation, speech.agent),) if item.mitigation else (),
        )
        state = replace(state, vulnerabilities=(*state.vulnerabilities, found))
    for answer in speech.said.mitigations:
        state = with_mitigation(state, answer.vulnerability.upper(), answer.text, speech.agent)
    return state


def with_questions(state: DebateState, speech: Speech) -> DebateState:
    """Return the state with what the speaker asks, each question once (ruling D15)."""
    for text in speech.said.questions:
        if text and not any(is_equal(known.text, text) for known in state.questions):
            asked = OpenQuestion(f"Q{len(state.questions) + 1}", text, speech.agent, speech.round)
            state = replace(state, questions=(*state.questions, asked))
    return state
