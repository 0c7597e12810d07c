"""What pages load stays small, and the one style sheet says what its parts say."""

import gzip
import re
from importlib.resources import files

from moot.views.style import PALETTE_CSS, VIEWS_CSS
from moot.web.pages.assets import STYLE, assets, tight


def zipped(*texts: bytes) -> int:
    return sum(len(gzip.compress(text, mtime=0)) for text in texts)


def test_the_style_sheet_takes_less_than_12_kb_and_all_modules_less_than_40() -> None:
    modules = [text for name, text in assets().items() if name.endswith(".js")]

    assert zipped(assets()[STYLE]) < 12_000
    assert zipped(*modules) < 40_000


def test_the_sheet_that_is_sent_has_every_rule_of_its_parts_and_no_room_between_them() -> None:
    folder = files("moot.web.pages") / "static" / "css"
    parts = [PALETTE_CSS, VIEWS_CSS, *(part.read_text() for part in folder.iterdir() if part.name.endswith(".css"))]

    sent = assets()[STYLE].decode()

    assert sent.count("{") == sum(part.count("{") for part in parts)
    assert not re.search(r"\s[{};]|[{};,]\s", sent)


def test_no_string_of_a_sheet_holds_a_sign_that_parts_rules() -> None:
    strings = re.findall(r'"([^"]*)"', assets()[STYLE].decode())

    assert strings
    assert not [text for text in strings if re.search(r"[{};,>]|: ", text)]


def test_room_within_a_selector_or_a_value_is_kept() -> None:
    assert tight(b"a :hover > b ,\n c {\n  margin: 0 1rem;\n  color: red;\n}\n") == (
        b"a :hover>b,c{margin:0 1rem;color:red}"
    )
