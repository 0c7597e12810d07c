"""Claims of several arguments side by side: which are one, by the test that merges claims in a graph (ruling G11).

Nothing new is decided here: a store takes the claims of all arguments in and says what it merged and what opposes.
Claims of the same words are `equal`; what the store merged beyond that is called `merged`, with its measure.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.argument import GraphStore
from moot.methods.argued.values import ArgumentClaim
from moot.methods.sameness import is_equal

ClaimStand = Literal["held", "disputed", "refuted", "not said"]

MOST_OF_AN_ARGUMENT = 200
"""Claims of one argument that are compared: to find what is alike takes time with the square of their number."""
MOST_OPPOSED = 3

_GRAPH = "across"


@dataclass(frozen=True, slots=True)
class ClaimCell:
    """Where a claim stands in one argument."""

    stand: ClaimStand
    ids: tuple[str, ...] = ()
    """The claims of that argument that are this one."""
    words: str = ""
    """What it says there, where it is worded otherwise than the row."""
    held_by: tuple[str, ...] = ()
    """The seats, or the runs, that put it forward."""
    decided_by: str = ""
    """Who decided that it is the row's claim: `equal` or `merged`; empty where it is the row's own."""
    measure: str = ""
    score: float | None = None
    reason: str = ""
    """Why it is refuted there."""
    opposed_by: tuple[str, ...] = ()
    """Claims that are said there against it, as a guard found; only where it is itself not said."""


@dataclass(frozen=True, slots=True)
class SharedClaim:
    """A claim, and where it stands in each argument; None where there is no argument."""

    claim: str
    cells: tuple[ClaimCell | None, ...]

    @property
    def said_in(self) -> int:
        """In how many arguments it is said."""
        return sum(cell is not None and cell.stand != "not said" for cell in self.cells)


def shared_claims(arguments: Sequence[Sequence[ArgumentClaim] | None]) -> tuple[SharedClaim, ...]:
    """Return the claims of all arguments, each once: those that most arguments say first, then in their order.

    Of a large argument the claims that most hangs on are taken, `MOST_OF_AN_ARGUMENT` of them.
    """
    taken = [None if claims is None else weightiest(claims) for claims in arguments]
    store = GraphStore(identifiers=True)
    claims: dict[str, tuple[int, ArgumentClaim]] = {}
    for place, some in enumerate(taken):
        named = {f"{place}:{number}": claim for number, claim in enumerate(some or ())}
        claims |= {name: (place, claim) for name, claim in named.items()}
        nodes = [{"id": name, "claim": claim.claim, "type": "assumption"} for name, claim in named.items()]
        store.assert_graph(_GRAPH, nodes, run_id=str(place))
    rows: dict[str, list[str]] = defaultdict(list)
    for name in claims:
        # What is too long for a store's claim stays by itself.
        rows[(store.resolve(_GRAPH, name) if claims else None) or name].append(name)
    across = _Across(store, claims, rows, [some is not None for some in taken])
    return tuple(sorted((across.row(first) for first in rows), key=lambda row: -row.said_in))


def weightiest(claims: Sequence[ArgumentClaim]) -> list[ArgumentClaim]:
    """Return the claims of an argument that most hangs on, in their order."""

    def weight(claim: ArgumentClaim) -> tuple[bool, bool, bool, int]:
        return claim.type != "conclusion", not claim.roads, not claim.is_disputed, -len(claim.runs)

    chosen = sorted(range(len(claims)), key=lambda place: weight(claims[place]))[:MOST_OF_AN_ARGUMENT]
    return [claims[place] for place in sorted(chosen)]


class _Across:
    """A store that holds the claims of all arguments."""

    def __init__(
        self,
        store: GraphStore,
        claims: Mapping[str, tuple[int, ArgumentClaim]],
        rows: Mapping[str, Sequence[str]],
        argued: Sequence[bool],
    ) -> None:
        self._claims, self._rows, self._argued = claims, rows, argued
        self._merges = {merge["merged"]: merge for merge in store.merges(_GRAPH)} if claims else {}
        self._opposed: dict[str, list[str]] = defaultdict(list)
        # No relation was asserted: an attack is a guard's, and stands in both directions.
        for edge in store.edges(_GRAPH) if claims else ():
            self._opposed[edge.src].append(edge.dst)

    def row(self, first: str) -> SharedClaim:
        """A claim with where it stands in each argument."""
        words = self._claims[first][1].claim
        names: dict[int, list[str]] = defaultdict(list)
        for name in self._rows[first]:
            names[self._claims[name][0]].append(name)
        cells = [
            self._cell(words, first, place, names.get(place, ())) if argued else None
            for place, argued in enumerate(self._argued)
        ]
        return SharedClaim(words, tuple(cells))

    def _cell(self, words: str, first: str, place: int, names: Sequence[str]) -> ClaimCell:
        if not names:
            return ClaimCell("not said", opposed_by=tuple(self._against(first, place))[:MOST_OPPOSED])
        own = [self._claims[name][1] for name in names]
        merge = self._merges.get(names[0], {})
        is_row, is_same = names[0] == first, is_equal(words, own[0].claim)
        is_merged = not (is_row or is_same)
        return ClaimCell(
            stand=_stand(own),
            ids=tuple(claim.id for claim in own),
            words="" if own[0].claim == words else own[0].claim,
            held_by=tuple(dict.fromkeys(run.seat or run.run for claim in own for run in claim.runs)),
            decided_by="" if is_row else "equal" if is_same else "merged",
            measure=str(merge.get("by", "")) if is_merged else "",
            score=merge.get("score") if is_merged else None,
            reason=next((claim.refute_reason for claim in own if claim.refute_reason), ""),
        )

    def _against(self, first: str, place: int) -> Iterable[str]:
        for other in self._opposed[first]:
            yield from (self._claims[name][1].claim for name in self._rows[other] if self._claims[name][0] == place)


def _stand(claims: Sequence[ArgumentClaim]) -> ClaimStand:
    """Where claims stand that are one here; where they stand differently, it is disputed."""
    stands = {_stand_of(claim) for claim in claims}
    return stands.pop() if len(stands) == 1 else "disputed"


def _stand_of(claim: ArgumentClaim) -> ClaimStand:
    if claim.refuted or claim.fate == "defeated":
        return "refuted"
    return "disputed" if claim.is_disputed or claim.fate == "undecided" else "held"
