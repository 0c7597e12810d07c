"""The page on writing a protocol quotes code that stands in the files it names."""

import re

import pytest
from council_kit import PACKAGE

ROOT = PACKAGE.parents[1]
PAGE = (ROOT / "docs" / "writing-a-protocol.md").read_text(encoding="utf-8")
WALK = PAGE.partition("## The council, step by step")[2]
QUOTE = re.compile(r"((?:(?!^```).)*?)^```(?:py|toml)\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`(\w+\.(?:py|toml))`")


def quotes() -> list[tuple[tuple[str, ...], str]]:
    """Return each quoted piece with the files that the text named last."""
    without_listing = re.sub(r"^```text\n.*?^```", "", WALK, flags=re.DOTALL | re.MULTILINE)
    named: tuple[str, ...] = ()
    pieces = []
    for prose, code in QUOTE.findall(without_listing):
        named = tuple(FILE.findall(prose.rpartition("\n**")[2])) or named
        pieces.append((named, code))
    return pieces


@pytest.mark.parametrize(("files", "code"), quotes(), ids=lambda part: part[0] if isinstance(part, tuple) else "")
def test_a_quoted_piece_stands_in_a_file_that_is_named_beside_it(files: tuple[str, ...], code: str) -> None:
    paths = [path for name in files for path in (PACKAGE / name, PACKAGE / "src" / "moot_council" / name)]

    assert any(code in path.read_text(encoding="utf-8") for path in paths if path.is_file())


def test_the_walk_quotes_from_every_part_that_decides_something() -> None:
    named = {name for files, _ in quotes() for name in files}

    assert named == {
        "protocol.py",
        "replies.py",
        "prompts.py",
        "rules.py",
        "verdicts.py",
        "settings.py",
        "pyproject.toml",
    }


def test_the_listing_names_every_file_of_the_package() -> None:
    listing = WALK.partition("```text\n")[2].partition("```")[0]

    files = {path.name for path in (PACKAGE / "src" / "moot_council").glob("*.py")}

    assert files - {"__init__.py", "wording.py"} == {name for name in files if f"    {name} " in listing}


def test_the_first_example_of_the_page_is_a_file_of_its_own() -> None:
    example = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")

    assert f"```python\n{example}```" in PAGE
