"""A time in JSON is ISO 8601 with its offset, whichever command prints it."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tests.cli.kit import SINGLE, Moot

TIMES = {"started", "made", "seen", "revoked", "lease_until"}


def times(told: Any) -> Iterator[Any]:
    """Yield what stands under the name of a time, wherever it is."""
    if isinstance(told, list):
        for item in told:
            yield from times(item)
    elif isinstance(told, dict):
        yield from (value for name, value in told.items() if name in TIMES and value is not None)
        for value in told.values():
            yield from times(value)


def test_no_command_prints_seconds_since_the_epoch(moot: Moot) -> None:
    asked = moot.json("ask", "Why?", *SINGLE, "-m", moot.script())["id"]
    made = [moot.json("keys", "add", "ada"), moot.json("keys", "list")]
    moot.json("board", "add", "Crows remember faces.", "--table", "prism-v1-solo")

    told = [
        moot.json("list"),
        made,
        moot.json("board", "take", "--as", "ada"),
        moot.json("board", "list"),
        json.loads(moot.run("export", asked, "--format", "json").stdout),
    ]

    found = [list(times(each)) for each in told]
    assert [len(each) > 0 for each in found] == [True] * 5
    assert all(datetime.fromisoformat(time).utcoffset() is not None for each in found for time in each)
