"""The pages that are made from the code are what it says today: `make reference` makes them again."""

from pathlib import Path
from typing import Any

import pytest
from docs.reference.__main__ import HERE, PAGES
from docs.reference.json_page import WORDS, result_keys

from moot import ask_sync
from moot.testing import scripted

HINT = "the code has changed since this page was made: run `make reference`"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_made_from_the_code_is_current(name: str) -> None:
    assert (HERE / name).read_text(encoding="utf-8") == PAGES[name](), HINT


def test_the_page_lists_the_keys_of_a_result(tmp_path: Path) -> None:
    options: dict[str, Any] = {"protocol": "single", "environ": {"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"}}
    member = scripted({"answer": {"reasoning": "r", "answer": "42", "confidence": 0.9}})

    result = ask_sync("What is it?", members="scripted:a", models={"scripted:a": member}, **options)

    assert set(result.json()) == set(result_keys()) == set(WORDS)
