"""The screens of the docs: drawn by `make shots`, each at every width and on both grounds, loading nothing."""

import re

import pytest
from docs.shots.__main__ import HERE, WIDTHS
from docs.shots.drawing import THEMES, drawn
from docs.shots.scenes import SCENES

from tests.docs.kit import DOCS

NAMESPACE = "http://www.w3.org/2000/svg"


def test_every_screen_is_there_at_every_width_on_both_grounds_and_nothing_else_is() -> None:
    wanted = {f"{name}-{width}-{theme}.svg" for name in SCENES for width in WIDTHS for theme in THEMES}

    assert {file.name for file in HERE.glob("*.svg")} == wanted
    assert set(re.findall(r"shots/([^)]+)\)", (DOCS / "screens.md").read_text(encoding="utf-8"))) == wanted


@pytest.mark.parametrize("name", SCENES)
def test_a_screen_is_what_the_code_prints_today(name: str) -> None:
    today = words(drawn(SCENES[name](60), "light"))

    assert today == words((HERE / f"{name}-60-light.svg").read_text(encoding="utf-8")), "run `make shots`"


def test_a_screen_loads_nothing_from_elsewhere() -> None:
    for file in HERE.glob("*.svg"):
        text = file.read_text(encoding="utf-8").replace(NAMESPACE, "")
        assert "://" not in text and "@font-face" not in text, file.name


def words(picture: str) -> list[str]:
    """Return what a screen says, but for ids and seconds, which differ from run to run."""
    said = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    return [re.sub(r"\b[0-9a-f]{10}\b|[0-9.]+ s\b|[\u2800-\u28ff]", "", line.replace("&#160;", " ")) for line in said]
