"""Writes the pages that are made from the code: `make reference`."""

from pathlib import Path

from docs.reference.commands_page import commands_page
from docs.reference.json_page import json_page

HERE = Path(__file__).parent
PAGES = {"commands.md": commands_page, "json.md": json_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
