"""Oracles: small deterministic checkers of what can be computed (rulings S7, S12).

Each takes a typed check, bounds its work by structure and answers `true`, `false`, `true as rounded` or `not
computable` with the limit that it met. `consult` puts a check to its oracle; `claim_checks` finds the checks in a text
that is understood as a whole; `judged` gives one answer to one text.
"""

from moot.oracles.claims import claim_checks
from moot.oracles.finding import Finding, Oracle
from moot.oracles.judging import Judgement, judged
from moot.oracles.table import ORACLES, OracleCheck, consult

__all__ = ["ORACLES", "Finding", "Judgement", "Oracle", "OracleCheck", "claim_checks", "consult", "judged"]
