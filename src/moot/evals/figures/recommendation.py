"""Which member to use by default, if any: the paper's one decision that the screen feeds (interrogation 2).

Nobody is recommended below a floor. Whoever always abstains is right wherever the documents do not settle the question,
and reads nothing: that is 14 of the fifty items, or 28 %. A member has to be above that by more than chance, with the
whole interval of its share; and it has to be right in at least half, since one that is mostly wrong is no default. Of
the fifty, 25 are needed. A short screen has wide intervals and asks for more: 3 of 3, 5 of 6, 8 of 12.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from moot.evals.figures.forms import Forms
from moot.evals.figures.metrics import Proportion, proportion
from moot.evals.figures.screen import Screened

FLOOR = 0.5
"""Of the items: a member that is right in a smaller share is recommended to nobody."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The member to use by default, or nobody, and why."""

    member: str | None
    why: str

    @override
    def __str__(self) -> str:
        return f"default member: {self.member}: {self.why}" if self.member else f"nobody is recommended: {self.why}"


def needed_right(items: int, unsettled: int) -> int | None:
    """Return how many of the items must be right to be recommended; None where not even all of them would do."""
    abstaining = unsettled / items if items else 1.0
    enough = (right for right in range(items + 1) if right >= FLOOR * items)
    return next((right for right in enough if proportion(right, items).low > abstaining), None)


def recommendation(members: Sequence[Screened], forms: Mapping[str, Forms] | None = None) -> Recommendation:
    """Return the member to use by default, and why; nobody where no one reaches the floor.

    Most right, then most replies in shape at once (interrogation 4.3), then least from memory, then cheapest, then
    quickest.
    """
    if not members:
        return Recommendation(None, "nobody was asked")
    formed = forms or {}
    ranked = sorted(members, key=lambda one: _preference(one, formed.get(one.member)))
    lacks = {one.member: _lack(one, formed.get(one.member)) for one in ranked}
    best = next((one for one in ranked if not lacks[one.member]), None)
    if best is None:
        most = ranked[0]
        return Recommendation(None, f"the best, {most.member}, has {_of(most.right)} right{lacks[most.member]}")
    words = f"{_of(best.right)} right ({best.shares['memorized'].right} from memory){_shape(formed.get(best.member))}"
    others = [one for one in ranked if one is not best]
    if not others:
        return Recommendation(best.member, f"{words}; it was the only one screened")
    if others[0] is ranked[0]:
        lacking = f"{others[0].member} has {others[0].right.right} right{lacks[others[0].member]}"
        return Recommendation(best.member, f"{words}; {lacking}")
    return Recommendation(best.member, f"{words}{_beside(best, others[0])}")


def _beside(best: Screened, second: Screened) -> str:
    if best.right.right == second.right.right:
        decided = "the replies in shape at once, those from memory and the cost decided"
        return f", as many right as {second.member}; {decided}"
    if best.right.low <= second.right.high:
        return f", but the interval overlaps that of {second.member} ({second.right.right} right)"
    return f"; {second.member} comes next with {second.right.right}, outside its interval"


def _lack(one: Screened, forms: Forms | None) -> str:
    """What a member lacks to be recommended, to stand behind how many it has right."""
    needed = needed_right(one.items, one.unsettled)
    if needed is None:
        return "; so few items tell nobody from a member that always abstains"
    if one.right.right < needed:
        return f"; at least {needed} {'is' if needed == 1 else 'are'} needed"
    return f", but {forms.why}" if forms and forms.recommended is None else ""


def _preference(one: Screened, forms: Forms | None) -> tuple[float, ...]:
    return (
        -(one.right.value or 0.0),
        -(forms.in_shape.value or 0.0) if forms else 0.0,
        one.shares["memorized"].right,
        float("inf") if one.known_usd.whole is None else one.known_usd.whole,
        one.seconds,
    )


def _shape(forms: Forms | None) -> str:
    return f", {_of(forms.in_shape)} replies in shape at once" if forms else ""


def _of(share: Proportion) -> str:
    return f"{share.right} of {share.of}"
