"""Combinations and permutations: how many ways there are to choose or to arrange (rulings S7, S12)."""

import re
from math import comb, perm
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import exactly, shown
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded

MOST_THINGS = 300
MOST_CHARACTERS = 1_000

Relation = Literal["choose", "permutations"]

_SMALL = re.compile(r"[0-9]{1,3}")
_WHOLE = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,700}")


class Combinations(Deniable):
    """A claim that the number of ways is `claimed`.

    choose: to choose `taken` of `things` without order or repetition. permutations: the same in order.
    """

    kind: Literal["combinations"] = "combinations"
    relation: Relation
    things: Line
    taken: Line
    claimed: Line

    @property
    @override
    def reading(self) -> str:
        """The count in the usual signs."""
        chosen = self.relation == "choose"
        left = f"C({self.things}, {self.taken})" if chosen else f"the permutations of {self.taken} of {self.things}"
        return f"{left} {'!=' if self.negated else '='} {self.claimed}"


def decide(check: Combinations) -> Computed:
    """Return whether there are as many ways as claimed."""
    things, taken = _small(check.things), _small(check.taken)
    chosen = check.relation == "choose"
    count = comb(things, taken) if chosen else perm(things, taken)
    how = f"{taken} of {things}, {'without' if chosen else 'in'} order, each once"
    claimed = bounded(check.claimed.strip(), MOST_CHARACTERS, "claimed numbers")
    if not _WHOLE.fullmatch(claimed):
        raise Uncomputable("a claimed whole number in plain digits")
    return Computed(count == int(claimed.replace(",", "")), shown(exactly(count)), how)


def _small(text: str) -> int:
    if not _SMALL.fullmatch(text.strip()) or int(text) > MOST_THINGS:
        raise Uncomputable(f"whole numbers from 0 to {MOST_THINGS}")
    return int(text)


_N = r"([0-9]{1,3})"
_IS = r" ?(?:is|equals|=) ?"
_CLAIMED = r"([0-9][0-9,]*)"
_CHOOSE = (
    re.compile(rf"(?:the binomial coefficient )?(?:C|nCr|binom)\( ?{_N}, ?{_N} ?\){_IS}{_CLAIMED}"),
    re.compile(rf"([0-9]{{1,3}}) ?C ?([0-9]{{1,3}}){_IS}{_CLAIMED}"),
    re.compile(rf"{_N} choose {_N}{_IS}{_CLAIMED}", re.IGNORECASE),
    re.compile(
        rf"the number of combinations of {_N} (?:things|objects|items|elements) taken {_N} at a time{_IS}{_CLAIMED}",
        re.IGNORECASE,
    ),
)
_WAYS = re.compile(
    rf"the number of ways to choose {_N}(?: (?:things|objects|items|elements))? (?:of|from|out of|from among) "
    rf"{_N}(?: (?:things|objects|items|elements))?{_IS}{_CLAIMED}",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(
    rf"the number of permutations of {_N} (?:things|objects|items|elements) taken {_N} at a time{_IS}{_CLAIMED}",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"the number of permutations of {_N} distinct (?:things|objects|items|elements){_IS}{_CLAIMED}", re.IGNORECASE
)


def read(sentence: str) -> Combinations | None:
    """Return the number of ways that a sentence claims as a whole, or nothing."""
    for shape in _CHOOSE:
        if found := shape.fullmatch(sentence):
            return _chosen("choose", found[1], found[2], found[3])
    if found := _WAYS.fullmatch(sentence):
        return _chosen("choose", found[2], found[1], found[3])
    if found := _IN_ORDER.fullmatch(sentence):
        return _chosen("permutations", found[1], found[2], found[3])
    if found := _ALL.fullmatch(sentence):
        return _chosen("permutations", found[1], found[1], found[2])
    return None


def _chosen(relation: Relation, things: str, taken: str, claimed: str) -> Combinations | None:
    """More taken than there are is rather another function with the same sign."""
    if int(taken) > int(things):
        return None
    return Combinations(relation=relation, things=things, taken=taken, claimed=claimed)


ORACLE = Oracle(
    kind="combinations",
    takes=Combinations,
    help="binomial coefficients, permutations",
    limit=f"whole numbers up to {MOST_THINGS}",
    decide=decide,
    read=read,
)
