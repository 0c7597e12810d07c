"""One rule for the same answer, for all protocols and the votes of evaluations (ruling G12)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from moot.methods.sameness.containment import Setting, is_contained, is_telling, tokens, without_echo
from moot.methods.sameness.quantities import quantity
from moot.methods.sameness.texts import UNDECIDED, PairDecision, compared, is_equal, strict_form

_POLAR = frozenset(["yes", "no", "true", "false", "maybe", "unknown", "neither", "both", "none"])
_STRONGEST_FIRST = ("equal", "number", "conclusion", "contained")


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """One answer in its first wording, by the places of those who give it, and why the later ones count as it."""

    answer: str
    places: tuple[int, ...]
    reasons: tuple[str, ...] = ()
    """Why each of `places` belongs here: `first`, `equal`, `number`, `conclusion`, `contained`."""


@dataclass(frozen=True, slots=True)
class AnswerGroups:
    """All answers by groups, most votes first; `between` are the answers that fit two groups and stay apart."""

    groups: tuple[AnswerGroup, ...]
    between: tuple[str, ...] = ()

    def group_of(self, place: int) -> int:
        """Return the number of the group to which the answer at this place belongs."""
        return next(number for number, group in enumerate(self.groups) if place in group.places)


def same_answer(
    first: str, second: str, *, conclusions: tuple[str, str] = ("", ""), setting: Setting | None = None
) -> PairDecision:
    """Return whether two short answers are the same, and by what.

    By the strict form, by the same number with the same unit, or by equal conclusion sentences. With a `setting` also
    by containment, which is bounded by what the question and the documents say.
    """
    if setting is not None:
        own = (without_echo(first, setting.question), without_echo(second, setting.question))
        if own != (first, second):
            decided = same_answer(*own, conclusions=conclusions, setting=setting)
            return PairDecision("same", "contained", "contained") if decided.outcome == "same" else decided
    decided = _as_numbers(first, second) or compared(first, second)
    elsewhere = [first, second, *(setting.texts if setting else ())]
    if decided.outcome != "undecided" or _is_common(first, elsewhere) or _is_common(second, elsewhere):
        return decided
    if is_equal(*conclusions):
        return PairDecision("same", "equal", "conclusion")
    if setting is not None and is_contained(first, second, setting):
        return PairDecision("same", "contained", "contained")
    return decided


def _as_numbers(first: str, second: str) -> PairDecision | None:
    """What two answers come to that are numbers with units; None where the texts have to tell."""
    one, other = quantity(first), quantity(second)
    if one is None or other is None:
        return None
    if one == other:
        return PairDecision("same", "equal", "number")
    # Folding case would make one of mW and MW; and whether a share or a percentage was asked for, letters do not tell.
    return UNDECIDED if is_equal(first, second) or one.as_share == other.as_share else None


@dataclass(slots=True)
class _Gathering:
    """Groups as they grow."""

    members: list[list[int]] = field(default_factory=list)
    reasons: list[list[str]] = field(default_factory=list)
    between: list[str] = field(default_factory=list)


def answer_groups(
    answers: Sequence[str], *, conclusions: Sequence[str] = (), setting: Setting | None = None
) -> AnswerGroups:
    """Return the answers in groups by complete linkage, in the order of votes (ruling G12).

    An answer joins a group only if it is the same as every answer in it; one that fits two groups stays apart.
    """
    said = list(conclusions) or [""] * len(answers)
    spellings = _spellings(answers, said)
    gathering = _Gathering()
    for places in spellings:
        _join(gathering, places, answers, said, setting)
    groups = [
        AnswerGroup(answers[min(members)], *_in_order(members, reasons))
        for members, reasons in zip(gathering.members, gathering.reasons, strict=True)
    ]
    ordered = sorted(groups, key=lambda group: (-len(group.places), group.places[0]))
    return AnswerGroups(tuple(ordered), tuple(gathering.between))


def _spellings(answers: Sequence[str], conclusions: Sequence[str]) -> list[list[int]]:
    """The places of each spelling, most votes first: equal answers with equal conclusions are one vote pile."""
    piles: dict[tuple[str, str], list[int]] = {}
    for place, answer in enumerate(answers):
        key = strict_form(answer) or f"\x00{place}", strict_form(conclusions[place])
        piles.setdefault(key, []).append(place)
    return sorted(piles.values(), key=lambda places: (-len(places), places[0]))


def _join(
    gathering: _Gathering,
    places: list[int],
    answers: Sequence[str],
    conclusions: Sequence[str],
    setting: Setting | None,
) -> None:
    place = places[0]
    fitting: dict[int, str] = {}
    for number, members in enumerate(gathering.members):
        # Equal spellings of one group need one comparison.
        seen = {(strict_form(answers[other]), strict_form(conclusions[other])): other for other in reversed(members)}
        reasons = [_reason(place, other, answers, conclusions, setting) for other in seen.values()]
        if all(reasons):
            fitting[number] = max(reasons, key=_STRONGEST_FIRST.index)
    exact = [number for number, reason in fitting.items() if reason == "equal"]
    chosen = exact or list(fitting)
    if len(chosen) == 1:
        gathering.members[chosen[0]] += places
        gathering.reasons[chosen[0]] += [fitting[chosen[0]]] * len(places)
        return
    if chosen:
        gathering.between.append(answers[place])
    gathering.members.append(list(places))
    gathering.reasons.append(["first", *["equal"] * (len(places) - 1)])


def _reason(one: int, other: int, answers: Sequence[str], conclusions: Sequence[str], setting: Setting | None) -> str:
    pair = (conclusions[other], conclusions[one])
    decided = same_answer(answers[other], answers[one], conclusions=pair, setting=setting)
    return (decided.reason or decided.by) if decided.outcome == "same" else ""


def _in_order(members: list[int], reasons: list[str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    pairs = sorted(zip(members, reasons, strict=True))
    return tuple(place for place, _ in pairs), tuple(reason for _, reason in pairs)


def _is_common(answer: str, elsewhere: Sequence[str]) -> bool:
    """Whether an answer is a yes, a no, or one plain word: such answers join only if they are equal."""
    words = list(islice(tokens(answer), 2))
    if not words or words[0].casefold() in _POLAR:
        return True
    return len(words) == 1 and not is_telling(answer, elsewhere)
