"""Files as named texts."""

import io
import os
import subprocess
import sys
import zipfile

import docx
import pytest
from pypdf import PdfReader, PdfWriter

from moot.core.errors import DocumentUnreadable
from moot.gateway.documents import LARGEST, read_document, read_documents
from moot.gateway.reading.in_time import text_in_time
from moot.gateway.reading.kinds import LARGEST_UNPACKED

NOTHING = io.BytesIO()


def pdf(*pages):
    """A PDF with one line of text on each page."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {font} /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{tail}".encode()


def written(writer):
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def read(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    return read_document(tmp_path / name, NOTHING)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Größe: 3 µm\n".encode(), "Größe: 3 µm\n"),
        ("\ufeffGröße".encode(), "Größe"),
        ("Größe 日本".encode("utf-16"), "Größe 日本"),
        ("\ufeffGröße".encode("utf-16-be"), "Größe"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
    ],
)
def test_a_text_is_read_in_the_encodings_that_say_what_they_are(tmp_path, data, text):
    document = read(tmp_path, "notes.md", data)

    assert (document.name, document.text) == ("notes.md", text)


def test_a_text_in_another_encoding_is_refused_with_the_byte(tmp_path):
    with pytest.raises(DocumentUnreadable, match=r"'notes.txt': it is not UTF-8 \(byte 0xdf at 3\); save it as UTF-8"):
        read(tmp_path, "notes.txt", "Groß".encode("latin-1"))


def test_half_a_utf_16_file_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="UTF-16"):
        read(tmp_path, "notes.txt", "Größe".encode("utf-16")[:-1])


@pytest.mark.parametrize("data", [b"\x7fELF\x00\x01", b"GIF89a\x00\x00", "word".encode("utf-32")])
def test_a_binary_file_is_refused(tmp_path, data):
    with pytest.raises(DocumentUnreadable, match="binary"):
        read(tmp_path, "notes.txt", data)


@pytest.mark.parametrize("data", [b"", b" \n\t ", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path, data):
    with pytest.raises(DocumentUnreadable, match="empty"):
        read(tmp_path, "notes.txt", data)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match=r"nowhere\.txt.*no such file"):
        read_document(tmp_path / "nowhere.txt", NOTHING)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="it is a folder"):
        read_document(tmp_path, NOTHING)


def test_a_path_that_can_be_none_is_refused():
    with pytest.raises(DocumentUnreadable, match="cannot be read"):
        read_document("a\x00b", NOTHING)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "secret.txt").chmod(0)

    with pytest.raises(DocumentUnreadable, match="permissions"):
        read_document(tmp_path / "secret.txt", NOTHING)


def test_a_file_of_fifty_megabytes_is_refused_without_reading_it_all(tmp_path):
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(50 * 1024 * 1024)

    with pytest.raises(DocumentUnreadable, match="larger than 20 MB"):
        read_document(tmp_path / "large.txt", NOTHING)


def test_standard_input_is_a_document_too():
    document = read_document("-", io.BytesIO(b"piped in"))

    assert (document.name, document.text) == ("stdin", "piped in")


def test_standard_input_has_the_same_limit():
    with pytest.raises(DocumentUnreadable, match=r"'stdin'.*larger than 20 MB"):
        read_document("-", io.BytesIO(b"x" * (LARGEST + 1)))


def test_two_documents_never_have_one_name(tmp_path):
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.md").write_text(f"in {folder}")

    documents = read_documents([tmp_path / folder / "notes.md" for folder in ("a", "b", "c")], NOTHING)

    assert [document.name for document in documents] == ["notes.md", "notes.md (2)", "notes.md (3)"]
    assert [document.text for document in documents] == ["in a", "in b", "in c"]


def test_a_suffix_does_not_collide_with_a_name_that_has_it(tmp_path):
    (tmp_path / "a").mkdir()
    files = [tmp_path / "n", tmp_path / "n (2)", tmp_path / "a" / "n"]
    for file in files:
        file.write_text("x")

    names = [document.name for document in read_documents(files, NOTHING)]

    assert names == ["n", "n (2)", "n (3)"]


def test_a_pdf_is_read_page_by_page_whatever_it_is_called(tmp_path):
    assert read(tmp_path, "paper.pdf", pdf("First page", "Second page")).text == "First page\n\nSecond page"
    assert "Only page" in read(tmp_path, "paper.txt", pdf("Only page")).text


def test_a_pdf_without_text_is_refused_with_the_way_out(tmp_path):
    writer = PdfWriter()
    writer.add_blank_page(200, 200)

    with pytest.raises(DocumentUnreadable, match=r"'scan.pdf'.*OCR"):
        read(tmp_path, "scan.pdf", written(writer))


@pytest.mark.parametrize("algorithm", ["RC4-128", None])
def test_an_encrypted_pdf_is_refused(tmp_path, algorithm):
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret"))))
    writer.encrypt("password", algorithm=algorithm)

    with pytest.raises(DocumentUnreadable, match="encrypted"):
        read(tmp_path, "locked.pdf", written(writer))


@pytest.mark.parametrize("keep", [9, 60, 300, 500])
def test_a_damaged_pdf_is_refused(tmp_path, keep):
    with pytest.raises(DocumentUnreadable, match=r"'cut.pdf'"):
        read(tmp_path, "cut.pdf", pdf("Some text")[:keep])


def test_a_page_is_read_as_its_reader_sees_it(tmp_path):
    page = """<!doctype html><html><head><title>T</title><style>p {color: red}</style></head>
    <body><script>alert("x")</script><h1>Head</h1><p>One <b>bold</b> word &amp; more.</p>
    <noscript>no</noscript></body></html>"""

    text = read(tmp_path, "page.html", page.encode()).text

    assert text.split() == ["Head", "One", "bold", "word", "&", "more."]


def test_a_page_says_its_own_encoding(tmp_path):
    page = '<html><head><meta charset="iso-8859-1"></head><body>Größe</body></html>'

    assert read(tmp_path, "page.htm", page.encode("latin-1")).text == "Größe"


def test_a_page_nested_ten_thousand_deep_is_read(tmp_path):
    page = "<div>" * 10_000 + "deep" + "</div>" * 10_000

    assert read(tmp_path, "page.html", page.encode()).text == "deep"


def test_a_page_without_text_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="empty"):
        read(tmp_path, "page.html", b"<html><script>x</script></html>")


def docx_bytes():
    document = docx.Document()
    document.add_heading("Head")
    document.add_paragraph("First.")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "left", "right"
    document.add_paragraph("Last.")
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def test_a_docx_is_read_with_its_tables_in_order(tmp_path):
    assert read(tmp_path, "letter.docx", docx_bytes()).text == "Head\nFirst.\nleft\tright\nLast."


def test_a_damaged_docx_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match=r"'letter.docx'.*damaged"):
        read(tmp_path, "letter.docx", docx_bytes()[:-100])


def archive(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "/") + ".xml", content)
    return data.getvalue()


def test_another_kind_of_archive_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="no DOCX"):
        read(tmp_path, "files.zip", archive(notes="hello"))


def test_a_docx_with_nonsense_inside_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="damaged"):
        read(tmp_path, "letter.docx", archive(word__document="<not xml"))


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    with pytest.raises(DocumentUnreadable, match="200 MB"):
        read(tmp_path, "letter.docx", archive(word__document=b" " * (LARGEST_UNPACKED + 1)))


@pytest.mark.parametrize(
    ("module", "name", "data"),
    [("pypdf", "a.pdf", pdf("x")), ("bs4", "a.html", b"<p>x"), ("docx", "a.docx", docx_bytes())],
)
def test_without_the_extra_the_way_to_install_it_is_named(tmp_path, module, name, data):
    (tmp_path / name).write_bytes(data)
    program = f"""
import sys
sys.modules[{module!r}] = None
from moot.core.errors import ExtraMissing
from moot.gateway.documents import read_document
try:
    read_document({str(tmp_path / name)!r}, None)
except ExtraMissing as error:
    print(error)
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert "pip install 'moot[docs]'" in done.stdout
    assert name in done.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name here")
def test_a_pipe_with_a_name_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")

    with pytest.raises(DocumentUnreadable, match="it is a pipe or a device"):
        read_document(tmp_path / "pipe.txt", NOTHING)


def test_a_device_is_refused():
    with pytest.raises(DocumentUnreadable, match="it is a pipe or a device"):
        read_document(os.devnull, NOTHING)


def test_a_document_that_takes_longer_than_it_may_is_refused_with_a_way_out():
    page = b"<p>" + b"<!--" * 300_000

    with pytest.raises(DocumentUnreadable, match=r"takes more than 0 seconds; save its text in a plain file"):
        text_in_time("html", "bomb.html", page, seconds=0.05)
