"""A graph that is no argument, with named ways through it, each in a hue and with a number of its own."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from moot.core.panes import PathPicture
from moot.views.charts.frames import chart_figure, chart_svg, figures_table
from moot.views.graph_svg.routes import Frame, leftward, rightward
from moot.views.layout import LayoutBox, Passage, laid_out
from moot.views.svg import figure, safe_text, text_element
from moot.views.text_widths import TextLine, wrapped_lines

ROOM, SIZE, LINE, LINES, PADDING = 150.0, 12.0, 15.0, 3, 9.0
HUES = 8
APART = 3.0
"""How far two ways stand apart that go from one place to the same next."""
HEAD = 6.0

Step = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of the picture with its words."""

    id: str
    lines: tuple[TextLine, ...]

    @property
    def size(self) -> LayoutBox:
        widest = max((line.width for line in self.lines), default=20.0)
        return LayoutBox(widest + 2 * PADDING, LINE * max(len(self.lines), 1) + 2 * PADDING)


def path_picture(picture: PathPicture) -> str:
    """Return the picture, the ways in words below it, and what is linked to what as a table."""
    places = [_Place(name, wrapped_lines(words, ROOM, SIZE, LINES)) for name, words in dict(picture.nodes).items()]
    numbers = {place.id: number for number, place in enumerate(places)}
    relations = _relations(picture, numbers)
    ways = _ways(picture, numbers)
    steps = list(dict.fromkeys([*relations, *ways]))
    layout = laid_out([place.size for place in places], [(numbers[after], numbers[before]) for before, after in steps])
    frames = {
        place.id: Frame(at.x, at.y, place.size.width, place.size.height)
        for place, at in zip(places, layout.boxes, strict=True)
    }
    routes = dict(zip(steps, layout.passages, strict=True))
    parts = [*_lines(relations, ways, frames, routes), *(_box(place, frames[place.id], ways) for place in places)]
    svg = chart_svg(layout.width, layout.height, picture.finding, "".join(parts))
    return chart_figure(svg, f"{_legend(picture)}{_table(picture)}", look="paths")


def _relations(picture: PathPicture, known: Mapping[str, int]) -> dict[Step, str]:
    """The words of each line; several relations between the same two are one line."""
    words: dict[Step, list[str]] = defaultdict(list)
    for before, after, relation in picture.edges:
        if before in known and after in known and before != after:
            words[before, after].append(relation)
    return {step: ", ".join(dict.fromkeys(filter(None, said))) for step, said in words.items()}


def _ways(picture: PathPicture, known: Mapping[str, int]) -> dict[Step, list[int]]:
    """The numbers of the ways that go each step."""
    ways: dict[Step, list[int]] = defaultdict(list)
    for number, (_, path) in enumerate(picture.paths, 1):
        for before, after in pairwise(path):
            if before in known and after in known and before != after and number not in ways[before, after]:
                ways[before, after].append(number)
    return {step: numbers for step, numbers in ways.items() if numbers}


def _lines(
    relations: Mapping[Step, str],
    ways: Mapping[Step, Sequence[int]],
    frames: Mapping[str, Frame],
    routes: Mapping[Step, tuple[Passage, ...]],
) -> Iterator[str]:
    for step, relation in relations.items():
        yield _line("link", step, frames, routes[step], relation)
    for step, numbers in ways.items():
        for place, number in enumerate(numbers):
            aside = APART * (place - (len(numbers) - 1) / 2)
            look = f"road line-{(number - 1) % HUES + 1}"
            yield _line(look, step, frames, routes[step], relations.get(step, ""), aside)


def _line(
    look: str, step: Step, frames: Mapping[str, Frame], between: Sequence[Passage], words: str, aside: float = 0.0
) -> str:
    one, other = frames[step[0]], frames[step[1]]
    if one.x < other.x:
        path, back = rightward(one, between, (other.x - HEAD, other.middle)), -HEAD
        tip = other.x
    else:
        path, back = leftward(one, between, (other.right + HEAD, other.middle)), HEAD
        tip = other.right
    head = f"M{figure(tip)} {figure(other.middle)}l{figure(back)} -3.5v7z"
    title = f"<title>{safe_text(words)}</title>" if words else ""
    moved = f' transform="translate(0,{figure(aside)})"' if aside else ""
    return f'<g class="{look}"{moved}>{title}<path d="{path}"/><path class="head" d="{head}"/></g>'


def _box(place: _Place, frame: Frame, ways: Mapping[Step, Sequence[int]]) -> str:
    on = sorted({number for step, numbers in ways.items() if place.id in step for number in numbers})
    look = f"spot line-{(on[0] - 1) % HUES + 1}" if on else "spot"
    rect = (
        f'<rect x="{figure(frame.x)}" y="{figure(frame.y)}" width="{figure(frame.width)}" '
        f'height="{figure(frame.height)}" rx="6"/>'
    )
    words = "".join(
        text_element(frame.x + PADDING, frame.y + PADDING + LINE * (row + 0.78), line, "words")
        for row, line in enumerate(place.lines)
    )
    return f'<g class="{look}">{rect}{words}</g>'


def _legend(picture: PathPicture) -> str:
    names = dict(picture.nodes)
    entries = "".join(
        f'<li class="line-{(number - 1) % HUES + 1}"><span class="dash"></span><b>{safe_text(name)}</b> '
        f"{safe_text(' → '.join(names.get(place, place) for place in path))}</li>"
        for number, (name, path) in enumerate(picture.paths, 1)
    )
    return f'<ol class="path-names">{entries}</ol>' if entries else ""


def _table(picture: PathPicture) -> str:
    names = dict(picture.nodes)
    rows = ([names.get(before, before), relation, names.get(after, after)] for before, after, relation in picture.edges)
    return figures_table(["from", "relation", "to"], rows, picture.finding)
