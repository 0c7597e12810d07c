"""The pages as a site: each is in the contents, every link and anchor leads somewhere, and Sphinx builds them."""

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.kit import DOCS, PAGES, ROOT, page_name

FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PICTURE = re.compile(r"""<(?:img|source)[^>]* src(?:set)?="([^"]+)\"""")
SITE = ("sphinx", "myst_parser", "furo")
NOT_INSTALLED = "Sphinx, myst-parser and furo are not installed: they are the extra `site`"
FROM_ELSEWHERE = re.compile(
    r"""<(?:script|img|iframe|source)[^>]* src(?:set)?="(?:https?:)?//"""
    r"""|<link[^>]* rel="(?:stylesheet|preconnect|preload)[^>]* href="(?:https?:)?//|@import|url\(["']?(?:https?:)?//"""
)


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as forges and MyST make them."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in HEADING.findall(prose(page)):
        words = re.sub(r"\]\([^)]*\)", "", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def broken_links(page: Path) -> Iterator[str]:
    text = prose(page)
    for target in [*LINK.findall(SPAN.sub("", text)), *PICTURE.findall(text)]:
        if target.startswith(("http://", "https://")):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file) if file else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            yield target


def listed_pages() -> list[str]:
    targets = LINK.findall(prose(DOCS / "index.md"))
    return [target for target in targets if target.endswith(".md") and not target.startswith("..")]


def test_every_page_stands_once_in_the_contents() -> None:
    listed = Counter(str((DOCS / target).resolve().relative_to(ROOT)) for target in listed_pages())

    pages = {page_name(page) for page in PAGES if page.is_relative_to(DOCS) and page.name != "index.md"}

    assert pages - set(listed) == set()
    assert [page for page, times in listed.items() if times > 1] == []


def test_every_link_and_every_anchor_leads_somewhere() -> None:
    broken = [f"{page_name(page)}: {target}" for page in PAGES for target in broken_links(page)]

    assert not broken


def test_a_link_and_an_anchor_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# A person's `turn`\n\n```\n# no heading\n```\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("[a](absent.md) [b](there.md#a-persons-turn) [c](there.md#no-heading) `[d](e)`\n", encoding="utf-8")

    assert list(broken_links(page)) == ["absent.md", "there.md#no-heading"]


@pytest.mark.skipif(not all(map(importlib.util.find_spec, SITE)), reason=NOT_INSTALLED)
def test_the_site_is_built_without_a_warning_and_takes_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"

    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--nitpicky", DOCS, site],
        capture_output=True,
        text=True,
        check=False,
    )

    assert built.returncode == 0, built.stderr
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len([path for path in files if path.suffix == ".html"]) > len(PAGES) - 1
    assert [path.name for path in files if FROM_ELSEWHERE.search(path.read_text(encoding="utf-8"))] == []
