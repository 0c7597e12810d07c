"""Averages: mean, median, mode, range and sum of a short list of numbers, by the rule of `precision` (S7, S12)."""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import evaluated, exactly, shown
from moot.oracles.engine.expressions import parsed
from moot.oracles.engine.precision import agreement
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded, shortened
from moot.oracles.reading.lists import Numbers, entries

MOST_NUMBERS = 100
MOST_CHARACTERS = 2_000
MOST_DIGITS = 30

Relation = Literal["mean", "median", "mode", "range", "sum"]

_NUMBER = re.compile(r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


class Averages(Deniable):
    """A claim that the mean, median, mode, range or sum of `numbers` is `claimed`; with `about`, approximately.

    range: the largest less the smallest.
    """

    kind: Literal["averages"] = "averages"
    relation: Relation
    numbers: Numbers
    claimed: Line
    about: bool = False

    @property
    @override
    def reading(self) -> str:
        """The average as a sentence."""
        is_it = ("is not" if self.negated else "is") + (" about" if self.about else "")
        numbers = shortened(self.numbers.replace(";", ","), 100)
        return f"the {self.relation} of {numbers} {is_it} {self.claimed}"


def decide(check: Averages) -> Computed:
    """Return whether the average of the numbers is the claimed one, exactly or as rounded."""
    numbers = _numbers(check.numbers)
    value = exactly(_VALUES[check.relation](numbers))
    if not _NUMBER.fullmatch(check.claimed.strip()):
        raise Uncomputable("one claimed number in plain digits")
    stated = parsed(check.claimed.strip())
    how = agreement(value, evaluated(stated), stated, about=check.about)
    return Computed(how != "apart", shown(value), f"of {len(numbers)} numbers", rounded=how == "rounded")


def _numbers(text: str) -> list[Fraction]:
    texts = entries(bounded(text, MOST_CHARACTERS, "lists"))
    if not 2 <= len(texts) <= MOST_NUMBERS:
        raise Uncomputable(f"from 2 to {MOST_NUMBERS} numbers")
    if not all(_NUMBER.fullmatch(entry) and len(entry) <= MOST_DIGITS for entry in texts):
        raise Uncomputable(f"numbers of at most {MOST_DIGITS} plain digits, with spaces between them")
    return [Fraction(entry.replace(",", "")) for entry in texts]


def _median(numbers: list[Fraction]) -> Fraction:
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _mode(numbers: list[Fraction]) -> Fraction:
    counts = Counter(numbers).most_common(2)
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        raise Uncomputable("numbers of which one occurs more often than all others")
    return counts[0][0]


_VALUES: dict[Relation, Callable[[list[Fraction]], Fraction]] = {
    "mean": lambda numbers: sum(numbers, Fraction(0)) / len(numbers),
    "median": _median,
    "mode": _mode,
    "range": lambda numbers: max(numbers) - min(numbers),
    "sum": lambda numbers: sum(numbers, Fraction(0)),
}
_NAMES: dict[str, Relation] = {
    "average": "mean",
    "mean": "mean",
    "arithmetic mean": "mean",
    "median": "median",
    "mode": "mode",
    "range": "range",
    "sum": "sum",
}
_ONE = r"-?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
_OF = re.compile(
    rf"the ({'|'.join(_NAMES)}) of ({_ONE}(?:, {_ONE})*,? and {_ONE}|{_ONE}(?:, {_ONE}){{2,}}) "
    rf"(is not|is|equals|=|≈|is about|is approximately|is roughly) ({_ONE})",
    re.IGNORECASE,
)
_ABOUT = ("≈", "is about", "is approximately", "is roughly")


def read(sentence: str) -> Averages | None:
    """Return the average that a sentence claims as a whole, or nothing."""
    said = sentence if sentence[:4].lower() == "the " else f"the {sentence}"
    found = _OF.fullmatch(said)
    if found is None:
        return None
    relation, between = _NAMES[found[1].lower()], found[3].lower()
    numbers = re.sub(r",? and |, ", "; ", found[2])
    # The sum of two numbers is arithmetic's.
    if relation == "sum" and numbers.count(";") < 2:
        return None
    return Averages(
        relation=relation, numbers=numbers, claimed=found[4], about=between in _ABOUT, negated=between == "is not"
    )


ORACLE = Oracle(
    kind="averages",
    takes=Averages,
    help="mean, median, mode, range and sum of a list of numbers",
    limit=f"from 2 to {MOST_NUMBERS} numbers of {MOST_DIGITS} digits",
    decide=decide,
    read=read,
)
