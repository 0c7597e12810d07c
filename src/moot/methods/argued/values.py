"""The values of an argument that somebody looks into. Claims, sentences and roads are named by their ids throughout."""

from dataclasses import dataclass
from typing import Literal

from moot.methods.candidates import Candidate

Fate = Literal["stands", "defeated", "undecided"]
"""The grounded labelling: defeated is what is refuted, or attacked by a claim that stands (interrogation 3.5)."""


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """One run's own words for a claim, and what made them one with the others'."""

    run: str
    node: str
    """The id under which the run's claim was asserted."""
    claim: str
    confidence: float
    seat: str | None
    model: str | None
    step: str | None
    seq: int | None
    """The run event in which it was said, as far as that is known."""
    measure: str = ""
    """By what it was merged; empty for the words that all of them are shown by."""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class VerdictVote:
    """What one member said of a claim that was put to it afresh."""

    seat: str
    model: str
    says: str
    reason: str
    step: str
    seq: int


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What became of a claim that was put to fresh contexts."""

    asked: Literal["verified", "followed"]
    """Whether the sentences say it, or whether it follows from its own alone."""
    verdict: str
    reason: str
    votes: tuple[VerdictVote, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class GivenCheck:
    """Whether a claim that was put forward as given really is: decided by the program."""

    holds: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence beneath claims, and where it stands in its document."""

    id: str
    document: str
    number: int
    text: str
    refuted: bool
    refute_reason: str | None
    place: int | None = None
    """Which of the question's documents it is of, from 0 on; None where that cannot be told, or it is the question."""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class ArgumentClaim:
    """A claim of the merged graph."""

    id: str
    claim: str
    type: str
    confidence: float
    fate: Fate
    surviving: bool
    """Whether it is not defeated and something given, or its own attack, still holds it up."""
    refuted: bool
    refute_reason: str | None
    defeated_by: tuple[str, ...]
    """The attackers that stand."""
    attackers: tuple[str, ...]
    supports: tuple[str, ...]
    supported_by: tuple[str, ...]
    aliases: tuple[str, ...]
    runs: tuple[ClaimRun, ...]
    sources: tuple[tuple[str, ...], ...]
    """The sentences that it rests on: each source's together, by their ids."""
    given: GivenCheck | None
    verdicts: tuple[ClaimVerdict, ...]
    roads: tuple[int, ...]
    """The lines of support that it is on, from 1 on."""
    is_cut: bool
    """Whether it is one of a least number of claims whose removal leaves the conclusion without support."""
    is_bridge: bool
    """Whether every line runs through a relation of it."""
    is_disputed: bool
    is_contested: bool = False
    is_supposed: bool = False
    """Whether it is the one that is supposed to be wrong here."""
    has_fallen: bool = False
    """Whether it survived before that, and no longer does."""

    @property
    def seqs(self) -> tuple[int, ...]:
        """The run events that are about it."""
        said = {run.seq for run in self.runs if run.seq is not None}
        asked = {seq for verdict in self.verdicts for seq in (verdict.seq, *(vote.seq for vote in verdict.votes))}
        return tuple(sorted(said | asked))


@dataclass(frozen=True, slots=True)
class ArgumentRelation:
    """A relation between two claims; with a group it holds only together with the others of it."""

    src: str
    dst: str
    relation: str
    confidence: float
    runs: tuple[str, ...]
    group: str | None
    roads: tuple[int, ...] = ()
    is_bridge: bool = False


@dataclass(frozen=True, slots=True)
class ArgumentStructure:
    """What is odd beneath a conclusion (interrogation 3.4)."""

    orphans: tuple[str, ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()
    cycles_truncated: bool = False
    ungrounded: tuple[str, ...] = ()
    """Claims that were put forward as fact and that no sentence covers."""
    assumptions: tuple[str, ...] = ()
    refuted_but_feeding: tuple[str, ...] = ()
    broad: tuple[str, ...] = ()
    """Givens whose source is more sentences than a claim should need."""
    is_unreachable: bool = False
    """Whether nothing given leads to the conclusion."""


@dataclass(frozen=True, slots=True)
class ArgumentFigures:
    """What an argument comes to, in short."""

    conclusion: str | None
    answer: str | None
    support_width: int
    surviving_width: int
    resilience: int | None
    surviving: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """A conclusion with its figures and the short answer that it stands for."""

    candidate: Candidate
    answer: str
    stands: bool
    """Whether it may be the answer: it is not defeated, and has not lost every line that it had."""


@dataclass(frozen=True, slots=True)
class ArgumentReading:
    """An argument as it stands, with a conclusion that is looked at."""

    figures: ArgumentFigures
    """Of the answer that stands; its conclusion is looked at where no other is asked for."""
    conclusion: str | None
    """The conclusion that is looked at, and that lines, cut and structure are of."""
    claims: tuple[ArgumentClaim, ...]
    relations: tuple[ArgumentRelation, ...]
    sentences: tuple[SourceSentence, ...]
    candidates: tuple[RankedAnswer, ...]
    paths: tuple[tuple[str, ...], ...]
    """Its disjoint lines of support, sentences first: as many as `support_width` says, through defeated claims too."""
    standing_paths: tuple[tuple[str, ...], ...]
    """Those through nothing that is defeated: as many as `surviving_width` says."""
    support_width: int
    surviving_width: int
    resilience: int | None
    """How few claims or sentences must be wrong before it falls; None where it is itself given."""
    must_be_wrong: tuple[str, ...]
    together: bool
    """Whether all of these must be wrong; else each alone takes it away."""
    support: str
    """How many lines hold it up, and what must be wrong, in words."""
    cut: tuple[str, ...]
    bridges: tuple[tuple[str, str], ...]
    structure: ArgumentStructure
    disputed: tuple[str, ...]
    supposed: tuple[str, ...] = ()
    """The claims and sentences that are supposed to be wrong; nothing of it is kept."""
    before: ArgumentFigures | None = None
    """What it comes to without that; None where nothing is supposed."""
    uncontested: ArgumentFigures | None = None
    """What it comes to without anybody's contest; None where nobody contests anything."""
