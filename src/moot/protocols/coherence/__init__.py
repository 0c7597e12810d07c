"""`coherence`: columns and scores, deterministic paths through three graphs, an answer that hides its scaffolding."""
