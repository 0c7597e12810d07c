"""Oracles: small deterministic checkers of what can be computed (rulings S7, S12).

Each takes a typed check, bounds its work by structure and answers `true`, `false`, `true as rounded` or `not
computable` with the limit that it met. `consult` puts a check to its oracle; `claim_checks` finds the checks in a text
that is understood as a whole; `judged` gives one answer to one text. An oracle of another package is an `Oracle` that
takes a `Check`, decides it with a `Computed` or raises `Uncomputable` (docs/extending.md).
"""

from moot.oracles.claims import claim_checks
from moot.oracles.finding import Check, Computed, Deniable, Finding, Oracle, Uncomputable
from moot.oracles.judging import Judgement, judged
from moot.oracles.table import ORACLES, OracleCheck, consult

__all__ = [
    "ORACLES",
    "Check",
    "Computed",
    "Deniable",
    "Finding",
    "Judgement",
    "Oracle",
    "OracleCheck",
    "Uncomputable",
    "claim_checks",
    "consult",
    "judged",
]
