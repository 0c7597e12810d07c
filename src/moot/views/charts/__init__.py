"""Charts as SVG: each states its finding, has its labels inside it, and its figures in a table below it."""

from moot.views.charts.bars import AmountBar, day_columns, named_bars
from moot.views.charts.calls import CallBar, calls_chart
from moot.views.charts.intervals import IntervalPoint, intervals_chart
from moot.views.charts.lines import line_chart
from moot.views.charts.matrices import matrix_chart
from moot.views.charts.paths import path_picture
from moot.views.charts.reliability import ReliabilityPoint, reliability_chart
from moot.views.charts.strata import StratumPoint, strata_chart

__all__ = [
    "AmountBar",
    "CallBar",
    "IntervalPoint",
    "ReliabilityPoint",
    "StratumPoint",
    "calls_chart",
    "day_columns",
    "intervals_chart",
    "line_chart",
    "matrix_chart",
    "named_bars",
    "path_picture",
    "reliability_chart",
    "strata_chart",
]
