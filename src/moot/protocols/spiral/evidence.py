"""What a loop brings: axioms, oracle findings, and positions that deny what they rely on (rulings S5 to S7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.oracles import Finding, claim_checks, consult
from moot.protocols.spiral.positions import Disagreement, Positions
from moot.protocols.spiral.retrieval import Relevant

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
    """A position that denies what it must rely on to be stated, with the axiom that says so."""

    seat: str
    axiom: str
    statement: str
    relied_on: str
    clause: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one loop found, beside the disagreements it was looked for in."""

    loop: int
    level: int
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


def computed(positions: Positions) -> tuple[Consulted, ...]:
    """Return what oracles find of every sentence of the positions that they understand; no model is asked (S7)."""
    sentences = dict.fromkeys(text for position in positions.values() for text in (position.answer, *position.claims))
    return tuple(Consulted(PROGRAM, text, consult(check)) for text in sentences for check in claim_checks(text))


def refuted_claims(consulted: Sequence[Consulted]) -> Mapping[str, str]:
    """Return the sentences that an oracle found false, with what it computed."""
    return {
        item.check: item.finding.value or item.finding.explanation
        for item in consulted
        if item.by == PROGRAM and item.finding.verdict == "false"
    }
