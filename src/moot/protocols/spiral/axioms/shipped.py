"""The files of axioms: those that come with Moot, and a user's own beside them."""

import json
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import ClassVar

from moot.core.data_files import DataFiles
from moot.core.errors import BadAxioms
from moot.protocols.spiral.axioms.checking import Dispute
from moot.protocols.spiral.axioms.registry import Axiom, registry_from


class AxiomFiles(DataFiles):
    """A user's own axioms: one file, or every .toml file of a folder."""

    suffixes: ClassVar[tuple[str, ...]] = (".toml",)


def shipped_texts() -> dict[str, str]:
    """Return the text of each shipped file under its name, one file a level."""
    files = [file for file in _folder().iterdir() if file.name.endswith(AxiomFiles.suffixes)]
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(files, key=lambda file: file.name)}


def all_axioms(own: Mapping[str, str] | None = None) -> tuple[Axiom, ...]:
    """Return the shipped axioms together with those of the user's own files.

    Raises:
        BadAxioms: for files of the user's that cannot be taken.
    """
    shipped, own = shipped_texts(), own or {}
    if taken := sorted(set(shipped) & set(own)):
        raise BadAxioms(problems=[f"{name}: a file of this name comes with Moot; rename yours" for name in taken])
    return registry_from({**shipped, **own})


def shipped_disputes() -> tuple[Dispute, ...]:
    """Return the disputes by which the search is measured, with the axioms that bear on each (ruling S9)."""
    lines = _folder().joinpath("disputes.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_dispute(**json.loads(line)) for line in lines)


def _dispute(field: str, question: str, sides: list[str], claims: list[str], axioms: list[str]) -> Dispute:
    first, second = sides
    return Dispute(field, question, (first, second), tuple(claims), tuple(axioms))


def _folder() -> Traversable:
    return resources.files("moot.protocols.spiral").joinpath("axioms")
