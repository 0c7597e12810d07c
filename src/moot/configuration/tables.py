"""The tables of a moot.toml, as pydantic checks them: no unknown key, no guessed type."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

MOST = 1e15
"""More than any limit that can be meant."""

Whole = Annotated[int, Field(gt=0, le=MOST)]
Number = Annotated[float, Field(gt=0, le=MOST, allow_inf_nan=False)]
Dollars = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[list[Name], Field(min_length=1, max_length=99)]


def _finite(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("it can be reached by no number")
    return value


Settings = dict[str, dict[str, Annotated[JsonValue, AfterValidator(_finite)]]]
"""By protocol; what a value may be is for the protocol to say."""


class Table(BaseModel):
    """A table with the keys that it names and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class BudgetTable(Table):
    """`[budget]`, and the budget of a panel."""

    calls: Whole | None = None
    tokens: Whole | None = None
    usd: Number | None = None
    seconds: Number | None = None


class LimitsTable(Table):
    """`[limits]`."""

    confirm_usd: Dollars | None = None


class PanelTable(Table):
    """`[panels.NAME]`."""

    members: Names
    protocol: Name | None = None
    budget: BudgetTable = BudgetTable()
    settings: Settings = Field(default_factory=dict)


class FileTable(Table):
    """A whole file."""

    protocol: Name | None = None
    members: Names | None = None
    panel: Name | None = None
    budget: BudgetTable = BudgetTable()
    limits: LimitsTable = LimitsTable()
    prices: dict[str, Annotated[list[Dollars], Field(min_length=2, max_length=2)]] = Field(default_factory=dict)
    panels: dict[Name, PanelTable] = Field(default_factory=dict)
    settings: Settings = Field(default_factory=dict)
    product: dict[str, Any] = Field(default_factory=dict)
