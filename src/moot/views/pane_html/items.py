"""Things that are said: whose they are, what they are marked with, where they lead."""

from collections.abc import Iterable, Sequence

from moot.core.panes import ItemList, PaneItem, Tone
from moot.views.pane_html.links import SEAT_HUES, PaneLinks, anchor_id
from moot.views.svg import safe_text

MOST_IN_LINE = 8
"""Names that run on before the others are folded."""


def avatar(seat: str, links: PaneLinks) -> str:
    """Return the badge of a seat: its number in its hue."""
    name, number = links.name(seat), links.number(seat)
    hue = f" seat-{(number - 1) % SEAT_HUES + 1}" if number else ""
    shown = str(number) if number else name[:1] or "?"
    return f'<span class="seat{hue}" role="img" aria-label="{safe_text(name)}">{safe_text(shown)}</span>'


def avatars(seats: Iterable[str], links: PaneLinks) -> str:
    """Return the badges of several seats."""
    badges = "".join(avatar(seat, links) for seat in seats)
    return f'<span class="seats">{badges}</span> ' if badges else ""


def mark_word(mark: str, tone: Tone) -> str:
    """Return a word set apart."""
    look = f"word tone-{tone}" if tone else "word"
    return f'<span class="{look}">{safe_text(mark)}</span> ' if mark else ""


def linked(words: str, link: str, links: PaneLinks) -> str:
    """Return words that lead where their link says; an event stands behind them with its number."""
    href = links.href(link)
    if not href:
        return safe_text(words)
    if link.startswith("e") and link[1:].isdecimal():
        return f'{safe_text(words)} <a class="event-link" href="{safe_text(href)}">#{safe_text(link[1:])}</a>'
    return f'<a href="{safe_text(href)}">{safe_text(words or link)}</a>'


def anchored(anchor: str) -> str:
    """Return the attribute by which something can be led to."""
    return f' id="{anchor_id(anchor)}"' if anchor else ""


def small(words: str) -> str:
    """Return words of less weight."""
    return f" <small>{safe_text(words)}</small>" if words else ""


def item_html(item: PaneItem, links: PaneLinks) -> str:
    """Return one item with what belongs under it."""
    words = linked(item.words, item.link, links)
    words = f"<blockquote>{words}{small(item.aside)}</blockquote>" if item.quote else f"{words}{small(item.aside)}"
    tone = f' class="on-{item.tone}"' if item.tone and not item.mark else ""
    return (
        f"<li{anchored(item.anchor)}{tone}>{avatars(item.seats, links)}{mark_word(item.mark, item.tone)}{words}"
        f"{items_html(item.under, links)}</li>"
    )


def items_html(items: Iterable[PaneItem], links: PaneLinks) -> str:
    """Return items as a list; nothing where there are none."""
    entries = "".join(item_html(item, links) for item in items)
    return f'<ul class="items">{entries}</ul>' if entries else ""


def run_on_html(items: Sequence[PaneItem], links: PaneLinks) -> str:
    """Return the names of items one behind the other; of many, the first, and the others folded."""
    names = [f"{mark_word(item.mark, item.tone)}{linked(item.words, item.link, links)}" for item in items]
    first, further = names[:MOST_IN_LINE], names[MOST_IN_LINE:]
    folded = f"<details><summary>and {len(further)} more</summary>{', '.join(further)}</details>" if further else ""
    return f"{', '.join(first)}{folded}"


def list_html(block: ItemList, links: PaneLinks, heading: int) -> str:
    """Return a list under its title."""
    title = f"<h{heading}>{safe_text(block.title)}</h{heading}>" if block.title else ""
    body = items_html(block.items, links) or (f'<p class="soft">{safe_text(block.empty)}</p>' if block.empty else "")
    return f"{title}{body}" if body else ""
