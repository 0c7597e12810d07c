"""Draws the screens of the docs: `make shots`. They are what the commands print, to members that follow a script."""

from pathlib import Path

from docs.shots.drawing import THEMES, drawn
from docs.shots.scenes import SCENES

HERE = Path(__file__).parent
WIDTHS = (60, 80, 120)

if __name__ == "__main__":
    for name, scene in SCENES.items():
        for width in WIDTHS:
            console = scene(width)
            for theme in THEMES:
                file = HERE / f"{name}-{width}-{theme}.svg"
                file.write_text(drawn(console, theme), encoding="utf-8")
