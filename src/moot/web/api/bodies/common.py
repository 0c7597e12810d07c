"""What the values of all parts are made of."""

from typing import Annotated, Literal

from pydantic import Field

Scope = Literal["agent", "reviewer", "admin"]
Text = Annotated[str, Field(max_length=200_000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Moment = Annotated[
    str,
    Field(
        description="ISO 8601", examples=["2026-01-31T09:30:00.000+00:00"], json_schema_extra={"format": "date-time"}
    ),
]
# Written for one release beside the name that says what it means.
OLD_NAME_OF_STALLED = Field(alias="left_alone", description="the old name of `stalled`", deprecated=True)
