"""Whether axioms hold what they promise: their oracles say true, and their own questions find them (ruling S5)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moot.oracles import consult
from moot.protocols.spiral.registry import Axiom, at_level
from moot.protocols.spiral.retrieval import MOST_RELEVANT, RELEVANCE_FLOOR, Vector, similarity


@dataclass(frozen=True, slots=True)
class Shortcoming:
    """An axiom that does not hold what it promises, and in what."""

    axiom: Axiom
    problem: str

    @property
    def message(self) -> str:
        """The file, the axiom and the problem."""
        return f"{self.axiom.file}, axiom {self.axiom.id}: {self.problem}"


def refuted_by_oracles(axioms: Iterable[Axiom]) -> tuple[Shortcoming, ...]:
    """Return the axioms of which an oracle does not say that a check is true."""
    found: list[Shortcoming] = []
    for axiom in axioms:
        for number, check in enumerate(axiom.checks, start=1):
            finding = consult(check)
            if not finding.holds:
                why = finding.limit or finding.explanation
                found.append(Shortcoming(axiom, f"check {number}: {finding.oracle} says {finding.verdict} ({why})"))
    return tuple(found)


def texts_to_embed(axiom: Axiom) -> tuple[str, str, str]:
    """Return what `not_found_by_question` needs the vectors of."""
    return axiom.search_text, axiom.plain_text, axiom.question


def not_found_by_question(
    axioms: Sequence[Axiom], vectors: Mapping[str, tuple[Vector, Vector, Vector]]
) -> tuple[Shortcoming, ...]:
    """Return the axioms that their own question does not bring up among the first of their level, above the floor.

    The axiom is tried without its question against others with theirs: a question always finds itself. `vectors` holds
    those of `texts_to_embed` under the axiom's id.
    """
    found: list[Shortcoming] = []
    for axiom in axioms:
        _, plain, question = vectors[axiom.id]
        near = similarity(plain, question)
        rivals = [other for other in at_level(axioms, axiom.level) if other.id != axiom.id]
        place = 1 + sum(similarity(vectors[rival.id][0], question) > near for rival in rivals)
        if place > MOST_RELEVANT or near < RELEVANCE_FLOOR:
            found.append(Shortcoming(axiom, f"its question brings it up at place {place} with {near:.2f}"))
    return tuple(found)
