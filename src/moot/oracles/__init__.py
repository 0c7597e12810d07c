"""Oracles: small deterministic checkers of what can be computed (ruling S7).

Each takes a typed check, bounds its work by structure and answers `true`, `false` or `not computable` with the limit
that it met. `consult` puts a check to its oracle; `claim_checks` finds the checkable claims in plain sentences.
"""

from moot.oracles.claims import claim_checks
from moot.oracles.finding import Finding, Oracle
from moot.oracles.table import ORACLES, OracleCheck, consult

__all__ = ["ORACLES", "Finding", "Oracle", "OracleCheck", "claim_checks", "consult"]
