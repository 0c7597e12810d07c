"""The axioms: seven files of them, how they are read, searched, and checked (spiral 5.1 step 3)."""
