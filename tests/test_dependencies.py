"""What pyproject declares is what the code imports, no more and no less; every version that is tested is pinned."""

import ast
import functools
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from moot.service.health import EXTRAS
from tests.architecture.loading import loaded_with
from tests.architecture.source import FILES, imported_names, parsed

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = [Requirement(line) for line in PROJECT["dependencies"]]
DECLARED = {
    extra: [Requirement(line) for line in lines if not line.startswith("moot[")]
    for extra, lines in PROJECT["optional-dependencies"].items()
}
FOR_DEVELOPERS = {"dev", "site"}
USED = {extra: lines for extra, lines in DECLARED.items() if extra not in {"all", *FOR_DEVELOPERS}}

MODULES_OF = {
    "beautifulsoup4": {"bs4"},
    "fastapi": {"fastapi", "starlette"},
    "jinja2": {"jinja2", "markupsafe"},
    "markdown-it-py": {"markdown_it"},
    "openai[aiohttp]": {"aiohttp", "openai"},
    "opentelemetry-exporter-otlp-proto-http": {"opentelemetry"},
    "opentelemetry-sdk": {"opentelemetry"},
    "pydantic": {"pydantic", "pydantic_core"},
    "python-docx": {"docx"},
}
"""Where a distribution brings another module than its name says, or another one with it that is promised."""

BY_NAME = {"psycopg": "postgresql+psycopg"}
"""A module that is imported by another package, and the words by which it is told to."""


def modules_of(requirement: Requirement) -> set[str]:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    plain = requirement.name.replace("-", "_")
    return MODULES_OF.get(f"{requirement.name}{extras}", MODULES_OF.get(requirement.name, {plain}))


def modules_named(text: str) -> Iterator[str]:
    """Yield the modules that a source text imports by a statement or by `import_module`."""
    yield from imported_names(text)
    for node in ast.walk(parsed(text)):
        match node:
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(module)), *_]):
                yield module
            case ast.Constant(value=str(words)):
                yield from (module for module, told in BY_NAME.items() if words == told)


@functools.cache
def imported() -> set[str]:
    named = {name.split(".")[0] for text in FILES.values() for name in modules_named(text)}
    return named - sys.stdlib_module_names - {"moot"}


def test_every_dependency_is_imported_somewhere() -> None:
    unused = [
        str(requirement)
        for lines in (CORE, *USED.values())
        for requirement in lines
        if not modules_of(requirement) <= imported()
    ]

    assert not unused


def test_every_import_of_another_package_is_declared() -> None:
    declared = {module for lines in (CORE, *USED.values()) for item in lines for module in modules_of(item)}

    assert not sorted(imported() - declared)


def test_moot_starts_without_any_of_its_extras() -> None:
    brought = {module for lines in USED.values() for requirement in lines for module in modules_of(requirement)}

    loaded = loaded_with("moot.cli.app") | loaded_with("moot.service.opening")

    assert "typer" in {name.split(".")[0] for name in loaded}
    assert not sorted(brought & {name.split(".")[0] for name in loaded})


def test_doctor_looks_for_every_extra_by_a_module_that_it_brings() -> None:
    found = {extra: module for extra, (module, _) in EXTRAS.items()}

    assert found.keys() == USED.keys()
    assert not [extra for extra, module in found.items() if not any(module in modules_of(item) for item in USED[extra])]


def test_every_declared_distribution_is_pinned_to_a_version_that_it_may_have() -> None:
    pinned = pins()

    wrong = [
        str(requirement)
        for requirement in (*CORE, *(item for lines in DECLARED.values() for item in lines))
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"), prereleases=True)
    ]

    assert not wrong


def test_what_is_pinned_runs_on_the_oldest_python_that_moot_names() -> None:
    oldest = next(iter(SpecifierSet(PROJECT["requires-python"]))).version + ".0"
    here = [each for each in metadata.distributions() if canonicalize_name(each.metadata["Name"]) in pins()]

    wanting = {each.metadata["Name"]: each.metadata["Requires-Python"] for each in here}

    assert len(wanting) > 100
    assert not {name: asked for name, asked in wanting.items() if asked and not SpecifierSet(asked).contains(oldest)}


def pins() -> dict[str, str]:
    """Return the version of each distribution that is tested."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pinned}
