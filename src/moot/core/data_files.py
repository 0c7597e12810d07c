"""Files of a user's own that a setting names, such as graphs or axioms.

They are read once, before the run is planned, and their texts become part of the settings: a run never looks at the
disk, and its record holds all that it was made from.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict


class DataFiles(BaseModel):
    """What was found at a path, by file name. A subclass says by `suffixes` which files of a folder count."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suffixes: ClassVar[tuple[str, ...]] = ()

    path: str
    texts: Mapping[str, str]


def data_settings(settings: type[BaseModel]) -> dict[str, type[DataFiles]]:
    """Return the settings that name files, with the kind of files each takes."""
    kinds: dict[str, type[DataFiles]] = {}
    for name, setting in settings.model_fields.items():
        for kind in (setting.annotation, *get_args(setting.annotation)):
            if isinstance(kind, type) and issubclass(kind, DataFiles):
                kinds[name] = kind
    return kinds


def digests(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the SHA-256 of every text, by its name."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def given_as_paths(settings: type[BaseModel], chosen: Mapping[str, Any]) -> dict[str, type[DataFiles]]:
    """Return those of the chosen settings that are still paths, with the kind of files wanted there."""
    return {
        name: kind
        for name, kind in data_settings(settings).items()
        if isinstance(chosen.get(name), str) and chosen[name] not in setting_words(settings, name)
    }


def setting_words(settings: type[BaseModel], name: str) -> tuple[str, ...]:
    """Return the words that a setting takes beside files, such as the names of what comes with Moot."""
    annotation = settings.model_fields[name].annotation
    kinds = [kind for kind in (annotation, *get_args(annotation)) if get_origin(kind) is Literal]
    return tuple(word for kind in kinds for word in get_args(kind) if isinstance(word, str))
