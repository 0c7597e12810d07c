"""Step 0: the kind of task and the structure, read from the question by rules (ruling S6)."""
