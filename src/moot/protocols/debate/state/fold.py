"""The state as a pure fold of speeches (debate 7.2): the same speeches in the same order give the same ids.

A claim is merged with the earliest one that is like it behind the argument's guards; so C3 stays C3 whoever words it,
and every wording says why it was merged. Claims that a guard opposes to each other are never merged (A2 to A6, G11).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from moot.core.canonical import rounded
from moot.core.question import Document
from moot.methods.sameness import Merging, compared, merging
from moot.protocols.debate.state.evidence import (
    ClaimContext,
    Outcome,
    ReferencedSource,
    calculation,
    equations_of,
    looked_up,
    resolve,
)
from moot.protocols.debate.state.speech import (
    Label,
    Speech,
    Statement,
    citations,
    evidence_in,
    spoken_text,
    with_evidence_ids,
)
from moot.protocols.debate.state.state import Claim, DebateState, Evidence, Wording
from moot.protocols.debate.state.votes import resolved, voted, with_agent_status, with_questions, with_vulnerabilities

MOST_WORDINGS = 8
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Heard:
    """What one speech did to the state (debate 7.4)."""

    speech: Speech
    introduced: tuple[str, ...] = ()
    reinforced: tuple[str, ...] = ()
    challenged: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    """The claim that each of its statements is, in order."""
    evidence: Mapping[int, str] = field(default_factory=dict)
    """The evidence ids of its own citation numbers."""
    computed: tuple[str, ...] = ()
    """The evidence that right equations in its statements are (ruling I18)."""
    new_evidence: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()

    @property
    def stated(self) -> tuple[str, ...]:
        """Every claim that it states."""
        return (*self.introduced, *self.reinforced)


def hear(state: DebateState, speech: Speech, documents: Sequence[Document] = ()) -> tuple[DebateState, Heard]:
    """Return the state after a speech, and what the speech did to it."""
    before, own, problems, computed = state, [], [], []
    state, cited = _registered(state, speech, documents)
    for statement in speech.statements:
        state, claim_id = _stated(state, speech, statement)
        state, sums = _recomputed(state, statement, claim_id, speech.round)
        state, found = _looked_up(state, statement, claim_id, cited, sums, documents)
        own.append(claim_id)
        problems += found
        computed += sums.values()
    known = {claim.id for claim in before.claims}
    speech = replace(speech, said=with_evidence_ids(speech.said, cited))
    named = (name for item in speech.statements for name in item.evidence)
    state = _with_cited(state, {*cited.values(), *named, *computed, *evidence_in(spoken_text(speech))})
    state, challenged = _challenged(state, speech, own)
    state, retracted = _retracted(state, speech)
    for claim_id in speech.said.reinforced:
        state = _reinforced(state, speech, claim_id)
    for folded in (voted, with_agent_status, with_vulnerabilities, with_questions):
        state = folded(state, speech)
    reinforced = [*(item for item in own if item in known), *(item for item in speech.said.reinforced if item in known)]
    return replace(state, round=max(state.round, speech.round)), Heard(
        speech=speech,
        introduced=tuple(dict.fromkeys(item for item in own if item not in known)),
        reinforced=tuple(dict.fromkeys(reinforced)),
        challenged=challenged,
        retracted=retracted,
        own=tuple(own),
        evidence=cited,
        computed=tuple(dict.fromkeys(computed)),
        new_evidence=tuple(item.id for item in state.evidence[len(before.evidence) :]),
        unverified=tuple(dict.fromkeys(problems)),
    )


def with_tool_result(
    state: DebateState, title: str, text: str, round_number: int, *, is_calculation: bool = False
) -> tuple[DebateState, str]:
    """Return the state with what a tool gave, and its id as evidence; the same result is the same evidence."""
    source = (
        calculation(text, is_right=True)
        if is_calculation
        else ReferencedSource("tool_output", title, text, verified=True, passages=(text,))
    )
    return _with_evidence(state, source, round_number)


def _registered(
    state: DebateState, speech: Speech, documents: Sequence[Document]
) -> tuple[DebateState, dict[int, str]]:
    """The state with every reference that the speech cites as evidence, and the evidence ids of its numbers."""
    argued = (number for item in speech.statements if item.label != "ASSUME" for number in item.cited)
    used = {*argued, *citations(spoken_text(speech))}
    cited: dict[int, str] = {}
    for reference in speech.said.references:
        if reference.number in cited or reference.number not in used:
            continue
        source = resolve(reference, documents, {item.id: item.source for item in state.evidence})
        state, cited[reference.number] = _with_evidence(state, source, speech.round)
    return state, cited


def _stated(state: DebateState, speech: Speech, statement: Statement) -> tuple[DebateState, str]:
    """The state with a statement among its claims, and the claim that it is."""
    claim, why, opposed = _place(state, statement.text)
    if claim is None:
        claim = Claim(
            id=f"C{len(state.claims) + 1}",
            text=statement.text,
            wordings=(),
            labels={},
            introduced_round=speech.round,
            last_updated_round=speech.round,
            introduced_by=speech.agent,
        )
        state = replace(state, claims=(*state.claims, claim))
    label: Label = statement.label
    claim = replace(
        claim,
        labels={**claim.labels, speech.agent: label},
        wordings=_with_wording(claim.wordings, statement.text, why),
        last_updated_round=speech.round,
        challenged_by=tuple(name for name in claim.challenged_by if name != speech.agent),
    )
    state = _with_claim(state, claim)
    for other in opposed:
        state = _opposed(state, claim.id, other)
    return state, claim.id


def _place(state: DebateState, text: str) -> tuple[Claim | None, Merging | None, list[str]]:
    """The earliest claim that a text is merged with and why, and those that a guard opposes to it."""
    match: Claim | None = None
    why: Merging | None = None
    opposed: list[str] = []
    for claim in state.claims:
        if any(compared(wording.text, text).outcome == "opposed" for wording in claim.wordings):
            opposed.append(claim.id)
        elif match is None:
            why = next(filter(None, (merging(wording.text, text) for wording in claim.wordings)), None)
            match = claim if why else None
    return match, why, opposed


def _with_wording(wordings: tuple[Wording, ...], text: str, why: Merging | None) -> tuple[Wording, ...]:
    if any(wording.text == text for wording in wordings):
        return wordings
    by, score = (why.by, rounded(why.score)) if why else ("first", 1.0)
    return (*wordings, Wording(text, by, score))[:MOST_WORDINGS]


def _recomputed(
    state: DebateState, statement: Statement, claim_id: str, round_number: int
) -> tuple[DebateState, dict[str, str]]:
    """The state with the equations of a statement recomputed: right ones are evidence, a wrong one refutes (I18)."""
    right, wrong = equations_of(statement.text, state.topic)
    claim = _sure(state, claim_id)
    state = _with_claim(state, replace(claim, refuted=claim.refuted or wrong))
    sums: dict[str, str] = {}
    for source in right if statement.label != "ASSUME" else ():
        state, sums[source.title] = _with_evidence(state, source, round_number)
    return state, sums


def _looked_up(
    state: DebateState,
    statement: Statement,
    claim_id: str,
    cited: Mapping[int, str],
    sums: Mapping[str, str],
    documents: Sequence[Document],
) -> tuple[DebateState, list[str]]:
    """The state with the evidence that a statement cites, and where its claim is not found in it (ruling D13)."""
    problems: list[str] = []
    if statement.label == "ASSUME":
        return state, problems
    named = {f"[{number}]": cited[number] for number in statement.cited if number in cited}
    evidence = {item.id: item for item in state.evidence}
    named |= {f"[{name}]": name for name in statement.evidence if name in evidence}
    named |= {f"{equation}:": name for equation, name in sums.items() if name not in named.values()}
    beside = [text for name in named.values() for text in evidence[name].source.passages]
    found_before = [claim.text for claim in state.claims if claim.grounded and claim.stands]
    held = ClaimContext(state.topic, documents, (*found_before, *beside))
    for mark, evidence_id in named.items():
        outcome, problem = looked_up(statement.text, evidence[evidence_id].source, held)
        state = _supported(state, evidence_id, claim_id, outcome)
        if problem:
            problems.append(f"{mark} {problem}")
    return state, problems


def _with_evidence(state: DebateState, source: ReferencedSource, round_number: int) -> tuple[DebateState, str]:
    same = next((item for item in state.evidence if item.id == source.known_as or item.source.key == source.key), None)
    if same is None:
        name = f"E{len(state.evidence) + 1}"
        same = Evidence(name, replace(source, known_as=name), round_number)
        return replace(state, evidence=(*state.evidence, same)), name
    if source.verified and not same.source.verified:
        newer = replace(same, source=replace(source, known_as=same.id))
        state = replace(state, evidence=tuple(newer if item is same else item for item in state.evidence))
    return state, same.id


def _with_cited(state: DebateState, names: Collection[str]) -> DebateState:
    return replace(
        state, evidence=tuple(replace(item, cited=item.cited or item.id in names) for item in state.evidence)
    )


def _supported(state: DebateState, evidence_id: str, claim_id: str, outcome: Outcome) -> DebateState:
    linked = tuple(
        replace(item, supports=_with(item.supports, claim_id)) if item.id == evidence_id else item
        for item in state.evidence
    )
    claim = _sure(state, claim_id)
    claim = replace(
        claim,
        support=_with(claim.support, evidence_id),
        found_in=_with(claim.found_in, evidence_id) if outcome == "found" else claim.found_in,
        computed_by=_with(claim.computed_by, evidence_id) if outcome == "computed" else claim.computed_by,
    )
    return _with_claim(replace(state, evidence=linked), claim)


def _challenged(state: DebateState, speech: Speech, own: Sequence[str]) -> tuple[DebateState, tuple[str, ...]]:
    """Let the speaker's FACT and INFER claims stand against what it challenges: those that name it, else the first."""
    done: list[str] = []
    for claim_id in speech.said.challenged:
        claim = state.claim(claim_id)
        if claim is None or speech.agent in claim.labels:
            continue
        done.append(claim_id)
        state = _with_claim(
            state,
            replace(
                claim,
                challenged_by=_with(claim.challenged_by, speech.agent),
                reinforced_by=tuple(name for name in claim.reinforced_by if name != speech.agent),
                last_updated_round=speech.round,
            ),
        )
        grounds = [
            (item, name)
            for item, name in zip(speech.statements, own, strict=True)
            if item.label in ("FACT", "INFER") and name != claim_id
        ]
        naming = [name for item, name in grounds if claim_id in item.builds_on]
        for name in naming or [name for _, name in grounds[:1]]:
            challenged = _sure(state, claim_id)
            state = _with_claim(state, replace(challenged, opposition=_with(challenged.opposition, name)))
    return state, tuple(done)


