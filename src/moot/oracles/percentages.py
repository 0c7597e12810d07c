"""Percent changes and shares, judged to the last digit that is given (rulings S7, S12).

From 80% to 100% may be 25 percent or 20 points, and "50 plus 20%" may be 60 or 50.2: such sentences are not read.
"""

import re
from fractions import Fraction
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import evaluated, exactly, shown
from moot.oracles.engine.expressions import Node, Operation, parsed
from moot.oracles.engine.precision import agreement, stated_unit
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable

MOST_DIGITS = 30

Relation = Literal["increased", "decreased", "increase", "decrease", "share"]

_NUMBER = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


class Percentages(Deniable):
    """A claim about percentages.

    increased, decreased: `first` changed by `second` percent is `claimed`. increase, decrease: from `first` to `second`
    is one of `claimed` percent. share: `first` of `second` is `claimed` percent.
    """

    kind: Literal["percentages"] = "percentages"
    relation: Relation
    first: Line
    second: Line
    claimed: Line

    @property
    @override
    def reading(self) -> str:
        """The change or share as a sentence."""
        first, second, claimed = (text.strip().removesuffix("%").strip() for text in _texts(self))
        is_it = "is not" if self.negated else "is"
        return {
            "increased": f"{first} * (1 + {second}/100) {is_it} {claimed}",
            "decreased": f"{first} * (1 - {second}/100) {is_it} {claimed}",
            "increase": f"({second} - {first}) / {first} {is_it} {claimed}%",
            "decrease": f"({first} - {second}) / {first} {is_it} {claimed}%",
            "share": f"{first} / {second} {is_it} {claimed}%",
        }[self.relation]


def decide(check: Percentages) -> Computed:
    """Return whether the change or the share is the claimed one, exactly or as rounded."""
    changed = check.relation in ("increased", "decreased")
    first = _amount(check.first)
    second = _amount(check.second.strip().removesuffix("%") if changed else check.second)
    value = _value(check.relation, first, second)
    text = check.claimed.strip()
    stated = _parsed(text if changed else text.removesuffix("%"))
    node = stated if changed else Operation("percent", (stated,))
    how = agreement(exactly(value), evaluated(node), node, converted=True)
    if how == "apart":
        _refuse_cut(value, node)
    size = shown(exactly(value if changed else 100 * value), 12).rpartition("≈ ")[2]
    return Computed(
        how != "apart", size if changed else f"{size}%", "computed over fractions", rounded=how == "rounded"
    )


def _texts(check: Percentages) -> tuple[str, str, str]:
    return check.first, check.second, check.claimed


def _parsed(text: str) -> Node:
    plain = text.strip()
    if not _NUMBER.fullmatch(plain) or len(plain) > MOST_DIGITS:
        raise Uncomputable(f"numbers of at most {MOST_DIGITS} plain digits, that are not negative")
    return parsed(plain)


def _amount(text: str) -> Fraction:
    return evaluated(_parsed(text)).low


def _value(relation: Relation, first: Fraction, second: Fraction) -> Fraction:
    if relation == "increased":
        return first * (100 + second) / 100
    if relation == "decreased":
        return first * (100 - second) / 100
    whole = second if relation == "share" else first
    if not whole:
        raise Uncomputable("percents of an amount that is not zero")
    if relation == "share":
        return first / second
    return (second - first) / first if relation == "increase" else (first - second) / first


def _refuse_cut(value: Fraction, node: Node) -> None:
    """Two thirds are 67%, but many who write 66% have cut and not rounded."""
    unit = stated_unit(node, converted=True)
    if unit and 0 < value - evaluated(node).low < unit:
        raise Uncomputable("values rounded at their last digit, not cut there")


_N = r"([0-9][0-9,]*(?:\.[0-9]+)?)"
_PERCENT = r"([0-9][0-9,]*(?:\.[0-9]+)?) ?(?:%|percent)"
_IS = r" ?(?:is|equals|=) ?"
_UP = ("increase", "rise", "gain")
_CHANGED = re.compile(rf"{_N} (increased|decreased|reduced) by {_PERCENT}{_IS}{_N}", re.IGNORECASE)
_OFF = re.compile(rf"{_PERCENT} (off|off of|less than|more than) {_N}{_IS}{_N}", re.IGNORECASE)
_MORE = re.compile(rf"{_N} is {_PERCENT} (less|more) than {_N}", re.IGNORECASE)
_FROM_TO = re.compile(
    rf"(?:(?:going )?from )?{_N} to {_N} is an? (?:(increase|decrease|rise|drop|gain) of {_PERCENT}"
    rf"|{_PERCENT} (increase|decrease|rise|drop|gain))",
    re.IGNORECASE,
)
_OUT_OF = re.compile(rf"{_N} (?:out of|in) {_N} is {_PERCENT}", re.IGNORECASE)
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")


def read(sentence: str) -> Percentages | None:
    """Return the percent change or share that a sentence claims as a whole, or nothing."""
    if found := _CHANGED.fullmatch(sentence):
        return _changed(found[1], found[3], found[4], more=found[2].lower() == "increased")
    if found := _OFF.fullmatch(sentence):
        return _changed(found[3], found[1], found[4], more=found[2].lower() == "more than")
    if found := _MORE.fullmatch(sentence):
        return _changed(found[4], found[2], found[1], more=found[3].lower() == "more")
    if found := _FROM_TO.fullmatch(sentence):
        change = (found[3] or found[6]).lower()
        return _from_to(found[1], found[2], found[4] or found[5], "increase" if change in _UP else "decrease")
    if found := _OUT_OF.fullmatch(sentence):
        return _percentages("share", found[1], found[2], found[3])
    return None


def _changed(first: str, percent: str, claimed: str, *, more: bool) -> Percentages | None:
    """A claimed amount that is the change itself, as in "20% off 50 is 10", may be meant as such."""
    check = _percentages("increased" if more else "decreased", first, percent, claimed)
    if check is None or _amount(claimed) == _amount(first) * _amount(percent) / 100:
        return None
    return check


def _from_to(first: str, second: str, claimed: str, relation: Relation) -> Percentages | None:
    """From 1990 to 2000 something else may have grown."""
    years = _YEAR.fullmatch(first) and _YEAR.fullmatch(second)
    return None if years else _percentages(relation, first, second, claimed)


def _percentages(relation: Relation, first: str, second: str, claimed: str) -> Percentages | None:
    if not all(_NUMBER.fullmatch(text) and len(text) <= MOST_DIGITS for text in (first, second, claimed)):
        return None
    return Percentages(relation=relation, first=first, second=second, claimed=claimed)


ORACLE = Oracle(
    kind="percentages",
    takes=Percentages,
    help="an amount changed by percents, the percents of a change, shares",
    limit=f"numbers of {MOST_DIGITS} digits that are not negative",
    decide=decide,
    read=read,
)
