"""A note beside a verified file, so that a gigabyte is not hashed again at every start."""

import json
from pathlib import Path

from moot.gateway.embedded.catalogue import Entry


def stamp_path(file: Path) -> Path:
    """Return where the stamp of this file is kept."""
    return file.with_name(file.name + ".verified.json")


def write_stamp(file: Path, entry: Entry) -> None:
    """Note that this very file was found to be the entry's."""
    stamp_path(file).write_text(json.dumps(_stamp(file, entry), sort_keys=True) + "\n", encoding="utf-8")


def is_stamped(file: Path, entry: Entry) -> bool:
    """Tell whether the file was verified before and has not been touched since."""
    try:
        found = json.loads(stamp_path(file).read_text(encoding="utf-8"))
        return bool(found == _stamp(file, entry))
    except (OSError, ValueError):
        return False


def _stamp(file: Path, entry: Entry) -> dict[str, str | int]:
    status = file.stat()
    return {"sha256": entry.sha256, "bytes": status.st_size, "mtime_ns": status.st_mtime_ns}
