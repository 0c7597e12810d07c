"""The process that reads one PDF, HTML or DOCX: a small file can keep its reader busy for as long as it likes.

    python -m moot.gateway.reading.child KIND

It takes the bytes on stdin and answers with one JSON object on stdout: the text, or why there is none. Whoever started
it ends it when its time is over.
"""

import json
import sys
from collections.abc import Callable

from moot.core.errors import DocumentUnreadable
from moot.gateway.reading.kinds import docx_text, html_text, pdf_text

READERS: dict[str, Callable[[str, bytes], str]] = {"pdf": pdf_text, "html": html_text, "docx": docx_text}


def answer(kind: str, data: bytes) -> dict[str, str]:
    """Return the text of a document, or the problem with it."""
    try:
        return {"text": READERS[kind]("", data)}
    except DocumentUnreadable as unreadable:
        return {"problem": unreadable.problem}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(sys.argv[1], sys.stdin.buffer.read())))
