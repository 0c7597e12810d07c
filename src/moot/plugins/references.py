"""Something of one's own that is named where it is used: `package.module:NAME`, or a file of Python.

A reference runs the code that it names, so it may come from the command line or from a program and never from a caller
over the network.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from moot.core.errors import BadReference
from moot.plugins.entries import told_error

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Brought(Generic[T]):
    """What a reference names, and where it comes from: a package with its version, or a file with its digest."""

    value: T
    origin: str


def is_reference(text: str) -> bool:
    """Whether a text names a file or an object of a module rather than something installed."""
    return ":" in text or text.endswith(".py")


def import_reference(reference: str, wanted: type[T], *, what: str) -> Brought[T]:
    """Return the object that a reference names. Of a file with one such object the name may be left out.

    Raises:
        BadReference: where there is none, or its code cannot be run.
    """
    place, name = _parts(reference)
    try:
        module = _module(place)
    except Exception as error:
        raise BadReference(what=what, reference=reference, problem=told_error(error)) from error
    kept = {attribute: value for attribute, value in vars(module).items() if isinstance(value, wanted)}
    chosen = (
        kept.get(name) if name else next(iter(kept.values()), None) if len(set(map(id, kept.values()))) == 1 else None
    )
    if chosen is None:
        raise BadReference(what=what, reference=reference, problem=_problem(kept, name, wanted))
    return Brought(chosen, origin_of(module))


def _parts(reference: str) -> tuple[str, str]:
    """The place and the name; a colon may also stand in a path."""
    place, colon, name = reference.rpartition(":")
    return (place, name) if colon and name.isidentifier() else (reference, "")


def _module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        return import_module(place)
    path = Path(place).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {place}")
    name = f"moot_file_{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} is no Python")
    module = module_from_spec(spec)
    # Its classes are looked up by their module's name when their annotations are read.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _problem(kept: Mapping[str, Any], name: str, wanted: type[Any]) -> str:
    if not kept:
        return f"it holds no {wanted.__name__}"
    there = ", ".join(sorted(kept))
    return f"it holds no {wanted.__name__} {name}, but {there}" if name else f"it holds several: name one of {there}"


def origin_of(module: ModuleType) -> str:
    """Return where a module comes from, as records keep it: its package and version, or its file and digest."""
    package = module.__name__.partition(".")[0].replace("_", "-")
    # A package nearly always goes by its distribution's name; to ask all that are installed takes seconds.
    with suppress(PackageNotFoundError, ValueError):
        return f"{package} {version(package)}"
    file = Path(module.__file__ or module.__name__)
    digest = sha256(file.read_bytes()).hexdigest()[:16] if file.is_file() else "unknown"
    return f"{file.name} sha256 {digest}"
