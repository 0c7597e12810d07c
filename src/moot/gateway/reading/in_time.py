"""Reading a document within a time: in a process of its own, which is ended when the time is over."""

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Literal

from moot.core.errors import DocumentUnreadable, ExtraMissing

SECONDS = 30.0

Kind = Literal["pdf", "html", "docx"]

_NEEDED: dict[Kind, tuple[str, str]] = {"pdf": ("pypdf", "PDF"), "html": ("bs4", "page"), "docx": ("docx", "document")}
"""The library that reads each kind, and what the kind is called."""


def text_in_time(kind: Kind, name: str, data: bytes, seconds: float = SECONDS) -> str:
    """Return the text of a document.

    Raises:
        DocumentUnreadable: it is damaged, has no text, or takes too long to read.
        ExtraMissing: the extra `docs` is not installed.
    """
    library, called = _NEEDED[kind]
    if find_spec(library) is None:
        raise ExtraMissing(what=f"reading the {called} {name!r}", extra="docs")
    # Not `-m` alone: that would look for Moot in the folder where the user is.
    command = [sys.executable, "-P", "-m", "moot.gateway.reading.child", kind]
    try:
        child = subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        problem = f"to read it takes more than {seconds:.0f} seconds; save its text in a plain file, and give that"
        raise DocumentUnreadable(name=name, problem=problem) from None
    if child.returncode != 0:
        raise DocumentUnreadable(name=name, problem="it cannot be read, and is perhaps damaged; save it anew")
    said = json.loads(child.stdout)
    if "problem" in said:
        raise DocumentUnreadable(name=name, problem=said["problem"])
    return said["text"]
