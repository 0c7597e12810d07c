"""Who may come in, and what was spent for whom."""
