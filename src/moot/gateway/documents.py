"""Documents as named texts: plain text and Markdown, and with the extra `docs` PDF, HTML and DOCX."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from moot.core.errors import DocumentUnreadable
from moot.core.question import Document
from moot.gateway.reading.in_time import text_in_time

STDIN = "-"
MEGABYTE = 1024 * 1024
LARGEST = 20 * MEGABYTE
NO_FILE = "it is a pipe or a device; save it in a file, or name it - and pipe it in"

HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_documents(paths: Iterable[str | Path], stdin: BinaryIO) -> tuple[Document, ...]:
    """Return the documents in order, each under a name of its own: a second `notes.md` becomes `notes.md (2)`.

    Raises:
        DocumentUnreadable: for the first that cannot be read.
        ExtraMissing: for the first whose kind needs the extra `docs`.
    """
    documents: list[Document] = []
    names: set[str] = set()
    for path in paths:
        document = read_document(path, stdin)
        name = _free_name(document.name, names)
        names.add(name)
        documents.append(document.model_copy(update={"name": name}))
    return tuple(documents)


def read_document(path: str | Path, stdin: BinaryIO) -> Document:
    """Return the text of a file, or of standard input for `-`, under the file's name.

    Raises:
        DocumentUnreadable: absent, a folder, too large, binary, empty, encrypted, or without text.
        ExtraMissing: the kind needs the extra `docs`, which is not installed.
    """
    if str(path) == STDIN:
        return _document("stdin", "", _limited("stdin", stdin.read(LARGEST + 1)))
    file = Path(path)
    return _document(file.name or str(file), file.suffix.lower(), bytes_of(file))


def bytes_of(file: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        DocumentUnreadable: absent, a folder, a pipe, too large, or not to be read by this user.
    """
    shown = str(file)
    try:
        if file.is_dir():
            raise DocumentUnreadable(name=shown, problem="it is a folder; name the files in it")
        if file.exists() and not file.is_file():
            # A pipe or a device may give nothing for ever, or never end.
            raise DocumentUnreadable(name=shown, problem=NO_FILE)
        with file.open("rb") as stream:
            return _limited(shown, stream.read(LARGEST + 1))
    except FileNotFoundError:
        raise DocumentUnreadable(name=shown, problem="there is no such file; check the path") from None
    except PermissionError:
        raise DocumentUnreadable(name=shown, problem="you may not read it; check its permissions") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentUnreadable(name=shown, problem=f"it cannot be read ({reason})") from None


def _limited(name: str, data: bytes) -> bytes:
    if len(data) > LARGEST:
        problem = f"it is larger than {LARGEST // MEGABYTE} MB; split it, or give the part that matters"
        raise DocumentUnreadable(name=name, problem=problem)
    return data


def document_from(name: str, data: bytes) -> Document:
    """Return a document that was handed over as bytes, under the name of its file.

    Raises:
        DocumentUnreadable: it is too large, empty, or of a kind that cannot be read.
    """
    return _document(name, Path(name).suffix.lower(), _limited(name, data))


def _document(name: str, suffix: str, data: bytes) -> Document:
    text = _text_of(name, suffix, data)
    if not text.strip():
        raise DocumentUnreadable(name=name, problem="it is empty; leave it out, or give one with text")
    return Document(name=name, text=text)


def _text_of(name: str, suffix: str, data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return text_in_time("pdf", name, data)
    if data.startswith(b"PK\x03\x04"):
        return text_in_time("docx", name, data)
    if suffix in HTML_SUFFIXES:
        return text_in_time("html", name, data)
    return plain_text(name, data)


def plain_text(name: str, data: bytes) -> str:
    """Return the text of UTF-8 with or without a mark, or of UTF-16 with one, with line ends as `\\n`.

    Raises:
        DocumentUnreadable: it is binary, or in another encoding.
    """
    encoding = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\x00" in data:
        raise DocumentUnreadable(name=name, problem="it is binary; Moot reads text, Markdown, PDF, HTML and DOCX")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        problem = f"it is not {encoding.upper()} (byte {data[error.start]:#04x} at {error.start}); save it as UTF-8"
        raise DocumentUnreadable(name=name, problem=problem) from None
    if "\x00" in text:
        raise DocumentUnreadable(name=name, problem="it is binary or in UTF-32; save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _free_name(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    return candidate
