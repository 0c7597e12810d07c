"""Positions, how they stand to each other, and what is open between them (rulings S1, S8 and S10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.methods.entailment import Entailment, Stated
from moot.methods.sameness import strict_form
from moot.protocols.spiral.agreement.measures import all_pairs


@dataclass(frozen=True, slots=True)
class Position:
    """What a member holds since a loop; loop 0 is the exposition."""

    seat: str
    answer: str
    claims: tuple[str, ...] = ()
    loop: int = 0

    @property
    def stated(self) -> Stated:
        """The position without its holder's name."""
        return Stated(self.answer, self.claims)

    @property
    def text(self) -> str:
        """The position as one text, for its vector and for the search of axioms."""
        return " ".join([self.answer, *self.claims])


Positions = Mapping[str, Position]
Standings = Mapping[tuple[str, str], Entailment]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a structure's turn came to where nothing is contradicted: the words of the last who revised (S10)."""

    loop: int
    by: str
    stated: Stated
    held_before: tuple[str, ...] = ()
    """Who gave this answer before anybody worked on it: they hold it, and it has won none of them over."""

    def accepted_by(self, positions: Positions) -> tuple[str, ...]:
        """Return the members who hold it as it stands, in the panel's order."""
        return tuple(seat for seat, position in positions.items() if position.stated == self.stated)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two claims, or two answers, that cannot both be true, and who holds which."""

    first: str
    second: str
    for_first: tuple[str, ...]
    for_second: tuple[str, ...]

    @property
    def parties(self) -> tuple[str, ...]:
        """Everybody who holds one of the two."""
        return tuple(dict.fromkeys((*self.for_first, *self.for_second)))


def disagreements(positions: Positions, standings: Standings) -> tuple[Disagreement, ...]:
    """Return what contradicts what, each once, in the panel's order: answers first, then claims (ruling S8)."""
    found: dict[tuple[str, str], Disagreement] = {}
    for first, second in all_pairs(list(positions)):
        standing = standings[first, second]
        one, other = positions[first], positions[second]
        opposed = [(one.answer, other.answer)] if standing.opposed else []
        opposed += [(one.claims[a], other.claims[b]) for a, b in standing.contradicting]
        for left, right in opposed:
            _add(found, left, right, first, second)
    return tuple(found.values())


def has_one_answer(standings: Standings) -> bool:
    """Return whether every member gives the same answer; one that only some hold is an open point (ruling S10)."""
    return all(standing.equivalent for standing in standings.values())


def parties(open_: Sequence[Disagreement], positions: Positions) -> list[str]:
    """Return the members who are party to a disagreement, in the panel's order."""
    named = {seat for item in open_ for seat in item.parties}
    return [seat for seat in positions if seat in named]


def themes(positions: Positions, agreements: Mapping[tuple[str, str], float]) -> tuple[list[str], list[str]]:
    """Return the members in two themes: round the two who agree least, each other with whom it agrees more (S6)."""
    seats = list(positions)
    pairs = all_pairs(seats)
    first, second = min(pairs, key=lambda pair: agreements[pair])

    def with_(seat: str, other: str) -> float:
        return 1.0 if seat == other else agreements[(seat, other) if (seat, other) in agreements else (other, seat)]

    theirs = [seat for seat in seats if with_(seat, first) >= with_(seat, second)]
    return theirs, [seat for seat in seats if seat not in theirs]


def _add(found: dict[tuple[str, str], Disagreement], left: str, right: str, first: str, second: str) -> None:
    key = (strict_form(left), strict_form(right))
    if key[::-1] in found:
        key, first, second = key[::-1], second, first
    known = found.get(key)
    if known is None:
        found[key] = Disagreement(left, right, (first,), (second,))
        return
    for_first = tuple(dict.fromkeys((*known.for_first, first)))
    for_second = tuple(dict.fromkeys((*known.for_second, second)))
    found[key] = Disagreement(known.first, known.second, for_first, for_second)
