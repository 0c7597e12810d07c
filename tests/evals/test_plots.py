"""Plots are there for what there are figures for, the same bytes every time, and say what stands for cost."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.simulation import SimulatedPanel, simulated_rows

from moot.evals.items.items import ArmRow
from moot.evals.report.plots import cost_measure, plots
from moot.evals.report.summary import summarise
from tests.evals.test_metrics import ROW, rows

NO_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from moot.core.errors import ExtraMissing
from moot.evals.report.plots import plots
from benchmarks.simulation import SimulatedPanel, simulated_rows
from moot.evals.report.summary import summarise
try:
    plots(summarise(simulated_rows(SimulatedPanel(3, 0.7), 5, seed=1)))
except ExtraMissing as error:
    print(error)
"""


def told() -> list[ArmRow]:
    wide = [replace(ROW, arm="interrogation", item=f"w{width}", support_width=width) for width in (1, 2, 3)]
    held = [replace(row, confidence=0.75, basis="structure") for row in wide]
    return [*rows("rrw"), *rows("www", "revisit"), *held, *simulated_rows(SimulatedPanel(3, 0.6), 30, seed=1)]


def test_there_is_a_plot_for_each_thing_there_are_figures_for() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra `evals`")

    names = [plot.name for plot in plots(summarise(told()))]

    assert names[:3] == ["accuracy_cost", "support_width_interrogation", "reliability_interrogation_structure"]
    assert names[3].startswith("reliability_simulation-") and names[3].endswith("_agreement")


def test_a_plot_is_well_formed_names_its_arms_and_is_the_same_every_time() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra `evals`")

    first, second = plots(summarise(told())), plots(summarise(told()))

    assert [plot.image for plot in first] == [plot.image for plot in second]
    drawn = "".join(ElementTree.fromstring(first[0].image).itertext())
    assert "revisit, 0 of 3" in drawn
    assert b"<dc:date>" not in first[0].image


def test_a_run_without_rows_has_no_plots() -> None:
    assert plots(summarise([], arms=("single-pass",), planned=3)) == ()


def test_cost_is_dollars_where_known_and_the_axis_says_so_where_it_is_not() -> None:
    def label(*told: ArmRow) -> str:
        return cost_measure(summarise(told).arms).label

    assert label(ROW) == "dollars an item"
    assert label(replace(ROW, usd=0.0)) == "tokens an item (the cost is $0)"
    assert label(ROW, replace(ROW, arm="x", usd=None)) == "tokens an item (some cost is unknown)"
    assert label(replace(ROW, usd=None, tokens_in=None)) == "seconds an item (some cost is unknown)"


def test_without_matplotlib_the_message_names_the_extra() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", NO_MATPLOTLIB], cwd=root, capture_output=True, text=True, check=True)

    assert done.stdout.startswith("drawing plots needs `")
    assert "pip install 'moot[evals]'`" in done.stdout
