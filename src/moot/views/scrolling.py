"""Boxes that scroll sideways where there is no room: whoever has no pointer can reach and scroll them too."""

from moot.views.svg import safe_text


def scroll_box(body: str, label: str) -> str:
    """Return markup in a box that scrolls, under a name that tells what is in it."""
    # A group: as regions, several charts of one page would be landmarks with the same name.
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{safe_text(label)}">{body}</div>'
