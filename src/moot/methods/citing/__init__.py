"""Replies in a run's own words, and programs, written down as arguments by the program (rulings I12 and I18).

No run quotes: each sentence of a reply is put beside the sentences of the documents, and those that cover it are its
givens. Overlap is not entailment: what is written here says where the words stand, not that they prove anything.
"""

from moot.methods.citing.concluding import conclusion_claim
from moot.methods.citing.programming import programmed
from moot.methods.citing.reasoning import cited

__all__ = ["cited", "conclusion_claim", "programmed"]
