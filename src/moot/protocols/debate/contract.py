"""Breaches of the contract that the program finds in a response (debate 2 P0 and P2, decision 4, ruling D7).

Each kind is told to an agent once and counted every time; none of them stops the debate.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from moot.methods.sameness import merging, strict_form
from moot.protocols.debate.speech import STANCES, VOTES, Agent, Speech
from moot.protocols.debate.state import DebateState

_REFUSAL = re.compile(
    r"^\W*(?:i['\u2019]?m sorry|sorry,|i (?:can(?:not|['\u2019]t)|won['\u2019]t|am (?:unable|not able)|must decline)\b"
    r"(?=.{0,60}\b(?:help|answer|assist|comply|take part|participate|do that|discuss|provide)))",
    re.IGNORECASE | re.DOTALL,
)
_ORDER = re.compile(
    r"\b(?:(?:all|other|every|the other|you)\b[^.!?]{0,40}\b(?:must|have to|shall|should|are to)\b[^.!?]{0,30}"
    r"\b(?:agree|accept|vote|follow|adopt)|(?:ignore|disregard)\b[^.!?]{0,30}\b(?:instructions|rules|previous|others))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that the contract forbids, in words that its author can use."""

    kind: str
    told: str


def is_refusal(speech: Speech) -> bool:
    """Return whether the agent declines to take part: then it has said nothing that could be weighed."""
    return bool(_REFUSAL.match(speech.said.position)) and not speech.statements


def breaches(
    speech: Speech,
    agent: Agent,
    state: DebateState,
    last: Speech | None = None,
    others: Collection[str] = (),
    raised: Collection[str] = (),
) -> tuple[Breach, ...]:
    """Return every breach of a response, in a fixed order; the state is the one that the agent was shown."""
    found = [
        *_of_labels(speech),
        *_of_citations(speech, state),
        *_of_vote(speech, state),
        *_of_conformity(speech, state, raised),
        *_of_identity(speech, agent, others),
    ]
    if last and _is_repetition(speech, last):
        found.append(Breach("repetition", "you repeated what you said in the last round"))
    return tuple(found)


def _of_labels(speech: Speech) -> Iterator[Breach]:
    if not any(item.label != "OPEN" for item in speech.statements) and not speech.said.questions:
        yield Breach("unlabelled", "no claim was labelled FACT, INFER or ASSUME")
    for item in speech.statements:
        if item.label == "FACT" and not item.cited and not item.evidence:
            yield Breach("fact without citation", "a FACT had no citation")
        if item.label == "ASSUME" and (item.cited or item.evidence):
            yield Breach("assumption with citation", "an ASSUME carried a citation")


def _of_citations(speech: Speech, state: DebateState) -> Iterator[Breach]:
    listed = {item.number for item in speech.said.references}
    known = {item.id for item in state.evidence}
    for item in speech.statements:
        for number in item.cited:
            if number not in listed:
                yield Breach("missing reference", f"[{number}] is cited and not among your {len(listed)} references")
        for name in item.evidence:
            if name not in known:
                yield Breach("missing reference", f"[{name}] is cited and no such evidence exists")
    named = (*speech.said.challenged, *speech.said.reinforced)
    for name in named:
        if state.claim(name) is None:
            yield Breach("unknown claim", f"{name} is no claim of this debate")


def _of_vote(speech: Speech, state: DebateState) -> Iterator[Breach]:
    said = speech.said
    if state.proposal is None:
        return
    if said.vote and speech.vote is None:
        yield Breach("vote outside the rubric", f"a vote is one of {', '.join(VOTES)}")
    elif not said.vote:
        yield Breach("no vote", f"there was no vote on {state.proposal.id}")
    if speech.vote == "BLOCKER" and not said.objection:
        yield Breach("blocker without objection", "a BLOCKER has to say in `objection` what must change")
    open_ids = {item.id: item.by for item in state.open_objections}
    for name in said.retracted:
        if name.startswith("O") and open_ids.get(name) != speech.agent:
            yield Breach("objection of another", f"{name} is not an open objection of yours")


def _of_conformity(speech: Speech, state: DebateState, raised: Collection[str]) -> Iterator[Breach]:
    said = speech.said
    if speech.vote == "ACCEPT" and state.proposal:
        known = any(merging(earlier, said.concern) for earlier in raised)
        if not said.concern or known:
            yield Breach("agreement without a concern", "agreement needs a concern that nobody has raised yet")
        if not any(item.option for item in said.alternatives):
            yield Breach("agreement without an alternative", "agreement needs at least one alternative")
    dissents = speech.vote == "BLOCKER" or bool(said.challenged)
    if dissents and not any(item.label in ("FACT", "INFER") for item in speech.statements):
        yield Breach("untethered dissent", "dissent needs a cited FACT or an INFER that shows the gap")


def _of_identity(speech: Speech, agent: Agent, others: Collection[str]) -> Iterator[Breach]:
    said = speech.said
    claimed = str(said.agent_name or "").strip()
    text = f"{said.position} {said.reasoning}"
    spoken = (rf"\b(?:i am|this is|speaking as|as)\s+{re.escape(name)}\b" for name in others)
    if (claimed and claimed != agent.name and claimed in others) or any(
        re.search(pattern, text, re.IGNORECASE) for pattern in spoken
    ):
        yield Breach("name of another", f"you speak as {agent.name} and as nobody else")
    if _ORDER.search(text):
        yield Breach("orders to others", "you may persuade the others, not give them orders")
    if agent.role.stance and said.stance.upper() not in STANCES:
        yield Breach("no stance", f"your stance is {agent.role.stance}; state it")


def _is_repetition(speech: Speech, last: Speech) -> bool:
    before = {strict_form(item.text) for item in last.statements}
    new = any(strict_form(item.text) not in before for item in speech.statements)
    same = strict_form(speech.said.reasoning) == strict_form(last.said.reasoning)
    return same and not new and merging(last.said.position, speech.said.position) is not None
