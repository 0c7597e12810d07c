"""What the docs name of the code is there: files, what is in them, the classes of the design page, settings."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.protocols import PROTOCOLS, find_protocol
from tests.docs.kit import DOCS, PAGES, ROOT

SOURCE = ROOT / "src" / "moot"
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
# A table of results names the files as they were called when it was made.
MEASURED = re.compile(r"<!-- evidence: begin -->.*?<!-- evidence: end -->", re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
FILE = re.compile(r"(?<![\w./])(?:[\w.-]+/)*\w[\w.-]*\.(?:py|toml)\b")
THE_READERS_OWN = {"FILE.py", "moot.toml"}
CARRIED = re.compile(r"^([\w/]+\.py): (\w[\w., ]*)$")
CLASS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def spans(page: Path) -> list[str]:
    return SPAN.findall(MEASURED.sub("", BLOCK.sub("", page.read_text(encoding="utf-8"))))


def is_there(file: str) -> bool:
    """Is it in the project, below src/moot or in the folder of a protocol? A bare name may be anywhere below them."""
    if "/" not in file and any(SOURCE.rglob(file)):
        return True
    return any((folder / file).is_file() for folder in (ROOT, SOURCE, *(SOURCE / "protocols").iterdir()))


def absent_names(page: Path) -> Iterator[str]:
    """Yield what a design page says is in a file and is not: `rules.py: passes, flag_by_verdicts`."""
    for file, names in (found.groups() for span in spans(page) if (found := CARRIED.match(span))):
        places = (SOURCE / "protocols" / page.stem / file, SOURCE / file)
        text = next(place.read_text(encoding="utf-8") for place in places if place.is_file())
        for name in names.replace(".", ", ").split(", "):
            if not re.search(rf"^\s*(?:async )?(?:def|class) {name}\b|^\s*{name}\b.* = ", text, re.MULTILINE):
                yield f"{file}: {name}"


def test_every_file_that_the_docs_name_is_there() -> None:
    named = {(page.name, file) for page in PAGES for span in spans(page) for file in FILE.findall(span)}

    missing = sorted(f"{page}: {file}" for page, file in named if file not in THE_READERS_OWN and not is_there(file))

    assert len(named) > 40
    assert not missing


def test_every_class_that_the_design_page_names_is_there() -> None:
    defined = {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    named = {name for span in spans(ROOT / "docs" / "design.md") for name in CLASS.findall(span)}

    assert named
    assert not sorted(named - defined)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_design_page_puts_beside_a_clause_is_in_the_file_that_it_names(protocol: str) -> None:
    assert list(absent_names(DOCS / "design" / f"{protocol}.md")) == []


def test_what_is_not_in_its_file_is_named(tmp_path: Path) -> None:
    page = tmp_path / "prism.md"
    page.write_text("| gate | `rules.py: passes, flies`, `core/panel.py: Panel.models` |\n", encoding="utf-8")

    assert list(absent_names(page)) == ["rules.py: flies"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_setting_of_a_protocol_stands_on_its_page(protocol: str) -> None:
    page = (DOCS / "protocols" / f"{protocol}.md").read_text(encoding="utf-8")
    table = page.partition("## Settings\n")[2].partition("\n## ")[0]

    assert [name for name in find_protocol(protocol).settings.model_fields if f"`{name}`" not in table] == []
