"""How texts stand in Argdown: titles, escaped prose and data, so that nothing in a claim is taken for a mark.

The rules are those of Argdown's own lexer (@argdown/core 1.7): a backslash takes any character out of its meaning; a
title ends at its bracket; data ends at a brace, so that braces within its texts are written as escapes of JSON.
"""

import json
import re

_MARKS = re.compile(r"[\\@#*_\[\]<>{}]|/(?=[/*])|=(?===)|([.:])(?=[^\s]+?\1)")
_ESCAPED = re.compile(r"\\(.)")
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETS = str.maketrans("[]<>{}", "()()()")


def shown(text: str) -> str:
    """Return a text on one line, without what no page can show."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def escaped(text: str) -> str:
    """Return prose in which no character is a mark of Argdown."""
    return _MARKS.sub(lambda mark: f"\\{mark.group()}", text)


def unescaped(text: str) -> str:
    """Return prose as it was before it was escaped."""
    return _ESCAPED.sub(r"\1", text)


def title_for(name: str, taken: set[str]) -> str:
    """Return a title for a name that no other has, and note that it is taken."""
    plain = shown(name).translate(_BRACKETS).lstrip("-") or "claim"
    title, number = plain, 2
    while title in taken:
        title, number = f"{plain} ({number})", number + 1
    taken.add(title)
    return title


def data_text(data: object) -> str:
    """Return data as JSON, which is YAML as well, on one line and with no brace inside a text."""

    def without_braces(text: re.Match[str]) -> str:
        return text.group().replace("{", "\\u007b").replace("}", "\\u007d")

    return _JSON_TEXT.sub(without_braces, json.dumps(data))
