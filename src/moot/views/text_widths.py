"""How wide a text is in a drawing, and where its lines break, without a browser to ask.

The table has the advance widths of DejaVu Sans, which is wider than the other common faces, and every width has 8 % to
spare. A line with letters that the table does not know is drawn with its length stated, so that no face can make it
longer.
"""

# Letters of several scripts that look alike stand in one table.
# ruff: noqa: RUF001

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from moot.views.words import flat

TO_SPARE = 1.08
BOLD = 1.17
"""How much wider a bold face is."""
ELLIPSIS = "…"
MOST_LETTERS = 2_000
"""More than any box has room for; the rest of a text is not even looked at."""
MOST_MARKS = 3
"""Accents above one letter; a tower of them would stand in other lines."""

_THOUSANDTHS = {
    275: "'",
    278: "ijlı",
    295: "IJΙł",
    318: " ,.\u00a0·‘’‚",
    338: "/:;\\|¦ι",
    361: "f-\u00ad",
    392: "()[]t",
    411: "r!¡²³¹‹›",
    460: '"',
    500: "*_`§¨¯°´¸–†‡ªº",
    525: "s“”„zг",
    550: "?¿зεζэcс",
    562: "LΓξνŁ",
    592: "Fχkυтςκвь•чvxyγλух",
    615: "πτяPΡРкÞУГTYΤΥТo«»ðøδθοоaаeе",
    636: "бßEΕΞΣЕhnuησSbdgpqþρрđ$0123456789{}¢£¤¥µ¶μ€",
    660: "βлЗинпKΚαφψ",
    698: "цAVΑΔΛАXZΖΧХBΒБВЧЬдRЯCСЭ",
    752: "ъКUNΝИHΗΠЛНП",
    790: "мΩ◆DGÐĐЦ&ДOQØΘΟΦΨОы",
    842: "wЪω#+<=>^~¬±×÷←↑→↓↔−≈≠≤≥✓✗↺ю",
    915: "фФMΜМЫ⚑жш",
    1000: "щ%¼½¾mÆæW@©®—…™",
    1100: "œШŒЖЮЩ",
    1342: "‰",
}
_KNOWN = {letter: width / 1000 for width, letters in _THOUSANDTHS.items() for letter in letters}

_WIDE = 1.0
_PICTURE = 1.35
_UNKNOWN = 1.0
_HEBREW = 0.72
_PICTURES = 0x1F000
"""Where the planes of emoji begin."""
_NO_WIDTH = frozenset({"Mn", "Me", "Cf", "Cc"})
_GIANTS = {"\ufdfd": 11.0, "\u2e3a": 2.1, "\u2e3b": 3.1, "\u102a": 2.2}


@lru_cache(maxsize=4096)
def _em(letter: str) -> float:
    """The width of a letter in ems."""
    if letter in _GIANTS:
        return _GIANTS[letter]
    if unicodedata.category(letter) in _NO_WIDTH:
        return 0.0
    base = unicodedata.normalize("NFD", letter)[0]
    if base in _KNOWN:
        return _KNOWN[base]
    if ord(letter) >= _PICTURES:
        return _PICTURE
    if "\u0590" <= letter <= "\u05ff":
        return _HEBREW
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN


def _ems(text: str) -> float:
    return sum(map(_em, text))


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a wrapped text."""

    text: str
    width: float
    """How much room it takes at most, in pixels."""
    stated: bool = False
    """Whether it has letters of a width that nobody knows, so that its length must be stated where it is drawn."""

    @property
    def length(self) -> float:
        """The length to state: without what is to spare, so that known letters are hardly stretched."""
        return self.width / TO_SPARE


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how many pixels a line of text takes at most, in a face of this size."""
    return _ems(text) * size * TO_SPARE * (BOLD if bold else 1)


def wrapped_lines(text: str, width: float, size: float, most: int) -> tuple[TextLine, ...]:
    """Return the text in at most so many lines, none wider than `width` pixels; one that is cut ends in an ellipsis."""
    scale = size * TO_SPARE
    ems = width / scale
    lines = list(islice(_full_lines(_low(flat(text[:MOST_LETTERS])), ems), most + 1))
    if len(lines) > most or len(text) > MOST_LETTERS:
        lines = [*lines[: most - 1], *(_shortened(line, ems) for line in lines[most - 1 : most])]
    return tuple(_line(line, scale) for line in lines)


def shortened_line(text: str, width: float, size: float) -> TextLine:
    """Return the text in one line that is no wider, cut where it has to be."""
    return next(iter(wrapped_lines(text, width, size, 1)), TextLine("", 0.0))


def _line(text: str, scale: float) -> TextLine:
    known = all(unicodedata.normalize("NFD", letter)[0] in _KNOWN for letter in text)
    return TextLine(text, _ems(text) * scale, not known)


def _low(text: str) -> str:
    """The text without towers of accents."""
    if text.isascii():
        return text
    kept, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def _full_lines(text: str, ems: float) -> Iterator[str]:
    """Yield the text in lines that hold as many words as they can."""
    line, taken = "", 0.0
    for word in _words(text, ems):
        wide = _ems(word)
        if line and taken + _em(" ") + wide <= ems:
            line, taken = f"{line} {word}", taken + _em(" ") + wide
            continue
        if line:
            yield line
        line, taken = word, wide
    if line:
        yield line


def _words(text: str, ems: float) -> Iterator[str]:
    """Yield the words, those that fit in no line in pieces that do."""
    for word in text.split():
        rest = word
        while _ems(rest) > ems and (piece := _start(rest, ems)) != rest:
            yield piece
            rest = rest[len(piece) :]
        yield rest


def _start(word: str, ems: float) -> str:
    """As much of a word as fits, one letter at least; what has no width stays with the letter before it."""
    total = 0.0
    for place, letter in enumerate(word):
        total += _em(letter)
        if total > ems and place:
            return word[:place]
    return word


def _shortened(text: str, ems: float) -> str:
    room = ems - _em(ELLIPSIS)
    if _ems(text) > room:
        text = _start(text, room).rstrip()
    return f"{text}{ELLIPSIS}"
