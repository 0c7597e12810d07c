"""Search in documents without a model: passages, BM25, the title hop, and what a small member is shown (G7, I20)."""

from moot.methods.search.narrowing import FEWEST, Narrowed, first_of, further, narrowed, ordered
from moot.methods.search.passages import LONGEST_PASSAGE, Passage, passages_of, setting_of
from moot.methods.search.showing import (
    READS_WELL,
    Passages,
    first_question,
    first_shown,
    next_shown,
    reads_well,
    showing,
    shown_question,
)
from moot.methods.search.terms import best_passages, closeness, nearest, terms
from moot.methods.search.verdicts import asked_over_what_is_shown, over_what_was_shown

__all__ = [
    "FEWEST",
    "LONGEST_PASSAGE",
    "READS_WELL",
    "Narrowed",
    "Passage",
    "Passages",
    "asked_over_what_is_shown",
    "best_passages",
    "closeness",
    "first_of",
    "first_question",
    "first_shown",
    "further",
    "narrowed",
    "nearest",
    "next_shown",
    "ordered",
    "over_what_was_shown",
    "passages_of",
    "reads_well",
    "setting_of",
    "showing",
    "shown_question",
    "terms",
]
