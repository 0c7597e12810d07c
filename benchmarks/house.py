"""`python -m benchmarks.house [FOLDER]`: the shape of the source, for comparing two checkouts.

Files a folder, lines a file and a function, who imports most and who is imported most, the longest chain of imports,
and the modules that stand in a circle.
"""

import ast
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "src" / "moot"
    files = {name_of(path, root): path for path in sorted(root.rglob("*.py"))}
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files.items()}
    arrows = {name: imported(tree, frozenset(files)) - {name} for name, tree in trees.items()}
    longest = longest_functions(trees)
    print(f"modules        {len(files)}, {sum(map(len, arrows.values()))} imports")
    print(f"lines a file   median {median(map(lines, files.values()))}, most {told(by_lines(files))}")
    print(f"lines a function  median {median(longest.values())}, most {told(longest.most_common(3))}")
    print(
        f"files a folder {told(Counter(str(path.parent.relative_to(root)) for path in files.values()).most_common(8))}"
    )
    print(f"fan-out        {told(Counter({name: len(targets) for name, targets in arrows.items()}).most_common(5))}")
    print(f"fan-in         {told(Counter(name for each in arrows.values() for name in each).most_common(5))}")
    print(f"in circles     {circles(arrows)}")
    chain = longest_chain(arrows)
    print(f"longest chain  {len(chain)}: {' → '.join(name.removeprefix('moot.') for name in chain)}")


def name_of(path: Path, root: Path) -> str:
    return ".".join(("moot", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def by_lines(files: dict[str, Path]) -> list[tuple[str, int]]:
    return Counter({name: lines(path) for name, path in files.items()}).most_common(3)


def longest_functions(trees: dict[str, ast.Module]) -> Counter[str]:
    return Counter(
        {
            f"{name}.{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
            for name, tree in trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    )


def imported(tree: ast.Module, known: frozenset[str]) -> set[str]:
    """The modules that are named anywhere in a module, those for its types alone apart."""
    names: set[str] = set()
    for node in running(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & known
            names |= inner or {node.module}
    return names & known


def running(tree: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        found += [node, *running(node)]
    return found


def circles(arrows: dict[str, set[str]]) -> str:
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return " → ".join(error.args[1])
    return "none"


def longest_chain(arrows: dict[str, set[str]]) -> list[str]:
    if circles(arrows) != "none":
        return []

    @cache
    def chain(name: str) -> tuple[str, ...]:
        return (name, *max((chain(target) for target in arrows[name]), key=len, default=()))

    return list(max((chain(name) for name in arrows), key=len))


def told(counts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{name.removeprefix('moot.')} {count}" for name, count in counts)


if __name__ == "__main__":
    main()
