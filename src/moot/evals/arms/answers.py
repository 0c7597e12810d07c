"""Reading free text: the answer on its last line, and the answer that most samples give."""

import re
from collections import Counter
from collections.abc import Sequence

from moot.argument.normal_form import normal_form

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


def same_answer_key(answer: str, form: str = "") -> str:
    """Return what two answers share that count as the same: a number where one is asked for, else the normal form."""
    if "number" in form and (numbers := _NUMBER.findall(answer)):
        return normal_form(numbers[-1]).text
    return normal_form(answer).text


def majority(answers: Sequence[str], form: str = "") -> tuple[str, int]:
    """Return the answer that most samples give, in its first wording, and how many; a tie goes to the earliest."""
    keys = [same_answer_key(answer, form) for answer in answers]
    counts = Counter(keys)
    winner = max(counts, key=lambda key: (counts[key], -keys.index(key)))
    return answers[keys.index(winner)], counts[winner]


def _plain(line: str) -> str:
    return line.strip().strip("*_`").strip().removesuffix(".").strip()
