"""Whether axioms hold what they promise: their oracles say true, and disputes find those that bear on them (S5, S9)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moot.oracles import consult
from moot.protocols.spiral.axioms.registry import LEVELS, Axiom
from moot.protocols.spiral.axioms.retrieval import Vector, relevant, search_query


@dataclass(frozen=True, slots=True)
class Shortcoming:
    """An axiom that does not hold what it promises, and in what."""

    axiom: Axiom
    problem: str

    @property
    def message(self) -> str:
        """The file, the axiom and the problem."""
        return f"{self.axiom.file}, axiom {self.axiom.id}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute as people have it, and the ids of the axioms that bear on it, or none."""

    field: str
    question: str
    sides: tuple[str, str]
    claims: tuple[str, ...]
    axioms: tuple[str, ...]

    @property
    def query(self) -> str:
        """The text that axioms are searched by."""
        return search_query(self.question, *self.sides, self.claims)


@dataclass(frozen=True, slots=True)
class SearchMeasure:
    """How a search did on disputes: what was found where an axiom bears on them, and where none does."""

    wanted: Mapping[int, int]
    """By level, the disputes on which an axiom of the level bears."""
    found: Mapping[int, int]
    """By level, those of them that find it among the first."""
    without: int
    """The disputes on which no axiom bears."""
    misled: int
    """Those of them that find one all the same, at any level."""


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


def unused_fields(axioms: Iterable[Axiom]) -> tuple[Shortcoming, ...]:
    """Return the axioms with fields that earlier versions read."""
    return tuple(
        Shortcoming(axiom, f"`{name}` is no longer used; it is passed over")
        for axiom in axioms
        for name in axiom.unused
    )


def counted(axioms: Sequence[Axiom]) -> dict[str, int]:
    """Return how many axioms there are, how many oracles can check and by how many checks, and how many people must."""
    return {
        "axioms": len(axioms),
        "checked": sum(bool(axiom.checks) for axiom in axioms),
        "checks": sum(len(axiom.checks) for axiom in axioms),
        "reviewed": sum(bool(axiom.review) for axiom in axioms),
    }


def measured_search(
    disputes: Sequence[Dispute],
    queries: Sequence[Vector],
    axioms: Sequence[Axiom],
    vectors: Mapping[str, Vector],
    floors: Mapping[int, float],
) -> SearchMeasure:
    """Return how vectors find the axioms that bear on disputes, among the first and above the floors (ruling S9)."""
    levels = {axiom.id: axiom.level for axiom in axioms}
    wanted, found = dict.fromkeys(LEVELS, 0), dict.fromkeys(LEVELS, 0)
    misled = 0
    for dispute, query in zip(disputes, queries, strict=True):
        hits = {
            level: {hit.axiom.id for hit in relevant(axioms, level, vectors, query, floor=floors[level])}
            for level in LEVELS
        }
        for level in {levels[name] for name in dispute.axioms}:
            wanted[level] += 1
            found[level] += not hits[level].isdisjoint(dispute.axioms)
        misled += not dispute.axioms and any(hits.values())
    return SearchMeasure(wanted, found, sum(not dispute.axioms for dispute in disputes), misled)
