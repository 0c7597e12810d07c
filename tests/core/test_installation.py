"""The command that a message names is one that works where Moot is installed."""

from dataclasses import replace

import pytest

from moot.core.errors import ExtraMissing
from moot.core.installation import (
    PIPX_MARK,
    UNNAMED,
    UV_MARK,
    Installation,
    install_command,
    python_word,
    this_installation,
)

PLAIN = Installation(marks=frozenset(), name=".venv", has_pip=True, python=".venv/bin/python")
PIPX = Installation(marks=frozenset({PIPX_MARK}), name="moot", has_pip=True)
UV_TOOL = Installation(marks=frozenset({UV_MARK}), name="moot", has_pip=False)


@pytest.mark.parametrize(
    ("installation", "command"),
    [
        (PLAIN, ".venv/bin/python -m pip install 'moot[docs]'"),
        (replace(PLAIN, python="python"), "python -m pip install 'moot[docs]'"),
        (replace(PLAIN, has_pip=False), "uv pip install --python .venv/bin/python 'moot[docs]'"),
        (PIPX, "pipx runpip moot install 'moot[docs]'"),
        (replace(PIPX, name="moot@2", has_pip=False), "pipx runpip moot@2 install 'moot[docs]'"),
        (UV_TOOL, "uv pip install --python \"$(uv tool dir)/moot\" 'moot[docs]'"),
    ],
    ids=["checkout", "active environment", "environment without pip", "pipx", "pipx that works with uv", "uv tool"],
)
def test_each_kind_of_installation_has_its_own_command(installation: Installation, command: str) -> None:
    assert install_command(installation, "moot[docs]") == command
    assert str(ExtraMissing(what="a PDF", extra="docs", installation=installation)) == f"a PDF needs `{command}`."


def test_what_needs_no_quotes_gets_none() -> None:
    assert install_command(PIPX, "wordllama") == "pipx runpip moot install wordllama"


def test_a_python_that_only_an_absolute_path_would_name_is_left_to_the_doctor() -> None:
    error = ExtraMissing(what="a PDF", extra="docs", installation=replace(PLAIN, python=UNNAMED))

    assert str(error) == "a PDF needs `PYTHON -m pip install 'moot[docs]'`; `moot doctor` says which PYTHON it is."
    assert error.extra == "docs"


@pytest.mark.parametrize(
    ("first_on_path", "folder", "word"),
    [
        ("/home/ada/moot/.venv/bin/python", "/", "python"),
        ("/usr/bin/python", "/home/ada/moot", ".venv/bin/python"),
        ("/usr/bin/python", "/home/ada", "moot/.venv/bin/python"),
        ("", "/home/ada/moot/.venv", "bin/python"),
        ("", "/home/eve", UNNAMED),
        ("", "/", UNNAMED),
        ("", "", UNNAMED),
    ],
)
def test_a_python_of_an_environment_is_called_by_name_where_it_is_the_first_and_else_by_the_way_from_here(
    first_on_path: str, folder: str, word: str
) -> None:
    prefix = "/home/ada/moot/.venv"
    executable = f"{prefix}/bin/python"

    assert python_word(executable, prefix, is_environment=True, first_on_path=first_on_path, folder=folder) == word


def test_a_way_with_a_blank_in_it_can_be_pasted() -> None:
    word = python_word("/a/my moot/bin/python", "/a/my moot", is_environment=True, first_on_path="", folder="/a")

    assert word == "'my moot/bin/python'"


def test_a_python_outside_any_environment_is_called_by_its_own_name() -> None:
    word = python_word("/usr/bin/python3.12", "/usr", is_environment=False, first_on_path="/opt/python", folder="/")

    assert word == "python3.12"


def test_the_marks_are_those_that_pipx_and_uv_leave_and_this_environment_has_none() -> None:
    assert (PIPX_MARK, UV_MARK) == ("pipx_metadata.json", "uv-receipt.toml")
    assert this_installation().marks == frozenset()
