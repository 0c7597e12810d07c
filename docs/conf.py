"""How Sphinx builds the site: `make docs`. Nothing is fetched, and nothing on a page comes from elsewhere.

The pages are plain Markdown, which a forge shows as they are, so no page holds a directive. What Sphinx wants to know
of their order it gets from the lists of `index.md`: each heading there with a list of pages is a part of the contents.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

project = "Moot"
author = "The Moot authors"
copyright = "the Moot authors, Apache-2.0"  # noqa: A001
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["**/__pycache__"]
nitpicky = True
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
html_theme = "furo"
html_title = "Moot"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": False}

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
PAGE = re.compile(r"\]\((\w[\w/.-]*)\.md\)")
UPWARDS = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[\w/.-]+\.md)\)")


def contents_of(index: str) -> str:
    """Return the tables of contents that the lists of the first page stand for."""
    _, *parts = HEADING.split(index)
    pages = {heading: PAGE.findall(text) for heading, text in zip(parts[::2], parts[1::2], strict=True)}
    return "\n".join(
        "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *listed, "```", ""])
        for heading, listed in pages.items()
        if listed
    )


def with_downloads(text: str, page: Path, root: Path) -> str:
    """Return a page whose links to Markdown outside of the site, such as the changelog, lead to a copy of the file."""

    def link(found: re.Match[str]) -> str:
        is_page = (page.parent / found[2]).resolve().is_relative_to(root)
        return found[0] if is_page else f"{{download}}`{found[1]} <{found[2]}>`"

    return UPWARDS.sub(link, text)


def prepare(app: Sphinx, page: str, source: list[str]) -> None:
    """Give Sphinx what no page holds: the tables of contents under the first one, and downloads."""
    contents = f"\n\n{contents_of(source[0])}" if page == root_doc else ""
    source[0] = with_downloads(source[0], Path(app.srcdir, page), Path(app.srcdir)) + contents


def setup(app: Sphinx) -> None:
    """Tell Sphinx who reads the pages before it does."""
    app.connect("source-read", prepare)
