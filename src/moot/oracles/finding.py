"""What an oracle takes and answers, and how it says that something is beyond it (ruling S7)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

Verdict = Literal["true", "false", "not computable"]

LONGEST_VALUE = 130
"""Characters of a computed value that a finding shows."""


class Uncomputable(Exception):
    """Raised inside an oracle where its stated limit ends; `consult` makes a finding of it."""


@dataclass(frozen=True, slots=True)
class Computed:
    """Whether the check holds, what was computed, and in one line how."""

    holds: bool
    value: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What an oracle found; `limit` names what stopped it where the verdict is `not computable`, else it is empty."""

    oracle: str
    verdict: Verdict
    value: str = ""
    explanation: str = ""
    limit: str = ""


def _worded(value: Any) -> Any:
    """A number stands for its digits: members send 97 as readily as "97"."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


# The schema that a member is shown is bounded; what is read is not, so that an oracle can name the limit it refuses by.
Line = Annotated[str, BeforeValidator(_worded), WithJsonSchema({"type": "string", "maxLength": 200})]
Passage = Annotated[str, BeforeValidator(_worded), WithJsonSchema({"type": "string", "maxLength": 1000})]


class Check(BaseModel):
    """One question to an oracle, as a member sends it: a claim that is true or false."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Deniable(Check):
    """A check whose claim can also be its denial: `negated` turns the verdict round."""

    negated: bool = False


@dataclass(frozen=True, slots=True)
class Oracle:
    """One oracle: what it takes, what it can do in one line, where it ends, and its two pure functions."""

    kind: str
    takes: type[Check]
    help: str
    limit: str
    decide: Callable[[Any], Computed]
    read: Callable[[str], Any]


def bounded(text: str, most: int, what: str) -> str:
    """Return the text if it is short enough.

    Raises:
        Uncomputable: it has more characters than `most`.

    """
    if len(text) > most:
        raise Uncomputable(f"{what} of at most {most:,} characters")
    return text


def shortened(value: str, most: int = LONGEST_VALUE) -> str:
    """Return the value, cut where it is long, without line breaks."""
    flat = " ".join(value[: 2 * most].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
