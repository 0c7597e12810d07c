"""Spiral: consensus by axioms and oracles (paper 001)."""