def _retracted(state: DebateState, speech: Speech) -> tuple[DebateState, tuple[str, ...]]:
    """Withdraw the speaker's own claims and objections; those of others stay as they are."""
    done: list[str] = []
    for name in speech.said.retracted:
        claim = state.claim(name) if name.startswith("C") else None
        if claim and (speech.agent in claim.labels or speech.agent in claim.challenged_by):
            done.append(name)
            kept = {agent: label for agent, label in claim.labels.items() if agent != speech.agent}
            others = tuple(agent for agent in claim.challenged_by if agent != speech.agent)
            state = _with_claim(
                state, replace(claim, labels=kept, challenged_by=others, last_updated_round=speech.round)
            )
        elif any(item.id == name and item.by == speech.agent for item in state.open_objections):
            done.append(name)
            state = resolved(state, speech.agent, speech.round)
    return state, tuple(done)


def _reinforced(state: DebateState, speech: Speech, claim_id: str) -> DebateState:
    claim = state.claim(claim_id)
    if claim is None:
        return state
    return _with_claim(
        state,
        replace(
            claim,
            reinforced_by=_with(claim.reinforced_by, speech.agent),
            challenged_by=tuple(name for name in claim.challenged_by if name != speech.agent),
            last_updated_round=speech.round,
        ),
    )


def _opposed(state: DebateState, one: str, other: str) -> DebateState:
    first, second = _sure(state, one), _sure(state, other)
    state = _with_claim(state, replace(first, opposition=_with(first.opposition, other)))
    return _with_claim(state, replace(second, opposition=_with(second.opposition, one)))


def _with_claim(state: DebateState, claim: Claim) -> DebateState:
    place = int(claim.id[1:]) - 1
    return replace(state, claims=(*state.claims[:place], claim, *state.claims[place + 1 :]))


def _sure(state: DebateState, claim_id: str) -> Claim:
    return state.claims[int(claim_id[1:]) - 1]


def _with(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return items if item in items else (*items, item)
