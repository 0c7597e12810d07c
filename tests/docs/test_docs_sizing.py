"""The page on sizes: what it says of three sizes follows from what it says that one deliberation takes."""

import re

import pytest

from tests.docs.kit import DOCS

PAGE = (DOCS / "sizing.md").read_text(encoding="utf-8")
SIZES = (10, 1_000, 100_000)
HOUR, DAY = 3600, 86_400
CALLS, SECONDS = 20, 30
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "ms": 1e-3}


def figures(title: str) -> list[float]:
    """Return the figures of a row of a table, in plain units; a dash is a nought."""
    [row] = re.findall(rf"^\| {re.escape(title)} \|(.+)\|$", PAGE, re.MULTILINE)
    told = []
    for cell in row.split("|"):
        number, _, unit = cell.strip().replace(",", "").partition(" ")
        told.append(0.0 if not number.isascii() else float(number) * UNITS.get(unit, 1))
    return told


def needed(title: str) -> list[float]:
    """Return what the sizes need a second, by what one deliberation takes."""
    before, call = figures(title)
    return [size / HOUR * (before + call * CALLS) for size in SIZES]


@pytest.mark.parametrize(
    ("row", "title", "span"),
    [
        ("cores for workers", "CPU of a worker", 1),
        ("cores for the database", "CPU of the database", 1),
        ("statements a second", "statements at the database", 1),
        ("bytes a day", "bytes that stay", DAY),
    ],
)
def test_what_three_sizes_need_follows_from_what_one_deliberation_takes(row: str, title: str, span: int) -> None:
    told, sums = figures(row), needed(title)

    for said, summed in zip(told, sums, strict=True):
        assert said == pytest.approx(summed * span, rel=0.05, abs=0.5 if row.startswith("statements") else 0.005)


def test_the_places_are_those_of_the_seconds_with_half_as_many_for_peaks() -> None:
    told = figures("places, with half as many for peaks")

    assert told == pytest.approx([max(1, 1.5 * SECONDS * size / HOUR) for size in SIZES], rel=0.05)


def test_the_sums_are_told_with_the_figures_of_the_table() -> None:
    for title, line in (("CPU of a worker", "cores for workers"), ("CPU of the database", "cores for the database")):
        before, call = figures(title)

        assert f"- {line} = *n · ({before:g} + {call:g} k)*;" in PAGE
