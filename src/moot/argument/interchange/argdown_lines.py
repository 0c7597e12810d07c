"""The lines of an Argdown file: what each begins with, and the statement or argument on it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from moot.argument.interchange.carried import FileProblem

Kind = Literal["blank", "skipped", "inference", "numbered", "relation", "element"]

MOST_LINES_OF_DATA = 200

_RELATION = re.compile(r"(\s*)(\+>|->|><|_>|<\+|<-|<_|\+|-|_(?=\s))\s*(.*)", re.DOTALL)
_NUMBERED = re.compile(r"\s*\(\d+\)\s*(.*)", re.DOTALL)
_INFERENCE = re.compile(r"\s*--")
_SHUT_INFERENCE = re.compile(r"\s*--.*--\s*(//.*)?")
_SKIPPED = re.compile(r"#+ |\s*(\*|\d+\.)\s")
_TITLED = re.compile(r"(?:\[(?P<statement>.+?)\]|<(?P<argument>[^-].*?)>)(?P<defines>:?)\s*")
_TAG = re.compile(r"#(?:\(([^)]+)\)|([\w-]+))[ \t]?")
_COMMENTS = {"/*": "*/", "<!--": "-->"}


@dataclass(slots=True)
class Element:
    """A statement or an argument where it is written: its title, if it has one, and what is said of it here."""

    title: str | None
    is_argument: bool
    text: str = ""
    tags: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    foreign_data: bool = False


@dataclass(frozen=True, slots=True)
class ArgdownLine:
    """One line, or several that belong together; `mark` is a relation's."""

    number: int
    kind: Kind
    element: Element | None = None
    indent: int = 0
    mark: str = ""


def read_lines(text: str) -> Iterator[ArgdownLine]:
    """Yield the lines of a file, comments and front matter aside."""
    lines = iter(_without_blocks(text.replace("\r\n", "\n").split("\n")))
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("//"):
            yield ArgdownLine(number, "blank" if not line.strip() else "skipped")
        elif _INFERENCE.match(line):
            if not _SHUT_INFERENCE.fullmatch(line):
                _pass_inference(lines)
            yield ArgdownLine(number, "inference")
        elif _SKIPPED.match(line):
            yield ArgdownLine(number, "skipped")
        else:
            yield _of_element(number, _with_data(number, line, lines))


def _of_element(number: int, line: str) -> ArgdownLine:
    if numbered := _NUMBERED.fullmatch(line):
        return ArgdownLine(number, "numbered", read_element(numbered[1]))
    if relation := _RELATION.fullmatch(line):
        indent = len(relation[1].expandtabs(4))
        return ArgdownLine(number, "relation", read_element(relation[3]), indent, relation[2])
    return ArgdownLine(number, "element", read_element(line.strip()))


def _without_blocks(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Each line with its number, without front matter and without comments that fill lines of their own."""
    ends_with = "===" if lines and lines[0].startswith("===") else ""
    for number, line in enumerate(lines, start=1):
        if ends_with:
            if (number > 1 or ends_with != "===") and ends_with in line:
                ends_with = ""
            continue
        opens = next((mark for mark in _COMMENTS if line.lstrip().startswith(mark)), "")
        if opens:
            ends_with = "" if _COMMENTS[opens] in line else _COMMENTS[opens]
            continue
        yield number, line


def _pass_inference(lines: Iterator[tuple[int, str]]) -> None:
    """Go past the rules that stand between the two marks of an inference."""
    for _, line in lines:
        if _INFERENCE.match(line):
            return


def _with_data(number: int, line: str, lines: Iterator[tuple[int, str]]) -> str:
    """The line with those that its data goes on into."""
    opened = line.rfind("{")
    if opened < 0 or "}" in line[opened:] or line[:opened].endswith("\\"):
        return line
    more: list[str] = []
    for _, following in islice(lines, MOST_LINES_OF_DATA):
        more.append(following)
        if "}" in following:
            return "\n".join([line, *more])
    raise FileProblem("the data that begins here with { has no end; close it with } or write \\{ for the sign", number)


def read_element(text: str) -> Element:
    """Return the statement or argument that a text is, with or without a title."""
    titled = _TITLED.match(text)
    if titled is None:
        return _told(Element(None, is_argument=False), text)
    element = Element(titled["statement"] or titled["argument"], is_argument=titled["argument"] is not None)
    rest = _told(element, text[titled.end() :])
    if not titled["defines"]:
        rest.text = ""
    return rest


def _told(element: Element, rest: str) -> Element:
    """Take prose, tags and data apart; a backslash takes a character out of its meaning."""
    prose: list[str] = []
    last_brace, place = rest.rfind("}"), 0
    while place < len(rest):
        letter = rest[place]
        ends = _COMMENTS.get(rest[place : place + 2]) or _COMMENTS.get(rest[place : place + 4])
        if letter == "\\" and place + 1 < len(rest):
            prose.append(rest[place + 1])
            place += 2
        elif rest.startswith("//", place):
            break
        elif ends:
            place = _past(rest, ends, place)
        elif letter == "{" and place < last_brace:
            place = _read_data(element, rest, place)
        elif letter == "#" and (tag := _TAG.match(rest, place)):
            element.tags = (*element.tags, tag[1] or tag[2])
            place = tag.end()
        else:
            prose.append(letter)
            place += 1
    element.text = "".join(prose).strip()
    return element


def _past(rest: str, mark: str, place: int) -> int:
    end = rest.find(mark, place)
    return len(rest) if end < 0 else end + len(mark)


def _read_data(element: Element, rest: str, place: int) -> int:
    """Read data that is JSON; other YAML is passed over, and noted. Return where it ends."""
    try:
        data, end = json.JSONDecoder().raw_decode(rest, place)
    except (ValueError, RecursionError):
        element.foreign_data = True
        return _past(rest, "}", place)
    element.data.update(data)
    return end
