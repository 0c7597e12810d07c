"""A recorded screen as a picture that loads nothing from anywhere."""

import re

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme

_INK = [(36, 41, 47), (207, 34, 46), (17, 99, 41), (154, 103, 0), (9, 105, 218), (130, 80, 223), (27, 124, 131)]
_PALE = [
    (230, 237, 243),
    (255, 123, 114),
    (63, 185, 80),
    (210, 153, 34),
    (88, 166, 255),
    (188, 140, 255),
    (57, 197, 207),
]

THEMES = {
    "light": TerminalTheme((255, 255, 255), (36, 41, 47), [*_INK, (110, 119, 129)], [*_INK, (36, 41, 47)]),
    "dark": TerminalTheme((13, 17, 23), (230, 237, 243), [*_PALE, (139, 148, 158)], [*_PALE, (230, 237, 243)]),
}

# Rich's form fetches its font; any monospaced one will do.
FORM = re.sub(r"@font-face \{\{.*?\}\}\s*|<!--.*?-->\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "font-family: Fira Code, monospace", "font-family: ui-monospace, 'DejaVu Sans Mono', monospace"
)


def drawn(console: Console, theme: str) -> str:
    """Return what a console has recorded as SVG, in the colours of a light or a dark terminal."""
    return console.export_svg(title="", theme=THEMES[theme], code_format=FORM, clear=False)
