"""Which command adds a package to the Moot that runs: pipx, uv, the environment's own pip.

The command is a pure function of a few facts, and `this_installation` alone reads them. No command holds an absolute
path, so that a message with one may be kept in a record and sent to a client.
"""

import shlex
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePath

PIPX_MARK = "pipx_metadata.json"
UV_MARK = "uv-receipt.toml"
UNNAMED = "PYTHON"
"""A Python that can be called from here by an absolute path only."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What tells how Moot was installed."""

    marks: frozenset[str]
    """The files that pipx and uv leave at the top of an environment of theirs."""
    name: str
    """The environment's folder, which for pipx and uv is the name of the tool."""
    has_pip: bool
    python: str = UNNAMED
    """How its Python is called from where the user is."""


def install_command(installation: Installation, package: str) -> str:
    """Return the command that adds a package, such as `moot[docs]`; what is installed stays, Moot itself included."""
    wanted = shlex.quote(package)
    # pipx may have made its environment with uv, so that its mark decides.
    if PIPX_MARK in installation.marks:
        return f"pipx runpip {installation.name} install {wanted}"
    # `uv tool install` would take away the extras that it is not told of.
    if UV_MARK in installation.marks:
        return f'uv pip install --python "$(uv tool dir)/{installation.name}" {wanted}'
    if installation.has_pip:
        return f"{installation.python} -m pip install {wanted}"
    return f"uv pip install --python {installation.python} {wanted}"


def python_word(executable: str, prefix: str, *, is_environment: bool, first_on_path: str, folder: str) -> str:
    """Return how a Python is called in a folder: by its name, by a path from there, or `PYTHON` where neither works.

    `first_on_path` is what the shell runs for `python`.
    """
    place = PurePath(executable)
    if not is_environment:
        return place.name
    if PurePath(first_on_path).parent == place.parent:
        return "python"
    try:
        way = PurePath(prefix).relative_to(folder) / place.relative_to(prefix)
    except ValueError:
        return UNNAMED
    # From the root the way would be an absolute path in all but its first letter.
    return UNNAMED if PurePath(folder).parent == PurePath(folder) else shlex.quote(str(way))


def this_installation() -> Installation:
    """Return the facts of the Moot that runs."""
    prefix = Path(sys.prefix)
    return Installation(
        marks=frozenset(mark for mark in (PIPX_MARK, UV_MARK) if (prefix / mark).is_file()),
        name=prefix.name,
        has_pip=find_spec("pip") is not None,
        python=python_word(
            sys.executable,
            sys.prefix,
            is_environment=sys.prefix != sys.base_prefix,
            first_on_path=shutil.which("python") or "",
            folder=_working_folder(),
        ),
    )


def _working_folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was deleted
        return ""
