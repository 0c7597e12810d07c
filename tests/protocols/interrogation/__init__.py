"""Tests of the parts of `interrogation`, each by itself."""
