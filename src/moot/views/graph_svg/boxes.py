"""The box of a claim: its lines, the word for its type, its marks, and how large it is. Places are from its corner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.views.drawn_graph import CUT, IN_A_CIRCLE, KINDS, DrawnMark, DrawnNode
from moot.views.text_widths import TextLine, shortened_line, text_width, wrapped_lines
from moot.views.words import counted, harmless, one_line

WIDTH = 216.0
LEFT, RIGHT, TOP, BOTTOM = 14.0, 10.0, 8.0, 8.0
ROOM = WIDTH - LEFT - RIGHT
CLAIM_SIZE, CLAIM_LINE, CLAIM_LINES = 12.0, 15.0, 4
SMALL_SIZE, SMALL_LINE = 10.0, 13.0
BETWEEN_MARKS = 8.0
LABEL_LETTERS = 600


@dataclass(frozen=True, slots=True)
class BoxText:
    """One text of a box: where its base line begins, or ends where it is a mark, and how it looks."""

    x: float
    y: float
    line: TextLine
    look: str


@dataclass(frozen=True, slots=True)
class ClaimBox:
    """A claim with all that stands in its box."""

    node: DrawnNode
    texts: tuple[BoxText, ...]
    height: float
    label: str
    """All of it in words, for whoever does not see it."""


def claim_box(node: DrawnNode, circling: bool) -> ClaimBox:
    """Return the box of a claim."""
    marks = [*node.marks, *([CUT] if node.cut else []), *([IN_A_CIRCLE] if circling else [])]
    lines = wrapped_lines(node.claim, ROOM, CLAIM_SIZE, CLAIM_LINES)
    texts = [BoxText(LEFT, TOP + CLAIM_LINE * (row + 0.78), line, "claim") for row, line in enumerate(lines)]
    below = TOP + CLAIM_LINE * len(lines) + 4
    rows = _small_rows(_kind_words(node), marks)
    for row, small in enumerate(rows):
        texts += [BoxText(x, below + SMALL_LINE * (row + 0.78), line, look) for x, line, look in small]
    return ClaimBox(node, tuple(texts), below + SMALL_LINE * len(rows) + BOTTOM, _label(node, marks))


def kind_class(kind: str) -> str:
    """Return the class of a claim's type; a type that nobody knows looks as an inference."""
    return kind if kind in KINDS else "inference"


def _kind_words(node: DrawnNode) -> str:
    parts = [KINDS.get(node.kind, harmless(node.kind))]
    parts += [f"{len(node.runs)}×"] if node.runs else []  # noqa: RUF001
    parts += [f"{node.confidence:.2g}"] if node.confidence is not None else []
    return " · ".join(parts)


def _small_rows(kind: str, marks: Sequence[DrawnMark]) -> list[list[tuple[float, TextLine, str]]]:
    """The type at the left and the marks at the right, in as many rows as they need."""
    first = shortened_line(kind, ROOM, SMALL_SIZE)
    rows: list[list[tuple[TextLine, str]]] = [[]]
    taken = first.width + BETWEEN_MARKS
    for mark in marks:
        words = shortened_line(mark.words, ROOM / 1.2, SMALL_SIZE)
        line = TextLine(words.text, text_width(words.text, SMALL_SIZE, bold=True), words.stated)
        if taken + line.width > ROOM:
            rows.append([])
            taken = 0.0
        rows[-1].append((line, f"mark tone-{mark.tone}" if mark.tone else "mark"))
        taken += line.width + BETWEEN_MARKS
    placed = [list(_from_the_right(row)) for row in rows]
    return [[(LEFT, first, "kind"), *placed[0]], *placed[1:]]


def _from_the_right(row: Sequence[tuple[TextLine, str]]) -> Iterator[tuple[float, TextLine, str]]:
    """The marks of a row with the places where they end."""
    end = WIDTH - RIGHT
    for line, look in reversed(row):
        yield end, line, look
        end -= line.width + BETWEEN_MARKS


def _label(node: DrawnNode, marks: Sequence[DrawnMark]) -> str:
    parts = [f"{KINDS.get(node.kind, node.kind)}: {one_line(node.claim, LABEL_LETTERS)}"]
    parts += [{"stands": "it stands", "falls": "it falls", "undecided": "undecided"}[node.fate]]
    parts += [counted(len(node.runs), "run")] if node.runs else []
    parts += [f"confidence {node.confidence:.2g}"] if node.confidence is not None else []
    parts += [mark.words.strip("✓✗◆↺ ") for mark in marks]
    parts += [f"on line {node.line}"] if node.line else []
    parts += [f"{counted(node.more, 'more claim')} behind it"] if node.more else []
    return harmless("; ".join(parts))
