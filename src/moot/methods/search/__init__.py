"""Search in documents without a model: passages, BM25, the title hop, and what a small member is shown (G7, I20)."""

from moot.methods.search.narrowing import FEWEST, Narrowed, further, narrowed, ordered, with_passages
from moot.methods.search.passages import LONGEST_PASSAGE, Passage, passages_of, setting_of
from moot.methods.search.terms import best_passages, closeness, nearest, terms

__all__ = [
    "FEWEST",
    "LONGEST_PASSAGE",
    "Narrowed",
    "Passage",
    "best_passages",
    "closeness",
    "further",
    "narrowed",
    "nearest",
    "ordered",
    "passages_of",
    "setting_of",
    "terms",
    "with_passages",
]
