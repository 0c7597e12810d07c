"""What a loop brings: axioms, oracle findings, and positions that deny what they rest on (rulings S5, S7, S14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.oracles import Finding, Oracle, claim_checks, consult
from moot.protocols.spiral.axioms.retrieval import Relevant
from moot.protocols.spiral.positions import Disagreement, Positions

ORACLE_LEVEL = 4
PROGRAM = "the program"


@dataclass(frozen=True, slots=True)
class Consulted:
    """A check that was put to an oracle, by a member or by the program, and what the oracle found."""

    by: str
    check: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class SelfDenial:
    """A position that denies what it rests on, in the word of another member, who names the axiom (ruling S14)."""

    seat: str
    by: str
    axiom: str
    statement: str
    why: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one loop found on the level of its number, beside the disagreements it was looked for in."""

    loop: int
    disagreements: tuple[Disagreement, ...]
    axioms: tuple[tuple[Relevant, ...], ...] = ()
    """For each disagreement, the axioms of this level that bear on it, nearest first."""
    consulted: tuple[Consulted, ...] = ()
    denials: tuple[SelfDenial, ...] = ()

    @property
    def found(self) -> tuple[Relevant, ...]:
        """Every axiom that was found, once."""
        return tuple({item.axiom.id: item for found in self.axioms for item in found}.values())

    @property
    def decided(self) -> tuple[Consulted, ...]:
        """The checks that an oracle could decide; a member that is shown others takes them for results."""
        return tuple(item for item in self.consulted if item.finding.verdict != "not computable")

    @property
    def is_empty(self) -> bool:
        """Whether the level has nothing to say: then positions stay as they are, and nothing is invented."""
        return not (self.found or self.decided or self.denials)


def standing_denials(positions: Positions, gathered: Sequence[Evidence]) -> tuple[SelfDenial, ...]:
    """Return the marks that still hold: of positions that have not changed since (ruling S14)."""
    standing = {
        (item.seat, item.axiom): item
        for evidence in gathered
        for item in evidence.denials
        if positions[item.seat].loop < evidence.loop
    }
    return tuple(standing.values())


def computed(positions: Positions, further: Mapping[str, Oracle]) -> tuple[Consulted, ...]:
    """Return what oracles find of every sentence of the positions that they understand; no model is asked (S7)."""
    sentences = dict.fromkeys(text for position in positions.values() for text in (position.answer, *position.claims))
    return tuple(
        Consulted(PROGRAM, text, consult(check, further)) for text in sentences for check in claim_checks(text, further)
    )


def refuted_claims(consulted: Sequence[Consulted]) -> Mapping[str, str]:
    """Return the sentences that an oracle found false, with how it read them and what it computed (S7, S12)."""
    return {
        item.check: _refutation(item.finding)
        for item in consulted
        if item.by == PROGRAM and item.finding.verdict == "false"
    }


def _refutation(finding: Finding) -> str:
    came_to = finding.value or finding.explanation
    return f"{came_to} (read as {finding.reading})" if finding.reading else came_to
