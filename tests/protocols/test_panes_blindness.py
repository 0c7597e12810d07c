"""Panes know only what has happened: nothing that a later event says is in them, of whatever protocol."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from moot.core.events import Answered, Event, Filled, Noted
from moot.core.record import Record
from tests.protocols.panes_kit import golden_record, names_of, panes_of, texts_in

FEWEST_LETTERS = 15
"""Below them a text may be a word of the protocol's own, such as the name of a level."""
MOST_PREFIXES = 20


def said_in(value: Any) -> Iterator[str]:
    """Yield every text in what was said or found that is long enough to be told apart."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from said_in(item)
    elif isinstance(value, str) and len(value) >= FEWEST_LETTERS:
        yield value


def texts_of(event: Event) -> set[str]:
    if isinstance(event, Answered | Filled):
        return set(said_in(event.reply))
    return set(said_in(event.data)) if isinstance(event, Noted) else set()


@pytest.mark.parametrize("name", names_of())
def test_nothing_that_comes_later_is_shown(name: str) -> None:
    record = golden_record(name)
    texts = [texts_of(event) for event in record.events]
    asked = {*said_in([document.text for document in record.header.question.documents]), record.header.question.text}
    step = max(1, len(texts) // MOST_PREFIXES)

    for length in range(1, len(texts), step):
        known = set().union(asked, *texts[:length])
        later = set().union(*texts[length:]) - known
        assert not later & set(texts_in(panes_of(Record(record.events[:length])))), length
