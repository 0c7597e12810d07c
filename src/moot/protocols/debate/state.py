"""The canonical state of a debate: claims, evidence, decisions, votes, each under an id that stays (debate 7.2, 7.7).

The values and what can be read off them. How a speech changes them is in `fold`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from moot.core.canonical import rounded
from moot.methods.sameness import answer_groups
from moot.protocols.debate.evidence import Kind
from moot.protocols.debate.speech import Label, Vote

ClaimStatus = Literal["accepted", "contested", "retracted", "open"]


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
    grounded: bool = False
    """Whether evidence that resolves to something stands behind it (ruling D7)."""

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
    kind: Kind
    title: str
    url: str
    gist: str
    added_round: int
    verified: bool
    supports: tuple[str, ...] = ()
    key: tuple[str, str, str] = ("", "", "")


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
class Vulnerability:
    """What the red team found, and what mends it (ruling D5)."""

    id: str
    text: str
    by: str
    round: int
    mitigations: tuple[str, ...] = ()


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
    proposal: Proposal | None = None

    def claim(self, claim_id: str) -> Claim | None:
        """Return the claim of this id."""
        place = int(claim_id[1:]) - 1 if claim_id[1:].isdigit() else -1
        return self.claims[place] if 0 <= place < len(self.claims) else None

    def status(self, claim: Claim) -> ClaimStatus:
        """Return where a claim stands: withdrawn by all, opposed, held by most, or open (debate 7.7)."""
        if not claim.labels:
            return "retracted"
        standing = (self.claim(other) for other in claim.opposition)
        if claim.challenged_by or any(other and other.labels for other in standing):
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
            if claim.introduced_round == round_number and claim.grounded and claim.label == "FACT"
        )

    def premises(self, agent: str) -> frozenset[str]:
        """Return the claims that an agent states."""
        return frozenset(claim.id for claim in self.claims if agent in claim.labels)


def camps(state: DebateState) -> list[tuple[str, tuple[AgentStatus, ...]]]:
    """Return the answers with those who give them: most holders first, then most confidence, then first spoken."""
    statuses = list(state.agents.values())
    groups = answer_groups([status.answer for status in statuses]).groups
    holders = [tuple(statuses[place] for place in group.places) for group in groups]

    def order(camp: tuple[AgentStatus, ...]) -> tuple[float, float, float]:
        judged = sum(item.agent in state.judges for item in camp)
        return (-judged, -len(camp), -rounded(sum(item.confidence for item in camp)))

    return [(camp[0].answer, camp) for camp in sorted(holders, key=order)]


def proposed(state: DebateState, number: int) -> Proposal | None:
    """Return the proposal that the coming round votes on: the answer most hold, and what it rests on (ruling D11)."""
    standing = camps(state)
    if not standing:
        return None
    answer, holders = standing[0]
    names = {item.agent for item in holders}
    held = [claim for claim in state.claims if names & set(claim.labels)]
    return Proposal(
        id=f"P{number}",
        answer=answer,
        rests_on=_ids(claim for claim in held if state.status(claim) in ("accepted", "open")),
        contested=_ids(claim for claim in held if state.status(claim) == "contested"),
    )


def _ids(claims: Iterable[Claim]) -> tuple[str, ...]:
    return tuple(claim.id for claim in claims)
