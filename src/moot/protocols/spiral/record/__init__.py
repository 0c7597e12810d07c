"""What a spiral comes to and what is kept of it: verdict, coda, graph, report, notes (spiral 5.1 step 6)."""
