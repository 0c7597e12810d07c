"""The steps of a run that were recomputed: what they start from, and what stands from then on (ruling I18)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from moot.argument.wording.normal_form import canonical_number
from moot.methods.citing.draft import GraphDraft
from moot.methods.citing.origins import Origins
from moot.methods.programs import in_digits
from moot.methods.recomputing import Recomputed
from moot.methods.sameness import content_words, names_in, stated_numbers

# "Total Cost = 5 * 3": what is put before an equation names its result and nothing else.
_LABEL = re.compile(r"^[^=.,\d]{1,60}=")
NOWHERE = "the number {} stands neither in the question nor in a document"


@dataclass(slots=True)
class ComputedNumbers:
    """The numbers that a run computed, each with the step that has it."""

    origins: Origins
    draft: GraphDraft
    steps: dict[str, str] = field(default_factory=dict)
    from_covered: set[str] = field(default_factory=set)

    @property
    def standing(self) -> frozenset[str]:
        """The numbers that stand since they were computed."""
        return frozenset(self.steps)

    def step(self, key: str, claim: str, equations: Sequence[Recomputed]) -> str:
        """Write a sentence with its equations down as one step on the numbers that they start from; return its id."""
        own = {canonical(item.result) for item in equations if item.result}
        premises, is_covered = self.premises(started_from(equations), claim)
        if foreign := self._foreign_name(claim):
            node_id = self.draft.assumption(key, claim, f"nothing has the name {foreign}")
            is_covered = False
        else:
            node_id = self.draft.inference(key, claim, premises)
        if false := [item for item in equations if item.verdict == "false"]:
            self.draft.refuted[node_id] = "; ".join(f"{item.reading}: {item.how}" for item in false)
        self.keep(own, node_id, is_covered=is_covered)
        return node_id

    def premises(self, numbers: Iterable[str], beside: str) -> tuple[list[str], bool]:
        """Return the nodes of numbers, and whether all of them were computed from, or are, numbers that are covered."""
        premises: list[str] = []
        is_covered = True
        for number in numbers:
            if number in self.steps:
                premises.append(self.steps[number])
                is_covered &= number in self.from_covered
            elif (origin := self.origins.of_number(number, beside)) is not None:
                premises.append(self.draft.given(origin))
                self.draft.grounds.append(origin.said)
            else:
                premises.append(self.draft.assumption(f"n{number}", f"The number {number}.", NOWHERE.format(number)))
                is_covered = False
        return premises, is_covered and bool(premises)

    def keep(self, results: Iterable[str], node_id: str, *, is_covered: bool) -> None:
        """Let numbers stand as the result of a step."""
        for result in results:
            self.steps[result] = node_id
            self.from_covered.discard(result)
            if is_covered:
                self.from_covered.add(result)

    def yields(self, answer: str, equations: Sequence[Recomputed] = ()) -> bool:
        """Return whether an answer is a number that a step comes to from numbers that are covered."""
        stated = {canonical(equations[-1].result)} if equations else stated_numbers(answer)
        own = stated - stated_numbers(self.origins.question) or stated
        return len(own) == 1 and own <= self.from_covered

    def _foreign_name(self, claim: str) -> str:
        """A name that neither the question nor a document has: an equation does not vouch for it."""
        known = content_words(self.origins.question)
        for name in names_in(_LABEL.sub("", claim)):
            words = content_words(name)
            if words and not words & known and not any(word in self.origins.index.having for word in words):
                return name
        return ""


def started_from(equations: Sequence[Recomputed]) -> list[str]:
    """Return the numbers that equations start from: all but what an earlier one of them came to."""
    started: dict[str, None] = {}
    reached: set[str] = set()
    for item in equations:
        started |= dict.fromkeys(number for number in map(canonical, item.operands) if number not in reached)
        reached |= {canonical(item.result)} if item.result else set()
    return list(started)


def canonical(number: str) -> str:
    """Return a number as it is looked up: 1,250.0 and 1.25e3 as 1250."""
    plain = number.replace(",", "").replace("_", "")
    return canonical_number(in_digits(Fraction(plain)) if "e" in plain.lower() else plain)
