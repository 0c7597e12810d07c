"""What one source text imports and calls, and what of that its row in the table does not allow."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.table import EXCEPTIONS, PARTS, PLAIN, PURE, WORLDLY_CALLS, WORLDLY_NAMES

ROOT = Path(__file__).parents[2] / "src" / "moot"

FILES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
"""The source of Moot: a text for each file below src/moot."""


def module_of(file: str) -> str:
    return ".".join(("moot", *file.removesuffix(".py").split("/"))).removesuffix(".__init__")


@functools.cache
def parsed(text: str) -> ast.Module:
    """Return the tree of a source text, for reading only."""
    return ast.parse(text)


MODULES = {module_of(file): text for file, text in FILES.items()}


def part_of(file: str) -> str:
    return file.split("/")[0].removesuffix(".py")


def offences(file: str, text: str) -> list[str]:
    """Return what the source text of a file does and its row does not allow; each names the file and the thing."""
    if part_of(file) not in PARTS:
        return [f"{file} belongs to no row"]
    wrong = dict.fromkeys(name for name in imported_names(text) if not may_import(file, name))
    world = worldly_names(text) if part_of(file) in PURE else ()
    return [*(f"{file} imports {name}" for name in wrong), *(f"{file} calls {name}" for name in world)]


def may_import(file: str, name: str) -> bool:
    part, row = part_of(file), PARTS[part_of(file)]
    if part in PURE and WORLDLY_NAMES & set(name.split(".")):
        return False
    allowed = row.moot | row.outside | PLAIN | EXCEPTIONS.get(file, set()) | {f"moot.{part}.*"}
    return any(allows(entry, name) for entry in allowed)


def allows(entry: str, name: str) -> bool:
    """Does an entry of the table allow the import of this name?"""
    if name.startswith("moot."):
        return f"{name}.".startswith(entry[:-1]) if entry.endswith(".*") else name == entry
    return f"{name}.".startswith(f"{entry}.")


def loose_entries() -> list[str]:
    """Return what the rows allow and no module of their part imports."""
    used: dict[str, set[str]] = {part: set() for part in PARTS}
    for file, text in FILES.items():
        used.setdefault(part_of(file), set()).update(imported_names(text))
    return [
        f"{part} may import {entry} and does not"
        for part, row in PARTS.items()
        for entry in sorted(row.moot | row.outside)
        if not any(allows(entry, name) for name in used[part])
    ]


def imported_names(text: str) -> Iterator[str]:
    """Yield each import: `moot.core.panel` for a module of Moot, whatever is taken from it; else `os.path.join`."""
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import has no first name, and no row allows that: it would hide its arrow.
            names = (f"{node.module}.{alias.name}" if not node.level else f".{alias.name}" for alias in node.names)
            yield from (module_holding(name) if name.startswith("moot.") else name for name in names)


def module_holding(name: str) -> str:
    return name if name in MODULES else name.rpartition(".")[0]


def worldly_names(text: str) -> Iterator[str]:
    """Yield what a text asks of the clock, of chance, of files and of the terminal."""
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Attribute) and (node.attr in WORLDLY_NAMES or ast.unparse(node.value) == "time"):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLDLY_CALLS:
            yield node.func.id
