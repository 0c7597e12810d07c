"""The forms in which a deliberation is written."""

from typing import Literal

Format = Literal["md", "json", "html", "files"]

EXPORT_FORMATS: dict[Format, str] = {
    "md": "Markdown, to read",
    "json": "everything that is known of it, in one object",
    "html": "a page that needs no network",
    "files": "a folder with all its files",
}
