"""Files of a user's own that a setting names: a folder of them, or one."""

from pathlib import Path

from moot.core.data_files import DataFiles
from moot.core.errors import DocumentUnreadable
from moot.gateway.documents import bytes_of, plain_text

MOST_FILES = 100


def read_data_files(path: str, kind: type[DataFiles]) -> DataFiles:
    """Return the texts at a path: of one file, or of every file in a folder that has the right suffix.

    Raises:
        DocumentUnreadable: nothing there, too much there, or a file that is no text in UTF-8.
    """
    place = Path(path)
    files = _files_in(place, kind.suffixes) if place.is_dir() else [place]
    return kind(path=path, texts={file.name: plain_text(str(file), bytes_of(file)) for file in files})


def _files_in(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.suffix.lower() in suffixes)
    if not files:
        problem = f"the folder has no file that ends in {' or '.join(suffixes)}"
        raise DocumentUnreadable(name=str(folder), problem=problem)
    if len(files) > MOST_FILES:
        problem = f"the folder has {len(files)} files of the kind wanted; at most {MOST_FILES} are read"
        raise DocumentUnreadable(name=str(folder), problem=problem)
    return files
