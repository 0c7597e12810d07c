"""The equations that stand in a sentence among other words, cut out to the letter (ruling I18).

An equation is numbers, operators, brackets and money signs with `=` or `≈` between its sides. A side that something
stands against, an operator, a letter, a bracket that is not closed, is no side: "2x + 3 = 7" and "eggs * 3 = 12" have
no equation, "eggs * 3 = 4 * 3 = 12" has one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

MOST_SIDES = 5
"""Sides of one equation; an oracle reads no more."""

LONGEST = 4_000
"""Characters of a sentence that is looked at."""

_TEX_WORDS = {
    **dict.fromkeys((r"\times", r"\cdot", r"\ast"), "*"),
    **dict.fromkeys((r"\left", r"\right", r"\,", r"\;", r"\!", r"\quad", r"\displaystyle"), " "),
    **dict.fromkeys((r"\(", r"\)", r"\[", r"\]"), " "),
    r"\div": "/",
    r"\approx": "≈",
    r"\$": "$",
    r"\%": "%",
}
_TEX_WORD = re.compile("|".join(map(re.escape, sorted(_TEX_WORDS, key=len, reverse=True))))
_FRACTION = re.compile(r"\\d?frac\s*\{([^{}]{1,80})\}\s*\{([^{}]{1,80})\}")
_SET = re.compile(r"\\(?:text|textbf|mathrm|mathbf|boxed)\s*\{([^{}]{0,200})\}")
_EXPONENT = re.compile(r"\^\s*\{\s*(-?\d{1,9})\s*\}")
_SIGNS = str.maketrans({"\u00d7": "*", "·": "*", "⋅": "*", "÷": "/", "\u2212": "-", "\u2013": "-", "≅": "≈", "~": "≈"})
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])(?:[$€£]\s?)?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?%?|(?<![\w.])\.\d+)(?![\w]|[.,:]\d)"
    r"|(?P<times>(?<=[\d)]\s)[xX](?=\s[\d$(]))"
    r"|(?P<relation>==|=|≈)"
    r"|(?P<operator>\*\*|[-+*/^])"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_AGAINST_ITS_START, _AGAINST_ITS_END = frozenset("_/\\%:#"), frozenset("_/\\^!°:'\u2032")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation as an oracle reads it, and where it stands in its sentence."""

    sides: tuple[str, ...]
    relations: tuple[str, ...]
    start: int
    end: int

    @property
    def text(self) -> str:
        """The equation without money signs."""
        return self.sides[0] + "".join(
            f" {sign} {side}" for sign, side in zip(self.relations, self.sides[1:], strict=True)
        )

    @property
    def operands(self) -> tuple[str, ...]:
        """The numbers that it starts from: those of its first side that computes."""
        computing = next((side for side in self.sides if not is_number(side)), "")
        return tuple(dict.fromkeys(_plain(number) for number in _NUMBER.findall(computing)))

    @property
    def result(self) -> str:
        """The number that it comes to; none where no side is a number."""
        stated = [side for side in reversed(self.sides) if is_number(side)]
        return _plain(stated[0].removesuffix("%")) if stated else ""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def is_number(side: str) -> bool:
    """Return whether a side is one number and computes nothing."""
    return _NUMBER.fullmatch(side.removeprefix("-").strip().removesuffix("%")) is not None


def without_tex(text: str) -> str:
    """Return a text with the signs of TeX as people write them: `\\\\frac{6}{2} \\\\times 3` is (6)/(2) * 3."""
    if "\\" not in text:
        return text
    text = _TEX_WORD.sub(lambda sign: _TEX_WORDS[sign[0]], text)
    for _ in range(3):
        text = _FRACTION.sub(r"(\1)/(\2)", _SET.sub(r"\1", text))
    return _EXPONENT.sub(r"^\1", text)


def equations_in(sentence: str) -> tuple[Equation, ...]:
    """Return the equations that stand in a sentence, each as long as it can be."""
    if len(sentence) > LONGEST:
        return ()
    tokens = list(_tokens(sentence.translate(_SIGNS)))
    runs = (list(run) for is_part, run in groupby(tokens, lambda token: token.kind != "other") if is_part)
    return tuple(equation for run in runs for equation in _of_run(run, sentence))


def _tokens(sentence: str) -> Iterator[_Token]:
    for token in _TOKEN.finditer(sentence):
        kind = token.lastgroup or "other"
        if kind != "space":
            text = "*" if kind == "times" else token.group()
            yield _Token("operator" if kind == "times" else kind, text, token.start(), token.end())


def _of_run(run: Sequence[_Token], sentence: str) -> Iterator[Equation]:
    """The equations of tokens that stand together: sides that are whole, one beside the other."""
    sides: list[list[_Token]] = [[]]
    relations: list[str] = []
    for token in run:
        if token.kind == "relation":
            relations.append(token.text[0])
            sides.append([])
        else:
            sides[-1].append(token)
    whole = [_is_expression(side) and not _is_touched(side, sentence) for side in sides]
    for is_whole, places in groupby(range(len(sides)), lambda place: whole[place]):
        chosen = list(places)[:MOST_SIDES]
        if not is_whole or len(chosen) < 2 or all(len(sides[place]) == 1 for place in chosen):
            continue
        texts = tuple("".join(_written(token) for token in sides[place]).strip() for place in chosen)
        start, end = sides[chosen[0]][0].start, sides[chosen[-1]][-1].end
        yield Equation(texts, tuple(relations[place] for place in chosen[:-1]), start, end)


def _is_expression(side: Sequence[_Token]) -> bool:
    """Whether operands and operators take turns and brackets are closed."""
    depth, wants_operand = 0, True
    for place, token in enumerate(side):
        if token.kind == "open":
            depth += 1
            if not wants_operand:
                return False
        elif token.kind == "close":
            depth -= 1
            if depth < 0 or wants_operand:
                return False
        elif token.kind == "number":
            if not wants_operand:
                return False
            wants_operand = False
        elif wants_operand and not (token.text == "-" and (not place or side[place - 1].kind == "open")):
            return False
        else:
            wants_operand = True
    return bool(side) and not depth and not wants_operand


def _is_touched(side: Sequence[_Token], sentence: str) -> bool:
    """Whether a letter or a sign stands right against it that may be part of it."""
    before, after = sentence[: side[0].start][-1:], sentence[side[-1].end :][:1]
    return before.isalnum() or before in _AGAINST_ITS_START or after.isalnum() or after in _AGAINST_ITS_END


def _written(token: _Token) -> str:
    if token.kind == "operator":
        return f" {token.text} "
    return token.text.lstrip("$€£ ") if token.kind == "number" else token.text


def _plain(number: str) -> str:
    return number.replace(",", "")
