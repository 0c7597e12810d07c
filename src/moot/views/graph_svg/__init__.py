"""The drawing of an argument: conclusions at the left, what supports them in columns to the right.

Boxes and ways are worked out once (`pictured`); `graph_svg` writes them as SVG, `graph_json` for whoever draws only
what is in view.
"""

from moot.views.graph_svg.compact import graph_json
from moot.views.graph_svg.legend import legend_html
from moot.views.graph_svg.picture import Picture, pictured
from moot.views.graph_svg.writing import downloaded_svg, graph_svg

__all__ = ["Picture", "downloaded_svg", "graph_json", "graph_svg", "legend_html", "pictured"]
