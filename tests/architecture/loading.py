"""What comes along when a module is imported: what it imports at its top, and what that imports at theirs."""

import ast
from collections.abc import Iterable, Iterator

from tests.architecture.source import MODULES, parsed


def run_at_import(body: Iterable[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from run_at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from run_at_import(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))


def loads(module: str) -> set[str]:
    """Return what a module imports when it is imported, packages on the way included; its own have begun before it."""
    wanted: set[str] = set()
    for node in run_at_import(parsed(MODULES[module]).body):
        base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for name in (f"{base}{alias.name}" for alias in node.names):
            target = name if name in MODULES or not base else base.rstrip(".")
            packages = {target[:end] for end, letter in enumerate(target) if letter == "."}
            wanted |= {target, *(package for package in packages if not f"{module}.".startswith(f"{package}."))}
    return wanted - {module}


def loaded_with(module: str) -> set[str]:
    """Return all that comes with a module."""
    seen: set[str] = set()
    new = {module}
    while new:
        seen |= new
        new = {name for each in new if each in MODULES for name in loads(each)} - seen
    return seen
