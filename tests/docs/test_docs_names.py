"""What the docs name of the code is there: files, and the classes of the design page."""

import re
from pathlib import Path

from tests.cli.kit import ROOT

SOURCE = ROOT / "src" / "moot"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
# A table of results names the files as they were called when it was made.
MEASURED = re.compile(r"<!-- evidence: begin -->.*?<!-- evidence: end -->", re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
FILE = re.compile(r"(?<![\w./])(?:[\w.-]+/)*\w[\w.-]*\.(?:py|toml)\b")
THE_READERS_OWN = {"FILE.py", "moot.toml"}
CLASS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def spans(page: Path) -> list[str]:
    return SPAN.findall(MEASURED.sub("", BLOCK.sub("", page.read_text(encoding="utf-8"))))


def is_there(file: str) -> bool:
    """Is it in the project, below src/moot or in the folder of a protocol? A bare name may be anywhere below them."""
    if "/" not in file and any(SOURCE.rglob(file)):
        return True
    return any((folder / file).is_file() for folder in (ROOT, SOURCE, *(SOURCE / "protocols").iterdir()))


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
