"""The table of calls, tokens and dollars is what the protocols themselves expect and allow."""

import re

import pytest

from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.protocols import PROTOCOLS, WITH_DOCUMENTS, find_protocol
from tests.docs.kit import DOCS, ROOT

PAGE = (DOCS / "choosing-a-protocol.md").read_text(encoding="utf-8")
DEMO = ROOT / "examples" / "demo"
ROW = re.compile(
    r"^\| `(\w+)`(?: with `(\w+)=([\w-]+)`)? \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) \|$", re.MULTILINE
)
ROWS = ROW.findall(PAGE)


def stated(words: str) -> float:
    """Return the dollars for a million tokens that the page states in these words."""
    found = re.search(rf"\$([\d.]+) {words}", PAGE)
    assert found
    return float(found[1])


def asked(protocol: str) -> Question:
    text = re.search(r'for the question "([^"]+)"', PAGE)
    assert text
    files = [DEMO / "survey.md", DEMO / "handbook.md"] if protocol == WITH_DOCUMENTS else []
    documents = tuple(Document(name=file.name, text=file.read_text(encoding="utf-8")) for file in files)
    return Question(text=text[1], documents=documents)


def test_every_protocol_has_a_row_in_each_table() -> None:
    assert {row[0] for row in ROWS} == set(PROTOCOLS)
    assert not [name for name in PROTOCOLS if f"(protocols/{name}.md)" not in PAGE]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(filter(None, row[:3])))
def test_a_row_says_what_the_protocol_expects_and_allows(row: tuple[str, ...]) -> None:
    name, key, value, *figures, dollars = row
    spec = find_protocol(name)
    settings = spec.settings.model_validate({key: value} if key else {})

    expected = spec.expected(asked(name), seated(["openai:gpt-5.4-mini"] * spec.seats), settings)

    assert [int(figure) for figure in figures] == [
        expected.calls,
        spec.budget.calls,
        expected.tokens_in,
        expected.tokens_out,
    ]
    price = expected.tokens_in * stated("per million tokens in") + expected.tokens_out * stated("out")
    assert float(dollars) == round(price / 1_000_000, 4)
