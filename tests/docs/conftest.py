"""A folder with the examples of a checkout, in which the commands of the docs are typed."""

from pathlib import Path

import pytest

from tests.docs.kit import lay_out_examples, prepare


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay_out_examples(tmp_path)
    return tmp_path


@pytest.fixture
def environ(folder: Path) -> dict[str, str]:
    return prepare(folder)
