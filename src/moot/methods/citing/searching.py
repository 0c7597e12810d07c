"""Which sentences cover a claim: those that it cites, else all; as a whole, else part by part (ruling I12)."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from moot.methods.citing.clauses import parts_of
from moot.methods.citing.origins import Origin, Origins
from moot.methods.sameness import Cover, covered

MOST_COVERING = 2
"""Sentences of documents that cover one of a reply (I12)."""


@dataclass(frozen=True, slots=True)
class CoveringSentences:
    """The sentences that cover a claim, with the words of theirs that do; or why none does."""

    origins: tuple[Origin, ...] = ()
    words: tuple[str, ...] = ()
    problem: str = ""


def grounds_of(
    claim: str, origins: Origins, standing: Collection[str], is_restated: Callable[[str], bool] = lambda part: False
) -> CoveringSentences:
    """Return the one or two sentences of all that cover a claim, or that cover its parts.

    A part that only states the answer over again needs no cover: the other parts are said for it.
    """
    whole = _cover(claim, origins, standing)
    if whole.holds:
        return _grounds([whole], origins)
    parts = [(part, _cover(part, origins, standing)) for part in parts_of(claim)]
    covers = [cover for part, cover in parts if cover.holds or not is_restated(part)]
    grounds = _grounds(covers, origins)
    if len(parts) > 1 and covers and all(cover.holds for cover in covers) and len(grounds.origins) <= MOST_COVERING:
        return grounds
    return CoveringSentences(problem=_problem(whole, origins))


def grounds_within(
    claim: str, cited: Sequence[Origin], origins: Origins, standing: Collection[str]
) -> CoveringSentences:
    """Return those of the sentences that a claim cites that cover it."""
    owned = [(origin, piece) for origin in cited for piece in origin.pieces]
    cover = covered(
        claim,
        [piece for _, piece in owned],
        rarity=origins.rarity,
        question=origins.question,
        standing=standing,
    )
    if not cover.holds:
        return CoveringSentences(problem=cover.problem)
    chosen = [owned[place] for place in cover.places]
    return CoveringSentences(tuple(dict.fromkeys(origin for origin, _ in chosen)), tuple(piece for _, piece in chosen))


def _cover(claim: str, origins: Origins, standing: Collection[str]) -> Cover:
    return covered(claim, origins.index, rarity=origins.rarity, question=origins.question, standing=standing)


def _grounds(covers: Sequence[Cover], origins: Origins) -> CoveringSentences:
    places = dict.fromkeys(place for cover in covers for place in cover.places)
    owners = (owner for place in places if (owner := origins.owners[place]) is not None)
    return CoveringSentences(tuple(dict.fromkeys(owners)), tuple(origins.index.texts[place] for place in places))


def _problem(cover: Cover, origins: Origins) -> str:
    """What is wrong with the sentence that is nearest."""
    nearest = [owner.number for place in cover.places if (owner := origins.owners[place]) is not None]
    return f"nearest is sentence {nearest[0]}: {cover.problem}" if nearest else cover.problem
