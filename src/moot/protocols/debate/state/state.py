"""The canonical state of a debate: claims, evidence, decisions, votes, each under an id that stays (debate 7.2, 7.7).

The values and what can be read off them. How a speech changes them is in `fold`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from moot.methods.sameness import answer_groups, same_answer
from moot.protocols.debate.state.evidence import ReferencedSource
from moot.protocols.debate.state.speech import Label, Vote

ClaimStatus = Literal["accepted", "contested", "retracted", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class Wording:
    """A claim in somebody's words, and why it was merged with the claim: by which measure, and how alike they are."""

    text: str
    by: str
    score: float


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of the ledger, however many agents worded it (debate 7.2)."""

    id: str
    text: str
    wordings: tuple[Wording, ...]
    labels: Mapping[str, Label]
    """The label that each agent last gave it; those who have withdrawn it are gone."""
    introduced_round: int
    last_updated_round: int
    introduced_by: str
    reinforced_by: tuple[str, ...] = ()
    challenged_by: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    opposition: tuple[str, ...] = ()
    found_in: tuple[str, ...] = ()
    """The evidence that covers it (ruling D13)."""
    computed_by: tuple[str, ...] = ()
    """Calculations that are right and say nothing of what is counted."""
    refuted: str = ""
    """How an equation of its own comes out, where that is false; found by the program (ruling I18)."""

    @property
    def grounded(self) -> bool:
        """Whether it was found in a source."""
        return bool(self.found_in)

    @property
    def stands(self) -> bool:
        """Whether anybody still states it, and no computation refutes it."""
        return bool(self.labels) and not self.refuted

    @property
    def label(self) -> Label:
        """The one label that its holders give it; FACT where evidence settles it, else OPEN (ruling D1)."""
        given = set(self.labels.values())
        if len(given) == 1:
            return next(iter(given))
        return "FACT" if "FACT" in given and self.grounded else "OPEN"

    @property
    def backers(self) -> frozenset[str]:
        """Who states it or has said to support it."""
        return frozenset(self.labels) | frozenset(self.reinforced_by)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One source of the registry (debate 7.2)."""

    id: str
    source: ReferencedSource
    added_round: int
    supports: tuple[str, ...] = ()
    """The claims that cite it."""
    cited: bool = False
    """Whether anybody cites it; a tool's result may go without."""

    @property
    def url(self) -> str:
        """Its address, where its title is one."""
        return self.source.title if "://" in self.source.title else ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What has been settled, or a constraint that somebody entitled has set."""

    id: str
    text: str
    round: int


@dataclass(frozen=True, slots=True)
class Objection:
    """What a BLOCKER says has to change; only its author can resolve it (ruling D11)."""

    id: str
    by: str
    text: str
    proposal: str
    round: int
    resolved_round: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The numbered text that a round's votes refer to, written from the state (ruling D11)."""

    id: str
    answer: str
    rests_on: tuple[str, ...]
    contested: tuple[str, ...]
    tied: tuple[str, ...] = ()
    """Other answers that as many hold: then votes, and at last the order of the seats, chose this one (ruling D14)."""


@dataclass(frozen=True, slots=True)
class AgentStatus:
    """Where an agent stands."""

    agent: str
    answer: str
    confidence: float
    confidence_delta: float | None
    vote: Vote | None
    round: int
    stance: str = ""


@dataclass(frozen=True, slots=True)
class Mending:
    """What mends a vulnerability, and who says so."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Vulnerability:
    """What the red team found, and what mends it (ruling D5)."""

    id: str
    text: str
    by: str
    round: int
    mitigations: tuple[Mending, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What somebody asks; a question claims nothing and is compared with no claim (ruling D15)."""

    id: str
    text: str
    by: str
    round: int


