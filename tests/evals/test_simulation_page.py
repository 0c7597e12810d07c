"""The figures on the page about panels are those that the simulation gives."""

import re
from pathlib import Path

import pytest
from benchmarks.simulation import SimulatedPanel, majority_of, simulate

from moot.evals.figures.votes import effective_votes

PAGE = (Path(__file__).parents[2] / "docs" / "panels.md").read_text(encoding="utf-8")


def figures(head: str) -> list[list[float]]:
    """The lines of the table whose head begins so, as numbers."""
    lines = PAGE[PAGE.index(f"| {head}") :].split("\n\n")[0].splitlines()[2:]
    assert lines
    return [[float(cell) for cell in re.findall(r"[\d.]+", line)] for line in lines]


def test_the_table_of_independent_members_is_the_closed_form() -> None:
    for accuracy, *shares in figures("one member is right"):
        found = [100 * majority_of(SimulatedPanel(size, accuracy / 100)) for size in (3, 5, 9, 15)]

        assert shares == [round(share, 1) for share in found]


def test_the_table_of_correlated_members_is_the_closed_form() -> None:
    for correlation, *shares, worth in figures("correlation of errors"):
        found = [100 * majority_of(SimulatedPanel(size, 0.7, correlation)) for size in (3, 5, 9, 15)]

        assert shares == [round(share, 1) for share in found]
        assert worth == pytest.approx(effective_votes(9, correlation), abs=0.05)


def test_the_table_of_scattered_errors_is_what_a_smaller_simulation_gives_too() -> None:
    for wrong, *shares in figures("wrong answers to choose from"):
        panels = [SimulatedPanel(size, 0.35, 0.1, wrong_answers=int(wrong)) for size in (3, 6, 12)]
        found = [simulate(panel, 3000, seed=2).right for panel in panels]

        assert shares == pytest.approx([100 * share.right / share.of for share in found], abs=3)
