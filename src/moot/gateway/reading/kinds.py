"""Text out of PDF, HTML and DOCX, by the readers that the extra `docs` installs."""

import io
import logging
import re
import warnings
import zipfile
from collections.abc import Iterable

from moot.core.errors import DocumentUnreadable, ExtraMissing

LARGEST_UNPACKED = 200 * 1024 * 1024
LONGEST_TEXT = 20 * 1024 * 1024
UNSEEN = ("script", "style", "noscript", "template", "head", "svg")
"""Elements of a page whose text nobody reads."""


def pdf_text(name: str, data: bytes) -> str:
    """Return the text of a PDF, page by page.

    Raises:
        DocumentUnreadable: it is damaged, encrypted, or holds pictures of text.
        ExtraMissing: the extra `docs` is not installed.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError
    except ModuleNotFoundError:
        raise ExtraMissing(what=f"reading the PDF {name!r}", extra="docs") from None
    _quieten("pypdf")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted(name)
        text = _joined(name, (page.extract_text() for page in reader.pages), "\n\n")
    except DependencyError:
        raise _encrypted(name) from None
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        # A reader of damaged files fails in many ways; each means the same to the user.
        raise DocumentUnreadable(name=name, problem=f"the PDF is damaged ({_reason(error)}); save it anew") from None
    if not text.strip():
        problem = "the PDF has no text, only pictures; run it through text recognition (OCR) first"
        raise DocumentUnreadable(name=name, problem=problem)
    return text


def html_text(name: str, data: bytes) -> str:
    """Return what a reader of the page sees, one line per line of text.

    Raises:
        DocumentUnreadable: there is nothing to read.
        ExtraMissing: the extra `docs` is not installed.
    """
    try:
        import bs4
    except ModuleNotFoundError:
        raise ExtraMissing(what=f"reading the page {name!r}", extra="docs") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = bs4.BeautifulSoup(data, "html.parser")
    for element in page.find_all(UNSEEN):
        element.extract()
    lines = (" ".join(line.split()) for line in page.get_text("\n").splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line for line in lines if line))


def docx_text(name: str, data: bytes) -> str:
    """Return the paragraphs and tables of a DOCX, in order; the cells of a row are divided by tabs.

    Raises:
        DocumentUnreadable: it is another kind of archive, damaged, or unpacks to too much.
        ExtraMissing: the extra `docs` is not installed.
    """
    _check_archive(name, data)
    try:
        import docx
        from docx.table import Table
    except ModuleNotFoundError:
        raise ExtraMissing(what=f"reading the document {name!r}", extra="docs") from None
    try:
        document = docx.Document(io.BytesIO(data))
        parts: list[str] = []
        for part in document.iter_inner_content():
            if isinstance(part, Table):
                parts += ["\t".join(cell.text for cell in row.cells) for row in part.rows]
            else:
                parts.append(part.text)
    except (ValueError, LookupError, TypeError, AttributeError, OSError, zipfile.BadZipFile, SyntaxError) as error:
        raise DocumentUnreadable(name=name, problem=f"the DOCX is damaged ({_reason(error)}); save it anew") from None
    return _joined(name, parts, "\n")


def _check_archive(name: str, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise DocumentUnreadable(name=name, problem=f"the archive is damaged ({_reason(error)})") from None
    if not any(member.filename == "word/document.xml" for member in members):
        raise DocumentUnreadable(name=name, problem="it is an archive and no DOCX; unpack it and name the files in it")
    if sum(member.file_size for member in members) > LARGEST_UNPACKED:
        raise DocumentUnreadable(name=name, problem="it unpacks to more than 200 MB; save the text alone")


def _joined(name: str, parts: Iterable[str], between: str) -> str:
    """A small file can hold one text many times over; joining stops where it grows beyond any document."""
    taken: list[str] = []
    length = 0
    for part in parts:
        length += len(part)
        if length > LONGEST_TEXT:
            raise DocumentUnreadable(name=name, problem="its text is too long; split it, or give the part that matters")
        taken.append(part)
    return between.join(taken)


def _quieten(library: str) -> None:
    """Without a handler of its own, what the library remarks about a file goes to the user's terminal."""
    logger = logging.getLogger(library)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _encrypted(name: str) -> DocumentUnreadable:
    return DocumentUnreadable(name=name, problem="the PDF is encrypted; save a copy without a password")


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__
