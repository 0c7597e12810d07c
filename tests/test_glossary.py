"""One word for one thing: the glossary names what the source uses, and every class name that comes twice."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "moot"
GLOSSARY = ROOT / "docs" / "glossary.md"
FEWEST_WORDS = 80

Place = tuple[str, str]
"""A class and the file that it is defined in."""


def rows(text: str, columns: int) -> list[list[str]]:
    """Return the rows of all tables with so many columns, without their heads."""
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return [row for row in cells if len(row) == columns and not row[0].startswith(("word", "class", "---"))]


def listed_words(text: str) -> list[str]:
    return [row[0] for row in rows(text, 3) if not row[0].startswith("`")]


def listed_classes(text: str) -> set[Place]:
    return {(row[0].strip("`"), row[1].strip("`")) for row in rows(text, 3) if row[0].startswith("`")}


def plain_words(text: str) -> str:
    """Return the words of a text or of code, in small letters, with a blank between them and at either end."""
    return f" {' '.join(re.findall('[a-z]+', text.lower()))} "


def stands_in(word: str, words: str) -> bool:
    one, _, rest = plain_words(word).strip().partition(" ")
    several = f"{one}s {rest}" if rest else f"{one}s"
    return any(f" {form} " in words for form in (f"{one} {rest}".strip(), several, f"{one} {rest}s".strip()))


def repeated_classes(files: Mapping[str, str]) -> set[Place]:
    """Return the classes whose name another class has too. A name with an underscore is private to its file."""
    places: dict[str, set[str]] = defaultdict(set)
    for file, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(file)
    return {(name, file) for name, found in places.items() if len(found) > 1 for file in found}


def source_files() -> dict[str, str]:
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}


def unused(words: Iterable[str], files: Mapping[str, str]) -> list[str]:
    used = plain_words("\n".join(files.values()))
    return [word for word in words if not stands_in(word, used)]


def test_every_word_of_the_glossary_stands_in_the_source_and_once_in_the_glossary() -> None:
    words = listed_words(GLOSSARY.read_text(encoding="utf-8"))

    assert len(words) > FEWEST_WORDS
    assert len(set(words)) == len(words)
    assert unused(words, source_files()) == []


def test_every_class_name_that_comes_twice_is_told_apart_in_the_glossary_and_no_other_is() -> None:
    repeated = repeated_classes(source_files())
    listed = listed_classes(GLOSSARY.read_text(encoding="utf-8"))

    assert repeated - listed == set(), "rename one of them, or tell them apart in docs/glossary.md"
    assert listed - repeated == set(), "docs/glossary.md tells apart what nobody would mistake"


def test_every_line_of_the_glossary_says_something() -> None:
    table = rows(GLOSSARY.read_text(encoding="utf-8"), 3)

    assert [row for row in table if not all(row)] == []


def test_a_word_that_nobody_uses_and_a_second_class_of_one_name_are_found() -> None:
    files = {"a.py": "class Limits: ...", "b.py": "class Limits: ...\nclass _Parser: ...", "c.py": "class _Parser: ..."}

    assert unused(["limits", "open step", "zither"], {"a.py": "LIMITS = 1  # of open_steps"}) == ["zither"]
    assert repeated_classes(files) == {("Limits", "a.py"), ("Limits", "b.py")}


def test_the_readme_and_the_page_on_design_lead_to_the_glossary() -> None:
    assert "(docs/glossary.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(glossary.md)" in (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
