"""Every clause of a paper has a test that names it, or a recorded gap; every name that a test gives is a clause."""

import ast
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parents[1]
TABLES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "test_clauses")
)


def clauses() -> dict[str, str]:
    return {name: text for table in TABLES for name, text in import_module(f"tests.papers.{table}").CLAUSES.items()}


def gaps() -> dict[str, str]:
    return {
        name: why
        for table in TABLES
        for name, why in getattr(import_module(f"tests.papers.{table}"), "GAPS", {}).items()
    }


def named_in_tests() -> set[str]:
    names: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
                names |= {str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)}
    return names


def test_every_clause_has_a_test_or_a_recorded_gap() -> None:
    open_clauses = set(clauses()) - named_in_tests() - set(gaps())

    assert not open_clauses


def test_every_clause_that_a_test_names_is_in_a_table() -> None:
    unknown = named_in_tests() - set(clauses())

    assert not unknown


def test_a_gap_is_recorded_only_where_there_is_no_test() -> None:
    assert not set(gaps()) & named_in_tests()
    assert set(gaps()) <= set(clauses())
