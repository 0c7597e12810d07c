"""What runs bring and how they are counted. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from moot.core.calls import Missing, Prose
from moot.core.question import Question
from moot.methods.abstaining import is_abstention
from moot.methods.programs import Program, in_digits, worked_out
from moot.methods.recomputing import Recomputed, recomputed
from moot.methods.sameness import AnswerGroups
from moot.methods.sampling import Tally, tally_of
from moot.methods.votes import NumberAsked, answer_line, voted
from moot.oracles.numerals import with_digits
from moot.protocols.vote.schemas import Form, Forms

NOT_STATED = "The documents do not say."
NOT_KNOWN = "It is not known."
"""What every abstention is read as, with documents and without, so that abstaining runs vote for one thing (I13)."""

ABSTENTIONS = (NOT_STATED, NOT_KNOWN)
NO_ANSWER = "it states no answer"

# A program has no longer numbers than this, and Python reads none of thousands of digits.
_NUMBER = re.compile(r"(?<![\d,.])(?:\d[\d,]{0,200}(?:\.\d{1,200})?|\.\d{1,200})(?!\d)")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what it answers, or why it has no vote; and what was recomputed of it."""

    id: str
    seat: str
    form: Form
    answer: str = ""
    problem: str = ""
    equations: tuple[Recomputed, ...] = ()
    program: Program | None = None
    assumed: tuple[str, ...] = ()
    """Numbers of its program that stand neither in the question nor in a document (I18)."""
    came: bool = False
    """Whether there was a reply."""

    @property
    def step(self) -> str:
        """The step under which it was asked."""
        return f"run/{self.id}"

    @property
    def is_unusable(self) -> bool:
        """Whether a reply came that has no vote: of one that never came the runtime knows why."""
        return self.came and not self.answer

    @property
    def refuted(self) -> tuple[Recomputed, ...]:
        """Its equations that are false."""
        return tuple(item for item in self.equations if item.verdict == "false")


@dataclass(frozen=True, slots=True)
class Candidate:
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
    """All runs, and their answers by groups, most votes first (G12)."""

    runs: tuple[Run, ...] = ()
    groups: AnswerGroups = field(default_factory=lambda: AnswerGroups(()))

    @property
    def usable(self) -> tuple[Run, ...]:
        """The runs that have a vote."""
        return tuple(run for run in self.runs if run.answer)

    @property
    def tally(self) -> Tally:
        """How the votes stand, for the rule that stops."""
        return tally_of(self.groups, len(self.runs))

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The answers, most votes first."""
        usable = self.usable
        return tuple(
            Candidate(group.answer, tuple(usable[place] for place in group.places), group.answer in ABSTENTIONS)
            for group in self.groups.groups
        )

    @property
    def electable(self) -> tuple[Candidate, ...]:
        """The candidates that may win: that there is no answer needs more than half of the runs asked (G8)."""
        return tuple(item for item in self.candidates if not item.abstains or 2 * item.votes > len(self.runs))

    @property
    def winners(self) -> tuple[Candidate, ...]:
        """The candidate with most votes, or several in a tie: nobody wins by the order of seats (I16)."""
        first = self.electable[:1]
        return tuple(item for item in self.electable if first and item.votes == first[0].votes)

    @property
    def barred(self) -> Candidate | None:
        """The abstention that has as many votes as any answer, and yet not more than half of the runs asked."""
        most = max((item.votes for item in self.candidates), default=0)
        barred = (item for item in self.candidates if item.votes == most and item not in self.electable)
        return next(barred, None)


def forms_of(wanted: Forms, asked: NumberAsked) -> tuple[Form, ...]:
    """Return the forms of the runs: free text, and programs too where the answer is a number (ruling I9)."""
    if wanted == "auto":
        return ("plain", "program") if asked.is_number else ("plain",)
    return ("plain", "program") if wanted == "both" else (wanted,)


def wave_forms(forms: Sequence[Form], size: int, wave: int) -> tuple[Form, ...]:
    """Return the form of each run of a wave: half in each, equal ones side by side.

    Every second wave begins with the other form, so that of several members none is always asked in the same.
    """
    first, second, *_ = [*forms, *forms]
    halves = ((first,) * (size - size // 2), (second,) * (size // 2))
    return sum(halves if wave % 2 else halves[::-1], ())


def read_run(run: Run, reply: Prose | Missing, question: Question) -> Run:
    """Return the run with what its reply brings."""
    if isinstance(reply, Missing):
        return replace(run, problem=reply.reason)
    came = replace(run, came=True)
    return _programmed(came, reply.text, question) if run.form == "program" else _reasoned(came, reply.text, question)


def _reasoned(run: Run, text: str, question: Question) -> Run:
    answer = answer_line(text)
    answer = _abstention(answer, question) or answer
    equations = recomputed(text, question.text)
    return replace(run, answer=answer, problem="" if answer else NO_ANSWER, equations=equations)


def _programmed(run: Run, text: str, question: Question) -> Run:
    program = worked_out(text)
    if not program.steps and (abstention := _abstention(answer_line(text) or text, question)):
        return replace(run, answer=abstention)
    if program.value is None:
        return replace(run, problem=program.problem, program=program)
    return replace(run, answer=in_digits(program.value), program=program, assumed=_assumed(program, question))


def _abstention(answer: str, question: Question) -> str:
    """The one wording of an answer that says that there is none; nothing for any other."""
    if not is_abstention(answer, free=not question.documents):
        return ""
    return NOT_STATED if question.documents else NOT_KNOWN


def _assumed(program: Program, question: Question) -> tuple[str, ...]:
    """The numbers of a program that are not given: each number of the question or of a document is."""
    texts = (question.text, *(document.text for document in question.documents))
    worded = [with_digits(text.casefold()) or "" for text in texts]
    given = {_value(number) for text in (*texts, *worded) for number in _NUMBER.findall(text)}
    numbers = dict.fromkeys(number for step in program.steps for number in step.numbers)
    return tuple(number for number in numbers if _value(number) not in given)


def _value(number: str) -> Fraction:
    return Fraction(number.replace(",", "").replace("_", ""))


def counted(runs: Sequence[Run], question: Question) -> Count:
    """Return the runs with their answers by groups."""
    return Count(tuple(runs), voted([run.answer for run in runs if run.answer], question))


def winner_by_form(count: Count, form: Form) -> str:
    """Return the answer that most runs of a form give, in the wording of its candidate; none in a tie."""
    votes = sorted(
        ((sum(run.form == form for run in item.runs), item.answer) for item in count.candidates),
        key=lambda pair: -pair[0],
    )
    leaders = [answer for number, answer in votes if number and number == votes[0][0]]
    return leaders[0] if len(leaders) == 1 else ""
