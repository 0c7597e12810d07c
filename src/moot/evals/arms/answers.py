"""Reading free text: the answer on its last line, and the answer that most samples give."""

import re
from collections.abc import Sequence
from dataclasses import replace

from moot.core.question import Question
from moot.methods.sameness import AnswerGroups, answer_groups
from moot.methods.search import setting_of

_STATED = re.compile(
    r"(?:^|\n)[\s>*_#-]*(?:the\s+)?(?:final\s+)?answer\b[\s*_]*(?::|=|\bis\b)[\s*_:]*(?P<answer>[^\n]+)", re.IGNORECASE
)
_IN_PASSING = re.compile(r"\banswer\s+is\b[\s*_:]*(?P<answer>[^\n]+)", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?P<answer>[^{}]+)\}")
_MARKED = re.compile(r"####\s*(?P<answer>[^\n]+)")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?|-?\.\d+")


def stated_answer(text: str, form: str = "") -> str:
    """Return the answer that a text states: on its line, in passing, marked as in GSM8K, or else the last line.

    Where a number is asked for and no line states the answer, the last line that has a number stands for it.
    """
    for pattern in (_STATED, _MARKED, _BOXED, _IN_PASSING):
        found = [_plain(match["answer"]) for match in pattern.finditer(text)]
        if kept := [answer for answer in found if answer]:
            return kept[-1]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    with_number = [line for line in lines if _DIGIT.search(line)] if "number" in form else []
    return _plain((with_number or lines or [""])[-1])


def voted(answers: Sequence[str], question: Question) -> AnswerGroups:
    """Return the answers of samples by groups, most votes first, then the earliest (ruling G12).

    Where a number is asked for, an answer is read as the last number in it.
    """
    read = [_as_number(answer) if "number" in question.form else answer for answer in answers]
    groups = answer_groups(read, setting=setting_of(question))
    first = [replace(group, answer=answers[group.places[0]]) for group in groups.groups]
    return replace(groups, groups=tuple(first))


def _as_number(answer: str) -> str:
    numbers = _NUMBER.findall(answer)
    return numbers[-1] if numbers else answer


def _plain(line: str) -> str:
    return line.strip().strip("*_`").strip().removesuffix(".").strip()
