"""What the program reads of a run's reply in free text or as a program. Pure."""

import re
from dataclasses import replace
from fractions import Fraction

from moot.core.calls import Missing, Prose
from moot.core.question import Question
from moot.methods.abstaining import is_abstention
from moot.methods.programs import Program, in_digits, worked_out
from moot.methods.recomputing import recomputed
from moot.methods.runs.run import NOT_KNOWN, NOT_STATED, Run
from moot.methods.votes import answer_line
from moot.oracles.reading.numerals import with_digits

NO_ANSWER = "it states no answer"

# A program has no longer numbers than this, and Python reads none of thousands of digits.
_NUMBER = re.compile(r"(?<![\d,.])(?:\d[\d,]{0,200}(?:\.\d{1,200})?|\.\d{1,200})(?!\d)")


def read_run(run: Run, reply: Prose | Missing, question: Question) -> Run:
    """Return the run with what its reply brings."""
    if isinstance(reply, Missing):
        return replace(run, problem=reply.reason)
    came = replace(run, came=True, text=reply.text)
    return _programmed(came, reply.text, question) if run.form == "program" else _reasoned(came, reply.text, question)


def abstention(answer: str, question: Question) -> str:
    """Return the one wording of an answer that says that there is none; nothing for any other."""
    if not is_abstention(answer, free=not question.documents):
        return ""
    return NOT_STATED if question.documents else NOT_KNOWN


def _reasoned(run: Run, text: str, question: Question) -> Run:
    answer = answer_line(text)
    answer = abstention(answer, question) or answer
    equations = recomputed(text, question.text)
    return replace(run, answer=answer, problem="" if answer else NO_ANSWER, equations=equations)


def _programmed(run: Run, text: str, question: Question) -> Run:
    program = worked_out(text)
    if not program.steps and (abstained := abstention(answer_line(text) or text, question)):
        return replace(run, answer=abstained)
    if program.value is None:
        return replace(run, problem=program.problem, program=program)
    return replace(run, answer=in_digits(program.value), program=program, assumed=_assumed(program, question))


def _assumed(program: Program, question: Question) -> tuple[str, ...]:
    """The numbers of a program that are not given: each number of the question or of a document is."""
    texts = (question.text, *(document.text for document in question.documents))
    worded = [with_digits(text.casefold()) or "" for text in texts]
    given = {_value(number) for text in (*texts, *worded) for number in _NUMBER.findall(text)}
    numbers = dict.fromkeys(number for step in program.steps for number in step.numbers)
    return tuple(number for number in numbers if _value(number) not in given)


def _value(number: str) -> Fraction:
    return Fraction(number.replace(",", "").replace("_", ""))
