"""Files that a command writes where the user says."""

from collections.abc import Mapping
from pathlib import Path

import typer

from moot.core.errors import UsageError


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts under their names and say where; the folder is made where it is missing.

    Raises:
        UsageError: where one cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            target = folder / name
            target.write_text(text, encoding="utf-8", newline="\n")
            typer.echo(str(target))
    except OSError as error:
        raise UsageError(
            f"{error.filename or folder} cannot be written ({error.strerror}); choose another --out."
        ) from None
