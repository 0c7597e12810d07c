"""An argument as somebody looks into it: every claim with who said it, what was found of it, and what becomes of it.

`read_graph` is the door. Nothing here asks anybody or keeps anything: with claims that are supposed to be wrong,
everything is computed anew.
"""

from moot.methods.argued.across import (
    MOST_OF_AN_ARGUMENT,
    ClaimCell,
    ClaimStand,
    SharedClaim,
    shared_claims,
)
from moot.methods.argued.claim_sources import SeenEvents
from moot.methods.argued.reading import Refutation, read_graph
from moot.methods.argued.values import (
    ArgumentClaim,
    ArgumentFigures,
    ArgumentReading,
    ArgumentRelation,
    ArgumentStructure,
    ClaimRun,
    ClaimVerdict,
    Fate,
    GivenCheck,
    RankedAnswer,
    SourceSentence,
    VerdictVote,
)

__all__ = [
    "MOST_OF_AN_ARGUMENT",
    "ArgumentClaim",
    "ArgumentFigures",
    "ArgumentReading",
    "ArgumentRelation",
    "ArgumentStructure",
    "ClaimCell",
    "ClaimRun",
    "ClaimStand",
    "ClaimVerdict",
    "Fate",
    "GivenCheck",
    "RankedAnswer",
    "Refutation",
    "SeenEvents",
    "SharedClaim",
    "SourceSentence",
    "VerdictVote",
    "read_graph",
    "shared_claims",
]
