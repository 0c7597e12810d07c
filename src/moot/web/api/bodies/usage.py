"""What calls took, as callers get it."""

from typing import Literal

from pydantic import BaseModel, Field

from moot.core.budget import Spent, Unknown
from moot.service.reading.usage import UsageLine, UsageReading


class SpentView(BaseModel):
    """What calls took: what is known, and of how many calls it is not."""

    calls: int
    tokens_in: int | None = Field(description="as far as known; null where nothing is")
    tokens_out: int | None = Field(description="as far as known; null where nothing is")
    usd: float | None = Field(description="as far as known; null where nothing is")
    seconds: float = Field(description="of all calls, one after the other")
    unknown: Unknown = Field(description="of how many calls nobody knows it")

    @classmethod
    def of(cls, spent: Spent) -> "SpentView":
        """Return a sum as callers see it."""
        return cls(**{name: getattr(spent, name) for name in cls.model_fields})


class UsageLineView(SpentView):
    """What the calls of one day, one model or one key took."""

    name: str = Field(description="a day of UTC, a model, or the name of a key", examples=["2026-01-31"])
    key: str | None = Field(description="by key: its prefix; null for the command line", examples=["moot_0a1b2c3d"])

    @classmethod
    def line(cls, line: UsageLine) -> "UsageLineView":
        """Return a line as callers see it."""
        return cls(name=line.name, key=line.key, **SpentView.of(line.spent).model_dump())


class UsageView(BaseModel):
    """What calls took in a span, line by line and in all."""

    by: Literal["day", "model", "key"]
    lines: list[UsageLineView] = Field(description="days in order; models and keys with the most calls first")
    total: SpentView = Field(description="over all lines, those left out too")
    left_out: int = Field(description="how many lines more there are than are told")

    @classmethod
    def of(cls, reading: UsageReading) -> "UsageView":
        """Return what calls took as callers see it."""
        lines = [UsageLineView.line(line) for line in reading.lines]
        return cls(by=reading.by, lines=lines, total=SpentView.of(reading.total), left_out=reading.left_out)
