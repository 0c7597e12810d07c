"""Tables: rows that may be chosen by the words of a column, and figures that may be sorted by."""

import re
from collections.abc import Iterator, Mapping, Sequence

from moot.core.panes import PaneCell, PaneRow, PaneTable
from moot.views.pane_html.items import anchored, avatars, items_html, linked, mark_word, run_on_html, small
from moot.views.pane_html.links import PaneLinks
from moot.views.scrolling import scroll_box
from moot.views.svg import safe_text

MOST_CHOICES = 40
"""A column with more different words is none to choose by."""

LONGEST_WORD = 24
"""A longer one may be broken anywhere."""

_NOT_IN_A_NAME = re.compile("[^a-z0-9]+")


def table_html(table: PaneTable, links: PaneLinks) -> str:
    """Return the table, with the choices above it where the address can tell which was made."""
    if not table.rows:
        return f'<p class="soft">{safe_text(table.empty)}</p>'
    choices = _choices(table) if links.query is not None else {}
    rows = [row for row in table.rows if _is_chosen(row, table, choices, links)]
    form = _form(choices, links, len(rows), len(table.rows)) if choices else ""
    caption = f"<caption>{safe_text(table.caption)}</caption>" if table.caption else ""
    head = "".join(
        f'<th scope="col"{_sorting(table, number)}>{safe_text(c)}</th>' for number, c in enumerate(table.columns)
    )
    body = "".join(_row(row, links) for row in rows)
    none = "" if rows else f'<tr><td colspan="{len(table.columns)}">No row has these words.</td></tr>'
    whole = f'<table class="pane-table">{caption}<thead><tr>{head}</tr></thead><tbody>{body}{none}</tbody></table>'
    return form + scroll_box(whole, table.caption or f"Table: {', '.join(filter(None, table.columns))}")


def _sorting(table: PaneTable, column: int) -> str:
    figures = any(row.cells[column].number is not None for row in table.rows if column < len(row.cells))
    return f' data-sort="{"number" if figures else "words"}"{" class=figure" if figures else ""}'


def _row(row: PaneRow, links: PaneLinks) -> str:
    looks = " ".join([*(["struck"] * row.struck), *([f"on-{row.tone}"] if row.tone else [])])
    look = f' class="{looks}"' if looks else ""
    return f"<tr{anchored(row.anchor)}{look}>{''.join(_cell(cell, links) for cell in row.cells)}</tr>"


def _cell(cell: PaneCell, links: PaneLinks) -> str:
    looks = [*(["whole"] * _has_short_words(cell)), *(["figure"] if cell.number is not None else [])]
    look = f' class="{" ".join(looks)}"' if looks else ""
    value = "" if cell.number is None else f' data-value="{cell.number:g}"'
    words = cell.words or ("" if cell.number is None else f"{cell.number:g}")
    tone = f' class="tone-{cell.tone}"' if cell.tone and not cell.mark else ""
    said = linked(words, cell.link, links) if words or cell.link else ""
    shown = f"<span{tone}>{said}</span>" if tone else said
    parts = f"{avatars(cell.seats, links)}{mark_word(cell.mark, cell.tone)}{shown}"
    items = run_on_html(cell.items, links) if cell.run_on else items_html(cell.items, links)
    return f"<td{look}{value}>{parts}{small(cell.aside)}{items}</td>"


def _has_short_words(cell: PaneCell) -> bool:
    """Whether no word of a cell is so long that it must be broken for the table to fit."""
    texts = (cell.words, cell.mark, cell.aside, *(item.words for item in cell.items))
    return all(len(word) <= LONGEST_WORD for text in texts for word in text.split())


def _choices(table: PaneTable) -> dict[str, tuple[int, list[str]]]:
    """The parameter of each column that rows may be chosen by, with its place and its words."""
    choices = {}
    for column in table.filters:
        if column in table.columns:
            place = table.columns.index(column)
            words = list(dict.fromkeys(said for row in table.rows if (said := _said(row, place))))
            if 1 < len(words) <= MOST_CHOICES:
                choices[_NOT_IN_A_NAME.sub("-", column.lower()).strip("-")] = (place, words)
    return choices


def _said(row: PaneRow, place: int) -> str:
    cell = row.cells[place] if place < len(row.cells) else PaneCell()
    return cell.mark or cell.words


def _is_chosen(
    row: PaneRow, table: PaneTable, choices: Mapping[str, tuple[int, Sequence[str]]], links: PaneLinks
) -> bool:
    wanted = ((place, links.chosen(name)) for name, (place, words) in choices.items() if links.chosen(name) in words)
    return all(_said(row, place) == value for place, value in wanted)


def _form(choices: Mapping[str, tuple[int, Sequence[str]]], links: PaneLinks, shown: int, total: int) -> str:
    kept = "".join(
        f'<input type="hidden" name="{safe_text(name)}" value="{safe_text(value)}">'
        for name, value in (links.query or {}).items()
        if name not in choices
    )
    fields = "".join(_field(name, words, links.chosen(name)) for name, (_, words) in choices.items())
    count = f"<small>{shown} of {total}</small>" if shown < total else ""
    return f'<form class="choosing" method="get">{kept}{fields}<button class="quiet">Show</button>{count}</form>'


def _field(name: str, words: Sequence[str], chosen: str | None) -> str:
    options = "".join(_options(words, chosen))
    return f'<label>{safe_text(name)} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _options(words: Sequence[str], chosen: str | None) -> Iterator[str]:
    for value in words:
        yield f'<option value="{safe_text(value)}"{" selected" if value == chosen else ""}>{safe_text(value)}</option>'