@dataclass(frozen=True, slots=True)
class DebateState:
    """Layer A of the context: always passed, never prose (debate 7.1, 7.2)."""

    topic: str
    participants: tuple[str, ...]
    judges: tuple[str, ...] = ()
    """Those whose answers a proposal is written from, where some only play a part."""
    round: int = 0
    claims: tuple[Claim, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    decisions: tuple[Decision, ...] = ()
    objections: tuple[Objection, ...] = ()
    agents: Mapping[str, AgentStatus] = field(default_factory=dict)
    vulnerabilities: tuple[Vulnerability, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    proposal: Proposal | None = None

    def claim(self, claim_id: str) -> Claim | None:
        """Return the claim of this id."""
        place = int(claim_id[1:]) - 1 if claim_id[1:].isdigit() else -1
        return self.claims[place] if 0 <= place < len(self.claims) else None

    def status(self, claim: Claim) -> ClaimStatus:
        """Return where a claim stands: withdrawn by all, computed wrongly, opposed, held by most, or open (7.7)."""
        if not claim.labels:
            return "retracted"
        if claim.refuted:
            return "refuted"
        standing = (self.claim(other) for other in claim.opposition)
        if claim.challenged_by or any(other and other.stands for other in standing):
            return "contested"
        held = claim.backers & set(self.participants)
        return "accepted" if 2 * len(held) > len(self.participants) else "open"

    def with_status(self, status: ClaimStatus) -> tuple[Claim, ...]:
        """Return the claims that stand so, in the order of their ids."""
        return tuple(claim for claim in self.claims if self.status(claim) == status)

    @property
    def open_objections(self) -> tuple[Objection, ...]:
        """The BLOCKERs that nobody has resolved."""
        return tuple(item for item in self.objections if item.resolved_round is None)

    def new_facts(self, round_number: int) -> tuple[Claim, ...]:
        """Return the claims that came in as FACT with evidence that resolves to something (ruling D7)."""
        return tuple(
            claim
            for claim in self.claims
            if claim.introduced_round == round_number and claim.grounded and claim.stands and claim.label == "FACT"
        )

    def premises(self, agent: str) -> frozenset[str]:
        """Return the claims that an agent states."""
        return frozenset(claim.id for claim in self.claims if agent in claim.labels)


@dataclass(frozen=True, slots=True)
class Camp:
    """An answer and those who give it, in the order of the seats."""

    answer: str
    holders: tuple[AgentStatus, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Who gives it."""
        return tuple(item.agent for item in self.holders)


def accepting(state: DebateState, answer: str) -> tuple[str, ...]:
    """Return who voted for the proposal in the last round, if this is its answer."""
    if state.proposal is None or same_answer(state.proposal.answer, answer).outcome != "same":
        return ()
    voted = (item for item in state.agents.values() if item.round == state.round)
    return tuple(item.agent for item in voted if item.vote in ("ACCEPT", "MINOR"))


def camps(state: DebateState) -> list[Camp]:
    """Return the answers with their holders: most holders first, then most votes, then by seat (ruling D14).

    Nobody's stated confidence counts.
    """
    statuses = list(state.agents.values())
    groups = answer_groups([status.answer for status in statuses]).groups
    found = [Camp(statuses[group.places[0]].answer, tuple(statuses[at] for at in group.places)) for group in groups]
    seats = {name: place for place, name in enumerate(state.participants)}
    return sorted(found, key=lambda camp: (*_strength(state, camp), seats[camp.holders[0].agent]))


def tied_with(state: DebateState, first: Camp, others: Iterable[Camp]) -> tuple[str, ...]:
    """Return the answers that have as many holders and as many votes as the first: the seats alone are between them."""
    return tuple(camp.answer for camp in others if _strength(state, camp) == _strength(state, first))


def _strength(state: DebateState, camp: Camp) -> tuple[int, int, int]:
    judging = sum(name in state.judges for name in camp.names)
    return -judging, -len(camp.holders), -len(accepting(state, camp.answer))


def proposed(state: DebateState, number: int) -> Proposal | None:
    """Return the proposal that the coming round votes on: the answer most hold, and what it rests on (ruling D11)."""
    standing = camps(state)
    if not standing:
        return None
    first, *others = standing
    held = [claim for claim in state.claims if set(first.names) & set(claim.labels)]
    return Proposal(
        id=f"P{number}",
        answer=first.answer,
        rests_on=_ids(claim for claim in held if state.status(claim) in ("accepted", "open")),
        contested=_ids(claim for claim in held if state.status(claim) == "contested"),
        tied=tied_with(state, first, others),
    )


def _ids(claims: Iterable[Claim]) -> tuple[str, ...]:
    return tuple(claim.id for claim in claims)
