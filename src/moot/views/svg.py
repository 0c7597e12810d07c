"""Small parts of every drawing: figures, texts and ids as SVG and HTML have them, whatever somebody wrote."""

import re
from hashlib import sha256
from html import escape

from moot.views.text_widths import TextLine
from moot.views.words import harmless

LONGEST_ID = 80

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9.:-]")


def figure(value: float) -> str:
    """Return a coordinate, with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def safe_text(text: str) -> str:
    """Return a text for markup, in an attribute as well: it stays words, and no XML reader stumbles over it."""
    return escape(_NOT_XML.sub("\ufffd", harmless(text)))


def safe_id(prefix: str, name: str) -> str:
    """Return an id that only this name has under its prefix, of letters that need no escape anywhere."""
    spelled = _NOT_IN_AN_ID.sub(lambda match: f"_{ord(match[0]):x}_", name[: LONGEST_ID + 1])
    if len(spelled) > LONGEST_ID:
        spelled = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"{prefix}-{spelled}"


def text_element(x: float, y: float, line: TextLine, look: str, anchor: str = "") -> str:
    """Return one line of text; letters of unknown width are made to fit the room that was counted for them."""
    length = f' textLength="{figure(line.length)}" lengthAdjust="spacingAndGlyphs"' if line.stated else ""
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{look}" x="{figure(x)}" y="{figure(y)}"{end}{length}>{safe_text(line.text)}</text>'


def words_element(x: float, y: float, words: str, look: str, anchor: str = "") -> str:
    """Return words of the program's own, of which the width is known."""
    return text_element(x, y, TextLine(words, 0.0), look, anchor)
