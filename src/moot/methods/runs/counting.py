"""How runs are counted: their answers by groups, who may win, and who leads in each form. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from moot.core.question import Question
from moot.methods.runs.forms import Form
from moot.methods.runs.run import ABSTENTIONS, Run
from moot.methods.sameness import AnswerGroups
from moot.methods.sampling import Tally, tally_of
from moot.methods.votes import voted


@dataclass(frozen=True, slots=True)
class VotedAnswer:
    """An answer and the runs that give it."""

    answer: str
    runs: tuple[Run, ...]
    abstains: bool = False

    @property
    def votes(self) -> int:
        """How many runs give it."""
        return len(self.runs)


@dataclass(frozen=True, slots=True)
class Count:
    """All runs, and the answers of those that vote by groups, most votes first (G12)."""

    runs: tuple[Run, ...] = ()
    voting: tuple[Run, ...] = ()
    """Those that have a vote."""
    groups: AnswerGroups = field(default_factory=lambda: AnswerGroups(()))

    @property
    def usable(self) -> tuple[Run, ...]:
        """The runs that answer."""
        return tuple(run for run in self.runs if run.answer)

    @property
    def set_aside(self) -> tuple[Run, ...]:
        """The runs that abstained over one part of the documents, where the next has an answer (I20)."""
        return tuple(run for run in self.usable if run not in self.voting)

    @property
    def tally(self) -> Tally:
        """How the votes stand, for the rule that stops."""
        return tally_of(self.groups, len(self.runs))

    @property
    def candidates(self) -> tuple[VotedAnswer, ...]:
        """The answers, most votes first."""
        return tuple(
            VotedAnswer(group.answer, tuple(self.voting[place] for place in group.places), group.answer in ABSTENTIONS)
            for group in self.groups.groups
        )

    @property
    def abstains(self) -> bool:
        """Whether no answer has more votes than that there is none."""
        return bool(self.candidates) and any(
            item.abstains and item.votes == self.candidates[0].votes for item in self.candidates
        )

    @property
    def electable(self) -> tuple[VotedAnswer, ...]:
        """The candidates that may win: that there is no answer needs more than half of the runs asked (G8)."""
        asked = len(self.runs) - len(self.set_aside)
        return tuple(item for item in self.candidates if not item.abstains or 2 * item.votes > asked)

    @property
    def winners(self) -> tuple[VotedAnswer, ...]:
        """The candidate with most votes, or several in a tie: nobody wins by the order of seats (I16)."""
        first = self.electable[:1]
        return tuple(item for item in self.electable if first and item.votes == first[0].votes)

    @property
    def barred(self) -> VotedAnswer | None:
        """The abstention that has as many votes as any answer, and yet not more than half of the runs asked."""
        most = max((item.votes for item in self.candidates), default=0)
        barred = (item for item in self.candidates if item.votes == most and item not in self.electable)
        return next(barred, None)


def counted(runs: Sequence[Run], question: Question) -> Count:
    """Return the runs with their answers by groups.

    Who abstained over one part of the documents has no vote against an answer that the next part brings (I20).
    """
    last = max((run.sight for run in runs), default=0)
    count = _count(runs, [run for run in runs if run.answer and (run.sight == last or not run.abstains)], question)
    leader = count.candidates[0] if count.candidates else None
    everybody = not count.set_aside or (leader is not None and leader.abstains)
    return _count(runs, [run for run in runs if run.answer], question) if everybody else count


def _count(runs: Sequence[Run], voting: Sequence[Run], question: Question) -> Count:
    return Count(tuple(runs), tuple(voting), voted([run.answer for run in voting], question))


def winner_by_form(count: Count, form: Form) -> str:
    """Return the answer that most runs of a form give, in the wording of its candidate; none in a tie."""
    votes = sorted(
        ((sum(run.form == form for run in item.runs), item.answer) for item in count.candidates),
        key=lambda pair: -pair[0],
    )
    leaders = [answer for number, answer in votes if number and number == votes[0][0]]
    return leaders[0] if len(leaders) == 1 else ""
