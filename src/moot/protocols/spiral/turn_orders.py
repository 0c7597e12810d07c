"""Three ways of one loop: fugue, sonata, concert (rulings S6 and S10).

Each says in which order members revise and what they hear. A way is a list of turns. The members of a turn are asked
together; whoever comes later hears the revisions before. The last turn is one member's, who has heard everybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.protocols.spiral.positions import Position, Positions, themes
from moot.protocols.spiral.prompts import REFINING, SOLO, SYNTHESIS
from moot.protocols.spiral.structure.structures import Structure


@dataclass(frozen=True, slots=True)
class Turn:
    """Who revises at once, whose positions they hear as they then are, and what else they are told."""

    seats: tuple[str, ...]
    hears: tuple[str, ...]
    note: str = ""
    name: str = "revise"

    def heard_by(self, seat: str, positions: Positions) -> list[Position]:
        """Return the positions that a member of this turn hears, in order."""
        return [positions[other] for other in self.hears if other != seat]


def turns(
    structure: Structure,
    parties: Sequence[str],
    positions: Positions,
    agreements: Mapping[tuple[str, str], float],
    leading: Sequence[str],
) -> list[Turn]:
    """Return the turns of one loop; `leading` lists the members by their mean agreement, highest first."""
    way = {"fugue": _fugue, "sonata": _sonata, "concert": _concert}[structure]
    return way(list(parties), positions, agreements, [seat for seat in leading if seat in parties])


def _fugue(
    parties: list[str], positions: Positions, agreements: Mapping[tuple[str, str], float], leading: list[str]
) -> list[Turn]:
    """Voices revise in turn, each hearing the revisions before it."""
    return [Turn((seat,), tuple(parties[:place])) for place, seat in enumerate(parties)]


def _sonata(
    parties: list[str], positions: Positions, agreements: Mapping[tuple[str, str], float], leading: list[str]
) -> list[Turn]:
    """Two themes answer each other, then one member draws them together."""
    ours, theirs = ([seat for seat in theme if seat in parties] for theme in themes(positions, agreements))
    joined = Turn((leading[0],), tuple(seat for seat in parties if seat != leading[0]), SYNTHESIS, "synthesis")
    return [Turn(tuple(ours), tuple(theirs)), Turn(tuple(theirs), tuple(ours)), joined]


def _concert(
    parties: list[str], positions: Positions, agreements: Mapping[tuple[str, str], float], leading: list[str]
) -> list[Turn]:
    """A soloist drafts, the ensemble refines, each what the one before has made of it."""
    soloist = leading[0]
    ensemble = tuple(seat for seat in parties if seat != soloist)
    refined = [Turn((seat,), (soloist, *ensemble[:place]), REFINING) for place, seat in enumerate(ensemble)]
    return [Turn((soloist,), ensemble, SOLO, "solo"), *refined]
