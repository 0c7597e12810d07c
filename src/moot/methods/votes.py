"""Free text that ends in a line with the answer, and the answer that most samples give (rulings I9 and G12)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from moot.core.question import Question
from moot.methods.sameness import AnswerGroups, answer_groups, strict_form
from moot.methods.sameness.quantities import quantity
from moot.methods.search import setting_of

_WORD_FOR_IT = r"(?:answer|antwort|antwoord|r\u00e9ponse|respuesta|risposta|resposta|\u043e\u0442\u0432\u0435\u0442)"
# Looked for line by line: over a whole text of line breaks it would take time with the square of their number.
_STATING = re.compile(
    rf"[\s>*_#-]*+(?:(?:the\s+)?(?:final\s+)?{_WORD_FOR_IT}\b[\s*_]*(?::|=|\bis\b)"
    r"|(?:\u7b54\u6848|\u7b54\u3048|\u56de\u7b54)\s*[:\uff1a])[\s*_:]*",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"(?<=[.!?\u3002)\]])[\s*_]*(?:final\s+)?{_WORD_FOR_IT}[\s*_]*:[\s*_]*", re.IGNORECASE)
_IN_PASSING = re.compile(r"\banswer\s+is\b[\s*_:]*(?P<answer>[^\n]+)", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?P<answer>[^{}]+)\}")
_MARKED = re.compile(r"####\s*(?P<answer>[^\n]+)")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?|-?\.\d+")

_HOW_MANY = re.compile(
    r"\bhow (?:many|much|old)\b|\bwhat (?:percentage|percent)\b|(?:^|[.?!:]\s)\s*(?:calculate|compute|work out)\b"
    r"|\bwhat is [-(]?\d[\d\s.,()]*[-+*/\u00d7÷^]",
    re.IGNORECASE,
)
# "The difference between cats and dogs" is no number; between 7 and 5 it is.
_WHICH_FIGURE = re.compile(
    r"\bwhat(?:['\u2019]s| is| are| was| were| will be| would be) (?:the |his |her |its |their )?(?:\w+ ){0,2}"
    r"(?:sum|total|product|difference|quotient|average|mean|median|remainder|number|amount|cost|price|profit|salary"
    r"|distance|speed|area|age)\b"
    r"|\bcalculate\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NumberAsked:
    """Whether the answer asked for is a number, and by what that was seen."""

    is_number: bool
    by: str


def number_asked(question: Question) -> NumberAsked:
    """Return whether a question asks for a number: by the form asked for, else by the words of the question (I9).

    By its words a question asks for a number where it says how many, how much or how old, what percentage; where it
    begins with calculate, compute or work out; where it asks what a sum in digits is; and where it has a digit and asks
    what the sum, total, difference, cost, distance or the like is, or says calculate anywhere.
    """
    if question.form:
        return NumberAsked("number" in question.form.casefold(), f"the form asked for: {question.form}")
    figure = _WHICH_FIGURE.search(question.text) if _DIGIT.search(question.text) else None
    found = _HOW_MANY.search(question.text) or figure
    words = f"the question's words “{' '.join(found[0].split())}”" if found else "no words that ask for a number"
    return NumberAsked(found is not None, words)


def answer_line(text: str) -> str:
    """Return the answer that a text states on a line of its own, marked, boxed or in passing; the last one, or none."""
    if stated := [answer for answer in _on_lines(text) if answer]:
        return stated[-1]
    for pattern in (_MARKED, _BOXED, _IN_PASSING):
        if stated := [answer for match in pattern.finditer(text) if (answer := _plain(match["answer"]))]:
            return stated[-1]
    return ""


def _on_lines(text: str) -> Iterator[str]:
    """The answers of the lines that state one, or that end in one behind a sentence; of a line that ends at once, the
    next that has words."""
    lines = [line for line in text.splitlines() if _plain(line)]
    for line, after in pairwise([*lines, ""]):
        if stating := _STATING.match(line):
            yield _plain(line[stating.end() :]) or ("" if _STATING.match(after) else _plain(after))
        elif behind := list(_BEHIND.finditer(line)):
            yield _plain(line[behind[-1].end() :])


def before_answer(text: str) -> str:
    """Return what a text says before the last line that states its answer, without other such lines; else all."""
    lines = text.splitlines()
    stating = {place for place, line in enumerate(lines) if _plain(line) and _STATING.match(line)}
    kept = lines[: max(stating)] if stating else lines
    return "\n".join(line for place, line in enumerate(kept) if place not in stating)


def stated_answer(text: str, form: str = "") -> str:
    """Return the answer that a text states, or else its last line.

    Where a number is asked for and no line states the answer, the last line that has a number stands for it.
    """
    if stated := answer_line(text):
        return stated
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    with_number = [line for line in lines if _DIGIT.search(line)] if "number" in form else []
    return _plain((with_number or lines or [""])[-1])


def voted(answers: Sequence[str], question: Question) -> AnswerGroups:
    """Return the answers of samples by groups, most votes first, then the earliest (ruling G12).

    A group goes by its usual wording. Where a number is asked for, an answer that is a number with a unit is read as
    that number; where the form asked for says so, any answer is read as the last number in it.
    """
    asked = number_asked(question)
    read = [_as_number(answer, strictly=not question.form) if asked.is_number else answer for answer in answers]
    groups = answer_groups(read, setting=setting_of(question))
    worded = [
        replace(group, answer=usual_wording([answers[place] for place in group.places])) for group in groups.groups
    ]
    return replace(groups, groups=tuple(worded))


def usual_wording(answers: Sequence[str]) -> str:
    """Return how one answer is worded most often; of such wordings the shortest, then the first."""
    spellings = Counter(strict_form(answer) for answer in answers)
    return min(answers, key=lambda answer: (-spellings[strict_form(answer)], len(answer)))


def _as_number(answer: str, *, strictly: bool) -> str:
    if (read := quantity(answer)) is not None:
        digits = f"{read.value:f}"
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    numbers = [] if strictly else _NUMBER.findall(answer)
    return numbers[-1] if numbers else answer


def _plain(line: str) -> str:
    return line.strip().strip("*_`").strip().removesuffix(".").strip()
