"""Imports point down, never up, never sideways. The table is the design's; every arrow in the code must be in it."""

import ast
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "moot"

LAYERS = (
    {"core", "argument", "oracles", "settings", "version"},
    {"methods", "views"},
    {"protocols", "gateway", "store"},
    {"runtime", "testing"},
    {"service"},
    {"evals"},
    {"cli", "web", "mcp_server"},
)

EXCEPTIONS = {
    ("testing", "gateway"),  # scripted members are members
    ("cli", "web"),  # the command line starts both, by late import
    ("cli", "mcp_server"),
}

FORBIDDEN_TO_RUNTIME = {"gateway", "store", "protocols"}

FORBIDDEN_TO_PROTOCOLS = {"asyncio", "time", "random", "os", "sqlalchemy", "openai", "aiohttp", "httpx"}


def layer_of(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def modules() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if part_of(path) != "__init__"]


def imports(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its arrow"
            names += (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "moot"
                else [node.module or ""]
            )
    return names


def is_allowed(source: str, target: str) -> bool:
    if source == target or (source, target) in EXCEPTIONS or target == "version":
        return True
    if source == "runtime" and target in FORBIDDEN_TO_RUNTIME:
        return False
    return layer_of(target) < layer_of(source)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_lies_below_it(path: Path) -> None:
    targets = {name.split(".")[1] for name in imports(path) if name.startswith("moot.")}

    wrong = sorted(target for target in targets if not is_allowed(part_of(path), target))

    assert not wrong, f"{part_of(path)} may not import {', '.join(wrong)}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "protocols").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_protocol_reaches_the_world_and_other_protocols_through_the_door_alone(path: Path) -> None:
    own = path.relative_to(ROOT / "protocols").parts[0]
    names = imports(path)

    worldly = sorted({name for name in names if name.split(".")[0] in FORBIDDEN_TO_PROTOCOLS})
    others = sorted({name for name in names if name.startswith("moot.protocols.") and name.split(".")[2] != own})

    assert not worldly
    assert not others


def test_importing_moot_or_the_argument_library_loads_nothing_else() -> None:
    import subprocess
    import sys

    code = "import sys, moot, moot.argument; print(*sorted(m for m in sys.modules if m.startswith('moot')))"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert {name.split(".")[1] for name in loaded if "." in name} <= {"argument", "version"}


COMPARING = ("moot.argument.dedup", "moot.argument.guards")
"""What decides that claims are one or oppose each other."""


def test_only_the_graph_and_the_module_of_sameness_compare_meanings() -> None:
    comparing = {path for path in modules() if any(name in COMPARING for name in imports(path))}

    elsewhere = [path for path in comparing if part_of(path) != "argument" and path.parent.name != "sameness"]

    assert not elsewhere, "ask moot.methods.sameness whether two texts, answers or claims are the same (ruling G11)"


def name_of(path: Path) -> str:
    return ".".join(("moot", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


FILES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


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
    for node in run_at_import(ast.parse(FILES[module].read_text(encoding="utf-8")).body):
        base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for name in (f"{base}{alias.name}" for alias in node.names):
            target = name if name in FILES or not base else base.rstrip(".")
            packages = {target[:end] for end, letter in enumerate(target) if letter == "."}
            wanted |= {target, *(package for package in packages if not f"{module}.".startswith(f"{package}."))}
    return wanted - {module}


def loaded_with(module: str) -> set[str]:
    """Return all that comes with a module."""
    seen: set[str] = set()
    new = {module}
    while new:
        seen |= new
        new = {name for each in new if each in FILES for name in loads(each)} - seen
    return seen


def test_any_module_can_be_the_first_that_is_imported() -> None:
    graph = {module: loads(module) & set(FILES) for module in FILES}

    order = list(TopologicalSorter(graph).static_order())

    assert len(order) == len(FILES) > 300


def test_a_command_that_computes_nothing_waits_for_no_mathematics() -> None:
    loaded = loaded_with("moot.service.opening")

    assert {"sqlalchemy", "moot.store.schema"} <= loaded
    assert not {"numpy", "rapidfuzz", "moot.argument", "moot.methods", "moot.oracles"} & loaded
