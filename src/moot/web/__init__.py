"""Moot over HTTP: the board, deliberations and argument graphs, for programs and agents. It decides nothing."""
