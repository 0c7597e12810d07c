"""Search in documents without a model: passages, BM25, the title hop, and what a small member is shown (G7, I20)."""

from moot.methods.search.narrowing import FEWEST, Narrowed, first_of, further, narrowed, ordered
from moot.methods.search.passages import LONGEST_PASSAGE, Passage, passages_of, setting_of
from moot.methods.search.showing import Passages, first_shown, next_shown, reads_well, showing, shown_question
from moot.methods.search.terms import best_passages, closeness, nearest, terms

__all__ = [
    "FEWEST",
    "LONGEST_PASSAGE",
    "Narrowed",
    "Passage",
    "Passages",
    "best_passages",
    "closeness",
    "first_of",
    "first_shown",
    "further",
    "narrowed",
    "nearest",
    "next_shown",
    "ordered",
    "passages_of",
    "reads_well",
    "setting_of",
    "showing",
    "shown_question",
    "terms",
]
