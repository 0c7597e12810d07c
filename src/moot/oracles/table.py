"""All oracles in one table, the one type of all their checks, and the way in (ruling S7)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from moot.oracles import (
    algebra,
    angles,
    arithmetic,
    averages,
    bases,
    combinations,
    counting,
    dates,
    digests,
    logic,
    network,
    number_theory,
    percentages,
    syntax,
    units,
)
from moot.oracles.finding import (
    Check,
    Computed,
    Deniable,
    FailedReading,
    Finding,
    Oracle,
    Uncomputable,
    Verdict,
    shortened,
)

ORACLES: Mapping[str, Oracle] = {
    row.kind: row
    for row in (
        number_theory.ORACLE,
        combinations.ORACLE,
        averages.ORACLE,
        percentages.ORACLE,
        counting.ORACLE,
        bases.ORACLE,
        angles.ORACLE,
        dates.ORACLE,
        units.ORACLE,
        digests.ORACLE,
        network.ORACLE,
        syntax.ORACLE,
        logic.ORACLE,
        arithmetic.ORACLE,
        algebra.ORACLE,
    )
}
"""Moot's own oracles by kind; a sentence goes to the first that understands it."""

NO_MORE: Mapping[str, Oracle] = MappingProxyType({})


class _AnyOf:
    """Shows the union as `anyOf`, which servers that generate by a schema take more readily than `oneOf`."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        shown = handler(schema)
        return {"anyOf": shown["oneOf"]}


OracleCheck = Annotated[
    arithmetic.Arithmetic
    | algebra.Algebra
    | number_theory.NumberTheory
    | combinations.Combinations
    | averages.Averages
    | percentages.Percentages
    | counting.Counting
    | bases.Bases
    | angles.Angles
    | units.Units
    | dates.Dates
    | digests.Digests
    | logic.Logic
    | syntax.Syntax
    | network.NetworkFacts,
    Field(discriminator="kind"),
    _AnyOf(),
]
"""Any check, told apart by its `kind`; a reply's schema can embed it."""


_CHECKS: TypeAdapter[Any] = TypeAdapter(OracleCheck)


def consult(check: OracleCheck | Check | Mapping[str, Any], more: Mapping[str, Oracle] = NO_MORE) -> Finding:
    """Return what the check's oracle finds; what no oracle understands is `not computable` (ruling S7).

    A mapping is taken as a member sent it: a wrong kind or field is a finding, not an error. `more` are oracles beside
    Moot's own.
    """
    if isinstance(check, Mapping):
        if isinstance(kind := check.get("kind"), str) and kind in more:
            return _consult_further(check, more[kind])
        try:
            check = _CHECKS.validate_python(check)
        except ValidationError as error:
            return _beyond(_kind(check), _problem(error, (*ORACLES, *more)))
    if isinstance(check, FailedReading):
        return _beyond(check.oracle, f"the oracle {check.oracle} failed with {check.failure} as it read this")
    further = next((row for row in more.values() if type(check) is row.takes), None)
    if further:
        return _consult_further(check.model_dump(), further)
    return _decided(ORACLES[getattr(check, "kind", "")], check)


def _consult_further(sent: Mapping[str, Any], row: Oracle) -> Finding:
    """What an oracle of another package finds; where its code fails, nothing was computed."""
    try:
        return _decided(row, row.takes.model_validate({**sent, "kind": row.kind}))
    except ValidationError as error:
        return _beyond(row.kind, _problem(error, ORACLES, depth=0))
    except Exception as error:
        return _beyond(row.kind, f"the oracle {row.kind} failed with {type(error).__name__}")


def _decided(row: Oracle, check: Check) -> Finding:
    try:
        computed = row.decide(check)
    except Uncomputable as reached:
        return _beyond(row.kind, f"{row.kind} takes {reached}", check.reading)
    negated = isinstance(check, Deniable) and check.negated
    if negated and computed.holds and computed.rounded:
        return _beyond(row.kind, "a denial of what holds as rounded may mean either", check.reading)
    return _found(row.kind, computed, check.reading, negated=negated)


def _found(kind: str, computed: Computed, reading: str, *, negated: bool) -> Finding:
    held: Verdict = "true as rounded" if computed.rounded else "true"
    verdict = held if computed.holds != negated else "false"
    how = shortened(computed.explanation, 200)
    return Finding(kind, verdict, shortened(computed.value), how, reading=shortened(reading, 200))


def _beyond(kind: str, limit: str, reading: str = "") -> Finding:
    return Finding(
        shortened(kind, 40),
        "not computable",
        explanation="nothing was computed",
        limit=shortened(limit, 200),
        reading=shortened(reading, 200),
    )


def _kind(check: Mapping[str, Any]) -> str:
    kind = check.get("kind")
    return kind if isinstance(kind, str) and kind in ORACLES else "none"


def _problem(error: ValidationError, kinds: Iterable[str], depth: int = 1) -> str:
    """Why a check is none; `depth` parts of where it fails only name its kind."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"].startswith("union_tag") or not first["loc"]:
        return f"no oracle takes this; kinds are {', '.join(kinds)}"
    return f"a check needs {'.'.join(map(str, first['loc'][depth:]))}: {first['msg']}"
