"""Where the boxes of a graph stand: in layers from the left, few lines crossing, no box upon another.

The steps are Sugiyama's: lines that close a circle are turned around, depth first (`layers`); layers follow the longest
path, and a line across several of them gets waypoints; medians in eight sweeps order each layer (`orders`); pooling
adjacent violators puts each box at the height nearest to its neighbours' (`heights`). The same graph is always laid out
alike.
"""

from moot.views.layout.placing import Layout, LayoutBox, Passage, PlacedBox, laid_out

__all__ = ["Layout", "LayoutBox", "Passage", "PlacedBox", "laid_out"]
