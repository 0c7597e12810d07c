"""The blocks of a pane, each by its own writer."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from moot.core.panes import (
    ItemList,
    LineChart,
    MatrixChart,
    Pane,
    PaneBlock,
    PaneChoice,
    PaneOption,
    PaneSection,
    PaneTable,
    PathPicture,
    TextBlock,
    TextDiff,
)
from moot.views.charts import line_chart, matrix_chart, path_picture
from moot.views.pane_html.diffs import diff_html
from moot.views.pane_html.items import anchored, list_html, small
from moot.views.pane_html.links import PaneLinks
from moot.views.pane_html.tables import table_html
from moot.views.svg import safe_id, safe_text
from moot.views.words import one_line

LONG_TEXT = 2_000
"""A text of more letters is folded."""


def pane_html(pane: Pane, links: PaneLinks) -> str:
    """Return a pane as a card."""
    head = f"<header><h2>{safe_text(pane.title)}</h2>{small(pane.aside)}</header>"
    body = blocks_html(pane.blocks, links)
    return f'<section class="card pane" id="{safe_id("pane", pane.name)}">{head}{body}</section>'


def blocks_html(blocks: Iterable[PaneBlock], links: PaneLinks, heading: int = 3) -> str:
    """Return blocks one below the other; small charts that follow each other stand side by side."""
    parts: list[str] = []
    smalls: list[str] = []
    for block in blocks:
        if isinstance(block, MatrixChart) and block.small:
            smalls.append(block_html(block, links, heading))
            continue
        parts += _side_by_side(smalls)
        smalls = []
        parts.append(block_html(block, links, heading))
    return "".join([*parts, *_side_by_side(smalls)])


def block_html(block: PaneBlock, links: PaneLinks, heading: int = 3) -> str:
    """Return one block; `heading` is the rank of its title."""
    match block:
        case ItemList():
            return list_html(block, links, heading)
        case PaneTable():
            return table_html(block, links)
        case PaneSection():
            return _section(block, links, heading)
        case TextBlock():
            return _text(block, heading)
        case LineChart():
            return line_chart(block)
        case MatrixChart():
            return matrix_chart(_named_seats(block, links))
        case PathPicture():
            return path_picture(block)
        case TextDiff():
            return diff_html(block, heading)
        case PaneChoice():
            return _choice(block, links, heading)
        case _:
            assert_never(block)


def _side_by_side(charts: list[str]) -> list[str]:
    return [f'<div class="multiples">{"".join(charts)}</div>'] if charts else []


def _section(block: PaneSection, links: PaneLinks, heading: int) -> str:
    title = f"<h{heading}>{safe_text(block.title)}</h{heading}>{small(block.aside)}"
    body = blocks_html(block.blocks, links, heading + 1)
    return f'<section class="part"{anchored(block.anchor)}><div>{title}</div><div>{body}</div></section>'


def _text(block: TextBlock, heading: int) -> str:
    title = f"<h{heading}>{safe_text(block.title)}</h{heading}>" if block.title else ""
    text = f'<div class="written">{safe_text(block.text)}</div>'
    if len(block.text) <= LONG_TEXT:
        return f"{title}{text}"
    return f"{title}<details><summary>{safe_text(one_line(block.text, 200))}</summary>{text}</details>"


def _named_seats(chart: MatrixChart, links: PaneLinks) -> MatrixChart:
    if not chart.seats:
        return chart
    return replace(chart, rows=tuple(map(links.name, chart.rows)), columns=tuple(map(links.name, chart.columns)))


def _choice(block: PaneChoice, links: PaneLinks, heading: int) -> str:
    """The view that is chosen, with links to the others; where no link can lead to them, they are folded."""
    values = [option.value for option in block.options]
    wanted = links.chosen(block.name)
    shown = wanted if wanted in values else block.chosen
    if links.query is None:
        return "".join(_folded(option, links, heading, is_open=option.value == shown) for option in block.options)
    steps = "".join(_step(block, option, links, is_chosen=option.value == shown) for option in block.options)
    body = "".join(blocks_html(option.blocks, links, heading) for option in block.options if option.value == shown)
    return (
        f'<div class="choice" role="group" aria-label="{safe_text(block.words)}" data-choice="{safe_text(block.name)}">'
        f"<span>{safe_text(block.words)}</span><ol>{steps}</ol></div>{body}"
    )


def _step(block: PaneChoice, option: PaneOption, links: PaneLinks, *, is_chosen: bool) -> str:
    href = safe_text(links.with_parameter(block.name, option.value))
    current = ' aria-current="true"' if is_chosen else ""
    return f'<li><a href="{href}" data-value="{safe_text(option.value)}"{current}>{safe_text(option.words)}</a></li>'


def _folded(option: PaneOption, links: PaneLinks, heading: int, *, is_open: bool) -> str:
    body = blocks_html(option.blocks, links, heading)
    return f"<details{' open' if is_open else ''}><summary>{safe_text(option.words)}</summary>{body}</details>"
