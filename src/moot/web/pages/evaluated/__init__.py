"""Evaluations as pages: the list of runs, one run in figures, two side by side, and what one arm made of one item."""
