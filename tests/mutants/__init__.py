"""Clauses broken on purpose: each mutant is one change to the code that carries a clause.

The tests that name the clause must fail on it, without help from a golden record. Run by hand, since it takes minutes:

    python -m tests.mutants                   every table
    python -m tests.mutants spiral coherence  some of them
    python -m tests.mutants spiral:5.1.4      one clause
"""
