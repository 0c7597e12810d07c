"""What is kept and shown of a debate: summaries, the verdict, the graph, the report (debate 5)."""
